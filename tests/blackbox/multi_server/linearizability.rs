//! Two servers on one database are linearizable, like a single one.

use tests::server::{Server, Settings};

use crate::faults::linearizability::check_histories;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn whatever_clients_do_at_once_at_two_servers_could_have_been_done_one_after_another_at_one() {
    let first = Server::with(Settings::new().restartable()).await;
    let second = Server::on_store(Settings::new().restartable(), first.store()).await;
    check_histories(vec![first, second]).await;
}
