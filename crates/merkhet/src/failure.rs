//! Why a query could not be checked.

use std::fmt;

use merkhet_network::code::Fault;
use merkhet_network::{Network, Site};
use merkhet_replay::Replayed;
use merkhet_semantics::CompileError;

use crate::report::Figures;

/// The query could not be checked because the model goes wrong or the program does.
#[derive(Clone, Debug)]
pub enum Failure {
    /// An evaluation in the model failed at a reachable state.
    Fault {
        /// What happened.
        message: String,
        /// Where it stands in the source.
        site: Option<Box<Site>>,
        /// The run that leads there, if it could be made concrete.
        trace: Option<Box<Replayed>>,
        /// What the search had done until then, if it is known.
        figures: Option<Box<Figures>>,
        /// Nothing is known to be wrong with the model: the evaluation took more steps than it may.
        limit: bool,
    },
    /// What was asked for cannot be done with these options, or not of this model.
    NotPermitted(String),
    /// Nothing is wrong with what was asked, but the methods at hand cannot decide it for this kind of model.
    Undecidable(String),
    /// The program is wrong: its judge did not accept its result.
    Internal(String),
}

impl Failure {
    /// The failure that a fault amounts to, without the run to it.
    pub(crate) fn of(network: &Network, fault: &Fault) -> Failure {
        Failure::Fault {
            message: fault.to_string(),
            site: network.site(fault.site).cloned().map(Box::new),
            trace: None,
            figures: None,
            limit: fault.kind.is_limit(),
        }
    }

    /// What was done until a fault.
    pub(crate) fn figures(&self) -> Option<&Figures> {
        match self {
            Failure::Fault { figures, .. } => figures.as_deref(),
            _ => None,
        }
    }

    pub(crate) fn figures_mut(&mut self) -> Option<&mut Figures> {
        match self {
            Failure::Fault { figures, .. } => figures.as_deref_mut(),
            _ => None,
        }
    }

    /// The network is larger than what can be explored.
    pub(crate) fn too_large(error: CompileError) -> Failure {
        Failure::Undecidable(error.to_string())
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Failure::NotPermitted(message) | Failure::Undecidable(message) => f.write_str(message),
            Failure::Internal(message) => write!(
                f,
                "internal error: {message}. Please report it; this is no verdict"
            ),
            Failure::Fault {
                message,
                site: None,
                ..
            } => f.write_str(message),
            Failure::Fault {
                message,
                site: Some(site),
                ..
            } => {
                let Site {
                    file, line, column, ..
                } = &**site;
                write!(f, "{file}:{line}:{column}: {message} in `{}`", site.text)?;
                match site.context.is_empty() {
                    true => Ok(()),
                    false => write!(f, " ({})", site.context),
                }
            }
        }
    }
}

impl std::error::Error for Failure {}
