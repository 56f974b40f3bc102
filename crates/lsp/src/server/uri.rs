//! Addresses of files.

use std::path::PathBuf;

/// The path of a `file:` address.
pub(super) fn path(uri: &str) -> Option<PathBuf> {
    let rest = uri.strip_prefix("file://")?;
    let rest = rest.strip_prefix("localhost").unwrap_or(rest);
    let mut bytes = Vec::with_capacity(rest.len());
    let mut left = rest.as_bytes();
    while let Some((&first, after)) = left.split_first() {
        let code = after
            .get(..2)
            .and_then(|digits| std::str::from_utf8(digits).ok());
        let code = code.and_then(|digits| u8::from_str_radix(digits, 16).ok());
        match (first, code) {
            (b'%', Some(code)) => {
                bytes.push(code);
                left = after.get(2..).unwrap_or(&[]);
            }
            _ => {
                bytes.push(first);
                left = after;
            }
        }
    }
    let text = String::from_utf8(bytes).ok()?;
    // `/C:/models` on Windows.
    let drive = text.as_bytes().get(2) == Some(&b':') && cfg!(windows);
    Some(PathBuf::from(if drive { &text[1..] } else { &text }))
}

/// The address of a path.
pub(super) fn of(path: &std::path::Path) -> String {
    let text = path.to_string_lossy().replace('\\', "/");
    let mut uri = String::from(if text.starts_with('/') {
        "file://"
    } else {
        "file:///"
    });
    for byte in text.bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'/' | b'-' | b'_' | b'.' | b'~' => {
                uri.push(byte as char);
            }
            _ => uri.push_str(&format!("%{byte:02X}")),
        }
    }
    uri
}

#[cfg(test)]
mod tests {
    #[test]
    fn there_and_back() {
        let path = std::path::Path::new("/a b/ü%/c.xta");
        assert_eq!(super::of(path), "file:///a%20b/%C3%BC%25/c.xta");
        assert_eq!(super::path(&super::of(path)).as_deref(), Some(path));
        assert_eq!(super::path("untitled:one"), None);
    }
}
