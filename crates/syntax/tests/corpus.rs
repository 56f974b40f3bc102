//! The models and queries of strangers: those of the symbolic language read without an error, and the readers find
//! as many templates, locations and edges in them as an independent count did.

mod common;

use common::{files_below, outline, shared, show};
use merkhet_syntax::tree::{Model, Query, QueryKind, TemplateKind};
use merkhet_syntax::{Diagnostic, read_model, read_queries, read_query};
use std::collections::BTreeSet;
use std::path::Path;
use std::time::{Duration, Instant};

/// Symbolic models that do not read, each with the fault that UPPAAL itself reports.
const FAULTY: &[(&str, &str)] = &[
    (
        "DEIS-Tools__UPPAAL-ProtoSugar/examples/PaCha/Gossip (PaCha).xml",
        "channels with parameters of a preprocessor",
    ),
    (
        "DEIS-Tools__uppaal-models/CaseStudies/RandomizedReachability2021/models/GosGirlsConfig/goss-config-3.xml",
        "`i 2 4`",
    ),
    (
        "Dapsara96__prototyping/Uppaal.xml",
        "names with blanks, prose in labels",
    ),
    (
        "DavidC0rtes__UppaalMutants/out/production/MutationUppaal/Parser/Test/a.xml",
        "`< parameter >` is no XML",
    ),
    (
        "DavidC0rtes__UppaalMutants/out/production/MutationUppaal/Parser/Test/cosas.xml",
        "a location named 123",
    ),
    (
        "DavidC0rtes__UppaalMutants/out/production/MutationUppaal/Parser/Test/simple.xml",
        "prose in labels",
    ),
    (
        "DavidC0rtes__UppaalMutants/out/production/MutationUppaal/Parser/Test/transitions.xml",
        "prose in labels",
    ),
    (
        "P6-Timed-Automata__CPS---Timed-automata/Data/6-XMLOutput/sax/30day/A-1trace-30day-sax-w1000-k4.xml",
        "`const int 0 = a`",
    ),
    (
        "P6-Timed-Automata__CPS---Timed-automata/Data/6-XMLOutput/sax/30day/A-1trace-30day-sax-w50-k4.xml",
        "`const int 0 = a`",
    ),
    (
        "Valen98__Uppaal/Party_Problem.xml",
        "an update `:bowl = 10`",
    ),
    (
        "dannybpoulsen__uppaalad_rep_package/models/duqu/duqu/uppaal/model.xml",
        "a placeholder `#NB#`",
    ),
    ("farnoosh-krm__model_checking/IPTV.xml", "`for (int i = …`"),
    (
        "history/Brandhoej__uppaal-riscv-vm/4092e11ae1/FISSC/c1234 INLINED RISC-V (32-bits) gcc 14.2.0/VerifyPIN_1_HB.xml",
        "`system …, ;`",
    ),
    (
        "history/GiacomoDA__digital_twin_project/7d4c69b5c5/uppaal_model.xml",
        "`if` among the declarations",
    ),
];

/// Errors that concern the model rather than one of its queries.
fn model_errors<'a>(model: &Model, diagnostics: &'a [Diagnostic]) -> Vec<&'a Diagnostic> {
    let in_query = |d: &Diagnostic| {
        model
            .queries
            .iter()
            .any(|query| query.span.contains(d.span))
    };
    diagnostics
        .iter()
        .filter(|d| d.is_error() && !in_query(d))
        .collect()
}

fn read(path: &Path) -> (Model, Vec<Diagnostic>, Vec<u8>) {
    let bytes = std::fs::read(path).expect("a readable file");
    let start = Instant::now();
    let (model, diagnostics) = read_model(&path.to_string_lossy(), &bytes);
    assert!(
        start.elapsed() < Duration::from_secs(1),
        "{} takes too long",
        path.display()
    );
    (model, diagnostics, bytes)
}

/// The rows of a table as columns, without its heading.
fn rows(path: &Path) -> Vec<Vec<String>> {
    let text = std::fs::read_to_string(path).expect("a readable table");
    text.lines()
        .skip(1)
        .map(|line| line.split('\t').map(str::to_string).collect())
        .collect()
}

#[test]
fn symbolic_models_read_without_errors() {
    let Some(corpus) = shared("corpus") else {
        return;
    };
    let faulty: BTreeSet<&str> = FAULTY.iter().map(|(file, _)| *file).collect();
    let (mut symbolic, mut clean, mut shapes) = (0, 0, 0);
    let mut problems = Vec::new();
    for row in rows(&corpus.join("models.tsv")) {
        let (file, is_symbolic) = (row[0].as_str(), row[1] == "yes");
        let (model, diagnostics, bytes) = read(&corpus.join("models").join(file));
        if !is_symbolic {
            continue;
        }
        symbolic += 1;
        let errors = model_errors(&model, &diagnostics);
        clean += usize::from(errors.is_empty());
        if errors.is_empty() == faulty.contains(file) {
            problems.push(format!(
                "{file}: {:?}",
                errors.iter().map(|d| show(d, &bytes)).collect::<Vec<_>>()
            ));
        }
        if errors.is_empty() && file.ends_with(".xml") {
            shapes += 1;
            let found = shape(&model);
            let counted =
                [&row[6], &row[7], &row[8]].map(|count| count.parse::<usize>().unwrap_or(0));
            if found != counted {
                problems.push(format!(
                    "{file}: {found:?} templates, locations and edges, counted {counted:?}"
                ));
            }
        }
    }
    println!(
        "{clean} of {symbolic} symbolic models read without an error, {shapes} shapes compared"
    );
    assert!(problems.is_empty(), "{}", problems.join("\n"));
    assert!(clean * 100 >= symbolic * 98);
}

/// The numbers of templates, locations and edges.
fn shape(model: &Model) -> [usize; 3] {
    let automata = || {
        model
            .templates
            .iter()
            .filter(|template| template.kind == TemplateKind::Automaton)
    };
    [
        automata().count(),
        automata().map(|template| template.locations.len()).sum(),
        automata().map(|template| template.edges.len()).sum(),
    ]
}

#[test]
fn every_file_of_the_corpus_reads_somehow() {
    let Some(models) = shared("corpus/models") else {
        return;
    };
    let files = files_below(&models);
    let broken = files
        .iter()
        .filter(|path| read(path).1.iter().any(Diagnostic::is_error))
        .count();
    println!("{} files read, {broken} of them with errors", files.len());
    assert!(files.len() > 900);
}

#[test]
fn symbolic_queries_are_recognised() {
    let Some(corpus) = shared("corpus") else {
        return;
    };
    let (mut count, mut broken) = (0, BTreeSet::new());
    for row in rows(&corpus.join("queries.tsv")) {
        let (kind, text) = (row[1].as_str(), row[2].as_str());
        // A repository of patterns whose parts are still to be filled in.
        if text.contains('$') {
            continue;
        }
        let (query, diagnostics) = read_query(text);
        count += 1;
        if diagnostics.is_empty() {
            let found = kind_of(&query);
            assert!(kind.starts_with(found), "{text}: {found}, expected {kind}");
        } else {
            broken.insert(text.to_string());
        }
    }
    let list: Vec<String> = broken.into_iter().collect();
    println!(
        "{count} queries, {} different ones broken:\n{}",
        list.len(),
        list.join("\n")
    );
    // Those that are left have two formulas in one, nested path quantifiers or typing errors.
    assert!(
        list.len() * 100 <= count,
        "{} of {count} queries are broken",
        list.len()
    );
}

fn kind_of(query: &Query) -> &'static str {
    match query.kind {
        QueryKind::Possibly(_) => "E<>",
        QueryKind::Invariantly(_) => "A[]",
        QueryKind::PotentiallyAlways(_) => "E[]",
        QueryKind::Eventually(_) => "A<>",
        QueryKind::LeadsTo(..) => "-->",
        QueryKind::Supremum(_) => "sup",
        QueryKind::Infimum(_) => "inf",
        QueryKind::Bounds(_) => "bounds",
        QueryKind::Empty => "nothing",
        QueryKind::Unsupported { .. } => "unsupported",
        QueryKind::Broken => "broken",
    }
}

#[test]
fn benchmarks_and_peers_read_without_errors() {
    for (folder, extensions, least) in [
        ("benchmarks", ["xta", "q"], 44),
        ("peers/models", ["xml", "q"], 10),
    ] {
        let Some(folder) = shared(folder) else {
            continue;
        };
        let mut count = 0;
        for path in files_below(&folder) {
            let extension = path.extension().and_then(|e| e.to_str()).unwrap_or("");
            if !extensions.contains(&extension) {
                continue;
            }
            count += 1;
            let (diagnostics, bytes) = if extension == "q" {
                let bytes = std::fs::read(&path).expect("a readable file");
                let (queries, diagnostics) = read_queries(&bytes);
                assert!(!queries.is_empty(), "{}", path.display());
                (diagnostics, bytes)
            } else {
                let (model, diagnostics, bytes) = read(&path);
                assert!(
                    !model.templates.is_empty() && !model.system.processes.is_empty(),
                    "{}",
                    path.display()
                );
                (diagnostics, bytes)
            };
            let shown: Vec<String> = diagnostics.iter().map(|d| show(d, &bytes)).collect();
            assert!(shown.is_empty(), "{}: {shown:?}", path.display());
        }
        println!("{count} files in {}", folder.display());
        assert!(count >= least);
    }
}

#[test]
fn every_span_lies_on_its_text() {
    let Some(models) = shared("corpus/models") else {
        return;
    };
    for path in files_below(&models).iter().step_by(7) {
        let (model, _, bytes) = read(path);
        let text = String::from_utf8(bytes).expect("text");
        for template in &model.templates {
            let at = |span: merkhet_syntax::Span| {
                text.get(span.start as usize..span.end as usize)
                    .unwrap_or("?")
            };
            for name in template
                .locations
                .iter()
                .filter_map(|location| location.name.as_ref())
            {
                assert_eq!(at(name.span), name.text, "{}", path.display());
            }
            for edge in &template.edges {
                let Some(guard) = edge.guard.as_ref().filter(|guard| !guard.broken) else {
                    continue;
                };
                let shown = outline::expr(&guard.value);
                let letters =
                    |s: &str| s.chars().filter(|c| c.is_ascii_digit()).collect::<String>();
                let written = at(guard.value.span);
                if !written.contains("0x")
                    && !written.contains("//")
                    && !written.contains("&#")
                    && !written.contains("/*")
                {
                    assert_eq!(
                        letters(&shown),
                        letters(written),
                        "{}: {written}",
                        path.display()
                    );
                }
            }
        }
    }
}
