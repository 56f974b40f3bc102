//! Draws a diagnostic: the place, the offending text underlined, the part of the model around it, the hint.

use annotate_snippets::{AnnotationKind, Group, Level, Origin, Renderer, Snippet};
use merkhet_syntax::{Diagnostic, Severity, SourceMap, Span};

use super::excerpt::{Excerpt, cut};

/// The diagnostic as text with colours.
pub fn draw(diagnostic: &Diagnostic, sources: &SourceMap) -> String {
    let level = match diagnostic.severity {
        Severity::Note => Level::NOTE,
        Severity::Warning => Level::WARNING,
        Severity::Error => Level::ERROR,
    };
    let title = format!("{} [{}]", diagnostic.message, diagnostic.code);
    let mut group = Group::with_title(level.primary_title(title));
    group = add_place(group, diagnostic.span, None, sources);
    for (span, remark) in &diagnostic.labels {
        group = add_place(group, *span, Some(remark), sources);
    }
    if let Some(context) = diagnostic.context.as_ref().map(ToString::to_string)
        && !context.is_empty()
    {
        group = group.element(Level::NOTE.with_name("in").message(context));
    }
    if let Some(hint) = &diagnostic.hint {
        group = group.element(Level::HELP.with_name("hint").message(hint));
    }
    Renderer::styled().render(&[group])
}

fn add_place<'a>(
    group: Group<'a>,
    span: Span,
    remark: Option<&'a str>,
    sources: &'a SourceMap,
) -> Group<'a> {
    let Some(file) = sources.file(span.file) else {
        return group;
    };
    let kind = if remark.is_none() {
        AnnotationKind::Primary
    } else {
        AnnotationKind::Context
    };
    match cut(file, span) {
        Some(Excerpt {
            text,
            first_line,
            range,
        }) => group.element(
            Snippet::source(text)
                .line_start(first_line as usize)
                .path(file.name())
                .annotation(kind.span(range).label(remark)),
        ),
        None => {
            let start = file.position(span.start);
            group.element(
                Origin::path(file.name())
                    .line(start.line as usize)
                    .char_column(start.column as usize),
            )
        }
    }
}

#[cfg(test)]
mod tests {
    use super::draw;
    use merkhet_syntax::section::LabelKind;
    use merkhet_syntax::{Context, Diagnostic, FileId, SourceMap, Span};

    const TEXT: &str =
        "<nta>\n\t<label kind=\"guard\">x &lt; mxa</label>\n\t<label>max</label>\n</nta>\n";

    fn check(text: &str, diagnostic: Diagnostic) -> String {
        let mut sources = SourceMap::new();
        sources.insert(FileId::MODEL, "gate.xml", text.as_bytes());
        anstream::adapter::strip_str(&draw(&diagnostic, &sources)).to_string()
    }

    fn span(text: &str, part: &str) -> Span {
        let start = text.find(part).expect("part of the text") as u32;
        Span::new(FileId::MODEL, start, start + part.len() as u32)
    }

    #[test]
    fn everything_is_drawn() {
        let mut diagnostic =
            Diagnostic::error("unknown-name", "there is no `mxa` here", span(TEXT, "mxa"))
                .with_label(span(TEXT, "max"), "`max` is declared here")
                .with_suggestion(Some("max"));
        diagnostic.context = Some(Context {
            template: Some("Gate".into()),
            element: Some("edge Free → Taken".into()),
            label: Some(LabelKind::Guard),
            ..Context::default()
        });
        insta::assert_snapshot!(check(TEXT, diagnostic));
    }

    #[test]
    fn a_line_that_is_too_long_keeps_its_place() {
        let text = "a".repeat(5000);
        let diagnostic =
            Diagnostic::warning("odd", "odd text", Span::new(FileId::MODEL, 3000, 3001));
        insta::assert_snapshot!(check(&text, diagnostic));
    }

    #[test]
    fn a_place_that_does_not_exist_is_no_panic() {
        for (start, end) in [(0, 0), (3, 900), (u32::MAX, u32::MAX)] {
            let here = Diagnostic::error("odd", "odd", Span::new(FileId::MODEL, start, end));
            assert!(check("ab\ncd", here).contains("odd"));
            let elsewhere = Diagnostic::error("odd", "odd", Span::new(FileId(9), start, end));
            assert!(check("ab\ncd", elsewhere).contains("odd"));
        }
        let empty = Diagnostic::error("odd", "odd", Span::new(FileId::MODEL, 0, 0));
        assert!(check("", empty).contains("odd"));
    }
}
