//! Runs a program to its end within a limit of time, and reads off what the system counted for it.

use std::ffi::OsStr;
use std::io::Read;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use merkhet_bench::race::Sample;

/// How a run ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// With this exit code.
    Code(i32),
    /// By this signal: a crash, or a limit of memory.
    Signal(i32),
    /// It went on after its time and was killed.
    Hung,
    /// It used up its processor time and was killed.
    OutOfCpu,
}

/// How long a run may take.
#[derive(Clone, Copy, Debug)]
pub enum Limit {
    /// Time by the clock; whoever goes on longer does not keep the limits that it was given.
    Clock(Duration),
    /// The processor's time: what a run gets does not depend on what else the machine does (Linux).
    Cpu(Duration),
    /// The processor's time; when it is over, the program is asked to stop first, and may say what it knows.
    CpuAsking(Duration),
}

/// How long a program may take to stop when it is asked to.
const FAREWELL: Duration = Duration::from_secs(20);

/// A finished run.
#[derive(Clone, Debug)]
pub struct Run {
    pub end: End,
    pub stdout: String,
    pub stderr: String,
    pub sample: Sample,
    /// Seconds by the clock or of the processor, as its limit counts.
    pub time: f64,
}

impl Run {
    /// Standard output as JSON, `null` if it is none.
    pub fn json(&self) -> serde_json::Value {
        serde_json::from_str(&self.stdout).unwrap_or_default()
    }

    /// What is wrong with a run that should have ended with one of these codes.
    pub fn problem(&self, good: &[i32]) -> Option<String> {
        match self.end {
            End::Code(code) if good.contains(&code) => None,
            End::Code(code) => Some(format!("exit code {code}: {}", self.message())),
            End::Signal(signal) => Some(format!("killed by signal {signal} (memory?)")),
            End::Hung | End::OutOfCpu => Some("out of time".into()),
        }
    }

    /// The last line that says something.
    fn message(&self) -> String {
        let mut lines = self.stdout.lines().chain(self.stderr.lines());
        let line = lines.rfind(|line| !line.trim().is_empty());
        line.unwrap_or("").trim().chars().take(120).collect()
    }
}

/// Runs a program within a limit. `memory` limits its address space, in bytes.
pub fn run<A: AsRef<OsStr>>(
    program: &Path,
    arguments: impl IntoIterator<Item = A>,
    limit: Limit,
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
    let (end, cpu, memory) = wait(&mut child, start, limit)?;
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
        time: match limit {
            Limit::Clock(_) => wall,
            Limit::Cpu(_) | Limit::CpuAsking(_) => cpu,
        },
    })
}

/// Waits for the child to end, and kills it when its time is up. The system's count of what it used comes with its end.
#[cfg(unix)]
fn wait(child: &mut Child, start: Instant, limit: Limit) -> Result<(End, f64, u64), String> {
    let mut killed = None;
    let mut asked: Option<Instant> = None;
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
            let code = libc::WIFEXITED(status).then(|| libc::WEXITSTATUS(status));
            let end = match (killed, code) {
                (Some(end), _) => end,
                // Who was asked to stop and has decided something after all says so.
                (None, Some(code)) if asked.is_none() || matches!(code, 0 | 1) => End::Code(code),
                (None, _) if asked.is_some() => End::OutOfCpu,
                (None, _) => End::Signal(libc::WTERMSIG(status)),
            };
            let cpu = seconds(usage.ru_utime) + seconds(usage.ru_stime);
            return Ok((end, cpu, usage.ru_maxrss as u64 * unit));
        }
        let elapsed = start.elapsed();
        let over = match limit {
            Limit::Clock(limit) => (elapsed > limit).then_some(End::Hung),
            Limit::Cpu(limit) | Limit::CpuAsking(limit) => {
                (cpu_time(child.id()) > Some(limit)).then_some(End::OutOfCpu)
            }
        };
        match (over, asked) {
            (Some(_), None) if killed.is_none() && matches!(limit, Limit::CpuAsking(_)) => {
                asked = Some(Instant::now());
                // SAFETY: a plain call; the child has not been waited for, so that its number is still its own.
                unsafe { libc::kill(child.id() as libc::pid_t, libc::SIGINT) };
            }
            (Some(_), Some(since)) if since.elapsed() < FAREWELL => {}
            (Some(end), _) if killed.is_none() => {
                killed = Some(end);
                child.kill().map_err(|error| error.to_string())?;
            }
            _ => {}
        }
        // Time by the clock is then right within two per cent, without a busy wait that would disturb the child.
        let pause = (elapsed / 50).clamp(Duration::from_micros(50), Duration::from_millis(10));
        std::thread::sleep(pause);
    }
}

#[cfg(not(unix))]
fn wait(_: &mut Child, _: Instant, _: Limit) -> Result<(End, f64, u64), String> {
    Err("the CPU time of other programs can be measured on Unix only".into())
}

/// The processor time of a running process, as Linux tells it (in hundredths of a second); `None` where it does not.
fn cpu_time(process: u32) -> Option<Duration> {
    let stat = std::fs::read_to_string(format!("/proc/{process}/stat")).ok()?;
    ticks(&stat).map(|ticks| Duration::from_millis(10 * ticks))
}

/// Fields 14 and 15 of a line of `/proc/PID/stat`; the second field, the name in parentheses, may hold spaces.
fn ticks(stat: &str) -> Option<u64> {
    let mut fields = stat.rsplit_once(')')?.1.split_whitespace().skip(11);
    let mut field = || fields.next()?.parse::<u64>().ok();
    Some(field()? + field()?)
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
    use super::{End, Limit, Run, run, ticks};
    use std::path::Path;
    use std::time::Duration;

    fn shell(script: &str, limit: Limit, memory: Option<u64>) -> Run {
        run(Path::new("sh"), ["-c", script], limit, memory).expect("a shell")
    }

    const LONG: Limit = Limit::Clock(Duration::from_secs(20));
    const SHORT: Duration = Duration::from_millis(100);

    #[test]
    fn a_run_is_measured() {
        let script =
            "echo out; echo err >&2; i=0; while [ $i -lt 30000 ]; do i=$((i+1)); done; exit 3";
        let run = shell(script, LONG, None);
        assert_eq!(run.end, End::Code(3));
        assert_eq!((run.stdout.trim(), run.stderr.trim()), ("out", "err"));
        assert!(run.sample.cpu > 0.0 && run.sample.wall >= run.sample.cpu * 0.5);
        assert!(run.sample.memory > 100_000);
        assert_eq!(run.problem(&[0]).as_deref(), Some("exit code 3: err"));
        assert_eq!(run.problem(&[3]), None);
    }

    #[test]
    fn a_run_that_hangs_is_killed() {
        let run = shell("exec sleep 60", Limit::Clock(SHORT), None);
        assert_eq!(run.end, End::Hung);
        assert!(run.sample.wall < 30.0);
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn a_run_out_of_processor_time_is_asked_to_stop_or_killed() {
        let endless = "while true; do :; done";
        assert_eq!(shell(endless, Limit::Cpu(SHORT), None).end, End::OutOfCpu);
        // A shell cannot trap a signal that was ignored when it started, as in jobs in the background.
        let status = std::fs::read_to_string("/proc/self/status").expect("what Linux tells");
        let ignored = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
        let ignored = ignored.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok());
        if ignored.is_none_or(|mask| mask & 1 << (libc::SIGINT - 1) != 0) {
            return;
        }
        let polite = format!("trap 'echo so far; exit 1' INT; {endless}");
        let run = shell(&polite, Limit::CpuAsking(SHORT), None);
        assert_eq!((run.end, run.stdout.trim()), (End::Code(1), "so far"));
    }

    #[test]
    fn memory_is_limited() {
        let run = shell("ulimit -v", LONG, Some(512 << 20));
        assert_eq!(run.stdout.trim(), "524288");
    }

    #[test]
    fn processor_time_is_read() {
        let line = "7 (a (b) c) R 1 7 7 0 -1 4194304 91 0 0 0 120 34 5 6 20 0 1 0 9 1 2";
        assert_eq!(ticks(line), Some(154));
        assert_eq!(ticks("7 (a) R 1"), None);
    }
}
