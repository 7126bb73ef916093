//! `make release`, in a copy of the files that it changes.

use std::{
    fs,
    os::unix::fs::PermissionsExt,
    path::Path,
    process::{Command, Output, Stdio},
};

use tempfile::TempDir;
use tests::binaries;

/// Every file that has the version.
const WITH_VERSION: [&str; 10] = [
    "Cargo.toml",
    "Cargo.lock",
    "bench/Cargo.toml",
    "bench/Cargo.lock",
    "web/package.json",
    "web/package-lock.json",
    "tests/package.json",
    "tests/package-lock.json",
    "openapi.json",
    "asyncapi.yaml",
];

/// A repository with the product's versions, a changelog, and a stand-in for `.ci/run`.
struct Repository {
    folder: TempDir,
    /// Where it would be pushed to
    remote: TempDir,
}

impl Repository {
    fn new(changelog: &str, checks: &str) -> Self {
        let repository = Self { folder: TempDir::new().unwrap(), remote: TempDir::new().unwrap() };
        let scripts = ["Makefile", "packaging/release.sh", "packaging/version.mjs"];
        for file in WITH_VERSION.into_iter().chain(scripts) {
            let to = repository.path().join(file);
            fs::create_dir_all(to.parent().unwrap()).unwrap();
            fs::copy(binaries::workspace().join(file), to).unwrap();
        }
        fs::write(repository.path().join("CHANGELOG.md"), changelog).unwrap();
        let ci = repository.path().join(".ci/run");
        fs::create_dir(ci.parent().unwrap()).unwrap();
        fs::write(&ci, format!("#!/bin/sh\n{checks}\n")).unwrap();
        fs::set_permissions(&ci, fs::Permissions::from_mode(0o755)).unwrap();
        let remote = repository.remote.path().to_str().unwrap();
        repository.git(&["init", "--quiet", "--bare", remote]);
        repository.git(&["init", "--quiet"]);
        repository.git(&["remote", "add", "origin", remote]);
        repository.git(&["add", "--all"]);
        repository.git(&["commit", "--quiet", "--message", "before"]);
        repository
    }

    fn path(&self) -> &Path {
        self.folder.path()
    }

    fn run(&self, program: &str, arguments: &[&str]) -> Output {
        Command::new(program)
            .args(arguments)
            .current_dir(self.path())
            .env_remove("MAKEFLAGS")
            .env("GIT_CONFIG_GLOBAL", "/dev/null")
            .env("GIT_CONFIG_SYSTEM", "/dev/null")
            .envs(["AUTHOR", "COMMITTER"].map(|who| (format!("GIT_{who}_NAME"), "tests")))
            .envs(["AUTHOR", "COMMITTER"].map(|who| (format!("GIT_{who}_EMAIL"), "tests@example")))
            .stdin(Stdio::null())
            .output()
            .unwrap_or_else(|error| panic!("{program} runs: {error}"))
    }

    fn git(&self, arguments: &[&str]) -> String {
        let output = self.run("git", arguments);
        assert!(output.status.success(), "git {arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8(output.stdout).unwrap().trim_end().to_owned()
    }

    /// Whether it succeeded, and what it printed.
    fn release(&self, version: &str) -> (bool, String) {
        let output = self.run("make", &["release", &format!("VERSION={version}")]);
        (output.status.success(), String::from_utf8([output.stdout, output.stderr].concat()).unwrap())
    }

    fn read(&self, file: &str) -> String {
        fs::read_to_string(self.path().join(file)).unwrap()
    }
}

/// Longer than what a pipe takes at once.
fn long_changelog() -> String {
    format!("# Changelog\n\n## Unreleased\n\n{}\n", "- What a user notices, in a line.\n".repeat(5_000))
}

#[test]
fn release_sets_the_version_everywhere_checks_commits_and_tags_and_sends_nothing() {
    let repository = Repository::new(&long_changelog(), "touch checked");
    let old = format!("\"{}\"", env!("CARGO_PKG_VERSION"));
    let (success, said) = repository.release("98.7.6");
    assert!(success && said.contains("git push --atomic origin HEAD v98.7.6"), "{said}");

    for file in WITH_VERSION {
        let text = repository.read(file);
        assert!(text.contains("98.7.6"), "{file}");
        // Lock files have versions of other packages, too.
        assert!(file.contains("lock") || !text.contains(&old), "{file} still has {old}");
    }
    let contract: serde_json::Value = serde_json::from_str(&repository.read("openapi.json")).unwrap();
    let info = &contract["paths"]["/info"]["get"]["responses"]["200"]["content"]["application/json"];
    assert_eq!(contract["info"]["version"], "98.7.6");
    assert_eq!(info["examples"]["defaults"]["value"]["data"]["version"], "98.7.6", "{info}");
    for lock in ["Cargo.lock", "bench/Cargo.lock"] {
        let text = repository.read(lock);
        let own = text.split("[[package]]").filter(|package| !package.contains("\nsource = ")).skip(1);
        own.for_each(|package| assert!(package.contains("version = \"98.7.6\""), "{lock}: {package}"));
    }
    assert!(repository.read("CHANGELOG.md").contains("## Unreleased\n\n## 98.7.6 - 20"));

    assert!(repository.path().join("checked").exists(), ".ci/run was run");
    assert_eq!(repository.git(&["log", "--format=%s"]), "release: 98.7.6\nbefore");
    assert_eq!(repository.git(&["describe", "--exact-match"]), "v98.7.6");
    assert_eq!(repository.git(&["ls-remote", "origin"]), "", "nothing has left this machine");

    assert!(!repository.release("98.7.6").0, "not twice");
}

#[test]
fn a_release_that_does_not_pass_the_checks_commits_and_tags_nothing() {
    let repository = Repository::new(&long_changelog(), "exit 1");
    let (success, said) = repository.release("98.7.6");
    assert!(!success && said.contains("git restore ."), "{said}");
    assert_eq!(repository.git(&["log", "--format=%s"]), "before");
    assert_eq!(repository.git(&["tag"]), "");
}

#[test]
fn a_release_needs_a_version_a_description_and_no_other_changes() {
    let repository = Repository::new(&long_changelog(), "");
    for version in ["", "1.2", "v1.2.3", "1.2.3-dev"] {
        let (success, said) = repository.release(version);
        assert!(!success && said.contains("VERSION=1.2.3"), "{version}: {said}");
    }
    fs::write(repository.path().join("new"), "").unwrap();
    let (success, said) = repository.release("98.7.6");
    assert!(!success && said.contains("commit or stash"), "{said}");

    let nothing_new = Repository::new("# Changelog\n\n## Unreleased\n\n## 0.0.1 - 2026-01-01\n\n- Old.\n", "");
    let (success, said) = nothing_new.release("98.7.6");
    assert!(!success && said.contains("says nothing"), "{said}");
}
