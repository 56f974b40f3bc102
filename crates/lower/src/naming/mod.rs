//! Names, their scopes, and the names that every model knows.

pub(crate) mod names;
pub(crate) mod prelude;
pub(crate) mod scope;
