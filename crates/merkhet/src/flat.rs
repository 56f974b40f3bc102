//! Models in TChecker's language, with goals of their own.

use merkhet_lower::Lowered;
use merkhet_lower::tck::{explore_query, lower_label_query_as, lower_tck};
use merkhet_network::Query;
use merkhet_syntax::tck::read_tck;
use merkhet_syntax::{Diagnostic, FileId, SourceMap, Span, read_model};

use crate::load::{Model, ModelQuery};

/// Reads a model; `sources` holds its text. It contains one query: to explore everything.
pub(crate) fn read(sources: SourceMap, bytes: &[u8]) -> Model {
    let (system, mut diagnostics) = read_tck(bytes);
    let mut lowered = None;
    if !diagnostics.iter().any(Diagnostic::is_error) {
        let (network, more) = lower_tck(&system, &sources);
        diagnostics.extend(more);
        lowered = network.map(|network| Lowered {
            network,
            queries: vec![model_query(
                Ok(explore_query()),
                "explore",
                1,
                Span::new(FileId::MODEL, 0, 0),
            )],
            tables: Default::default(),
        });
    }
    Model {
        sources,
        diagnostics,
        // Nothing of this language is in UPPAAL's tree; checks of style find nothing to say.
        tree: read_model("empty.xta", b"").0,
        lowered,
        flat: true,
        next_file: 16,
    }
}

/// Lowers a goal; its text is among the sources.
pub(crate) fn query(model: &Model, file: FileId, text: &str) -> Result<Query, Vec<Diagnostic>> {
    let Some(lowered) = &model.lowered else {
        return Err(Vec::new());
    };
    let (query, diagnostics) = lower_label_query_as(&lowered.network, file, text);
    query.ok_or(diagnostics)
}

/// Lowers the goals of a file, one a line; `#` and `//` start comments.
pub(crate) fn queries(model: &Model, file: FileId) -> Vec<ModelQuery> {
    let text = model.sources.file(file).map_or("", |file| file.text());
    let mut queries = Vec::new();
    let mut offset = 0;
    for line in text.split_inclusive('\n') {
        let goal = line.trim();
        if !goal.is_empty() && !goal.starts_with('#') && !goal.starts_with("//") {
            let start = offset + (line.len() - line.trim_start().len());
            let mut result = query(model, file, goal);
            if let Err(diagnostics) = &mut result {
                diagnostics
                    .iter_mut()
                    .for_each(|d| d.span = shifted(d.span, start));
            }
            let span = Span::new(file, start as u32, (start + goal.len()) as u32);
            let number = queries.len() as u32 + 1;
            queries.push(model_query(result, goal, number, span));
        }
        offset += line.len();
    }
    queries
}

fn shifted(span: Span, by: usize) -> Span {
    Span::new(span.file, span.start + by as u32, span.end + by as u32)
}

fn model_query(
    query: Result<Query, Vec<Diagnostic>>,
    text: &str,
    number: u32,
    span: Span,
) -> ModelQuery {
    let (query, diagnostics) = match query {
        Ok(query) => (Some(query), Vec::new()),
        Err(diagnostics) => (None, diagnostics),
    };
    ModelQuery {
        query,
        text: text.to_owned(),
        comment: None,
        number,
        span,
        expectation: None,
        result: None,
        diagnostics,
    }
}

#[cfg(test)]
mod tests {
    use crate::{Config, Model, check};

    const MODEL: &str = "system:s\nevent:e\nclock:1:x\nprocess:P\nlocation:P:a{initial:}\n\
        location:P:b{labels: goal}\nedge:P:a:b:e{provided: x > 2}\n";

    #[test]
    fn a_flat_model_is_explored_and_asked_for_labels() {
        let mut model = Model::read("m.tck", MODEL.as_bytes());
        assert!(!model.has_errors(), "{:?}", model.diagnostics);
        assert_eq!(model.queries()[0].text, "explore");
        let (queries, _) = model.query_file("m.q", b"# goals\nE<> goal\n\n  E<> gaol\n");
        assert_eq!(queries.len(), 2);
        assert_eq!(queries[1].diagnostics[0].span.start, 24);
        assert!(queries[1].query.is_none());
        let query = model.query("E<> goal && x > 5").expect("a good goal");
        let network = model.network().expect("a network");
        let report = check(network, &query, &Config::default(), &mut |_| ());
        let report = report.unwrap_or_else(|failure| panic!("{failure:?}"));
        assert_eq!(report.answer, crate::Answer::Satisfied);
    }
}
