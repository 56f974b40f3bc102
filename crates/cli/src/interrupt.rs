//! Ctrl-C and SIGTERM: the first one asks the run to end with what is known, the second one ends the program.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// A second signal within this time is the same wish: `timeout` sends its signal to the program and to its group.
const SAME: Duration = Duration::from_millis(500);

/// The flag that a signal sets; searches look at it now and then.
pub fn install() -> Arc<AtomicBool> {
    let cancel = Arc::new(AtomicBool::new(false));
    let flag = Arc::clone(&cancel);
    let mut first: Option<Instant> = None;
    let outcome = ctrlc::set_handler(move || {
        flag.store(true, Ordering::SeqCst);
        match first {
            None => {
                first = Some(Instant::now());
                crate::output::message("stopping; once more ends the program at once");
            }
            // 128 + SIGINT, as shells report it.
            Some(first) if first.elapsed() >= SAME => std::process::exit(130),
            Some(_) => {}
        }
    });
    if let Err(error) = outcome {
        crate::output::message(&format!("note: Ctrl-C will not be handled: {error}"));
    }
    cancel
}
