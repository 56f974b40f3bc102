//! Templates become processes: parameters bound, locations and edges unrolled.

mod assigned;
mod edge;
mod instance;
mod priority;
mod template;

pub use template::TemplateFacts;
