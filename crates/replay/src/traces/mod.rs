//! Traces: concrete runs replayed step by step with exact rational time.

pub(crate) mod hurry;
pub(crate) mod judge;
pub(crate) mod lasso;
pub(crate) mod outlook;
pub(crate) mod present;
pub(crate) mod report;
pub(crate) mod step;
