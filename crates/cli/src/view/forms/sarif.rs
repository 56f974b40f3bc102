//! Diagnostics as SARIF 2.1.0, which code hosts show next to the lines that they are about.

use serde_json::{Value, json};

use crate::diagnostics::{DiagnosticView, PlaceView, SeverityView};

/// The document.
pub fn document(diagnostics: &[DiagnosticView]) -> Value {
    let mut rules: Vec<&str> = diagnostics.iter().map(|one| one.code.as_str()).collect();
    rules.sort_unstable();
    rules.dedup();
    let index = |code: &str| rules.binary_search(&code).unwrap_or(0);
    let results: Vec<Value> = diagnostics
        .iter()
        .map(|one| result(one, index(&one.code)))
        .collect();
    json!({
        "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
        "version": "2.1.0",
        "runs": [{
            "tool": { "driver": {
                "name": "merkhet",
                "version": env!("CARGO_PKG_VERSION"),
                "rules": rules.iter().map(|code| json!({ "id": code })).collect::<Vec<_>>(),
            }},
            "columnKind": "unicodeCodePoints",
            "results": results,
        }],
    })
}

fn result(diagnostic: &DiagnosticView, rule: usize) -> Value {
    let level = match diagnostic.severity {
        SeverityView::Note => "note",
        SeverityView::Warning => "warning",
        SeverityView::Error => "error",
    };
    let hint = diagnostic.hint.as_ref().map(|hint| format!(" ({hint})"));
    let text = format!("{}{}", diagnostic.message, hint.unwrap_or_default());
    let context = diagnostic.context.as_ref();
    let logical = context.and_then(|context| context.xpath.as_ref().or(context.element.as_ref()));
    let locations: Vec<Value> = diagnostic
        .place
        .iter()
        .map(|place| {
            let mut location = json!({ "physicalLocation": physical(place) });
            if let Some(name) = logical {
                location["logicalLocations"] = json!([{ "fullyQualifiedName": name }]);
            }
            location
        })
        .collect();
    let related: Vec<Value> = diagnostic
        .related
        .iter()
        .enumerate()
        .map(|(id, place)| {
            json!({
                "id": id,
                "physicalLocation": physical(place),
                "message": { "text": place.remark.clone().unwrap_or_default() },
            })
        })
        .collect();
    json!({
        "ruleId": diagnostic.code,
        "ruleIndex": rule,
        "level": level,
        "message": { "text": text },
        "locations": locations,
        "relatedLocations": related,
    })
}

fn physical(place: &PlaceView) -> Value {
    json!({
        "artifactLocation": { "uri": uri(&place.file) },
        "region": {
            "startLine": place.line,
            "startColumn": place.column,
            "endLine": place.end_line,
            "endColumn": place.end_column,
        },
    })
}

/// A path as a reference: forward slashes, and everything else that is not plain escaped.
fn uri(path: &str) -> String {
    let mut text = String::new();
    for byte in path.replace('\\', "/").bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'/' | b'.' | b'-' | b'_' | b'~' => {
                text.push(byte.into());
            }
            other => text += &format!("%{other:02X}"),
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::{document, uri};
    use crate::diagnostics::{DiagnosticView, PlaceView, SeverityView};

    #[test]
    fn messages_have_rules_and_places() {
        let mut one = DiagnosticView::plain(
            SeverityView::Warning,
            "unused-variable",
            "`n` is never read",
        );
        one.place = Some(PlaceView {
            file: "my models/a.xml".into(),
            line: 3,
            column: 5,
            end_line: 3,
            end_column: 6,
            text: "n".into(),
            remark: None,
        });
        one.hint = Some("remove it".into());
        let two = DiagnosticView::plain(SeverityView::Error, "unreadable-file", "no such file");
        let document = document(&[one, two]);
        insta::assert_snapshot!(serde_json::to_string_pretty(&document).expect("JSON"));
    }

    #[test]
    fn names_of_files_are_references() {
        assert_eq!(uri("a b/ü.xml"), "a%20b/%C3%BC.xml");
    }
}
