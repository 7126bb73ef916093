//! Tests of the search in texts on both databases.

use ::tests::store::Backend;
use rstest::rstest;

use super::{
    tests::{TestStore, claim, content, debate_id, new_debate},
    *,
};
use crate::domain::{
    ArgumentKind, Change, IssueNumber, NewDebate, NewIssue, RequestedChange, SearchKind, Severity, Side, Submission,
    Title,
};

/// Reverts the migration that added texts to search, with titles folded as before it.
const BEFORE: &str = "DROP INDEX debates_indexed_seq_idx; DROP TABLE search_texts; ALTER TABLE debates DROP COLUMN indexed_seq; \
                      UPDATE debates SET title_folded = REPLACE(title, 'D', 'd'); \
                      DELETE FROM seaql_migrations WHERE version LIKE 'm0016%';";

const ALL: &[SearchKind] = SearchKind::ALL;

async fn submit(test: &TestStore, kind: ArgumentKind, text: &str, issue_changes: Vec<RequestedChange>) {
    let submission = Submission { issue_changes, ..Submission::new(debate_id(1), kind, content(text)) };
    test.store.write_debate(DebateWrite::Submit(submission)).await.unwrap();
}

/// Two debates, in the first of which rulings, issues and arguments say something.
async fn story(on: Backend) -> TestStore {
    let test = TestStore::open(on).await;
    let title = Title::parse("Đổi Ngân Sách THỬ LẠI".into()).unwrap();
    let new = NewDebate { title, ..new_debate(1) };
    let motion = test.store.write_debate(DebateWrite::Create(new)).await.unwrap().argument.id;
    let raised =
        NewIssue { severity: Severity::Low, title: "50%_of Кеш".into(), location: Some("src/Work.rs:41".into()) };
    let raise = RequestedChange { issue: None, change: Change::Raise(raised), note: Some("Straße".into()) };
    submit(&test, ArgumentKind::Claim { by: Side::Opponent, parent_id: motion }, "ΣΊΣΥΦΟΣ pushes", vec![raise]).await;
    submit(&test, ArgumentKind::Intervention, "Stop", vec![]).await;
    let upheld =
        RequestedChange {
            issue: IssueNumber::at(0), change: Change::Uphold, note: Some("say \"no\" to кЕШ".into())
        };
    submit(&test, ArgumentKind::Ruling { close: false, chosen_option: None }, "Ngân sách stays", vec![upheld]).await;
    test.store.write_debate(DebateWrite::Create(new_debate(2))).await.unwrap();
    test
}

/// What a search finds, as kind, debate, seq and issue, newest first.
async fn found(test: &TestStore, q: &str, kinds: &[SearchKind]) -> Vec<String> {
    let (hits, total) = test.store.search(q, kinds, 50, 0).await.unwrap();
    assert_eq!(hits.len() as u64, total, "{q}");
    let show = |hit: &Hit| {
        let issue = hit.found.issue.map_or_else(String::new, |issue| format!(" {issue}"));
        format!("{} {}#{}{issue}", hit.found.kind, hit.debate.id.0.as_u128(), hit.argument.seq)
    };
    hits.iter().map(show).collect()
}

const FOUND: [(&str, &[SearchKind], &[&str]); 14] = [
    ("NGÂN SÁCH", ALL, &["ruling 1#4", "title 1#1"]),
    ("ngân sách", &[SearchKind::Title], &["title 1#1"]),
    ("đổi", ALL, &["title 1#1"]),
    ("кеш", ALL, &["issue 1#4 I1", "issue 1#2 I1"]),
    ("\"NO\" to", ALL, &["issue 1#4 I1"]),
    ("σίσυφος", ALL, &["argument 1#2"]),
    ("σίσυφος", &[SearchKind::Ruling, SearchKind::Issue, SearchKind::Title], &[]),
    ("STRAßE", ALL, &["issue 1#2 I1"]),
    ("strasse", ALL, &[]),
    ("%_o", ALL, &["issue 1#2 I1"]),
    ("%s", ALL, &[]),
    ("WORK.RS:4", ALL, &["issue 1#2 I1"]),
    ("ý", ALL, &[]),
    ("tiO", ALL, &["argument 2#1", "argument 1#1"]),
];

#[rstest]
#[tokio::test]
async fn texts_of_each_kind_are_found_in_either_case_newest_first(
    #[values(Backend::Sqlite, Backend::Postgres)] on: Backend,
) {
    let test = story(on).await;
    for (q, kinds, expected) in FOUND {
        assert_eq!(found(&test, q, kinds).await, expected, "{q}");
    }
    let (hits, _) = test.store.search("σίσυφος", ALL, 50, 0).await.unwrap();
    assert_eq!(hits[0].found.text, "ΣΊΣΥΦΟΣ pushes");
    let (hits, _) = test.store.search("work", ALL, 50, 0).await.unwrap();
    assert_eq!(hits[0].found.text, "50%_of Кеш\nsrc/Work.rs:41\nStraße");
    verify(&test.location()).await.unwrap();
}

#[rstest]
#[tokio::test]
async fn pages_of_hits_do_not_overlap_and_tell_the_total(#[values(Backend::Sqlite, Backend::Postgres)] on: Backend) {
    let test = TestStore::open(on).await;
    for number in 1..=40 {
        test.store.write_debate(DebateWrite::Create(new_debate(number))).await.unwrap();
    }
    // More arguments of one debate than one transaction adds.
    let mut last = test.store.write_debate(DebateWrite::Create(new_debate(99))).await.unwrap().argument.id;
    for turn in 0..40 {
        let by = if turn % 2 == 0 { Side::Opponent } else { Side::Proposer };
        let submission = claim(99, by, last, &format!("claim-{turn}"));
        last = test.store.write_debate(DebateWrite::Submit(submission)).await.unwrap().argument.id;
    }
    for (q, kinds, expected) in [("debate", &[SearchKind::Title][..], 41), ("i", ALL, 81), ("mot", ALL, 41)] {
        let mut seen = std::collections::BTreeSet::new();
        for offset in (0..=expected).step_by(7) {
            let (hits, total) = test.store.search(q, kinds, 7, offset).await.unwrap();
            assert_eq!((hits.len() as u64, total), ((expected - offset).min(7), expected), "{q} from {offset}");
            seen.extend(hits.iter().map(|hit| (hit.debate.id.0, hit.argument.seq)));
        }
        assert_eq!(seen.len() as u64, expected, "{q}");
        assert_eq!(test.store.search(q, kinds, 7, 1_000).await.unwrap().1, expected);
    }
}

#[rstest]
#[tokio::test]
async fn an_upgrade_folds_titles_anew_and_adds_the_texts_of_older_arguments(
    #[values(Backend::Sqlite, Backend::Postgres)] on: Backend,
) {
    let test = story(on).await;
    let drop_index = if on == Backend::Sqlite { "DROP TABLE search_index;" } else { "" };
    let test = test.reopen_after(&format!("{drop_index} {BEFORE}")).await.unwrap();
    for q in ["ĐỔI ngân", "sÁch"] {
        assert_eq!(test.store.debates(None, None, Some(q), 50, 0).await.unwrap().1, 1, "{q}");
    }
    for (q, kinds, expected) in FOUND {
        assert_eq!(found(&test, q, kinds).await, expected, "{q}");
    }
    assert_eq!(verify(&test.location()).await.unwrap().arguments, 5);
}

#[rstest]
#[case("UPDATE search_texts SET text = 'ngân sách goes' WHERE kind = 'ruling'", "text")]
#[case("DELETE FROM search_texts WHERE kind = 'issue'", "text")]
#[case("UPDATE search_texts SET seq = 3 WHERE seq = 4", "text")]
#[case("UPDATE debates SET indexed_seq = 7 WHERE last_seq = 4", "indexed_seq")]
#[case("UPDATE debates SET indexed_seq = 3 WHERE last_seq = 4", "text")]
#[tokio::test]
async fn verification_finds_texts_that_are_not_those_of_the_arguments(
    #[case] sql: &str,
    #[case] column: &str,
    #[values(Backend::Sqlite, Backend::Postgres)] on: Backend,
) {
    let test = story(on).await;
    found(&test, "any", ALL).await;
    test.store.write.execute_unprepared(sql).await.unwrap();
    match verify(&test.location()).await {
        Err(VerifyError::Faults(faults)) => {
            assert!(faults.rows().iter().any(|fault| fault.column == column), "{sql}: {faults}");
        }
        other => panic!("{sql}: {other:?}"),
    }
}

#[tokio::test]
async fn verification_finds_texts_that_the_index_lacks() {
    let test = story(Backend::Sqlite).await;
    found(&test, "any", ALL).await;
    let sql = "INSERT INTO search_index (search_index, rowid, text, argument_text) \
               SELECT 'delete', id, text, argument_text FROM search_texts WHERE kind = 'ruling'";
    test.store.write.execute_unprepared(sql).await.unwrap();
    let error = verify(&test.location()).await.unwrap_err().to_string();
    assert!(error.contains("search_index"), "{error}");
}

#[rstest]
#[tokio::test]
async fn what_does_not_hold_is_left_out_and_the_rest_is_found(
    #[values(Backend::Sqlite, Backend::Postgres)] on: Backend,
) {
    let test = story(on).await;
    assert_eq!(found(&test, "motion", ALL).await.len(), 2);
    let sql = "UPDATE arguments SET content = 'Another motion' WHERE seq = 1 AND debate_id IN (SELECT id FROM debates WHERE last_seq = 4)";
    test.store.write.execute_unprepared(sql).await.unwrap();
    let (hits, _) = test.store.search("motion", ALL, 50, 0).await.unwrap();
    assert_eq!(hits.iter().map(|hit| hit.debate.id).collect::<Vec<_>>(), [debate_id(2)]);
}

#[tokio::test]
async fn a_copy_in_another_database_is_searched_like_the_original() {
    let test = story(Backend::Sqlite).await;
    found(&test, "any", ALL).await;
    let other = TestStore::open(Backend::Postgres).await;
    let (source, target) = (test.location(), other.location());
    test.store.close().await;
    drop(test.store);
    other.store.close().await;
    copy(&source, &target, drop).await.unwrap();
    let copied = other.reopen_after("SELECT 1").await.unwrap();
    for (q, kinds, expected) in FOUND {
        assert_eq!(found(&copied, q, kinds).await, expected, "{q}");
    }
}
