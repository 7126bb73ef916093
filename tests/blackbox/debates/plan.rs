//! `debate.plan`: the same wherever a debate is.

use rstest::rstest;
use serde_json::{Value, json};
use tests::{
    client::Client,
    debate::Debate,
    document::Document,
    request_bodies::{self, with},
    server::{Server, Settings},
};

use crate::websocket::viewer::Viewer;

async fn document(client: &Client, versions: usize) -> Document {
    let document = Document::create_with(client, &request_bodies::document("1")).await;
    for version in 2..=versions {
        document.submit(&request_bodies::document(&version.to_string())).await;
    }
    document
}

fn citing(body: Value, document: &Document, versions: &[u64]) -> Value {
    let text: Vec<String> = versions.iter().map(|version| format!("doc_id={} v{version}", document.id)).collect();
    with(body, "content", text.join(", "))
}

/// The plan wherever the server tells it; it has to be the same everywhere.
async fn told(server: &Server, debate: &Debate) -> Value {
    let client = server.client();
    let plan = debate.stored().await["debate"]["plan"].clone();
    let listed = client.get(&format!("/debates?q={}", debate.id)).await.data(200);
    assert_eq!(listed["debates"][0]["plan"], plan, "the list with a search");
    let newest = client.get("/debates?limit=200").await.data(200);
    let of_debate = newest["debates"].as_array().unwrap().iter().find(|other| other["id"] == debate.id.as_str());
    assert_eq!(of_debate.unwrap()["plan"], plan, "the list");
    for role in ["proposer", "opponent", "arbitrator"] {
        let waited = debate.wait(&format!("role={role}&timeout=0")).await.data(200);
        assert_eq!(waited["plan"], plan, "a wait of the {role}");
    }
    let (_, state) = Viewer::of_debate(server, &debate.id).await;
    assert_eq!(state["debate"]["plan"], plan, "the first event");
    let record = client.get(&debate.path("/record")).await.data(200)["record"].clone();
    assert_eq!(record["debate"]["plan"], plan, "the debate of the record");
    for (name, value) in plan.as_object().into_iter().flatten() {
        assert_eq!(record["plan"][name], *value, "the plan of the record");
    }
    assert_eq!(record["plan"].is_null(), plan.is_null());
    plan
}

#[tokio::test]
async fn the_plan_is_the_document_that_the_proposer_cites_first_in_the_version_it_cites_last() {
    let server = Server::shared().await;
    let client = server.client();
    let (plan, other) = (document(&client, 4).await, document(&client, 2).await);
    let sha256 = |version: u64| {
        let path = format!("/documents/{}?version={version}", plan.id);
        let client = client.clone();
        async move { client.get(&path).await.data(200)["version"]["sha256"].clone() }
    };
    let mut debate = Debate::create(&client).await;
    assert_eq!(told(&server, &debate).await, Value::Null);
    // What another role cites is no plan, nor is what does not exist.
    debate.write("arguments", &citing(request_bodies::claim("opponent", debate.newest()), &plan, &[2])).await;
    assert_eq!(told(&server, &debate).await, Value::Null);
    debate.write("arguments", &citing(request_bodies::claim("proposer", debate.newest()), &plan, &[99])).await;
    assert_eq!(told(&server, &debate).await, Value::Null);
    debate.claim("opponent").await;

    // Of what the opponent cited before it has seen version 2.
    let written =
        debate.write("arguments", &citing(request_bodies::claim("proposer", debate.newest()), &plan, &[1, 3])).await;
    let expected = json!({
        "document_id": plan.id, "version": 3, "sha256": sha256(3).await, "first_version": 3, "seen_version": 2,
        "seen": false,
    });
    assert_eq!((&written["plan"], told(&server, &debate).await), (&expected, expected.clone()));
    debate.claim("opponent").await;
    assert_eq!(told(&server, &debate).await, with(with(expected.clone(), "seen_version", 3), "seen", true));

    // Another document never takes its place, and the plan may go back to an earlier version.
    debate.write("appeal", &citing(request_bodies::answer_to(debate.newest()), &other, &[2])).await;
    assert_eq!(told(&server, &debate).await["version"], 3);
    debate.write("ruling", &citing(request_bodies::decision(), &plan, &[4])).await;
    assert_eq!(told(&server, &debate).await["version"], 3);
    debate.write("resolution", &citing(request_bodies::answer_to(debate.newest()), &plan, &[2])).await;
    let back = json!({
        "document_id": plan.id, "version": 2, "sha256": sha256(2).await, "first_version": 3, "seen_version": 3,
        "seen": true,
    });
    assert_eq!(told(&server, &debate).await, back);
    plan.delete().await.data(200);
    debate.write("ruling", &with(request_bodies::decision(), "close", true)).await;
    assert_eq!(told(&server, &debate).await, back);
    let due = client.get("/wait?role=arbitrator&timeout=0").await.data(200);
    assert!(due["debates"].as_array().unwrap().iter().all(|debate| debate.get("plan").is_some()), "{due}");
}

#[tokio::test]
async fn a_fix_with_the_version_that_was_cited_before_is_told_as_unchanged() {
    let server = Server::shared().await;
    let client = server.client();
    let (plan, other) = (document(&client, 2).await, document(&client, 2).await);
    let mut debate = Debate::create(&client).await;
    let fix = json!([{"change": "fix", "issue": "I1"}]);
    let reopen = json!([{"change": "reopen", "issue": "I1", "note": "Look again."}]);
    let raised = json!([{"change": "raise", "severity": "high", "title": "Lost on restart"}]);
    debate.write("arguments", &with(request_bodies::claim("opponent", debate.newest()), "issue_changes", raised)).await;
    // The first that is cited, the same, none, another document, the next, the one before, both.
    for (document, versions) in
        [(&plan, &[1][..]), (&plan, &[1]), (&plan, &[]), (&other, &[1]), (&plan, &[2]), (&plan, &[1]), (&plan, &[1, 2])]
    {
        let claim = with(request_bodies::claim("proposer", debate.newest()), "issue_changes", fix.clone());
        let claim = if versions.is_empty() { claim } else { citing(claim, document, versions) };
        debate.write("arguments", &claim).await;
        let claim = citing(request_bodies::claim("opponent", debate.newest()), &plan, &[1]);
        debate.write("arguments", &with(claim, "issue_changes", reopen.clone())).await;
    }
    let claim = citing(request_bodies::claim("proposer", debate.newest()), &plan, &[2]);
    let disputed = json!([{"change": "dispute", "issue": "I1", "note": "It is right."}]);
    debate.write("arguments", &with(claim, "issue_changes", disputed)).await;
    let told = client.get(&debate.path("/issues?history=true")).await.data(200);
    let record = client.get(&debate.path("/record")).await.data(200);
    assert_eq!(record["record"]["issues"][0]["history"], told["issues"][0]["history"]);
    let history = told["issues"][0]["history"].as_array().unwrap();
    assert!(history.iter().all(|entry| entry["change"] == "fix" || entry.get("unchanged").is_none()), "{told}");
    let fixes = history.iter().filter(|entry| entry["change"] == "fix");
    let unchanged: Vec<_> = fixes.map(|entry| entry.get("unchanged").and_then(Value::as_bool)).collect();
    assert_eq!(unchanged, [None, Some(true), None, None, None, None, None]);
}

#[tokio::test]
async fn the_motion_of_a_created_debate_may_cite_the_plan() {
    let server = Server::shared().await;
    let plan = document(&server.client(), 1).await;
    let body = with(request_bodies::creation(), "motion_content", format!("See doc_id={} v1.", plan.id));
    let created = server.client().post("/debates", &body).await.data(201);
    let seen = (&created["debate"]["plan"]["version"], &created["debate"]["plan"]["seen_version"]);
    assert_eq!(seen, (&json!(1), &Value::Null));
}

#[tokio::test]
async fn a_version_that_the_opponent_saw_none_of_is_not_seen_though_a_later_one_is() {
    let server = Server::shared().await;
    let client = server.client();
    let plan = document(&client, 3).await;
    let mut debate = Debate::create(&client).await;
    debate.claim("opponent").await;
    for (version, seen_version, seen) in [(1, 1, true), (3, 3, true), (2, 3, false)] {
        debate.write("arguments", &citing(request_bodies::claim("proposer", debate.newest()), &plan, &[version])).await;
        if seen {
            debate.claim("opponent").await;
        }
        let told = told(&server, &debate).await;
        assert_eq!(told["seen_version"], seen_version, "{told}");
        assert_eq!(told["seen"], seen, "{told}");
        if !seen {
            debate.claim("opponent").await;
        }
    }
    assert_eq!(told(&server, &debate).await["seen"], true);
}

#[rstest]
#[case::another_version("UPDATE debates SET plan = replace(plan, '\"version\":1', '\"version\":2')")]
#[case::another_first_version("UPDATE debates SET plan = replace(plan, '\"first_version\":1', '\"first_version\":2')")]
#[case::seen_too_early(
    "UPDATE debates SET plan = replace(plan, '\"seen\":[],\"unseen\":[1]', '\"seen\":[1],\"unseen\":[]')"
)]
#[case::no_plan("UPDATE debates SET plan = NULL")]
#[case::no_json("UPDATE debates SET plan = 'v1'")]
#[case::no_time_of_the_intervention("UPDATE debates SET ruling_since = NULL")]
#[case::another_time_of_the_intervention("UPDATE debates SET ruling_since = ruling_since + 1")]
#[case::no_late_target("UPDATE debates SET late_target_id = NULL")]
#[case::the_intervention_as_late_target("UPDATE debates SET late_target_id = last_argument_id")]
#[tokio::test]
async fn verify_finds_every_change_of_what_the_plan_and_the_moves_follow_from(#[case] sql: &str) {
    let mut server = Server::with(Settings::new().restartable()).await;
    let plan = document(&server.client(), 2).await;
    let body = with(request_bodies::creation(), "motion_content", format!("See doc_id={} v1.", plan.id));
    let mut debate = Debate::create_with(&server.client(), &body).await;
    debate.intervene().await;
    server.terminate();
    server.wait_for_exit().await;
    let (fine, said) = server.verify();
    assert!(fine, "{said}");
    server.store().run(sql);
    let (fine, said) = server.verify();
    assert!(!fine && said.contains(debate.id.as_str()) && !said.contains("panicked"), "{said}");
}
