//! Checkpoints of several processes: a folder with a part for each and one head.
//!
//! A part is written next to its name and renamed when it is whole. When all processes have written theirs, the first one writes the
//! head, which names them with their lengths and digests, and renames it over the one before; only then are older parts removed.
//! So a kill at any moment leaves a head whose parts are all there.

use std::fs::File;
use std::io::{self, BufReader, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use merkhet::{Identity, PartKeeper};

use super::{Hash, Hashing};
use crate::output::{self, AtomicFile};
use crate::writing::Writing;

/// The first line of a head.
const MAGIC: &str = "merkhet checkpoint of several processes 1";

/// The head within the folder.
pub fn head_of(folder: &Path) -> PathBuf {
    folder.join("checkpoint")
}

/// Keeps the part of one process, and in the first one the head.
pub struct PartFiles {
    folder: PathBuf,
    every: Duration,
    last: Instant,
    identity: Identity,
    resume: bool,
    number: usize,
    count: usize,
    /// The names of parts differ from one checkpoint to the next.
    sequence: u64,
    writing: Arc<Writing>,
}

/// A part as a head names it.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Entry {
    name: String,
    length: u64,
    digest: u64,
}

impl Entry {
    fn line(&self) -> String {
        format!("{}\t{}\t{:016x}", self.name, self.length, self.digest)
    }

    fn read(line: &str) -> Option<Entry> {
        let mut parts = line.split('\t');
        let entry = Entry {
            name: parts.next()?.to_owned(),
            length: parts.next()?.parse().ok()?,
            digest: u64::from_str_radix(parts.next()?, 16).ok()?,
        };
        // It is looked for in the folder only.
        let plain = !entry.name.is_empty() && !entry.name.contains(['/', '\\']);
        (parts.next().is_none() && plain).then_some(entry)
    }
}

impl PartFiles {
    /// Keeps a search in a folder, as one of several processes; `resume` begins with what is there.
    pub fn new(
        folder: &Path,
        every: Duration,
        identity: Identity,
        resume: bool,
        (number, count): (usize, usize),
        writing: Arc<Writing>,
    ) -> PartFiles {
        PartFiles {
            folder: folder.to_owned(),
            every,
            last: Instant::now(),
            identity,
            resume,
            number,
            count,
            sequence: 0,
            writing,
        }
    }

    /// The parts that the head names.
    fn head(&self) -> Result<Vec<Entry>, String> {
        let path = head_of(&self.folder);
        let name = path.display();
        let text = std::fs::read_to_string(&path)
            .map_err(|error| format!("cannot read the checkpoint {name}: {error}"))?;
        let torn =
            || format!("the checkpoint {name} is not complete or damaged; start without --resume");
        let rest = text
            .strip_prefix(MAGIC)
            .and_then(|rest| rest.strip_prefix('\n'))
            .ok_or_else(|| {
                format!("{name} is no checkpoint of several processes of this version")
            })?;
        let whole = rest.strip_suffix('\n').ok_or_else(torn)?;
        let (body, digest) = whole.rsplit_once('\n').ok_or_else(torn)?;
        let mut hash = Hash::default();
        hash.update(body.as_bytes());
        if digest != format!("{:016x}", hash.value()) {
            return Err(torn());
        }
        let (identity, parts) = body.split_once("\n\n").ok_or_else(torn)?;
        if let Some(difference) = self.identity.difference(&Identity::read(identity)) {
            return Err(format!(
                "the checkpoint {name} is of another search: {difference}. Go on with what it was made with, or remove it \
                 and begin anew without --resume"
            ));
        }
        let parts: Option<Vec<Entry>> = parts.lines().map(Entry::read).collect();
        parts.filter(|parts| !parts.is_empty()).ok_or_else(torn)
    }

    fn write(
        &self,
        name: &str,
        body: &mut dyn FnMut(&mut dyn Write) -> io::Result<()>,
    ) -> io::Result<Entry> {
        std::fs::create_dir_all(&self.folder)?;
        let mut file = AtomicFile::create_at_once(&self.folder.join(name))?;
        let mut hashing = Hashing::new(&mut file, &self.writing);
        let written = body(&mut hashing);
        let (length, digest) = hashing.done();
        written?;
        file.flush()?;
        file.commit()?;
        Ok(Entry {
            name: name.to_owned(),
            length,
            digest,
        })
    }

    /// Removes the parts that no head names any more: those of the head before, and of checkpoints that were not completed.
    fn clean(&self, parts: &[Entry]) {
        let entries = std::fs::read_dir(&self.folder)
            .into_iter()
            .flatten()
            .flatten();
        for entry in entries {
            let name = entry.file_name().to_string_lossy().into_owned();
            let ours = name.starts_with("part-") && name.contains("-of-");
            if ours && parts.iter().all(|part| part.name != name) {
                let _ = std::fs::remove_file(entry.path());
            }
        }
    }

    fn write_head(&self, parts: &[Entry]) -> io::Result<()> {
        let lines: Vec<String> = parts.iter().map(Entry::line).collect();
        let body = format!("{}\n{}", self.identity, lines.join("\n"));
        let mut hash = Hash::default();
        hash.update(body.as_bytes());
        let mut file = AtomicFile::create_at_once(&head_of(&self.folder))?;
        file.write_all(format!("{MAGIC}\n{body}\n{:016x}\n", hash.value()).as_bytes())?;
        file.flush()?;
        file.commit()
    }
}

impl PartKeeper for PartFiles {
    fn due(&mut self) -> bool {
        self.last.elapsed() >= self.every
    }

    fn keep(&mut self, body: &mut dyn FnMut(&mut dyn Write) -> io::Result<()>) -> Vec<u8> {
        self.writing.begin();
        self.sequence += 1;
        // The same name never means two contents, also after a resumption.
        let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH);
        let stamp = now.map_or(0, |now| now.as_millis());
        let name = format!(
            "part-{}-of-{}.{stamp}.{}",
            self.number, self.count, self.sequence
        );
        let written = self.write(&name, body);
        self.last = Instant::now();
        if self.number > 0 {
            self.writing.end(written.is_ok());
        }
        match written {
            Ok(entry) => entry.line().into_bytes(),
            Err(error) => {
                let folder = self.folder.display();
                output::warning(&format!(
                    "process {}: cannot write its part of the checkpoint {folder}: {error}; the search goes on",
                    self.number
                ));
                Vec::new()
            }
        }
    }

    fn complete(&mut self, parts: &[Vec<u8>]) {
        let read = |part: &Vec<u8>| Entry::read(std::str::from_utf8(part).ok()?);
        let parts: Option<Vec<Entry>> = parts.iter().map(read).collect();
        let written = parts.is_some_and(|parts| match self.write_head(&parts) {
            Ok(()) => {
                self.clean(&parts);
                true
            }
            Err(error) => {
                let folder = self.folder.display();
                output::warning(&format!(
                    "cannot write the head of the checkpoint {folder}: {error}; the search goes on"
                ));
                false
            }
        });
        self.writing.end(written);
    }

    fn resumed(&mut self) -> io::Result<Option<Vec<Box<dyn Read>>>> {
        if !self.resume {
            return Ok(None);
        }
        let wrong = |message: String| io::Error::new(io::ErrorKind::InvalidData, message);
        let parts = self.head().map_err(wrong)?;
        let open = |entry: Entry| -> Box<dyn Read> {
            Box::new(Part {
                path: self.folder.join(&entry.name),
                entry,
                file: None,
            })
        };
        Ok(Some(parts.into_iter().map(open).collect()))
    }
}

/// A part that is opened, and looked at as a whole, when somebody reads it.
struct Part {
    path: PathBuf,
    entry: Entry,
    file: Option<BufReader<File>>,
}

impl Part {
    fn open(&self) -> io::Result<BufReader<File>> {
        let name = self.path.display();
        let wrong = |message: String| io::Error::new(io::ErrorKind::InvalidData, message);
        let mut file = File::open(&self.path)
            .map_err(|error| wrong(format!("cannot read the checkpoint {name}: {error}")))?;
        let mut hash = Hash::default();
        let length = io::copy(&mut BufReader::new(&file), &mut hash)?;
        if (length, hash.value()) != (self.entry.length, self.entry.digest) {
            return Err(wrong(format!(
                "the checkpoint {name} is not complete or damaged; start without --resume"
            )));
        }
        file.seek(SeekFrom::Start(0))?;
        Ok(BufReader::new(file))
    }
}

impl Read for Part {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.file.is_none() {
            self.file = Some(self.open()?);
        }
        self.file.as_mut().map_or(Ok(0), |file| file.read(buffer))
    }
}

#[cfg(test)]
mod tests {
    use super::{PartFiles, head_of};
    use merkhet::{Identity, PartKeeper};
    use std::io::Read;
    use std::path::Path;
    use std::sync::Arc;
    use std::time::Duration;

    fn part(folder: &Path, number: usize, seed: u64) -> PartFiles {
        let identity = Identity::read(&format!("--seed\t{seed}\n"));
        let place = (number, 2);
        PartFiles::new(
            folder,
            Duration::ZERO,
            identity,
            true,
            place,
            Arc::default(),
        )
    }

    fn contents(folder: &Path, seed: u64) -> Result<Vec<Vec<u8>>, String> {
        let parts = part(folder, 0, seed).resumed();
        let parts = parts.map_err(|error| error.to_string())?.expect("parts");
        let all = |mut part: Box<dyn Read>| {
            let mut bytes = Vec::new();
            let read = part.read_to_end(&mut bytes);
            read.map(|_| bytes).map_err(|error| error.to_string())
        };
        parts.into_iter().map(all).collect()
    }

    #[test]
    fn a_head_names_whole_parts_or_is_refused() {
        let folder = tempfile::tempdir().expect("a folder");
        let folder = folder.path();
        let (mut first, mut second) = (part(folder, 0, 7), part(folder, 1, 7));
        let write = |keeper: &mut PartFiles, text: &str| {
            keeper.keep(&mut |out| out.write_all(text.as_bytes()))
        };
        let parts = [write(&mut first, "one"), write(&mut second, "two")];
        assert!(contents(folder, 7).is_err(), "without a head");
        first.complete(&parts);
        assert_eq!(
            contents(folder, 7),
            Ok(vec![b"one".to_vec(), b"two".to_vec()])
        );
        assert!(contents(folder, 8).is_err_and(|why| why.contains("it was made with --seed 7")));
        // The next one, of which a part is missing, changes nothing; a complete one takes its place.
        let parts = [write(&mut first, "three"), Vec::new()];
        first.complete(&parts);
        assert_eq!(
            contents(folder, 7),
            Ok(vec![b"one".to_vec(), b"two".to_vec()])
        );
        let parts = [write(&mut first, "five"), write(&mut second, "six")];
        first.complete(&parts);
        assert_eq!(
            contents(folder, 7),
            Ok(vec![b"five".to_vec(), b"six".to_vec()])
        );
        // Anything that is changed is noticed.
        for entry in std::fs::read_dir(folder).expect("a folder") {
            let path = entry.expect("an entry").path();
            let whole = std::fs::read(&path).expect("read");
            let named = contents(folder, 7).is_ok();
            assert!(named);
            for at in 0..whole.len() {
                let mut wrong = whole.clone();
                wrong[at] ^= 1;
                std::fs::write(&path, &wrong).expect("written");
                let read = contents(folder, 7);
                assert!(read.is_err(), "{} at {at}", path.display());
            }
            std::fs::write(&path, &whole).expect("written");
        }
        assert!(head_of(folder).is_file());
    }
}
