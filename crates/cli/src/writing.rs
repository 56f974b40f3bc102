//! What the thread of the search tells the guard of a checkpoint: whether one is being written, and how far it has come.

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};

use crate::output::{self, PathLock};

/// A checkpoint that was asked for, as it can be seen from another thread.
#[derive(Debug, Default)]
pub struct Writing {
    path: Option<PathBuf>,
    at_work: AtomicBool,
    bytes: AtomicU64,
    complete: AtomicU64,
    /// Keeps other runs away from the file.
    lock: Mutex<Option<PathLock>>,
}

/// What is there to go on from.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Saved {
    /// No checkpoint was asked for.
    #[default]
    NotAsked,
    /// One was asked for, and there is none.
    Missing,
    /// There is one.
    There,
}

impl Saved {
    /// Looks whether there is a checkpoint under its name.
    pub fn look(path: Option<&Path>) -> Saved {
        match path.map(std::fs::metadata) {
            None => Saved::NotAsked,
            // Neither a pipe nor a device gives back what was written.
            Some(Ok(known)) if known.is_file() && known.len() > 0 => Saved::There,
            Some(_) => Saved::Missing,
        }
    }
}

impl Writing {
    /// For a run whose checkpoints go to this file, if it has any.
    pub fn new(path: Option<&Path>) -> Writing {
        Writing {
            path: path.map(Path::to_owned),
            ..Writing::default()
        }
    }

    /// Keeps other runs away from the file until [`Writing::release`]. The error is a sentence.
    pub fn lock(&self) -> Result<(), String> {
        let Some(path) = &self.path else {
            return Ok(());
        };
        let taken = PathLock::take(path).map_err(|_| {
            let name = path.display();
            format!("--checkpoint {name}: another run is writing it; give another name, or wait for that run")
        })?;
        *self.lock.lock().unwrap_or_else(PoisonError::into_inner) = taken;
        Ok(())
    }

    /// Lets other runs write the file.
    pub fn release(&self) {
        *self.lock.lock().unwrap_or_else(PoisonError::into_inner) = None;
    }

    /// A checkpoint is begun.
    pub fn begin(&self) {
        self.at_work.store(true, Ordering::SeqCst);
    }

    /// Notes that more bytes of it are written.
    pub fn more(&self, bytes: usize) {
        // Only one thread writes; the other one looks whether the number has changed.
        let before = self.bytes.load(Ordering::Relaxed);
        self.bytes.store(before + bytes as u64, Ordering::Relaxed);
    }

    /// It has its name, or could not be written.
    pub fn end(&self, complete: bool) {
        if complete {
            self.complete.fetch_add(1, Ordering::SeqCst);
        }
        self.at_work.store(false, Ordering::SeqCst);
    }

    /// Whether one is being written.
    pub fn at_work(&self) -> bool {
        self.at_work.load(Ordering::SeqCst)
    }

    /// Something that changes whenever there is progress.
    pub fn progress(&self) -> (u64, u64) {
        let complete = self.complete.load(Ordering::SeqCst);
        (self.bytes.load(Ordering::Relaxed), complete)
    }

    /// Tells the user what is being waited for.
    pub fn tell(&self) {
        if let Some(path) = &self.path {
            output::message(&format!("writing the checkpoint {}", path.display()));
        }
    }

    /// What the user should know where the program is ended before the search could write its last checkpoint.
    pub fn lost(&self) -> Option<String> {
        let path = self.path.as_deref()?;
        let name = path.display();
        Some(match Saved::look(Some(path)) {
            Saved::There => format!(
                "the checkpoint {name} is an older one: what was explored after it is not in it"
            ),
            _ => format!("no checkpoint was written to {name}"),
        })
    }
}
