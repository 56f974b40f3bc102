//! `merkhet certify`: checks a certificate against a model.

use std::io::BufReader;

use merkhet::finite::{Ctl, Formula, System};
use merkhet::network::QueryKind;
use merkhet::replay::{CertificateReader, End, Ends, Refusal};
use merkhet::{Limits, Model, Phase, SystemProof};

use crate::args::CertifyArgs;
use crate::exit::Exit;
use crate::guard::Guard;
use crate::view::Verdict;
use crate::writing::Writing;
use crate::{diagnostics, input, output};

use super::{load, munta};

/// Runs the command.
pub fn run(args: &CertifyArgs) -> Exit {
    let limits = Limits {
        timeout: args.timeout,
        memory: args.memory_limit,
        ..Limits::default()
    };
    let guard = Guard::start(&limits, Writing::new(None));
    guard.end_with_error(Phase::Reading);
    let Ok(mut model) = load::readable(&args.model) else {
        return Exit::BadInput;
    };
    if let Some(system) = model.system().cloned() {
        if args.export_munta.is_some() {
            output::error("--export-munta is for networks of timed automata");
            return Exit::BadInput;
        }
        let bytes = match input::read(&args.certificate) {
            Ok(bytes) => bytes,
            Err(message) => {
                output::error(&message);
                return Exit::BadInput;
            }
        };
        limits.phase.enter(Phase::Checking);
        return about_system(args, &mut model, &system, &bytes, &guard);
    }
    // States are checked as they are read: a certificate may be larger than what fits into memory as it stands.
    let unreadable = |error: &dyn std::fmt::Display| {
        output::error(&format!("{}: {error}", args.certificate.display()));
        Exit::BadInput
    };
    let reader = match input::open(&args.certificate) {
        Ok(file) => CertificateReader::open(BufReader::new(file)),
        Err(message) => {
            output::error(&message);
            return Exit::BadInput;
        }
    };
    let reader = match reader {
        Ok(reader) => reader,
        Err(error) => return unreadable(&error),
    };
    // The query is part of the certificate: what is proved is said together with the answer.
    let certificate = reader.head().clone();
    let query = model.query(&certificate.query);
    diagnostics::print(&query.diagnostics, &model.sources);
    let (Some(network), Some(asked)) = (model.network(), &query.query) else {
        output::error(&format!(
            "the certificate's query cannot be read in this model: {}",
            certificate.query
        ));
        return Exit::BadInput;
    };
    limits.phase.enter(Phase::Checking);
    let words: Vec<&str> = certificate.query.split_whitespace().collect();
    let text = words.join(" ");
    let threads = usize::from(args.threads);
    let judgement = match merkhet::replay::certify_reading(network, asked, reader, threads) {
        Ok(judgement) => judgement,
        Err(error) => return unreadable(&error),
    };
    let (text, exit) = match judgement {
        Ok(ends) => (
            match values(&asked.kind, &ends) {
                Some(values) => format!("accepted: {text}\n{values}"),
                None => format!("accepted: {text} is {}\n", proved(&asked.kind).word()),
            },
            Exit::Satisfied,
        ),
        Err(refusal) => (
            format!("refused: {text}\n  {}\n", why(&refusal)),
            Exit::Violated,
        ),
    };
    guard.rest();
    if let (Some(prefix), Exit::Satisfied) = (&args.export_munta, exit)
        && let Err(message) = munta::export(network, asked, &args.certificate, prefix)
    {
        output::error(&message);
        return Exit::BadInput;
    }
    print(&text, exit)
}

fn print(text: &str, exit: Exit) -> Exit {
    match output::print_styled(text) {
        Ok(()) | Err(output::OutputError::Closed) => exit,
        Err(problem) => {
            output::report(&problem);
            Exit::BadInput
        }
    }
}

/// A proof about a finite system.
fn about_system(
    args: &CertifyArgs,
    model: &mut Model,
    system: &System,
    bytes: &[u8],
    guard: &Guard,
) -> Exit {
    let proof = match SystemProof::read(&String::from_utf8_lossy(bytes), system) {
        Ok(proof) => proof,
        Err(error) => {
            output::error(&format!("{}: {error}", args.certificate.display()));
            return Exit::BadInput;
        }
    };
    let query = model.query(&proof.query);
    diagnostics::print(&query.diagnostics, &model.sources);
    let (Some(system), Some(specification)) = (model.system(), query.specification) else {
        output::error(&format!(
            "the certificate's query cannot be read in this model: {}",
            proof.query
        ));
        return Exit::BadInput;
    };
    // Nothing was found: that is why all others hold.
    let possible = matches!(
        &system.specifications[specification].formula,
        Formula::Ctl(Ctl::Ef(..))
    );
    let verdict = if possible {
        Verdict::Violated
    } else {
        Verdict::Satisfied
    };
    let judgement = proof.judge(system, specification);
    guard.rest();
    match judgement {
        Ok(()) => print(
            &format!("accepted: {} is {}\n", proof.query, verdict.word()),
            Exit::Satisfied,
        ),
        Err(why) => print(
            &format!("refused: {}\n  {why}\n", proof.query),
            Exit::Violated,
        ),
    }
}

/// What it means that nothing was found in the whole state space.
fn proved(kind: &QueryKind) -> Verdict {
    match kind {
        QueryKind::Possibly(_) | QueryKind::PotentiallyAlways(_) => Verdict::Violated,
        _ => Verdict::Satisfied,
    }
}

/// The ends that are proved, where values were asked for.
fn values(kind: &QueryKind, ends: &[Ends]) -> Option<String> {
    let QueryKind::Bounds { measures, .. } = kind else {
        return None;
    };
    let word = |end: End, sign: &str| match end {
        End::Reached(value) => value.to_string(),
        End::NotReached(value) => format!("{sign} {value}"),
    };
    let lines = measures.iter().zip(ends).map(|((_, text), ends)| {
        let low = ends.low.map(|end| format!("  inf: {}", word(end, ">")));
        let high = ends.high.map(|end| format!("  sup: {}", word(end, "<")));
        let known: String = [low, high].into_iter().flatten().collect();
        let known = if known.is_empty() {
            "  no state".into()
        } else {
            known
        };
        format!("  {text}{known}\n")
    });
    Some(lines.collect())
}

fn why(refusal: &Refusal) -> String {
    match refusal.entry {
        Some(entry) => format!("entry {entry}: {}", refusal.reason),
        None => refusal.reason.clone(),
    }
}
