//! Reads the files that the user names.

use std::fs::File;
use std::io::Read;
use std::path::Path;

use merkhet_syntax::MAX_FILE_SIZE;

/// The bytes of a file, or a sentence that says why there are none.
///
/// Never reads more than [`MAX_FILE_SIZE`] bytes, also from a device that has no end.
pub fn read(path: &Path) -> Result<Vec<u8>, String> {
    let name = path.display();
    let file = open(path)?;
    let mut bytes = Vec::new();
    file.take(MAX_FILE_SIZE as u64 + 1)
        .read_to_end(&mut bytes)
        .map_err(|error| format!("cannot read `{name}`: {error}"))?;
    if bytes.len() > MAX_FILE_SIZE {
        let limit = MAX_FILE_SIZE >> 20;
        return Err(format!(
            "cannot read `{name}`: it is larger than {limit} MiB"
        ));
    }
    Ok(bytes)
}

/// A file that is read bit by bit, or a sentence that says why it cannot be.
pub fn open(path: &Path) -> Result<File, String> {
    let name = path.display();
    let file = File::open(path).map_err(|error| format!("cannot read `{name}`: {error}"))?;
    match file.metadata().is_ok_and(|metadata| metadata.is_dir()) {
        true => Err(format!("cannot read `{name}`: it is a folder")),
        false => Ok(file),
    }
}
