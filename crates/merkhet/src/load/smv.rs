//! SMV models with their specifications, and formulas typed by the user.

use merkhet_finite::System;
use merkhet_lower::smv::{SmvQuery, lower_smv, lower_smv_query};
use merkhet_smv::tree::{Program, SpecificationKind};
use merkhet_smv::{read_smv, read_specification};
use merkhet_syntax::{Diagnostic, FileId, Span};
use std::sync::Arc;

use super::ModelQuery;

/// Whether a file holds an SMV model, by its name.
pub fn is_smv(name: &str) -> bool {
    let extension = name.rsplit_once('.').map(|(_, extension)| extension);
    extension.is_some_and(|extension| extension.eq_ignore_ascii_case("smv"))
}

/// What was read of an SMV model. Its constraints are lowered once; queries are added to the system later.
#[derive(Clone)]
pub(super) struct Smv {
    program: Program,
    pub(super) system: Option<Arc<System>>,
    pub(super) queries: Vec<ModelQuery>,
}

impl Smv {
    pub(super) fn read(bytes: &[u8]) -> (Smv, Vec<Diagnostic>) {
        let text = String::from_utf8_lossy(bytes);
        let (program, mut diagnostics) = read_smv(&text);
        let mut smv = Smv {
            program,
            system: None,
            queries: Vec::new(),
        };
        if !diagnostics.iter().any(Diagnostic::is_error) {
            let lowered = lower_smv(&smv.program);
            diagnostics.extend(lowered.diagnostics);
            smv.system = lowered.system.map(Arc::new);
            let numbered = lowered.queries.into_iter().zip(1..);
            smv.queries = numbered
                .map(|(query, number)| entry(query, number))
                .collect();
        }
        (smv, diagnostics)
    }

    /// The formulas of a file, one a line; `--` begins a comment. One that a keyword alone begins, as in a model, stands in
    /// the next line.
    pub(super) fn query_file(&mut self, file: FileId, text: &str) -> Vec<ModelQuery> {
        let mut queries = Vec::new();
        // Where the keyword of the formula to come stands.
        let mut keyword: Option<usize> = None;
        let mut start = 0;
        for line in text.split_inclusive('\n') {
            let begin = start;
            start += line.len();
            let code = line.split("--").next().unwrap_or_default();
            let formula = code.trim();
            if formula.is_empty() {
                continue;
            }
            let end = begin + code.trim_end().len();
            let first = begin + code.len() - code.trim_start().len();
            let first = keyword.take().unwrap_or(first);
            if KEYWORDS.iter().any(|(word, _)| *word == formula) && end < text.trim_end().len() {
                keyword = Some(first);
                continue;
            }
            let number = queries.len() as u32 + 1;
            let text = without_comments(&text[first..end]);
            queries.push(self.query(file, first as u32, &text, number));
        }
        queries
    }

    /// A formula without a keyword is of branching time if it has such an operator, of linear time if it has one of these, and
    /// otherwise a condition on the initial states.
    fn query(&mut self, file: FileId, offset: u32, text: &str, number: u32) -> ModelQuery {
        let (kind, formula) = kind_of(text);
        let span = Span::new(file, offset, offset + text.len() as u32);
        let place = |mut message: Diagnostic| {
            let labels = message.labels.iter_mut().map(|(span, _)| span);
            for span in std::iter::once(&mut message.span).chain(labels) {
                if span.file == FileId::TYPED {
                    let before = offset + (text.len() - formula.len()) as u32;
                    *span = Span::new(file, before + span.start, before + span.end);
                }
            }
            message
        };
        let Some(system) = self.system.as_mut().map(Arc::make_mut) else {
            return ModelQuery::broken(text.to_owned(), number, span, Vec::new());
        };
        match read_specification(kind, formula) {
            Ok(specification) => {
                let mut lowered = lower_smv_query(&self.program, system, &specification);
                let messages = lowered.diagnostics.into_iter();
                lowered.diagnostics = messages.map(place).collect();
                ModelQuery {
                    span,
                    ..entry(lowered, number)
                }
            }
            Err(messages) => {
                let messages = messages.into_iter().map(place).collect();
                ModelQuery::broken(text.to_owned(), number, span, messages)
            }
        }
    }
}

/// Blanks in place of comments, so that all else stays where it is.
fn without_comments(text: &str) -> String {
    let line = |line: &str| match line.find("--") {
        Some(at) => {
            let (code, comment) = line.split_at(at);
            let end = if comment.ends_with('\n') { "\n" } else { "" };
            format!("{code}{}{end}", " ".repeat(comment.len() - end.len()))
        }
        None => line.to_owned(),
    };
    text.split_inclusive('\n').map(line).collect()
}

fn entry(query: SmvQuery, number: u32) -> ModelQuery {
    ModelQuery {
        specification: query.specification,
        comment: query.name,
        ..ModelQuery::broken(query.text, number, query.span, query.diagnostics)
    }
}

/// Words that start a specification in a model, which a query may start with, too.
const KEYWORDS: [(&str, SpecificationKind); 5] = [
    ("CTLSPEC", SpecificationKind::Ctl),
    ("INVARSPEC", SpecificationKind::Invariant),
    ("LTLSPEC", SpecificationKind::Ltl),
    ("COMPUTE", SpecificationKind::Compute),
    ("SPEC", SpecificationKind::Ctl),
];

const BRANCHING: [&str; 12] = [
    "AG", "AF", "AX", "EG", "EF", "EX", "ABF", "ABG", "EBF", "EBG", "A", "E",
];
const LINEAR: [&str; 11] = ["G", "F", "X", "U", "V", "H", "O", "S", "T", "Y", "Z"];

fn kind_of(text: &str) -> (SpecificationKind, &str) {
    let trimmed = text.trim_start();
    for (word, kind) in KEYWORDS {
        if let Some(rest) = trimmed.strip_prefix(word)
            && rest.starts_with(|c: char| c.is_whitespace() || c == '(' || c == '!')
        {
            return (kind, rest);
        }
    }
    let word = |c: char| c.is_alphanumeric() || "_$#-.".contains(c);
    let words: Vec<&str> = text.split(|c| !word(c)).collect();
    let has = |list: &[&str]| words.iter().any(|word| list.contains(word));
    let kind = if trimmed.starts_with("MIN") || trimmed.starts_with("MAX") {
        SpecificationKind::Compute
    } else if !has(&BRANCHING) && has(&LINEAR) {
        SpecificationKind::Ltl
    } else {
        SpecificationKind::Ctl
    };
    (kind, text)
}

#[cfg(test)]
mod tests {
    use super::kind_of;
    use merkhet_smv::tree::SpecificationKind::{self, Compute, Ctl, Invariant, Ltl};

    #[test]
    fn the_logic_of_a_typed_formula() {
        let check =
            |text: &str, kind: SpecificationKind| assert_eq!(kind_of(text).0, kind, "{text}");
        check("AG x", Ctl);
        check("x = 1", Ctl);
        check("A [ x U y ]", Ctl);
        check("E[x U y]", Ctl);
        check("G (x -> F y)", Ltl);
        check("x U y", Ltl);
        check("LTLSPEC x", Ltl);
        check("INVARSPEC x.F", Invariant);
        check("  SPEC AG x", Ctl);
        check("SPECIAL = 1", Ctl);
        check("MIN [x, y]", Compute);
    }
}
