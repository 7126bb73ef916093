//! Settings of the server, and those it refuses to start with.

use std::{
    fs,
    os::unix::fs::{PermissionsExt, chown, symlink},
    path::{Path, PathBuf},
    process::Command,
};

use rstest::rstest;
use tempfile::TempDir;
use tests::{
    binaries,
    debate::Debate,
    os, polling,
    server::{Server, Settings},
    store::{Backend, Store},
};

#[test]
fn each_setting_of_the_help_is_documented() {
    let help = Command::new(binaries::server()).arg("--help").env_clear().output().unwrap();
    let help = String::from_utf8(help.stdout).unwrap();
    let documented = fs::read_to_string(binaries::workspace().join("docs/running.md")).unwrap();
    let settings: Vec<&str> = documented.lines().filter(|line| line.starts_with("| `")).collect();
    let mut found = 0;
    for line in help.lines().map(str::trim) {
        let flag = line.split([' ', ',']).next().filter(|word| word.starts_with("--"));
        let variable = line.strip_prefix("[env: ").and_then(|rest| rest.split([']', '=']).next());
        for name in flag.into_iter().chain(variable) {
            found += 1;
            let is_there = settings.iter().any(|setting| setting.contains(&format!("`{name}`")));
            assert!(is_there, "{name} is not among the settings in docs/running.md");
        }
    }
    assert!(found > 20, "the help lists {found} settings only: {help}");
}

async fn refused(settings: &Settings) -> String {
    let folder = TempDir::new().unwrap();
    let (status, said) = Server::start_refused(settings, &Store::fresh(folder.path())).await;
    assert!(status.code().is_some_and(|code| code != 0), "it ended with {status}: {said}");
    assert!(!said.contains("panicked"), "a refusal is no panic: {said}");
    said
}

fn mode(path: &Path) -> u32 {
    fs::metadata(path).unwrap_or_else(|e| panic!("{}: {e}", path.display())).permissions().mode() & 0o777
}

#[rstest]
#[case::flag(Settings::new().args(&["--host", "0.0.0.0"]))]
#[case::environment(Settings::new().env("DEBATE_SERVER_HOST", "0.0.0.0"))]
#[case::with_the_arbitrators_token_alone(
    Settings::new().env("DEBATE_SERVER_HOST", "0.0.0.0").env("DEBATE_ARBITRATOR_TOKEN", "judge")
)]
#[case::with_an_empty_token(Settings::new().args(&["--host", "0.0.0.0"]).env("DEBATE_AUTH_TOKEN", ""))]
#[tokio::test]
async fn a_public_address_without_a_token_is_refused_with_the_reason(#[case] settings: Settings) {
    let said = refused(&settings).await;
    assert!(said.contains("DEBATE_AUTH_TOKEN"), "what is missing is not named: {said}");
}

#[rstest]
#[case::of_agents("DEBATE_AUTH_TOKEN", "DEBATE_ARBITRATOR_TOKEN")]
#[case::of_the_arbitrator("DEBATE_ARBITRATOR_TOKEN", "DEBATE_AUTH_TOKEN")]
#[tokio::test]
async fn a_short_token_beside_a_public_address_is_refused(#[case] short: &str, #[case] other: &str) {
    let settings = Settings::new().args(&["--host", "0.0.0.0"]).env(other, "0123456789abcdef");
    let said = refused(&settings.clone().env(short, "fifteen-letters")).await;
    assert!(said.contains(short) && said.contains("16 characters") && !said.contains("fifteen"), "{said}");
    let folder = TempDir::new().unwrap();
    let started = Server::try_start(&settings.env(short, "sixteen--letters"), &Store::fresh(folder.path())).await;
    assert!(started.is_ok(), "sixteen are enough");
    // Where only this machine reaches the server it may be short.
    Server::with(Settings::new().env("DEBATE_AUTH_TOKEN", "short")).await;
}

/// What is no plain file, and how the refusal calls it.
fn not_plain(folder: &Path) -> [PathBuf; 3] {
    let pipe = folder.join("pipe");
    assert!(Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    [pipe, PathBuf::from("/dev/zero"), folder.to_owned()]
}

#[rstest]
#[case::signing_key("DEBATE_SIGNING_KEY_FILE")]
#[case::agents("DEBATE_AUTH_TOKEN_FILE")]
#[case::arbitrator("DEBATE_ARBITRATOR_TOKEN_FILE")]
#[case::webhooks("DEBATE_WEBHOOK_SECRET_FILE")]
#[tokio::test]
async fn only_plain_files_that_nobody_else_can_write_are_read(#[case] setting: &str) {
    let folder = TempDir::new().unwrap();
    let with = |path: &Path| Settings::new().env(setting, path.to_str().unwrap());
    for path in not_plain(folder.path()) {
        let said = refused(&with(&path)).await;
        assert!(said.contains("it is not a plain file") && said.contains(path.to_str().unwrap()), "{said}");
    }
    let file = folder.path().join("secret");
    fs::write(&file, "KEEP").unwrap();
    for mode in [0o666, 0o620, 0o602] {
        fs::set_permissions(&file, fs::Permissions::from_mode(mode)).unwrap();
        let said = refused(&with(&file)).await;
        assert!(said.contains("other users can write") && said.contains(file.to_str().unwrap()), "{mode:o}: {said}");
        assert!(!said.contains("KEEP"), "{said}");
    }
    fs::set_permissions(&file, fs::Permissions::from_mode(0o600)).unwrap();
    // Only root may change a file's owner.
    if chown(&file, Some(65_534), None).is_ok() {
        let said = refused(&with(&file)).await;
        assert!(said.contains("belongs to user 65534") && said.contains(file.to_str().unwrap()), "{said}");
    }
}

#[tokio::test]
async fn a_signing_key_beside_the_database_that_another_user_owns_is_refused() {
    let mut server = Server::on_backend(Backend::Sqlite, Settings::new()).await;
    let key = server.store().path().with_file_name("signing.key");
    server.terminate();
    server.wait_for_exit().await;
    if chown(&key, Some(65_534), None).is_err() {
        return;
    }
    let (_, said) = Server::start_refused(&Settings::new(), server.store()).await;
    assert!(said.contains("belongs to user 65534") && said.contains(key.to_str().unwrap()), "{said}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn commands_refuse_a_database_that_is_no_plain_file() {
    let folder = TempDir::new().unwrap();
    let target = folder.path().join("target.db");
    for path in not_plain(folder.path()) {
        let (given, database, path) = (url(&path), url(&target), path.to_str().unwrap());
        for line in [
            vec!["--database-url", &given, "verify"],
            vec!["--database-url", &given, "backup", "--to", target.to_str().unwrap()],
            vec!["--database-url", &database, "restore", "--from", path],
            vec!["copy", "--from", &given, "--to", &database],
        ] {
            let mut command = tokio::process::Command::new(binaries::server());
            command.args(&line).env_clear().kill_on_drop(true);
            let output = tokio::time::timeout(polling::DEADLINE, command.output()).await.expect("it ends").unwrap();
            let said = String::from_utf8(output.stderr).unwrap();
            assert!(!output.status.success() && said.contains(path), "{line:?}: {said}");
            assert!(!target.exists(), "{line:?}");
        }
    }
}

#[tokio::test]
async fn another_address_with_a_token_is_accepted() {
    let settings = Settings::new().args(&["--host", "127.0.0.2", "--allowed-host", "127.0.0.2"]);
    let server = Server::with(settings.env("DEBATE_AUTH_TOKEN", "agents")).await;
    assert_eq!(server.address().ip().to_string(), "127.0.0.2");
    server.client().get("/debates").await.refusal("AUTH_FAILED");
    server.client().with_token("agents").get("/debates").await.data(200);
}

#[rstest]
#[case::port_of_six_digits(&["--port", "123456"])]
#[case::port_of_letters(&["--port", "http"])]
#[case::unknown_flag(&["--nonsense"])]
#[case::unknown_command(&["nonsense"])]
#[case::unknown_log_format(&["--log-format", "xml"])]
#[case::unknown_store(&["--database-url", "mysql://localhost/debates"])]
#[case::size_of_letters(&["--max-content-bytes", "many"])]
#[tokio::test]
async fn an_invalid_setting_is_refused(#[case] args: &[&str]) {
    let said = refused(&Settings::new().args(args)).await;
    let value = args.last().expect("there is one").split(':').next().unwrap_or_default();
    assert!(said.contains(value), "{value} is not named: {said}");
}

#[tokio::test]
async fn a_port_in_use_is_refused_with_its_number() {
    let first = Server::start().await;
    let port = first.address().port().to_string();
    let said = refused(&Settings::new().args(&["--port", &port])).await;
    assert!(said.contains(&port), "the port is not named: {said}");
}

#[tokio::test]
async fn a_database_in_use_is_refused_and_its_server_keeps_running() {
    let first = Server::start().await;
    let debate = Debate::create(&first.client()).await;
    let (status, said) = Server::start_refused(&Settings::new(), first.store()).await;
    assert!(status.code().is_some_and(|code| code != 0), "it ended with {status}: {said}");
    let path = first.store().path().to_str().unwrap();
    assert!(said.contains(path), "{path} is not named: {said}");
    assert!(!said.contains("panicked"), "a refusal is no panic: {said}");
    assert_eq!(debate.stored().await["debate"]["last_seq"], 1);
}

#[tokio::test]
async fn a_database_behind_a_symbolic_link_is_refused_with_its_target() {
    let folder = TempDir::new().unwrap();
    let (real, link) = (folder.path().join("real"), folder.path().join("link"));
    fs::create_dir(&real).unwrap();
    symlink(&real, &link).unwrap();
    symlink(real.join("debate.db"), real.join("link.db")).unwrap();
    for path in [link.join("debate.db"), real.join("link.db")] {
        let said = refused(&Settings::new().unset("DEBATE_DB_PATH").args(&["--database-url", &url(&path)])).await;
        assert!(said.contains("symbolic link") && said.contains(real.to_str().unwrap()), "{said}");
    }
    assert_eq!(fs::read_dir(&real).unwrap().count(), 1, "something was made behind the link");
}

#[tokio::test]
async fn a_database_of_another_user_is_refused() {
    let folder = TempDir::new().unwrap();
    let file = folder.path().join("debate.db");
    fs::write(&file, "").unwrap();
    // Only root may change a file's owner, so other users skip this test.
    if chown(&file, Some(65_534), None).is_err() {
        return;
    }
    let said = refused(&Settings::new().unset("DEBATE_DB_PATH").args(&["--database-url", &url(&file)])).await;
    assert!(said.contains("belongs to user 65534") && said.contains(file.to_str().unwrap()), "{said}");
}

fn url(path: &Path) -> String {
    format!("sqlite:{}", path.display())
}

#[tokio::test]
async fn the_database_files_are_private() {
    let server = Server::start().await;
    Debate::create(&server.client()).await;
    let folder = server.store().path().parent().unwrap();
    assert_eq!(mode(folder), 0o700, "{}", folder.display());
    for file in fs::read_dir(folder).unwrap() {
        let path = file.unwrap().path();
        assert_eq!(mode(&path), 0o600, "{}", path.display());
    }
}

#[tokio::test]
async fn the_database_is_in_the_home_folder_by_default() {
    let server = Server::with(Settings::new().unset("DEBATE_DB_PATH")).await;
    Debate::create(&server.client()).await;
    let folder = server.home().join(".aweave");
    assert_eq!((mode(&folder), mode(&folder.join("debate.db"))), (0o700, 0o600));
    assert!(!server.store().path().exists());
}

#[rstest]
#[tokio::test]
async fn the_database_is_where_its_url_says(#[values(true, false)] by_flag: bool) {
    let folder = TempDir::new().unwrap();
    let file = folder.path().join("own folder").join("mine.db");
    let url = format!("sqlite:{}", file.display());
    let settings = Settings::new().unset("DEBATE_DB_PATH");
    let settings = if by_flag { settings.args(&["--database-url", &url]) } else { settings.env("DATABASE_URL", &url) };
    let server = Server::with(settings).await;
    Debate::create(&server.client()).await;
    assert!(file.exists(), "{} is not there", file.display());
}

#[rstest]
#[tokio::test]
async fn the_port_can_be_set(#[values(true, false)] by_flag: bool) {
    let port = os::free_port().to_string();
    let settings = Settings::new();
    let settings = if by_flag { settings.args(&["--port", &port]) } else { settings.env("DEBATE_SERVER_PORT", &port) };
    let server = Server::with(settings).await;
    assert_eq!(server.address().port().to_string(), port);
}

#[tokio::test]
async fn a_flag_wins_over_the_environment() {
    let (flag, environment) = (os::free_port().to_string(), os::free_port().to_string());
    let settings = Settings::new().args(&["--port", &flag]).env("DEBATE_SERVER_PORT", &environment);
    assert_eq!(Server::with(settings).await.address().port().to_string(), flag);
}

#[rstest]
#[case::json_away_from_a_terminal(&[], true)]
#[case::json(&["--log-format", "json"], true)]
#[case::pretty(&["--log-format", "pretty"], false)]
#[tokio::test]
async fn the_log_format_can_be_set(#[case] args: &[&str], #[case] json: bool) {
    let server = Server::with(Settings::new().args(args).env("RUST_LOG", "debug")).await;
    Debate::create(&server.client()).await;
    let log = server.log();
    assert!(!log.is_empty(), "the debug log is not empty");
    let is_json = |line: &str| serde_json::from_str::<serde_json::Value>(line).is_ok_and(|value| value.is_object());
    // The last line may be incomplete.
    let complete = &log[..=log.rfind('\n').expect("a line")];
    let strays: Vec<&str> = complete.lines().filter(|line| is_json(line) != json).collect();
    assert!(strays.is_empty(), "{strays:#?}");
}

#[tokio::test]
async fn help_and_version_are_text_and_need_no_settings() {
    for (flag, word) in [("--help", "--database-url"), ("--version", "aweave-server")] {
        let output = Command::new(binaries::server()).arg(flag).env_clear().output().unwrap();
        let text = String::from_utf8(output.stdout).unwrap();
        assert!(output.status.success() && text.contains(word), "{flag}: {text}");
    }
}
