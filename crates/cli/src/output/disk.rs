//! The system's file below a file that appears complete or not at all.
//!
//! With the feature `faults`, which is for tests only, its N-th operation goes wrong as the environment variable
//! `MERKHET_FAULT` says: `fail:N` (an error, as of a full disk), `short:N` (only a part is written, which is no error),
//! `torn:N` (a part is written and the process is gone, as when the power fails), or `stall:N` (the thread stands still for
//! 1.5 s, as on a disk that is asleep or a machine that is).

use std::fs::File;
use std::io::{self, Write};
use std::path::Path;

/// A file whose operations may go wrong.
pub(super) struct Disk(File);

/// Bytes that are written at once; few where each of them may go wrong.
pub(super) const AT_ONCE: usize = if cfg!(feature = "faults") {
    64
} else {
    8 << 10
};

impl Disk {
    pub fn new(file: File) -> Disk {
        Disk(file)
    }

    pub fn file(&self) -> &File {
        &self.0
    }

    pub fn sync_all(&self) -> io::Result<()> {
        goes_wrong()?;
        self.0.sync_all()
    }

    pub fn sync_data(&self) -> io::Result<()> {
        goes_wrong()?;
        self.0.sync_data()
    }
}

/// Gives a file another name.
pub(super) fn rename(from: &Path, to: &Path) -> io::Result<()> {
    goes_wrong()?;
    std::fs::rename(from, to)
}

impl Write for Disk {
    #[cfg(not(feature = "faults"))]
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.write(bytes)
    }

    #[cfg(feature = "faults")]
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        use faults::Fault;
        let part = bytes.len().div_ceil(2);
        match faults::next() {
            None | Some(Fault::Stall) => self.0.write(bytes),
            Some(Fault::Fail) => Err(faults::error()),
            Some(Fault::Short) => self.0.write(&bytes[..part]),
            Some(Fault::Torn) => {
                let _ = self.0.write(&bytes[..part]);
                std::process::abort()
            }
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.flush()
    }
}

/// An operation that is done or not.
#[cfg(not(feature = "faults"))]
pub(super) fn goes_wrong() -> io::Result<()> {
    Ok(())
}

/// An operation that is done or not.
#[cfg(feature = "faults")]
pub(super) fn goes_wrong() -> io::Result<()> {
    match faults::next() {
        None | Some(faults::Fault::Short | faults::Fault::Stall) => Ok(()),
        Some(faults::Fault::Fail) => Err(faults::error()),
        Some(faults::Fault::Torn) => std::process::abort(),
    }
}

#[cfg(feature = "faults")]
mod faults {
    use std::io;
    use std::sync::OnceLock;
    use std::sync::atomic::{AtomicU64, Ordering};
    use std::time::Duration;

    #[derive(Clone, Copy)]
    pub enum Fault {
        Fail,
        Short,
        Torn,
        Stall,
    }

    /// How long a thread that stalls stands still: longer than the limits that the test gives.
    const STALL: Duration = Duration::from_millis(1_500);

    /// What goes wrong, and which operation.
    fn plan() -> Option<(Fault, u64)> {
        static PLAN: OnceLock<Option<(Fault, u64)>> = OnceLock::new();
        *PLAN.get_or_init(|| {
            let text = std::env::var("MERKHET_FAULT").ok()?;
            let (name, number) = text.split_once(':')?;
            let fault = match name {
                "fail" => Fault::Fail,
                "short" => Fault::Short,
                "torn" => Fault::Torn,
                "stall" => Fault::Stall,
                _ => return None,
            };
            Some((fault, number.parse().ok()?))
        })
    }

    /// What goes wrong with the next operation.
    pub fn next() -> Option<Fault> {
        static DONE: AtomicU64 = AtomicU64::new(0);
        let (fault, number) = plan()?;
        let now = DONE.fetch_add(1, Ordering::SeqCst) + 1 == number;
        if let (true, Fault::Stall) = (now, fault) {
            std::thread::sleep(STALL);
        }
        now.then_some(fault)
    }

    pub fn error() -> io::Error {
        io::Error::new(
            io::ErrorKind::StorageFull,
            "no space left on device (injected)",
        )
    }
}
