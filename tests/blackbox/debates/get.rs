//! `GET /debates/{id}`.

use rstest::rstest;
use serde_json::{Value, json};
use tests::{client::Client, debate::Debate, ids, server::Server};

use crate::{schema_checks, state_machine};

/// A debate of seven arguments.
async fn seven(client: &Client) -> Debate {
    let mut debate = Debate::create(client).await;
    for role in ["opponent", "proposer"].into_iter().cycle().take(6) {
        debate.claim(role).await;
    }
    debate
}

#[rstest]
#[case::all_when_absent("", &[2, 3, 4, 5, 6, 7])]
#[case::none("limit=0", &[])]
#[case::the_newest("limit=2", &[6, 7])]
#[case::as_many_as_there_are("limit=6", &[2, 3, 4, 5, 6, 7])]
#[case::more_than_there_are("limit=100", &[2, 3, 4, 5, 6, 7])]
#[case::before("before_seq=4", &[2, 3])]
#[case::after("after_seq=4", &[5, 6, 7])]
#[case::after_none("after_seq=0", &[2, 3, 4, 5, 6, 7])]
#[case::after_all("after_seq=7", &[])]
#[case::between("after_seq=2&before_seq=6", &[3, 4, 5])]
#[case::narrowed_first_then_limited("before_seq=6&limit=2", &[4, 5])]
#[case::the_newest_after("after_seq=2&limit=2", &[6, 7])]
#[case::an_empty_range("after_seq=5&before_seq=3", &[])]
#[tokio::test]
async fn limit_and_range_select_arguments_and_the_motion_is_always_returned(#[case] query: &str, #[case] seqs: &[u64]) {
    let server = Server::shared().await;
    let debate = seven(&server.client()).await;
    let data = server.client().get(&debate.path(&format!("?{query}"))).await.data(200);
    let got: Vec<&Value> = data["arguments"].as_array().expect("a list").iter().map(|a| &a["seq"]).collect();
    assert_eq!(json!(got), json!(seqs), "?{query}");
    assert_eq!((&data["motion"]["seq"], &data["motion"]["type"]), (&json!(1), &json!("MOTION")), "?{query}");
    assert_eq!(data["debate"]["last_seq"], 7);
}

#[tokio::test]
async fn all_arguments_are_returned_in_order() {
    let server = Server::shared().await;
    let mut debate = seven(&server.client()).await;
    debate.claim("opponent").await;
    debate.appeal().await;
    debate.rule(false).await;
    debate.intervene().await;
    let history = debate.history().await;
    history.iter().for_each(schema_checks::is_argument);
    let got: Vec<&Value> = history.iter().map(|argument| &argument["id"]).collect();
    assert_eq!(json!(got), json!(debate.arguments));
    let stored = debate.stored().await;
    schema_checks::is_debate(&stored["debate"]);
    assert_eq!(stored["debate"]["state"], state_machine::replay(&history));
}

#[rstest]
#[tokio::test]
async fn a_number_out_of_range_is_refused_and_never_clamped(
    #[values("limit", "before_seq", "after_seq")] field: &str,
    #[values("-1", "18446744073709551616", "abc", "1.5", "1e2", "%20")] value: &str,
) {
    let server = Server::shared().await;
    let debate = Debate::create(&server.client()).await;
    let error = server.client().get(&debate.path(&format!("?{field}={value}"))).await.refusal("INVALID_INPUT");
    assert!(error.to_string().contains(field), "{field} is not named: {error}");
}

#[tokio::test]
async fn any_spelling_of_the_id_finds_the_debate() {
    let server = Server::shared().await;
    let debate = Debate::create(&server.client()).await;
    for spelling in [debate.id.to_uppercase(), format!("%7B{}%7D", debate.id), debate.id.replace('-', "")] {
        let data = server.client().get(&format!("/debates/{spelling}")).await.data(200);
        assert_eq!(data["debate"]["id"], debate.id, "{spelling}");
    }
}

#[tokio::test]
async fn an_unknown_debate_and_a_malformed_id_have_different_codes() {
    let server = Server::shared().await;
    server.client().get(&format!("/debates/{}", ids::fresh())).await.refusal("DEBATE_NOT_FOUND");
    for malformed in ["nonsense", "7", "00000000-0000-0000-0000-00000000000g", "%00", "%ff"] {
        server.client().get(&format!("/debates/{malformed}")).await.refusal("INVALID_INPUT");
    }
}

/// A debate whose fourth of five arguments is a RULING.
async fn ruled(client: &Client) -> Debate {
    let mut debate = Debate::create(client).await;
    debate.claim("opponent").await;
    debate.appeal().await;
    debate.rule(false).await;
    debate.claim("proposer").await;
    debate
}

#[rstest]
#[case::all("", 0, &[])]
#[case::up_to_the_ruling("limit=2", 2, &[])]
#[case::after_the_ruling("limit=1", 3, &[4])]
#[case::none("limit=0", 4, &[4])]
#[case::before_the_ruling("before_seq=4&limit=0", 2, &[])]
#[case::a_range_is_no_omission("before_seq=3", 0, &[])]
#[tokio::test]
async fn a_limit_counts_what_it_omits_and_never_omits_rulings(
    #[case] query: &str,
    #[case] omitted: u64,
    #[case] rulings: &[u64],
) {
    let server = Server::shared().await;
    let debate = ruled(&server.client()).await;
    let data = server.client().get(&debate.path(&format!("?{query}"))).await.data(200);
    let earlier = data["earlier_rulings"].as_array().expect("a list");
    earlier.iter().for_each(schema_checks::is_argument);
    let seqs: Vec<&Value> = earlier.iter().map(|ruling| &ruling["seq"]).collect();
    assert_eq!((&data["omitted"], json!(seqs)), (&json!(omitted), json!(rulings)), "?{query}");
}

#[tokio::test]
async fn turns_have_the_action_of_each_role_and_what_it_may_submit() {
    let server = Server::shared().await;
    let mut debate = Debate::create(&server.client()).await;
    debate.claim("opponent").await;
    debate.appeal().await;
    let written = debate.rule(false).await;
    assert_eq!(written["allowed"], json!(["INTERVENTION"]));
    let turns = debate.stored().await["turns"].clone();
    let answer = |kind: &str| json!({"type": kind, "target_id": debate.newest(), "issue_changes": {}});
    let moves = ["CLAIM", "APPEAL", "RESOLUTION"].map(answer);
    assert_eq!(
        turns,
        json!([
            {
                "role": "proposer", "action": "align_to_ruling", "allowed": ["CLAIM", "APPEAL", "RESOLUTION"],
                "moves": moves,
            },
            {"role": "opponent", "action": "wait_for_proposer", "allowed": [], "moves": []},
            {"role": "arbitrator", "action": "watch", "allowed": ["INTERVENTION"], "moves": []},
        ])
    );
    debate.intervene().await;
    let turns = debate.stored().await["turns"].clone();
    assert_eq!(turns[0]["allowed"], json!(["CLAIM", "APPEAL", "RESOLUTION"]), "late delivery");
    assert_eq!((&turns[0]["action"], &turns[2]["action"]), (&json!("wait_for_ruling"), &json!("rule")));
}
