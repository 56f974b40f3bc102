//! Rows of the corpus that are known to differ, each with its reason.

use std::collections::HashMap;
use std::path::Path;

use super::table::{get, read};

/// Reasons by file and query; the query of a model that does not load is `load`.
#[derive(Default)]
pub struct Explained {
    reasons: HashMap<(String, String), String>,
}

impl Explained {
    /// Reads the list; there may be none.
    pub fn read(path: &Path) -> Result<Explained, String> {
        if !path.exists() {
            return Ok(Explained::default());
        }
        let mut reasons = HashMap::new();
        for row in read(path)? {
            let reason = get(&row, "reason");
            if reason.trim().is_empty() {
                return Err(format!(
                    "{}: {} has no reason",
                    path.display(),
                    get(&row, "file")
                ));
            }
            reasons.insert(
                (get(&row, "file").to_owned(), get(&row, "query").to_owned()),
                reason.to_owned(),
            );
        }
        Ok(Explained { reasons })
    }

    /// The reason for a row, if it or its model is listed.
    pub fn reason_of_row(&self, file: &str, query: &str) -> Option<&str> {
        self.reason(file, query)
            .or_else(|| self.reason(file, "load"))
    }

    /// The reason for exactly this query (or `load`), if it is listed.
    pub fn reason(&self, file: &str, query: &str) -> Option<&str> {
        self.reasons
            .get(&(file.to_owned(), query.to_owned()))
            .map(String::as_str)
    }
}
