//! The arguments of the commands that look at models without checking them.

mod convert;
mod explain;
mod explore;
mod generate;
mod lint;
mod show;

pub use convert::{ConvertArgs, ConvertForm};
pub use explain::{ExplainArgs, ExplainFormat};
pub use explore::{SimulateArgs, StatesArgs, StatesFormat};
pub use generate::GenerateArgs;
pub use lint::{LintArgs, LintFormat};
pub use show::{ShowArgs, ShowFormat};
