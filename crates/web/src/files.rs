//! The opened folder: nothing outside of it is read or written, and nothing that changed meanwhile is written over.

use std::fs;
use std::io::Write;
use std::path::{Component, Path, PathBuf};

use crate::protocol::{ListedFile, Listing, Opened, Saved};

/// The endings of models.
const MODELS: [&str; 5] = ["xml", "xta", "ta", "tck", "smv"];

/// The largest file that is opened or saved, in bytes.
pub const LARGEST: u64 = 16 << 20;

/// The most files that are listed, and the deepest folder that is looked into.
const MOST_FILES: usize = 2000;
const DEEPEST: usize = 6;

/// The folder that is open.
pub struct Folder {
    root: PathBuf,
    first: Option<String>,
}

/// Why a file is not read or written.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Denied {
    /// It lies outside of the folder, or is no model.
    Forbidden(String),
    /// It is not there, or cannot be read or written.
    Missing(String),
    /// It is not what the page thinks that it is.
    Changed(String),
}

impl Folder {
    /// Opens a folder, or the folder of a model.
    pub fn open(target: &Path) -> Result<Folder, String> {
        let shown = target.display();
        let full =
            (target.canonicalize()).map_err(|error| format!("cannot open `{shown}`: {error}"))?;
        if full.is_dir() {
            let (root, first) = (full, None);
            return Ok(Folder { root, first });
        }
        let name = full.file_name().and_then(|name| name.to_str());
        let (Some(name), Some(root)) = (name, full.parent()) else {
            return Err(format!("cannot open `{shown}`: its name is not UTF-8"));
        };
        if !is_model(&full) {
            return Err(format!(
                "`{shown}` is no model: its name ends neither in .xml, .xta, .ta, .tck nor .smv"
            ));
        }
        let (root, first) = (root.to_owned(), Some(name.to_owned()));
        Ok(Folder { root, first })
    }

    /// Where it is.
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// The model that was named, if one was.
    pub fn first(&self) -> Option<&str> {
        self.first.as_deref()
    }

    /// The models in it.
    pub fn list(&self) -> Listing {
        let mut listing = Listing {
            files: Vec::new(),
            more: false,
        };
        walk(&self.root, "", 0, &mut listing);
        listing.files.sort_by(|a, b| a.path.cmp(&b.path));
        listing
    }

    /// Reads a model.
    pub fn read(&self, path: &str) -> Result<Opened, Denied> {
        let full = self.inside(path)?;
        let missing = |error: std::io::Error| Denied::Missing(format!("`{path}`: {error}"));
        let meta = fs::metadata(&full).map_err(missing)?;
        if !meta.is_file() {
            return Err(Denied::Forbidden(format!("`{path}` is no file")));
        }
        if meta.len() > LARGEST {
            let limit = LARGEST >> 20;
            return Err(Denied::Forbidden(format!(
                "`{path}` is larger than {limit} MiB"
            )));
        }
        let bytes = fs::read(&full).map_err(missing)?;
        let text = String::from_utf8_lossy(&bytes).into_owned();
        Ok(Opened {
            path: path.into(),
            digest: digest(&bytes),
            exact: text.as_bytes() == bytes,
            text,
        })
    }

    /// Writes a model, whole or not at all, where the content there is the one that the page read.
    pub fn write(&self, path: &str, text: &str, was: Option<&str>) -> Result<Saved, Denied> {
        let full = self.inside(path)?;
        let failed = |error: std::io::Error| Denied::Missing(format!("`{path}`: {error}"));
        let there = match fs::read(&full) {
            Ok(bytes) => Some(digest(&bytes)),
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => None,
            Err(error) => return Err(failed(error)),
        };
        if there.as_deref() != was {
            let why = match (&there, was) {
                (Some(_), None) => "is there already",
                (None, _) => "is not there any more",
                _ => "was changed by somebody else meanwhile",
            };
            return Err(Denied::Changed(format!(
                "`{path}` {why}; it is left as it is"
            )));
        }
        let parent = full.parent().unwrap_or(&self.root);
        let mut new = tempfile::Builder::new()
            .prefix(".merkhet-")
            .tempfile_in(parent)
            .map_err(failed)?;
        new.write_all(text.as_bytes()).map_err(failed)?;
        new.as_file().sync_all().map_err(failed)?;
        if let Ok(meta) = fs::metadata(&full) {
            let _ = new.as_file().set_permissions(meta.permissions());
        }
        match was {
            Some(_) => new.persist(&full).map_err(|error| failed(error.error))?,
            // Whoever made the file in this moment keeps it.
            None => new
                .persist_noclobber(&full)
                .map_err(|error| failed(error.error))?,
        };
        Ok(Saved {
            digest: digest(text.as_bytes()),
        })
    }

    /// The file behind a path of the page; symbolic links may not lead out.
    fn inside(&self, path: &str) -> Result<PathBuf, Denied> {
        let forbidden = |why: &str| Denied::Forbidden(format!("`{path}` {why}"));
        let plain = |part: Component<'_>| matches!(part, Component::Normal(_));
        if path.is_empty()
            || path.contains(['\0', '\\'])
            || !Path::new(path).components().all(plain)
        {
            return Err(forbidden("is no path inside the folder"));
        }
        let full = self.root.join(path);
        if !is_model(&full) {
            return Err(forbidden(
                "is no model: its name ends neither in .xml, .xta, .ta, .tck nor .smv",
            ));
        }
        let parent = full.parent().map(Path::canonicalize);
        let Some(Ok(parent)) = parent else {
            return Err(Denied::Missing(format!(
                "`{path}`: there is no such folder"
            )));
        };
        let real = match full.canonicalize() {
            Ok(real) => real,
            Err(_) if full.is_symlink() => return Err(forbidden("is a link that leads nowhere")),
            Err(_) => parent.join(full.file_name().unwrap_or_default()),
        };
        match real.starts_with(&self.root) {
            true => Ok(real),
            false => Err(forbidden("leads out of the folder")),
        }
    }
}

fn is_model(path: &Path) -> bool {
    let ending = path.extension().and_then(|ending| ending.to_str());
    ending.is_some_and(|ending| MODELS.contains(&ending))
}

fn walk(folder: &Path, prefix: &str, depth: usize, listing: &mut Listing) {
    let Ok(entries) = fs::read_dir(folder) else {
        return;
    };
    for entry in entries.flatten() {
        let name = entry.file_name();
        let (Some(name), Ok(kind)) = (name.to_str(), entry.file_type()) else {
            continue;
        };
        if name.starts_with('.') || name == "target" || name == "node_modules" {
            continue;
        }
        if listing.files.len() >= MOST_FILES {
            listing.more = true;
            return;
        }
        let path = format!("{prefix}{name}");
        if kind.is_dir() && depth < DEEPEST {
            walk(&entry.path(), &format!("{path}/"), depth + 1, listing);
        } else if kind.is_file() && is_model(Path::new(name)) {
            let bytes = entry.metadata().map_or(0, |meta| meta.len());
            listing.files.push(ListedFile { path, bytes });
        }
    }
}

/// Names a content: FNV-1a over 128 bits, against accidents and not against malice.
fn digest(bytes: &[u8]) -> String {
    let start = 0x6c62_272e_07bb_0142_62b8_2175_6295_c58d_u128;
    let prime = 0x0000_0000_0100_0000_0000_0000_0000_013b_u128;
    let hash = (bytes.iter()).fold(start, |hash, byte| {
        (hash ^ u128::from(*byte)).wrapping_mul(prime)
    });
    format!("{hash:032x}")
}

#[cfg(test)]
mod tests {
    use super::{Denied, Folder};
    use std::fs;

    fn folder() -> (tempfile::TempDir, Folder) {
        let place = tempfile::tempdir().unwrap();
        fs::create_dir_all(place.path().join("open/deep")).unwrap();
        fs::write(place.path().join("secret.xml"), "secret").unwrap();
        fs::write(place.path().join("open/deep/a.xta"), "text").unwrap();
        fs::write(place.path().join("open/notes.txt"), "no model").unwrap();
        let folder = Folder::open(&place.path().join("open")).unwrap();
        (place, folder)
    }

    #[test]
    fn models_are_listed_and_read() {
        let (_place, folder) = folder();
        let paths: Vec<_> = folder
            .list()
            .files
            .into_iter()
            .map(|one| one.path)
            .collect();
        assert_eq!(paths, ["deep/a.xta"]);
        assert_eq!(folder.read("deep/a.xta").unwrap().text, "text");
    }

    #[test]
    fn nothing_outside_is_read_or_written() {
        let (_place, folder) = folder();
        let paths = [
            "../secret.xml",
            "deep/../../secret.xml",
            "/etc/passwd.xml",
            "notes.txt",
            "",
            "a\0.xml",
            "..\\secret.xml",
        ];
        for path in paths {
            assert!(
                matches!(folder.read(path), Err(Denied::Forbidden(_))),
                "{path}"
            );
            assert!(
                matches!(folder.write(path, "x", None), Err(Denied::Forbidden(_))),
                "{path}"
            );
        }
    }

    #[cfg(unix)]
    #[test]
    fn links_do_not_lead_out() {
        let (place, folder) = folder();
        std::os::unix::fs::symlink(
            place.path().join("secret.xml"),
            place.path().join("open/link.xml"),
        )
        .unwrap();
        std::os::unix::fs::symlink(place.path(), place.path().join("open/up")).unwrap();
        std::os::unix::fs::symlink(
            place.path().join("new.xml"),
            place.path().join("open/dangling.xml"),
        )
        .unwrap();
        for path in ["link.xml", "up/secret.xml", "dangling.xml"] {
            assert!(
                matches!(folder.read(path), Err(Denied::Forbidden(_))),
                "{path}"
            );
            assert!(
                matches!(folder.write(path, "x", None), Err(Denied::Forbidden(_))),
                "{path}"
            );
        }
        assert_eq!(
            fs::read_to_string(place.path().join("secret.xml")).unwrap(),
            "secret"
        );
        assert!(!place.path().join("new.xml").exists());
    }

    #[test]
    fn what_changed_meanwhile_is_not_written_over() {
        let (place, folder) = folder();
        let was = folder.read("deep/a.xta").unwrap().digest;
        fs::write(place.path().join("open/deep/a.xta"), "of somebody else").unwrap();
        assert!(matches!(
            folder.write("deep/a.xta", "mine", Some(&was)),
            Err(Denied::Changed(_))
        ));
        assert!(matches!(
            folder.write("deep/a.xta", "mine", None),
            Err(Denied::Changed(_))
        ));
        let now = folder.read("deep/a.xta").unwrap().digest;
        let saved = folder.write("deep/a.xta", "mine", Some(&now)).unwrap();
        assert_eq!(folder.read("deep/a.xta").unwrap().digest, saved.digest);
        folder.write("deep/new.xta", "new", None).unwrap();
        assert_eq!(
            fs::read_dir(place.path().join("open/deep"))
                .unwrap()
                .count(),
            2
        );
    }
}
