//! The issues of one debate from its motion to its end.

use serde_json::{Value, json};
use tests::{
    debate::Debate,
    issue_changes::{change, noted, raise, regrade},
    request_bodies::{self, with},
    server::Server,
};

fn ids(issues: &Value) -> Vec<&str> {
    issues.as_array().expect("a list").iter().map(|issue| issue["id"].as_str().expect("an id")).collect()
}

/// The fields of an issue that these arguments change most.
fn standing(issue: &Value) -> Value {
    json!([issue["status"], issue["upheld"], issue["referred"], issue["reopened"], issue["stalled"], issue["blocking"]])
}

#[tokio::test]
async fn issues_are_raised_answered_settled_and_decided_by_arguments() {
    let server = Server::shared().await;
    let mut debate = Debate::create(&server.client()).await;
    assert_eq!(debate.issues("").await["issues"], json!([]));

    let located = with(raise("critical", "The pool is never drained"), "location", "src/worker.rs:41");
    let claim = debate.claim_with("opponent", json!([located, raise("low", "A name")])).await;
    let first = json!({
        "id": "I1", "severity": "critical", "title": "The pool is never drained", "location": "src/worker.rs:41",
        "status": "open", "note": null, "raised_by": "opponent", "raised_seq": 2, "changed_seq": 2, "upheld": false,
        "referred": false, "reopened": 0, "stalled": false, "settled": false, "blocking": true,
    });
    assert_eq!(claim["changed_issues"][0], first);
    let changes = json!([
        {"change": "raise", "issue": "I1", "severity": "critical", "title": "The pool is never drained",
         "location": "src/worker.rs:41"},
        {"change": "raise", "issue": "I2", "severity": "low", "title": "A name"},
    ]);
    assert_eq!(claim["argument"]["issue_changes"], changes);

    let claim = debate
        .claim_with("proposer", json!([noted("fix", "I1", "plan 3.1"), noted("dispute", "I2", "It is clear.")]))
        .await;
    assert_eq!(ids(&claim["changed_issues"]), ["I1", "I2"]);
    let fixed = with(with(with(first, "status", "fixed"), "note", "plan 3.1"), "changed_seq", 3);
    assert_eq!(claim["changed_issues"][0], fixed);

    for round in 1..=2 {
        debate.claim_with("opponent", json!([noted("reopen", "I1", "It still is not.")])).await;
        assert_eq!(standing(&debate.issue("I1").await), json!(["open", false, false, round, round == 2, true]));
        let claim = debate.claim_with("proposer", json!([change("fix", "I1")])).await;
        // A change without a note takes away the note of the change before it.
        assert_eq!(claim["changed_issues"][0]["note"], Value::Null);
    }
    debate.claim_with("opponent", json!([regrade("I2", "medium")])).await;
    let appeal = debate.appeal_with(json!([change("refer", "I2"), noted("refer", "I1", "Who is right?")])).await;
    assert_eq!(ids(&appeal["changed_issues"]), ["I1", "I2"]);
    assert_eq!(standing(&appeal["changed_issues"][0]), json!(["fixed", false, true, 2, true, true]));

    // I2 is no longer referred, which is no change of its own.
    let ruling =
        debate.rule_with(false, json!([noted("uphold", "I1", "Drain it."), raise("high", "The manual")])).await;
    assert_eq!(ids(&ruling["changed_issues"]), ["I1", "I2", "I3"]);
    let [upheld, unreferred, raised] = [0, 1, 2].map(|place| &ruling["changed_issues"][place]);
    assert_eq!(standing(upheld), json!(["open", true, false, 0, false, true]));
    assert_eq!(standing(unreferred), json!(["disputed", false, false, 0, false, false]));
    assert_eq!(standing(raised), json!(["open", true, false, 0, false, true]));
    assert_eq!((&unreferred["changed_seq"], &unreferred["note"]), (&json!(9), &Value::Null));
    assert_eq!(raised["raised_by"], "arbitrator");

    debate.claim_with("proposer", json!([change("fix", "I1"), change("fix", "I3"), change("fix", "I2")])).await;
    let claim = debate
        .claim_with("opponent", json!([change("resolve", "I3"), change("withdraw", "I2"), change("resolve", "I1")]))
        .await;
    assert_eq!(ids(&claim["changed_issues"]), ["I1", "I2", "I3"]);
    let stored = debate.stored().await;
    assert_eq!(stored["issues"], json!([]));
    let counts = json!({
        "open": 0, "fixed": 0, "disputed": 0, "unsettled": 0, "resolved": 2, "withdrawn": 1, "dismissed": 0, "deferred": 0,
        "blocking": 0,
    });
    assert_eq!(stored["debate"]["issue_counts"], counts);
    debate.request_completion().await;
    debate.rule(true).await;
}

#[tokio::test]
async fn a_history_has_every_change_with_its_argument() {
    let server = Server::shared().await;
    let debate = Debate::with_issues(&server.client()).await;
    let entry = |seq: usize, role: &str, change: &str| json!({"seq": seq, "argument_id": debate.arguments[seq - 1], "role": role, "change": change});
    let issues = debate.issues("history=true").await;
    let expected = json!([
        with(with(entry(2, "opponent", "raise"), "severity", "high"), "note", "Line one\n\tand two"),
        entry(3, "proposer", "fix"),
        with(entry(4, "opponent", "reopen"), "note", "Still none"),
        entry(5, "proposer", "refer"),
        with(entry(6, "arbitrator", "uphold"), "note", "One is needed."),
        entry(7, "proposer", "fix"),
        with(entry(8, "opponent", "reopen"), "note", "Not for writes"),
        with(entry(9, "proposer", "refer"), "note", "Is this in scope?"),
    ]);
    assert_eq!(issues["issues"][1]["history"], expected);
    let graded = json!([
        with(entry(2, "opponent", "raise"), "severity", "low"),
        with(entry(4, "opponent", "regrade"), "severity", "medium"),
    ]);
    assert_eq!(issues["issues"][4]["history"], graded);
}

#[tokio::test]
async fn a_dismissed_issue_stays_dismissed_and_an_upheld_one_upheld() {
    let server = Server::shared().await;
    let mut debate = Debate::create(&server.client()).await;
    debate.claim_with("opponent", json!([raise("high", "One"), raise("high", "Two")])).await;
    debate.appeal_with(json!([change("refer", "I1"), change("refer", "I2")])).await;
    debate.rule_with(false, json!([change("dismiss", "I1"), change("uphold", "I2")])).await;
    debate.claim_with("proposer", json!([change("fix", "I2")])).await;
    debate.claim_with("opponent", json!([change("resolve", "I2")])).await;
    debate.claim("proposer").await;
    let reopened = debate.claim_with("opponent", json!([noted("reopen", "I2", "It came back.")])).await;
    assert_eq!(standing(&reopened["changed_issues"][0]), json!(["open", true, false, 1, false, true]));
    assert_eq!(standing(&debate.issue("I1").await), json!(["dismissed", false, false, 0, false, false]));
}

#[tokio::test]
async fn a_deferred_issue_is_settled_and_only_a_ruling_opens_again_what_a_ruling_deferred() {
    let server = Server::shared().await;
    let mut debate = Debate::create(&server.client()).await;
    debate.claim_with("opponent", json!([raise("low", "One"), raise("high", "Two")])).await;
    debate.claim("proposer").await;
    let claim = debate.claim_with("opponent", json!([noted("defer", "I1", "After the release")])).await;
    let deferred = &claim["changed_issues"][0];
    assert_eq!(
        (&deferred["status"], &deferred["deferred_by"], &deferred["note"]),
        (&json!("deferred"), &json!("opponent"), &json!("After the release"))
    );
    debate.appeal_with(json!([change("refer", "I2")])).await;
    debate.rule_with(false, json!([noted("defer", "I2", "Next quarter")])).await;
    let stored = debate.stored().await;
    let counts = &stored["debate"]["issue_counts"];
    let count = |name: &str| counts[name].as_u64().unwrap();
    assert_eq!((count("deferred"), count("unsettled"), count("blocking")), (2, 0, 0));
    assert_eq!(stored["issues"], json!([]));
    let resolution = &stored["turns"][0]["moves"][0];
    assert_eq!(resolution["type"], "RESOLUTION", "all is settled: {stored}");
    let record = server.client().get(&debate.path("/record")).await.data(200);
    let issues = &record["record"]["statistics"]["issues"];
    assert_eq!((&issues["raised"], &issues["deferred"], &issues["left_open"]), (&json!(2), &json!(2), &json!(0)));
    for format in ["markdown", "html"] {
        let request = server.client().request("GET", &debate.path(&format!("/record?format={format}")));
        let response = server.client().response(&request).await.unwrap();
        let text = String::from_utf8(response.body).unwrap();
        let (_, consequences) = text.split_once("Consequences").unwrap();
        let (first, second) =
            (consequences.find("After the release").unwrap(), consequences.find("Next quarter").unwrap());
        assert!(first < second && consequences.find("Left for later").unwrap() < first, "{text}");
    }

    debate.claim("proposer").await;
    let body = with(
        request_bodies::claim("opponent", debate.newest()),
        "issue_changes",
        json!([noted("reopen", "I2", "Now")]),
    );
    let error = debate.attempt("arguments", &body).await.refusal("ACTION_NOT_ALLOWED");
    assert_eq!((&error["status"], &error["allowed_changes"]), (&json!("deferred"), &json!([])));
    let claim = debate.claim_with("opponent", json!([noted("reopen", "I1", "It is easy")])).await;
    assert_eq!(claim["changed_issues"][0].get("deferred_by"), None);
    debate.intervene().await;
    let ruling = debate.rule_with(false, json!([noted("reopen", "I2", "It is due")])).await;
    assert_eq!(standing(&ruling["changed_issues"][0]), json!(["open", false, false, 0, false, true]));
}

#[tokio::test]
async fn a_debate_without_issues_answers_with_empty_lists_and_zeros() {
    let server = Server::shared().await;
    let mut debate = Debate::create(&server.client()).await;
    let claim = debate.claim("opponent").await;
    assert_eq!((&claim["changed_issues"], claim["argument"].get("issue_changes")), (&json!([]), None));
    let stored = debate.stored().await;
    let zeros = json!({
        "open": 0, "fixed": 0, "disputed": 0, "unsettled": 0, "resolved": 0, "withdrawn": 0, "dismissed": 0, "deferred": 0,
        "blocking": 0,
    });
    assert_eq!((&stored["issues"], &stored["debate"]["issue_counts"]), (&json!([]), &zeros));
    assert_eq!(debate.issues("").await, json!({"issues": [], "counts": zeros}));
    let news = debate.wait("role=proposer").await.data(200);
    assert_eq!(news["issues"], json!([]));
}
