//! Ctrl-C and SIGTERM: the first one asks the run to end with what is known, the second one ends the program.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// The flag that a signal sets; searches look at it now and then.
pub fn install() -> Arc<AtomicBool> {
    let cancel = Arc::new(AtomicBool::new(false));
    let flag = Arc::clone(&cancel);
    let outcome = ctrlc::set_handler(move || {
        if flag.swap(true, Ordering::SeqCst) {
            // 128 + SIGINT, as shells report it.
            std::process::exit(130);
        }
        crate::output::message("stopping; once more ends the program at once");
    });
    if let Err(error) = outcome {
        crate::output::message(&format!("note: Ctrl-C will not be handled: {error}"));
    }
    cancel
}
