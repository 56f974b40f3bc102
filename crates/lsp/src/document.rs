//! A text that is looked at, with its index, which is made when it is first asked for.

use crate::index::Index;
use crate::language::Language;
use crate::text::Text;
use std::cell::OnceCell;
use std::rc::Rc;

/// A text in one of the languages.
#[derive(Debug)]
pub struct Document {
    /// Its language.
    pub language: Language,
    /// The text.
    pub text: Text,
    index: OnceCell<Rc<Index>>,
}

impl Document {
    /// Takes a text.
    pub fn new(language: Language, text: impl Into<String>) -> Document {
        Document {
            language,
            text: Text::new(text),
            index: OnceCell::new(),
        }
    }

    /// Changes the text.
    pub fn edit(&mut self, change: impl FnOnce(&mut Text)) {
        change(&mut self.text);
        self.index = OnceCell::new();
    }

    /// Its names.
    pub fn index(&self) -> &Rc<Index> {
        self.index
            .get_or_init(|| Rc::new(Index::of(self.language, self.text.as_str())))
    }
}
