//! The author's own words: what stands in a model's file at an edge.

use merkhet_syntax::tree::{Label, Template};
use merkhet_syntax::{SourceMap, Span};

use crate::load::Model;

/// The labels of an edge as they were written, without line breaks.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct EdgeText {
    /// The select bindings.
    pub select: Option<String>,
    /// The guard.
    pub guard: Option<String>,
    /// The synchronisation.
    pub synchronisation: Option<String>,
    /// The update.
    pub update: Option<String>,
}

impl Model {
    /// The labels of the edge with this number in a template; `None` where the language has no templates.
    pub fn edge_text(&self, template: &str, number: u32) -> Option<EdgeText> {
        let tree = self.tree()?;
        let named = |one: &&Template| one.name.text == template;
        let edge = tree
            .templates
            .iter()
            .find(named)?
            .edges
            .get(number as usize)?;
        let sources = &self.sources;
        Some(EdgeText {
            select: label(sources, edge.select.as_ref()),
            guard: label(sources, edge.guard.as_ref()),
            synchronisation: label(sources, edge.synchronisation.as_ref()),
            update: label(sources, edge.update.as_ref()),
        })
    }

    /// The number of edges of a template.
    pub fn edges_of(&self, template: &str) -> Option<usize> {
        let tree = self.tree()?;
        let found = tree
            .templates
            .iter()
            .find(|one| one.name.text == template)?;
        Some(found.edges.len())
    }

    /// The text of a span, as its author wrote it: without XML's escapes.
    pub fn text_of(&self, span: Span) -> Option<String> {
        let text = self.sources.text(span)?;
        let xml = self
            .tree()
            .is_some_and(|tree| tree.format == merkhet_syntax::tree::Format::Xml);
        Some(if xml {
            unescape(text)
        } else {
            text.to_string()
        })
    }
}

fn label<T>(sources: &SourceMap, label: Option<&Label<T>>) -> Option<String> {
    let text = unescape(sources.text(label?.span)?);
    let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
    (!line.is_empty()).then_some(line)
}

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
