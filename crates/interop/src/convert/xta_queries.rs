//! Queries as a block of XTA.

use merkhet_syntax::read_model;
use merkhet_syntax::tree::QueryKind;

/// A block of queries, each behind its author's comment; nothing if there are none. One that would spoil the file becomes a
/// comment, with a warning.
pub(super) fn render<'q>(
    queries: impl Iterator<Item = (&'q str, &'q str)>,
    warnings: &mut Vec<String>,
) -> String {
    let mut lines = String::new();
    for (formula, comment) in queries {
        // UPPAAL's editor lets a query end with a semicolon.
        let formula = formula.trim().trim_end_matches(';').trim_end();
        if formula.is_empty() {
            continue;
        }
        for words in comment.lines().map(str::trim) {
            // A backslash would join the next line to the comment.
            let words = words.trim_end_matches('\\').trim_end();
            if !words.is_empty() {
                lines += &format!("    // {words}\n");
            }
        }
        match line(formula) {
            Some(line) => lines += &line,
            None => {
                let words: Vec<&str> = formula.split_whitespace().collect();
                let words = words.join(" ");
                lines += &format!("    // {words}\n");
                warnings.push(format!(
                    "the query `{words}` cannot be read in XTA; it is written as a comment"
                ));
            }
        }
    }
    match lines.is_empty() {
        true => String::new(),
        false => format!("\nquery {{\n{lines}}}\n"),
    }
}

/// The query with its end, if it can be read back in a block, where semicolons and braces end it: parentheses that are not
/// closed take in what follows, and statistical queries have semicolons inside.
fn line(formula: &str) -> Option<String> {
    // A comment at its end must not swallow the semicolon.
    let end = match formula.lines().last() {
        Some(last) if last.contains("//") => "\n    ;",
        _ => ";",
    };
    let line = format!("    {formula}{end}\n");
    let block = format!("query {{\n{line}}}\n");
    let (tree, messages) = read_model("query.xta", block.as_bytes());
    let whole = tree.query_blocks.first()?.end as usize == block.trim_end().len();
    let sound = !messages.iter().any(|message| message.is_error());
    match tree.queries.as_slice() {
        // A heading, which is a comment already.
        [query] if query.kind == QueryKind::Empty && whole && sound => {
            Some(format!("    {formula}\n"))
        }
        [query] if query.kind != QueryKind::Broken && whole && sound => Some(line),
        _ => None,
    }
}
