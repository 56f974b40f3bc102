//! Which models a command line means: files, folders and patterns.

use std::path::{Path, PathBuf};

/// Endings of files that hold models.
const MODELS: [&str; 5] = ["xml", "xta", "ta", "tck", "smv"];

/// Folders below a folder are searched to this depth.
const DEEPEST: usize = 32;

/// What is to be checked.
#[derive(Debug, PartialEq, Eq)]
pub enum Targets {
    /// One model, perhaps with a file of queries.
    One(PathBuf, Option<PathBuf>),
    /// Many models, in the order of their names.
    Many(Vec<PathBuf>),
}

fn has_ending(path: &Path, endings: &[&str]) -> bool {
    let ending = path.extension().map(|ending| ending.to_ascii_lowercase());
    ending.is_some_and(|ending| endings.iter().any(|known| ending == *known))
}

/// Sorts out the files of a command line; the error is a sentence.
pub fn resolve(files: &[PathBuf]) -> Result<Targets, String> {
    match files {
        [model] if !model.is_dir() && !is_pattern(model) => {
            return Ok(Targets::One(model.clone(), None));
        }
        // Anything that does not look like a model may be a file of queries.
        [model, queries]
            if !model.is_dir() && !is_pattern(model) && !queries.is_dir() && !is_model(queries) =>
        {
            return Ok(Targets::One(model.clone(), Some(queries.clone())));
        }
        _ => {}
    }
    many(files).map(Targets::Many)
}

/// All models of files, folders and patterns, in the order of their names.
fn many(files: &[PathBuf]) -> Result<Vec<PathBuf>, String> {
    let mut found = Vec::new();
    for file in files {
        let before = found.len();
        if file.is_dir() {
            walk(file, DEEPEST, &mut found)?;
        } else if is_pattern(file) {
            expand(file, &mut found)?;
        } else if has_ending(file, &["q"]) {
            return Err(format!(
                "{}: a file of queries goes with a single model",
                file.display()
            ));
        } else {
            found.push(file.clone());
        }
        if found.len() == before {
            return Err(format!("{}: no models there", file.display()));
        }
    }
    found.sort();
    found.dedup();
    Ok(found)
}

/// The models of a command line, where no file of queries can be among them.
pub fn models(files: &[PathBuf]) -> Result<Vec<PathBuf>, String> {
    match files {
        // A file that is no model by its name may be one all the same.
        [one] if !one.is_dir() && !is_pattern(one) => Ok(vec![one.clone()]),
        _ => many(files),
    }
}

fn is_model(path: &Path) -> bool {
    is_pattern(path) || has_ending(path, &MODELS)
}

/// Whether a name that is no file has signs of a pattern.
fn is_pattern(path: &Path) -> bool {
    let text = path.to_string_lossy();
    text.contains(['*', '?', '[']) && !path.exists()
}

fn walk(folder: &Path, depth: usize, found: &mut Vec<PathBuf>) -> Result<(), String> {
    if depth == 0 {
        return Ok(());
    }
    let problem = |error: std::io::Error| format!("cannot read {}: {error}", folder.display());
    for entry in std::fs::read_dir(folder).map_err(problem)? {
        let entry = entry.map_err(problem)?;
        let path = entry.path();
        // Links to folders are not followed: they may lead in circles.
        let kind = entry.file_type().map_err(problem)?;
        if kind.is_dir() {
            walk(&path, depth - 1, found)?;
        } else if has_ending(&path, &MODELS) {
            found.push(path);
        }
    }
    Ok(())
}

fn expand(pattern: &Path, found: &mut Vec<PathBuf>) -> Result<(), String> {
    let text = pattern.to_string_lossy();
    let paths = glob::glob(&text).map_err(|error| format!("{text}: {error}"))?;
    for path in paths {
        let path = path.map_err(|error| error.to_string())?;
        if path.is_file() && has_ending(&path, &MODELS) {
            found.push(path);
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::{Targets, resolve};
    use std::path::PathBuf;

    fn files(names: &[&str]) -> Vec<PathBuf> {
        names.iter().map(PathBuf::from).collect()
    }

    #[test]
    fn one_model_with_or_without_queries() {
        let one = |model: &str, queries: Option<&str>| {
            Ok(Targets::One(model.into(), queries.map(PathBuf::from)))
        };
        assert_eq!(resolve(&files(&["m.xml"])), one("m.xml", None));
        assert_eq!(
            resolve(&files(&["m.xml", "q.q"])),
            one("m.xml", Some("q.q"))
        );
        assert_eq!(
            resolve(&files(&["m", "queries"])),
            one("m", Some("queries"))
        );
    }

    #[test]
    fn many_models_from_folders_and_patterns() {
        let folder = tempfile::tempdir().expect("a folder");
        for name in ["b.xta", "a.xml", "notes.txt", "sub/c.tck"] {
            let path = folder.path().join(name);
            std::fs::create_dir_all(path.parent().expect("a parent")).expect("made");
            std::fs::write(path, "").expect("written");
        }
        let all = resolve(&[folder.path().to_owned()]);
        let expected = ["a.xml", "b.xta", "sub/c.tck"].map(|name| folder.path().join(name));
        assert_eq!(all, Ok(Targets::Many(expected.to_vec())));
        let pattern = resolve(&[folder.path().join("*.x*")]);
        assert_eq!(pattern, Ok(Targets::Many(expected[..2].to_vec())));
        assert!(resolve(&[folder.path().join("*.none")]).is_err());
        assert!(resolve(&files(&["a.xml", "b.xml", "q.q"])).is_err());
    }
}
