//! The part of JSON Schema that our schemas use; anything else in a schema is an error, not ignored.

use serde_json::Value;

/// Words that say nothing about values.
const SILENT: [&str; 5] = [
    "$schema",
    "$defs",
    "title",
    "description",
    "additionalProperties",
];

/// What is wrong with a value, with its place.
pub fn problem(root: &Value, schema: &Value, value: &Value, place: &str) -> Option<String> {
    let Some(rules) = schema.as_object() else {
        return Some(format!("{place}: not a schema: {schema}"));
    };
    let wrong = |what: String| Some(format!("{place}: {what}, but it is {value}"));
    for (word, rule) in rules {
        let found = match word.as_str() {
            "$ref" => {
                let pointer = rule.as_str().and_then(|rule| rule.strip_prefix('#'));
                match pointer.and_then(|pointer| root.pointer(pointer)) {
                    Some(target) => problem(root, target, value, place),
                    None => Some(format!("{place}: no such definition: {rule}")),
                }
            }
            "type" => {
                let names = match rule {
                    Value::Array(names) => names.clone(),
                    one => vec![one.clone()],
                };
                let fits = names
                    .iter()
                    .any(|name| has_type(value, name.as_str().unwrap_or("")));
                if fits {
                    None
                } else {
                    wrong(format!("must be {rule}"))
                }
            }
            "const" if rule != value => wrong(format!("must be {rule}")),
            "enum" if !rule.as_array().is_some_and(|all| all.contains(value)) => {
                wrong(format!("must be one of {rule}"))
            }
            "const" | "enum" => None,
            "minimum" if value.as_f64() < rule.as_f64() => {
                wrong(format!("must be at least {rule}"))
            }
            "minimum" => None,
            "pattern" => (!is_time(value.as_str().unwrap_or("")))
                .then(|| format!("{place}: no time: {value}")),
            "required" => rule
                .as_array()
                .into_iter()
                .flatten()
                .filter_map(Value::as_str)
                .find(|name| value.get(name).is_none())
                .map(|name| format!("{place}: no field {name}")),
            "properties" => {
                let fields = rule.as_object().into_iter().flatten();
                fields
                    .filter_map(|(name, rule)| Some((name, rule, value.get(name)?)))
                    .find_map(|(name, rule, field)| {
                        problem(root, rule, field, &format!("{place}.{name}"))
                    })
            }
            "items" => {
                let items = value.as_array().into_iter().flatten().enumerate();
                items
                    .map(|(index, item)| (format!("{place}[{index}]"), item))
                    .find_map(|(place, item)| problem(root, rule, item, &place))
            }
            "oneOf" => {
                let options = rule.as_array().into_iter().flatten();
                let problems: Vec<Option<String>> = options
                    .map(|option| problem(root, option, value, place))
                    .collect();
                match problems.iter().filter(|found| found.is_none()).count() {
                    1 => None,
                    _ => Some(format!("{place}: not exactly one of several: {problems:?}")),
                }
            }
            silent if SILENT.contains(&silent) => None,
            other => Some(format!("{place}: the schema uses {other}")),
        };
        if found.is_some() {
            return found;
        }
    }
    let rest = rules.get("additionalProperties");
    let known = rules.get("properties").and_then(Value::as_object);
    let fields = value.as_object().into_iter().flatten();
    let mut others =
        fields.filter(|(name, _)| !known.is_some_and(|known| known.contains_key(*name)));
    match (rest, known) {
        (Some(rest), _) => {
            others.find_map(|(name, field)| problem(root, rest, field, &format!("{place}.{name}")))
        }
        // Readers must put up with fields that are added later; we must write them down.
        (None, Some(_)) => others
            .next()
            .map(|(name, _)| format!("{place}: the schema does not know the field {name}")),
        (None, None) => None,
    }
}

fn has_type(value: &Value, name: &str) -> bool {
    match name {
        "null" => value.is_null(),
        "string" => value.is_string(),
        "number" => value.is_number(),
        "integer" => value.is_i64() || value.is_u64(),
        "array" => value.is_array(),
        "object" => value.is_object(),
        "boolean" => value.is_boolean(),
        _ => false,
    }
}

/// The only pattern that our schemas have: `7` or `7/2`, perhaps negative.
fn is_time(text: &str) -> bool {
    let text = text.strip_prefix('-').unwrap_or(text);
    let digits = |part: &str| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit());
    match text.split_once('/') {
        Some((over, under)) => digits(over) && digits(under),
        None => digits(text),
    }
}
