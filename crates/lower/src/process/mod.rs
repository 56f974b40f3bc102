//! Templates become processes: parameters bound, locations and edges unrolled.

mod assigned;
mod edge;
mod instance;
mod priority;
mod template;
mod unused;

pub use template::TemplateFacts;
pub use unused::UNUSED_TEMPLATE_FAULT;
