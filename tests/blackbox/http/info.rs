//! `GET /info`.

use serde_json::json;
use tests::server::{Server, Settings};

#[tokio::test]
async fn info_has_the_limits_and_which_tokens_are_needed() {
    let server = Server::with(Settings::new().args(&["--max-content-bytes", "4096"])).await;
    let info = server.client().get("/info").await.data(200);
    assert_eq!(info["limits"]["max_content_bytes"], 4096);
    let of_issues = json!({
        "max_issues": 500,
        "max_issue_changes": 50,
        "max_issue_title_characters": 200,
        "max_issue_location_characters": 300,
        "max_note_characters": 1000,
        "max_rounds": 100,
    });
    for (name, limit) in of_issues.as_object().unwrap() {
        assert_eq!(&info["limits"][name], limit, "{name}");
    }
    assert!(info["limits"].as_object().unwrap().values().all(|limit| limit.is_u64()), "{info}");
    assert_eq!(info["debate_types"], json!(["coding_plan_debate", "general_debate"]));
    assert_eq!((&info["auth"], &info["arbitrator_token"]), (&json!("none"), &json!(false)));
    assert_eq!(info["may_rule"], true);
    assert_eq!(
        info["issue_changes"],
        json!({
            "raise": {"needs": ["severity", "title"], "settles": false},
            "fix": {"needs": [], "settles": false},
            "dispute": {"needs": ["note"], "settles": false},
            "refer": {"needs": [], "settles": false},
            "resolve": {"needs": [], "settles": true},
            "withdraw": {"needs": [], "settles": true},
            "reopen": {"needs": ["note"], "settles": false},
            "regrade": {"needs": ["severity"], "settles": false},
            "uphold": {"needs": [], "settles": false},
            "dismiss": {"needs": [], "settles": true},
            "defer": {"needs": ["note"], "settles": true},
        })
    );
    assert!(info["version"].is_string() && info["contract"].is_string(), "{info}");
    // On PostgreSQL there is a key only if the settings name one.
    assert!(info["public_key"].as_str().is_none_or(|key| key.len() == 44), "{info}");
}

#[tokio::test]
async fn info_needs_the_token_where_there_is_one() {
    let settings = Settings::new().env("DEBATE_AUTH_TOKEN", "agents").env("DEBATE_ARBITRATOR_TOKEN", "judge");
    let server = Server::with(settings).await;
    server.client().get("/info").await.refusal("AUTH_FAILED");
    let info = server.client().with_token("agents").get("/info").await.data(200);
    assert_eq!((&info["auth"], &info["arbitrator_token"]), (&json!("token"), &json!(true)));
    assert_eq!(info["may_rule"], false);
    assert_eq!(server.client().with_token("judge").get("/info").await.data(200)["may_rule"], true);
}

#[tokio::test]
async fn info_says_who_may_rule_also_where_only_rulings_need_a_token() {
    let server = Server::with(Settings::new().env("DEBATE_ARBITRATOR_TOKEN", "judge")).await;
    for (client, may_rule) in [(server.client(), false), (server.client().with_token("judge"), true)] {
        assert_eq!(client.get("/info").await.data(200)["may_rule"], may_rule);
    }
}
