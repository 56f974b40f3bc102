//! Models through the whole library: flat ones, twins in two languages, generated families.

mod families;
mod flat;
mod support;
mod twins;
