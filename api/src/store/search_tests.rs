//! Tests of the search in texts on both databases.

use std::{
    collections::BTreeSet,
    time::{Duration, Instant},
};

use ::tests::store::Backend;
use futures_util::future::join_all;
use proptest::{prelude::*, test_runner::TestRunner};
use rstest::rstest;
use sea_orm::{ConnectionTrait, Statement, prelude::Uuid};
use tokio::time::{sleep, timeout};
use unicode_normalization::UnicodeNormalization;

use super::{
    tests::{TestStore, claim, content, debate_id, new_debate},
    *,
};
use crate::{
    domain::{
        ArgumentKind, ChangeName, DebateId, IssueNumber, MAX_CHANGES, NewDebate, RequestedChange, SearchKind,
        SearchWords, Severity, Side, Submission, Title, searchable,
    },
    store::{
        backend::{Rows, SearchConnection, begin_write},
        debate::search_statements,
    },
};

/// Reverts the migrations that added texts to search, with titles folded as before them.
const BEFORE: &str = "DROP INDEX debates_indexed_seq_idx; DROP TABLE search_texts; ALTER TABLE debates DROP COLUMN indexed_seq; \
                      UPDATE debates SET title_folded = REPLACE(title, 'D', 'd'); \
                      DELETE FROM seaql_migrations WHERE version LIKE 'm0016%' OR version LIKE 'm0017%';";

const ALL: &[SearchKind] = SearchKind::ALL;

async fn submit(test: &TestStore, kind: ArgumentKind, text: &str, issue_changes: Vec<RequestedChange>) {
    let issue_changes = Some(issue_changes);
    let submission = Submission { issue_changes, ..Submission::new(debate_id(1), kind, content(text)) };
    test.store.write_debate(DebateWrite::Submit(submission)).await.unwrap();
}

/// Two debates, in the first of which rulings, issues and arguments say something.
async fn story(on: Backend) -> TestStore {
    let test = TestStore::open(on).await;
    let title = Title::parse("Đổi Ngân Sách THỬ LẠI".into()).unwrap();
    let new = NewDebate { title, ..new_debate(1) };
    let motion = test.store.write_debate(DebateWrite::Create(new)).await.unwrap().argument.id;
    let raise = RequestedChange {
        location: Some("src/Work.rs:41".into()),
        note: Some("Straße".into()),
        ..RequestedChange::raise(Severity::Low, "50%_of Кеш")
    };
    submit(&test, ArgumentKind::Claim { by: Side::Opponent, parent_id: motion }, "ΣΊΣΥΦΟΣ pushes", vec![raise]).await;
    submit(&test, ArgumentKind::Intervention, "Stop", vec![]).await;
    let upheld = RequestedChange {
        note: Some("say \"no\" to кЕШ".into()),
        ..RequestedChange::of(ChangeName::Uphold, IssueNumber::at(0))
    };
    submit(&test, ArgumentKind::Ruling { close: false, chosen_option: None }, "Ngân sách stays", vec![upheld]).await;
    test.store.write_debate(DebateWrite::Create(new_debate(2))).await.unwrap();
    test
}

async fn search(test: &TestStore, q: &str, kinds: &[SearchKind], limit: u64, offset: u64) -> Found {
    test.store.search(&SearchWords::parse(q).unwrap(), kinds, limit, offset).await.unwrap()
}

async fn number(test: &TestStore, sql: &str) -> i64 {
    let select = Statement::from_string(test.store.read.get_database_backend(), sql);
    test.store.read.query_one_raw(select).await.unwrap().unwrap().try_get_by_index(0).unwrap()
}

/// Waits until the texts of all arguments are stored.
async fn filled(test: &TestStore) {
    let deadline = Instant::now() + Duration::from_secs(30);
    while number(test, "SELECT COUNT(*) FROM debates WHERE indexed_seq < last_seq").await > 0 {
        assert!(Instant::now() < deadline, "the texts are not stored");
        sleep(Duration::from_millis(10)).await;
    }
}

/// What a search finds, as kind, debate, seq and issue, newest first.
async fn found(test: &TestStore, q: &str, kinds: &[SearchKind]) -> Vec<String> {
    let Found { hits, total, is_complete, faults } = search(test, q, kinds, 50, 0).await;
    assert_eq!((hits.len() as u64, is_complete, faults), (total, true, vec![]), "{q}");
    let show = |hit: &Hit| {
        let issue = hit.found.issue.map_or_else(String::new, |issue| format!(" {issue}"));
        format!("{} {}#{}{issue}", hit.found.kind, hit.debate.id.0.as_u128(), hit.argument.seq)
    };
    hits.iter().map(show).collect()
}

const FOUND: [(&str, &[SearchKind], &[&str]); 24] = [
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
    ("sách NGA\u{302}N", ALL, &["ruling 1#4", "title 1#1"]),
    ("\"sách ngân\"", ALL, &[]),
    ("sách stays", ALL, &["ruling 1#4"]),
    ("sách nowhere", ALL, &[]),
    ("“no”\u{A0}кеш", ALL, &["issue 1#4 I1"]),
    ("„no\"  TO", ALL, &["issue 1#4 I1"]),
    ("к sa", ALL, &["issue 1#4 I1"]),
    ("\"src/work.rs:41\nstraße\"", ALL, &["issue 1#2 I1"]),
    ("sách work.rs", ALL, &[]),
    ("% _", ALL, &[]),
];

#[rstest]
#[tokio::test]
async fn texts_of_each_kind_are_found_in_either_case_newest_first(
    #[values(Backend::Sqlite, Backend::Postgres)] on: Backend,
) {
    let test = story(on).await;
    for is_filled in [false, true] {
        if is_filled {
            filled(&test).await;
        }
        for (q, kinds, expected) in FOUND {
            assert_eq!(found(&test, q, kinds).await, expected, "{q:?}, filled: {is_filled}");
        }
        let hits = search(&test, "σίσυφος", ALL, 50, 0).await.hits;
        assert_eq!(hits[0].found.text, "ΣΊΣΥΦΟΣ pushes");
        let hits = search(&test, "work", ALL, 50, 0).await.hits;
        assert_eq!(hits[0].found.text, "50%_of Кеш\nsrc/Work.rs:41\nStraße");
    }
    assert_eq!(verify(&test.location()).await.unwrap().unindexed, 0);
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
        let mut seen = BTreeSet::new();
        for offset in (0..=expected).step_by(7) {
            let Found { hits, total, .. } = search(&test, q, kinds, 7, offset).await;
            assert_eq!((hits.len() as u64, total), ((expected - offset).min(7), expected), "{q} from {offset}");
            seen.extend(hits.iter().map(|hit| (hit.debate.id.0, hit.argument.seq)));
        }
        assert_eq!(seen.len() as u64, expected, "{q}");
        assert_eq!(search(&test, q, kinds, 7, 1_000).await.total, expected);
    }
}

#[rstest]
#[tokio::test]
async fn an_upgrade_folds_titles_anew_and_adds_the_texts_of_older_arguments(
    #[values(Backend::Sqlite, Backend::Postgres)] on: Backend,
) {
    let test = story(on).await;
    let drop_indices =
        if on == Backend::Sqlite { "DROP TABLE search_index; DROP TABLE search_argument_index;" } else { "" };
    let test = test.reopen_after(&format!("{drop_indices} {BEFORE}")).await.unwrap();
    for q in ["ĐỔI ngân", "NGA\u{302}N", "sÁch"] {
        assert_eq!(test.store.debates(None, None, Some(q), 50, 0).await.unwrap().total, 1, "{q}");
    }
    filled(&test).await;
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
    filled(&test).await;
    test.close_and_change(sql).await;
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
    filled(&test).await;
    let sql = "INSERT INTO search_index (search_index, rowid, text) \
               SELECT 'delete', id, text FROM search_texts WHERE kind = 'ruling'";
    test.store.write.execute_unprepared(sql).await.unwrap();
    let error = verify(&test.location()).await.unwrap_err().to_string();
    assert!(error.contains("search_index"), "{error}");
}

/// A fault of a debate, or of one of its arguments.
fn fault(debate: u128, seq: Option<u64>) -> Fault {
    Fault { debate_id: Some(DebateId(Uuid::from_u128(debate))), document_id: None, seq }
}

#[rstest]
#[tokio::test]
async fn what_does_not_hold_is_left_out_and_told_and_the_rest_is_found(
    #[values(Backend::Sqlite, Backend::Postgres)] on: Backend,
) {
    let test = story(on).await;
    filled(&test).await;
    assert_eq!(found(&test, "motion", ALL).await.len(), 2);
    let sql = "UPDATE arguments SET content = 'Another motion' WHERE seq = 1 AND debate_id IN (SELECT id FROM debates WHERE last_seq = 4)";
    test.store.write.execute_unprepared(sql).await.unwrap();
    let Found { hits, total, is_complete, faults } = search(&test, "motion", ALL, 50, 0).await;
    assert_eq!(hits.iter().map(|hit| hit.debate.id).collect::<Vec<_>>(), [debate_id(2)]);
    assert_eq!((total, is_complete, faults), (1, true, vec![fault(1, Some(1))]));
}

#[rstest]
#[tokio::test]
async fn texts_of_a_debate_that_is_not_there_are_told_and_counted_on_no_page(
    #[values(Backend::Sqlite, Backend::Postgres)] on: Backend,
) {
    let test = story(on).await;
    filled(&test).await;
    let unguarded = match on {
        Backend::Sqlite => "PRAGMA foreign_keys = OFF",
        Backend::Postgres => "ALTER TABLE search_texts DROP CONSTRAINT search_texts_debate_id_fkey",
    };
    let of_first = "DELETE FROM arguments WHERE debate_id IN (SELECT id FROM debates WHERE last_seq = 4)";
    for sql in [unguarded, "DELETE FROM issues", of_first, "DELETE FROM debates WHERE last_seq = 4"] {
        test.store.write.execute_unprepared(sql).await.unwrap();
    }
    // A word with an index, and one that is too short for it.
    for q in ["motion", "mo"] {
        for (offset, expected) in [(0, vec![debate_id(2)]), (1, vec![])] {
            let Found { hits, total, is_complete, faults } = search(&test, q, ALL, 1, offset).await;
            assert_eq!(hits.iter().map(|hit| hit.debate.id).collect::<Vec<_>>(), expected, "{q} {offset}");
            assert_eq!((total, is_complete, faults), (1, true, vec![fault(1, None)]), "{q} {offset}");
        }
    }
}

/// SQLite takes any value in any column.
#[rstest]
#[case::debate("UPDATE debates SET last_seq = 'x' WHERE last_seq = 4", fault(1, None))]
#[case::head("UPDATE debates SET head = 5 WHERE last_seq = 4", fault(1, None))]
#[case::hash("UPDATE arguments SET hash = 5 WHERE seq = 4", fault(1, None))]
#[case::text("UPDATE search_texts SET issue = 'x' WHERE seq = 1 AND kind = 'argument' AND id < 3", fault(1, Some(1)))]
#[case::seq("UPDATE search_texts SET seq = 'x' WHERE seq = 1 AND kind = 'argument' AND id < 3", fault(1, None))]
#[case::time(
    "UPDATE search_texts SET created_at = 'x' WHERE seq = 1 AND kind = 'argument' AND id < 3",
    fault(1, Some(1))
)]
#[case::argument(
    "UPDATE arguments SET created_at = 'x' WHERE seq = 1 AND debate_id IN (SELECT id FROM debates WHERE last_seq = 4)",
    fault(1, Some(1))
)]
#[case::owner(
    "UPDATE arguments SET debate_id = 7 WHERE seq = 1 AND debate_id IN (SELECT id FROM debates WHERE last_seq = 4)",
    fault(1, Some(1))
)]
#[case::text_only(
    "UPDATE search_texts SET argument_text = 'other motion' WHERE seq = 1 AND id < 3 AND kind = 'argument'",
    fault(1, Some(1))
)]
#[tokio::test]
async fn a_row_that_cannot_be_read_costs_the_others_nothing(#[case] sql: &str, #[case] expected: Fault) {
    let test = story(Backend::Sqlite).await;
    filled(&test).await;
    test.store.write.execute_unprepared("PRAGMA foreign_keys = OFF").await.unwrap();
    test.store.write.execute_unprepared(sql).await.unwrap();
    let q = if sql.contains("other motion") { "er" } else { "motion" };
    let Found { hits, total, faults, .. } = search(&test, q, ALL, 50, 0).await;
    let found = hits.iter().map(|hit| hit.debate.id).collect::<Vec<_>>();
    assert_eq!((found, total), if q == "er" { (vec![], 0) } else { (vec![debate_id(2)], 1) });
    assert_eq!(faults, [expected]);
    // What comes after it is filled all the same.
    test.store.write_debate(DebateWrite::Create(new_debate(3))).await.unwrap();
    let deadline = Instant::now() + Duration::from_secs(30);
    while number(&test, "SELECT COUNT(*) FROM search_texts WHERE kind = 'title'").await < 3 {
        assert!(Instant::now() < deadline, "the texts of the third debate are not stored");
        sleep(Duration::from_millis(10)).await;
    }
}

/// The tables behind the indices of titles and texts, with their columns.
const COLUMNS_OF_INDICES: &str = "SELECT tables.name || '.' || columns.name FROM sqlite_schema AS tables, pragma_table_info(tables.name) AS columns \
     WHERE tables.type = 'table' AND tables.sql LIKE 'CREATE TABLE ''%' AND (tables.name LIKE 'debate_titles!_%' ESCAPE '!' \
     OR tables.name LIKE 'search_index!_%' ESCAPE '!' OR tables.name LIKE 'search_argument_index!_%' ESCAPE '!')";

#[tokio::test]
async fn an_index_with_a_value_that_cannot_be_read_fails_no_search() {
    let test = story(Backend::Sqlite).await;
    filled(&test).await;
    let select = Statement::from_string(test.store.read.get_database_backend(), COLUMNS_OF_INDICES);
    let columns = test.store.read.query_all_raw(select).await.unwrap();
    let columns: Vec<String> = columns.iter().map(|row| row.try_get_by_index(0).unwrap()).collect();
    assert!(columns.len() > 20, "{columns:?}");
    test.store.close().await;
    let mut faults = Vec::new();
    for (table, column) in columns.iter().filter_map(|column| column.split_once('.')) {
        for value in ["'x'", "X'00FF'", "NULL", "9223372036854775807", "77"] {
            let sql = format!("UPDATE OR IGNORE {table} SET {column} = {value} WHERE {column} IS NOT {value}");
            let Some(changed) = test.copied_after(&sql).await else { continue };
            let changed = match changed {
                Ok(changed) => changed,
                Err(error) => {
                    faults.push(format!("{sql}: {error}"));
                    continue;
                }
            };
            let words = SearchWords::parse("ngân sách").unwrap();
            // SQLite takes some changes of these for an index with fewer entries. `verify` finds that.
            let may_lack = table.ends_with("_data") || table.ends_with("_idx");
            match changed.store.debates(None, None, Some("ngân sách"), 50, 0).await {
                Ok(page) if page.rows.len() == 1 || may_lack => {}
                page => faults.push(format!("{sql}: {page:?}")),
            }
            match changed.store.search(&words, ALL, 50, 0).await {
                Ok(Found { total, .. }) if total == 2 || may_lack => {}
                found => faults.push(format!("{sql}: {found:?}")),
            }
        }
    }
    assert_eq!(faults, [""; 0]);
}

/// Values that PostgreSQL takes, too.
#[rstest]
#[case("UPDATE search_texts SET kind = 'x' WHERE seq = 4 AND kind = 'ruling'")]
#[case("UPDATE search_texts SET seq = -1 WHERE seq = 4 AND kind = 'ruling'")]
#[case("UPDATE search_texts SET seq = 9223372036854775807 WHERE seq = 4 AND kind = 'ruling'")]
#[case("UPDATE search_texts SET issue = -1 WHERE seq = 4 AND kind = 'ruling'")]
#[case("UPDATE search_texts SET created_at = 9223372036854775807 WHERE seq = 4 AND kind = 'ruling'")]
#[case("UPDATE search_texts SET argument_id = debate_id WHERE seq = 4 AND kind = 'ruling'")]
#[case("UPDATE debate_totals SET debates = 9223372036854775807")]
#[tokio::test]
async fn a_value_that_no_server_writes_fails_no_list_and_no_search(
    #[case] sql: &str,
    #[values(Backend::Sqlite, Backend::Postgres)] on: Backend,
) {
    let test = story(on).await;
    filled(&test).await;
    test.store.write.execute_unprepared(sql).await.unwrap();
    assert_eq!(search(&test, "motion", ALL, 50, 0).await.total, 2);
    let found = search(&test, "ngân sách", ALL, 50, 0).await;
    assert!(found.hits.len() <= 2 && found.total == found.hits.len() as u64, "{found:?}");
    assert_eq!(test.store.debates(None, None, None, 50, 0).await.unwrap().rows.len(), 2);
}

#[tokio::test]
async fn a_search_waits_for_no_writer_and_finds_what_is_not_yet_stored_for_searching() {
    let test = TestStore::open(Backend::Sqlite).await;
    test.store.write_debate(DebateWrite::Create(new_debate(1))).await.unwrap();
    // From now on nobody can write.
    let writing = begin_write(&test.store.write.current()).await.unwrap();
    let sql = "UPDATE debates SET indexed_seq = 0; DELETE FROM search_texts WHERE seq = 1";
    writing.execute_unprepared(sql).await.unwrap();
    assert_eq!(found(&test, "motion", ALL).await, ["argument 1#1"]);
    writing.commit().await.unwrap();
    assert_eq!(found(&test, "motion", ALL).await, ["argument 1#1"]);
    test.store.search_filler.wake();
    filled(&test).await;
    assert_eq!(found(&test, "motion", ALL).await, ["argument 1#1"]);
}

#[rstest]
#[tokio::test]
async fn a_debate_that_takes_many_transactions_is_stored_for_searching_without_a_gap(
    #[values(Backend::Sqlite, Backend::Postgres)] on: Backend,
) {
    let test = TestStore::open(on).await;
    let mut last = test.store.write_debate(DebateWrite::Create(new_debate(1))).await.unwrap().argument.id;
    for turn in 0..40 {
        let by = if turn % 2 == 0 { Side::Opponent } else { Side::Proposer };
        let long = content(&format!("number{turn} {}", "words ".repeat(1_600)));
        let submission = Submission { content: long, ..claim(1, by, last, &format!("claim-{turn}")) };
        last = test.store.write_debate(DebateWrite::Submit(submission)).await.unwrap().argument.id;
    }
    filled(&test).await;
    let again = "DELETE FROM search_texts; UPDATE debates SET indexed_seq = 0";
    let test = test.reopen_after(again).await.unwrap();
    // Nobody wakes the filler but the start.
    filled(&test).await;
    assert_eq!(number(&test, "SELECT COUNT(*) FROM search_texts WHERE argument_text IS NOT NULL").await, 41);
    verify(&test.location()).await.unwrap();
}

/// As many in one batch and in one transaction that stores their texts as no statement has parameters for.
#[rstest]
#[tokio::test]
async fn many_short_texts_are_written_and_stored_for_searching(
    #[values(Backend::Sqlite, Backend::Postgres)] on: Backend,
) {
    const DEBATES: u128 = 180;
    let test = TestStore::open(on).await;
    let created = (1..=DEBATES).map(|id| test.store.write_debate(DebateWrite::Create(new_debate(id))));
    let created: Vec<_> = join_all(created).await.into_iter().map(Result::unwrap).collect();
    let claims = created.iter().zip(1..).map(|(motion, id)| {
        let raises = Some((0..MAX_CHANGES).map(|_| RequestedChange::raise(Severity::Low, "x")).collect());
        let claim = claim(id, Side::Opponent, motion.argument.id, &format!("claim-{id}"));
        test.store.write_debate(DebateWrite::Submit(Submission { issue_changes: raises, ..claim }))
    });
    for claim in join_all(claims).await {
        claim.unwrap();
    }
    filled(&test).await;
    let test = test.reopen_after("DELETE FROM search_texts; UPDATE debates SET indexed_seq = 0").await.unwrap();
    filled(&test).await;
    let expected = DEBATES * (3 + MAX_CHANGES as u128);
    assert_eq!(number(&test, "SELECT COUNT(*) FROM search_texts").await as u128, expected);
}

#[tokio::test]
async fn what_was_added_to_the_indices_of_postgresql_is_merged() {
    let test = TestStore::open(Backend::Postgres).await;
    test.store.write_debate(DebateWrite::Create(new_debate(1))).await.unwrap();
    filled(&test).await;
    let add = "INSERT INTO search_texts (debate_id, seq, issue, kind, argument_id, created_at, text) \
               SELECT debate_id, 2, 0, 'ruling', argument_id, created_at, 'newer' FROM search_texts WHERE kind = 'argument'";
    test.store.write.execute_unprepared(add).await.unwrap();
    backend::merge_some_of_text_indices(&test.store.write.current()).await.unwrap();
    let pages = number(&test, "SELECT gin_clean_pending_list('search_texts_text_idx')").await;
    assert_eq!(pages, 0, "nothing is left to be merged");
}

#[tokio::test]
async fn verification_tells_how_many_arguments_are_not_yet_stored_for_searching() {
    let test = TestStore::open(Backend::Sqlite).await;
    test.store.write_debate(DebateWrite::Create(new_debate(1))).await.unwrap();
    filled(&test).await;
    let sql = "UPDATE debates SET indexed_seq = 0; DELETE FROM search_texts";
    test.store.write.execute_unprepared(sql).await.unwrap();
    let verified = verify(&test.location()).await.unwrap();
    assert_eq!(verified.unindexed, 1);
    assert_eq!(verified.note().unwrap(), "the texts of 1 argument are not yet stored for searching");
}

#[rstest]
#[tokio::test]
async fn short_words_alone_are_looked_for_in_the_newest_10_000_texts(
    #[values(Backend::Sqlite, Backend::Postgres)] on: Backend,
) {
    let test = TestStore::open(on).await;
    test.store.write_debate(DebateWrite::Create(new_debate(1))).await.unwrap();
    filled(&test).await;
    assert_eq!(found(&test, "mo", ALL).await, ["argument 1#1"]);
    let newer = |seqs: &str| {
        format!(
            "INSERT INTO search_texts (debate_id, seq, issue, kind, argument_id, created_at, text) \
             SELECT debate_id, n, 0, 'ruling', argument_id, created_at + 1, 'newer' FROM search_texts, \
             (WITH RECURSIVE numbers(n) AS (SELECT {seqs} UNION ALL SELECT n + 1 FROM numbers WHERE n < 9999) \
             SELECT n FROM numbers) AS numbers WHERE kind = 'argument'"
        )
    };
    test.store.write.execute_unprepared(&newer("2")).await.unwrap();
    // The argument is the last of 10,000.
    let found = search(&test, "mo", ALL, 50, 0).await;
    assert_eq!((found.total, found.is_complete), (1, true));
    let last = "INSERT INTO search_texts (debate_id, seq, issue, kind, argument_id, created_at, text) \
                SELECT debate_id, 10001, 0, 'ruling', argument_id, created_at + 1, 'newer' FROM search_texts WHERE kind = 'argument'";
    test.store.write.execute_unprepared(last).await.unwrap();
    let found = search(&test, "mo", ALL, 50, 0).await;
    assert_eq!((found.total, found.is_complete), (0, false));
    let found = search(&test, "mo", &[SearchKind::Ruling, SearchKind::Argument], 50, 0).await;
    assert_eq!((found.total, found.is_complete), (1, true));
    // They narrow what others find, however old it is, and other kinds do not count.
    let found = search(&test, "mo tion", ALL, 50, 0).await;
    assert_eq!((found.total, found.is_complete), (1, true));
    let found = search(&test, "mo", &[SearchKind::Argument], 50, 0).await;
    assert_eq!((found.total, found.is_complete), (1, true));
}

#[tokio::test]
async fn the_newest_texts_are_not_sorted_while_postgresql_does_not_know_how_many_there_are() {
    let test = TestStore::open(Backend::Postgres).await;
    test.store.write_debate(DebateWrite::Create(new_debate(1))).await.unwrap();
    filled(&test).await;
    let add = "INSERT INTO search_texts (debate_id, seq, issue, kind, argument_id, created_at, text) \
               SELECT debate_id, seq + n, 0, 'ruling', argument_id, created_at + n, repeat('newer ', 100) \
               FROM search_texts, generate_series(1, 20000) AS n WHERE kind = 'argument'";
    test.store.write.execute_unprepared(add).await.unwrap();
    let words = SearchWords::parse("mo").unwrap();
    let kinds = [ALL, &[SearchKind::Ruling]];
    let newest = kinds.map(|kinds| search_statements::newest(&test.store.read, &words, kinds, 10_000));
    let more = kinds.map(|kinds| search_statements::more_than(&test.store.read, kinds, 10_000));
    let mut connection = test.store.search.acquire(later()).await.unwrap().unwrap();
    for statement in newest.into_iter().chain(more) {
        let explain = Statement { sql: format!("EXPLAIN {}", statement.sql), ..statement };
        let mut plan = String::new();
        connection.each_row(explain, |row| plan += &row.try_get_by_index::<String>(0).unwrap()).await.unwrap();
        assert!(plan.contains("search_texts_newest_idx") && !plan.contains("Sort"), "{plan}");
    }
}

fn later() -> Instant {
    Instant::now() + Duration::from_secs(20)
}

/// The maximum time until something ends that has a second or two, on a busy machine.
const ENDED: Duration = Duration::from_secs(10);

/// All connections for searches.
async fn all_connections(test: &TestStore) -> Vec<SearchConnection> {
    let mut taken = Vec::new();
    while let Ok(connection) = timeout(Duration::from_secs(1), test.store.search.acquire(later())).await {
        taken.push(connection.unwrap().unwrap());
    }
    taken
}

/// A statement that gives a few rows and then goes on for very long.
fn endless(test: &TestStore) -> Statement {
    let sql = "WITH RECURSIVE numbers(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < 1000000000) \
               SELECT n FROM numbers WHERE n < 4";
    Statement::from_string(test.store.read.get_database_backend(), sql)
}

#[rstest]
#[tokio::test]
async fn what_a_search_asks_ends_at_its_deadline_with_what_was_found(
    #[values(Backend::Sqlite, Backend::Postgres)] on: Backend,
) {
    let test = TestStore::open(on).await;
    let mut connection = test.store.search.acquire(Instant::now() + Duration::from_secs(1)).await.unwrap().unwrap();
    let (mut rows, started) = (0, Instant::now());
    let ended = connection.each_row(endless(&test), |_| rows += 1).await.unwrap();
    assert_eq!((ended, rows), (Rows::UntilDeadline, 3));
    assert!(started.elapsed() < ENDED, "{:?}", started.elapsed());
    let ended = connection.each_row(endless(&test), |_| {}).await.unwrap();
    assert_eq!(ended, Rows::UntilDeadline);
}

#[rstest]
#[tokio::test]
async fn what_a_search_asks_ends_when_its_client_is_gone(#[values(Backend::Sqlite, Backend::Postgres)] on: Backend) {
    let test = TestStore::open(on).await;
    // All connections are in use, until the searches are dropped.
    let taken = all_connections(&test).await;
    let asking = taken.into_iter().map(|mut connection| {
        let statement = endless(&test);
        async move { connection.each_row(statement, |_| {}).await }
    });
    let asked = timeout(Duration::from_millis(200), join_all(asking)).await;
    assert!(asked.is_err(), "they go on");
    let started = Instant::now();
    let mut connection = test.store.search.acquire(later()).await.unwrap().unwrap();
    let one = Statement::from_string(test.store.read.get_database_backend(), "SELECT 1");
    assert_eq!(connection.each_row(one, |_| {}).await.unwrap(), Rows::All);
    assert!(started.elapsed() < ENDED, "{:?}", started.elapsed());
    if on == Backend::Postgres {
        let running = "SELECT COUNT(*) FROM pg_stat_activity WHERE query LIKE '%RECURSIVE numbers%' AND state = 'active' \
                       AND datname = current_database() AND pid <> pg_backend_pid()";
        while number(&test, running).await > 0 {
            assert!(started.elapsed() < ENDED, "PostgreSQL goes on");
            sleep(Duration::from_millis(10)).await;
        }
    }
}

#[rstest]
#[tokio::test]
async fn a_search_that_gets_no_connection_in_time_says_that_it_looked_at_nothing(
    #[values(Backend::Sqlite, Backend::Postgres)] on: Backend,
) {
    let test = story(on).await;
    let _taken = all_connections(&test).await;
    let started = Instant::now();
    let found = search(&test, "motion", ALL, 50, 0).await;
    assert_eq!((found.hits.len(), found.total, found.is_complete), (0, 0, false));
    assert!(started.elapsed() < ENDED, "{:?}", started.elapsed());
}

/// Texts in several languages that have parts in common.
fn some_text() -> impl Strategy<Value = String> {
    let part = prop::sample::select(vec![
        "ngân sách",
        "NGÂN",
        "nga\u{302}n",
        "đồng",
        "Đ",
        "Straße",
        "STRASSE",
        "ß",
        "ΣΊΣΥΦΟΣ",
        "σίσυφος",
        "кеш",
        "КЕШ",
        "日本語",
        "本",
        "한글",
        "\u{1112}\u{1161}\u{11AB}",
        "e\u{301}",
        "É",
        "\u{301}",
        "50%",
        "_",
        "\\",
        "'",
        "’",
        "\"",
        "“",
        "”",
        "a",
        "aa",
        "aaaa",
        "ab",
        " ",
        " ",
        "\n",
        "\u{A0}",
        "-",
        "🦀",
        "I",
        "i",
        "ı",
    ]);
    prop::collection::vec(part, 1..7).prop_map(|parts| parts.concat())
}

#[test]
fn both_databases_find_what_the_words_are_in() {
    let runtime = tokio::runtime::Runtime::new().unwrap();
    let mut runner =
        TestRunner::new(ProptestConfig { failure_persistence: None, cases: 1, ..ProptestConfig::default() });
    let texts = prop::collection::vec(some_text(), 40);
    let queries = prop::collection::vec(some_text(), 400);
    runner
        .run(&(texts, queries), |(texts, queries)| {
            runtime.block_on(both_find(&texts, &queries));
            Ok(())
        })
        .unwrap();
}

async fn both_find(texts: &[String], queries: &[String]) {
    let stores = [TestStore::open(Backend::Sqlite).await, TestStore::open(Backend::Postgres).await];
    for test in &stores {
        for (at, text) in texts.iter().enumerate() {
            let new = NewDebate { motion: content(text), ..new_debate(at as u128) };
            test.store.write_debate(DebateWrite::Create(new)).await.unwrap();
        }
        filled(test).await;
    }
    for q in queries {
        let q: String = q.nfc().take(60).collect();
        let Ok(words) = SearchWords::parse(&q) else { continue };
        let has_all = |text: &String| words.iter().all(|word| searchable(text).contains(word));
        let expected: BTreeSet<u128> =
            (0..texts.len()).filter(|at| words.finds_anything() && has_all(&texts[*at])).map(|at| at as u128).collect();
        for test in &stores {
            let found = test.store.search(&words, &[SearchKind::Argument], 50, 0).await.unwrap();
            let ids: BTreeSet<u128> = found.hits.iter().map(|hit| hit.debate.id.0.as_u128()).collect();
            assert_eq!((ids, found.is_complete), (expected.clone(), true), "{q:?} among {texts:?}");
        }
    }
}

#[tokio::test]
async fn a_copy_in_another_database_is_searched_like_the_original() {
    let test = story(Backend::Sqlite).await;
    filled(&test).await;
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

#[tokio::test]
async fn of_many_rows_that_cannot_be_read_100_are_told() {
    // Only SQLite takes values of other types.
    let test = TestStore::open(Backend::Sqlite).await;
    for number in 1..=101 {
        test.store.write_debate(DebateWrite::Create(new_debate(number))).await.unwrap();
    }
    test.store.write.execute_unprepared("UPDATE debates SET title = x'ff'").await.unwrap();
    let Found { hits, total, faults, .. } = search(&test, "motion", ALL, 200, 0).await;
    assert_eq!((hits.len(), total, faults.len()), (0, 0, 100));
}
