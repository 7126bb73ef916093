//! The key that signs records: made once, named, backed up, and never replaced.

use std::{
    fs,
    os::unix::fs::PermissionsExt,
    path::{Path, PathBuf},
};

use rstest::rstest;
use serde_json::Value;
use tempfile::TempDir;
use tests::{
    debate::Debate,
    server::{Server, Settings},
    store::{Backend, Store},
};

use super::backup_and_restore::{done, restore, take};

const KEY: &str = "-----BEGIN PRIVATE KEY-----\n\
                   MC4CAQAwBQYDK2VwBCIEINTuctv5E1hK1bbY8fdp+K06/nwoy/HU++CXqI9EdVhC\n\
                   -----END PRIVATE KEY-----\n";

fn mode(path: &Path) -> u32 {
    fs::metadata(path).unwrap().permissions().mode() & 0o777
}

fn key_of(store: &Store) -> PathBuf {
    store.path().with_file_name("signing.key")
}

async fn public_key(server: &Server) -> Value {
    server.client().get("/info").await.data(200)["public_key"].clone()
}

#[tokio::test]
async fn the_first_start_makes_a_key_that_later_starts_use() {
    let mut server = Server::on_backend(Backend::Sqlite, Settings::new().restartable()).await;
    let path = key_of(server.store());
    assert_eq!(mode(&path), 0o600);
    let (text, key) = (fs::read_to_string(&path).unwrap(), public_key(&server).await);
    assert!(text.starts_with("-----BEGIN PRIVATE KEY-----\n"), "{key}");
    server.terminate();
    server.wait_for_exit().await;
    server.restart().await;
    assert_eq!((fs::read_to_string(&path).unwrap(), public_key(&server).await), (text.clone(), key));
    let secret = text.lines().nth(1).unwrap();
    assert!(!server.log().contains(secret) && !server.printed().contains(secret));
}

#[rstest]
#[case::missing(None, "cannot be read")]
#[case::empty(Some(""), "is not an Ed25519 key")]
#[case::text(Some("secret"), "is not an Ed25519 key")]
#[case::public(
    Some(
        "-----BEGIN PUBLIC KEY-----\nMCowBQYDK2VwAyEAGb9ECWmEzf6FQbrBZ9w7lshQhqowtrbLDFw4rXAxZuE=\n-----END PUBLIC KEY-----\n"
    ),
    "is not an Ed25519 key"
)]
#[tokio::test]
async fn a_key_that_cannot_be_used_refuses_the_start(#[case] text: Option<&str>, #[case] reason: &str) {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("key.pem");
    if let Some(text) = text {
        fs::write(&path, text).unwrap();
    }
    let store = Store::fresh_on(Backend::Sqlite, folder.path());
    for settings in [
        Settings::new().args(&["--signing-key-file", path.to_str().unwrap()]),
        Settings::new().env("DEBATE_SIGNING_KEY_FILE", path.to_str().unwrap()),
    ] {
        let (status, said) = Server::start_refused(&settings, &store).await;
        assert!(!status.success() && said.contains(path.to_str().unwrap()) && said.contains(reason), "{said}");
        assert!(said.contains("--signing-key-file"), "{said}");
    }
    assert!(!key_of(&store).exists(), "no other key is made in its place");
    if let Some(text) = text {
        fs::create_dir_all(store.path().parent().unwrap()).unwrap();
        fs::write(key_of(&store), text).unwrap();
        let (_, said) = Server::start_refused(&Settings::new(), &store).await;
        assert!(said.contains("signing.key") && said.contains(reason), "{said}");
        assert_eq!(fs::read_to_string(key_of(&store)).unwrap(), text, "it is left as it is");
    }
}

#[tokio::test]
async fn a_backup_has_the_key_beside_it_and_a_restore_never_replaces_one() {
    let folder = TempDir::new().unwrap();
    let mut server = Server::on_backend(Backend::Sqlite, Settings::new().restartable()).await;
    Debate::create(&server.client()).await;
    let (store, backup) = (server.store().clone(), folder.path().join("backup.db"));
    let (_, said) = done(take(&store, &backup, &[]));
    let copied = folder.path().join("backup.db.signing.key");
    assert!(said.contains(copied.to_str().unwrap()), "{said}");
    assert_eq!(mode(&copied), 0o600);
    let own = fs::read(key_of(&store)).unwrap();
    assert_eq!(fs::read(&copied).unwrap(), own);
    let files: Vec<_> = fs::read_dir(folder.path()).unwrap().map(|file| file.unwrap().file_name()).collect();
    assert_eq!(files.len(), 2, "{files:?}");

    // Another key beside another backup is not replaced either, unless asked to.
    fs::remove_file(&backup).unwrap();
    fs::write(&copied, KEY).unwrap();
    let refused = take(&store, &backup, &[]);
    assert!(!refused.status.success() && !backup.exists());
    assert!(String::from_utf8(refused.stderr).unwrap().contains("backup.db.signing.key already exists"));
    done(take(&store, &backup, &["--force"]));
    assert_eq!(fs::read(&copied).unwrap(), own);

    server.terminate();
    server.wait_for_exit().await;
    fs::write(key_of(&store), KEY).unwrap();
    done(restore(&store, &backup));
    assert_eq!(fs::read_to_string(key_of(&store)).unwrap(), KEY);
    // Where there is no key, that of the backup is put.
    fs::remove_file(key_of(&store)).unwrap();
    done(restore(&store, &backup));
    assert_eq!((fs::read(key_of(&store)).unwrap(), mode(&key_of(&store))), (own, 0o600));
}

#[tokio::test]
async fn a_named_key_is_backed_up_too_and_a_copy_takes_none_along() {
    let folder = TempDir::new().unwrap();
    let key = folder.path().join("key.pem");
    fs::write(&key, KEY).unwrap();
    let settings = Settings::new().env("DEBATE_SIGNING_KEY_FILE", key.to_str().unwrap());
    let mut server = Server::on_backend(Backend::Sqlite, settings).await;
    assert!(!key_of(server.store()).exists(), "no key is made beside the database");
    let backup = folder.path().join("backup.db");
    let output = super::backup_and_restore::taking(server.store(), &backup)
        .env("DEBATE_SIGNING_KEY_FILE", &key)
        .output()
        .unwrap();
    done(output);
    assert_eq!(fs::read_to_string(folder.path().join("backup.db.signing.key")).unwrap(), KEY);
    server.terminate();
    server.wait_for_exit().await;

    let target = folder.path().join("copy").join("debate.db");
    let to = format!("sqlite:{}", target.display());
    let mut command = std::process::Command::new(tests::binaries::server());
    let from = server.store().url();
    let output = command.args(["copy", "--from", &from, "--to", &to]).env_clear().output().unwrap();
    assert!(output.status.success(), "{output:?}");
    assert!(!target.with_file_name("signing.key").exists());
}
