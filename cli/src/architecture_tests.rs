//! Tests of the architecture: the only places that start programs, and that open and read files. ARCHITECTURE.md says what bounds each.

use std::{fs, path::Path};

use crate::{
    client::{
        Named,
        types::{Action, ArgumentType, ChangeName, ErrorCode, StateName},
    },
    files,
};

/// The only files that start programs.
const STARTS_PROGRAMS: [&str; 4] = [
    "commands/background_server.rs",
    "commands/debate/run/child_process.rs",
    "commands/debate/run/supervise.rs",
    "commands/doctor/tools.rs",
];

/// The only file that asks the system to open what programs it has for an address.
const OPENS_A_BROWSER: &str = "commands/browser.rs";

/// The only files that read or change JSON by the names of its fields: what is passed on as the server wrote it, arguments of tools
/// and their schemas, settings of other programs, signed records, and the server's description of its API. Everything else reads a
/// type. What a run reads by name is what programs print.
const READS_JSON_BY_NAME: [&str; 25] = [
    "client/compatibility.rs",
    "client/mod.rs",
    "commands/debate/get_context.rs",
    "commands/debate/issues.rs",
    "commands/debate/next_command.rs",
    "commands/debate/wait.rs",
    "commands/debate/watch.rs",
    "commands/docs/get.rs",
    "commands/doctor/mod.rs",
    "commands/setup/mcp.rs",
    "input/lines.rs",
    "input/resolve_id.rs",
    "input/tool_arguments.rs",
    "mcp/arguments.rs",
    "mcp/default_next_call.rs",
    "mcp/guide_calls.rs",
    "mcp/result.rs",
    "mcp/server.rs",
    "mcp/stdio.rs",
    "mcp/tool_schemas.rs",
    "mcp/tools.rs",
    "output/failure.rs",
    "output/truncate.rs",
    "record/verify.rs",
    "settings_file",
];

/// The paths below `src`, and the texts without what is for tests only.
fn sources() -> Vec<(String, String)> {
    fn collect(root: &Path, folder: &Path, found: &mut Vec<(String, String)>) {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                collect(root, &path, found);
            } else if path.extension().is_some_and(|end| end == "rs") && !path.to_string_lossy().ends_with("tests.rs") {
                let text = files::read_text(&path, files::MAX_BYTES).unwrap();
                let code = ["mod tests", "pub mod tests"].iter().fold(&*text, |code, tests| {
                    code.split(&format!("#[cfg(test)]\n{tests}")).next().unwrap_or_default()
                });
                let code = code.to_owned();
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
fn what_the_contract_types_is_read_as_a_type() {
    // `fields["name"]`, `fields.get("name")`
    let by_name = |code: &str| {
        let indexed = code.match_indices("[\"").filter(|(at, _)| {
            let is_closed = code[at + 2..].split_once('"').is_some_and(|(_, rest)| rest.starts_with(']'));
            is_closed && code[..*at].ends_with(|c: char| c.is_alphanumeric() || "_])".contains(c))
        });
        indexed.count()
            + [".get(\"", ".get_mut(\"", ".pointer("].map(|how| code.matches(how).count()).iter().sum::<usize>()
    };
    for (file, code) in sources() {
        let may = file.starts_with("commands/debate/run/") || READS_JSON_BY_NAME.iter().any(|name| file.contains(name));
        assert!(may || by_name(&code) == 0, "{file} reads JSON by the names of its fields");
    }
}

/// Names of the contract that no other word is spelt like.
#[test]
fn no_name_of_the_contract_is_written_as_a_text() {
    let names = [ErrorCode::NAMES, ArgumentType::NAMES, StateName::NAMES, Action::NAMES, ChangeName::NAMES].concat();
    let names = names.into_iter().filter(|name| *name == name.to_uppercase() || name.contains('_'));
    let names: Vec<String> = names.map(|name| format!("\"{name}\"")).collect();
    for (file, code) in sources() {
        let found = names.iter().find(|name| code.contains(&***name));
        assert_eq!(found, None, "{file} has it as a text");
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
