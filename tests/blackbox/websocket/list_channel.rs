//! `/ws` without `debate_id`: the events of all debates.

use serde_json::{Value, json};
use tests::{debate::Debate, request_bodies, server::Server};

use super::viewer::Viewer;

#[tokio::test]
async fn the_initial_state_equals_the_rest_response() {
    let server = Server::start().await;
    let (_viewer, state) = Viewer::of_list(&server).await;
    assert_eq!(state, json!({"debates": [], "total": 0}));
    let mut first = Debate::create(&server.client()).await;
    Debate::create(&server.client()).await;
    Debate::create(&server.client()).await;
    first.claim("opponent").await;
    let (_viewer, state) = Viewer::of_list(&server).await;
    assert_eq!(state, server.client().get("/debates").await.data(200));
    assert_eq!(state["debates"][0]["id"], first.id);
    let (_viewer, state) = Viewer::at(&server, "/ws?limit=1").await;
    assert_eq!(state, server.client().get("/debates?limit=1").await.data(200));
    assert_eq!(state["total"], 3);
}

#[tokio::test]
async fn every_created_or_changed_debate_causes_an_event() {
    let server = Server::start().await;
    let (mut viewer, _) = Viewer::of_list(&server).await;
    let mut debates = Vec::new();
    for title in ["First", "Second"] {
        let debate =
            Debate::create_with(&server.client(), &request_bodies::with(request_bodies::creation(), "title", title))
                .await;
        let told = viewer.expect("debate_changed").await;
        assert_eq!((&told["title"], &told["state"]), (&json!(title), &json!("AWAITING_OPPONENT")));
        assert_eq!(told, debate.stored().await["debate"]);
        debates.push(debate);
    }
    for turn in 0..6 {
        let debate = &mut debates[turn % 2];
        let role = ["opponent", "opponent", "proposer", "proposer", "opponent", "opponent"][turn];
        debate.claim(role).await;
        assert_eq!(viewer.expect("debate_changed").await, debate.stored().await["debate"]);
    }
    debates[0].request_completion().await;
    assert_eq!(viewer.expect("debate_changed").await["state"], "AWAITING_ARBITRATOR");
    debates[0].rule(true).await;
    assert_eq!(viewer.expect("debate_changed").await["state"], "CLOSED");
}

#[tokio::test]
async fn changes_of_each_debate_are_sent_once_and_in_order() {
    let server = Server::start().await;
    let (mut viewer, _) = Viewer::of_list(&server).await;
    let client = server.client();
    let debates = (0..8).map(|_| {
        let client = client.clone();
        async move {
            let mut debate = Debate::create(&client).await;
            for turn in 0..10 {
                debate.claim(["opponent", "proposer"][turn % 2]).await;
            }
        }
    });
    let write = futures_util::future::join_all(debates);
    let watch = async {
        let mut known = std::collections::HashMap::<String, u64>::new();
        for _ in 0..8 * 11 {
            let debate: Value = viewer.expect("debate_changed").await;
            let last_seq = known.entry(debate["id"].as_str().unwrap().to_owned()).or_default();
            *last_seq += 1;
            assert_eq!(debate["last_seq"], *last_seq, "{debate}");
        }
        known
    };
    let (_, known) = tokio::join!(write, watch);
    assert_eq!(known.len(), 8);
    assert!(known.values().all(|last_seq| *last_seq == 11), "{known:?}");
}
