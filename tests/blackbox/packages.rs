//! Packages of `make dist`: the npm packages, made of two scripts in place of the binaries, and the bill of materials.

use std::{
    fs,
    os::unix::fs::PermissionsExt,
    path::Path,
    process::{Command, Output, Stdio},
};

use serde_json::{Value, json};
use tempfile::TempDir;
use tests::{binaries, report::report_skipped};

/// Says what it is and what it was given; `fail` ends with status 7, `process` prints its process id.
const PROGRAM: &str = r#"#!/bin/sh
case $1 in
    process) echo "$$" ;;
    *) echo "$(basename "$0") $*" ;;
esac
test "$1" != fail || exit 7
"#;

/// A folder with the packages in `dist`.
fn packed(environment: &[(&str, &str)]) -> TempDir {
    let folder = TempDir::new().unwrap();
    let path = |name: &str| folder.path().join(name);
    let bin = path("tree/usr/bin");
    fs::create_dir_all(&bin).unwrap();
    fs::create_dir(path("dist")).unwrap();
    for name in ["aw", "aweave-server"] {
        fs::write(bin.join(name), PROGRAM).unwrap();
        fs::set_permissions(bin.join(name), fs::Permissions::from_mode(0o755)).unwrap();
    }
    let output = Command::new("node")
        .arg(binaries::workspace().join("packaging/npm.mjs"))
        .env_remove("GITHUB_REPOSITORY")
        .envs([("VERSION", "1.2.3-rc.4"), ("TARGET", "x86_64-unknown-linux-gnu")])
        .envs([("TREE", path("tree")), ("WORK", path("work")), ("DIST", path("dist")), ("HOME", path("home"))])
        .envs(environment.iter().copied())
        .stdin(Stdio::null())
        .output()
        .unwrap();
    assert!(output.status.success(), "{output:?}");
    folder
}

/// Runs a command of a shell in a folder.
fn shell(folder: &Path, command: &str) -> Output {
    let home = folder.join("home");
    let run =
        Command::new("sh").args(["-c", command]).current_dir(folder).env("HOME", home).stdin(Stdio::null()).output();
    run.unwrap()
}

fn manifest(folder: &Path, package: &str) -> Value {
    let output = shell(folder, &format!("tar -xzOf dist/{package}-1.2.3-rc.4.tgz package/package.json"));
    serde_json::from_slice(&output.stdout).unwrap_or_else(|_| panic!("{output:?}"))
}

#[cfg_attr(not(all(target_os = "linux", target_arch = "x86_64")), ignore = "its packages are for Linux on x64")]
#[tokio::test]
async fn npm_installs_the_packages_as_the_readme_says() {
    let folder = packed(&[]);
    let folder = folder.path();
    let readme = fs::read_to_string(binaries::workspace().join("README.md")).unwrap();
    let install = readme.lines().find(|line| line.trim().starts_with("npm install -g ")).unwrap().trim();
    let output = shell(folder, &format!("{install} --prefix prefix --offline --no-audit --no-fund"));
    assert!(output.status.success(), "{install}: {output:?}");

    for (program, status) in [("aw", 0), ("aweave-server", 0), ("aw fail", 7)] {
        let output = shell(folder, &format!("prefix/bin/{program} 'two words'"));
        assert_eq!(String::from_utf8(output.stdout).unwrap(), format!("{program} two words\n"));
        assert_eq!(output.status.code(), Some(status), "{program}");
    }

    // Wherever else a shell looks for folders.
    let output = shell(folder, "cd prefix && mkdir -p cd/bin && CDPATH=$PWD/cd:. sh bin/aw there");
    assert_eq!(String::from_utf8(output.stdout).unwrap(), "aw there\n", "{:?}", String::from_utf8(output.stderr));

    // It is the program itself that gets the signals of the terminal and of others.
    let output = shell(folder, "prefix/bin/aw process & echo $!; wait");
    let printed = String::from_utf8(output.stdout).unwrap();
    let (launched, process) = printed.trim().split_once('\n').unwrap();
    assert_eq!(process, launched);

    let names = "aweave-debate aweave-debate-linux-x64";
    let output = shell(folder, &format!("npm uninstall -g {names} --prefix prefix --offline --no-audit --no-fund"));
    assert!(output.status.success(), "{output:?}");
    let left = shell(folder, "find prefix ! -type d").stdout;
    assert_eq!(String::from_utf8(left).unwrap(), "", "nothing is left");
}

#[test]
fn npm_packages_of_one_version_belong_together_and_name_their_repository() {
    let folder = packed(&[("GITHUB_SERVER_URL", "https://git.example"), ("GITHUB_REPOSITORY", "a/b")]);
    let launchers = manifest(folder.path(), "aweave-debate");
    for platform in ["linux-x64", "linux-arm64", "darwin-x64", "darwin-arm64"] {
        assert_eq!(launchers["optionalDependencies"][format!("aweave-debate-{platform}")], "1.2.3-rc.4");
    }
    let binaries = manifest(folder.path(), "aweave-debate-linux-x64");
    assert_eq!((&binaries["os"], &binaries["cpu"]), (&json!(["linux"]), &json!(["x64"])));
    // npm refuses what a workflow publishes without it.
    for manifest in [launchers, binaries] {
        assert_eq!(manifest["repository"], json!({"type": "git", "url": "git+https://git.example/a/b.git"}));
    }
}

#[test]
fn the_bill_of_materials_lists_what_is_linked_and_nothing_else() {
    if !Command::new("python3").arg("--version").output().is_ok_and(|output| output.status.success()) {
        report_skipped("the bill of materials", "there is no python3");
        return;
    }
    let folder = TempDir::new().unwrap();
    let file = folder.path().join("sbom.json");
    let output = Command::new("python3")
        .arg(binaries::workspace().join("packaging/sbom.py"))
        .arg(&file)
        .envs([("VERSION", "1.2.3"), ("TARGET", "x86_64-unknown-linux-gnu"), ("SOURCE_DATE_EPOCH", "0")])
        .env("PYTHONDONTWRITEBYTECODE", "1")
        .stdin(Stdio::null())
        .output()
        .unwrap();
    assert!(output.status.success(), "{output:?}");
    let sbom: Value = serde_json::from_slice(&fs::read(file).unwrap()).unwrap();
    let components = sbom["components"].as_array().unwrap();
    let lists = |name: &str| components.iter().any(|component| component["name"] == name);
    for name in ["sqlx-sqlite", "sqlx-postgres", "poem", "clap", "react"] {
        assert!(lists(name), "{name}");
    }
    // Of features that are off, of tests, of builds, and of this repository.
    for name in ["sqlx-mysql", "sea-orm-cli", "insta", "progenitor", "vitest", "api", "aweave-debate"] {
        assert!(!lists(name), "{name}");
    }
}
