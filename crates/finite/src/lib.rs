//! Finite systems as plain data: variables with finite domains, constraints as expression
//! graphs, specifications; traces, and the judge that replays them. Knows nothing of decision
//! diagrams and of input languages.

#![forbid(unsafe_code)]

mod expression;
mod graph;
pub mod print;
pub mod replay;
mod specification;
pub mod trace;
mod value;

pub use expression::{Arithmetic, ExpressionId, Expressions, Kind, Node, Type};
pub use graph::Support;
pub use specification::{Ctl, Formula, Ltl, Specification, SpecificationKind};
pub use value::{Domain, SymbolId, Value, Word, mask};

/// A variable of a system.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct VariableId(pub u32);

impl VariableId {
    /// The position in [`System::variables`].
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// A variable with its name and domain.
#[derive(Clone, Debug)]
pub struct Variable {
    /// The full name, such as `cell-1.user.req`.
    pub name: String,
    /// Its values.
    pub domain: Domain,
    /// Whether it belongs to the state.
    pub role: Role,
}

/// What a variable is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// Part of the state.
    State,
    /// Part of the state, and never changes.
    Frozen,
    /// Chosen anew at each transition; not part of the state.
    Input,
}

/// One way to take a transition. All of `relation` holds, `unchanged` variables keep their
/// values, and the input `choice` (the process selector) has the given value.
///
/// State variables that are neither constrained nor unchanged take any value of their domain.
#[derive(Clone, Debug, Default)]
pub struct Event {
    /// A name for traces: the process that runs.
    pub name: String,
    /// The input and the number of its value that this event stands for.
    pub choice: Option<(VariableId, u64)>,
    /// Constraints over the values now and after the transition.
    pub relation: Vec<ExpressionId>,
    /// Variables that keep their values.
    pub unchanged: Vec<VariableId>,
}

/// A value that is assigned to a variable and must lie in its domain.
#[derive(Clone, Copy, Debug)]
pub struct Assignment {
    /// The variable.
    pub variable: VariableId,
    /// The value or set of values.
    pub value: ExpressionId,
    /// The constraint that the assignment amounts to, as it stands in the system.
    pub constraint: ExpressionId,
    /// When it applies.
    pub time: AssignmentTime,
    /// Where it stands in the text of the model, if that is known.
    pub place: Option<Place>,
}

/// A place in the text of a model.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Place {
    /// The line, counted from 1.
    pub line: u32,
    /// The first byte.
    pub start: u32,
    /// The byte after the last one.
    pub end: u32,
}

/// When an assignment applies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AssignmentTime {
    /// To the initial states.
    Initial,
    /// To all states.
    Always,
    /// To the state after a step of the event with this number.
    Next(usize),
}

/// A finite transition system with its specifications.
///
/// States satisfy all `invariants`; initial states also all `initial`; a transition takes one of
/// the `events`.
#[derive(Clone, Debug, Default)]
pub struct System {
    /// The text of each symbol.
    pub symbols: Vec<String>,
    /// The variables, in the order of the declarations.
    pub variables: Vec<Variable>,
    /// All expressions that the rest refers to.
    pub expressions: Expressions,
    /// Constraints on the initial states.
    pub initial: Vec<ExpressionId>,
    /// Constraints on all states.
    pub invariants: Vec<ExpressionId>,
    /// The ways to take a transition; there is at least one.
    pub events: Vec<Event>,
    /// Conditions that hold infinitely often on every fair path; they may mention inputs.
    pub justice: Vec<ExpressionId>,
    /// Pairs of conditions: if the first holds infinitely often on a fair path, so does the second. They may mention inputs.
    pub compassion: Vec<(ExpressionId, ExpressionId)>,
    /// What must lie in the domains of variables; the constraints themselves are in the fields
    /// above.
    pub assignments: Vec<Assignment>,
    /// What is to be checked.
    pub specifications: Vec<Specification>,
}

impl System {
    /// The variable with a number.
    pub fn variable(&self, id: VariableId) -> &Variable {
        &self.variables[id.index()]
    }

    /// All variables with their numbers.
    pub fn variable_ids(&self) -> impl Iterator<Item = VariableId> + use<> {
        (0..self.variables.len() as u32).map(VariableId)
    }

    /// A value as the user writes it.
    pub fn show(&self, value: Value) -> String {
        match value {
            Value::Boolean(true) => "TRUE".into(),
            Value::Boolean(false) => "FALSE".into(),
            Value::Integer(value) => value.to_string(),
            Value::Symbol(SymbolId(symbol)) => self
                .symbols
                .get(symbol as usize)
                .cloned()
                .unwrap_or_default(),
            Value::Word(word) => word.to_string(),
        }
    }
}
