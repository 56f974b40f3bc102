//! `merkhet simulate`: walks through a model, step by step.

use std::io::BufRead;

use anstyle::Style;
use merkhet::Limits;
use merkhet::explore::{Exploration, Successors, SymbolicState};
use merkhet::network::{Network, Transition};
use merkhet::{Failure, Model};

use super::words;
use crate::args::SimulateArgs;
use crate::commands::load;
use crate::exit::Exit;
use crate::output::{self, OutputError};
use crate::view::Verdict;
use crate::view::human::{TraceStyle, trace_text};
use crate::view::trace::TraceSource;

const BOLD: Style = Style::new().bold();
const FAINT: Style = Style::new().dimmed();

const EXPLANATION: &str = "\
a number  take that transition        b  go back one step
(empty)   take a random one           t  the run so far with exact times
?         this explanation            q  end
";

/// The most transitions of a state that are offered: a broadcast may have 2^31.
const CHOICES: usize = 1000;

/// Runs the command.
pub fn run(args: &SimulateArgs) -> Exit {
    let Ok(model) = load::usable(&args.model) else {
        return Exit::BadInput;
    };
    let Some(network) = model.network() else {
        return Exit::BadInput;
    };
    match Walk::start(&model, network, args).and_then(|mut walk| match args.random {
        true => walk.at_random(args),
        false => walk.by_hand(args.concrete),
    }) {
        Ok(()) | Err(Ended::Output(OutputError::Closed)) => Exit::Satisfied,
        Err(Ended::Output(problem)) => {
            output::report(&problem);
            Exit::BadInput
        }
        Err(Ended::Failure(failure)) => {
            output::error(&failure.to_string());
            Exit::of(&failure)
        }
    }
}

/// Why a walk ends before its time.
enum Ended {
    Output(OutputError),
    Failure(Failure),
}

impl From<OutputError> for Ended {
    fn from(error: OutputError) -> Ended {
        Ended::Output(error)
    }
}

impl From<Failure> for Ended {
    fn from(failure: Failure) -> Ended {
        Ended::Failure(failure)
    }
}

struct Walk<'m> {
    model: &'m Model,
    network: &'m Network,
    exploration: Exploration<&'m Network>,
    taken: Vec<Transition>,
    /// The states on the way, the initial one first.
    states: Vec<SymbolicState>,
    random: u64,
}

impl<'m> Walk<'m> {
    fn start(
        model: &'m Model,
        network: &'m Network,
        args: &SimulateArgs,
    ) -> Result<Walk<'m>, Ended> {
        let exploration = Exploration::exact(network)?.within(Limits {
            timeout: args.timeout,
            ..Limits::default()
        });
        let states: Vec<SymbolicState> = exploration.initial()?.into_iter().take(1).collect();
        if states.is_empty() {
            let message = "there is no initial state: an invariant does not hold at the start";
            return Err(Failure::NotPermitted(message.into()).into());
        }
        Ok(Walk {
            model,
            network,
            exploration,
            taken: Vec::new(),
            states,
            // Splitmix64 starts well from any seed.
            random: args.seed,
        })
    }

    /// What can be done next; says so if there is more.
    fn choices(&self) -> Result<Vec<(Transition, SymbolicState)>, Ended> {
        let Some(state) = self.states.last() else {
            return Ok(Vec::new());
        };
        let Successors { all, more } = self.exploration.successors(state, CHOICES)?;
        if more {
            let count = all.len();
            output::message(&format!("only the first {count} transitions are looked at"));
        }
        Ok(all)
    }

    fn take(&mut self, choice: (Transition, SymbolicState)) {
        self.taken.push(choice.0);
        self.states.push(choice.1);
    }

    fn dice(&mut self, below: usize) -> usize {
        self.random = self.random.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.random;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((mixed ^ (mixed >> 31)) % below.max(1) as u64) as usize
    }

    fn at_random(&mut self, args: &SimulateArgs) -> Result<(), Ended> {
        if !args.concrete {
            self.show_state()?;
        }
        let mut stuck = false;
        for step in 1..=args.steps {
            let mut choices = self.choices()?;
            if choices.is_empty() {
                stuck = true;
                break;
            }
            let choice = choices.swap_remove(self.dice(choices.len()));
            let words = words::transition(self.network, &choice.0);
            self.take(choice);
            if !args.concrete {
                output::print_styled(&format!("\n{BOLD}{step}{BOLD:#}  {words}\n"))?;
                self.show_state()?;
            }
        }
        if args.concrete {
            self.show_run()?;
        }
        match stuck {
            true => Ok(output::print_styled("\nNothing can happen any more.\n")?),
            false => Ok(()),
        }
    }

    fn by_hand(&mut self, concrete: bool) -> Result<(), Ended> {
        let mut lines = std::io::stdin().lock().lines();
        loop {
            match concrete && !self.taken.is_empty() {
                true => self.show_run()?,
                false => self.show_state()?,
            }
            let (mut choices, faulty) = match self.choices() {
                Ok(choices) => (choices, false),
                // What the model does next cannot be computed: that is worth looking at, and a step back helps.
                Err(Ended::Failure(failure @ Failure::Fault { .. })) => {
                    output::error(&failure.to_string());
                    (Vec::new(), true)
                }
                Err(other) => return Err(other),
            };
            for (index, (transition, _)) in choices.iter().enumerate() {
                let words = words::transition(self.network, transition);
                output::print_styled(&format!("  {BOLD}{}{BOLD:#}  {words}\n", index + 1))?;
            }
            if faulty {
                output::print_styled("  a transition cannot be computed here; b goes back\n")?;
            } else if choices.is_empty() {
                output::print_styled("  nothing can happen any more\n")?;
            }
            output::print_styled("> ")?;
            let Some(Ok(line)) = lines.next() else {
                return Ok(output::print_styled("\n")?);
            };
            match line.trim() {
                "q" | "quit" | "exit" => return Ok(()),
                "b" => {
                    if self.taken.pop().is_some() {
                        self.states.pop();
                    }
                }
                "t" => self.show_run()?,
                "?" | "h" | "help" => output::print_styled(EXPLANATION)?,
                "" if choices.is_empty() => {}
                "" => {
                    let chosen = self.dice(choices.len());
                    self.take(choices.swap_remove(chosen));
                }
                other => match other.parse::<usize>() {
                    Ok(number) if (1..=choices.len()).contains(&number) => {
                        self.take(choices.swap_remove(number - 1));
                    }
                    _ => output::message(&format!("`{other}`?\n{EXPLANATION}")),
                },
            }
        }
    }

    fn show_state(&self) -> Result<(), Ended> {
        let Some(state) = self.states.last() else {
            return Ok(());
        };
        let mut text = format!("{}\n", words::locations(self.network, state).join(", "));
        for line in [
            words::values(&self.exploration, state),
            state.describe_zone(self.network),
        ] {
            if !line.is_empty() {
                text += &format!("  {FAINT}{}{FAINT:#}\n", line.join(", "));
            }
        }
        Ok(output::print_styled(&text)?)
    }

    /// The run so far with exact times, as the judge accepts it.
    fn show_run(&self) -> Result<(), Ended> {
        let run = self.exploration.concrete(&self.taken)?;
        let view = TraceSource::new(self.model, self.network, false).view(&run);
        let text = trace_text(Verdict::Satisfied, &view, TraceStyle::Short);
        Ok(output::print_styled(&format!("{text}\n"))?)
    }
}
