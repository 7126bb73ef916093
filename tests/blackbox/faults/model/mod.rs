//! The same random stories, legal and illegal moves alike, told by the contract in a few lines and by real servers: each
//! answer is the same, whichever store a server has.
//!
//! The contract is in `contract.rs` and what it uses; it knows nothing of the product but what clients are told. On
//! PostgreSQL a server on SQLite tells the same stories beside, so that the servers' own words are compared as well.
//! Each control is a contract with a mistake, which has to be found out and told in a few steps.

mod chain;
mod contract;
mod debate;
mod document;
mod fields;
mod moves;
mod reply;
mod request;
mod scene;
mod stories;
mod story;
mod tally;
mod teller;
mod twists;

use std::time::Instant;

use rstest::rstest;
use tests::{
    chance::{seed, tell},
    client::Client,
    server::{Server, Settings},
    store::Backend,
};

use self::{
    contract::Mistake,
    fields::{MAX_CONTENT, MAX_DOCUMENT},
    request::{AGENTS, JUDGE},
    stories::{runtime, tell_many},
    story::tell_any,
};

/// How many steps tell of a mistake at most, of the most that a story has here.
const FEW: usize = 8;
const OF_MANY: usize = 30;

/// How many stories are tried until a mistake has to be found out: some take a rare turn to be seen.
const TRIED: u64 = 20_000;

/// The servers that tell: one, and on PostgreSQL one on SQLite beside it.
async fn servers() -> Vec<Server> {
    let settings = Settings::new().env("DEBATE_AUTH_TOKEN", AGENTS).env("DEBATE_ARBITRATOR_TOKEN", JUDGE);
    let settings = settings.args(&["--max-content-bytes", &MAX_CONTENT.to_string()]);
    let settings = settings.args(&["--max-document-bytes", &MAX_DOCUMENT.to_string()]);
    let mut servers = vec![Server::with(settings.clone()).await];
    if Backend::of_this_binary() == Backend::Postgres {
        servers.push(Server::on(Backend::Sqlite, settings).await);
    }
    servers
}

fn callers(servers: &[Server]) -> Vec<Client> {
    servers.iter().map(Server::client).collect()
}

#[tokio::test]
async fn a_story_is_told_alike_by_the_contract_and_by_every_store() {
    let (seed, start) = (seed(), Instant::now());
    let servers = servers().await;
    let tally = tell_many(seed, callers(&servers)).await.unwrap_or_else(|different| panic!("{different}"));
    assert_eq!(tally.missing(), [""; 0], "never seen");
    for server in &servers {
        for (state, count) in &tally.debates {
            let path = format!("/debates?state={state}&limit=1");
            let listed = server.client().with_token(AGENTS).get(&path).await.data(200);
            assert_eq!(listed["total"], *count, "{state}");
        }
        let (fine, said) = server.verify();
        assert!(fine, "{said}");
    }
    tell(&format!(
        "{} requests to each of {} servers, {} kinds of answers, in {:?}, AWEAVE_SEED={seed}",
        tally.requests,
        servers.len(),
        tally.kinds(),
        start.elapsed(),
    ));
}

#[rstest]
#[case(Mistake::ForgetsRequests)]
#[case(Mistake::KeepsTheDeletedListed)]
#[case(Mistake::LetsTheOpponentGoOn)]
#[case(Mistake::TakesSeveralLate)]
#[case(Mistake::TellsOwnArguments)]
#[tokio::test]
async fn a_contract_with_a_mistake_is_found_out_in_a_few_steps(#[case] mistake: Mistake) {
    let (seed, servers) = (seed(), servers().await);
    let clients = callers(&servers);
    let told = tokio::task::spawn_blocking(move || {
        let runtime = runtime();
        let story = |n| tell_any(seed.wrapping_add(n), OF_MANY, &clients, Some(mistake), &runtime);
        (0..TRIED).find_map(|n| story(n).err())
    });
    let found = told.await.unwrap().expect("nobody noticed");
    assert!(found.story.len() <= FEW, "{found}");
}
