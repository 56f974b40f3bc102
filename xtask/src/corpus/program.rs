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
    /// It used up its processor time and was killed.
    OutOfCpu,
}

/// How long a run may take.
#[derive(Clone, Copy, Debug)]
pub enum Patience {
    /// Time by the clock; whoever goes on longer does not keep the limits that it was given.
    Clock(Duration),
    /// The processor's time: what a run gets does not depend on what else the machine does.
    Cpu(Duration),
    /// The processor's time; when it is over, the program is asked to stop first, and may say what it knows.
    CpuAsking(Duration),
}

/// A finished run.
#[derive(Debug)]
pub struct Run {
    pub end: End,
    pub stdout: Vec<u8>,
    pub stderr: String,
    /// What it took, by the clock or by the processor's time, as its patience counts.
    pub time: Duration,
}

impl Run {
    /// Standard output as JSON, `null` if it is none.
    pub fn json(&self) -> serde_json::Value {
        serde_json::from_slice(&self.stdout).unwrap_or_default()
    }
}

/// Runs the program with arguments; when `patience` ends it is killed.
pub fn run<'a>(
    program: &Path,
    arguments: impl IntoIterator<Item = &'a std::ffi::OsStr>,
    patience: Patience,
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
    let mut cpu = Duration::ZERO;
    let end = loop {
        if !matches!(patience, Patience::Clock(_)) {
            cpu = cpu_time(child.id()).unwrap_or(cpu);
        }
        let too_long = match patience {
            Patience::Clock(limit) => (start.elapsed() > limit).then_some(End::Hung),
            Patience::Cpu(limit) | Patience::CpuAsking(limit) => {
                (cpu > limit).then_some(End::OutOfCpu)
            }
        };
        match (
            child.try_wait().map_err(|error| error.to_string())?,
            too_long,
        ) {
            (Some(status), _) => break status.code().map_or(End::Signal, End::Code),
            (None, Some(end)) => {
                if matches!(patience, Patience::CpuAsking(_))
                    && let Some(code) = asked_to_stop(&mut child)
                {
                    break End::Code(code);
                }
                let _ = child.kill();
                let _ = child.wait();
                break end;
            }
            (None, None) => std::thread::sleep(Duration::from_millis(2)),
        }
    };
    let time = match patience {
        Patience::Clock(_) => start.elapsed(),
        Patience::Cpu(_) | Patience::CpuAsking(_) => cpu,
    };
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

/// Interrupts a program as Ctrl-C would, and waits a little for its end; its exit code if it decided something.
fn asked_to_stop(child: &mut std::process::Child) -> Option<i32> {
    let interrupt = Command::new("kill")
        .arg("-INT")
        .arg(child.id().to_string())
        .status();
    let patience = Instant::now() + Duration::from_secs(20);
    while interrupt.as_ref().is_ok_and(|status| status.success()) && Instant::now() < patience {
        if let Ok(Some(status)) = child.try_wait() {
            return status.code().filter(|code| matches!(code, 0 | 1));
        }
        std::thread::sleep(Duration::from_millis(20));
    }
    None
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

#[cfg(test)]
mod tests {
    use super::ticks;

    #[test]
    fn processor_time_is_read() {
        let line = "7 (a (b) c) R 1 7 7 0 -1 4194304 91 0 0 0 120 34 5 6 20 0 1 0 9 1 2";
        assert_eq!(ticks(line), Some(154));
        assert_eq!(ticks("7 (a) R 1"), None);
    }
}
