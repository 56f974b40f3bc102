//! One way to check, whatever the language of the model.

use merkhet_explore::{Keeper, Progress};
use merkhet_symbolic::limits::Progress as DiagramProgress;

use crate::check::{check, check_resumable};
use crate::config::{Config, Phase};
use crate::diagrams::{Specifications, check_with_diagrams};
use crate::failure::Failure;
use crate::load::{Model, ModelQuery};
use crate::report::Report;

/// What is told while a query is decided.
#[derive(Clone, Copy, Debug)]
pub enum Work<'a> {
    /// A search through states.
    States(&'a Progress),
    /// Work on decision diagrams.
    Diagrams(&'a DiagramProgress),
}

/// Decides the queries of a model, one after another. What is known of a finite system is kept from one to the next.
pub struct Checker<'m> {
    model: &'m Model,
    config: &'m Config,
    specifications: Option<Specifications>,
}

impl<'m> Checker<'m> {
    /// A checker for the queries of a model.
    pub fn new(model: &'m Model, config: &'m Config) -> Checker<'m> {
        Checker {
            model,
            config,
            specifications: None,
        }
    }

    /// Decides a query of the model; `keeper` keeps a search through states, to be resumed later. `observe` is called now
    /// and then.
    pub fn check(
        &mut self,
        query: &ModelQuery,
        keeper: Option<&mut dyn Keeper>,
        observe: &mut dyn FnMut(Work<'_>),
    ) -> Result<Report, Failure> {
        let config = self.config;
        if let (Some(network), Some(asked)) = (self.model.network(), &query.query) {
            let mut diagrams = |progress: &DiagramProgress| observe(Work::Diagrams(progress));
            if let Some(options) = &config.diagrams {
                config.limits.phase.enter(Phase::Diagrams);
                return check_with_diagrams(network, asked, config, options, &mut diagrams);
            }
            let mut states = |progress: &Progress| observe(Work::States(progress));
            return match keeper {
                Some(keeper) => check_resumable(network, asked, config, &mut states, keeper),
                None => check(network, asked, config, &mut states),
            };
        }
        let (Some(system), Some(specification)) = (self.model.system(), query.specification) else {
            let message = "the query cannot be read: see the messages".into();
            return Err(Failure::NotPermitted(message));
        };
        config.limits.phase.enter(Phase::Diagrams);
        let known = self.specifications.take();
        let specifications = match known.filter(|known| known.are_of(system)) {
            Some(known) => known,
            None => Specifications::new(system, config)?,
        };
        let specifications = self.specifications.insert(specifications);
        let mut diagrams = |progress: &DiagramProgress| observe(Work::Diagrams(progress));
        specifications.check(specification, &mut diagrams)
    }
}
