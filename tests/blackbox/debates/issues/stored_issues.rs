//! Issues outlive the server, and `verify` finds each change of what is stored of them.

use rstest::rstest;
use serde_json::Value;
use tests::{
    debate::Debate,
    server::{Server, Settings},
};

/// Everything that the server tells of a debate.
async fn all(debate: &Debate) -> Vec<Value> {
    vec![debate.stored().await, debate.issues("history=true").await]
}

#[rstest]
#[case::after_a_stop(false)]
#[case::after_a_crash(true)]
#[tokio::test]
async fn issues_outlive_the_server(#[case] crashes: bool) {
    let mut server = Server::with(Settings::new().restartable()).await;
    let debate = Debate::with_issues(&server.client()).await;
    let before = all(&debate).await;
    if crashes {
        server.kill();
    } else {
        server.terminate();
        server.wait_for_exit().await;
    }
    server.restart().await;
    let mut debate = debate.by(&server.client());
    assert_eq!(all(&debate).await, before);
    let (fine, said) = server.verify();
    assert!(fine, "{said}");
    // The server goes on from what is stored.
    let ruling = debate.rule(false).await;
    assert_eq!(
        (&ruling["changed_issues"][0]["id"], &ruling["changed_issues"][0]["referred"]),
        (&"I2".into(), &false.into())
    );
}

#[rstest]
#[case::severity("UPDATE issues SET severity = 'low' WHERE number = 7")]
#[case::title("UPDATE issues SET title = 'A lack' WHERE number = 7")]
#[case::location("UPDATE issues SET location = 'elsewhere' WHERE number = 3")]
#[case::status("UPDATE issues SET status = 'resolved' WHERE number = 7")]
#[case::note("UPDATE issues SET note = NULL WHERE number = 2")]
#[case::raised_by("UPDATE issues SET raised_by = 'opponent' WHERE number = 8")]
#[case::raised_seq("UPDATE issues SET raised_seq = 4 WHERE number = 7")]
#[case::changed_seq("UPDATE issues SET changed_seq = 8 WHERE number = 7")]
#[case::upheld("UPDATE issues SET upheld = FALSE WHERE number = 2")]
#[case::referred("UPDATE issues SET referred = FALSE WHERE number = 2")]
#[case::reopened("UPDATE issues SET reopened = 0 WHERE number = 2")]
#[case::a_lost_issue("DELETE FROM issues WHERE number = 8")]
#[case::a_lost_issue_in_between("DELETE FROM issues WHERE number = 4")]
#[case::another_number("UPDATE issues SET number = 9 WHERE number = 8")]
#[case::counts("UPDATE debates SET issue_counts = NULL")]
#[case::rounds("UPDATE debates SET rounds = 0")]
#[case::a_limit_of_rounds("UPDATE debates SET max_rounds = 9")]
#[case::a_change("UPDATE arguments SET issue_changes = replace(issue_changes, 'Not for', 'Nor for') WHERE seq = 8")]
#[case::lost_changes("UPDATE arguments SET issue_changes = NULL WHERE seq = 9")]
#[case::changed_issues("UPDATE arguments SET changed_issues = '[2]' WHERE seq = 6")]
#[case::lost_changed_issues("UPDATE arguments SET changed_issues = NULL WHERE seq = 9")]
#[tokio::test]
async fn verify_finds_every_change_of_stored_issues(#[case] sql: &str) {
    let mut server = Server::with(Settings::new().restartable()).await;
    let debate = Debate::with_issues(&server.client()).await;
    server.terminate();
    server.wait_for_exit().await;
    server.store().run(sql);
    let (fine, said) = server.verify();
    assert!(!fine, "{said}");
    // The debate or one of its arguments is named.
    let named = std::iter::once(&debate.id).chain(&debate.arguments).any(|id| said.contains(id.as_str()));
    assert!(named && !said.contains("panicked"), "{said}");
}
