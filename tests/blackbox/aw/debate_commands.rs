//! The basic function of each `aw debate` command.

use serde_json::{Value, json};
use tests::{
    cli::Agent,
    debate::{Debate, Situation, printed, text},
    ids,
    server::{Server, Settings, SharedServer},
};

use crate::schema_checks;

/// An agent and a debate in this situation.
async fn at(situation: Situation) -> (SharedServer, Agent, Debate) {
    let server = Server::shared().await;
    let debate = Debate::in_situation(&server.client(), situation).await;
    let agent = Agent::new(&server.url());
    (server, agent, debate)
}

#[tokio::test]
async fn generate_id_needs_no_server_and_never_repeats() {
    let agent = Agent::new("http://127.0.0.1:1");
    let (first, second) =
        (agent.run(&["debate", "generate-id"]).await.data(), agent.run(&["debate", "generate-id"]).await.data());
    schema_checks::is_id(&first["id"]);
    assert_ne!(first["id"], second["id"]);
}

#[tokio::test]
async fn create_opens_a_debate() {
    let server = Server::shared().await;
    let agent = Agent::new(&server.url());
    for (id, title, kind) in [(ids::fresh(), "--title", "--debate-type"), (ids::fresh(), "-t", "--type")] {
        let args = [
            "debate",
            "create",
            "--debate-id",
            &id,
            title,
            "Giới hạn 🚦",
            kind,
            "general_debate",
            "--content",
            "Đề xuất",
        ];
        let data = agent.run(&args).await.data();
        schema_checks::is_debate(&data["debate"]);
        schema_checks::is_argument(&data["argument"]);
        assert_eq!((&data["debate"]["id"], &data["debate"]["title"]), (&json!(id), &json!("Giới hạn 🚦")));
        let stored = printed(server.client().get(&format!("/debates/{id}")).await.data(200));
        assert_eq!((&stored["motion"]["content"], &stored["debate"]), (&json!("Đề xuất"), &data["debate"]));
    }
}

#[tokio::test]
async fn submit_stores_a_claim() {
    let (_server, agent, debate) = at(Situation::AwaitingOpponent).await;
    let args = ["debate", "submit", "--debate-id", &debate.id, "--role", "opponent", "--target-id", debate.newest()];
    let data = agent.run(&[&args[..], &["--content", "No."]].concat()).await.data();
    assert_eq!((&data["debate_state"], &data["action"]), (&json!("AWAITING_PROPOSER"), &json!("wait_for_proposer")));
    assert_eq!(data["next_argument_id_to_wait"], data["argument"]["id"]);
    assert_eq!(printed(debate.stored().await)["arguments"][0], data["argument"]);
}

#[tokio::test]
async fn appeal_offers_options_with_and_without_detail() {
    let (_server, agent, debate) = at(Situation::AwaitingProposer).await;
    let args = ["debate", "appeal", "--debate-id", &debate.id, "--target-id", debate.newest(), "--content", "Which?"];
    let options = ["--option", "Theo shard: 10 %: as now", "--option", "Global"];
    let data = agent.run(&[&args[..], &options].concat()).await.data();
    assert_eq!((&data["argument"]["type"], &data["action"]), (&json!("APPEAL"), &json!("wait_for_ruling")));
    let stored = debate.stored().await["arguments"][1]["options"].clone();
    let fields: Vec<(&Value, &Value, bool)> = stored
        .as_array()
        .unwrap()
        .iter()
        .map(|option| (&option["label"], &option["detail"], option["free_form"] == true))
        .collect();
    assert_eq!(
        fields,
        [
            (&json!("Theo shard"), &json!("10 %: as now"), false),
            (&json!("Global"), &Value::Null, false),
            (&json!("Something else"), &Value::Null, true),
        ]
    );
}

#[tokio::test]
async fn request_completion_asks_to_finish() {
    let (_server, agent, debate) = at(Situation::AwaitingProposer).await;
    let args = ["debate", "request-completion", "--debate-id", &debate.id, "--target-id", debate.newest()];
    let data = agent.run(&[&args[..], &["--content", "All agreed."]].concat()).await.data();
    assert_eq!(
        (&data["argument"]["type"], &data["debate_state"]),
        (&json!("RESOLUTION"), &json!("AWAITING_ARBITRATOR"))
    );
}

#[tokio::test]
async fn ruling_chooses_and_closes() {
    let (_server, agent, debate) = at(Situation::Appealed).await;
    let args = ["debate", "ruling", "--debate-id", &debate.id, "--content", "Global."];
    let data = agent.run(&[&args[..], &["--choose", "1"]].concat()).await.data();
    assert_eq!((&data["argument"]["chosen_option"], &data["argument"]["close"]), (&json!(1), &json!(false)));
    let (_server, agent, debate) = at(Situation::CompletionRequested).await;
    let data =
        agent.run(&["debate", "ruling", "--debate-id", &debate.id, "--content", "Done.", "--close"]).await.data();
    assert_eq!((&data["debate_state"], &data["action"]), (&json!("CLOSED"), &json!("debate_closed")));
    assert_eq!(debate.stored().await["debate"]["state"], "CLOSED");
}

#[tokio::test]
async fn intervention_works_with_and_without_content() {
    for words in [&[][..], &["--content", "Stop, please."]] {
        let (_server, agent, debate) = at(Situation::AwaitingOpponent).await;
        let args = ["debate", "intervention", "--debate-id", &debate.id];
        let data = agent.run(&[&args[..], words].concat()).await.data();
        assert_eq!((&data["debate_state"], &data["action"]), (&json!("INTERVENTION_PENDING"), &json!("rule")));
        let said = words.last().copied().unwrap_or_default();
        assert_eq!(debate.stored().await["arguments"][0]["content"], said);
    }
}

#[tokio::test]
async fn list_filters_and_pages() {
    let server = Server::start().await;
    let agent = Agent::new(&server.url());
    let client = server.client();
    let closed = Debate::in_situation(&client, Situation::Closed).await;
    for _ in 0..3 {
        Debate::create(&client).await;
    }
    let list = async |args: &[&str]| {
        let run = agent.run(&[&["debate", "list"], args].concat()).await;
        let debates = run.data()["debates"].clone();
        let document = run.document();
        let ids: Vec<String> = debates.as_array().unwrap().iter().map(|debate| text(&debate["id"])).collect();
        (ids, document["total_count"].clone(), document["has_more"].clone())
    };
    let (all, total, more) = list(&[]).await;
    assert_eq!((all.len(), total, more), (4, json!(4), json!(false)));
    let (page, total, more) = list(&["--limit", "2", "--offset", "1"]).await;
    assert_eq!((&page[..], total, more), (&all[1..3], json!(4), json!(true)));
    let (page, total, more) = list(&["-l", "2", "--offset", "2"]).await;
    assert_eq!((&page[..], total, more), (&all[2..], json!(4), json!(false)));
    assert_eq!(list(&["--state", "CLOSED"]).await, (vec![closed.id.clone()], json!(1), json!(false)));
    assert_eq!(list(&["--query", &closed.id[..13]]).await, (vec![closed.id.clone()], json!(1), json!(false)));
    assert_eq!(list(&["--query", "no such title"]).await, (vec![], json!(0), json!(false)));
}

#[tokio::test]
async fn every_command_sends_the_token_from_the_environment() {
    let server = Server::with(Settings::new().env("DEBATE_AUTH_TOKEN", "agents")).await;
    let debate = Debate::create(&server.client().with_token("agents")).await;
    let agent = Agent::new(&server.url()).env("DEBATE_AUTH_TOKEN", "agents");
    agent.run(&["debate", "list"]).await.data();
    agent.run(&["debate", "get-context", "--debate-id", &debate.id]).await.data();
    agent.run(&["debate", "wait", "--debate-id", &debate.id, "--role", "opponent"]).await.data();
    agent.run(&["debate", "intervention", "--debate-id", &debate.id]).await.data();
}

#[tokio::test]
async fn a_given_request_id_makes_a_command_repeatable() {
    let (_server, agent, debate) = at(Situation::AwaitingOpponent).await;
    let args = ["debate", "submit", "--debate-id", &debate.id, "--role", "opponent", "--target-id", debate.newest()];
    let args = [&args[..], &["--content", "No.", "--client-request-id", "my-claim-1"]].concat();
    let (first, second) = (agent.run(&args).await, agent.run(&args).await);
    assert_eq!(first.data()["argument"], second.data()["argument"]);
    assert_eq!(second.data()["replayed"], true);
    for run in [first, second] {
        assert_eq!(run.document()["metadata"]["client_request_id"], "my-claim-1");
    }
    assert_eq!(debate.stored().await["debate"]["last_seq"], 2);
}
