//! Runs a program to its end and reads off what the system counted for it.

use std::io::Read;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use merkhet_bench::race::Sample;

/// How a run ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// With this exit code.
    Code(i32),
    /// By this signal.
    Signal(i32),
    /// It went on after its time and was killed.
    Timeout,
}

/// A finished run.
#[derive(Clone, Debug)]
pub struct Run {
    pub end: End,
    pub stdout: String,
    pub stderr: String,
    pub sample: Sample,
}

impl Run {
    /// What is wrong with a run that should have ended with one of these codes.
    pub fn problem(&self, good: &[i32]) -> Option<String> {
        match self.end {
            End::Code(code) if good.contains(&code) => None,
            End::Code(code) => Some(format!("exit code {code}: {}", self.message())),
            End::Signal(signal) => Some(format!("killed by signal {signal} (memory?)")),
            End::Timeout => Some("out of time".into()),
        }
    }

    /// The last line that says something.
    fn message(&self) -> String {
        let mut lines = self.stdout.lines().chain(self.stderr.lines());
        let line = lines.rfind(|line| !line.trim().is_empty());
        line.unwrap_or("").trim().chars().take(120).collect()
    }
}

/// Runs a program; after `patience` it is killed. `memory` limits its address space, in bytes.
pub fn measure(
    program: &std::path::Path,
    arguments: &[String],
    patience: Duration,
    memory: Option<u64>,
) -> Result<Run, String> {
    let mut command = match memory {
        None => {
            let mut command = Command::new(program);
            command.args(arguments);
            command
        }
        // The shell only sets the limit and becomes the program: its own millisecond is the same for everybody.
        Some(bytes) => {
            let mut command = Command::new("sh");
            command
                .args(["-c", "ulimit -v \"$0\" && exec \"$@\""])
                .arg((bytes >> 10).to_string())
                .arg(program)
                .args(arguments);
            command
        }
    };
    let start = Instant::now();
    let mut child = command
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .map_err(|error| format!("cannot start {}: {error}", program.display()))?;
    let stdout = child.stdout.take().map(drain);
    let stderr = child.stderr.take().map(drain);
    let (end, cpu, memory) = wait(&mut child, start, patience)?;
    let wall = start.elapsed().as_secs_f64();
    let text = |reader: Option<std::thread::JoinHandle<Vec<u8>>>| {
        let bytes = reader
            .and_then(|reader| reader.join().ok())
            .unwrap_or_default();
        String::from_utf8_lossy(&bytes).into_owned()
    };
    Ok(Run {
        end,
        stdout: text(stdout),
        stderr: text(stderr),
        sample: Sample { cpu, wall, memory },
    })
}

/// Waits for the child to end, and kills it when its time is up. The system's count of what it used comes with its end.
#[cfg(unix)]
fn wait(child: &mut Child, start: Instant, patience: Duration) -> Result<(End, f64, u64), String> {
    let mut killed = false;
    loop {
        let mut status = 0;
        // SAFETY: an all-zero rusage is a valid value of that plain structure, and wait4 writes to the two places only.
        let (result, usage) = unsafe {
            let mut usage: libc::rusage = std::mem::zeroed();
            let id = child.id() as libc::pid_t;
            let result = libc::wait4(id, &mut status, libc::WNOHANG, &mut usage);
            (result, usage)
        };
        if result < 0 {
            return Err(format!("wait4: {}", std::io::Error::last_os_error()));
        }
        if result > 0 {
            let seconds = |time: libc::timeval| time.tv_sec as f64 + time.tv_usec as f64 / 1e6;
            let unit = if cfg!(target_os = "macos") { 1 } else { 1024 };
            let end = match () {
                () if killed => End::Timeout,
                () if libc::WIFSIGNALED(status) => End::Signal(libc::WTERMSIG(status)),
                () => End::Code(libc::WEXITSTATUS(status)),
            };
            let cpu = seconds(usage.ru_utime) + seconds(usage.ru_stime);
            return Ok((end, cpu, usage.ru_maxrss as u64 * unit));
        }
        let elapsed = start.elapsed();
        if !killed && elapsed > patience {
            killed = true;
            child.kill().map_err(|error| error.to_string())?;
        }
        // Time by the clock is then right within two per cent, without a busy wait that would disturb the child.
        let pause = (elapsed / 50).clamp(Duration::from_micros(50), Duration::from_millis(10));
        std::thread::sleep(pause);
    }
}

#[cfg(not(unix))]
fn wait(_: &mut Child, _: Instant, _: Duration) -> Result<(End, f64, u64), String> {
    Err("the CPU time of other programs can be measured on Unix only".into())
}

/// Reads a pipe to its end on a thread of its own, so that the program never waits for us.
fn drain(mut pipe: impl Read + Send + 'static) -> std::thread::JoinHandle<Vec<u8>> {
    std::thread::spawn(move || {
        let mut bytes = Vec::new();
        let _ = pipe.read_to_end(&mut bytes);
        bytes
    })
}

#[cfg(all(test, unix))]
mod tests {
    use super::{End, measure};
    use std::path::Path;
    use std::time::Duration;

    fn shell(script: &str, patience: u64, memory: Option<u64>) -> super::Run {
        let arguments = ["-c".to_owned(), script.to_owned()];
        let patience = Duration::from_millis(patience);
        measure(Path::new("sh"), &arguments, patience, memory).expect("a shell")
    }

    #[test]
    fn a_run_is_measured() {
        let run = shell(
            "echo out; echo err >&2; i=0; while [ $i -lt 30000 ]; do i=$((i+1)); done; exit 3",
            20_000,
            None,
        );
        assert_eq!(run.end, End::Code(3));
        assert_eq!((run.stdout.trim(), run.stderr.trim()), ("out", "err"));
        assert!(run.sample.cpu > 0.0 && run.sample.wall >= run.sample.cpu * 0.5);
        assert!(run.sample.memory > 100_000);
        assert_eq!(run.problem(&[0]).as_deref(), Some("exit code 3: err"));
        assert_eq!(run.problem(&[3]), None);
    }

    #[test]
    fn a_run_that_hangs_is_killed() {
        let run = shell("exec sleep 60", 100, None);
        assert_eq!(run.end, End::Timeout);
        assert!(run.sample.wall < 30.0);
    }

    #[test]
    fn memory_is_limited() {
        let run = shell("ulimit -v", 20_000, Some(512 << 20));
        assert_eq!(run.stdout.trim(), "524288");
    }
}
