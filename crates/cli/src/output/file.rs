//! Files that appear complete or not at all.

use std::fs::{File, OpenOptions};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use super::disk::{self, AT_ONCE, Disk};

/// A file that is being written and gets its name only when it is complete.
///
/// Where the system allows it (Linux), the file has no name at all until then, so that not even `kill -9` leaves a part
/// of it behind; elsewhere a temporary name next to the final one is used, and removed when writing fails.
///
/// A target that is no ordinary file (a pipe, `/dev/stdout`) is written as it is; a link leads to the file that is
/// replaced.
pub struct AtomicFile {
    target: PathBuf,
    temporary: PathBuf,
    /// Whether the file stands under its temporary name.
    named: bool,
    /// Whether the target itself is being written.
    direct: bool,
    writer: Option<BufWriter<Disk>>,
    /// What may not have reached the disk yet.
    unsynced: usize,
}

/// Bytes that are written before they must have reached the disk. All at once at the end, a large file would seem to stand still.
const SLICE: usize = 16 << 20;

impl AtomicFile {
    /// Starts a file that will replace `target`.
    pub fn create(target: &Path) -> io::Result<AtomicFile> {
        let Some(name) = target.file_name() else {
            return Err(io::Error::new(
                io::ErrorKind::InvalidInput,
                "not the name of a file",
            ));
        };
        if target.is_dir() {
            return Err(io::Error::new(
                io::ErrorKind::IsADirectory,
                "it is a folder",
            ));
        }
        if target.metadata().is_ok_and(|known| !known.is_file()) {
            return AtomicFile::direct(target);
        }
        let mut temporary_name = std::ffi::OsString::from(".");
        temporary_name.push(name);
        temporary_name.push(format!(".{}.tmp", std::process::id()));
        let target = &resolved(target);
        let temporary = folder(target).join(temporary_name);
        let (file, named) = match unnamed(folder(target)) {
            Some(file) => (file, false),
            None => (
                OpenOptions::new()
                    .write(true)
                    .create_new(true)
                    .open(&temporary)?,
                true,
            ),
        };
        let writer = Some(buffered(file));
        Ok(AtomicFile {
            target: target.to_owned(),
            temporary,
            named,
            direct: false,
            writer,
            unsynced: 0,
        })
    }

    /// As [`AtomicFile::create`], but a named pipe that nobody reads is an error: it is not waited for.
    pub fn create_at_once(target: &Path) -> io::Result<AtomicFile> {
        match is_pipe(target) {
            true => Ok(AtomicFile::through(target, open_read_pipe(target)?)),
            false => AtomicFile::create(target),
        }
    }

    fn direct(target: &Path) -> io::Result<AtomicFile> {
        let file = OpenOptions::new().write(true).open(target)?;
        Ok(AtomicFile::through(target, file))
    }

    fn through(target: &Path, file: File) -> AtomicFile {
        AtomicFile {
            target: target.to_owned(),
            temporary: PathBuf::new(),
            named: false,
            direct: true,
            writer: Some(buffered(file)),
            unsynced: 0,
        }
    }

    /// Makes the file appear under its name, with all of its contents on the disk.
    pub fn commit(mut self) -> io::Result<()> {
        let Some(writer) = self.writer.take() else {
            return Ok(());
        };
        let file = writer
            .into_inner()
            .map_err(io::IntoInnerError::into_error)?;
        if self.direct {
            return Ok(());
        }
        file.sync_all()?;
        if !self.named {
            // A new file gets its own name at once: nothing stands under another one, at no moment. Only a file that
            // replaces one passes, complete, through a temporary name.
            match give_name(file.file(), &self.target) {
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
                other => return other,
            }
            give_name(file.file(), &self.temporary)?;
            self.named = true;
        }
        disk::rename(&self.temporary, &self.target)?;
        self.named = false;
        Ok(())
    }
}

impl Write for AtomicFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let Some(writer) = self.writer.as_mut() else {
            return Ok(bytes.len());
        };
        let written = writer.write(bytes)?;
        self.unsynced += written;
        if self.unsynced >= SLICE && !self.direct {
            writer.flush()?;
            writer.get_ref().sync_data()?;
            self.unsynced = 0;
        }
        Ok(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.writer.as_mut().map_or(Ok(()), Write::flush)
    }
}

impl Drop for AtomicFile {
    fn drop(&mut self) {
        if self.named {
            let _ = std::fs::remove_file(&self.temporary);
        }
    }
}

fn buffered(file: File) -> BufWriter<Disk> {
    BufWriter::with_capacity(AT_ONCE, Disk::new(file))
}

/// Links followed in a row; the system follows as many.
const LINKS: usize = 40;

/// Where a name leads, over links also to a file that is not there yet.
pub(super) fn resolved(target: &Path) -> PathBuf {
    let mut path = target.to_owned();
    for _ in 0..LINKS {
        if let Ok(found) = std::fs::canonicalize(&path) {
            return found;
        }
        let Ok(next) = std::fs::read_link(&path) else {
            return path;
        };
        path = folder(&path).join(next);
    }
    path
}

/// Whether a name leads to something that is no ordinary file, such as a pipe or a device.
pub fn is_special(path: &Path) -> bool {
    path.metadata().is_ok_and(|known| !known.is_file())
}

/// Opens a pipe for writing if somebody reads it.
#[cfg(target_os = "linux")]
fn open_read_pipe(path: &Path) -> io::Result<File> {
    use rustix::fs::{OFlags, fcntl_getfl, fcntl_setfl};
    use std::os::unix::fs::OpenOptionsExt;
    let waiting = OFlags::NONBLOCK;
    let opened = OpenOptions::new()
        .write(true)
        .custom_flags(waiting.bits() as i32)
        .open(path);
    let file = opened.map_err(|error| match error.raw_os_error() {
        Some(code) if code == rustix::io::Errno::NXIO.raw_os_error() => {
            io::Error::new(io::ErrorKind::NotConnected, "nobody reads the pipe")
        }
        _ => error,
    })?;
    let flags = fcntl_getfl(&file)?;
    fcntl_setfl(&file, flags - waiting)?;
    Ok(file)
}

#[cfg(not(target_os = "linux"))]
fn open_read_pipe(path: &Path) -> io::Result<File> {
    OpenOptions::new().write(true).open(path)
}

/// Whether a name leads to a named pipe.
#[cfg(unix)]
fn is_pipe(path: &Path) -> bool {
    use std::os::unix::fs::FileTypeExt;
    path.metadata()
        .is_ok_and(|known| known.file_type().is_fifo())
}

/// Whether a name leads to a named pipe.
#[cfg(not(unix))]
fn is_pipe(_path: &Path) -> bool {
    false
}

pub(super) fn folder(target: &Path) -> &Path {
    match target.parent() {
        Some(parent) if !parent.as_os_str().is_empty() => parent,
        _ => Path::new("."),
    }
}

/// A file without a name in this folder, where the file system can do that.
#[cfg(target_os = "linux")]
fn unnamed(folder: &Path) -> Option<File> {
    use std::os::unix::fs::OpenOptionsExt;
    let flags = rustix::fs::OFlags::TMPFILE.bits();
    OpenOptions::new()
        .write(true)
        .custom_flags(flags as i32)
        .open(folder)
        .ok()
}

#[cfg(not(target_os = "linux"))]
fn unnamed(_folder: &Path) -> Option<File> {
    None
}

#[cfg(target_os = "linux")]
fn give_name(file: &File, name: &Path) -> io::Result<()> {
    use rustix::fs::{AtFlags, CWD};
    use std::os::fd::AsRawFd;
    disk::goes_wrong()?;
    let handle = format!("/proc/self/fd/{}", file.as_raw_fd());
    rustix::fs::linkat(CWD, handle, CWD, name, AtFlags::SYMLINK_FOLLOW).map_err(io::Error::from)
}

#[cfg(not(target_os = "linux"))]
fn give_name(_file: &File, _name: &Path) -> io::Result<()> {
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::AtomicFile;
    use std::io::Write;

    fn names(folder: &std::path::Path) -> Vec<String> {
        let entries = std::fs::read_dir(folder).expect("a readable folder");
        entries
            .flatten()
            .map(|entry| entry.file_name().to_string_lossy().into_owned())
            .collect()
    }

    #[test]
    fn a_committed_file_replaces_the_old_one_and_leaves_nothing_else() {
        let folder = tempfile::tempdir().expect("a folder");
        let target = folder.path().join("proof");
        std::fs::write(&target, "old").expect("written");
        let mut file = AtomicFile::create(&target).expect("created");
        file.write_all(b"new").expect("written");
        assert_eq!(std::fs::read_to_string(&target).expect("read"), "old");
        file.commit().expect("committed");
        assert_eq!(std::fs::read_to_string(&target).expect("read"), "new");
        assert_eq!(names(folder.path()), ["proof"]);
    }

    #[test]
    fn an_abandoned_file_leaves_nothing() {
        let folder = tempfile::tempdir().expect("a folder");
        let mut file = AtomicFile::create(&folder.path().join("proof")).expect("created");
        file.write_all(b"half").expect("written");
        drop(file);
        assert!(names(folder.path()).is_empty());
    }

    #[cfg(unix)]
    #[test]
    fn links_and_devices_stay_what_they_are() {
        let folder = tempfile::tempdir().expect("a folder");
        let (file, link) = (folder.path().join("file"), folder.path().join("link"));
        std::fs::write(&file, "old").expect("written");
        std::os::unix::fs::symlink(&file, &link).expect("linked");
        let mut through = AtomicFile::create(&link).expect("created");
        through.write_all(b"new").expect("written");
        through.commit().expect("committed");
        assert!(link.is_symlink());
        assert_eq!(std::fs::read_to_string(&file).expect("read"), "new");
        // A link may also lead to what is not there yet.
        let (later, early) = (folder.path().join("later"), folder.path().join("early"));
        std::os::unix::fs::symlink("later", &early).expect("linked");
        let mut through = AtomicFile::create(&early).expect("created");
        through.write_all(b"now").expect("written");
        through.commit().expect("committed");
        assert!(early.is_symlink());
        assert_eq!(std::fs::read_to_string(&later).expect("read"), "now");
        let null = std::path::Path::new("/dev/null");
        let mut device = AtomicFile::create(null).expect("opened");
        device.write_all(b"gone").expect("written");
        device.commit().expect("committed");
        assert!(!null.metadata().expect("there").is_file());
    }

    #[test]
    fn impossible_targets_are_errors() {
        let folder = tempfile::tempdir().expect("a folder");
        assert!(AtomicFile::create(folder.path()).is_err());
        assert!(AtomicFile::create(&folder.path().join("missing/proof")).is_err());
        assert!(AtomicFile::create(std::path::Path::new("/")).is_err());
    }
}
