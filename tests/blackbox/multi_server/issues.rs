//! Issues that arguments at one server change, seen at another.

use serde_json::json;
use tests::{
    debate::Debate,
    issue_changes::{change, lasting_issues, noted, raise},
};

use super::several;
use crate::websocket::viewer::Viewer;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn changes_at_one_server_are_seen_and_answered_at_the_other() {
    let servers = several(2).await;
    let (mut here, there) = (Debate::create(&servers[0].client()).await, servers[1].client());
    let (mut viewer, _) = Viewer::of_debate(&servers[1], &here.id).await;
    let raised = here.claim_with("opponent", json!([raise("high", "One"), raise("low", "Two")])).await;
    let mut there = here.by(&there);
    assert_eq!(lasting_issues(there.issues("").await["issues"].clone()), raised["changed_issues"]);
    assert_eq!(viewer.expect("new_argument").await, raised["argument"]);
    let changed = viewer.expect("issues_changed").await;
    assert_eq!((&changed["issues"], &changed["seq"]), (&raised["changed_issues"], &json!(2)));
    viewer.expect("state_changed").await;

    // What the first server has cached is outdated now.
    there.claim_with("proposer", json!([change("fix", "I1"), noted("dispute", "I2", "No.")])).await;
    here.arguments.clone_from(&there.arguments);
    let body = tests::request_bodies::claim("opponent", here.newest());
    let illegal = tests::request_bodies::with(body, "issue_changes", json!([change("fix", "I1")]));
    assert_eq!(here.attempt("arguments", &illegal).await.refusal("ACTION_NOT_ALLOWED")["status"], "fixed");
    let settled = here.claim_with("opponent", json!([change("resolve", "I1"), change("withdraw", "I2")])).await;
    assert_eq!(lasting_issues(there.issues("").await["issues"].clone()), settled["changed_issues"]);
    there.arguments.clone_from(&here.arguments);
    there.request_completion().await;
    for server in &servers {
        let (fine, said) = server.verify();
        assert!(fine, "{said}");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn both_servers_number_issues_without_gaps() {
    let servers = several(2).await;
    let mut debate = Debate::create(&servers[0].client()).await;
    for turn in 0..12 {
        let mut writer = debate.by(&servers[turn / 2 % 2].client());
        match turn % 2 {
            0 => writer.claim_with("opponent", json!([raise("low", &turn.to_string()), raise("low", "and")])).await,
            _ => writer.claim("proposer").await,
        };
        debate.arguments = writer.arguments;
    }
    let all = debate.issues("").await;
    let numbers: Vec<String> = (1..=12).map(|number| format!("I{number}")).collect();
    let ids: Vec<&str> = all["issues"].as_array().unwrap().iter().map(|issue| issue["id"].as_str().unwrap()).collect();
    assert_eq!(ids, numbers);
    assert_eq!(debate.by(&servers[1].client()).issues("").await, all);
}
