//! Two deployments in schemas of one database.

use std::process::Command;

use tempfile::TempDir;
use tests::{
    binaries,
    debate::Debate,
    postgres::Postgres,
    request_bodies,
    server::{Server, Settings},
    store::{Backend, Store},
};

use super::presence::{roles, wait};
use crate::websocket::viewer::Viewer;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn each_has_its_own_indices_and_tells_its_own_waiters() {
    let database = Postgres::shared().create();
    database.run("CREATE SCHEMA s1; CREATE SCHEMA s2");
    let folder = TempDir::new().unwrap();
    // The URL that is given counts.
    let store = Store::fresh_on(Backend::Sqlite, folder.path());
    let url = |schema: &str| format!("{}?options=-c%20search_path%3D{schema}", database.url());
    let server = async |schema: &str| {
        let settings = Settings::new().args(&["--database-url", &url(schema)]).unset("DATABASE_URL");
        Server::on_store(settings, &store).await
    };
    let (first, beside_it, second) = (server("s1").await, server("s1").await, server("s2").await);
    for (server, schema) in [(&first, "s1"), (&second, "s2")] {
        assert!(!server.log().contains("searches scan all"), "{}", server.log());
        let verify =
            Command::new(binaries::server()).arg("verify").env_clear().env("DATABASE_URL", url(schema)).output();
        assert!(verify.as_ref().is_ok_and(|verify| verify.status.success()), "{verify:?}");
    }

    let body = request_bodies::creation();
    let debate = Debate::create_with(&first.client(), &body).await;
    let copy = Debate::create_with(&second.client(), &body).await;
    let (mut told_by_the_first, _) = Viewer::of_debate(&beside_it, &debate.id).await;
    let (mut told_by_the_second, _) = Viewer::of_debate(&second, &debate.id).await;
    let held = wait(&first, &debate, "proposer");
    assert_eq!(roles(&told_by_the_first.expect("presence").await), ["proposer"]);
    let other = wait(&second, &copy, "opponent");
    assert_eq!(roles(&told_by_the_second.expect("presence").await), ["opponent"], "those of the first are not told");
    held.abort();
    other.abort();
}
