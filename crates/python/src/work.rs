//! Work on a thread of its own, while the calling thread looks after Python.

use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use pyo3::prelude::*;

use crate::errors::{internal, no_thread};

/// The stack of the thread that does the work, in MiB, tried in this order: nested models make deep recursions, but a
/// machine with little address space should still be able to run small ones.
const STACK_SIZES: [usize; 3] = [512, 64, 8];

/// How often the calling thread looks for signals, such as Ctrl-C.
const LOOK: Duration = Duration::from_millis(50);

/// How long work may go on after it was told to end: what does not look at limits is left behind.
const GRACE: Duration = Duration::from_secs(3);

/// What the working thread says: how far it is, or what came out.
enum Word<P, T> {
    Progress(P),
    Done(T),
}

/// Hands on how far the work is.
pub struct Teller<P, T> {
    sender: Sender<Word<P, T>>,
}

impl<P, T> Teller<P, T> {
    pub fn tell(&self, progress: P) {
        // Nobody listens any more where the work was left behind.
        let _ = self.sender.send(Word::Progress(progress));
    }
}

/// Whoever may end the work early.
pub struct Ends<'e> {
    /// Tells the work to end.
    pub cancel: &'e dyn Fn(),
    /// From when on the work should have ended by itself.
    pub deadline: Option<Instant>,
}

/// How the work came to its end.
pub enum Outcome<T> {
    Done(T),
    /// It goes on somewhere, and nobody waits for it any more: the time was long over.
    Left,
}

/// Does something that takes time, without the interpreter's lock. Signals are looked after: what they raise ends the work,
/// as does an exception of `observe`.
pub fn watched<P: Send + 'static, T: Send + 'static>(
    py: Python<'_>,
    ends: &Ends<'_>,
    observe: &mut dyn FnMut(Python<'_>, P) -> PyResult<()>,
    work: impl FnOnce(&Teller<P, T>) -> T + Send + 'static,
) -> PyResult<Outcome<T>> {
    let (sender, receiver) = channel();
    let thread = py.detach(|| start(sender, work)).ok_or_else(no_thread)?;
    let mut raised: Option<(PyErr, Instant)> = None;
    let receiver = Mutex::new(receiver);
    loop {
        let word = py.detach(|| next(&receiver));
        match word {
            Ok(Word::Done(result)) => {
                return match raised {
                    Some((error, _)) => Err(error),
                    None => Ok(Outcome::Done(result)),
                };
            }
            Ok(Word::Progress(progress)) if raised.is_none() => {
                if let Err(error) = observe(py, progress) {
                    (ends.cancel)();
                    raised = Some((error, Instant::now()));
                }
            }
            Ok(Word::Progress(_)) => {}
            Err(RecvTimeoutError::Timeout) => {}
            Err(RecvTimeoutError::Disconnected) => {
                let reason = py.detach(|| panic_message(thread));
                return Err(internal(&format!(
                    "internal error: {reason}. Please report it, with the model if you can"
                )));
            }
        }
        if let (None, Err(error)) = (&raised, py.check_signals()) {
            (ends.cancel)();
            raised = Some((error, Instant::now()));
        }
        if raised
            .as_ref()
            .is_some_and(|(_, since)| since.elapsed() > GRACE)
        {
            return Err(raised.map_or_else(|| internal("nothing was raised"), |(error, _)| error));
        }
        if ends
            .deadline
            .is_some_and(|end| Instant::now() > end + GRACE)
        {
            (ends.cancel)();
            return Ok(Outcome::Left);
        }
    }
}

/// Does something that takes time and tells nothing.
pub fn unlocked<T: Send + 'static>(
    py: Python<'_>,
    work: impl FnOnce() -> T + Send + 'static,
) -> PyResult<T> {
    let ends = Ends {
        cancel: &|| {},
        deadline: None,
    };
    match watched(py, &ends, &mut |_, ()| Ok(()), |_| work())? {
        Outcome::Done(result) => Ok(result),
        Outcome::Left => Err(internal("work without a deadline was left")),
    }
}

fn next<P, T>(receiver: &Mutex<Receiver<Word<P, T>>>) -> Result<Word<P, T>, RecvTimeoutError> {
    match receiver.lock() {
        Ok(receiver) => receiver.recv_timeout(LOOK),
        Err(_) => Err(RecvTimeoutError::Disconnected),
    }
}

fn start<P: Send + 'static, T: Send + 'static>(
    sender: Sender<Word<P, T>>,
    work: impl FnOnce(&Teller<P, T>) -> T + Send + 'static,
) -> Option<std::thread::JoinHandle<()>> {
    let slot = Arc::new(Mutex::new(Some((sender, work))));
    STACK_SIZES.into_iter().find_map(|mebibytes| {
        let slot = Arc::clone(&slot);
        std::thread::Builder::new()
            .name("merkhet".into())
            .stack_size(mebibytes << 20)
            .spawn(move || {
                let Some((sender, work)) = slot.lock().ok().and_then(|mut slot| slot.take()) else {
                    return;
                };
                let teller = Teller { sender };
                let result = work(&teller);
                let _ = teller.sender.send(Word::Done(result));
            })
            .ok()
    })
}

fn panic_message(thread: std::thread::JoinHandle<()>) -> String {
    match thread.join() {
        Ok(()) => "the work ended without a result".into(),
        Err(payload) => (payload.downcast_ref::<String>().cloned())
            .or_else(|| {
                payload
                    .downcast_ref::<&str>()
                    .map(|text| (*text).to_owned())
            })
            .unwrap_or_else(|| "a panic without words".into()),
    }
}
