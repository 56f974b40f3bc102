//! What editors ask, answered with places in the text; nothing here knows how an editor is spoken to.

pub mod actions;
pub mod colours;
pub mod completion;
pub mod hints;
pub mod hover;
pub mod outline;
pub mod rename;
