//! Pieces of SVG.

use std::fmt::Write;

/// What charts are set in.
pub const FONT: &str = "font-family=\"monospace\" font-size=\"13\"";

/// The width of a character of the font, about.
pub(super) const CHARACTER: f64 = 7.8;

/// A text as XML may hold it.
pub fn escape(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for letter in text.chars() {
        match letter {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            '\n' | '\t' => escaped.push(letter),
            // Characters that XML cannot hold.
            '\u{0}'..='\u{1f}' | '\u{fffe}' | '\u{ffff}' => escaped.push('\u{fffd}'),
            other => escaped.push(other),
        }
    }
    escaped
}

/// A number with at most one decimal.
pub(super) fn n(value: f64) -> String {
    let rounded = (value * 10.0).round() / 10.0;
    match rounded == rounded.trunc() {
        true => format!("{}", rounded as i64),
        false => format!("{rounded:.1}"),
    }
}

/// The beginning of a document whose left upper corner is at a point.
pub(super) fn open(x: f64, y: f64, width: f64, height: f64, title: &str) -> String {
    let [x, y, width, height] = [x, y, width, height].map(n);
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" \
         viewBox=\"{x} {y} {width} {height}\" {FONT}>\n<title>{}</title>\n\
         <rect x=\"{x}\" y=\"{y}\" width=\"{width}\" height=\"{height}\" fill=\"white\"/>\n",
        escape(title)
    )
}

/// A line of text.
pub(super) fn text(out: &mut String, x: f64, y: f64, attributes: &str, words: &str) {
    let _ = writeln!(
        out,
        "<text x=\"{}\" y=\"{}\"{attributes}>{}</text>",
        n(x),
        n(y),
        escape(words)
    );
}
