//! What editors ask about models: where a name is declared and used, what it means, how a text is written; and the language
//! server that answers them.
//!
//! [`Document`](document::Document) holds a text and its [`Index`](index::Index) of names, which is there while the text is
//! broken. [`features`] answers questions from both with places in the text. [`facts`] reads a model as the checker
//! does, for messages, values and processes. [`mod@format`] lays texts out. [`server`] alone speaks the protocol.

#![forbid(unsafe_code)]

pub mod document;
pub mod facts;
pub mod features;
pub mod format;
pub mod index;
pub mod language;
pub mod server;
pub mod text;
pub mod words;
