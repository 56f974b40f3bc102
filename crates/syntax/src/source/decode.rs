//! From the bytes of a file to its text.

use std::borrow::Cow;

/// Bytes that are not text.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct NotText {
    /// Offset of the first byte that does not fit.
    pub(crate) offset: usize,
}

/// The text of a file: UTF-16 by its byte order mark, Latin-1 where an XML declaration says so, else UTF-8. Its lines end
/// in a line feed, perhaps after a carriage return.
pub(crate) fn decode(bytes: &[u8]) -> Result<Cow<'_, str>, NotText> {
    decode_characters(bytes).map(end_lines)
}

/// A carriage return alone ends a line (XML 1.0, section 2.11): it becomes a line feed, byte for byte, so that offsets
/// stay true. Else a comment that goes to the end of its line would go to the end of the text.
fn end_lines(text: Cow<'_, str>) -> Cow<'_, str> {
    let bytes = text.as_bytes();
    let alone = |at: usize| bytes[at] == b'\r' && bytes.get(at + 1) != Some(&b'\n');
    if !(0..bytes.len()).any(alone) {
        return text;
    }
    let mut ended = String::with_capacity(text.len());
    let mut rest = &text[..];
    while let Some(at) = rest.find('\r') {
        let (line, after) = rest.split_at(at);
        rest = &after[1..];
        ended.push_str(line);
        ended.push(if rest.starts_with('\n') { '\r' } else { '\n' });
    }
    ended.push_str(rest);
    Cow::Owned(ended)
}

fn decode_characters(bytes: &[u8]) -> Result<Cow<'_, str>, NotText> {
    if let Some(text) = decode_utf16(bytes) {
        return Ok(Cow::Owned(text));
    }
    match std::str::from_utf8(bytes) {
        Ok(text) => Ok(Cow::Borrowed(text)),
        Err(_) if declares_latin1(bytes) => {
            Ok(bytes.iter().map(|&byte| char::from(byte)).collect())
        }
        Err(error) => Err(NotText {
            offset: error.valid_up_to(),
        }),
    }
}

/// As [`decode`], but for showing the text: bytes that do not fit become `?`, one for one, so that offsets stay true.
pub(crate) fn decode_for_display(bytes: &[u8]) -> Cow<'_, str> {
    decode(bytes).unwrap_or_else(|_| {
        let mut text = String::with_capacity(bytes.len());
        for chunk in bytes.utf8_chunks() {
            text.push_str(chunk.valid());
            text.extend(chunk.invalid().iter().map(|_| '?'));
        }
        end_lines(Cow::Owned(text))
    })
}

/// Whether the XML declaration names a single-byte Western encoding.
fn declares_latin1(bytes: &[u8]) -> bool {
    let start = String::from_utf8_lossy(&bytes[..bytes.len().min(200)]).to_ascii_lowercase();
    let declaration = start.split("?>").next().unwrap_or("");
    declaration.starts_with("<?xml")
        && ["iso-8859-1", "latin1", "windows-1252", "us-ascii"]
            .iter()
            .any(|name| declaration.contains(name))
}

/// Decodes UTF-16 if the bytes start with its byte order mark or a wide `<`; lone surrogates become U+FFFD.
fn decode_utf16(bytes: &[u8]) -> Option<String> {
    let (big_endian, rest) = match bytes {
        [0xFE, 0xFF, rest @ ..] => (true, rest),
        [0xFF, 0xFE, rest @ ..] => (false, rest),
        // XML without the mark: the zero byte next to its first `<` tells.
        [0, b'<', 0, ..] => (true, bytes),
        [b'<', 0, _, 0, ..] => (false, bytes),
        _ => return None,
    };
    let units = rest.chunks(2).map(|pair| match (pair, big_endian) {
        (&[a, b], true) => u16::from_be_bytes([a, b]),
        (&[a, b], false) => u16::from_le_bytes([a, b]),
        _ => 0xFFFD,
    });
    Some(
        char::decode_utf16(units)
            .map(|unit| unit.unwrap_or(char::REPLACEMENT_CHARACTER))
            .collect(),
    )
}

#[cfg(test)]
mod tests {
    use super::{decode, decode_for_display};

    #[test]
    fn a_carriage_return_alone_ends_a_line() {
        for (bytes, text) in [
            ("a\rb\r", "a\nb\n"),
            ("a\r\nb\n", "a\r\nb\n"),
            ("\r\r\n\n\r", "\n\r\n\n\n"),
            ("\u{e9}\r\u{e9}", "\u{e9}\n\u{e9}"),
        ] {
            assert_eq!(decode(bytes.as_bytes()).as_deref(), Ok(text), "{bytes:?}");
            assert_eq!(decode_for_display(bytes.as_bytes()), text, "{bytes:?}");
        }
        assert_eq!(decode_for_display(b"a\r\xffb"), "a\n?b");
    }
}
