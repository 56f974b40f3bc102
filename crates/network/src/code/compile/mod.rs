//! Compilation of trees to code.

pub(crate) mod builder;
pub(crate) mod call;
pub(crate) mod condition;
pub(crate) mod constant;
pub(crate) mod place;
pub(crate) mod quick;
pub(crate) mod size;
pub(crate) mod statement;
pub(crate) mod unroll;
pub(crate) mod value;
