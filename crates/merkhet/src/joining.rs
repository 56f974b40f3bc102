//! Joining strategies over whole states, as text.
//!
//! A strategy of the paper is asked with a state and two elements (definition 6). In a model `joinable` sees the elements
//! of one lattice; a rule sees the locations, the other variables and all lattice variables together, and says which of
//! them are joined at all.

use merkhet_network::{Expr, Extremum, Formula, Measure, QueryKind};
use merkhet_syntax::{Diagnostic, Span};

use crate::load::Model;

/// The rules: how they begin, and what they say.
pub const JOINING_RULES: &[(&str, &str)] = &[
    (
        "if:",
        "a condition, as in queries, that has to hold of the result",
    ),
    (
        "alike:",
        "expressions, separated by commas, that have to have the same values in both states",
    ),
    (
        "apart:",
        "a lattice variable that is not joined: it has to be equal in both states",
    ),
];

/// A condition for joining two states, besides the strategy of the model.
#[derive(Clone, PartialEq, Debug)]
pub struct JoiningRule {
    /// As written.
    text: String,
    kind: Kind,
}

#[derive(Clone, PartialEq, Debug)]
enum Kind {
    If(Formula),
    Alike(Vec<Expr>),
    Apart(Vec<usize>),
}

/// The rules of a strategy, taken apart.
#[derive(Default)]
pub(crate) struct Parts<'r> {
    pub holds: Vec<&'r Formula>,
    pub alike: Vec<&'r Expr>,
    pub apart: Vec<usize>,
}

impl JoiningRule {
    /// As it was written.
    pub fn text(&self) -> &str {
        &self.text
    }

    pub(crate) fn parts(rules: &[JoiningRule]) -> Parts<'_> {
        let mut parts = Parts::default();
        for rule in rules {
            match &rule.kind {
                Kind::If(formula) => parts.holds.push(formula),
                Kind::Alike(values) => parts.alike.extend(values),
                Kind::Apart(variables) => parts.apart.extend(variables),
            }
        }
        parts
    }
}

impl Model {
    /// Reads a rule of a joining strategy, one of [`JOINING_RULES`] with what follows it.
    pub fn joining_rule(&mut self, text: &str) -> Result<JoiningRule, Vec<Diagnostic>> {
        // Queries end with their lines.
        let text = &text.replace(['\n', '\r'], " ");
        let split = JOINING_RULES.iter().find_map(|(name, _)| {
            let rest = text.strip_prefix(name)?;
            Some((*name, rest.trim()))
        });
        let kind = match split {
            Some(("if:", rest)) => self.condition(rest)?,
            Some(("alike:", rest)) => self.values(rest)?,
            Some((_, name)) => self.variables(name)?,
            None => {
                let names: Vec<&str> = JOINING_RULES.iter().map(|(name, _)| *name).collect();
                let message = format!("a joining rule begins with {}", names.join(", "));
                return Err(vec![self.complaint(text, &message)]);
            }
        };
        Ok(JoiningRule {
            text: text.to_string(),
            kind,
        })
    }

    fn condition(&mut self, text: &str) -> Result<Kind, Vec<Diagnostic>> {
        let asked = self.query(&format!("E<> {text}"));
        match asked.query.map(|query| query.kind) {
            Some(QueryKind::Possibly(formula))
                if !merkhet_analysis::mentions_deadlock(&formula) =>
            {
                Ok(Kind::If(formula))
            }
            Some(_) => Err(vec![
                self.complaint(text, "`deadlock` means nothing to a join"),
            ]),
            None => Err(asked.diagnostics),
        }
    }

    fn values(&mut self, text: &str) -> Result<Kind, Vec<Diagnostic>> {
        let asked = self.query(&format!("sup: {text}"));
        let Some(query) = asked.query else {
            return Err(asked.diagnostics);
        };
        let mut values = Vec::new();
        if let QueryKind::Bounds {
            extremum: Extremum::Supremum,
            measures,
            ..
        } = query.kind
        {
            for (measure, text) in measures {
                match measure {
                    Measure::Data(value) => values.push(value),
                    Measure::Clock { .. } => {
                        let message = "a clock has no single value; --joining same-zone joins equal zones only";
                        return Err(vec![self.complaint(&text, message)]);
                    }
                }
            }
        }
        Ok(Kind::Alike(values))
    }

    fn variables(&mut self, name: &str) -> Result<Kind, Vec<Diagnostic>> {
        let known = self
            .network()
            .map_or(&[][..], |network| &network.lattice_variables);
        let is_part = |full: &str| {
            let rest = full.strip_prefix(name);
            rest.is_some_and(|rest| rest.is_empty() || rest.starts_with(['[', '.']))
        };
        let found: Vec<usize> = (known.iter().enumerate())
            .filter(|(_, variable)| is_part(&variable.name))
            .map(|(index, _)| index)
            .collect();
        if found.is_empty() || name.is_empty() {
            let names: Vec<&str> = known
                .iter()
                .map(|variable| variable.name.as_str())
                .collect();
            let message = format!(
                "`{name}` is no lattice variable; there are: {}",
                names.join(", ")
            );
            return Err(vec![self.complaint(name, &message)]);
        }
        Ok(Kind::Apart(found))
    }

    /// An error in a text that is no query.
    fn complaint(&mut self, text: &str, message: &str) -> Diagnostic {
        let file = self.note(text);
        Diagnostic::error(
            "joining-rule",
            message,
            Span::new(file, 0, text.len() as u32),
        )
    }
}
