//! The languages of models.

/// A language in which models or queries are written.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Language {
    /// UPPAAL's XML.
    Xml,
    /// UPPAAL's textual language.
    Xta,
    /// The textual language of UPPAAL 3.4 and before.
    Ta,
    /// TChecker's language.
    Tck,
    /// NuSMV's language.
    Smv,
    /// A file of queries.
    Queries,
}

impl Language {
    /// The language of a file, by the ending of its name.
    pub fn of(name: &str) -> Option<Language> {
        let ending = name.rsplit_once('.')?.1.to_ascii_lowercase();
        Some(match ending.as_str() {
            "xml" => Language::Xml,
            "xta" => Language::Xta,
            "ta" => Language::Ta,
            "tck" => Language::Tck,
            "smv" => Language::Smv,
            "q" => Language::Queries,
            _ => return None,
        })
    }

    /// The ending of its files.
    pub fn extension(self) -> &'static str {
        match self {
            Language::Xml => "xml",
            Language::Xta => "xta",
            Language::Ta => "ta",
            Language::Tck => "tck",
            Language::Smv => "smv",
            Language::Queries => "q",
        }
    }

    /// Whether it is one of UPPAAL's languages for models.
    pub fn is_uppaal(self) -> bool {
        matches!(self, Language::Xml | Language::Xta | Language::Ta)
    }
}
