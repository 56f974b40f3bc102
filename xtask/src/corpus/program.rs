//! Runs the program on one model, within a time.

use std::io::Read;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// How a run ended.
#[derive(Debug)]
pub enum End {
    /// With this exit code.
    Code(i32),
    /// Killed by a signal: a crash.
    Signal,
    /// It went on after its time and was killed.
    Hung,
}

/// A finished run.
#[derive(Debug)]
pub struct Run {
    pub end: End,
    pub stdout: Vec<u8>,
    pub stderr: String,
    pub time: Duration,
}

impl Run {
    /// Standard output as JSON, `null` if it is none.
    pub fn json(&self) -> serde_json::Value {
        serde_json::from_slice(&self.stdout).unwrap_or_default()
    }
}

/// Runs the program with arguments; after `patience` it is killed.
pub fn run<'a>(
    program: &Path,
    arguments: impl IntoIterator<Item = &'a std::ffi::OsStr>,
    patience: Duration,
) -> Result<Run, String> {
    let start = Instant::now();
    let mut child = Command::new(program)
        .args(arguments)
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .map_err(|error| format!("cannot start {}: {error}", program.display()))?;
    let stdout = child.stdout.take().map(drain);
    let stderr = child.stderr.take().map(drain);
    let end = loop {
        match child.try_wait().map_err(|error| error.to_string())? {
            Some(status) => break status.code().map_or(End::Signal, End::Code),
            None if start.elapsed() > patience => {
                let _ = child.kill();
                let _ = child.wait();
                break End::Hung;
            }
            None => std::thread::sleep(Duration::from_millis(2)),
        }
    };
    let time = start.elapsed();
    let collect = |reader: Option<std::thread::JoinHandle<Vec<u8>>>| {
        reader
            .and_then(|reader| reader.join().ok())
            .unwrap_or_default()
    };
    let (stdout, stderr) = (collect(stdout), collect(stderr));
    Ok(Run {
        end,
        stdout,
        stderr: String::from_utf8_lossy(&stderr).into_owned(),
        time,
    })
}

/// Reads a pipe to its end on a thread of its own, so that the program never waits for us.
fn drain(mut pipe: impl Read + Send + 'static) -> std::thread::JoinHandle<Vec<u8>> {
    std::thread::spawn(move || {
        let mut bytes = Vec::new();
        let _ = pipe.read_to_end(&mut bytes);
        bytes
    })
}
