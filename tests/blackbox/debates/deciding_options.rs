//! Options of an APPEAL that say what becomes of issues.

use rstest::rstest;
use serde_json::{Value, json};
use tests::{
    client::Client,
    debate::Debate,
    issue_changes::{change, noted, raise, regrade},
    request_bodies::{self, with},
    server::Server,
};

use crate::websocket::viewer::Viewer;

/// What the first option decides, as the server keeps it. The issues are those of [`awaiting_proposer`].
fn decided() -> Value {
    json!([noted("dismiss", "I1", "Out of scope 🚦"), regrade("I2", "low"), noted("reopen", "I3", "Now")])
}

/// A debate in the proposer's turn with two open issues, and I3, which a RULING deferred.
async fn awaiting_proposer(client: &Client) -> Debate {
    let mut debate = Debate::create(client).await;
    let issues = json!([raise("high", "No limit"), raise("medium", "A name"), raise("low", "A test")]);
    debate.claim_with("opponent", issues).await;
    debate.appeal().await;
    debate.rule_with(false, json!([noted("defer", "I3", "Next year")])).await;
    debate.claim("proposer").await;
    debate.claim("opponent").await;
    debate
}

fn appeal(debate: &Debate, changes: &Value) -> Value {
    let options = json!([
        {"label": "Leave it out", "detail": "cheap", "issue_changes": changes},
        {"label": "Keep it"},
        {"label": "Both", "issue_changes": null},
    ]);
    let body = with(request_bodies::answer_to(debate.newest()), "options", options);
    with(body, "issue_changes", json!([change("refer", "I1")]))
}

async fn appealed(client: &Client) -> Debate {
    let mut debate = awaiting_proposer(client).await;
    let body = appeal(&debate, &decided());
    debate.write("appeal", &body).await;
    debate
}

fn choosing(option: u64) -> Value {
    with(request_bodies::decision(), "chosen_option", option)
}

async fn statuses(debate: &Debate) -> Vec<Value> {
    let issues = debate.issues("").await["issues"].clone();
    issues.as_array().unwrap().iter().map(|issue| json!([issue["status"], issue["severity"]])).collect()
}

#[tokio::test]
async fn an_option_says_what_it_decides_wherever_its_appeal_is() {
    let server = Server::shared().await;
    let client = server.client();
    let mut debate = awaiting_proposer(&client).await;
    let (mut viewer, _) = Viewer::of_debate(&server, &debate.id).await;
    let body = appeal(&debate, &decided());
    let stored = debate.write("appeal", &body).await["argument"].clone();
    let options = json!([
        {"label": "Leave it out", "detail": "cheap", "issue_changes": decided()},
        {"label": "Keep it"},
        {"label": "Both"},
        {"label": "Something else", "free_form": true},
    ]);
    assert_eq!(stored["options"], options);
    assert_eq!(viewer.expect("new_argument").await["options"], options);
    assert_eq!(debate.stored().await["arguments"].as_array().unwrap().last(), Some(&stored));
    let waited = debate.wait("role=opponent&timeout=0").await.data(200);
    assert_eq!(waited["argument"], stored);
    debate.write("ruling", &choosing(0)).await;
    let record = client.get(&debate.path("/record")).await.data(200)["record"].clone();
    assert_eq!(record["rulings"][1]["options"], options);
    for format in ["markdown", "transcript", "html"] {
        let request = client.request("GET", &debate.path(&format!("/record?format={format}")));
        let text = String::from_utf8(client.response(&request).await.unwrap().body).unwrap();
        for part in ["I1 dismissed: Out of scope", "I2 regraded (low)", "I3 reopened: Now"] {
            assert!(text.contains(part), "{format}: {part}: {text}");
        }
    }
}

#[rstest]
#[case::the_options_are_carried(choosing(0), decided(), [("dismissed", "high"), ("open", "low"), ("open", "low")])]
#[case::null_is_absent(with(choosing(0), "issue_changes", Value::Null), decided(), [("dismissed", "high"), ("open", "low"), ("open", "low")])]
#[case::an_empty_list_stands_alone(with(choosing(0), "issue_changes", json!([])), Value::Null, [("open", "high"), ("open", "medium"), ("deferred", "low")])]
#[case::a_list_stands_alone(
    with(choosing(0), "issue_changes", json!([change("uphold", "I2")])), json!([change("uphold", "I2")]),
    [("open", "high"), ("open", "medium"), ("deferred", "low")]
)]
#[case::an_option_that_decides_nothing(choosing(1), Value::Null, [("open", "high"), ("open", "medium"), ("deferred", "low")])]
#[case::no_option(request_bodies::decision(), Value::Null, [("open", "high"), ("open", "medium"), ("deferred", "low")])]
#[tokio::test]
async fn a_ruling_without_a_list_carries_what_its_option_decides(
    #[case] ruling: Value,
    #[case] carried: Value,
    #[case] expected: [(&str, &str); 3],
) {
    let server = Server::shared().await;
    let mut debate = appealed(&server.client()).await;
    let would = debate.attempt("ruling", &with(ruling.clone(), "dry_run", true)).await.data(200);
    let stored = debate.write("ruling", &ruling).await;
    assert_eq!(stored["argument"]["issue_changes"], carried);
    for same in ["changed_issues", "action", "moves"] {
        assert_eq!(would[same], stored[same], "{same} of the dry run");
    }
    assert_eq!(would["argument"]["issue_changes"], carried);
    assert_eq!(statuses(&debate).await, expected.map(|(status, severity)| json!([status, severity])));
    // The chain of hashes holds, and so does what follows from the arguments.
    let record = server.client().get(&debate.path("/record")).await.data(200)["record"].clone();
    assert_eq!(record["rulings"][1]["issue_changes"], if carried.is_null() { json!([]) } else { carried });
}

#[tokio::test]
async fn a_ruling_is_repeated_by_the_list_that_it_would_store() {
    let server = Server::shared().await;
    let taken = appealed(&server.client()).await;
    let own = appealed(&server.client()).await;
    let (body, of_own) = (choosing(0), with(choosing(0), "issue_changes", json!([change("uphold", "I2")])));
    taken.attempt("ruling", &body).await.data(201);
    own.attempt("ruling", &of_own).await.data(201);
    let again = async |debate: &Debate, body: &Value, code: &str| {
        for dry_run in [false, true] {
            let answer = debate.attempt("ruling", &with(body.clone(), "dry_run", dry_run)).await;
            assert_eq!(answer.code(), code, "{answer}");
        }
    };
    again(&taken, &body, "ok").await;
    again(&taken, &with(body.clone(), "issue_changes", decided()), "ok").await;
    again(&taken, &with(body.clone(), "issue_changes", json!([])), "IDEMPOTENCY_CONFLICT").await;
    again(&own, &of_own, "ok").await;
    again(&own, &with(of_own.clone(), "issue_changes", Value::Null), "IDEMPOTENCY_CONFLICT").await;
    again(&own, &with(of_own.clone(), "chosen_option", 1), "IDEMPOTENCY_CONFLICT").await;
}

#[tokio::test]
async fn a_ruling_over_websocket_carries_what_its_option_decides() {
    let server = Server::shared().await;
    let debate = appealed(&server.client()).await;
    let (mut viewer, _) = Viewer::of_debate(&server, &debate.id).await;
    let ruling = json!({"debate_id": debate.id, "content": "Leave it out.", "chosen_option": 0, "request_id": "r1"});
    viewer.say("submit_ruling", ruling).await;
    let [accepted, told, ..] = viewer.expect_all(["accepted", "new_argument", "state_changed", "issues_changed"]).await;
    assert_eq!(accepted["argument"]["issue_changes"], decided());
    assert_eq!(told["issue_changes"], decided());
}

#[tokio::test]
async fn an_appeal_that_is_delivered_late_decides_as_well() {
    let server = Server::shared().await;
    let mut debate = awaiting_proposer(&server.client()).await;
    let body = appeal(&debate, &decided());
    debate.intervene().await;
    debate.write("appeal", &body).await;
    let ruled = debate.write("ruling", &choosing(0)).await;
    assert_eq!(ruled["argument"]["issue_changes"], decided());
    // Options are those of the newest appeal: without one none can be chosen.
    debate.claim("proposer").await;
    debate.intervene().await;
    debate.attempt("ruling", &choosing(0)).await.refusal("INVALID_INPUT");
}

#[rstest]
#[case::raise(json!([raise("low", "New")]), "INVALID_INPUT", "options[0].issue_changes[0]")]
#[case::twice(json!([change("uphold", "I1"), change("dismiss", "I1")]), "INVALID_INPUT", "options[0].issue_changes[1]")]
#[case::unknown_change(json!([change("uphold", "I1"), change("bury", "I2")]), "INVALID_INPUT", "options[0].issue_changes[1]")]
#[case::no_note(json!([change("defer", "I1")]), "INVALID_INPUT", "options[0].issue_changes[0]")]
#[case::no_list(json!("dismiss I1"), "INVALID_INPUT", "options[0].issue_changes")]
#[case::too_many(json!(vec![change("uphold", "I1"); 51]), "INVALID_INPUT", "options[0].issue_changes")]
#[case::long_note(json!([noted("uphold", "I1", &"é".repeat(1001))]), "CONTENT_TOO_LARGE", "options[0].issue_changes[0].note")]
#[case::control(json!([noted("uphold", "I1", "a\u{0}")]), "INVALID_INPUT", "options[0].issue_changes[0].note")]
#[case::unknown_issue(json!([change("uphold", "I1"), change("uphold", "I9")]), "INVALID_INPUT", "options[0].issue_changes[1]")]
#[case::of_the_opponent(json!([change("uphold", "I1"), change("resolve", "I2")]), "ACTION_NOT_ALLOWED", "options[0].issue_changes[1]")]
#[case::of_the_proposer(json!([change("fix", "I1")]), "ACTION_NOT_ALLOWED", "options[0].issue_changes[0]")]
#[case::deferred(json!([change("dismiss", "I3")]), "ACTION_NOT_ALLOWED", "options[0].issue_changes[0]")]
#[tokio::test]
async fn what_a_ruling_could_not_do_is_refused(#[case] changes: Value, #[case] code: &str, #[case] names: &str) {
    let server = Server::shared().await;
    let debate = awaiting_proposer(&server.client()).await;
    let error = debate.attempt("appeal", &appeal(&debate, &changes)).await.refusal(code);
    assert!(error["field"].as_str().unwrap().starts_with(names), "{error}");
    assert!(error["message"].as_str().unwrap().contains(names), "{error}");
    if code == "ACTION_NOT_ALLOWED" {
        let issue = changes.as_array().unwrap().last().unwrap()["issue"].clone();
        let allowed = if issue == "I3" { json!(["reopen"]) } else { json!(["regrade", "uphold", "dismiss", "defer"]) };
        assert_eq!((&error["issue"], &error["allowed_changes"]), (&issue, &allowed), "{error}");
        assert_eq!(error["current_state"], "AWAITING_PROPOSER");
    }
    assert_eq!(debate.stored().await["debate"]["last_seq"], debate.arguments.len());
}

#[tokio::test]
async fn the_changes_of_the_argument_itself_are_judged_first() {
    let server = Server::shared().await;
    let debate = awaiting_proposer(&server.client()).await;
    let body = with(appeal(&debate, &json!([change("fix", "I1")])), "issue_changes", json!([change("refer", "I3")]));
    let error = debate.attempt("appeal", &body).await.refusal("ACTION_NOT_ALLOWED");
    assert_eq!(error["field"], "issue_changes[0]");
}

#[tokio::test]
async fn each_of_several_options_may_have_as_many_changes_as_an_argument() {
    let server = Server::shared().await;
    let mut debate = Debate::create(&server.client()).await;
    debate.claim_with("opponent", (1..=50).map(|n| raise("low", &format!("Issue {n}"))).collect()).await;
    let changes: Value = (1..=50).map(|n| noted("dismiss", &format!("I{n}"), &"🚦".repeat(1000))).collect();
    let option = |label: &str| json!({"label": label, "issue_changes": changes});
    let body =
        with(request_bodies::answer_to(debate.newest()), "options", json!([option("A"), option("B"), option("C")]));
    let stored = debate.write("appeal", &body).await;
    assert_eq!(stored["argument"]["options"][2]["issue_changes"], changes);
    let ruled = debate.write("ruling", &choosing(2)).await;
    assert_eq!(ruled["changed_issues"].as_array().map(Vec::len), Some(50));
}
