//! Authentication and authorisation by bearer tokens.

use std::{fs, os::unix::fs::PermissionsExt};

use rstest::rstest;
use tempfile::TempDir;
use tests::{
    cli::Agent,
    client::Client,
    debate::{Debate, Situation},
    request_bodies,
    server::{Server, Settings},
    store::Store,
};

/// A token of excessive length.
const LONG_TOKEN: &str = match std::str::from_utf8(&[b'x'; 5_000]) {
    Ok(text) => text,
    Err(_) => "",
};

/// All kinds of reads and writes, with an unknown id.
const EVERYTHING: [(&str, &str); 19] = [
    ("GET", "/info"),
    ("GET", "/debates"),
    ("GET", "/debates/00000000-0000-4000-8000-000000000000"),
    ("GET", "/debates/00000000-0000-4000-8000-000000000000/wait?role=opponent"),
    ("GET", "/wait?role=arbitrator"),
    ("GET", "/openapi.json"),
    ("GET", "/asyncapi.yaml"),
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

/// Rules as one caller on a debate that was created by another.
async fn rule_as(agents: &Client, arbitrator: &Client) -> tests::api_response::ApiResponse {
    let mut debate = Debate::create(agents).await;
    debate.claim("opponent").await;
    debate.request_completion().await;
    arbitrator.post(&debate.path("/ruling"), &request_bodies::decision()).await
}

#[tokio::test]
async fn with_a_token_only_health_is_public() {
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
async fn the_agents_token_cannot_rule_and_the_arbitrators_can_do_everything() {
    let settings = Settings::new().env("DEBATE_AUTH_TOKEN", "agents").env("DEBATE_ARBITRATOR_TOKEN", "judge");
    let server = Server::with(settings).await;
    let (agents, judge) = (server.client().with_token("agents"), server.client().with_token("judge"));
    rule_as(&agents, &agents).await.refusal("FORBIDDEN");
    rule_as(&agents, &judge).await.data(201);
    rule_as(&judge, &judge).await.data(201);
    let debate = Debate::create(&agents).await;
    debate.attempt("intervention", &request_bodies::decision()).await.refusal("FORBIDDEN");
    assert_eq!(debate.stored().await["debate"]["last_seq"], 1);
    judge.post(&debate.path("/intervention"), &request_bodies::decision()).await.data(201);
    rule_as(&agents, &server.client()).await.refusal("AUTH_FAILED");
    rule_as(&agents, &server.client().with_token("wrong")).await.refusal("AUTH_FAILED");
}

#[tokio::test]
async fn with_only_an_arbitrator_token_agents_need_none_and_cannot_rule() {
    let server = Server::with(Settings::new().env("DEBATE_ARBITRATOR_TOKEN", "judge")).await;
    let (agents, judge) = (server.client(), server.client().with_token("judge"));
    // Both codes are allowed, with and without a wrong token.
    for other in [&agents, &agents.with_token("wrong")] {
        let answer = rule_as(&agents, other).await;
        assert!(matches!(answer.code(), "AUTH_FAILED" | "FORBIDDEN"), "{answer}");
        let debate = Debate::create(&agents).await;
        let answer = other.post(&debate.path("/intervention"), &request_bodies::decision()).await;
        assert!(matches!(answer.code(), "AUTH_FAILED" | "FORBIDDEN"), "{answer}");
        assert_eq!(debate.stored().await["debate"]["last_seq"], 1);
    }
    rule_as(&agents, &judge).await.data(201);
    rule_as(&judge, &judge).await.data(201);
}

#[rstest]
#[tokio::test]
async fn without_tokens_everybody_may_do_everything(
    #[values(Situation::Appealed, Situation::LateDelivered)] situation: Situation,
) {
    let server = Server::shared().await;
    let mut debate = Debate::in_situation(&server.client(), situation).await;
    debate.rule(true).await;
}

/// All actions and a situation that allows each.
const ACTIONS: [(&str, Situation); 9] = [
    ("create", Situation::AwaitingOpponent),
    ("read", Situation::AwaitingOpponent),
    ("wait", Situation::AwaitingProposer),
    ("claim of the proposer", Situation::AwaitingProposer),
    ("claim of the opponent", Situation::AwaitingOpponent),
    ("appeal", Situation::AwaitingProposer),
    ("resolution", Situation::AwaitingProposer),
    ("ruling", Situation::Appealed),
    ("intervention", Situation::AwaitingOpponent),
];

/// The code of the response to an action.
async fn attempt(caller: &Client, action: &str, debate: &Debate) -> String {
    let answer = request_bodies::answer_to(debate.newest());
    let (verb, body) = match action {
        "create" => return caller.post("/debates", &request_bodies::creation()).await.code().to_owned(),
        "read" => return caller.get(&debate.path("")).await.code().to_owned(),
        "wait" => return caller.get(&debate.path("/wait?role=proposer")).await.code().to_owned(),
        "claim of the proposer" => ("arguments", request_bodies::claim("proposer", debate.newest())),
        "claim of the opponent" => ("arguments", request_bodies::claim("opponent", debate.newest())),
        "ruling" | "intervention" => (action, request_bodies::decision()),
        _ => (action, answer),
    };
    caller.post(&debate.path(&format!("/{verb}")), &body).await.code().to_owned()
}

#[tokio::test]
async fn every_action_with_every_token_is_allowed_or_refused_as_documented() {
    let set =
        |name, token: &str, settings: Settings| if token.is_empty() { settings } else { settings.env(name, token) };
    for (auth, arbitrator) in [("", ""), ("agents", ""), ("", "judge"), ("agents", "judge")] {
        let settings = set("DEBATE_AUTH_TOKEN", auth, Settings::new());
        let server = Server::with(set("DEBATE_ARBITRATOR_TOKEN", arbitrator, settings)).await;
        let client = server.client();
        // The debates are created by a caller who may do everything.
        let everything = if arbitrator.is_empty() { auth } else { arbitrator };
        let all = if everything.is_empty() { client.clone() } else { client.with_token(everything) };
        for shown in ["", "wrong", "agents", "judge"] {
            let caller = if shown.is_empty() { client.clone() } else { client.with_token(shown) };
            for (action, situation) in ACTIONS {
                let rules = matches!(action, "ruling" | "intervention");
                let is_known = !shown.is_empty() && (shown == auth || shown == arbitrator);
                let expected = match (is_known, rules) {
                    (_, _) if everything.is_empty() => "ok",
                    (true, true) if !arbitrator.is_empty() && shown != arbitrator => "FORBIDDEN",
                    (true, _) => "ok",
                    (false, false) if auth.is_empty() => "ok",
                    (false, _) => "AUTH_FAILED",
                };
                let debate = Debate::in_situation(&all, situation).await;
                let before = debate.stored().await["debate"]["last_seq"].clone();
                let told = attempt(&caller, action, &debate).await;
                assert_eq!(told, expected, "{action} with {shown:?} where {auth:?} and {arbitrator:?} are set");
                if told != "ok" {
                    assert_eq!(
                        debate.stored().await["debate"]["last_seq"],
                        before,
                        "{action} with {shown:?} was stored"
                    );
                }
            }
        }
    }
}

#[tokio::test]
async fn a_token_file_may_begin_with_a_byte_order_mark_and_end_with_a_newline() {
    let folder = TempDir::new().unwrap();
    for (begin, end) in [("", ""), ("", "\n"), ("", "\r\n"), ("\u{feff}", "\r\n")] {
        let file = folder.path().join("token");
        fs::write(&file, format!("{begin}secret-in-a-file{end}")).unwrap();
        let file = file.to_str().unwrap();
        let server = Server::with(Settings::new().env("DEBATE_AUTH_TOKEN_FILE", file)).await;
        server.client().get("/debates").await.refusal("AUTH_FAILED");
        server.client().with_token("secret-in-a-file").get("/debates").await.data(200);
        let agent = Agent::new(&server.url());
        agent.run(&["debate", "list"]).await.failure(6, "AUTH_FAILED");
        agent.env("DEBATE_AUTH_TOKEN_FILE", file).run(&["debate", "list"]).await.data();
    }
}

#[rstest]
#[case::missing(None, &[], "cannot be read")]
#[case::empty(Some(""), &[], "is empty")]
#[case::an_empty_line(Some("\n"), &[], "is empty")]
#[case::two_lines(Some("one\ntwo\n"), &[], "characters that cannot be sent")]
#[case::spaces(Some("a token"), &[], "characters that cannot be sent")]
#[case::a_book(Some(LONG_TOKEN), &[], "more than 4096 bytes")]
#[case::given_twice(Some("secret-of-file"), &[("DEBATE_ARBITRATOR_TOKEN", "secret-of-env")], "are both set")]
#[case::the_agents_too(Some("secret-of-all"), &[("DEBATE_AUTH_TOKEN", "secret-of-all")], "are the same")]
#[tokio::test]
async fn an_invalid_token_file_is_refused_by_name(
    #[case] held: Option<&str>,
    #[case] besides: &[(&str, &str)],
    #[case] reason: &str,
) {
    let folder = TempDir::new().unwrap();
    let file = folder.path().join("token");
    if let Some(held) = held {
        fs::write(&file, held).unwrap();
    }
    let mut settings = Settings::new().env("DEBATE_ARBITRATOR_TOKEN_FILE", file.to_str().unwrap());
    for (name, value) in besides {
        settings = settings.env(name, value);
    }
    let (status, said) = Server::start_refused(&settings, &Store::fresh(folder.path())).await;
    assert!(status.code().is_some_and(|code| code != 0), "it ended with {status}: {said}");
    assert!(said.contains("DEBATE_ARBITRATOR_TOKEN") && said.contains(reason), "{said}");
    assert!(!said.contains("secret-of"), "the token is told: {said}");
}

#[tokio::test]
async fn a_token_file_readable_by_others_causes_a_warning() {
    for (mode, warns) in [(0o600, false), (0o400, false), (0o640, true), (0o604, true)] {
        let folder = TempDir::new().unwrap();
        let file = folder.path().join("token");
        fs::write(&file, "secret-in-a-file").unwrap();
        fs::set_permissions(&file, fs::Permissions::from_mode(mode)).unwrap();
        let server = Server::with(Settings::new().env("DEBATE_AUTH_TOKEN_FILE", file.to_str().unwrap())).await;
        let warned = server.log().contains("other users can read this token file");
        assert_eq!(warned, warns, "{mode:o}: {}", server.log());
    }
}

#[tokio::test]
async fn tokens_are_never_logged() {
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
    // A WebSocket request may carry its token in the query.
    let _ = server.client().response(&server.client().request("GET", "/ws?token=secret-of-ws")).await;
    let log = server.log();
    assert!(!log.is_empty(), "the trace log is not empty");
    let leak = log.lines().find(|line| line.contains("secret-of"));
    assert_eq!(leak, None);
}
