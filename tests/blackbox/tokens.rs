//! Who may do what on a server with tokens.

use rstest::rstest;
use tests::{
    bodies,
    client::Client,
    debate::{Debate, Situation},
    server::{Server, Settings},
};

/// Reads and writes of each kind, with an id that nothing has.
const EVERYTHING: [(&str, &str); 16] = [
    ("GET", "/debates"),
    ("GET", "/debates/00000000-0000-4000-8000-000000000000"),
    ("GET", "/debates/00000000-0000-4000-8000-000000000000/wait?role=opponent"),
    ("GET", "/openapi.json"),
    ("POST", "/debates"),
    ("POST", "/debates/00000000-0000-4000-8000-000000000000/arguments"),
    ("POST", "/debates/00000000-0000-4000-8000-000000000000/appeal"),
    ("POST", "/debates/00000000-0000-4000-8000-000000000000/resolution"),
    ("POST", "/debates/00000000-0000-4000-8000-000000000000/ruling"),
    ("POST", "/debates/00000000-0000-4000-8000-000000000000/intervention"),
    ("GET", "/documents"),
    ("GET", "/documents/00000000-0000-4000-8000-000000000000"),
    ("GET", "/documents/00000000-0000-4000-8000-000000000000/versions"),
    ("POST", "/documents"),
    ("POST", "/documents/00000000-0000-4000-8000-000000000000/versions"),
    ("DELETE", "/documents/00000000-0000-4000-8000-000000000000"),
];

/// Brings a debate to where a ruling is due, and rules with another token.
async fn rule_as(agents: &Client, arbitrator: &Client) -> tests::answer::Answer {
    let mut debate = Debate::create(agents).await;
    debate.claim("opponent").await;
    debate.request_completion().await;
    arbitrator.post(&debate.path("/ruling"), &bodies::decision()).await
}

#[tokio::test]
async fn with_a_token_set_nothing_but_health_is_open() {
    let server = Server::with(Settings::new().env("DEBATE_AUTH_TOKEN", "secret/with=odd+chars~")).await;
    let client = server.client();
    client.get("/health").await.data(200);
    for (method, path) in EVERYTHING {
        let request = client.request(method, path).header("Content-Type", &["application/json"]);
        for wrong in [
            vec![],
            vec!["Bearer wrong"],
            vec!["Bearer "],
            vec!["Bearer secret/with=odd+chars"],
            vec!["Bearer secret/with=odd+chars~s"],
            vec!["secret/with=odd+chars~"],
            vec!["Basic secret/with=odd+chars~"],
        ] {
            let answer = client.send(&request.clone().header("Authorization", &wrong)).await;
            assert_eq!(answer.code(), "AUTH_FAILED", "{wrong:?}: {answer}");
        }
    }
    client.get("/debates?token=secret/with=odd%2Bchars~").await.refusal("AUTH_FAILED");
    let known = client.with_token("secret/with=odd+chars~");
    rule_as(&known, &known).await.data(201);
    assert_eq!(known.get("/debates").await.data(200)["total"], 1);
}

#[tokio::test]
async fn the_agents_token_does_not_rule_and_the_arbitrators_opens_everything() {
    let settings = Settings::new().env("DEBATE_AUTH_TOKEN", "agents").env("DEBATE_ARBITRATOR_TOKEN", "judge");
    let server = Server::with(settings).await;
    let (agents, judge) = (server.client().with_token("agents"), server.client().with_token("judge"));
    rule_as(&agents, &agents).await.refusal("FORBIDDEN");
    rule_as(&agents, &judge).await.data(201);
    rule_as(&judge, &judge).await.data(201);
    let debate = Debate::create(&agents).await;
    debate.attempt("intervention", &bodies::decision()).await.refusal("FORBIDDEN");
    assert_eq!(debate.stored().await["debate"]["last_seq"], 1);
    judge.post(&debate.path("/intervention"), &bodies::decision()).await.data(201);
    rule_as(&agents, &server.client()).await.refusal("AUTH_FAILED");
    rule_as(&agents, &server.client().with_token("wrong")).await.refusal("AUTH_FAILED");
}

#[tokio::test]
async fn with_the_arbitrators_token_alone_the_agents_need_none_and_cannot_rule() {
    let server = Server::with(Settings::new().env("DEBATE_ARBITRATOR_TOKEN", "judge")).await;
    let (agents, judge) = (server.client(), server.client().with_token("judge"));
    // No token and a wrong one: the contract leaves open which of the two codes tells it.
    for other in [&agents, &agents.with_token("wrong")] {
        let answer = rule_as(&agents, other).await;
        assert!(matches!(answer.code(), "AUTH_FAILED" | "FORBIDDEN"), "{answer}");
        let debate = Debate::create(&agents).await;
        let answer = other.post(&debate.path("/intervention"), &bodies::decision()).await;
        assert!(matches!(answer.code(), "AUTH_FAILED" | "FORBIDDEN"), "{answer}");
        assert_eq!(debate.stored().await["debate"]["last_seq"], 1);
    }
    rule_as(&agents, &judge).await.data(201);
    rule_as(&judge, &judge).await.data(201);
}

#[rstest]
#[tokio::test]
async fn without_tokens_everything_is_open(
    #[values(Situation::Appealed, Situation::LateDelivered)] situation: Situation,
) {
    let server = Server::start().await;
    let mut debate = Debate::in_situation(&server.client(), situation).await;
    debate.rule(true).await;
}

#[tokio::test]
async fn no_token_is_ever_logged() {
    let settings = Settings::new()
        .env("DEBATE_AUTH_TOKEN", "secret-of-agents")
        .env("DEBATE_ARBITRATOR_TOKEN", "secret-of-judge")
        .env("RUST_LOG", "trace");
    let server = Server::with(settings).await;
    let (agents, judge) =
        (server.client().with_token("secret-of-agents"), server.client().with_token("secret-of-judge"));
    rule_as(&agents, &judge).await.data(201);
    server.client().with_token("secret-of-stranger").get("/debates").await.refusal("AUTH_FAILED");
    server.client().get("/debates?token=secret-of-url").await.refusal("AUTH_FAILED");
    // A WebSocket may have its token there.
    let _ = server.client().response(&server.client().request("GET", "/ws?token=secret-of-ws")).await;
    let log = server.log();
    assert!(!log.is_empty(), "trace logs something");
    let leak = log.lines().find(|line| line.contains("secret-of"));
    assert_eq!(leak, None);
}
