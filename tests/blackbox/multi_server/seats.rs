//! Seats, with several servers on one database.

use serde_json::json;
use tests::{
    client::Client,
    debate::{self, Debate},
    request_bodies,
};

use super::several;

fn key(number: u32) -> String {
    format!("{number:0>43}")
}

/// Submits a claim with a key and returns its id, or the code of the refusal.
async fn claim(client: &Client, debate: &Debate, role: &str, target: &str, key: &str) -> Result<String, String> {
    let body = request_bodies::claim(role, target).to_string();
    let request = client.write(&debate.path("/arguments"), body).header("X-Debate-Seat", &[key]);
    let answer = client.send(&request).await;
    match answer.code() {
        "ok" => Ok(debate::text(&answer.data(201)["argument"]["id"])),
        code => Err(code.to_owned()),
    }
}

#[tokio::test]
async fn a_seat_that_one_server_frees_is_free_on_all() {
    let servers = several(2).await;
    let (here, there) = (servers[0].client(), servers[1].client());
    let debate = Debate::create(&here).await;
    let (proposer, opponent, another) = (key(1), key(2), key(3));
    let first = claim(&here, &debate, "opponent", debate.newest(), &opponent).await.unwrap();
    let second = claim(&there, &debate, "proposer", &first, &proposer).await.unwrap();
    assert_eq!(claim(&here, &debate, "opponent", &second, &another).await, Err("SEAT_TAKEN".to_owned()));
    assert_eq!(claim(&there, &debate, "opponent", &second, &another).await, Err("SEAT_TAKEN".to_owned()));
    let third = claim(&here, &debate, "opponent", &second, &opponent).await.unwrap();
    // This server has the debate with both keys in its cache; its next write must not give the seat back.
    let freed = there.send(&there.request("DELETE", &debate.path("/seats/opponent"))).await.data(200);
    assert_eq!(freed["debate"]["seats"], json!({ "proposer": true, "opponent": false }));
    let fourth = claim(&here, &debate, "proposer", &third, &proposer).await.unwrap();
    for client in [&here, &there] {
        assert_eq!(client.get(&debate.path("")).await.data(200)["debate"]["seats"], freed["debate"]["seats"]);
    }
    claim(&there, &debate, "opponent", &fourth, &another).await.unwrap();
    assert_eq!(claim(&here, &debate, "opponent", &fourth, &opponent).await, Err("SEAT_TAKEN".to_owned()));
}
