//! Writes answers to standard output, messages to standard error, and files whole or not at all.

mod disk;
mod file;
mod lock;

pub use file::{AtomicFile, is_special};
pub use lock::PathLock;

use std::io::{ErrorKind, Write};

use anstyle::{AnsiColor, Style};

/// Why an answer could not be written.
#[derive(Debug)]
pub enum OutputError {
    /// The reader went away, as `head` does; nobody is there to tell.
    Closed,
    /// Anything else, such as a full disk.
    Failed(std::io::Error),
}

impl From<std::io::Error> for OutputError {
    fn from(error: std::io::Error) -> OutputError {
        match error.kind() {
            ErrorKind::BrokenPipe => OutputError::Closed,
            _ => OutputError::Failed(error),
        }
    }
}

/// Writes text with colours to standard output; they are left out where it does not go to a terminal.
pub fn print_styled(text: &str) -> Result<(), OutputError> {
    let mut stream = anstream::stdout().lock();
    stream.write_all(text.as_bytes())?;
    Ok(stream.flush()?)
}

/// Writes text to standard output as it is.
pub fn print_plain(text: &str) -> Result<(), OutputError> {
    let mut stream = std::io::stdout().lock();
    stream.write_all(text.as_bytes())?;
    Ok(stream.flush()?)
}

/// Writes a whole file or nothing; the error is a sentence.
pub fn write_file(path: &std::path::Path, text: &str) -> Result<(), String> {
    let write = || {
        let mut file = AtomicFile::create(path)?;
        file.write_all(text.as_bytes())?;
        file.flush()?;
        file.commit()
    };
    write().map_err(|error| format!("cannot write {}: {error}", path.display()))
}

/// Writes a line to standard error. Nothing can be done where that fails.
pub fn message(text: &str) {
    let _ = writeln!(anstream::stderr().lock(), "{text}");
}

/// Writes an error without a place in a model.
pub fn error(text: &str) {
    let style = Style::new().bold().fg_color(Some(AnsiColor::Red.into()));
    message(&format!("{style}error{style:#}: {text}"));
}

/// Writes a warning without a place in a model.
pub fn warning(text: &str) {
    let style = Style::new().bold().fg_color(Some(AnsiColor::Yellow.into()));
    message(&format!("{style}warning{style:#}: {text}"));
}

/// Tells the user that an answer was lost, unless nobody reads it any more.
pub fn report(problem: &OutputError) {
    if let OutputError::Failed(cause) = problem {
        error(&format!("cannot write the output: {cause}"));
    }
}
