//! What the files that a check writes may replace: earlier ones of the same kind, and nothing else.

use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};

use crate::args::CheckArgs;
use crate::checkpoint;

use super::trace_file;

/// A file that is to be written.
struct Target {
    option: &'static str,
    path: PathBuf,
    kind: Kind,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Checkpoint,
    Certificate,
    Databases,
    Trace,
}

/// Bytes at the start of a file that tell what it is.
const BEGINNING: u64 = 4096;

/// Why the files of these options must not be written, if that is so, given the number of queries and their file.
pub fn refuse(args: &CheckArgs, queries: Option<&Path>, number: usize) -> Option<String> {
    let targets = targets(args, number);
    let inputs = [
        (Some(args.model.as_path()), "the model"),
        (queries, "the file of queries"),
        (args.pdb_in.as_deref(), "the file of --pdb-in"),
    ];
    for (index, target) in targets.iter().enumerate() {
        let (option, name) = (target.option, target.path.display());
        for (input, what) in &inputs {
            if input.is_some_and(|input| same(input, &target.path)) {
                return Some(format!("{option} {name} would overwrite {what}"));
            }
        }
        if let Some(other) = targets[..index]
            .iter()
            .find(|other| same(&other.path, &target.path))
        {
            return Some(format!("{option} and {} name the same file", other.option));
        }
        if let Some(message) = replaced(target, args.resume) {
            return Some(message);
        }
    }
    None
}

fn targets(args: &CheckArgs, queries: usize) -> Vec<Target> {
    let single = [
        ("--checkpoint", args.checkpoint_file(), Kind::Checkpoint),
        ("--certificate", args.certificate.clone(), Kind::Certificate),
        ("--pdb-out", args.pdb_out.clone(), Kind::Databases),
    ];
    let mut targets: Vec<Target> = single
        .into_iter()
        .filter_map(|(option, path, kind)| {
            let path = path?;
            Some(Target { option, path, kind })
        })
        .collect();
    let numbered = [
        ("--trace-out", &args.trace_out),
        ("--splits-out", &args.lattices.splits_out),
    ];
    for (option, path) in numbered {
        let Some(path) = path else { continue };
        for index in 1..=queries {
            let number = (queries > 1).then_some(index);
            targets.push(Target {
                option,
                path: trace_file::TraceFile { path, number }.name(),
                kind: Kind::Trace,
            });
        }
    }
    targets
}

/// Whether two names lead to the same file; names of files that are not there yet are compared as they are.
fn same(one: &Path, other: &Path) -> bool {
    match (one.canonicalize(), other.canonicalize()) {
        // What is written to a device is lost or passed on, whoever else writes there.
        (Ok(one), Ok(other)) => one == other && one.is_file(),
        (Err(_), Err(_)) => one == other,
        _ => false,
    }
}

/// What is wrong with replacing the file that is there.
fn replaced(target: &Target, resume: bool) -> Option<String> {
    let (option, name) = (target.option, target.path.display());
    let known = target.path.metadata().ok()?;
    if !known.is_file() || known.len() == 0 {
        return None;
    }
    let mut beginning = Vec::new();
    let read =
        File::open(&target.path).and_then(|file| file.take(BEGINNING).read_to_end(&mut beginning));
    let is = |kind| read.is_ok() && begins(kind, &target.path, &beginning);
    let what = match target.kind {
        Kind::Checkpoint if resume => return None, // what it goes on from is looked at more closely
        Kind::Checkpoint if is(Kind::Checkpoint) => {
            return Some(format!(
                "{option} {name}: there is a checkpoint already; go on from it with --resume, or remove the file"
            ));
        }
        Kind::Checkpoint => "checkpoint",
        Kind::Certificate => "certificate",
        Kind::Databases => "file of pattern databases",
        Kind::Trace => "trace",
    };
    (!is(target.kind)).then(|| {
        format!(
            "{option} {name}: the file that is there is no {what}, and would be lost; \
             give another name, or remove it"
        )
    })
}

/// Whether a file that begins so is of a kind.
fn begins(kind: Kind, path: &Path, beginning: &[u8]) -> bool {
    match kind {
        Kind::Checkpoint => checkpoint::is_checkpoint(beginning),
        Kind::Certificate => beginning.starts_with(merkhet::replay::CERTIFICATE_MAGIC),
        Kind::Databases => beginning.starts_with(b"merkhet pattern databases "),
        Kind::Trace => trace_file::is_trace(path, beginning),
    }
}
