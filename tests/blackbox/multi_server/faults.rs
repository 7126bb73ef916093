//! Servers, connections, networks and the database fail again and again, and nothing is lost.
//!
//! `AWEAVE_FAULTS` says how many times as many faults as usual there are, `AWEAVE_SEED` which.

use std::time::Duration;

use fastrand::Rng;
use tests::{
    chance::{seed, size},
    postgres::Postgres,
    proxy::{Network, Proxy},
    server::Settings,
};
use tokio::time::sleep;

use super::campaign::{Campaign, Report};

const SERVERS: usize = 3;

/// Turns between two faults.
const BETWEEN: usize = 12;

#[expect(clippy::print_stdout, reason = "a long campaign is read as well as passed")]
fn nothing_was_lost(report: &Report) {
    println!("{} turns, the latest wake-up after {:?}", report.turns, report.slowest);
    assert!(report.faults.is_empty(), "{report:#?}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn listeners_whose_connections_are_cut_miss_nothing() {
    let (seed, database) = (seed(), Postgres::shared().create());
    let mut campaign = Campaign::start(&vec![database.url(); SERVERS], &Settings::new(), seed).await;
    for _ in 0..20 * size() {
        campaign
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
        campaign.goes_on(BETWEEN).await;
    }
    nothing_was_lost(&campaign.end().await);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_database_that_is_stopped_at_once_and_started_loses_nothing() {
    let (seed, postgres) = (seed(), Postgres::start());
    let mut random = Rng::with_seed(seed);
    let mut campaign = Campaign::start(&vec![postgres.url("postgres"); SERVERS], &Settings::new(), seed).await;
    for _ in 0..2 * size() {
        let pause = Duration::from_millis(random.u64(..1_000));
        campaign
            .while_failing(async |_| {
                tokio::task::block_in_place(|| postgres.stop());
                sleep(pause).await;
                tokio::task::block_in_place(|| postgres.start_again());
            })
            .await;
        campaign.goes_on(BETWEEN).await;
    }
    nothing_was_lost(&campaign.end().await);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn servers_that_are_killed_lose_nothing() {
    let (seed, database) = (seed(), Postgres::shared().create());
    let mut random = Rng::with_seed(seed);
    let mut campaign = Campaign::start(&vec![database.url(); SERVERS], &Settings::new(), seed).await;
    for _ in 0..5 * size() {
        let victim = random.usize(..SERVERS);
        campaign
            .while_failing(async |campaign| {
                campaign.server(victim).kill();
                campaign.server(victim).start_again().await;
            })
            .await;
        campaign.goes_on(BETWEEN).await;
    }
    nothing_was_lost(&campaign.end().await);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn networks_that_are_cut_lose_nothing() {
    const CUTS: [Network; 4] = [Network::Cut, Network::CutOnTheWayThere, Network::CutOnTheWayBack, Network::HungUp];
    let (seed, database) = (seed(), Postgres::shared().create());
    let mut random = Rng::with_seed(seed);
    let (mut proxies, mut urls) = (Vec::new(), Vec::new());
    for _ in 0..SERVERS {
        let proxy = Proxy::to(Postgres::shared().port()).await;
        urls.push(Postgres::shared().url_by(proxy.port(), database.name()));
        proxies.push(proxy);
    }
    let mut campaign = Campaign::start(&urls, &Settings::new(), seed).await;
    for _ in 0..4 * size() {
        let (proxy, cut) = (&proxies[random.usize(..SERVERS)], CUTS[random.usize(..CUTS.len())]);
        let pause = Duration::from_millis(random.u64(..3_000));
        campaign
            .while_failing(async |_| {
                proxy.set(cut);
                sleep(pause).await;
                proxy.set(Network::Whole);
            })
            .await;
        campaign.goes_on(BETWEEN).await;
    }
    nothing_was_lost(&campaign.end().await);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn servers_that_do_not_hear_of_each_other_are_found_out() {
    let (seed, database) = (seed(), Postgres::shared().create());
    let settings = Settings::new().args(&["--hear-others", "nothing"]);
    let campaign = Campaign::start(&vec![database.url(); SERVERS], &settings, seed).await;
    campaign.goes_on(20 * BETWEEN).await;
    let report = campaign.end().await;
    assert!(
        !report.faults.is_empty(),
        "without hearing of each other nothing was amiss, so nothing was tested: {report:?}"
    );
}
