//! Declarations inside XML: only their text changes, everything else of the file stays byte by byte.

use super::Unformatted;
use merkhet_syntax::section::SectionKind;
use merkhet_syntax::{read_model, unescape};

/// The file with its blocks of declarations in their standard form.
pub(super) fn format(text: &str) -> Result<String, Unformatted> {
    let (model, _) = read_model("xml", text.as_bytes());
    let mut written = String::with_capacity(text.len());
    let mut end = 0;
    for section in model.sections.iter() {
        let blocks = matches!(
            section.kind,
            SectionKind::Declarations | SectionKind::System | SectionKind::Instantiation
        );
        if !blocks {
            continue;
        }
        let Some((start, stop)) = content(text, section.span.start, section.span.end) else {
            continue;
        };
        let raw = text.get(start..stop).unwrap_or("");
        if start < end || raw.contains("<!") || raw.contains('<') || raw.trim().is_empty() {
            continue;
        }
        let plain = unescape(raw);
        let formatted = super::uppaal(&plain)?;
        written.push_str(text.get(end..start).unwrap_or(""));
        written.push_str(&escape(formatted.trim_end_matches('\n')));
        end = stop;
    }
    written.push_str(text.get(end..).unwrap_or(""));
    Ok(written)
}

/// The text between the start tag and the end tag of an element.
fn content(text: &str, start: u32, end: u32) -> Option<(usize, usize)> {
    let (start, end) = (start as usize, end as usize);
    let element = text.get(start..end)?;
    if !element.starts_with('<') {
        return Some((start, end));
    }
    let open = element.find('>')? + 1;
    let close = element.rfind("</")?;
    (open <= close).then_some((start + open, start + close))
}

fn escape(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
}
