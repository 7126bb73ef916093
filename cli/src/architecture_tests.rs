//! Tests of the architecture: the only places that start programs, and that open and read files. ARCHITECTURE.md says what bounds each.

use std::{fs, path::Path};

use crate::files;

/// The only files that start programs.
const STARTS_PROGRAMS: [&str; 4] = [
    "commands/background_server.rs",
    "commands/debate/run/child_process.rs",
    "commands/debate/run/supervise.rs",
    "commands/doctor/tools.rs",
];

/// The only file that asks the system to open what programs it has for an address.
const OPENS_A_BROWSER: &str = "commands/browser.rs";

/// The paths below `src`, and the texts without what is for tests only.
fn sources() -> Vec<(String, String)> {
    fn collect(root: &Path, folder: &Path, found: &mut Vec<(String, String)>) {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                collect(root, &path, found);
            } else if path.extension().is_some_and(|end| end == "rs") && !path.ends_with("architecture_tests.rs") {
                let text = files::read_text(&path, files::MAX_BYTES).unwrap();
                let code = text.split("#[cfg(test)]\nmod tests").next().unwrap_or_default().to_owned();
                found.push((path.strip_prefix(root).unwrap().display().to_string(), code));
            }
        }
    }
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut found = Vec::new();
    collect(&root, &root, &mut found);
    assert!(found.len() > 100);
    found
}

#[test]
fn programs_are_started_in_few_places() {
    for (file, code) in sources() {
        // clap has another type of this name.
        let mut grouped = code.split("process::{").skip(1).filter_map(|rest| rest.split('}').next());
        let starts = code.contains("process::Command") || grouped.any(|names| names.contains("Command"));
        assert!(!starts || STARTS_PROGRAMS.contains(&&*file), "{file} starts a program");
        assert!(!code.contains("open::that") || file == OPENS_A_BROWSER, "{file} has a program opened");
    }
}

#[test]
fn one_module_opens_files_and_nothing_is_read_without_a_limit() {
    for (file, code) in sources() {
        // clippy.toml bans the functions of the standard library.
        for how in ["openat(", "openat,", "open_descriptor", "fs::open(", "fs::open,"] {
            assert!(!code.contains(how) || file.starts_with("files/"), "{file} opens files with {how}");
        }
        for (at, _) in [".read_to_end(", ".read_to_string("].iter().flat_map(|how| code.match_indices(how)) {
            let statement = code[..at].rsplit([';', '{']).next().unwrap_or_default();
            assert!(statement.contains(".take("), "{file} reads without a limit");
        }
    }
}
