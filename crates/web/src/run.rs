//! Runs of `merkhet check`, each a process: started, watched, cancelled.

use std::collections::BTreeMap;
use std::path::Path;
use std::process::{ExitStatus, Stdio};
use std::sync::{Arc, Mutex, PoisonError};

use tokio::io::{AsyncBufReadExt, AsyncReadExt, BufReader};
use tokio::process::{Child, Command};
use tokio::sync::{mpsc, oneshot};

use crate::protocol::{Figures, RunEvent, RunRequest};

/// Runs at the same time; more are refused.
const MOST_RUNS: usize = 8;

/// The memory of a run where the page asks for no other.
const MEMORY: &str = "2GiB";

/// The largest report.
const LARGEST_REPORT: u64 = 256 << 20;

/// The most that is kept of what a run says on standard error.
const LONGEST_WORDS: usize = 64 << 10;

/// The runs that are under way.
#[derive(Clone, Default)]
pub struct Runs(Arc<Mutex<Table>>);

#[derive(Default)]
struct Table {
    last: u32,
    running: BTreeMap<u32, oneshot::Sender<()>>,
}

impl Runs {
    /// Asks a run to end with what it knows; false if there is none of this number.
    pub fn cancel(&self, run: u32) -> bool {
        let sender = self.table().running.remove(&run);
        sender.is_some_and(|sender| sender.send(()).is_ok())
    }

    /// Starts a run; its events come through the channel. When that is dropped the run ends.
    pub fn start(
        &self,
        program: &Path,
        request: &RunRequest,
    ) -> Result<mpsc::Receiver<RunEvent>, String> {
        let (cancel, cancelled) = oneshot::channel();
        let number = self.enter(cancel)?;
        let started = spawn(program, request);
        let (child, place) = match started {
            Ok(started) => started,
            Err(error) => {
                self.table().running.remove(&number);
                return Err(error);
            }
        };
        let (sender, receiver) = mpsc::channel(16);
        let runs = self.clone();
        tokio::spawn(async move {
            let begun = sender.send(RunEvent::Started { run: number }).await;
            if begun.is_ok() {
                let last = watch(child, cancelled, &sender).await;
                let _ = sender.send(last).await;
            }
            runs.table().running.remove(&number);
            drop(place);
        });
        Ok(receiver)
    }

    fn enter(&self, cancel: oneshot::Sender<()>) -> Result<u32, String> {
        let mut table = self.table();
        if table.running.len() >= MOST_RUNS {
            return Err(format!("{MOST_RUNS} runs are under way; cancel one first"));
        }
        table.last += 1;
        let number = table.last;
        table.running.insert(number, cancel);
        Ok(number)
    }

    fn table(&self) -> std::sync::MutexGuard<'_, Table> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Starts the program on a copy of the text, which goes away with the folder.
fn spawn(program: &Path, request: &RunRequest) -> Result<(Child, tempfile::TempDir), String> {
    let place = tempfile::tempdir().map_err(|error| error.to_string())?;
    let name = Path::new(&request.name)
        .file_name()
        .ok_or("the model has no name")?;
    // A name that begins with a dash is no option.
    let file = place.path().join(name);
    std::fs::write(&file, &request.text).map_err(|error| error.to_string())?;
    let mut command = Command::new(program);
    command
        .arg("check")
        .arg(&file)
        .arg(format!("--query={}", request.query))
        .args(["--format=json", "--trace-style=full", "--progress=json"]);
    let memory = request.memory.as_deref().unwrap_or(MEMORY);
    command.arg(format!("--memory-limit={memory}"));
    let mut option = |name: &str, value: Option<String>| {
        if let Some(value) = value.filter(|value| !value.is_empty()) {
            command.arg(format!("--{name}={value}"));
        }
    };
    option("search", request.search.clone());
    option("heuristic", request.heuristic.clone());
    option("trace", request.trace.clone());
    option(
        "timeout",
        request.timeout.map(|seconds| format!("{seconds}s")),
    );
    option("threads", request.threads.map(|number| number.to_string()));
    option("seed", request.seed.map(|number| number.to_string()));
    let child = command
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .kill_on_drop(true)
        .spawn()
        .map_err(|error| format!("cannot start the program: {error}"))?;
    Ok((child, place))
}

/// Passes on what the run tells until it ends.
async fn watch(
    mut child: Child,
    mut cancelled: oneshot::Receiver<()>,
    sender: &mpsc::Sender<RunEvent>,
) -> RunEvent {
    let (Some(stdout), Some(stderr)) = (child.stdout.take(), child.stderr.take()) else {
        return RunEvent::Failed {
            error: "the program has no standard streams".into(),
        };
    };
    let report = tokio::spawn(async move {
        let mut report = Vec::new();
        stdout
            .take(LARGEST_REPORT)
            .read_to_end(&mut report)
            .await
            .map(|_| report)
    });
    let mut lines = BufReader::new(stderr).lines();
    let (mut messages, mut asked) = (String::new(), false);
    loop {
        tokio::select! {
            line = lines.next_line() => match line {
                Ok(Some(line)) => {
                    if let Ok(figures) = serde_json::from_str::<Figures>(&line) {
                        // A page that went away takes nothing: the run ends with it.
                        if sender.send(RunEvent::Progress { figures }).await.is_err() {
                            interrupt(&mut child);
                            return RunEvent::Failed { error: "nobody waits".into() };
                        }
                    } else if messages.len() + line.len() < LONGEST_WORDS {
                        messages += &line;
                        messages.push('\n');
                    }
                }
                _ => break,
            },
            _ = &mut cancelled, if !asked => {
                asked = true;
                interrupt(&mut child);
            }
            () = sender.closed() => {
                interrupt(&mut child);
                return RunEvent::Failed { error: "nobody waits".into() };
            }
        }
    }
    let status = child.wait().await;
    let text = report.await.ok().and_then(Result::ok).unwrap_or_default();
    ended(status.ok(), &text, messages)
}

fn ended(status: Option<ExitStatus>, text: &[u8], messages: String) -> RunEvent {
    let exit = status.and_then(|status| status.code());
    match serde_json::from_slice(text) {
        Ok(report) => RunEvent::Ended {
            report,
            exit,
            messages,
        },
        Err(_) => {
            let ended = status.map_or_else(|| "in an unknown way".into(), |one| one.to_string());
            let words = messages.trim();
            let error = match words.is_empty() {
                true => format!("the run ended without a report ({ended})"),
                false => words.to_owned(),
            };
            RunEvent::Failed { error }
        }
    }
}

/// Asks the program to end with what it knows.
fn interrupt(child: &mut Child) {
    #[cfg(target_os = "linux")]
    if let Some(pid) = child.id().and_then(|id| i32::try_from(id).ok())
        && let Some(pid) = rustix::process::Pid::from_raw(pid)
        && rustix::process::kill_process(pid, rustix::process::Signal::TERM).is_ok()
    {
        return;
    }
    let _ = child.start_kill();
}
