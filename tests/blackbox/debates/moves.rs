//! `moves`: what fits next, in every answer and event that has it, and debates that follow it alone.

use fastrand::Rng;
use serde_json::{Value, json};
use tests::{
    client::Client,
    debate::{Debate, text},
    issue_changes::raise,
    random::seed,
    report::report,
    request_bodies::{self, with},
    server::Server,
};
use tokio::task::JoinSet;

use crate::websocket::viewer::Viewer;

const DEBATES: u64 = 100;
const AT_ONCE: usize = 8;

/// How many arguments a debate may have until it is closed. Who mostly takes the best move needs far fewer.
const MAX_ARGUMENTS: usize = 400;

/// A debate whose participants know nothing but the moves that answers have.
struct Played {
    debate: Debate,
    rulings: usize,
    random: Rng,
}

impl Played {
    async fn open(client: &Client, mut random: Rng) -> Self {
        let max_rounds = random.choice([json!(null), json!(1), json!(2), json!(3)]).unwrap();
        let body = with(request_bodies::creation(), "max_rounds", max_rounds);
        Self { debate: Debate::create_with(client, &body).await, rulings: 0, random }
    }

    /// Makes a random move of the role that has some, mostly the best. Returns whether the debate goes on.
    async fn go_on(&mut self) -> bool {
        let stored = self.debate.stored().await;
        let turns = stored["turns"].as_array().unwrap();
        self.assert_waits_tell(turns).await;
        let with_moves: Vec<&Value> = turns.iter().filter(|turn| turn["moves"] != json!([])).collect();
        let Some(turn) = self.random.choice(with_moves) else {
            assert_eq!(stored["debate"]["state"], "CLOSED");
            return false;
        };
        let moves = turn["moves"].as_array().unwrap();
        let best = self.random.u8(..10) < 7;
        let one = if best { &moves[0] } else { self.random.choice(moves).unwrap() };
        self.make(turn["role"].as_str().unwrap(), one).await;
        true
    }

    /// Makes a move as it stands. Sometimes the opponent finds something besides, and the arbitrator steps in before.
    async fn make(&mut self, role: &str, one: &Value) {
        if self.random.u8(..25) == 0
            && self.debate.attempt("intervention", &request_bodies::decision()).await.status == 201
        {
            return;
        }
        let mut changes: Vec<Value> = Vec::new();
        for (change, issues) in one["issue_changes"].as_object().unwrap() {
            changes.extend(issues.as_array().unwrap().iter().map(|issue| json!({"change": change, "issue": issue})));
        }
        if role == "opponent" && self.random.bool() {
            changes.push(raise(self.random.choice(["high", "low"]).unwrap(), "A fault"));
            let other = ["reopen", "resolve"][self.random.usize(..2)];
            self.settle_otherwise(&mut changes, other);
        }
        let answer =
            with(request_bodies::answer_to(one["target_id"].as_str().unwrap_or_default()), "issue_changes", changes);
        let (verb, body) = match one["type"].as_str().unwrap() {
            "CLAIM" => ("arguments", with(answer, "role", role)),
            "APPEAL" => ("appeal", answer),
            "RESOLUTION" => ("resolution", request_bodies::without(answer, "issue_changes")),
            "RULING" => {
                self.rulings += 1;
                ("ruling", with(request_bodies::decision(), "close", one["close"].clone()))
            }
            other => panic!("{other} is no move"),
        };
        let written = self.debate.attempt(verb, &body).await.data(201);
        let stored = self.debate.stored().await;
        let turn = stored["turns"].as_array().unwrap().iter().find(|turn| turn["role"] == role).unwrap();
        assert_eq!((&written["moves"], &written["allowed"]), (&turn["moves"], &turn["allowed"]), "{written}");
        assert_eq!(written["plan"], stored["debate"]["plan"]);
    }

    /// What a fix needs to be reopened is a text, which a move has not.
    fn settle_otherwise(&mut self, changes: &mut [Value], change: &str) {
        for fixed in changes.iter_mut().filter(|fixed| fixed["change"] == "resolve") {
            *fixed = json!({"change": change, "issue": fixed["issue"], "note": "Still so."});
        }
    }

    async fn assert_waits_tell(&self, turns: &[Value]) {
        for turn in turns {
            let role = turn["role"].as_str().unwrap();
            let newest = self.debate.stored().await["debate"]["last_seq"].clone();
            let waited = self.debate.wait(&format!("role={role}&timeout=0")).await.data(200);
            let told = (&waited["moves"], &waited["allowed"], &waited["last_seq"]);
            assert_eq!(told, (&turn["moves"], &turn["allowed"], &newest), "{role}");
        }
    }
}

#[tokio::test]
async fn a_hundred_debates_that_follow_moves_alone_are_accepted_and_decided() {
    let server = Server::shared().await;
    let (seed, client) = (seed(), server.client());
    let mut playing = JoinSet::new();
    let (mut arguments, mut rulings) = (0, 0);
    for number in 0..DEBATES {
        if playing.len() == AT_ONCE {
            let (count, ruled) = playing.join_next().await.unwrap().unwrap();
            (arguments, rulings) = (arguments + count, rulings + ruled);
        }
        let (client, random) = (client.clone(), Rng::with_seed(seed.wrapping_add(number)));
        playing.spawn(async move {
            let mut played = Played::open(&client, random).await;
            let mut count = 1;
            while played.go_on().await {
                count += 1;
                assert!(count < MAX_ARGUMENTS, "{} does not end", played.debate.id);
            }
            assert!(played.rulings > 0, "{} has no ruling", played.debate.id);
            (count, played.rulings)
        });
    }
    while let Some(played) = playing.join_next().await {
        let (count, ruled) = played.unwrap();
        (arguments, rulings) = (arguments + count, rulings + ruled);
    }
    report(&format!("{DEBATES} debates, {arguments} arguments, {rulings} rulings, AWEAVE_SEED={seed}"));
}

#[tokio::test]
async fn events_have_the_turns_of_all_roles_and_the_plan() {
    let server = Server::shared().await;
    let client = server.client();
    let mut debate = Debate::create(&client).await;
    let (mut viewer, state) = Viewer::of_debate(&server, &debate.id).await;
    assert_eq!(state["turns"], debate.stored().await["turns"]);
    let plan = client.post("/documents", &request_bodies::document("The plan.\n")).await.data(201);
    let cite = format!("doc_id={} v1", text(&plan["document"]["id"]));
    debate.claim_with("opponent", json!([raise("high", "One"), raise("low", "Two")])).await;
    for changed in ["new_argument", "issues_changed", "state_changed"] {
        let told = viewer.expect(changed).await;
        if changed != "new_argument" {
            assert_eq!(told["turns"], debate.stored().await["turns"], "{changed}");
        }
    }
    // Neither of these changes an issue, but what fits names the issues that are not settled.
    let claim = with(request_bodies::claim("proposer", debate.newest()), "content", cite);
    debate.write("arguments", &claim).await;
    viewer.expect("new_argument").await;
    let told = viewer.expect("state_changed").await;
    let stored = debate.stored().await;
    assert_eq!((&told["turns"], &told["plan"]), (&stored["turns"], &stored["debate"]["plan"]));
    assert_eq!(told["plan"]["document_id"], plan["document"]["id"]);
    debate.claim("opponent").await;
    viewer.expect("new_argument").await;
    let told = viewer.expect("state_changed").await;
    assert_eq!(told["turns"][0]["moves"][0]["issue_changes"], json!({"fix": ["I1", "I2"]}));
    assert_eq!(told["plan"]["seen_version"], 1);
}

#[tokio::test]
async fn a_repeated_write_tells_what_fits_now() {
    let server = Server::shared().await;
    let mut debate = Debate::create(&server.client()).await;
    let claim = with(
        request_bodies::claim("opponent", debate.newest()),
        "issue_changes",
        json!([raise("medium", "One"), raise("medium", "Two")]),
    );
    let first = debate.write("arguments", &claim).await;
    assert_eq!(first["moves"], json!([]));
    debate.claim_with("proposer", json!([{"change": "fix", "issue": "I2"}])).await;
    let again = debate.attempt("arguments", &claim).await.data(200);
    assert_eq!(
        again["moves"],
        json!([{"type": "CLAIM", "target_id": debate.newest(), "issue_changes": {"resolve": ["I2"]}}])
    );
}
