//! A lock on the name of a file for the length of a run.
//!
//! A file that replaces another one is a new file each time, so that the lock lies on a file of its own beside it,
//! `.NAME.lock`. The system gives the lock back when the process ends, however it ends; what a killed run leaves behind
//! is an empty file that locks nobody out.

use std::fs::{File, OpenOptions};
use std::path::{Path, PathBuf};

use super::file::{folder, resolved};

/// The right to write under a name. It ends when this is dropped.
#[derive(Debug)]
pub struct PathLock {
    file: PathBuf,
    /// Open as long as the lock is held.
    _handle: File,
}

/// Another run holds the lock.
#[derive(Debug)]
pub struct Busy;

impl PathLock {
    /// Takes the lock of a name. `None` where there is nothing to lock: devices, and folders that cannot be written to,
    /// where the file cannot be written either.
    pub fn take(target: &Path) -> Result<Option<PathLock>, Busy> {
        let target = resolved(target);
        let Some(name) = target.file_name() else {
            return Ok(None);
        };
        if target.metadata().is_ok_and(|known| !known.is_file()) {
            return Ok(None);
        }
        let mut own = std::ffi::OsString::from(".");
        own.push(name);
        own.push(".lock");
        let file = folder(&target).join(own);
        loop {
            let opened = OpenOptions::new()
                .write(true)
                .create(true)
                .truncate(false)
                .open(&file);
            let Ok(handle) = opened else {
                return Ok(None);
            };
            match lock(&handle) {
                Locked::Held => {}
                Locked::Busy => return Err(Busy),
                Locked::Impossible => return Ok(None),
            }
            // Who held it before may have removed the file meanwhile: then the lock is on nothing.
            if same_file(&handle, &file) {
                return Ok(Some(PathLock {
                    file,
                    _handle: handle,
                }));
            }
        }
    }
}

impl Drop for PathLock {
    fn drop(&mut self) {
        let _ = std::fs::remove_file(&self.file);
    }
}

enum Locked {
    Held,
    Busy,
    /// The file system knows no locks.
    Impossible,
}

#[cfg(target_os = "linux")]
fn lock(file: &File) -> Locked {
    use rustix::fs::{FlockOperation, flock};
    use rustix::io::Errno;
    match flock(file, FlockOperation::NonBlockingLockExclusive) {
        Ok(()) => Locked::Held,
        Err(Errno::WOULDBLOCK) => Locked::Busy,
        Err(_) => Locked::Impossible,
    }
}

#[cfg(target_os = "linux")]
fn same_file(handle: &File, path: &Path) -> bool {
    use std::os::unix::fs::MetadataExt;
    let known = handle
        .metadata()
        .and_then(|own| Ok((own, path.metadata()?)));
    known.is_ok_and(|(own, there)| own.ino() == there.ino() && own.dev() == there.dev())
}

#[cfg(not(target_os = "linux"))]
fn lock(_file: &File) -> Locked {
    Locked::Impossible
}

#[cfg(not(target_os = "linux"))]
fn same_file(_handle: &File, _path: &Path) -> bool {
    true
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::PathLock;

    #[test]
    fn one_run_at_a_time_and_nothing_is_left() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("search");
        let link = folder.path().join("link");
        std::os::unix::fs::symlink(&path, &link).expect("linked");
        for _ in 0..3 {
            let held = PathLock::take(&path).expect("free").expect("possible");
            assert!(PathLock::take(&path).is_err());
            // Another name of the same file.
            assert!(PathLock::take(&link).is_err());
            assert!(PathLock::take(&folder.path().join("other")).is_ok());
            drop(held);
        }
        std::fs::remove_file(&link).expect("removed");
        assert_eq!(std::fs::read_dir(folder.path()).expect("read").count(), 0);
    }

    #[test]
    fn devices_and_missing_folders_have_no_lock() {
        let null = std::path::Path::new("/dev/null");
        assert!(matches!(PathLock::take(null), Ok(None)));
        let missing = std::path::Path::new("/nowhere/search");
        assert!(matches!(PathLock::take(missing), Ok(None)));
    }
}
