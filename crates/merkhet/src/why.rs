//! Why a query is not decided, and what else there is to say of an answer: as data, with the sentences in one place.

use std::fmt;

use merkhet_explore::StopReason;
use merkhet_symbolic::limits::Stop;

/// Why a query is not decided.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Why {
    /// A limit was reached, the caller ended the search, or states may have been missed.
    Limit(StopReason),
    /// Walks of this number of steps found no run.
    NothingWalked(u64),
    /// Stopwatches are over-approximated: what was found may not be there.
    MayHold,
    /// The zones of the run that was found fall into too many parts to find its times.
    TooManyParts,
    /// The query reads this variable, which is `meta`.
    ReadsMeta(String),
    /// Stopwatches are over-approximated: a fault was met that no run could be confirmed to lead to.
    MayGoWrong {
        /// The fault.
        fault: String,
        /// Where it stands in the source.
        place: Option<String>,
    },
    /// A limit was reached, and the search may have no end.
    NoEnd {
        /// The difference of clocks that makes infinitely many zones.
        difference: [String; 2],
        /// The variables that its bound reads.
        variables: Vec<String>,
        /// The limit.
        limit: StopReason,
    },
    /// Only joined lattice elements reach the goal.
    Inconclusive {
        /// The join that is to blame.
        blame: String,
        /// Whether there is another way of joining that may do better.
        hint: bool,
    },
    /// Nothing was found under the assumption that larger lattice elements allow more, which this stands against.
    AssumedMonotone(String),
    /// Stopwatches are over-approximated: values would be bounds only.
    OverApproximate,
    /// Stopwatches are over-approximated: no run could be confirmed that reaches this value.
    UnconfirmedValue(i32),
    /// A difference of clocks grows beyond this value, but nothing shows that it does so without end.
    DifferenceBeyond(i64),
    /// A clock grows beyond this value, but nothing shows that it does so without end.
    ClockBeyond(i32),
    /// More paths than can be looked at.
    TooManyPaths,
    /// Decision diagrams reach a state in which an evaluation fails.
    FaultReached,
    /// Decision diagrams gave up.
    Diagrams(Stop),
}

impl From<StopReason> for Why {
    fn from(reason: StopReason) -> Why {
        Why::Limit(reason)
    }
}

impl From<&Stop> for Why {
    fn from(stop: &Stop) -> Why {
        match stop {
            Stop::Cancelled => Why::Limit(StopReason::Cancelled),
            Stop::Deadline => Why::Limit(StopReason::Timeout),
            Stop::Memory => Why::Limit(StopReason::Memory),
            other => Why::Diagrams(other.clone()),
        }
    }
}

impl fmt::Display for Why {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Why::Limit(reason) => reason.fmt(f),
            Why::NothingWalked(steps) => write!(
                f,
                "no run was found in {steps} steps of random walks, and walks prove nothing; with --timeout or --max-states they \
                 go on until then"
            ),
            Why::MayHold => f.write_str(
                "may hold: stopwatches are over-approximated, and the run that was found could not be confirmed",
            ),
            Why::TooManyParts => f.write_str(
                "a run was found, but its zones fall into too many parts to find its times and have them judged",
            ),
            Why::ReadsMeta(variable) => write!(
                f,
                "the query reads `{variable}`, which is `meta`: states that differ in it only were taken for one; declare \
                 it without `meta`"
            ),
            Why::MayGoWrong { fault, place } => {
                f.write_str("may go wrong")?;
                if let Some(place) = place {
                    write!(f, " at {place}")?;
                }
                write!(
                    f,
                    " ({fault}): stopwatches are over-approximated, and no run to it could be confirmed"
                )
            }
            Why::NoEnd {
                difference: [left, right],
                variables,
                limit,
            } => {
                let quoted: Vec<String> = variables.iter().map(|name| format!("`{name}`")).collect();
                let names = match quoted.is_empty() {
                    true => "its bound".to_string(),
                    false => quoted.join(", "),
                };
                write!(
                    f,
                    "{left} - {right} is compared with a bound of more than 64 possible values, and the search may have no \
                     end: declare {names} with a smaller range, as in `int[0,10]` ({limit})"
                )
            }
            Why::Inconclusive { blame, hint } => {
                write!(f, "inconclusive: {blame}")?;
                match hint {
                    true => f.write_str(" (--lattice cegar refines, --lattice cover is exact)"),
                    false => Ok(()),
                }
            }
            Why::AssumedMonotone(obstacle) => write!(
                f,
                "nothing found, assuming that larger elements allow more; not proved because of {obstacle}"
            ),
            Why::OverApproximate => f.write_str(
                "stopwatches are over-approximated: the values would only be bounds on the true ones",
            ),
            Why::UnconfirmedValue(value) => write!(
                f,
                "stopwatches are over-approximated: {value} is a bound on the value, and no run that reaches it could be \
                 confirmed"
            ),
            Why::DifferenceBeyond(most) => write!(
                f,
                "the difference exceeds {most}, and it was not found to grow without end"
            ),
            Why::ClockBeyond(horizon) => write!(
                f,
                "a clock comes beyond {horizon}, and it was not found to grow without end"
            ),
            Why::TooManyPaths => f.write_str("more paths than can be looked at"),
            Why::FaultReached => f.write_str(
                "an evaluation fails in a reachable state; --engine zones tells which",
            ),
            Why::Diagrams(stop) => stop.fmt(f),
        }
    }
}

/// What there is to say of an answer besides.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Remark {
    /// What the search has seen until the limit shows the least number of steps of a trace.
    TraceAtLeast(u64),
    /// Estimates would have cost too much: this number of states got the one of the state that they were found from.
    Inherited(u64),
    /// The first estimate proves that the goal cannot be reached; faults of the model were looked for in this number of states.
    NoWay(u64),
    /// Everything was seen breadth first, in a second store: what the first order expanded was in vain for a good part.
    SecondOrder,
    /// One state was kept for all that differ by a permutation of these processes, which stand in lists of members.
    Permuted(Vec<Vec<String>>),
    /// No processes can be permuted; with what stands against it, where some are of the same form.
    NotPermuted(Option<String>),
    /// There is no certificate: its exact zones are too many.
    NoCertificate,
    /// There is no certificate of boxes, for this reason.
    NoBoxes(String),
    /// There is no certificate of the values, for this reason.
    Unproved(Unproved),
    /// The certificate was not checked, as was asked for.
    Unchecked,
    /// The least time of a run.
    LeastTime {
        /// In time units.
        time: u64,
        /// It is approached and not reached.
        exceeded: bool,
    },
    /// The least time is not known.
    NoLeastTime(NoLeastTime),
    /// A goal that falls into parts was searched part by part.
    IndependentParts(usize),
    /// No state satisfies the condition of a range of values.
    NoState,
    /// Answered without a search, after one that came to no answer.
    By(Grounds, Why),
    /// Lattice elements were explored explicitly.
    Explicit(Explicit),
    /// Options that only explicit exploration has.
    Without(Vec<&'static str>),
    /// Joins, counted here, may have made a bound larger than it is.
    SafeBound(u64),
    /// The limits did not permit to refine a safe bound further.
    Unrefined,
    /// An evaluation failed where walks came by, the first time like this; they went other ways.
    FaultOnTheWay(String),
    /// What decision diagrams say of their work.
    Note(String),
}

/// Why there is no certificate of the ends of ranges.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Unproved {
    /// There are certificates of finite ends only.
    InfiniteEnd,
    /// The checker has no rules for such ends.
    Unclaimed,
    /// A search for the proof, or for a run to an end, stopped.
    Undecided(Box<Why>),
    /// No run to an end could be made.
    NoRun,
}

impl fmt::Display for Unproved {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Unproved::InfiniteEnd => {
                f.write_str("an end is infinite, and only finite ones can be proved")
            }
            Unproved::Unclaimed => f.write_str("the checker has no rules for these ends"),
            Unproved::Undecided(why) => write!(f, "the search for one stopped ({why})"),
            Unproved::NoRun => f.write_str("no run to an end could be made concrete"),
        }
    }
}

/// Why the least time of a run is not known.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum NoLeastTime {
    /// The run that was found could not be made concrete.
    Unconfirmed,
    /// A limit was reached.
    Limit(StopReason),
    /// The run that was found takes too long.
    TooLong,
    /// A run that takes the least time could not be made concrete.
    NotConcrete,
    /// The network with a clock more is too large.
    TooLarge(String),
    /// The searches contradict each other.
    Contradiction,
}

/// What answers a query without a search.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Grounds {
    /// The declared ranges.
    Ranges,
    /// What some of the processes do.
    Writers,
}

/// Why lattice elements were explored explicitly.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Explicit {
    /// It is not proved that larger elements allow more, because of this.
    NotProved(String),
    /// Larger elements need not have the extreme values.
    Extremes,
}

impl fmt::Display for Remark {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Remark::TraceAtLeast(steps) => write!(f, "a trace would have at least {steps} steps"),
            Remark::Inherited(states) => write!(
                f,
                "estimates were cut, since they would have cost most of the time: {states} states were not estimated"
            ),
            Remark::NoWay(states) => write!(
                f,
                "no way leads to the goal, as its estimate proves; faults of the model were looked for in {states} states only"
            ),
            Remark::SecondOrder => f.write_str(
                "everything was seen breadth first, beside the first order, which worked much in vain",
            ),
            Remark::Permuted(families) => {
                f.write_str("up to permutations of ")?;
                for (number, members) in families.iter().enumerate() {
                    let and = if number > 0 { " and of " } else { "" };
                    match &members[..] {
                        [first, .., last] if members.len() > 3 => {
                            write!(f, "{and}{first}, …, {last} ({} processes)", members.len())?;
                        }
                        _ => write!(f, "{and}{}", members.join(", "))?,
                    }
                }
                Ok(())
            }
            Remark::NotPermuted(None) => f.write_str("no processes of the same form can be permuted"),
            Remark::NotPermuted(Some(obstacle)) => {
                write!(f, "no processes can be permuted, for instance {obstacle}")
            }
            Remark::NoCertificate => f.write_str("no certificate: its exact zones are too many"),
            Remark::NoBoxes(reason) => write!(
                f,
                "no certificate: the judge, who knows no orders, cannot follow elements here ({reason}); \
                 --lattice simple has one"
            ),
            Remark::Unproved(why) => write!(f, "no certificate: {why}"),
            Remark::Unchecked => f.write_str("the certificate was not checked"),
            Remark::LeastTime { time, exceeded } => match exceeded {
                false => write!(f, "least time: {time}"),
                true => write!(f, "least time: > {time} (not reached)"),
            },
            Remark::NoLeastTime(why) => write!(f, "the least time is not known: {why}"),
            Remark::IndependentParts(count) => {
                write!(f, "{count} independent parts, searched one by one")
            }
            Remark::NoState => f.write_str("no reachable state satisfies the condition"),
            Remark::By(grounds, why) => {
                let by = match grounds {
                    Grounds::Ranges => "the declared ranges of the variables alone",
                    Grounds::Writers => {
                        "what the processes do that write its variables, whatever the others do"
                    }
                };
                write!(
                    f,
                    "by {by}; the search, which looks for faults of the model as well, gave no answer: {why}"
                )
            }
            Remark::Explicit(why) => {
                f.write_str("explored explicitly: ")?;
                match why {
                    Explicit::NotProved(obstacle) => write!(
                        f,
                        "larger elements are not proved to allow more, because of {obstacle}"
                    ),
                    Explicit::Extremes => {
                        f.write_str("larger elements need not have the extreme values")
                    }
                }
            }
            Remark::Without(options) => {
                write!(
                    f,
                    "without {}: for --lattice simple only",
                    options.join(", ")
                )
            }
            Remark::SafeBound(joins) => write!(
                f,
                "a safe bound: {joins} joins may have made it larger than it is"
            ),
            Remark::Unrefined => {
                f.write_str("a safe bound: the limits do not permit to refine it further")
            }
            Remark::FaultOnTheWay(fault) => write!(
                f,
                "an evaluation fails where walks came by, and was left aside: {fault}"
            ),
            Remark::Note(note) => f.write_str(note),
        }
    }
}

impl fmt::Display for NoLeastTime {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            NoLeastTime::Unconfirmed => {
                f.write_str("the run that was found could not be made concrete")
            }
            NoLeastTime::Limit(reason) => reason.fmt(f),
            NoLeastTime::TooLong => f.write_str("the run that was found takes too long to measure"),
            NoLeastTime::NotConcrete => {
                f.write_str("a run that takes the least time could not be made concrete")
            }
            NoLeastTime::TooLarge(message) => f.write_str(message),
            NoLeastTime::Contradiction => f.write_str("the searches for it contradict each other"),
        }
    }
}
