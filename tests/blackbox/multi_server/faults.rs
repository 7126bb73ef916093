//! Injects faults into servers, connections, networks and the database, and checks that no write or wake-up is lost.
//!
//! `AWEAVE_FAULTS` multiplies the number of faults, `AWEAVE_SEED` repeats the random choices of a run.

use std::time::Duration;

use fastrand::Rng;
use tests::{
    postgres::Postgres,
    proxy::{Network, Proxy},
    random::{fault_factor, seed},
    server::Settings,
};
use tokio::time::sleep;

use super::workload::{Report, Workload};

const SERVERS: usize = 3;

/// The maximum delay of a wake-up after the last fault, in long runs.
const LATE: Duration = Duration::from_secs(2);

/// The number of turns between two faults.
const BETWEEN: usize = 12;

#[expect(clippy::print_stdout, reason = "long runs report their numbers")]
fn nothing_was_lost(report: &Report) {
    println!("{} turns, the latest wake-up after {:?}", report.turns, report.slowest);
    assert!(report.faults.is_empty(), "{report:#?}");
    // Short runs are made on machines that are busy with other tests.
    assert!(fault_factor() == 1 || report.slowest <= LATE, "a wake-up came {:?} late", report.slowest);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn no_wake_up_is_lost_when_listen_connections_are_terminated() {
    let (seed, database) = (seed(), Postgres::shared().create());
    let mut workload = Workload::start(&vec![database.url(); SERVERS], &Settings::new(), seed).await;
    for _ in 0..20 * fault_factor() {
        workload
            .while_failing(async |_| {
                let url = Postgres::shared().url("postgres");
                let cut = format!(
                    "SELECT pg_terminate_backend(pid) FROM pg_stat_activity \
                     WHERE datname = '{}' AND query LIKE 'LISTEN%'",
                    database.name()
                );
                Postgres::query(&url, &cut).await;
            })
            .await;
        workload.run_for(BETWEEN).await;
    }
    nothing_was_lost(&workload.end().await);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn nothing_is_lost_when_the_database_restarts() {
    let (seed, postgres) = (seed(), Postgres::start());
    let mut random = Rng::with_seed(seed);
    let mut workload = Workload::start(&vec![postgres.url("postgres"); SERVERS], &Settings::new(), seed).await;
    for _ in 0..2 * fault_factor() {
        let pause = Duration::from_millis(random.u64(..1_000));
        workload
            .while_failing(async |_| {
                tokio::task::block_in_place(|| postgres.stop());
                sleep(pause).await;
                tokio::task::block_in_place(|| postgres.restart());
            })
            .await;
        workload.run_for(BETWEEN).await;
    }
    nothing_was_lost(&workload.end().await);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn nothing_is_lost_when_servers_are_killed() {
    let (seed, database) = (seed(), Postgres::shared().create());
    let mut random = Rng::with_seed(seed);
    let mut workload = Workload::start(&vec![database.url(); SERVERS], &Settings::new(), seed).await;
    for _ in 0..5 * fault_factor() {
        let victim = random.usize(..SERVERS);
        workload
            .while_failing(async |workload| {
                workload.server(victim).kill();
                workload.server(victim).restart().await;
            })
            .await;
        workload.run_for(BETWEEN).await;
    }
    nothing_was_lost(&workload.end().await);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn nothing_is_lost_when_networks_fail() {
    const CUTS: [Network; 4] = [Network::BothHeld, Network::RequestsHeld, Network::ResponsesHeld, Network::Closed];
    let (seed, database) = (seed(), Postgres::shared().create());
    let mut random = Rng::with_seed(seed);
    let (mut proxies, mut urls) = (Vec::new(), Vec::new());
    for _ in 0..SERVERS {
        let proxy = Proxy::to(Postgres::shared().port()).await;
        urls.push(Postgres::shared().url_through(proxy.port(), database.name()));
        proxies.push(proxy);
    }
    let mut workload = Workload::start(&urls, &Settings::new(), seed).await;
    for _ in 0..4 * fault_factor() {
        let (proxy, cut) = (&proxies[random.usize(..SERVERS)], CUTS[random.usize(..CUTS.len())]);
        let pause = Duration::from_millis(random.u64(..3_000));
        workload
            .while_failing(async |_| {
                proxy.set(cut);
                sleep(pause).await;
                proxy.set(Network::Connected);
            })
            .await;
        workload.run_for(BETWEEN).await;
    }
    nothing_was_lost(&workload.end().await);
}
