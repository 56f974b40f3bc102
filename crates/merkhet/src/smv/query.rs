//! Formulas typed by the user.

use merkhet_lower::smv::lower_smv;
use merkhet_smv::read_specification;
use merkhet_smv::tree::{Program, Specification, SpecificationKind};
use merkhet_syntax::{Diagnostic, FileId};

/// Words that start a specification in a model, which a query may start with, too.
const KEYWORDS: [(&str, SpecificationKind); 6] = [
    ("CTLSPEC", SpecificationKind::Ctl),
    ("INVARSPEC", SpecificationKind::Invariant),
    ("LTLSPEC", SpecificationKind::Ltl),
    ("COMPUTE", SpecificationKind::Compute),
    ("PSLSPEC", SpecificationKind::Psl),
    ("SPEC", SpecificationKind::Ctl),
];

const BRANCHING: [&str; 12] = [
    "AG", "AF", "AX", "EG", "EF", "EX", "ABF", "ABG", "EBF", "EBG", "A", "E",
];
const LINEAR: [&str; 11] = ["G", "F", "X", "U", "V", "H", "O", "S", "T", "Y", "Z"];

/// Reads a formula and sees whether it fits the model.
///
/// A formula without a keyword is of branching time if it has such an operator, of linear time if it has one of
/// these, and otherwise a condition on the initial states.
pub(super) fn read(program: &Program, text: &str) -> Result<Specification, Vec<Diagnostic>> {
    let (kind, rest) = kind_of(text);
    // Blanks keep the places of what follows.
    let blank = " ".repeat(text.len() - rest.len());
    let specification = read_specification(kind, &format!("{blank}{rest}"))?;
    let (system, diagnostics) = lower_smv(program, Some(std::slice::from_ref(&specification)));
    match system {
        Some(_) => Ok(specification),
        None => Err(diagnostics),
    }
}

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

/// The message with its places in the text of a query in the file of that query.
pub(super) fn moved(mut message: Diagnostic, file: FileId) -> Diagnostic {
    let spans = std::iter::once(&mut message.span);
    for span in spans.chain(message.labels.iter_mut().map(|(span, _)| span)) {
        if span.file == FileId::TYPED {
            span.file = file;
        }
    }
    message
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
