//! The binaries under test. The test process builds them itself, so that it never tests a stale or missing one.

use std::{
    collections::HashMap,
    env,
    path::{Path, PathBuf},
    process::{Command, Stdio},
    sync::OnceLock,
};

use serde_json::Value;

/// The environment variable with a folder of prebuilt binaries to test instead.
const PREBUILT: &str = "AWEAVE_BIN_DIR";

/// A test among the targets makes cargo take the features that the tests' dependencies need, as `cargo test --workspace`
/// does: so no dependency is compiled twice.
const BINARIES_FOR_TESTS: [&str; 4] = ["--workspace", "--bins", "--test", "reference"];

/// The path of `aweave-server`.
pub fn server() -> &'static Path {
    find("aweave-server")
}

/// The path of `aw`.
pub fn aw() -> &'static Path {
    find("aw")
}

/// The path of the fault injector, a library for `LD_PRELOAD`.
pub fn injector() -> &'static Path {
    static INJECTOR: OnceLock<PathBuf> = OnceLock::new();
    INJECTOR.get_or_init(|| {
        let given = env::var_os(PREBUILT).and_then(|folder| list(Path::new(&folder)).remove("libinjector.so"));
        given.or_else(|| build(&["-p", "injector"]).remove("injector")).expect("cargo tells what it made")
    })
}

/// The root of the workspace.
pub fn workspace() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("the tests live in a workspace")
}

fn find(name: &str) -> &'static Path {
    static BINARIES: OnceLock<HashMap<String, PathBuf>> = OnceLock::new();
    let binaries = BINARIES.get_or_init(|| match env::var_os(PREBUILT) {
        Some(folder) => list(Path::new(&folder)),
        None => build(&BINARIES_FOR_TESTS),
    });
    binaries.get(name).unwrap_or_else(|| panic!("no binary {name}; there are {binaries:?}"))
}

fn list(folder: &Path) -> HashMap<String, PathBuf> {
    let files = folder.read_dir().unwrap_or_else(|e| panic!("{PREBUILT} {}: {e}", folder.display()));
    files.map(|file| file.unwrap()).map(|file| (file.file_name().into_string().unwrap(), file.path())).collect()
}

/// Builds in the profile of this test binary and returns the paths that cargo reports.
fn build(what: &[&str]) -> HashMap<String, PathBuf> {
    let cargo = env::var_os("CARGO").unwrap_or_else(|| env!("CARGO").into());
    let mut command = Command::new(cargo);
    command.args(["build", "--locked", "--message-format=json-render-diagnostics", "--profile", &profile()]).args(what);
    // Variables that cargo set for this process would make it rerun build scripts.
    for (name, _) in env::vars_os() {
        if ["CARGO_PKG_", "CARGO_MANIFEST_"].iter().any(|told| name.to_string_lossy().starts_with(told)) {
            command.env_remove(name);
        }
    }
    let output = command.current_dir(workspace()).stderr(Stdio::inherit()).output().expect("cargo runs");
    assert!(output.status.success(), "cargo could not build the binaries under test: {}", output.status);
    let messages = String::from_utf8(output.stdout).expect("cargo speaks UTF-8");
    let messages = messages.lines().filter_map(|line| serde_json::from_str::<Value>(line).ok());
    let made = messages.filter_map(|message| {
        let name = message["target"]["name"].as_str()?.to_owned();
        let library = || message["target"]["crate_types"][0] == "cdylib";
        let library = library().then(|| message["filenames"][0].as_str()).flatten();
        Some((name, PathBuf::from(message["executable"].as_str().or(library)?)))
    });
    made.collect()
}

/// The binary `…/target/debug/deps/blackbox-…` was built with the profile `dev`. Other folders are named after the
/// profile.
fn profile() -> String {
    let exe = env::current_exe().expect("this process has a path");
    let folder = exe.ancestors().nth(2).and_then(Path::file_name).expect("a test binary lies in <profile>/deps");
    match folder.to_str().expect("profiles have plain names") {
        "debug" => "dev".to_owned(),
        other => other.to_owned(),
    }
}
