//! `aweave-server backup` and `aweave-server restore`.

use std::{
    collections::BTreeMap,
    fs,
    os::unix::fs::{PermissionsExt, symlink},
    path::{Path, PathBuf},
    process::{Command, Output},
};

use rstest::rstest;
use serde_json::Value;
use tempfile::TempDir;
use tests::{
    binaries,
    client::Client,
    debate::Debate,
    document::Document,
    request_bodies::{self, with},
    server::{Server, Settings},
    store::{Backend, Store},
};

/// Reverts the migration that added who wrote an argument.
pub const WITHOUT_AGENTS: &str =
    "ALTER TABLE arguments DROP COLUMN agents; DELETE FROM seaql_migrations WHERE version LIKE 'm0013%'";

/// Reverts the migration that added what the plan follows from.
pub const WITHOUT_PLAN: &str = "ALTER TABLE debates DROP COLUMN plan; ALTER TABLE debates DROP COLUMN late_target_id; \
                                DELETE FROM seaql_migrations WHERE version LIKE 'm0012%'";

/// Reverts the migration that added the labels of chosen options.
pub const WITHOUT_CHOSEN_LABELS: &str =
    "ALTER TABLE arguments DROP COLUMN chosen_label; DELETE FROM seaql_migrations WHERE version LIKE 'm0020%'";

/// Reverts the migration that added since when a ruling is due.
pub const WITHOUT_RULING_SINCE: &str = "DROP INDEX debates_ruling_since_idx; ALTER TABLE debates DROP COLUMN ruling_since; \
                                        DELETE FROM seaql_migrations WHERE version LIKE 'm0019%'";

/// Reverts the migration that added which versions of the plan the opponent has seen.
pub const WITHOUT_SEEN_VERSIONS: &str = "UPDATE debates SET plan = '{}' WHERE plan IS NOT NULL; \
                                         DELETE FROM seaql_migrations WHERE version LIKE 'm0018%'";

/// Reverts the migration that added the hashes of metadata.
pub const WITHOUT_METADATA_HASHES: &str = "ALTER TABLE document_versions DROP COLUMN metadata_sha256; \
                                           DELETE FROM seaql_migrations WHERE version LIKE 'm0014%'";

/// Reverts the migration that added messages for webhooks.
pub const WITHOUT_WEBHOOKS: &str =
    "DROP TABLE webhook_deliveries; DELETE FROM seaql_migrations WHERE version LIKE 'm0011%'";

/// Reverts the migrations that added texts to search, and changed their form.
pub const WITHOUT_SEARCH_TEXTS: &str = "DROP TABLE search_index; DROP TABLE search_argument_index; DROP TABLE search_texts; DROP INDEX debates_indexed_seq_idx; \
                                        ALTER TABLE debates DROP COLUMN indexed_seq; \
                                        DELETE FROM seaql_migrations WHERE version LIKE 'm0016%' OR version LIKE 'm0017%'";

/// Reverts the migration that added deferred issues, in a database without any.
pub const WITHOUT_DEFERRED_ISSUES: &str = "ALTER TABLE issues DROP COLUMN deferred_by; \
                                           UPDATE debates SET issue_counts = replace(issue_counts, ',0]', ']'); \
                                           DELETE FROM seaql_migrations WHERE version LIKE 'm0015%'";

/// Reverts the migration that added seats.
pub const WITHOUT_SEATS: &str = "ALTER TABLE debates DROP COLUMN proposer_seat; \
                                 ALTER TABLE debates DROP COLUMN opponent_seat; \
                                 DELETE FROM seaql_migrations WHERE version LIKE 'm0010%'";

/// Reverts the migration that added citations.
pub const WITHOUT_CITATIONS: &str = "ALTER TABLE document_versions DROP COLUMN sha256; DROP INDEX arguments_citations; \
                                     ALTER TABLE arguments DROP COLUMN citations; \
                                     DELETE FROM seaql_migrations WHERE version LIKE 'm0009%'";

/// Reverts the migration that added titles to documents.
pub const WITHOUT_TITLES: &str = "ALTER TABLE documents DROP COLUMN title; ALTER TABLE documents DROP COLUMN title_folded; \
                                  DELETE FROM seaql_migrations WHERE version LIKE 'm0008%'";

/// Reverts the migration that added issues, in a database without titles.
pub const WITHOUT_ISSUES: &str = "DROP TABLE issues; DROP INDEX arguments_issue_changes; \
                                  ALTER TABLE arguments DROP COLUMN issue_changes; \
                                  ALTER TABLE arguments DROP COLUMN changed_issues; \
                                  ALTER TABLE debates DROP COLUMN max_rounds; ALTER TABLE debates DROP COLUMN rounds; \
                                  ALTER TABLE debates DROP COLUMN issue_counts; \
                                  DELETE FROM seaql_migrations WHERE version LIKE 'm0007%'";

/// Reverts the migrations from the one that added hashes to arguments up to that of issues.
pub const WITHOUT_HASHES: &str = "DROP TRIGGER IF EXISTS debate_titles_insert; DROP TABLE IF EXISTS debate_titles; \
                                  DROP TABLE IF EXISTS debate_totals; DROP INDEX IF EXISTS debates_unsealed_idx; \
                                  DROP INDEX IF EXISTS arguments_rulings; \
                                  ALTER TABLE arguments DROP COLUMN hash; ALTER TABLE debates DROP COLUMN head; \
                                  DELETE FROM seaql_migrations WHERE version >= 'm0003'";

/// Takes a backup of a store.
pub fn take(store: &Store, to: &Path, more: &[&str]) -> Output {
    taking(store, to).args(more).output().expect("the server's binary runs")
}

/// The command that takes a backup.
pub fn taking(store: &Store, to: &Path) -> Command {
    command(store, "backup", "--to", to)
}

/// Restores a backup.
pub fn restore(store: &Store, from: &Path) -> Output {
    restoring(store, from).output().expect("the server's binary runs")
}

/// The command that restores a backup.
pub fn restoring(store: &Store, from: &Path) -> Command {
    command(store, "restore", "--from", from)
}

fn command(store: &Store, verb: &str, flag: &str, file: &Path) -> Command {
    let mut command = Command::new(binaries::server());
    command.args([verb, flag]).arg(file).env_clear().envs(store.env());
    command
}

/// The stdout and stderr of a command that must succeed.
#[track_caller]
pub fn done(output: Output) -> (String, String) {
    let [told, said] = [output.stdout, output.stderr].map(|bytes| String::from_utf8(bytes).unwrap());
    assert!(output.status.success(), "{told}{said}");
    assert!(told.starts_with("in order: ") && told.lines().count() == 1, "{told}");
    (told, said)
}

/// The stderr of a command that must fail.
#[track_caller]
fn refused(output: Output) -> String {
    let said = String::from_utf8(output.stderr).unwrap();
    assert!(output.status.code().is_some_and(|code| code != 0) && output.stdout.is_empty(), "{said}");
    assert!(said.starts_with("aweave-server: ") && !said.contains("panicked"), "{said}");
    said
}

fn file_store(folder: &Path) -> Store {
    Store::fresh_on(Backend::Sqlite, folder)
}

/// All debates and documents as the API returns them.
pub async fn all(client: &Client) -> Vec<Value> {
    let mut told = Vec::new();
    for (path, list) in [("/debates", "debates"), ("/documents", "documents")] {
        let data = client.get(path).await.data(200);
        let ids = data[list].as_array().expect("a list").iter().map(|item| item["id"].as_str().expect("an id"));
        let paths: Vec<String> = ids.map(|id| format!("{path}/{id}")).collect();
        told.push(data);
        for path in paths {
            told.push(client.get(&path).await.data(200));
        }
    }
    told
}

/// The files of a folder and their content.
fn files(folder: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    let paths = fs::read_dir(folder).unwrap().map(|file| file.unwrap().path());
    paths.map(|path| (path.clone(), fs::read(path).unwrap())).collect()
}

/// A stopped server with a backup and later writes.
struct Fixture {
    server: Server,
    backup: PathBuf,
    /// The data at the time of the backup
    before: Vec<Value>,
    /// The current data
    after: Vec<Value>,
    folder: TempDir,
}

impl Fixture {
    async fn start() -> Self {
        let folder = TempDir::new().unwrap();
        let mut server = Server::with(Settings::new().restartable()).await;
        let client = server.client();
        let mut debate = Debate::create(&client).await;
        Document::create(&client).await;
        let backup = folder.path().join("backup.db");
        let before = all(&client).await;
        done(take(server.store(), &backup, &[]));
        debate.claim("opponent").await;
        Debate::create(&client).await;
        let after = all(&client).await;
        server.terminate();
        server.wait_for_exit().await;
        Self { server, backup, before, after, folder }
    }

    fn store(&self) -> &Store {
        self.server.store()
    }

    fn data(&self) -> &Path {
        self.store().path().parent().unwrap()
    }

    /// The former databases that restores have kept.
    fn put_aside(&self) -> Vec<PathBuf> {
        files(self.data()).into_keys().filter(|path| path.to_str().unwrap().contains(".before-restore-")).collect()
    }

    async fn tells(&mut self, expected: &[Value]) {
        self.server.restart().await;
        assert_eq!(all(&self.server.client()).await, expected);
        let (fine, said) = self.server.verify();
        assert!(fine, "{said}");
        self.server.kill();
    }
}

/// The file with the signing key beside a backup.
fn key_of(backup: &Path) -> PathBuf {
    PathBuf::from(format!("{}.signing.key", backup.display()))
}

#[tokio::test]
async fn a_backup_is_private_and_can_be_restored_elsewhere() {
    let fixture = Fixture::start().await;
    let names: Vec<PathBuf> = files(fixture.folder.path()).into_keys().collect();
    assert_eq!(names, [fixture.backup.clone(), key_of(&fixture.backup)], "something else was left");
    assert_eq!(fs::metadata(key_of(&fixture.backup)).unwrap().permissions().mode() & 0o777, 0o600);
    assert_eq!(fs::metadata(&fixture.backup).unwrap().permissions().mode() & 0o777, 0o600);
    let elsewhere = TempDir::new().unwrap();
    let store = file_store(elsewhere.path());
    let (told, said) = done(restore(&store, &fixture.backup));
    assert_eq!(told, "in order: 1 debate with 1 argument, 1 document with 1 version\n");
    assert!(said.contains(store.path().to_str().unwrap()) && !said.contains("before"), "{said}");
    let server = Server::on_store(Settings::new(), &store).await;
    assert_eq!(all(&server.client()).await, fixture.before);
}

#[tokio::test]
async fn backup_prints_counts_and_the_path() {
    let server = Server::with(Settings::new()).await;
    Debate::create(&server.client()).await.claim("opponent").await;
    let folder = TempDir::new().unwrap();
    let to = folder.path().join("backup.db");
    let (told, said) = done(take(server.store(), &to, &[]));
    assert_eq!(told, "in order: 1 debate with 2 arguments, 0 documents with 0 versions\n");
    assert!(said.contains(to.to_str().unwrap()) && said.contains(server.store().path().to_str().unwrap()), "{said}");
}

#[tokio::test]
async fn backup_replaces_a_file_only_with_force() {
    let server = Server::start().await;
    let folder = TempDir::new().unwrap();
    let to = folder.path().join("backup.db");
    fs::write(&to, "mine").unwrap();
    let said = refused(take(server.store(), &to, &[]));
    assert!(said.contains("--force") && said.contains(to.to_str().unwrap()), "{said}");
    assert_eq!(files(folder.path()), BTreeMap::from([(to.clone(), b"mine".to_vec())]));
    done(take(server.store(), &to, &["--force"]));
    assert_eq!(files(folder.path()).into_keys().collect::<Vec<_>>(), [to.clone(), key_of(&to)]);
    done(command(server.store(), "backup", "--force", &to).output().unwrap());
    done(restore(&file_store(folder.path()), &to));
}

#[tokio::test]
async fn backup_refuses_unsafe_targets() {
    let server = Server::start().await;
    let folder = TempDir::new().unwrap();
    let (real, link) = (folder.path().join("real.db"), folder.path().join("link.db"));
    symlink(&real, &link).unwrap();
    let database = server.store().path();
    for (to, why) in [
        (link.as_path(), "symbolic link"),
        (folder.path(), "is not a file"),
        (&folder.path().join("missing").join("backup.db"), "missing"),
        (database, "is a database in use"),
    ] {
        let said = refused(take(server.store(), to, &["--force"]));
        assert!(said.contains(why), "{said}");
    }
    assert!(!real.exists());
    Debate::create(&server.client()).await;
}

#[tokio::test]
async fn backup_refuses_a_damaged_database() {
    let mut server = Server::start().await;
    let mut debate = Debate::create(&server.client()).await;
    let claim = debate.claim("opponent").await["argument"].clone();
    let content = claim["content"].as_str().unwrap();
    server.terminate();
    server.wait_for_exit().await;
    server.store().corrupt(content, &content.to_uppercase());
    let folder = TempDir::new().unwrap();
    let said = refused(take(server.store(), &folder.path().join("backup.db"), &[]));
    assert!(said.contains("hash") && said.contains(claim["id"].as_str().unwrap()), "{said}");
    assert_eq!(files(folder.path()), BTreeMap::new());
}

#[tokio::test]
async fn backup_refuses_a_missing_database_and_does_not_create_it() {
    let folder = TempDir::new().unwrap();
    let store = file_store(folder.path());
    let said = refused(take(&store, &folder.path().join("backup.db"), &[]));
    assert!(said.contains(store.path().to_str().unwrap()), "{said}");
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
}

#[rstest]
#[case::backup(&["backup", "--to"])]
#[case::restore(&["restore", "--from"])]
fn backup_and_restore_refer_to_postgresqls_own_tools(#[case] verb: &[&str]) {
    let mut command = Command::new(binaries::server());
    command.env_clear().env("DATABASE_URL", "postgres://me:secret@db.example/debates").args(verb).arg("backup.db");
    let said = refused(command.output().unwrap());
    assert!(said.contains("pg_dump") && said.contains("aweave-server copy") && !said.contains("secret"), "{said}");
}

#[rstest]
#[tokio::test]
async fn restore_keeps_the_former_database_for_another_restore(#[values(true, false)] crashed: bool) {
    let mut fixture = Fixture::start().await;
    if crashed {
        // The last write is in the write-ahead log only.
        fixture.server.restart().await;
        let client = fixture.server.client();
        Document::create_with(&client, &with(request_bodies::document("Last.\n"), "summary", "last")).await;
        fixture.after = all(&client).await;
        fixture.server.kill();
        assert!(fixture.data().join("debate.db-wal").exists());
    }
    let (_, said) = done(restore(fixture.store(), &fixture.backup));
    let [former] = fixture.put_aside().try_into().unwrap();
    assert!(said.contains(former.to_str().unwrap()), "{said}");
    assert_eq!(fs::metadata(fixture.store().path()).unwrap().permissions().mode() & 0o777, 0o600);
    let (before, after) = (fixture.before.clone(), fixture.after.clone());
    fixture.tells(&before).await;
    done(restore(fixture.store(), &former));
    assert_eq!(fixture.put_aside().len(), 2);
    fixture.tells(&after).await;
}

#[tokio::test]
async fn restore_replaces_and_keeps_a_damaged_database() {
    let mut fixture = Fixture::start().await;
    let damaged = b"nothing that can be read".repeat(1_000);
    fs::write(fixture.store().path(), &damaged).unwrap();
    done(restore(fixture.store(), &fixture.backup));
    let [former] = fixture.put_aside().try_into().unwrap();
    assert_eq!(fs::read(former).unwrap(), damaged);
    let before = fixture.before.clone();
    fixture.tells(&before).await;
}

#[tokio::test]
async fn restore_refuses_a_database_in_use() {
    let mut fixture = Fixture::start().await;
    fixture.server.restart().await;
    let said = refused(restore(fixture.store(), &fixture.backup));
    assert!(said.contains("in use by another aweave-server") && fixture.put_aside().is_empty(), "{said}");
    assert_eq!(all(&fixture.server.client()).await, fixture.after);
    Debate::create(&fixture.server.client()).await;
}

/// Damaged backups and the reason in the error message.
#[rstest]
#[case::changed(|path| Store::at(path).run("UPDATE arguments SET content = 'something else'"), "hash")]
#[case::shortened(|path| fs::File::options().write(true).open(path).unwrap().set_len(20_000).unwrap(), "malformed")]
#[case::emptied(|path| fs::write(path, "").unwrap(), "is not a database of aweave-server")]
#[case::replaced(|path| fs::write(path, "a text".repeat(1_000)).unwrap(), "not a database")]
#[case::of_another_program(
    |path| {
        fs::write(&path, "").unwrap();
        Store::at(path).run("CREATE TABLE notes (note TEXT)");
    },
    "is not a database of aweave-server"
)]
#[case::of_a_newer_server(
    |path| Store::at(path).run("INSERT INTO seaql_migrations VALUES ('m9999_later', 0)"),
    "install a newer one"
)]
#[case::gone(|path| fs::remove_file(path).unwrap(), "cannot be restored")]
#[tokio::test]
async fn restore_refuses_a_damaged_backup_and_changes_nothing(#[case] becomes: fn(PathBuf), #[case] why: &str) {
    let mut fixture = Fixture::start().await;
    becomes(fixture.backup.clone());
    let stored = files(fixture.data());
    let said = refused(restore(fixture.store(), &fixture.backup));
    assert!(said.contains(why) && said.contains(fixture.backup.to_str().unwrap()), "{said}");
    assert_eq!(files(fixture.data()), stored);
    let after = fixture.after.clone();
    fixture.tells(&after).await;
}

#[tokio::test]
async fn restore_refuses_the_database_itself() {
    let fixture = Fixture::start().await;
    let said = refused(restore(fixture.store(), fixture.store().path()));
    assert!(said.contains("is the database itself"), "{said}");
}

#[tokio::test]
async fn restore_refuses_to_leave_an_orphaned_log() {
    let mut fixture = Fixture::start().await;
    fixture.server.restart().await;
    fixture.server.kill();
    let (log, database) = (fixture.data().join("debate.db-wal"), fixture.store().path().to_owned());
    fs::remove_file(&database).unwrap();
    let said = refused(restore(fixture.store(), &fixture.backup));
    assert!(said.contains(log.to_str().unwrap()) && !database.exists(), "{said}");
    fs::remove_file(log).unwrap();
    done(restore(fixture.store(), &fixture.backup));
    let before = fixture.before.clone();
    fixture.tells(&before).await;
}

#[tokio::test]
async fn restore_migrates_an_older_backup_without_changing_the_file() {
    let mut fixture = Fixture::start().await;
    for sql in [
        WITHOUT_CHOSEN_LABELS,
        WITHOUT_RULING_SINCE,
        WITHOUT_SEEN_VERSIONS,
        WITHOUT_SEARCH_TEXTS,
        WITHOUT_DEFERRED_ISSUES,
        WITHOUT_METADATA_HASHES,
        WITHOUT_AGENTS,
        WITHOUT_PLAN,
        WITHOUT_WEBHOOKS,
        WITHOUT_SEATS,
        WITHOUT_CITATIONS,
        WITHOUT_TITLES,
        WITHOUT_ISSUES,
        WITHOUT_HASHES,
    ] {
        Store::at(fixture.backup.clone()).run(sql);
    }
    let backup = fs::read(&fixture.backup).unwrap();
    done(restore(fixture.store(), &fixture.backup));
    assert_eq!(fs::read(&fixture.backup).unwrap(), backup);
    let mut before = fixture.before.clone();
    before.iter_mut().for_each(forget_metadata_hashes);
    fixture.tells(&before).await;
}

/// Versions that an earlier program made have no hash of their metadata.
fn forget_metadata_hashes(told: &mut Value) {
    match told {
        Value::Object(fields) => {
            for (name, value) in fields {
                if name == "metadata_sha256" { *value = Value::Null } else { forget_metadata_hashes(value) }
            }
        }
        Value::Array(items) => items.iter_mut().for_each(forget_metadata_hashes),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
}
