//! Checkpoint files: a search that can go on after the program was killed.
//!
//! A file has a first line, what tells the search from others (model, query and options), what the search wrote, and at
//! its end the length and a checksum of all that. It is written next to its final name and renamed when it is complete, so that a
//! kill at any moment leaves the last complete one.

pub mod parts;

use std::fs::File;
use std::io::{self, BufReader, Read, Seek, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use merkhet::{Identity, Keeper};

use crate::output::{self, AtomicFile};
use crate::writing::Writing;

const MAGIC: &[u8; 24] = b"merkhet checkpoint 4    ";
const HEAD: u64 = 24 + 8;
const FOOT: u64 = 8 + 8;

/// Keeps a search in a file.
pub struct CheckpointFile {
    path: PathBuf,
    every: Duration,
    last: Instant,
    identity: Identity,
    resume: bool,
    /// Why the file could not be read.
    pub problem: Option<String>,
    /// Whether a checkpoint was written.
    written: bool,
    /// What kept later ones from being written; each is told once.
    failures: Vec<io::ErrorKind>,
    /// Whether the last one could not be written.
    failed: bool,
    /// Where others see how far it has come.
    writing: Arc<Writing>,
}

/// Whether a file that begins so is a checkpoint, of this version or another.
pub fn is_checkpoint(beginning: &[u8]) -> bool {
    beginning.starts_with(b"merkhet checkpoint ")
}

impl CheckpointFile {
    /// Keeps this search in a file, now and then; `resume` begins with what it holds.
    pub fn new(
        path: &Path,
        every: Duration,
        identity: Identity,
        resume: bool,
        writing: Arc<Writing>,
    ) -> CheckpointFile {
        CheckpointFile {
            path: path.to_owned(),
            every,
            last: Instant::now(),
            identity,
            resume,
            problem: None,
            written: false,
            failures: Vec::new(),
            failed: false,
            writing,
        }
    }

    /// What the user should know of checkpoints that could not be written.
    pub fn lost(&self) -> Option<String> {
        let name = self.path.display();
        match (self.failed, self.written) {
            (false, _) => None,
            (true, false) => Some(format!("no checkpoint could be written to {name}")),
            (true, true) => Some(format!(
                "the checkpoint {name} is not the last one: later ones could not be written"
            )),
        }
    }

    /// Opens the file behind its head, if it is whole and belongs to this search.
    fn open(&self) -> Result<BufReader<File>, String> {
        let name = self.path.display();
        let unreadable = |error: io::Error| format!("cannot read the checkpoint {name}: {error}");
        if output::is_special(&self.path) {
            return Err(format!(
                "cannot read the checkpoint {name}: it is no ordinary file"
            ));
        }
        let mut file = File::open(&self.path).map_err(unreadable)?;
        let length = file.metadata().map_err(unreadable)?.len();
        let mut head = [0; HEAD as usize];
        let torn =
            || format!("the checkpoint {name} is not complete or damaged; start without --resume");
        if length < HEAD + FOOT {
            return Err(torn());
        }
        file.read_exact(&mut head).map_err(unreadable)?;
        if !head.starts_with(MAGIC) {
            return Err(format!("{name} is no checkpoint of this version"));
        }
        let body = length - HEAD - FOOT;
        let mut hash = Hash::default();
        hash.update(&head);
        let mut reader = BufReader::new(&file);
        let copied = io::copy(&mut reader.by_ref().take(body), &mut hash).map_err(unreadable)?;
        let mut foot = [0; FOOT as usize];
        reader.read_exact(&mut foot).map_err(unreadable)?;
        let number = |at: usize| {
            let mut bytes = [0; 8];
            bytes.copy_from_slice(&foot[at..at + 8]);
            u64::from_le_bytes(bytes)
        };
        if copied != body || number(0) != body || number(8) != hash.0 {
            return Err(torn());
        }
        file.seek(io::SeekFrom::Start(HEAD)).map_err(unreadable)?;
        let mut reader = BufReader::new(file);
        let mut size = [0; 8];
        size.copy_from_slice(&head[MAGIC.len()..]);
        let mut written = String::new();
        let of_identity = reader.by_ref().take(u64::from_le_bytes(size));
        { of_identity }
            .read_to_string(&mut written)
            .map_err(unreadable)?;
        match self.identity.difference(&Identity::read(&written)) {
            None => Ok(reader),
            Some(difference) => Err(format!(
                "the checkpoint {name} is of another search: {difference}. Go on with what it was made with, or remove it \
                 and begin anew without --resume"
            )),
        }
    }

    fn write(&self, body: &mut dyn FnMut(&mut dyn Write) -> io::Result<()>) -> io::Result<()> {
        let mut file = AtomicFile::create_at_once(&self.path)?;
        let mut hashing = Hashing::new(&mut file, &self.writing);
        hashing.write_all(MAGIC)?;
        let identity = self.identity.to_string();
        hashing.write_all(&(identity.len() as u64).to_le_bytes())?;
        hashing.length = 0;
        hashing.write_all(identity.as_bytes())?;
        body(&mut hashing)?;
        let (length, hash) = (hashing.length, hashing.hash.0);
        file.write_all(&length.to_le_bytes())?;
        file.write_all(&hash.to_le_bytes())?;
        file.flush()?;
        file.commit()
    }
}

impl Keeper for CheckpointFile {
    fn due(&mut self) -> bool {
        self.last.elapsed() >= self.every
    }

    fn keep(&mut self, body: &mut dyn FnMut(&mut dyn Write) -> io::Result<()>) -> io::Result<()> {
        // A search is worth more than what is written down of it: it goes on without.
        self.writing.begin();
        let written = self.write(body);
        self.writing.end(written.is_ok());
        match written {
            Ok(()) => (self.written, self.failed) = (true, false),
            Err(error) => {
                self.failed = true;
                if !self.failures.contains(&error.kind()) {
                    self.failures.push(error.kind());
                    let name = self.path.display();
                    output::warning(&format!(
                        "cannot write the checkpoint {name}: {error}; the search goes on"
                    ));
                }
            }
        }
        self.last = Instant::now();
        Ok(())
    }

    fn resumed(&mut self) -> io::Result<Option<Box<dyn Read + '_>>> {
        if !self.resume {
            return Ok(None);
        }
        match self.open() {
            Ok(reader) => Ok(Some(Box::new(reader))),
            Err(message) => {
                self.problem = Some(message.clone());
                Err(io::Error::new(io::ErrorKind::InvalidData, message))
            }
        }
    }
}

/// FNV-1a over eight bytes at a time: not against malice, but against torn and mixed-up files.
pub(crate) struct Hash(u64);

impl Default for Hash {
    fn default() -> Hash {
        Hash(0xcbf2_9ce4_8422_2325)
    }
}

impl Hash {
    pub(crate) fn value(&self) -> u64 {
        self.0
    }

    pub(crate) fn update(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.0 = (self.0 ^ u64::from(*byte)).wrapping_mul(0x0000_0100_0000_01b3);
        }
    }
}

impl Write for Hash {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.update(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

struct Hashing<'w> {
    hash: Hash,
    length: u64,
    inner: &'w mut AtomicFile,
    writing: &'w Writing,
}

impl<'w> Hashing<'w> {
    fn new(inner: &'w mut AtomicFile, writing: &'w Writing) -> Hashing<'w> {
        Hashing {
            hash: Hash::default(),
            length: 0,
            inner,
            writing,
        }
    }

    /// The length of what was written, and its digest.
    fn done(self) -> (u64, u64) {
        (self.length, self.hash.0)
    }
}

impl Write for Hashing<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let written = self.inner.write(bytes)?;
        self.hash.update(&bytes[..written]);
        self.length += written as u64;
        self.writing.more(written);
        Ok(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.inner.flush()
    }
}

#[cfg(test)]
mod tests {
    use super::CheckpointFile;
    use merkhet::{Identity, Keeper};
    use std::io::Read;
    use std::path::Path;
    use std::sync::Arc;
    use std::time::Duration;

    fn file(path: &Path, seed: u64) -> CheckpointFile {
        let identity = Identity::read(&format!("--seed\t{seed}\n"));
        CheckpointFile::new(path, Duration::ZERO, identity, true, Arc::default())
    }

    fn contents(path: &Path, seed: u64) -> Result<Vec<u8>, String> {
        let mut keeper = file(path, seed);
        let mut bytes = Vec::new();
        let read = keeper
            .resumed()
            .map(|reader| reader.map(|mut reader| reader.read_to_end(&mut bytes)));
        match read {
            // The foot follows the body; the search does not read it.
            Ok(Some(Ok(length))) => Ok(bytes[..length - 16].to_vec()),
            Ok(other) => panic!(
                "{:?}",
                other.map(|outcome| outcome.map_err(|error| error.to_string()))
            ),
            Err(_) => Err(keeper.problem.unwrap_or_default()),
        }
    }

    #[test]
    fn what_is_kept_comes_back_and_nothing_else() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("search");
        file(&path, 7)
            .keep(&mut |out| out.write_all(b"states"))
            .expect("kept");
        assert_eq!(contents(&path, 7), Ok(b"states".to_vec()));
        assert!(
            contents(&path, 8).is_err_and(|message| message.contains("it was made with --seed 7"))
        );
        let whole = std::fs::read(&path).expect("read");
        for cut in 0..whole.len() {
            std::fs::write(&path, &whole[..cut]).expect("written");
            assert!(contents(&path, 7).is_err(), "cut at {cut}");
        }
        for at in 0..whole.len() {
            let mut wrong = whole.clone();
            wrong[at] ^= 1;
            std::fs::write(&path, &wrong).expect("written");
            assert!(contents(&path, 7).is_err(), "changed at {at}");
        }
    }
}
