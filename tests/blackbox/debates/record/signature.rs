//! The signature of a record, checked with Node's cryptography.

use std::{fs, os::unix::fs::PermissionsExt};

use serde_json::Value;
use tempfile::TempDir;
use tests::{
    debate::{Debate, Situation},
    node,
    server::{Server, Settings},
    store::Backend,
};

/// The key of RFC 8410, section 10.
pub const KEY: &str = "-----BEGIN PRIVATE KEY-----\n\
                       MC4CAQAwBQYDK2VwBCIEINTuctv5E1hK1bbY8fdp+K06/nwoy/HU++CXqI9EdVhC\n\
                       -----END PRIVATE KEY-----\n";

/// Its public key.
pub const PUBLIC_KEY: &str = "Gb9ECWmEzf6FQbrBZ9w7lshQhqowtrbLDFw4rXAxZuE=";

/// A server that signs with [`KEY`], and the folder of the key.
pub async fn signing_server() -> (Server, TempDir) {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("key.pem");
    fs::write(&path, KEY).unwrap();
    fs::set_permissions(&path, fs::Permissions::from_mode(0o600)).unwrap();
    let settings = Settings::new().env("DEBATE_SIGNING_KEY_FILE", path.to_str().unwrap());
    (Server::with(settings).await, folder)
}

/// Checks the signature with Node, and that it does not hold for changed copies.
#[track_caller]
pub fn assert_holds(signed: &Value) {
    node::check("verify-record.mjs", &signed.to_string());
}

#[tokio::test]
async fn a_record_is_signed_with_the_named_key() {
    let (server, _key) = signing_server().await;
    let client = server.client();
    assert_eq!(client.get("/info").await.data(200)["public_key"], PUBLIC_KEY);
    for situation in [Situation::AwaitingOpponent, Situation::Appealed, Situation::LateDelivered, Situation::Closed] {
        let debate = Debate::in_situation(&client, situation).await;
        let signed = client.get(&debate.path("/record")).await.data(200);
        assert_eq!(signed["signature"]["algorithm"], "Ed25519");
        assert_eq!(signed["signature"]["public_key"], PUBLIC_KEY);
        assert_holds(&signed);
    }
    assert!(!server.log().contains("MC4CAQ"), "the key is not logged");
}

#[tokio::test]
async fn without_the_setting_a_file_has_a_key_and_a_shared_database_has_none() {
    let server = Server::start().await;
    let client = server.client();
    let debate = Debate::create(&client).await;
    let signed = client.get(&debate.path("/record")).await.data(200);
    let public_key = client.get("/info").await.data(200)["public_key"].clone();
    match Backend::of_this_binary() {
        Backend::Sqlite => {
            assert_eq!(signed["signature"]["public_key"], public_key);
            assert_holds(&signed);
        }
        Backend::Postgres => assert_eq!((&signed["signature"], &public_key), (&Value::Null, &Value::Null)),
    }
}
