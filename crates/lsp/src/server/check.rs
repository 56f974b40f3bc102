//! Checks: a process of the program for each, so that whatever a model needs ends that process and not the server.

use super::Event;
use crossbeam_channel::Sender;
use serde_json::Value;
use std::collections::HashMap;
use std::io::Read as _;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::{Arc, Mutex};

/// What a check is about: the text that the query stands in, and the formula.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(super) struct Key {
    pub(super) uri: String,
    pub(super) formula: String,
}

/// How a check ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Verdict {
    Satisfied,
    Violated,
    Unknown,
    /// The query could not be checked at all.
    Failed,
}

/// The report of a check.
#[derive(Clone, Debug)]
pub(super) struct Ended {
    pub(super) key: Key,
    /// The number of the run, so that one that was replaced says nothing.
    run: u64,
    pub(super) verdict: Verdict,
    pub(super) report: String,
}

/// What is known of a query.
pub(super) enum State {
    Running {
        run: u64,
        token: String,
        child: Arc<Mutex<Child>>,
        model: u64,
    },
    Done {
        verdict: Verdict,
        report: String,
        /// The hash of the model that was checked.
        model: u64,
    },
}

/// All checks of this session.
pub(super) struct Checks {
    states: HashMap<Key, State>,
    runs: u64,
    /// Options of every check, such as `--timeout 60s`.
    arguments: Vec<String>,
    folder: PathBuf,
}

/// The limits of a check where the client says nothing.
const ARGUMENTS: [&str; 2] = ["--timeout=60s", "--memory-limit=4GiB"];

impl Checks {
    pub(super) fn new(options: Option<&Value>) -> Checks {
        let given = options
            .and_then(|options| options.pointer("/check/arguments"))
            .and_then(Value::as_array)
            .map(|list| {
                list.iter()
                    .filter_map(Value::as_str)
                    .map(str::to_owned)
                    .collect()
            });
        let usual = || ARGUMENTS.iter().map(|one| (*one).to_owned()).collect();
        let folder = std::env::temp_dir().join(format!("merkhet-lsp-{}", std::process::id()));
        Checks {
            states: HashMap::new(),
            runs: 0,
            arguments: given.unwrap_or_else(usual),
            folder,
        }
    }

    pub(super) fn state(&self, key: &Key) -> Option<&State> {
        self.states.get(key)
    }

    /// Begins a check of a model's text; the error is a sentence.
    pub(super) fn begin(
        &mut self,
        key: Key,
        model: &str,
        ending: &str,
        program: &Path,
        events: &Sender<Event>,
    ) -> Result<String, String> {
        self.cancel(&key);
        self.runs += 1;
        let run = self.runs;
        std::fs::create_dir_all(&self.folder).map_err(|error| error.to_string())?;
        let file = self.folder.join(format!("model-{run}.{ending}"));
        std::fs::write(&file, model).map_err(|error| error.to_string())?;
        let mut child = Command::new(program)
            .args(["check", "--color=never", "--progress=none"])
            .args(&self.arguments)
            .arg(format!("--query={}", key.formula))
            .arg(&file)
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .map_err(|error| format!("cannot start {}: {error}", program.display()))?;
        let (out, err) = (child.stdout.take(), child.stderr.take());
        let child = Arc::new(Mutex::new(child));
        let token = format!("merkhet-check-{run}");
        let state = State::Running {
            run,
            token: token.clone(),
            child: Arc::clone(&child),
            model: hash(model),
        };
        self.states.insert(key.clone(), state);
        let events = events.clone();
        let watch = move || {
            let said = std::thread::spawn(move || all(err));
            let mut report = all(out);
            let code = child.lock().ok().and_then(|mut child| child.wait().ok());
            let _ = std::fs::remove_file(&file);
            if report.trim().is_empty() {
                report = said.join().unwrap_or_default();
            }
            let verdict = match code.and_then(|code| code.code()) {
                Some(0) => Verdict::Satisfied,
                Some(1) => Verdict::Violated,
                Some(3) => Verdict::Unknown,
                _ => Verdict::Failed,
            };
            let ended = Ended {
                key,
                run,
                verdict,
                report,
            };
            let _ = events.send(Event::Checked(ended));
        };
        std::thread::Builder::new()
            .name("check".into())
            .spawn(watch)
            .map_err(|error| error.to_string())?;
        Ok(token)
    }

    /// Takes a report in; the token of its progress, unless the run was replaced.
    pub(super) fn end(&mut self, ended: &Ended) -> Option<String> {
        let Some(State::Running {
            run, token, model, ..
        }) = self.states.get(&ended.key)
        else {
            return None;
        };
        if *run != ended.run {
            return None;
        }
        let token = token.clone();
        let state = State::Done {
            verdict: ended.verdict,
            report: ended.report.clone(),
            model: *model,
        };
        self.states.insert(ended.key.clone(), state);
        Some(token)
    }

    /// Ends the process of a check that runs, and forgets it.
    pub(super) fn cancel(&mut self, key: &Key) -> Option<String> {
        let Some(State::Running { child, token, .. }) = self.states.get(key) else {
            return None;
        };
        let token = token.clone();
        kill(child);
        self.states.remove(key);
        Some(token)
    }

    /// The check that reports its progress under this name is ended.
    pub(super) fn cancel_token(&mut self, token: &str) {
        let named =
            |state: &State| matches!(state, State::Running { token: one, .. } if one == token);
        let found = self.states.iter().find(|(_, state)| named(state));
        if let Some(key) = found.map(|(key, _)| key.clone()) {
            self.cancel(&key);
        }
    }

    /// Forgets all about a text that was closed.
    pub(super) fn forget(&mut self, uri: &str) {
        let keys: Vec<Key> = self
            .states
            .keys()
            .filter(|key| key.uri == uri)
            .cloned()
            .collect();
        for key in keys {
            self.cancel(&key);
            self.states.remove(&key);
        }
    }

    /// A file for a report that a person wants to read.
    pub(super) fn write_report(&self, report: &str) -> Option<PathBuf> {
        std::fs::create_dir_all(&self.folder).ok()?;
        let file = self.folder.join(format!("run-{:016x}.txt", hash(report)));
        std::fs::write(&file, report).ok()?;
        Some(file)
    }
}

impl Drop for Checks {
    fn drop(&mut self) {
        for state in self.states.values() {
            if let State::Running { child, .. } = state {
                kill(child);
            }
        }
        let _ = std::fs::remove_dir_all(&self.folder);
    }
}

/// Ends a process, unless it is being waited for because it has ended.
fn kill(child: &Arc<Mutex<Child>>) {
    if let Ok(mut child) = child.try_lock() {
        let _ = child.kill();
    }
}

/// All that a process says.
fn all(pipe: Option<impl std::io::Read>) -> String {
    const MOST: u64 = 16 << 20;
    let mut bytes = Vec::new();
    if let Some(pipe) = pipe {
        let _ = pipe.take(MOST).read_to_end(&mut bytes);
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

/// Tells texts apart; no verdict rests on it, only whether one is shown as that of an older text.
pub(super) fn hash(text: &str) -> u64 {
    use std::hash::{DefaultHasher, Hash, Hasher};
    let mut hasher = DefaultHasher::new();
    text.hash(&mut hasher);
    hasher.finish()
}
