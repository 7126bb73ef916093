//! Debates whose sides use random servers.

use fastrand::Rng;
use tests::{
    debate::{Debate, text},
    ids,
    random::{fault_factor, seed},
    request_bodies::{self, with},
};
use tokio::task::JoinSet;

use super::several;
use crate::state_machine;

const SERVERS: usize = 3;
const TURNS: usize = 10;

/// The number of debates in parallel.
const AT_ONCE: usize = 50;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn debates_across_servers_have_every_argument_once_and_in_order() {
    let debates = 100 * fault_factor();
    let seed = seed();
    let servers = several(SERVERS).await;
    let mut running = JoinSet::new();
    for number in 0..debates {
        if running.len() >= AT_ONCE {
            running.join_next().await.expect("there are some").unwrap();
        }
        let clients: Vec<_> = servers.iter().map(|server| server.client()).collect();
        let mut random = Rng::with_seed(seed.wrapping_add(number as u64));
        running.spawn(async move {
            let mut debate = Debate::create(&clients[random.usize(..SERVERS)]).await;
            let mut said = Vec::new();
            for turn in 0..TURNS {
                let role = ["opponent", "proposer"][turn % 2];
                let content = format!("turn {turn} {}", ids::fresh());
                let body = with(request_bodies::claim(role, debate.newest()), "content", content.clone());
                let mut writer = debate.by(&clients[random.usize(..SERVERS)]);
                writer.write("arguments", &body).await;
                if random.bool() {
                    // A repeated write at another server returns the first result.
                    let again =
                        debate.by(&clients[random.usize(..SERVERS)]).attempt("arguments", &body).await.data(200);
                    assert_eq!(text(&again["argument"]["id"]), writer.newest());
                }
                debate.arguments = writer.arguments;
                said.push(content);
            }
            let history = debate.by(&clients[random.usize(..SERVERS)]).history().await;
            state_machine::replay(&history);
            let stored: Vec<_> = history[1..].iter().map(|argument| text(&argument["content"])).collect();
            assert_eq!(stored, said);
        });
    }
    while let Some(done) = running.join_next().await {
        done.unwrap();
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn one_of_several_concurrent_claims_at_different_servers_is_stored() {
    let servers = several(SERVERS).await;
    for _ in 0..20 {
        let debate = Debate::create(&servers[0].client()).await;
        let mut racing = JoinSet::new();
        for racer in 0..12 {
            let debate = debate.by(&servers[racer % SERVERS].client());
            let body = request_bodies::claim("opponent", debate.newest());
            racing.spawn(async move { debate.attempt("arguments", &body).await });
        }
        let answers = racing.join_all().await;
        let count = |code| answers.iter().filter(|answer| answer.code() == code).count();
        assert_eq!((count("ok"), count("ACTION_NOT_ALLOWED")), (1, 11));
        assert_eq!(state_machine::replay(&debate.history().await), "AWAITING_PROPOSER");
    }
}
