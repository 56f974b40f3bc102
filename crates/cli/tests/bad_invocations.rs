//! A thousand random invocations that are all wrong in some way: every one gets a message and exit code 2.

mod support;

use std::ffi::OsString;
use std::path::Path;

use support::{code, merkhet, stderr, stdout};

const INVOCATIONS: u64 = 1000;

/// A small generator of reproducible random numbers (xorshift).
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }

    fn pick<'a, T: ?Sized>(&mut self, choices: &[&'a T]) -> &'a T {
        choices[(self.next() % choices.len() as u64) as usize]
    }

    fn garbage(&mut self) -> OsString {
        let length = self.next() % 12;
        let bytes: Vec<u8> = (0..length).map(|_| (self.next() % 255) as u8 + 1).collect();
        #[cfg(unix)]
        return std::os::unix::ffi::OsStringExt::from_vec(bytes);
        #[cfg(not(unix))]
        return String::from_utf8_lossy(&bytes).into_owned().into();
    }
}

/// All commands; each of the first ones needs something to work on.
const COMMANDS: &[&str] = &[
    "check",
    "show",
    "lint",
    "fmt",
    "certify",
    "explain",
    "convert",
    "simulate",
    "states",
    "completions",
    "generate",
    "heuristics",
    "tunables",
    "man",
];
const NEEDY: usize = 10;

/// Options with values that none of them takes.
const BAD_OPTIONS: &[&str] = &[
    "--timeout=soon",
    "--timeout=-5s",
    "--timeout=1e99s",
    "--timeout=",
    "--memory-limit=lots",
    "--memory-limit=0",
    "--memory-limit=99999999999999999999TiB",
    "--seed=-1",
    "--seed=18446744073709551616",
    "--threads=0",
    "--threads=two",
    "--max-states=1.5",
    "--trace=longest",
    "--format=yaml",
    "--extrapolation=lu++",
    "--inclusion=perhaps",
    "--reduce=everything",
    "--bitstate=yes",
    "--color=mauve",
    "--frobnicate",
    "-z",
    "--",
    "-q",
];

/// Options that are fine for themselves.
const GOOD_OPTIONS: &[&str] = &[
    "--timeout=5s",
    "--memory-limit=1GiB",
    "--seed=3",
    "--threads=2",
    "--trace=none",
    "--color=never",
];

fn file(folder: &Path, name: &str, contents: &[u8]) -> OsString {
    let path = folder.join(name);
    std::fs::write(&path, contents).expect("a writable folder");
    path.into()
}

/// Files that are no models.
fn broken_files(folder: &Path) -> Vec<OsString> {
    vec![
        file(folder, "text.xml", b"hello"),
        file(folder, "nul.xta", b"process P() {\0\0\0"),
        file(folder, "unclosed.xml", b"<nta><template><name>P"),
        file(folder, "unclosed.xta", b"process P() { state A; init A"),
        file(folder, "latin.xml", b"<nta>\xff\xfe</nta"),
        file(
            folder,
            "enum.smv",
            b"MODULE main\nVAR x : {a, b;\nASSIGN init(x) := c;",
        ),
        file(
            folder,
            "cycle.smv",
            b"MODULE main\nVAR x : 0..3;\nASSIGN x := y;\nDEFINE y := x + z;",
        ),
        file(
            folder,
            "clock.tck",
            b"system:s\nclock:1:x\nprocess:P\nlocation:P:a{initial:\nedge:P:a:b:t",
        ),
        file(
            folder,
            "order.xta",
            b"lattice L { int a; }\nL x; process P() { state A; init A; }\nsystem P;",
        ),
        file(folder, "queries.q", b"A[] not deadlock"),
        folder.join("missing.xml").into(),
        folder.into(),
    ]
}

/// Arguments that cannot be right, whatever the generator says.
fn bad_invocation(random: &mut Random, broken: &[OsString]) -> Vec<OsString> {
    let broken: Vec<&OsString> = broken.iter().collect();
    let command = OsString::from(random.pick(COMMANDS));
    let mut arguments = match random.next() % 6 {
        0 => vec![random.garbage(), random.garbage()],
        1 => vec![OsString::from(random.pick(&COMMANDS[..NEEDY]))],
        2 => vec![
            command,
            random.pick(&broken).clone(),
            random.pick(&broken).clone(),
        ],
        3 => vec![
            command,
            random.pick(&broken).clone(),
            OsString::from(random.pick(BAD_OPTIONS)),
        ],
        4 => (0..5).map(|_| random.garbage()).chain([command]).collect(),
        _ => vec![
            OsString::from(random.pick(BAD_OPTIONS)),
            command,
            random.pick(&broken).clone(),
        ],
    };
    for _ in 0..random.next() % 3 {
        let position = (random.next() % (arguments.len() as u64 + 1)) as usize;
        arguments.insert(position, OsString::from(random.pick(GOOD_OPTIONS)));
    }
    arguments
}

fn asks_for_help(arguments: &[OsString]) -> bool {
    let words = ["help", "--help", "-h", "--version", "-V"];
    arguments
        .iter()
        .any(|argument| words.iter().any(|word| argument == word))
}

#[test]
fn a_thousand_random_bad_invocations_never_panic() {
    let folder = tempfile::tempdir().expect("a folder");
    let broken = broken_files(folder.path());
    let mut random = Random(0x6d65_726b_6865_7431);
    for number in 0..INVOCATIONS {
        let arguments = bad_invocation(&mut random, &broken);
        if asks_for_help(&arguments) {
            continue;
        }
        let output = merkhet()
            .args(&arguments)
            .output()
            .expect("the program starts");
        // `lint` says on standard output what it finds.
        let message = stderr(&output) + &stdout(&output);
        assert_eq!(code(&output), Some(2), "{number}: {arguments:?}\n{message}");
        assert!(
            !message.trim().is_empty(),
            "{number}: {arguments:?} says nothing"
        );
        assert!(
            !message.contains("panicked"),
            "{number}: {arguments:?}\n{message}"
        );
    }
}
