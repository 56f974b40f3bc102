//! Certificates that no state of a system violates a condition, and their judge.
//!
//! A set of states given as a diagram must hold in the initial states, be kept by each step, and
//! contain no bad state. Induction over steps is asked for again, from nothing but its depth and the
//! variables that matter: in the system of these variables alone, whose steps are those that some
//! values of the others allow. It has more paths, so that a proof about it is one about the system.

use crate::encode::{Codes, Encoder};
use crate::gates::Gates;
use crate::{Interrupt, Stop, frame};
use batsat::Lit;
use merkhet_finite::{ExpressionId, Role, System, VariableId};

/// Why no bad state is reachable.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Certificate {
    /// This number of different good states in a row is not followed by a bad one, and none of the first is bad.
    Induction {
        /// The number of states in a row.
        depth: usize,
        /// The variables that matter.
        variables: Vec<VariableId>,
    },
    /// No path from an initial state has this number of steps, and none of fewer meets a bad state.
    NoPath {
        /// The number of steps.
        steps: usize,
        /// The variables that matter.
        variables: Vec<VariableId>,
    },
    /// A set of states that no step leaves.
    Invariant(Diagram),
}

/// A set of states as a decision diagram without complement edges.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagram {
    /// Children before parents.
    pub nodes: Vec<Node>,
    /// Where to begin: 0 for no state, 1 for all states, otherwise the number of a node plus 2.
    pub root: u32,
}

/// A decision by one bit of a variable's code.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Node {
    /// The variable.
    pub variable: VariableId,
    /// The bit of the number of its value, 0 for the lowest.
    pub bit: u32,
    /// Where to go on if the bit is 0: 0 for "outside", 1 for "inside", otherwise the number of a node before this one, plus 2.
    pub low: u32,
    /// Where to go on if the bit is 1.
    pub high: u32,
}

/// Accepts a certificate, or says what is wrong with it.
pub fn judge(
    system: &System,
    bad: ExpressionId,
    certificate: &Certificate,
    interrupt: &Interrupt,
    memory: u64,
) -> Result<Result<(), String>, Stop> {
    let asked = Asked {
        system,
        bad,
        interrupt,
        memory,
    };
    match certificate {
        Certificate::Induction { depth, variables } => asked.induction(*depth, variables),
        Certificate::NoPath { steps, variables } => asked.no_path(*steps, variables),
        Certificate::Invariant(diagram) => match check_form(system, diagram) {
            Ok(()) => asked.invariant(diagram),
            Err(error) => Ok(Err(error)),
        },
    }
}

/// Whether a diagram is one of this system.
fn check_form(system: &System, diagram: &Diagram) -> Result<(), String> {
    for (number, node) in diagram.nodes.iter().enumerate() {
        let variable = system.variables.get(node.variable.index());
        let variable = variable.ok_or("a node of a variable that does not exist")?;
        if variable.role == Role::Input || node.bit >= variable.domain.bits() {
            return Err(format!(
                "node {number} has no such bit of `{}`",
                variable.name
            ));
        }
        if [node.low, node.high]
            .iter()
            .any(|&child| child as usize >= number + 2)
        {
            return Err(format!("node {number} comes before one of its children"));
        }
    }
    if diagram.root as usize >= diagram.nodes.len() + 2 {
        return Err("the diagram has no such root".into());
    }
    Ok(())
}

struct Asked<'a> {
    system: &'a System,
    bad: ExpressionId,
    interrupt: &'a Interrupt,
    memory: u64,
}

impl Asked<'_> {
    fn gates(&self) -> Gates {
        Gates::new(self.interrupt.clone(), self.memory)
    }

    /// Whether a condition on bad states is one on these variables alone.
    fn is_about(&self, variables: &[VariableId]) -> Result<(), String> {
        let support = self.system.support(&[self.bad]);
        let mut others = support.current.iter().filter(|id| !variables.contains(id));
        match others.next() {
            None => Ok(()),
            Some(&other) => {
                let name = &self.system.variable(other).name;
                Err(format!("the condition is about `{name}`, too"))
            }
        }
    }

    /// Paths of this number of steps from an initial state; an error where a bad state is met before the end.
    fn paths(&self, length: usize, matter: &[VariableId]) -> Result<Result<Gates, String>, Stop> {
        let mut gates = self.gates();
        let mut now = frame::allowed(self.system, &mut gates)?;
        frame::hold(self.system, &mut gates, &now, &self.system.initial)?;
        for steps in 0..length {
            let bad = self.is_bad(&mut gates, &now)?;
            if gates.satisfiable(&[bad], u64::MAX)? {
                return Ok(Err(format!("a bad state is reached after {steps} steps")));
            }
            gates.assert(!bad);
            now = self.after(&mut gates, &now, matter)?;
        }
        Ok(Ok(gates))
    }

    /// The state after a step from one with the same values of what matters.
    fn after(
        &self,
        gates: &mut Gates,
        before: &Codes,
        matter: &[VariableId],
    ) -> Result<Codes, Stop> {
        let mut now = frame::any(self.system, gates);
        for id in matter {
            now[id.index()].clone_from(&before[id.index()]);
        }
        frame::hold(self.system, gates, &now, &self.system.invariants)?;
        let after = frame::allowed(self.system, gates)?;
        frame::step(self.system, gates, &now, &after)?;
        Ok(after)
    }

    fn no_path(&self, steps: usize, matter: &[VariableId]) -> Result<Result<(), String>, Stop> {
        if let Err(error) = self.is_about(matter) {
            return Ok(Err(error));
        }
        let mut gates = match self.paths(steps, matter)? {
            Ok(gates) => gates,
            Err(error) => return Ok(Err(error)),
        };
        Ok(match gates.satisfiable(&[], u64::MAX)? {
            true => Err(format!("there is a path of {steps} steps")),
            false => Ok(()),
        })
    }

    fn induction(&self, depth: usize, matter: &[VariableId]) -> Result<Result<(), String>, Stop> {
        if let Err(error) = self.is_about(matter) {
            return Ok(Err(error));
        }
        // A bad state in fewer steps than the depth.
        if let Err(error) = self.paths(depth, matter)? {
            return Ok(Err(error));
        }
        // So many different good states and then a bad one.
        let mut gates = self.gates();
        let mut states: Vec<Codes> = Vec::with_capacity(depth + 1);
        for number in 0..=depth {
            let codes = match states.last() {
                None => frame::allowed(self.system, &mut gates)?,
                Some(before) => self.after(&mut gates, before, matter)?,
            };
            let bad = self.is_bad(&mut gates, &codes)?;
            gates.assert(if number == depth { bad } else { !bad });
            for other in &states {
                let is_state = |id: &&VariableId| self.system.variable(**id).role != Role::Input;
                let pairs = matter.iter().filter(is_state);
                let differences: Vec<Lit> = pairs
                    .flat_map(|id| other[id.index()].iter().zip(&codes[id.index()]))
                    .map(|(&a, &b)| gates.xor(a, b))
                    .collect();
                let differ = gates.any(differences);
                gates.assert(differ);
            }
            states.push(codes);
        }
        Ok(match gates.satisfiable(&[], u64::MAX)? {
            true => Err(format!(
                "{depth} good states in a row can be followed by a bad one"
            )),
            false => Ok(()),
        })
    }

    fn invariant(&self, diagram: &Diagram) -> Result<Result<(), String>, Stop> {
        let mut gates = self.gates();
        let now = frame::allowed(self.system, &mut gates)?;
        let inside = contains(&mut gates, &now, diagram);
        let bad = self.is_bad(&mut gates, &now)?;
        if gates.satisfiable(&[inside, bad], u64::MAX)? {
            return Ok(Err("the set contains a bad state".into()));
        }
        let after = frame::allowed(self.system, &mut gates)?;
        frame::step(self.system, &mut gates, &now, &after)?;
        let stays = contains(&mut gates, &after, diagram);
        if gates.satisfiable(&[inside, !stays], u64::MAX)? {
            return Ok(Err("a step leaves the set".into()));
        }
        let mut gates = self.gates();
        let first = frame::allowed(self.system, &mut gates)?;
        frame::hold(self.system, &mut gates, &first, &self.system.initial)?;
        let inside = contains(&mut gates, &first, diagram);
        Ok(match gates.satisfiable(&[!inside], u64::MAX)? {
            true => Err("an initial state is outside the set".into()),
            false => Ok(()),
        })
    }

    fn is_bad(&self, gates: &mut Gates, codes: &Codes) -> Result<Lit, Stop> {
        Encoder::new(self.system, gates, codes, None).condition(self.bad)
    }
}

/// Where a state is in the set.
fn contains(gates: &mut Gates, codes: &Codes, diagram: &Diagram) -> Lit {
    let mut known = vec![gates.constant(false), gates.constant(true)];
    for node in &diagram.nodes {
        let bit = codes[node.variable.index()][node.bit as usize];
        let (low, high) = (known[node.low as usize], known[node.high as usize]);
        known.push(gates.choose(bit, high, low));
    }
    known[diagram.root as usize]
}
