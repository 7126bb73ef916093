//! Servers that start and stop while others use the same database.

use tempfile::TempDir;
use tests::{
    debate::Debate,
    server::{Server, Settings},
    store::Store,
};
use tokio::task::JoinSet;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn servers_can_start_concurrently_on_an_empty_database() {
    let folder = TempDir::new().unwrap();
    let store = Store::fresh(folder.path());
    let mut starting = JoinSet::new();
    for _ in 0..6 {
        let store = store.clone();
        starting.spawn(async move { Server::on_store(Settings::new(), &store).await });
    }
    let servers = starting.join_all().await;
    let debate = Debate::create(&servers[0].client()).await;
    for server in &servers {
        assert_eq!(debate.by(&server.client()).stored().await["debate"]["last_seq"], 1);
    }
}

#[tokio::test]
async fn a_server_shuts_down_while_another_keeps_running() {
    let first = Server::start().await;
    let mut second = Server::on_store(Settings::new(), first.store()).await;
    let mut debate = Debate::create(&second.client()).await.by(&first.client());
    second.terminate();
    assert_eq!(second.wait_for_exit().await.code(), Some(0));
    debate.claim("opponent").await;
}
