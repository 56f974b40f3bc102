//! The papers' tables and the races as data.
