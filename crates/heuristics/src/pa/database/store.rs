//! Databases as text, to be saved and used again: one section for each goal, with a fingerprint of model and goal.
//!
//! A database of another model would make wrong dead ends, so that a section counts only with the right fingerprint and
//! an unbroken checksum.

use std::fmt::{self, Write as _};

use merkhet_network::{Formula, Network};

use crate::pa::database::{Database, NO_PARENT, Parts};
use crate::pa::linear::Linear;
use crate::pa::predicate::Predicate;
use crate::pa::slots::Slots;
use crate::pa::vector;

const TITLE: &str = "merkhet pattern databases 2";

/// Why saved databases cannot be used.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum StoreError {
    /// They were made for other models or goals.
    OtherModel,
    /// The text is not one of pattern databases.
    Foreign,
    /// The text ends too early, after this line.
    Torn(usize),
    /// The text was changed, up to this line.
    Broken(usize),
}

impl fmt::Display for StoreError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            StoreError::OtherModel => f.write_str(
                "the saved pattern databases are of another model, goal or reduction; make new ones with --pdb-out",
            ),
            StoreError::Foreign => f.write_str(
                "this is no file of saved pattern databases, or one of another version; make one with --pdb-out",
            ),
            StoreError::Torn(line) => write!(
                f,
                "the saved pattern databases end too early, after line {line}; make new ones with --pdb-out"
            ),
            StoreError::Broken(line) => write!(
                f,
                "the saved pattern databases were changed at or before line {line}; make new ones with --pdb-out"
            ),
        }
    }
}

impl std::error::Error for StoreError {}

/// A number of 128 bits that stands for a model and a goal; positions in the source do not count.
pub fn fingerprint(network: &Network, goal: &Formula) -> String {
    let mut network = network.clone();
    network.sites.clear();
    checksum(&format!("{network:?}\n{goal:?}"))
}

/// FNV-1a from two starting points.
fn checksum(text: &str) -> String {
    let hash = |start: u64| {
        text.bytes().fold(start, |hash, byte| {
            (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3)
        })
    };
    format!(
        "{:016x}{:016x}",
        hash(0xcbf2_9ce4_8422_2325),
        hash(0x6c62_272e_07bb_0142)
    )
}

/// A section: the databases of one goal.
pub fn write<'d>(fingerprint: &str, databases: impl Iterator<Item = &'d Database>) -> String {
    let mut body = String::new();
    for database in databases {
        write_one(&mut body, database);
    }
    let sum = checksum(&body);
    format!("{TITLE}\nfingerprint {fingerprint}\n{body}end {sum}\n")
}

fn write_one(text: &mut String, database: &Database) {
    let parts = database.parts();
    let state = if parts.complete { "complete" } else { "cut" };
    let _ = writeln!(
        text,
        "database {} {} {state} {}",
        database.predicates.len(),
        database.len(),
        parts.horizon
    );
    for predicate in &database.predicates {
        let form = |name: &str, form: &Linear| {
            let mut line = format!("{name} {}", form.constant);
            for (slot, by) in &form.terms {
                let _ = write!(line, " {slot}:{by}");
            }
            line
        };
        let line = match predicate {
            Predicate::Values { slot, mask } => format!("values {slot} {mask:x}"),
            Predicate::AtMost(linear) => form("atmost", linear),
            Predicate::Zero(linear) => form("zero", linear),
            Predicate::Clock { left, right, bound } => format!("clock {left} {right} {bound}"),
        };
        let _ = writeln!(text, "{line}");
    }
    let layers: Vec<String> = parts.layers.iter().map(usize::to_string).collect();
    let _ = writeln!(text, "layers {}", layers.join(" "));
    let _ = writeln!(text, "cases {}", parts.cases.len());
    for case in &parts.cases {
        let transitions: Vec<String> = case.iter().map(u32::to_string).collect();
        let _ = writeln!(text, "{}", transitions.join(" "));
    }
    for (at, (parent, case)) in parts.parents.iter().enumerate() {
        for word in database.vector(at) {
            let _ = write!(text, "{word:x} ");
        }
        let _ = match *parent == NO_PARENT {
            true => writeln!(text, "goal"),
            false => writeln!(text, "{parent} {case}"),
        };
    }
}

/// The databases of the section with this fingerprint.
pub fn read(
    text: &str,
    fingerprint: &str,
    network: &Network,
    slots: &Slots,
) -> Result<Vec<Database>, StoreError> {
    let mut reader = Reader {
        lines: text.lines().enumerate(),
        at: 0,
    };
    let (mut any, mut wanted) = (false, None);
    // To the end, whatever is found before: what follows the last section was not written by us.
    while let Some(title) = reader.next() {
        if title != TITLE {
            return Err(match any {
                true => reader.broken(),
                false => StoreError::Foreign,
            });
        }
        any = true;
        let found = reader.word_after("fingerprint")?.to_owned();
        let mut body = String::new();
        let sum = loop {
            let line = reader.next().ok_or(StoreError::Torn(reader.at))?;
            match line.strip_prefix("end ") {
                Some(sum) => break sum,
                None => {
                    body.push_str(line);
                    body.push('\n');
                }
            }
        };
        if checksum(&body) != sum {
            return Err(reader.broken());
        }
        if found == fingerprint && wanted.is_none() {
            wanted = Some(body);
        }
    }
    if any && !text.ends_with('\n') {
        return Err(reader.broken());
    }
    match wanted {
        Some(body) => read_body(&body, network, slots),
        None if any => Err(StoreError::OtherModel),
        None => Err(StoreError::Foreign),
    }
}

struct Reader<'t> {
    lines: std::iter::Enumerate<std::str::Lines<'t>>,
    at: usize,
}

impl<'t> Reader<'t> {
    fn next(&mut self) -> Option<&'t str> {
        let (at, line) = self.lines.next()?;
        self.at = at + 1;
        Some(line)
    }

    fn broken(&self) -> StoreError {
        StoreError::Broken(self.at)
    }

    fn word_after(&mut self, name: &str) -> Result<&'t str, StoreError> {
        let line = self.next().ok_or(StoreError::Torn(self.at))?;
        let rest = line.strip_prefix(name).ok_or(self.broken())?;
        Ok(rest.trim())
    }
}

fn read_body(body: &str, network: &Network, slots: &Slots) -> Result<Vec<Database>, StoreError> {
    let mut reader = Reader {
        lines: body.lines().enumerate(),
        at: 0,
    };
    let mut found = Vec::new();
    while let Some(line) = reader.next() {
        let header = line.strip_prefix("database ").ok_or(reader.broken())?;
        found.push(read_one(&mut reader, header, network, slots)?);
    }
    Ok(found)
}

fn numbers<T: std::str::FromStr>(text: &str) -> Option<Vec<T>> {
    text.split_whitespace()
        .map(|word| word.parse().ok())
        .collect()
}

fn read_one(
    reader: &mut Reader<'_>,
    header: &str,
    network: &Network,
    slots: &Slots,
) -> Result<Database, StoreError> {
    let words: Vec<&str> = header.split_whitespace().collect();
    let [predicates, vectors, state, horizon] = words[..] else {
        return Err(reader.broken());
    };
    let number = |text: &str| text.parse::<usize>().ok();
    let (Some(predicates), Some(vectors), Some(horizon)) =
        (number(predicates), number(vectors), number(horizon))
    else {
        return Err(reader.broken());
    };
    let mut list = Vec::new();
    for _ in 0..predicates {
        let line = reader.next().ok_or(reader.broken())?;
        list.push(read_predicate(line, network, slots).ok_or(reader.broken())?);
    }
    let layers = numbers(reader.word_after("layers")?).ok_or(reader.broken())?;
    let count = number(reader.word_after("cases")?).ok_or(reader.broken())?;
    let mut cases = Vec::new();
    for _ in 0..count {
        let line = reader.next().ok_or(reader.broken())?;
        cases.push(numbers(line).ok_or(reader.broken())?);
    }
    let (mut all, mut parents) = (Vec::new(), Vec::new());
    for _ in 0..vectors {
        let line = reader.next().ok_or(reader.broken())?;
        let vector = read_vector(line, 2 * vector::words(predicates), &mut all);
        parents.push(vector.ok_or(reader.broken())?);
    }
    let parts = Parts {
        layers,
        complete: state == "complete",
        horizon: u32::try_from(horizon).map_err(|_| reader.broken())?,
        parents,
        cases,
    };
    Database::from_parts(list, all, parts).ok_or(reader.broken())
}

/// The words of a vector and the step from there: the number of another vector and of a case, or `goal`.
fn read_vector(line: &str, width: usize, all: &mut Vec<u64>) -> Option<(u32, u32)> {
    let words: Vec<&str> = line.split_whitespace().collect();
    let (vector, step) = words.split_at_checked(width)?;
    for word in vector {
        all.push(u64::from_str_radix(word, 16).ok()?);
    }
    match step {
        ["goal"] => Some((NO_PARENT, NO_PARENT)),
        [parent, case] => Some((parent.parse().ok()?, case.parse().ok()?)),
        _ => None,
    }
}

fn read_predicate(line: &str, network: &Network, slots: &Slots) -> Option<Predicate> {
    let (kind, rest) = line.split_once(' ')?;
    let mut words = rest.split_whitespace();
    match kind {
        "values" => {
            let slot: u32 = words.next()?.parse().ok()?;
            let mask = u64::from_str_radix(words.next()?, 16).ok()?;
            let known = (slot as usize) < slots.len() && slots.is_dense(slot);
            let fits = known && mask != 0 && mask & !slots.full(slot) == 0;
            fits.then_some(Predicate::Values { slot, mask })
        }
        "atmost" | "zero" => {
            let constant: i64 = words.next()?.parse().ok()?;
            let mut form = Linear::number(constant);
            for word in words {
                let (slot, by) = word.split_once(':')?;
                let slot: u32 = slot.parse().ok()?;
                if slot as usize >= slots.len() {
                    return None;
                }
                form = form.plus(&Linear::slot(slot), by.parse().ok()?)?;
            }
            Some(match kind {
                "zero" => Predicate::Zero(form),
                _ => Predicate::AtMost(form),
            })
        }
        "clock" => {
            let left: u16 = words.next()?.parse().ok()?;
            let right: u16 = words.next()?.parse().ok()?;
            let bound = words.next()?.parse().ok()?;
            let fits = usize::from(left) < network.dimension() && right < left;
            fits.then_some(Predicate::Clock { left, right, bound })
        }
        _ => None,
    }
}
