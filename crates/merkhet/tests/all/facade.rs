//! The façade stays small enough to be held in mind.

use std::path::Path;

/// The most items: types, functions, constants and modules. Methods belong to their types.
const MOST: usize = 150;

/// The names of the items of a file: its `pub use` lists and its own.
fn items(file: &Path) -> Vec<String> {
    let text = std::fs::read_to_string(file).expect("the source");
    let folder = file.parent().expect("a folder");
    let mut names = Vec::new();
    let mut lines = text.lines();
    while let Some(line) = lines.next() {
        if let Some(list) = line.strip_prefix("pub use ") {
            let mut list = list.to_owned();
            while !list.contains(';') {
                list += lines.next().expect("the rest of a list");
            }
            let inside = list.split_once('{').map_or(&*list, |(_, inside)| inside);
            let used = inside.trim_end_matches([';', '}', ' ', ',']).split(',');
            names.extend(used.map(|name| name.trim().to_owned()));
        } else if let Some(module) = line.strip_prefix("pub mod ") {
            let module = module.trim_end_matches(';');
            names.push(module.to_owned());
            names.extend(items(&folder.join(format!("{module}.rs"))));
        } else if let Some(item) = line.strip_prefix("pub ") {
            let kinds = [
                "fn ", "struct ", "enum ", "const ", "trait ", "type ", "static ",
            ];
            names.extend(kinds.iter().filter_map(|kind| {
                let name = item.strip_prefix(kind)?;
                let end = name.find(|c: char| !c.is_alphanumeric() && c != '_');
                Some(name[..end.unwrap_or(name.len())].to_owned())
            }));
        }
    }
    names
}

#[test]
fn the_facade_is_small() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/lib.rs");
    let mut names = items(&root);
    // A module that is handed on from inside.
    names.extend(items(&root.with_file_name("check").join("explain.rs")));
    assert!(names.iter().any(|name| name == "Config"));
    assert!(names.len() < MOST, "{} items: {names:?}", names.len());
}
