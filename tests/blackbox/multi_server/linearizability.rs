//! Two servers on one database are linearizable, like a single one.

use tests::server::{Server, Settings};

use crate::faults::linearizability::check_histories;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn two_servers_are_linearizable() {
    let first = Server::with(Settings::new().restartable()).await;
    let second = Server::on_store(Settings::new().restartable(), first.store()).await;
    check_histories(vec![first, second]).await;
}
