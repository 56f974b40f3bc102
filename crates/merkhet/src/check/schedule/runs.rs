//! The stages for maximal runs: `E[]`, `A<>` and `-->`.

use merkhet_explore::Strategy;

use super::{Budget, Engine, Guide, Schedule, Stage, When};
use crate::config::Config;
use crate::tuning;

impl Schedule {
    /// Maximal runs depth first. Where that meets a fault of the model, a run closer to the start is looked for, first
    /// very close, then further: it is one whatever goes wrong elsewhere.
    pub(super) fn runs(&mut self, config: &Config) {
        let stage = Stage {
            engine: Engine::Runs(None),
            ..self.main(Guide::named(Strategy::DepthFirst, "dfs"))
        };
        self.push(stage.clone());
        for deepest in [16, 64, 256, 1024, 4096] {
            self.push(Stage {
                name: "shallow",
                engine: Engine::Runs(Some(deepest)),
                budget: Budget::States(config.tuning.count(&tuning::SHALLOW) as u64),
                when: When::AnyFault,
                ..stage.clone()
            });
        }
    }
}
