//! `make install` and `make uninstall`.

use std::{
    fs,
    os::unix::fs::PermissionsExt,
    path::{Path, PathBuf},
    process::{Command, Stdio},
};

use tempfile::TempDir;
use tests::binaries;

/// Runs a make target with the binaries under test and `umask 077`, and returns its output.
fn make(target: &str, variables: &[String]) -> String {
    let (succeeded, said) = try_make(target, variables);
    assert!(succeeded, "{said}");
    said
}

/// The same, and whether it succeeds.
fn try_make(target: &str, variables: &[String]) -> (bool, String) {
    let output = Command::new("sh")
        .args(["-c", "umask 077; exec make \"$@\"", "make", "-o", "build", target])
        .arg(format!("BINARIES={}", binaries::aw().parent().unwrap().display()))
        .args(variables)
        .current_dir(binaries::workspace())
        .env_remove("MAKEFLAGS")
        .stdin(Stdio::null())
        .output()
        .expect("make runs");
    (output.status.success(), String::from_utf8([output.stdout, output.stderr].concat()).unwrap())
}

/// The relative paths of all files below a folder.
fn files(folder: &Path) -> Vec<PathBuf> {
    fn collect(folder: &Path, found: &mut Vec<PathBuf>) {
        for entry in folder.read_dir().unwrap().map(|entry| entry.unwrap().path()) {
            if entry.is_dir() { collect(&entry, found) } else { found.push(entry) }
        }
    }
    let mut found = Vec::new();
    collect(folder, &mut found);
    found.sort();
    found.into_iter().map(|path| path.strip_prefix(folder).unwrap().to_owned()).collect()
}

fn output(program: &Path, arguments: &[&str]) -> Vec<u8> {
    Command::new(program).args(arguments).output().expect("it runs").stdout
}

#[test]
fn a_path_that_make_or_the_shell_would_read_as_something_else_is_refused() {
    let folder = TempDir::new().unwrap();
    let place = folder.path().display();
    fs::write(folder.path().join("John"), "mine").unwrap();
    let refused = [
        "John Doe",
        "a'b",
        "a;touch x",
        "a&b",
        "a|b",
        "~",
        "a\"b",
        "a`b",
        "a*",
        "a?b",
        "a(b)",
        "a\\b",
        "a#b",
        "a>b",
        "a\tb",
    ];
    for target in ["install", "uninstall"] {
        let variables =
            refused.iter().flat_map(|name| [format!("PREFIX={place}/{name}"), format!("DESTDIR={place}/{name}")]);
        for variable in variables.chain(["PREFIX=~/.local".to_owned(), format!("HOME={place}/John Doe")]) {
            let (succeeded, said) = try_make(target, std::slice::from_ref(&variable));
            assert!(!succeeded && said.contains("give a whole path without blanks"), "{variable}: {said}");
        }
    }
    assert_eq!(files(folder.path()), [Path::new("John")]);
}

#[test]
fn install_writes_all_files_and_uninstall_removes_them() {
    let folder = TempDir::new().unwrap();
    let prefix = folder.path().join("x");
    let variables = [format!("PREFIX={}", prefix.display())];
    let said = make("install", &variables);
    assert!(said.contains(&format!("Add {}/bin to your PATH.", prefix.display())), "{said}");

    let aw = prefix.join("bin/aw");
    for (file, expected) in [
        ("share/man/man1/aw.1", output(&aw, &["man"])),
        ("share/man/man1/aw-debate-wait.1", output(&aw, &["man", "debate", "wait"])),
        ("share/bash-completion/completions/aw", output(&aw, &["completions", "bash"])),
        ("share/zsh/site-functions/_aw", output(&aw, &["completions", "zsh"])),
        ("share/fish/vendor_completions.d/aw.fish", output(&aw, &["completions", "fish"])),
    ] {
        assert_eq!(fs::read(prefix.join(file)).unwrap(), expected, "{file}");
        assert!(!expected.is_empty(), "{file}");
        assert_eq!(fs::metadata(prefix.join(file)).unwrap().permissions().mode() & 0o777, 0o644, "{file}");
    }
    let unit = fs::read_to_string(prefix.join("lib/systemd/user/aweave-server.service")).unwrap();
    assert!(unit.contains(&format!("\nExecStart={}/bin/aweave-server\n", prefix.display())), "{unit}");
    assert!(!unit.contains('@'), "{unit}");

    // Files of other programs must stay.
    let strangers = ["bin/aw-server", "share/man/man1/aw-server.1"];
    strangers.iter().for_each(|file| fs::write(prefix.join(file), "").unwrap());
    make("uninstall", &variables);
    assert_eq!(files(&prefix), strangers.map(PathBuf::from));
}

#[tokio::test]
async fn install_replaces_running_programs() {
    let folder = TempDir::new().unwrap();
    let variables = [format!("PREFIX={}", folder.path().display())];
    make("install", &variables);
    let server = folder.path().join("bin/aweave-server");
    let mut old = tokio::process::Command::new(&server)
        .args(["--port", "0"])
        .env("DEBATE_DB_PATH", folder.path().join("data/debate.db"))
        .env("RUST_LOG", "off")
        .stdout(Stdio::null())
        .kill_on_drop(true)
        .spawn()
        .unwrap();
    let before = files(folder.path());
    make("install", &variables);
    assert!(old.try_wait().unwrap().is_none(), "the old process keeps running");
    assert!(!output(&server, &["--version"]).is_empty(), "the new binary is installed");
    old.kill().await.unwrap();
    let installed =
        |found: Vec<PathBuf>| found.into_iter().filter(|file| !file.starts_with("data")).collect::<Vec<_>>();
    assert_eq!(installed(files(folder.path())), installed(before));
}

#[test]
fn destdir_installs_below_another_root() {
    let folder = TempDir::new().unwrap();
    let variables = [format!("DESTDIR={}", folder.path().display()), "PREFIX=/usr".to_owned()];
    let said = make("install", &variables);
    assert!(!said.contains("PATH") && !said.contains("Now:"), "{said}");
    let unit = fs::read_to_string(folder.path().join("usr/lib/systemd/user/aweave-server.service")).unwrap();
    assert!(unit.contains("\nExecStart=/usr/bin/aweave-server\n"), "{unit}");
    make("uninstall", &variables);
    assert_eq!(files(folder.path()), Vec::<PathBuf>::new());
}

#[test]
fn the_default_prefix_is_in_the_users_home() {
    let home = TempDir::new().unwrap();
    let variables = [format!("HOME={}", home.path().display())];
    make("install", &variables);
    let unit = fs::read_to_string(home.path().join(".config/systemd/user/aweave-server.service")).unwrap();
    assert!(unit.contains(&format!("\nExecStart={}/.local/bin/aweave-server\n", home.path().display())), "{unit}");
    make("uninstall", &variables);
    assert_eq!(files(home.path()), Vec::<PathBuf>::new());
}

#[test]
fn the_manual_page_of_the_server_has_every_command() {
    let page = fs::read_to_string(binaries::workspace().join("packaging/aweave-server.1")).unwrap().replace('\\', "");
    let help = String::from_utf8(output(binaries::server(), &["--help"])).unwrap();
    let commands = help.split_once("\nCommands:\n").unwrap().1.split_once("\n\n").unwrap().0;
    // Further lines of a description are indented more.
    let names = commands.lines().filter_map(|line| line.strip_prefix("  ")).filter(|line| !line.starts_with(' '));
    let names: Vec<&str> = names.map(|line| line.split(' ').next().unwrap()).collect();
    assert!(names.contains(&"verify"), "{help}");
    for name in names.into_iter().filter(|name| *name != "help") {
        assert!(page.contains(&format!("\n.B {name}")) && page.contains(&format!("fB{name}fR")), "{name}");
    }
}

#[test]
fn the_unit_is_where_systemd_looks_and_names_the_server_as_systemd_reads_it() {
    let folder = TempDir::new().unwrap();
    for home in ["plain", "slash/", "double//slash//", "with%percent", "%u"] {
        let home = format!("{}/{home}", folder.path().display());
        make("install", &[format!("HOME={home}")]);
        let unit = Path::new(&home).join(".config/systemd/user/aweave-server.service");
        let text = fs::read_to_string(unit).unwrap();
        let server = Path::new(&home).join(".local/bin/aweave-server");
        assert!(server.exists(), "{home}");
        let start = text.lines().find_map(|line| line.strip_prefix("ExecStart=")).unwrap();
        assert_eq!(Path::new(&start.replace("%%", "%")), server, "{home}");
        assert_eq!(start.matches('%').count(), 2 * home.matches('%').count(), "{start}");
        make("uninstall", &[format!("HOME={home}")]);
    }
    assert_eq!(files(folder.path()), Vec::<PathBuf>::new());
    for home in ["HOME=", "HOME= "] {
        let (succeeded, said) = try_make("install", &[home.to_owned()]);
        assert!(!succeeded && said.contains("HOME is not set: give PREFIX"), "{said}");
    }
    // Beside a home that the prefix is not in.
    for home in ["HOME=", "HOME=/"] {
        let prefix = folder.path().join("usr");
        make("install", &[home.to_owned(), format!("PREFIX={}", prefix.display())]);
        assert!(prefix.join("lib/systemd/user/aweave-server.service").exists(), "{home}");
    }
}
