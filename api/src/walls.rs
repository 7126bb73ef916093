//! The walls between the layers: who may use whom, and who alone may know a library.

use std::{fs, path::Path};

/// What each layer may use of the others.
const LAYERS: [(&str, &[&str]); 4] =
    [("domain", &[]), ("store", &["domain"]), ("app", &["store", "domain"]), ("http", &["app", "domain"])];

/// Libraries that only one layer may know.
const LIBRARIES: [(&str, &str); 7] = [
    ("poem", "http"),
    ("poem_openapi", "http"),
    ("hyper", "http"),
    ("sea_orm", "store"),
    ("sea_orm_migration", "store"),
    ("sqlx", "store"),
    ("entity", "store"),
];

/// What pure code does without: IO, a clock, other tasks.
const IMPURE: [&str; 5] = ["tokio", "std::fs", "std::env", "std::net", "tracing"];

/// What `tests/interleavings` tries every order of, as far as it shares and waits by way of `sync` alone.
const TRIED: [&str; 2] = ["app/wakeups.rs", "store/queue.rs"];

/// Every source file of a layer, with its text.
fn sources(layer: &str) -> Vec<(String, String)> {
    fn collect(folder: &Path, found: &mut Vec<(String, String)>) {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                collect(&path, found);
            } else if path.extension().is_some_and(|extension| extension == "rs") {
                found.push((path.display().to_string(), fs::read_to_string(&path).unwrap()));
            }
        }
    }
    let mut found = Vec::new();
    collect(&Path::new(env!("CARGO_MANIFEST_DIR")).join("src").join(layer), &mut found);
    assert!(!found.is_empty(), "there is no layer {layer}");
    found
}

/// Whether `text` names `path` as a whole, as in `path::` or `use path;`.
fn names(text: &str, path: &str) -> bool {
    text.match_indices(path).any(|(at, _)| {
        let before = text[..at].chars().next_back();
        let after = &text[at + path.len()..];
        !before.is_some_and(|character| character.is_alphanumeric() || "_:".contains(character))
            && (after.starts_with("::") || after.starts_with(';'))
    })
}

/// Whether `text` uses the layer `other`, also where several of this crate are imported at once.
fn uses_layer(text: &str, other: &str) -> bool {
    let grouped = text.split("use crate::{").skip(1).filter_map(|rest| rest.split(";\n").next());
    names(text, &format!("crate::{other}")) || grouped.into_iter().any(|group| names(group, other))
}

#[test]
fn each_layer_uses_only_those_below_it() {
    for (layer, allowed) in LAYERS {
        for (file, text) in sources(layer) {
            for (other, _) in LAYERS {
                let fine = other == layer || allowed.contains(&other);
                assert!(fine || !uses_layer(&text, other), "{file} is in {layer}, which may not use {other}");
            }
        }
    }
}

#[test]
fn each_library_is_known_to_its_layer_only() {
    for (layer, _) in LAYERS {
        for (file, text) in sources(layer) {
            for (library, home) in LIBRARIES {
                assert!(
                    layer == home || !names(&text, library),
                    "{file} is in {layer}; only {home} may know {library}"
                );
            }
        }
    }
}

#[test]
fn the_domain_is_pure() {
    for (file, text) in sources("domain") {
        for impure in IMPURE {
            assert!(!names(&text, impure), "{file} is in the domain, which does without {impure}");
        }
    }
}

#[test]
fn only_one_folder_asks_which_backend_it_is() {
    for (layer, _) in LAYERS {
        for (file, text) in sources(layer) {
            // The tests say where their own database is.
            let may = ["/store/backend/", "/tests.rs"].iter().any(|own| file.contains(own));
            for name in ["DbBackend", "DatabaseBackend", "Sqlite", "Postgres", "sqlx::"] {
                assert!(
                    may || !text.contains(name),
                    "{file} says {name}; only store/backend may ask which backend it is"
                );
            }
        }
    }
}

#[test]
fn what_is_tried_in_every_order_shares_nothing_unseen() {
    for tried in TRIED {
        let text = fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("src").join(tried)).unwrap();
        let from_std = text.split("use std::").skip(1).filter_map(|rest| rest.split(";\n").next());
        for used in from_std {
            let unseen = ["Mutex", "RwLock", "Condvar", "Atomic", "atomic"].iter().find(|name| used.contains(**name));
            assert!(unseen.is_none(), "{tried} takes {unseen:?} from std instead of crate::sync");
        }
        assert!(!names(&text, "tokio::sync") && !names(&text, "dashmap"), "{tried} goes past crate::sync");
    }
}
