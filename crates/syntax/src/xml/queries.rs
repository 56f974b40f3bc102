//! The queries embedded in a file.

use super::labels::comment;
use super::reader::Tag;
use super::{Counter, Document};
use crate::parser::Dialect;
use crate::source::section::SectionKind;
use crate::tree::{Model, Outcome, Query, QueryKind};

impl Document<'_, '_> {
    pub(super) fn queries(&mut self, tag: &Tag, model: &mut Model) {
        self.open(SectionKind::File, tag, Some("queries".to_string()));
        let mut counter = Counter::default();
        while let Some(child) = self.xml.next_child() {
            if child.name == "query" {
                let step = counter.step("query");
                let number = model.queries.len() as u32 + 1;
                let query = self.query(&child, step, number);
                model.queries.push(query);
            } else {
                self.xml.skip();
            }
        }
        self.close();
    }

    fn query(&mut self, tag: &Tag, step: Option<String>, number: u32) -> Query {
        self.open(SectionKind::Query(number), tag, step);
        let mut query = Query {
            kind: QueryKind::Empty,
            text: String::new(),
            span: tag.span,
            comment: None,
            options: Vec::new(),
            expectation: None,
            result: None,
        };
        while let Some(child) = self.xml.next_child() {
            match child.name.as_str() {
                "formula" => {
                    let content = self.section(SectionKind::Query(number), &child, "formula");
                    query.kind =
                        self.parse_as(Dialect::Query, &content, |parser| parser.whole_query());
                    query.text = content.trimmed().to_string();
                    query.span = content.trimmed_span();
                    continue;
                }
                "comment" => {
                    let content = self.xml.content();
                    query.comment = comment(&content);
                    continue;
                }
                "option" => {
                    let attribute = |name| child.attribute(name).unwrap_or("").to_string();
                    query.options.push((attribute("key"), attribute("value")));
                }
                "expect" => query.expectation = Some(outcome(&child)),
                "result" => query.result = Some(outcome(&child)),
                _ => {}
            }
            self.xml.skip();
        }
        self.close();
        query
    }
}

fn outcome(tag: &Tag) -> Outcome {
    let attribute = |name| tag.attribute(name).map(str::to_string);
    Outcome {
        outcome: attribute("outcome"),
        kind: attribute("type"),
        value: attribute("value"),
        timestamp: attribute("timestamp"),
    }
}
