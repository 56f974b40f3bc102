//! NuSMV as a contestant: which of its settings are tried, and how its report is read.

use std::collections::BTreeMap;
use std::path::Path;
use std::time::Duration;

use super::squeezed;
use crate::program::{Limit, run as run_program};

/// Seconds by the clock for each second of CPU time: the machine may be busy.
const CLOCK: u64 = 30;

/// A run in which every specification got a verdict.
pub(super) struct Decided {
    pub(super) cpu: f64,
    verdicts: BTreeMap<String, bool>,
}

impl Decided {
    /// Where it says something else than we do.
    pub(super) fn differences(
        &self,
        file: &str,
        ours: &BTreeMap<String, Option<bool>>,
    ) -> Vec<String> {
        let differs = |(formula, truth): &(&String, &bool)| matches!(ours.get(*formula), Some(Some(verdict)) if verdict != *truth);
        self.verdicts
            .iter()
            .filter(differs)
            .map(|(formula, truth)| format!("{file}: {formula}: NuSMV says {truth}"))
            .collect()
    }
}

/// The fastest of its settings on a file; nothing if none decides all of it in the given CPU time.
pub(super) fn best(program: &Path, model: &Path, cpu: u64) -> Result<Option<Decided>, String> {
    let mut best: Option<Decided> = None;
    for setting in settings(model) {
        // What takes longer than the best one so far need not come to its end.
        let limit = best.as_ref().map_or(cpu, |best| best.cpu as u64 + 1);
        let run = timed(program, &setting, model, limit)?;
        if let Some(run) = run
            && best.as_ref().is_none_or(|best| run.cpu < best.cpu)
        {
            best = Some(run);
        }
    }
    Ok(best)
}

/// The settings that are tried, as arguments.
fn settings(model: &Path) -> Vec<Vec<String>> {
    let words = |text: &str| text.split(' ').map(str::to_owned).collect::<Vec<_>>();
    let mut settings = vec![words("-coi -dynamic"), words("-coi")];
    let order = model.with_extension("ord");
    if order.is_file() {
        let mut with_order = words("-coi -i");
        with_order.push(order.display().to_string());
        settings.push(with_order);
    }
    settings
}

/// Runs it with a limit of CPU time; nothing if it does not come to its end.
fn timed(
    program: &Path,
    setting: &[String],
    model: &Path,
    cpu: u64,
) -> Result<Option<Decided>, String> {
    let script = "ulimit -t \"$0\" && exec \"$@\"";
    let mut arguments = vec!["-c".to_owned(), script.to_owned(), cpu.to_string()];
    arguments.push(program.display().to_string());
    arguments.extend(setting.iter().cloned());
    arguments.push(model.display().to_string());
    let limit = Limit::Clock(Duration::from_secs(cpu * CLOCK));
    let run = run_program(Path::new("sh"), &arguments, limit, None)?;
    let verdicts = verdicts(&run.stdout);
    let decided = run.problem(&[0]).is_none() && !verdicts.is_empty();
    Ok(decided.then_some(Decided {
        cpu: run.sample.cpu,
        verdicts,
    }))
}

/// Lines such as `-- specification AG p  is true`.
fn verdicts(report: &str) -> BTreeMap<String, bool> {
    let mut verdicts = BTreeMap::new();
    for line in report.lines() {
        let told = ["-- specification ", "-- invariant "]
            .iter()
            .find_map(|start| line.strip_prefix(start));
        let Some(told) = told else { continue };
        for (end, truth) in [("is true", true), ("is false", false)] {
            if let Some(formula) = told.trim_end().strip_suffix(end) {
                verdicts.insert(squeezed(formula), truth);
            }
        }
    }
    verdicts
}

#[cfg(test)]
mod tests {
    use super::verdicts;

    #[test]
    fn only_verdicts_are_read() {
        let report = "-- specification AG (AF a = 1)  is true\n\
                      -- as demonstrated by the following execution sequence\n\
                      -- invariant (x < 3)  is false\n-- Loop starts here\n";
        let verdicts = verdicts(report);
        assert_eq!(verdicts.len(), 2);
        assert_eq!(verdicts.get("AGAFa=1"), Some(&true));
        assert_eq!(verdicts.get("x<3"), Some(&false));
    }
}
