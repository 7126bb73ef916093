//! A complete debate with realistic texts, played with the real `aw` against the real server.

use serde_json::{Value, json};
use tests::{
    cli::{Agent, Run, Running},
    debate::text,
    fixtures, node,
    server::{Server, Settings},
};

use crate::state_machine;

/// The text of each argument, ordered by `seq`.
const TEXTS: [&str; 18] = [
    "01-motion.md",
    "02-opponent-claim.md",
    "03-proposer-claim.md",
    "04-opponent-claim.md",
    "05-appeal.md",
    "06-ruling.md",
    "07-proposer-claim.md",
    "08-intervention.md",
    "09-opponent-late-claim.md",
    "10-ruling.md",
    "11-proposer-claim.md",
    "12-opponent-claim.md",
    "13-resolution.md",
    "14-ruling-rejects.md",
    "15-proposer-claim.md",
    "16-opponent-claim.md",
    "17-resolution.md",
    "18-ruling-closes.md",
];

const OPTIONS: [&str; 3] = [
    "Never: a time-out goes to the dead letters",
    "Thử lại một lần: chỉ với mã đăng nhập 🔑",
    "Once, for codes, within 5 seconds: before the button is pressed",
];

/// The text of an argument.
fn fixture_of(seq: usize) -> &'static str {
    TEXTS[seq - 1]
}

/// A participant and the last argument that it has seen.
struct Participant {
    agent: Agent,
    role: &'static str,
    debate: String,
    seen: String,
}

impl Participant {
    fn new(server: &Server, role: &'static str, debate: &str) -> Self {
        Self { agent: Agent::new(&server.url()), role, debate: debate.to_owned(), seen: String::new() }
    }

    /// Runs a command with the text of this argument.
    async fn attempt(&self, verb: &str, seq: usize, more: &[&str]) -> Run {
        let path = fixtures::path(fixture_of(seq));
        let args = ["debate", verb, "--debate-id", &self.debate, "--file", path.to_str().expect("a plain name")];
        self.agent.run(&[&args, more].concat()).await
    }

    /// Runs a command that must store this argument.
    async fn say(&mut self, verb: &str, seq: usize, more: &[&str]) -> Value {
        let data = self.attempt(verb, seq, more).await.data();
        assert_eq!(data["argument"]["seq"], seq, "{}", fixture_of(seq));
        self.seen = text(&data["next_argument_id_to_wait"]);
        data
    }

    async fn claim(&mut self, seq: usize) -> Value {
        let target = self.seen.clone();
        self.say("submit", seq, &["--role", self.role, "--target-id", &target]).await
    }

    async fn try_claim(&self, seq: usize, target: &str) -> Run {
        self.attempt("submit", seq, &["--role", self.role, "--target-id", target]).await
    }

    /// Starts a wait for arguments after the last one seen.
    fn wait(&self) -> Running {
        let args = ["debate", "wait", "--debate-id", &self.debate, "--role", self.role, "--timeout", "50"];
        let seen: &[&str] = if self.seen.is_empty() { &[] } else { &["--argument-id", &self.seen] };
        self.agent.spawn(&[&args, seen].concat())
    }

    /// Expects a wait to return this argument and no earlier ones.
    async fn expect_argument(&mut self, wait: Running, seq: usize, action: &str) -> Value {
        self.expect_arguments(wait, &[], seq, action).await
    }

    /// Expects a wait to return this argument and these earlier ones.
    async fn expect_arguments(&mut self, wait: Running, earlier: &[usize], seq: usize, action: &str) -> Value {
        let data = wait.finish().await.data();
        assert_eq!(
            (&data["status"], &data["action"]),
            (&json!("new_argument"), &json!(action)),
            "{} {data}",
            self.role
        );
        assert_eq!(data["argument"]["seq"], seq, "{}", self.role);
        assert_eq!(data["argument"]["content"], fixtures::read(fixture_of(seq)), "{}", self.role);
        let told: Vec<&Value> = data["earlier"].as_array().expect("a list").iter().map(|other| &other["seq"]).collect();
        assert_eq!(json!(told), json!(earlier), "what else {} has not seen", self.role);
        self.seen = text(&data["next_argument_id_to_wait"]);
        data
    }

    async fn wait_for_argument(&mut self, seq: usize, action: &str) -> Value {
        let wait = self.wait();
        self.expect_argument(wait, seq, action).await
    }

    /// Expects the arbitrator's wait to return, because a ruling is due.
    async fn expect_ruling_due(&mut self, earlier: &[usize], seq: usize) -> Value {
        let wait = self.wait();
        self.expect_arguments(wait, earlier, seq, "rule").await
    }
}

async fn start_debate() -> (Server, Participant, Participant, Participant) {
    let server = Server::with(Settings::new().restartable()).await;
    let first = Agent::new(&server.url());
    let id = text(&first.run(&["debate", "generate-id"]).await.data()["id"]);
    let participant = |role| Participant::new(&server, role, &id);
    let (mut proposer, opponent, arbitrator) =
        (participant("proposer"), participant("opponent"), participant("arbitrator"));
    let more =
        ["--title", "Retry budget for the notification relay 📮 — ngân sách thử lại", "--type", "coding_plan_debate"];
    let data = proposer.attempt("create", 1, &more).await.data();
    assert_eq!(data["debate"]["state"], "AWAITING_OPPONENT");
    proposer.seen = text(&data["argument"]["id"]);
    (server, proposer, opponent, arbitrator)
}

/// The opponent joins with nothing but the debate's id. Two rounds follow.
async fn two_rounds(server: &Server, proposer: &mut Participant, opponent: &mut Participant) {
    let waiting = proposer.wait();
    server.wait_for_connections(1).await;
    let joined = opponent.wait_for_argument(1, "respond").await;
    assert_eq!(joined["next_argument_id_to_wait"], proposer.seen);
    let context = opponent.agent.run(&["debate", "get-context", "--debate-id", &opponent.debate]).await.data();
    assert_eq!(context["motion"]["content"], fixtures::read(fixture_of(1)));
    opponent.claim(2).await;
    proposer.expect_argument(waiting, 2, "respond").await;
    let waiting = opponent.wait();
    server.wait_for_connections(1).await;
    proposer.claim(3).await;
    opponent.expect_argument(waiting, 3, "respond").await;
    let waiting = proposer.wait();
    opponent.claim(4).await;
    proposer.expect_argument(waiting, 4, "respond").await;
}

/// The proposer appeals. The server restarts while both sides wait, and the ruling reaches both.
async fn an_appeal_and_a_restart(
    server: &mut Server,
    proposer: &mut Participant,
    opponent: &mut Participant,
    arbitrator: &mut Participant,
) {
    let target = proposer.seen.clone();
    let options: Vec<&str> = OPTIONS.iter().flat_map(|option| ["--option", option]).collect();
    let appeal = proposer.say("appeal", 5, &[&["--target-id", &target], &options[..]].concat()).await;
    assert_eq!(appeal["action"], "wait_for_ruling");
    let offered = appeal["argument"]["options"].as_array().expect("options").clone();
    assert_eq!(
        (offered.len(), &offered[3]["label"], &offered[3]["free_form"]),
        (4, &json!("Something else"), &json!(true))
    );
    opponent.wait_for_argument(5, "wait_for_ruling").await;

    server.wait_for_connections(0).await;
    let waiting = (proposer.wait(), opponent.wait());
    server.wait_for_connections(2).await;
    server.terminate();
    assert_eq!(server.wait_for_exit().await.code(), Some(0));
    server.restart().await;
    server.wait_for_connections(2).await;

    let asked = arbitrator.expect_ruling_due(&[], 5).await;
    assert_eq!(asked["argument"]["options"], json!(offered));
    let ruling = arbitrator.say("ruling", 6, &["--choose", "2"]).await;
    assert_eq!(
        (&ruling["argument"]["chosen_option"], &ruling["debate_state"]),
        (&json!(2), &json!("AWAITING_PROPOSER"))
    );
    proposer.expect_argument(waiting.0, 6, "align_to_ruling").await;
    opponent.expect_argument(waiting.1, 6, "wait_for_proposer").await;
}

/// The arbitrator intervenes in the opponent's turn. The opponent's late claim is accepted once.
async fn an_intervention_and_a_late_delivery(
    server: &Server,
    proposer: &mut Participant,
    opponent: &mut Participant,
    arbitrator: &mut Participant,
) {
    let waiting = opponent.wait();
    proposer.claim(7).await;
    opponent.expect_argument(waiting, 7, "respond").await;
    let composing_on = opponent.seen.clone();
    server.wait_for_connections(0).await;
    let waiting = proposer.wait();
    server.wait_for_connections(1).await;
    let words = fixtures::read(fixture_of(8));
    let step_in = ["debate", "intervention", "--debate-id", &arbitrator.debate, "--content", &words];
    let stepped_in = arbitrator.agent.run(&step_in).await.data();
    let intervention = text(&stepped_in["argument"]["id"]);
    assert_eq!((&stepped_in["debate_state"], &stepped_in["action"]), (&json!("INTERVENTION_PENDING"), &json!("rule")));
    proposer.expect_argument(waiting, 8, "wait_for_ruling").await;

    opponent.try_claim(9, &intervention).await.failure(5, "ACTION_NOT_ALLOWED");
    proposer.try_claim(9, &composing_on).await.failure(5, "ACTION_NOT_ALLOWED");
    let late = opponent.claim(9).await;
    assert_eq!((&late["debate_state"], &late["action"]), (&json!("INTERVENTION_PENDING"), &json!("wait_for_ruling")));
    assert_eq!(late["next_argument_id_to_wait"], intervention);
    assert_eq!(late["argument"]["parent_id"], composing_on);
    let second = opponent.try_claim(9, &composing_on).await.failure(5, "ACTION_NOT_ALLOWED");
    assert_eq!(second["content"][0]["data"]["server_error"]["allowed_roles"], json!(["arbitrator"]));

    proposer.wait_for_argument(9, "wait_for_ruling").await;
    server.wait_for_connections(0).await;
    let waiting = (proposer.wait(), opponent.wait());
    server.wait_for_connections(2).await;
    arbitrator.expect_ruling_due(&[7], 9).await;
    arbitrator.say("ruling", 10, &[]).await;
    proposer.expect_argument(waiting.0, 10, "align_to_ruling").await;
    opponent.expect_argument(waiting.1, 10, "wait_for_proposer").await;
}

/// The proposer requests completion twice. The arbitrator rejects the first request and closes the debate on the
/// second.
async fn two_requests_for_completion(
    server: &Server,
    proposer: &mut Participant,
    opponent: &mut Participant,
    arbitrator: &mut Participant,
) {
    for (first, close) in [(11, false), (15, true)] {
        let waiting = opponent.wait();
        proposer.claim(first).await;
        opponent.expect_argument(waiting, first, "respond").await;
        let waiting = proposer.wait();
        opponent.claim(first + 1).await;
        proposer.expect_argument(waiting, first + 1, "respond").await;
        let target = proposer.seen.clone();
        let asked = proposer.say("request-completion", first + 2, &["--target-id", &target]).await;
        assert_eq!(
            (&asked["debate_state"], &asked["action"]),
            (&json!("AWAITING_ARBITRATOR"), &json!("wait_for_ruling"))
        );
        opponent.wait_for_argument(first + 2, "wait_for_ruling").await;
        server.wait_for_connections(0).await;
        let waiting = (proposer.wait(), opponent.wait());
        server.wait_for_connections(2).await;
        arbitrator.expect_ruling_due(&[first, first + 1], first + 2).await;
        let ruled = arbitrator.say("ruling", first + 3, if close { &["--close"] } else { &[] }).await;
        assert_eq!(ruled["debate_state"], if close { "CLOSED" } else { "AWAITING_PROPOSER" });
        let actions = if close { ["debate_closed"; 2] } else { ["align_to_ruling", "wait_for_proposer"] };
        proposer.expect_argument(waiting.0, first + 3, actions[0]).await;
        opponent.expect_argument(waiting.1, first + 3, actions[1]).await;
    }
}

#[tokio::test]
async fn a_complete_debate_is_stored_byte_for_byte() {
    let (mut server, mut proposer, mut opponent, mut arbitrator) = start_debate().await;
    two_rounds(&server, &mut proposer, &mut opponent).await;
    an_appeal_and_a_restart(&mut server, &mut proposer, &mut opponent, &mut arbitrator).await;
    an_intervention_and_a_late_delivery(&server, &mut proposer, &mut opponent, &mut arbitrator).await;
    two_requests_for_completion(&server, &mut proposer, &mut opponent, &mut arbitrator).await;

    proposer.try_claim(15, &proposer.seen).await.failure(5, "ACTION_NOT_ALLOWED");
    for participant in [&mut proposer, &mut opponent, &mut arbitrator] {
        participant.seen.clear();
        participant.wait_for_argument(18, "debate_closed").await;
    }
    let record = arbitrator.agent.run(&["debate", "record", "--debate-id", &arbitrator.debate]).await;
    assert_eq!(record.exit, 0, "{record:?}");
    node::check("lint-markdown.mjs", &record.stdout);

    let stored = server.client().get(&format!("/debates/{}", proposer.debate)).await.data(200);
    let rest = stored["arguments"].as_array().expect("a list").iter();
    let history: Vec<Value> = std::iter::once(&stored["motion"]).chain(rest).cloned().collect();
    assert_eq!((state_machine::replay(&history), &stored["debate"]["state"]), ("CLOSED", &json!("CLOSED")));
    assert_eq!(stored["debate"]["last_seq"], TEXTS.len());
    let contents: Vec<&Value> = history.iter().map(|argument| &argument["content"]).collect();
    assert_eq!(json!(contents), json!(TEXTS.map(fixtures::read)));
    let kinds: Vec<&Value> = history.iter().map(|argument| &argument["type"]).collect();
    let expected: Vec<String> = TEXTS.iter().map(|name| type_in_name(name)).collect();
    assert_eq!(json!(kinds), json!(expected));
}

/// The argument type in the name of a fixture.
fn type_in_name(name: &str) -> String {
    let words: Vec<&str> = name.trim_end_matches(".md").split('-').collect();
    let kinds = ["motion", "claim", "appeal", "ruling", "intervention", "resolution"];
    words.into_iter().find(|word| kinds.contains(word)).expect("a kind").to_uppercase()
}
