//! Records of random debates against a second reading of their histories, and their signatures against Node's cryptography.

use std::{env, fs};

use chrono::DateTime;
use fastrand::Rng;
use serde_json::{Value, json};
use tests::{
    cli::Agent,
    client::Client,
    debate::Debate,
    document::Document,
    issue_changes::{change, lasting_issues, noted, raise},
    plan::plan_of,
    random::seed,
    report::report,
    request_bodies::{self, with},
};

use super::signature::{PUBLIC_KEY, assert_holds, signing_server};

/// How many changed copies of each record `aw` has to refuse.
const CHANGED_COPIES: usize = 8;

/// How many debates are played; `AWEAVE_RECORDS` sets another number.
const DEBATES: usize = 20;

/// The documents that arguments cite.
struct Library {
    documents: Vec<Document>,
}

impl Library {
    async fn create(client: &Client) -> Self {
        let mut documents = Vec::new();
        for name in ["A", "B", "C"] {
            documents.push(Document::create_with(client, &request_bodies::document(name)).await);
        }
        // Versions of the documents take turns.
        for version in 2..=3 {
            for document in &documents {
                let body = request_bodies::document(&format!("{version}"));
                document.submit(&with(body, "summary", format!("Draft {version}"))).await;
            }
        }
        Self { documents }
    }

    /// A text with up to three citations.
    fn text(&self, random: &mut Rng) -> String {
        let count = random.usize(..4).saturating_sub(1);
        let mut text = format!("Lời {}", random.u32(..));
        for _ in 0..count {
            let document = random.choice(&self.documents).unwrap();
            text += &format!(" doc_id={} v{}", document.id, random.u8(1..=4));
        }
        text
    }
}

/// Plays a debate with random arguments that are allowed.
async fn play(client: &Client, library: &Library, random: &mut Rng) -> Debate {
    let body = with(request_bodies::creation(), "motion_content", library.text(random));
    let mut debate = Debate::create_with(client, &body).await;
    for _ in 0..random.usize(..24) {
        let stored = debate.stored().await;
        let turns = stored["turns"].as_array().unwrap();
        let allowed: Vec<(&str, &str)> = turns
            .iter()
            .flat_map(|turn| {
                let types = turn["allowed"].as_array().unwrap().iter();
                types.map(|kind| (turn["role"].as_str().unwrap(), kind.as_str().unwrap()))
            })
            .collect();
        let Some((role, kind)) = random.choice(allowed.iter().copied()) else { break };
        let answer = with(request_bodies::answer_to(&debate.arguments[0]), "content", library.text(random));
        let decision = with(request_bodies::decision(), "content", library.text(random));
        let issues = stored["issues"].as_array().unwrap();
        let (verb, body) = match kind {
            "CLAIM" => ("arguments", with(with(answer, "role", role), "issue_changes", changes(role, issues, random))),
            "APPEAL" => {
                let options = if random.bool() { json!([{"label": "One"}, {"label": "Two"}]) } else { json!([]) };
                ("appeal", with(answer, "options", options))
            }
            "RESOLUTION" => ("resolution", answer),
            "INTERVENTION" if random.u8(..3) == 0 => ("intervention", decision),
            "INTERVENTION" => continue,
            "RULING" => ("ruling", with(decision, "close", random.u8(..4) == 0)),
            other => panic!("unknown type {other}"),
        };
        // A RESOLUTION while issues block it is refused.
        let answer = debate.attempt(verb, &body).await;
        if answer.status == 201 {
            debate.arguments.push(answer.data(201)["argument"]["id"].as_str().unwrap().to_owned());
        } else {
            answer.refusal("ISSUES_OPEN");
        }
    }
    debate
}

/// Changes that this role may make of these issues, which are not settled.
fn changes(role: &str, issues: &[Value], random: &mut Rng) -> Value {
    let mut changes = Vec::new();
    for issue in issues {
        let (id, status) = (issue["id"].as_str().unwrap(), issue["status"].as_str().unwrap());
        changes.extend(match (role, status, random.u8(..4)) {
            ("proposer", "open", 0) if issue["upheld"] == false => Some(noted("dispute", id, "no")),
            ("proposer", "open" | "disputed", 1 | 2) => Some(change("fix", id)),
            ("opponent", _, 0 | 1) => Some(change("resolve", id)),
            ("opponent", _, 2) => Some(change("withdraw", id)),
            _ => None,
        });
    }
    if role == "opponent" && random.bool() {
        changes.push(raise(random.choice(["critical", "high", "medium", "low"]).unwrap(), "Something"));
    }
    changes.into()
}

fn micros(argument: &Value) -> i64 {
    DateTime::parse_from_rfc3339(argument["created_at"].as_str().unwrap()).unwrap().timestamp_micros()
}

/// What the record has to say about a history, besides the debate and the plan's summary.
fn expected(history: &[Value], issues: &Value) -> Value {
    let mut waiting = [0, 0, 0];
    let (mut turn, mut due, mut options): (Option<usize>, Option<(String, Value)>, Value) =
        (Some(1), None, Value::Null);
    let mut rulings = Vec::new();
    for (index, argument) in history.iter().enumerate().skip(1) {
        if let Some(role) = turn {
            waiting[role] += (micros(argument) - micros(&history[index - 1])).max(0);
        }
        let kind = argument["type"].as_str().unwrap();
        let is_late = due.as_ref().is_some_and(|(on, _)| on == "INTERVENTION") && kind != "RULING";
        match kind {
            "RULING" => {
                let (on, on_seq) = due.take().unwrap();
                rulings.push(json!({
                    "seq": argument["seq"], "on": on, "on_seq": on_seq, "options": options.take(),
                    "chosen_option": argument["chosen_option"], "chosen": argument["chosen"], "content": argument["content"],
                    "close": argument["close"], "issue_changes": argument.get("issue_changes").unwrap_or(&json!([])),
                    "created_at": argument["created_at"],
                }));
                turn = (argument["close"] == false).then_some(0);
            }
            "CLAIM" if is_late => {}
            "CLAIM" => turn = Some(usize::from(argument["role"] == "proposer")),
            _ => {
                if kind == "APPEAL" {
                    options = argument.get("options").cloned().unwrap_or_default();
                }
                if !is_late {
                    due = Some((kind.to_owned(), argument["seq"].clone()));
                    turn = Some(2);
                }
            }
        }
    }
    let closing = rulings.iter().find(|ruling| ruling["close"] == true);
    let outcome = closing.map_or("open", |ruling| if ruling["on"] == "RESOLUTION" { "agreed" } else { "ruled" });
    let decision = closing
        .map(|ruling| json!({"seq": ruling["seq"], "content": ruling["content"], "created_at": ruling["created_at"]}));
    let count = |kind: &str| history.iter().filter(|argument| argument["type"] == kind).count();
    let is_round = |argument: &&Value| argument["type"] == "CLAIM" && argument["role"] == "opponent";
    let of_role = |role: &str, waited: i64| {
        let own = || history.iter().filter(|argument| argument["role"] == role);
        let bytes: usize = own().map(|argument| argument["content"].as_str().unwrap().len()).sum();
        json!({"arguments": own().count(), "bytes": bytes, "seconds": waited / 1_000_000})
    };
    let in_status = |names: &[&str]| {
        let issues = issues.as_array().unwrap().iter();
        issues.filter(|issue| names.contains(&issue["status"].as_str().unwrap())).count()
    };
    let arguments = history.iter().map(|argument| {
        json!({
            "seq": argument["seq"], "id": argument["id"], "type": argument["type"], "role": argument["role"],
            "created_at": argument["created_at"], "hash": argument["hash"],
        })
    });
    json!({
        "outcome": outcome,
        "decision": decision,
        "plan": plan(history),
        "rulings": rulings,
        "issues": issues,
        "statistics": {
            "arguments": history.len(),
            "rounds": history.iter().filter(is_round).count(),
            "appeals": count("APPEAL"),
            "interventions": count("INTERVENTION"),
            "seconds": waiting.iter().sum::<i64>() / 1_000_000,
            "by_role": {
                "proposer": of_role("proposer", waiting[0]),
                "opponent": of_role("opponent", waiting[1]),
                "arbitrator": of_role("arbitrator", waiting[2]),
            },
            "issues": {
                "raised": issues.as_array().unwrap().len(),
                "resolved": in_status(&["resolved"]),
                "withdrawn": in_status(&["withdrawn"]),
                "dismissed": in_status(&["dismissed"]),
                "deferred": in_status(&["deferred"]),
                "left_open": in_status(&["open", "fixed", "disputed"]),
            },
        },
        "agents": [],
        "arguments": arguments.collect::<Vec<_>>(),
        "head": history.last().unwrap()["hash"],
    })
}

/// The plan without its summary.
fn plan(history: &[Value]) -> Value {
    plan_of(&history.iter().collect::<Vec<_>>())
}

/// Checks that `aw` accepts the record of a debate, and no copy in which one byte is another one.
async fn assert_aw_refuses_changed_copies(agent: &Agent, debate: &Debate, random: &mut Rng) {
    let args =
        ["debate", "record", "--debate-id", &debate.id, "--format", "json", "--output", "record.json", "--force"];
    agent.run(&args).await.data();
    let path = agent.home().join("record.json");
    let verify = ["debate", "verify-record", "record.json", "--public-key", PUBLIC_KEY];
    assert_eq!(agent.run(&verify).await.data()["key_is"], "given");
    let bytes = fs::read(&path).unwrap();
    for _ in 0..CHANGED_COPIES {
        let mut changed = bytes.clone();
        // The last byte is the line break at the end of the file.
        let at = random.usize(..bytes.len() - 1);
        changed[at] ^= random.u8(1..);
        fs::write(&path, &changed).unwrap();
        let run = agent.run(&verify).await;
        assert_eq!(run.exit, 4, "byte {at} of {} is {}: {}", debate.id, changed[at], run.stdout);
        run.failure(4, "RECORD_INVALID");
    }
}

#[tokio::test]
async fn records_of_random_debates_follow_from_their_histories() {
    let (server, _key) = signing_server().await;
    let (client, agent, seed) = (server.client(), Agent::new(&server.url()), seed());
    let count = env::var("AWEAVE_RECORDS").map_or(DEBATES, |count| count.parse().expect("a number"));
    let library = Library::create(&client).await;
    let mut random = Rng::with_seed(seed);
    let mut outcomes = [0; 3];
    for _ in 0..count {
        let debate = play(&client, &library, &mut random).await;
        let signed = client.get(&debate.path("/record")).await.data(200);
        let mut record = signed["record"].clone();
        assert_eq!(record["format"], "aweave-debate-record/2");
        record.as_object_mut().unwrap().retain(|name, _| name != "format" && name != "debate");
        if let Some(plan) = record["plan"].as_object_mut() {
            let version = plan["version"].as_u64().unwrap();
            let summary = plan.shift_remove("summary").unwrap();
            let expected = if version == 1 { "Plan: retry budget".to_owned() } else { format!("Draft {version}") };
            assert_eq!(summary, expected);
        }
        let issues = lasting_issues(debate.issues("history=true").await["issues"].take());
        let expected = expected(&debate.history().await, &issues);
        for (name, value) in expected.as_object().unwrap() {
            assert_eq!(&record[name], value, "{name} of {} (AWEAVE_SEED={seed})", debate.id);
        }
        assert_eq!(record.as_object().unwrap().len(), expected.as_object().unwrap().len());
        assert_holds(&signed);
        assert_aw_refuses_changed_copies(&agent, &debate, &mut random).await;
        outcomes[["agreed", "ruled", "open"].iter().position(|name| record["outcome"] == *name).unwrap()] += 1;
    }
    report(&format!(
        "{count} records, {} agreed, {} ruled, {} open, AWEAVE_SEED={seed}",
        outcomes[0], outcomes[1], outcomes[2]
    ));
}
