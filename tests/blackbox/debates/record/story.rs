//! The record of one debate, field by field.

use serde_json::{Value, json};
use tests::{
    debate::Debate,
    document::Document,
    issue_changes::{change, lasting_issues, noted, raise},
    request_bodies::{self, with},
    server::Server,
};

fn fields(value: &Value) -> Vec<&str> {
    value.as_object().expect("an object").keys().map(String::as_str).collect()
}

#[tokio::test]
async fn the_record_says_what_was_decided_and_how() {
    let server = Server::shared().await;
    let client = server.client();
    let plan = Document::create_with(&client, &request_bodies::document("One.\n")).await;
    plan.submit(&with(request_bodies::document("Two.\n"), "summary", "Second draft")).await;
    let cite = |version: u64| format!("The plan is doc_id={} v{version}", plan.id);

    let creation = with(request_bodies::creation(), "motion_content", cite(1));
    let mut debate = Debate::create_with(&client, &with(creation, "max_rounds", 7)).await;
    debate.claim_with("opponent", json!([raise("high", "No drain"), raise("low", "A name")])).await;
    debate.claim_with("proposer", json!([change("fix", "I1"), noted("dispute", "I2", "It is clear.")])).await;
    debate.claim_with("opponent", json!([change("resolve", "I1")])).await;
    let options = json!([{"label": "Keep it", "detail": "as now"}, {"label": "Rename it"}]);
    let appeal = with(request_bodies::answer_to(debate.newest()), "options", options);
    debate.write("appeal", &with(appeal, "issue_changes", json!([change("refer", "I2")]))).await;
    let ruling = with(request_bodies::decision(), "chosen_option", 0);
    debate.write("ruling", &with(ruling, "issue_changes", json!([noted("dismiss", "I2", "Fine.")]))).await;
    debate.intervene().await;
    let late = with(request_bodies::claim("proposer", &debate.arguments[0]), "content", "Lâté");
    debate.write("arguments", &late).await;
    debate.rule(false).await;
    let resolution = with(request_bodies::answer_to(debate.newest()), "content", format!("{}, {}", cite(2), cite(1)));
    debate.write("resolution", &resolution).await;
    let closing = with(with(request_bodies::decision(), "close", true), "content", "Agreed.");
    debate.write("ruling", &closing).await;

    let signed = client.get(&debate.path("/record")).await.data(200);
    assert_eq!(fields(&signed), ["record", "signature"]);
    let (record, history, stored) = (&signed["record"], debate.history().await, debate.stored().await);
    let names = [
        "format",
        "debate",
        "outcome",
        "decision",
        "plan",
        "rulings",
        "issues",
        "statistics",
        "agents",
        "arguments",
        "head",
    ];
    assert_eq!(fields(record), names);
    assert_eq!(record["format"], "aweave-debate-record/2");
    let mut lasting = stored["debate"].clone();
    lasting.as_object_mut().unwrap().retain(|name, _| name != "seats" && name != "ruling_request");
    assert_eq!(record["debate"], lasting);
    assert_eq!(record["outcome"], "agreed");
    let created_at = |seq: usize| &history[seq - 1]["created_at"];
    assert_eq!(record["decision"], json!({"seq": 11, "content": "Agreed.", "created_at": created_at(11)}));
    let second = plan.get("version=2").await.data(200);
    assert_eq!(
        record["plan"],
        json!({
            "document_id": plan.id, "version": 2, "sha256": second["version"]["sha256"], "first_version": 1,
            "seen_version": 1, "seen": false, "summary": "Second draft",
        })
    );

    let something_else = json!({"label": "Something else", "free_form": true});
    let changes = json!([{"change": "dismiss", "issue": "I2", "note": "Fine."}]);
    assert_eq!(
        record["rulings"],
        json!([
            {
                "seq": 6, "on": "APPEAL", "on_seq": 5,
                "options": [{"label": "Keep it", "detail": "as now"}, {"label": "Rename it"}, something_else],
                "chosen_option": 0, "chosen": {"seq": 5, "number": 0, "label": "Keep it"}, "content": "Keep the budget.", "close": false, "issue_changes": changes,
                "created_at": created_at(6),
            },
            {
                "seq": 9, "on": "INTERVENTION", "on_seq": 7, "options": null, "chosen_option": null, "chosen": null,
                "content": "Keep the budget.", "close": false, "issue_changes": [], "created_at": created_at(9),
            },
            {
                "seq": 11, "on": "RESOLUTION", "on_seq": 10, "options": null, "chosen_option": null, "chosen": null,
                "content": "Agreed.", "close": true, "issue_changes": [], "created_at": created_at(11),
            },
        ])
    );
    // What may become of them is no part of what was decided.
    assert_eq!(record["issues"], lasting_issues(debate.issues("history=true").await["issues"].take()));
    let of_arguments = |seq: usize| {
        let argument = &history[seq - 1];
        json!({
            "seq": seq, "id": argument["id"], "type": argument["type"], "role": argument["role"],
            "created_at": argument["created_at"], "hash": argument["hash"],
        })
    };
    assert_eq!(record["arguments"], (1..=11).map(of_arguments).collect::<Value>());
    assert_eq!((&record["head"], &record["head"]), (&history[10]["hash"], &stored["debate"]["head"]));

    let statistics = &record["statistics"];
    let names = ["arguments", "rounds", "appeals", "interventions", "seconds", "by_role", "issues"];
    assert_eq!(fields(statistics), names);
    let counts = ["arguments", "rounds", "appeals", "interventions"].map(|name| statistics[name].as_u64().unwrap());
    assert_eq!(counts, [11, 2, 1, 1]);
    let issues = json!({"raised": 2, "resolved": 1, "withdrawn": 0, "dismissed": 1, "deferred": 0, "left_open": 0});
    assert_eq!(statistics["issues"], issues);
    for (role, arguments) in [("proposer", 5), ("opponent", 2), ("arbitrator", 4)] {
        let own = history.iter().filter(|argument| argument["role"] == role);
        let bytes: usize = own.map(|argument| argument["content"].as_str().unwrap().len()).sum();
        let figures = &statistics["by_role"][role];
        assert_eq!(fields(figures), ["arguments", "bytes", "seconds"]);
        assert_eq!((&figures["arguments"], &figures["bytes"]), (&json!(arguments), &json!(bytes)), "{role}");
    }

    // A deleted document is still what the debate cited, and the record is always the same.
    plan.delete().await.data(200);
    assert_eq!(client.get(&debate.path("/record")).await.data(200), signed);
}

#[tokio::test]
async fn an_open_debate_has_a_record_too() {
    let server = Server::shared().await;
    let debate = Debate::create(&server.client()).await;
    let record = server.client().get(&debate.path("/record")).await.data(200)["record"].clone();
    assert_eq!(record["outcome"], "open");
    for absent in ["decision", "plan"] {
        assert_eq!(record[absent], Value::Null, "{absent}");
    }
    assert_eq!((&record["rulings"], &record["issues"]), (&json!([]), &json!([])));
    assert_eq!((&record["statistics"]["arguments"], &record["statistics"]["seconds"]), (&json!(1), &json!(0)));
}

#[tokio::test]
async fn there_is_no_record_of_what_is_no_debate() {
    let server = Server::shared().await;
    let client = server.client();
    let unknown = tests::ids::fresh();
    client.get(&format!("/debates/{unknown}/record")).await.refusal("DEBATE_NOT_FOUND");
    client.get("/debates/no-id/record").await.refusal("INVALID_INPUT");
}
