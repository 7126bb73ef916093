//! Tests of the architecture: which layer may use which other layers and libraries.

use std::{fs, path::Path};

/// The layers, and the other layers that each may use.
const LAYERS: [(&str, &[&str]); 5] = [
    ("domain", &[]),
    ("store", &["domain"]),
    ("app", &["store", "domain"]),
    ("http", &["app", "domain"]),
    ("webhooks", &["app", "domain"]),
];

/// Libraries that only some layers may use.
const LIBRARIES: [(&str, &[&str]); 8] = [
    ("poem", &["http"]),
    ("poem_openapi", &["http"]),
    ("hyper", &["http", "webhooks"]),
    ("ring", &["webhooks"]),
    ("sea_orm", &["store"]),
    ("sea_orm_migration", &["store"]),
    ("sqlx", &["store"]),
    ("entity", &["store"]),
];

/// What the domain may not use: IO, tasks and logging.
const NOT_IN_DOMAIN: [&str; 5] = ["tokio", "std::fs", "std::env", "std::net", "tracing"];

/// The files that `tests/interleavings` model-checks. Shuttle sees only the locks and channels that come from
/// `crate::locks_and_channels`.
const MODEL_CHECKED: [&str; 4] =
    ["app/notifier/mod.rs", "app/notifier/presence.rs", "app/notifier/ruling_wake_ups.rs", "store/batch_queue.rs"];

/// The only files that open files: what settings name, the key that is made beside the database, and the files and folders of
/// SQLite. ARCHITECTURE.md says what bounds each.
const OPENS_FILES: [&str; 5] = [
    "plain_file.rs",
    "signing_key_file.rs",
    "store/backend/sqlite/mod.rs",
    "store/database_file.rs",
    "store/snapshot.rs",
];

/// The paths and texts of the source files of a layer; of all, if it is empty.
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

/// Whether `text` contains `path::` or `path;` where `path` is not part of a longer name.
fn names(text: &str, path: &str) -> bool {
    text.match_indices(path).any(|(at, _)| {
        let before = text[..at].chars().next_back();
        let after = &text[at + path.len()..];
        !before.is_some_and(|character| character.is_alphanumeric() || "_:".contains(character))
            && (after.starts_with("::") || after.starts_with(';'))
    })
}

/// Whether `text` uses the layer `other`, also in an import of several modules.
fn uses_layer(text: &str, other: &str) -> bool {
    let grouped = text.split("use crate::{").skip(1).filter_map(|rest| rest.split(";\n").next());
    names(text, &format!("crate::{other}")) || grouped.into_iter().any(|group| names(group, other))
}

#[test]
fn each_layer_uses_only_those_below_it() {
    for (layer, allowed) in LAYERS {
        for (file, text) in sources(layer) {
            for (other, _) in LAYERS {
                let is_allowed = other == layer || allowed.contains(&other);
                assert!(is_allowed || !uses_layer(&text, other), "{file} is in {layer}, which may not use {other}");
            }
        }
    }
}

#[test]
fn each_library_is_used_in_its_layer_only() {
    for (layer, _) in LAYERS {
        for (file, text) in sources(layer) {
            for (library, homes) in LIBRARIES {
                let is_allowed = homes.contains(&layer) || !names(&text, library);
                assert!(is_allowed, "{file} is in {layer}; only {homes:?} may use {library}");
            }
        }
    }
}

#[test]
fn the_domain_is_pure() {
    for (file, text) in sources("domain") {
        for impure in NOT_IN_DOMAIN {
            assert!(!names(&text, impure), "{file} is in the domain, which may not use {impure}");
        }
    }
}

#[test]
fn only_store_backend_depends_on_the_database() {
    for (layer, _) in LAYERS {
        for (file, text) in sources(layer) {
            // The tests choose their database.
            let is_allowed = ["/store/backend/", "/tests.rs", "_tests.rs"].iter().any(|own| file.contains(own));
            for name in ["DbBackend", "DatabaseBackend", "Sqlite", "Postgres", "sqlx::"] {
                assert!(
                    is_allowed || !text.contains(name),
                    "{file} contains {name}; only store/backend may depend on the database"
                );
            }
        }
    }
}

#[test]
fn model_checked_files_take_locks_and_channels_from_sync() {
    for file in MODEL_CHECKED {
        let text = fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("src").join(file)).unwrap();
        let from_std = text.split("use std::").skip(1).filter_map(|rest| rest.split(";\n").next());
        for used in from_std {
            let found = ["Mutex", "RwLock", "Condvar", "Atomic", "atomic"].iter().find(|name| used.contains(**name));
            assert!(found.is_none(), "{file} uses {found:?} from std instead of crate::locks_and_channels");
        }
        assert!(
            !names(&text, "tokio::sync") && !names(&text, "dashmap"),
            "{file} uses tokio::sync or dashmap instead of crate::locks_and_channels"
        );
    }
}

#[test]
fn no_program_is_started_and_files_are_opened_and_read_in_few_places() {
    for (file, text) in sources("") {
        // Tests are written below the code, or in files of their own.
        if ["/tests.rs", "_tests.rs", "/tests/"].iter().any(|own| file.contains(own)) {
            continue;
        }
        let code = text.split("#[cfg(test)]").next().unwrap_or_default();
        assert!(!code.contains("Command::new"), "{file} starts a program");
        let opens = ["File::open", "File::create", "OpenOptions::new", "fs::open(", "fs::read(", "fs::read_to_string("];
        if let Some(how) = opens.iter().find(|how| code.contains(**how)) {
            assert!(OPENS_FILES.iter().any(|known| file.ends_with(known)), "{file} opens a file with {how}");
        }
        for (at, _) in [".read_to_end(", ".read_to_string("].iter().flat_map(|how| code.match_indices(how)) {
            let statement = code[..at].rsplit([';', '{']).next().unwrap_or_default();
            assert!(statement.contains(".take("), "{file} reads without a limit");
        }
    }
}
