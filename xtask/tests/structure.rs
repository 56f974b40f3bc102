//! The shape of the workspace: the map in `docs/architecture.md` is true, and what it promises holds.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::process::Command;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

fn read(path: &Path) -> String {
    std::fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// A package's short name: its folder in `crates`, without the common beginning.
fn short(package: &str) -> String {
    match package {
        "merkhet" => package.to_owned(),
        other => other.strip_prefix("merkhet-").unwrap_or(other).to_owned(),
    }
}

/// The crates and what each uses of the others, as cargo sees them; dependencies of tests do not count.
fn used() -> BTreeMap<String, BTreeSet<String>> {
    let output = Command::new(env!("CARGO"))
        .args([
            "metadata",
            "--format-version",
            "1",
            "--no-deps",
            "--offline",
        ])
        .current_dir(root())
        .output()
        .expect("cargo runs");
    let metadata: serde_json::Value =
        serde_json::from_slice(&output.stdout).expect("cargo writes JSON");
    let packages = metadata["packages"].as_array().expect("packages");
    let name = |value: &serde_json::Value| value["name"].as_str().expect("a name").to_owned();
    let members: BTreeSet<String> = packages.iter().map(name).collect();
    let uses = |package: &serde_json::Value| {
        let dependencies = package["dependencies"].as_array().expect("dependencies");
        let ours = dependencies
            .iter()
            .filter(|one| one["kind"].is_null())
            .map(name)
            .filter(|name| members.contains(name));
        ours.map(|name| short(&name)).collect()
    };
    let examples = |package: &&serde_json::Value| {
        let path = package["manifest_path"].as_str().expect("a path");
        !path.replace('\\', "/").contains("/examples/")
    };
    packages
        .iter()
        .filter(examples)
        .map(|package| (short(&name(package)), uses(package)))
        .collect()
}

/// The table of crates: the first and the third column.
fn drawn() -> BTreeMap<String, BTreeSet<String>> {
    let map = read(&root().join("docs/architecture.md"));
    let rows = map
        .lines()
        .skip_while(|line| !line.starts_with("| crate |"))
        .skip(2)
        .take_while(|line| line.starts_with('|'));
    let row = |line: &str| {
        let columns: Vec<&str> = line.split('|').map(str::trim).collect();
        let named = columns[1].trim_matches('`').to_owned();
        let uses = columns[3]
            .split(',')
            .map(|name| name.trim().to_owned())
            .filter(|name| name != "–");
        (named, uses.collect())
    };
    rows.map(row).collect()
}

#[test]
fn the_map_names_the_dependencies_of_every_crate() {
    let (drawn, used) = (drawn(), used());
    let crates: BTreeSet<&String> = drawn.keys().chain(used.keys()).collect();
    let mut wrong = Vec::new();
    for name in crates {
        match (drawn.get(name), used.get(name)) {
            (None, _) => wrong.push(format!("{name} is not on the map")),
            (_, None) => wrong.push(format!("{name} is on the map only")),
            (Some(drawn), Some(used)) if drawn != used => {
                wrong.push(format!("{name} uses {used:?}, the map says {drawn:?}"));
            }
            _ => {}
        }
    }
    assert!(wrong.is_empty(), "docs/architecture.md: {wrong:#?}");
}

/// Every file of Rust code below a folder.
fn sources(folder: &Path, found: &mut Vec<PathBuf>) {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    for path in entries.map(|entry| entry.path()) {
        if path.is_dir() {
            sources(&path, found);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            found.push(path);
        }
    }
}

#[test]
fn crates_without_unsafe_code_forbid_it() {
    let crates = std::fs::read_dir(root().join("crates")).expect("a folder of crates");
    for folder in crates.flatten().map(|entry| entry.path().join("src")) {
        let mut files = Vec::new();
        sources(&folder, &mut files);
        let has_unsafe = |file: &PathBuf| read(file).contains("unsafe {");
        let forbidden = read(&folder.join("lib.rs")).contains("#![forbid(unsafe_code)]");
        assert_eq!(
            forbidden,
            !files.iter().any(has_unsafe),
            "{}",
            folder.display()
        );
    }
}

/// How the first sentence of an item must not begin: read alone, in a sorted list, it would not say what the item is.
const UNCLEAR: [&str; 6] = [
    "The same",
    "One that is",
    "Those that",
    "So many",
    "So much",
    "So often",
];

#[test]
fn items_say_what_they_are() {
    let mut unclear = Vec::new();
    let mut files = Vec::new();
    sources(&root().join("crates"), &mut files);
    sources(&root().join("xtask"), &mut files);
    for path in files {
        let text = read(&path);
        let mut before = "";
        for (number, line) in text.lines().map(str::trim).enumerate() {
            if let Some(first) = line.strip_prefix("/// ")
                && !before.starts_with("///")
                && (UNCLEAR.iter().any(|start| first.starts_with(start))
                    || first.contains(" so many "))
            {
                unclear.push(format!("{}:{}: {first}", path.display(), number + 1));
            }
            before = line;
        }
    }
    assert!(unclear.is_empty(), "{}", unclear.join("\n"));
}

/// The crates whose numbers may decide who searches, and for how long.
const SEARCHING: [&str; 10] = [
    "analysis",
    "explore",
    "heuristics",
    "lattices",
    "merkhet",
    "semantics",
    "symbolic",
    "unroll",
    "walks",
    "zones",
];

/// The name of a constant that is a number, if a line declares one.
fn number(line: &str) -> Option<&str> {
    const TYPES: [&str; 15] = [
        "u8", "u16", "u32", "u64", "u128", "usize", "isize", "i128", "i8", "i16", "i32", "i64",
        "f32", "f64", "Duration",
    ];
    let line = match line.trim_start().strip_prefix("pub") {
        Some(rest) if rest.starts_with('(') => rest.split_once(") ")?.1,
        Some(rest) => rest.trim_start(),
        None => line.trim_start(),
    };
    let declared = (line.strip_prefix("const ")).or_else(|| line.strip_prefix("static "))?;
    let (name, rest) = declared.split_once(": ")?;
    let kind = rest.split([' ', ';', '=']).next()?;
    TYPES.contains(&kind).then_some(name)
}

#[test]
fn policy_is_tunable() {
    let mut found = BTreeSet::new();
    for name in SEARCHING {
        let folder = root().join("crates").join(name).join("src");
        let mut files = Vec::new();
        sources(&folder, &mut files);
        for file in files {
            let inside = file.strip_prefix(&folder).expect("a file of the folder");
            let inside = inside.to_string_lossy().replace('\\', "/");
            let of_tests = inside.contains("tests/") || inside.ends_with("tests.rs");
            if of_tests || inside.ends_with("tuning.rs") {
                continue;
            }
            let text = read(&file);
            let product = text.split("#[cfg(test)]").next().unwrap_or_default();
            let numbers = product.lines().filter_map(number);
            found.extend(numbers.map(|constant| format!("{name}/{inside}: {constant}")));
        }
    }
    let mut listed = BTreeSet::new();
    for line in include_str!("constants.txt").lines() {
        if let Some((file, names)) = line.split_once(": ")
            && !line.starts_with(['#', '['])
        {
            listed.extend(names.split(' ').map(|name| format!("{file}: {name}")));
        }
    }
    let new: Vec<_> = found.difference(&listed).collect();
    let gone: Vec<_> = listed.difference(&found).collect();
    assert!(
        new.is_empty() && gone.is_empty(),
        "make a number that decides who searches, how long or with how much memory a tunable (CONTRIBUTING.md); list any \
         other in xtask/tests/constants.txt.\nnot listed: {new:#?}\nlisted, but gone: {gone:#?}"
    );
}
