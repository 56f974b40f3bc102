//! XML's entities back into characters.

/// Replaces XML's entities and removes the marks of CDATA sections.
pub fn unescape(text: &str) -> String {
    const NAMED: [(&str, char); 5] = [
        ("lt", '<'),
        ("gt", '>'),
        ("amp", '&'),
        ("quot", '"'),
        ("apos", '\''),
    ];
    let text = text.replace("<![CDATA[", "").replace("]]>", "");
    let mut plain = String::with_capacity(text.len());
    let mut rest = text.as_str();
    while let Some(start) = rest.find('&') {
        plain.push_str(&rest[..start]);
        rest = &rest[start..];
        let entity = rest[1..].split_once(';').map(|(name, _)| name);
        let character = entity.and_then(|name| {
            let named = NAMED.iter().find(|(known, _)| *known == name);
            named
                .map(|(_, character)| *character)
                .or_else(|| numeric(name))
        });
        match (entity, character) {
            (Some(name), Some(character)) => {
                plain.push(character);
                rest = &rest[name.len() + 2..];
            }
            _ => {
                plain.push('&');
                rest = &rest[1..];
            }
        }
    }
    plain + rest
}

fn numeric(entity: &str) -> Option<char> {
    let digits = entity.strip_prefix('#')?;
    let number = match digits.strip_prefix(['x', 'X']) {
        Some(hexadecimal) => u32::from_str_radix(hexadecimal, 16),
        None => digits.parse(),
    };
    char::from_u32(number.ok()?)
}

#[cfg(test)]
mod tests {
    use super::unescape;

    #[test]
    fn entities_become_characters() {
        for (text, plain) in [
            ("x &lt;= 3 &amp;&amp; y &gt; &#50;", "x <= 3 && y > 2"),
            ("a && b", "a && b"),
            ("&unknown; &", "&unknown; &"),
            ("<![CDATA[x < 3]]>", "x < 3"),
            ("&#x41;&#xD800;", "A&#xD800;"),
        ] {
            assert_eq!(unescape(text), plain);
        }
    }
}
