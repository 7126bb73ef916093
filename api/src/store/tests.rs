//! Tests of the store on real databases: most run on SQLite and on PostgreSQL.

use std::{
    pin::pin,
    sync::{
        Arc, Mutex,
        atomic::{AtomicBool, Ordering},
    },
};

use ::tests::store::{self as database, Backend};
use futures_util::{FutureExt, future::join_all, poll};
use rstest::rstest;
use sea_orm::{ConnectOptions, ConnectionTrait, Database};
use tempfile::TempDir;
use uuid::Uuid;

use super::{batch_queue::QueuedWrite, guarded_statement::GuardedStatement, *};
use crate::domain::{
    ArgumentId, ArgumentKind, ChosenOption, Content, DebateId, DebateType, Limits, NewDebate, RequestId, Role, Side,
    StateName, Submission, SubmitError, Title, folded, replay,
};

pub(in crate::store) struct TestStore {
    pub store: Store,
    commits: Arc<Mutex<Vec<Arc<Commit>>>>,
    database: database::Store,
    folder: TempDir,
}

impl TestStore {
    pub async fn open(on: Backend) -> Self {
        Self::open_with(on, ClockAndIds::system()).await
    }

    pub async fn open_with(on: Backend, clock_and_ids: ClockAndIds) -> Self {
        Self::open_with_message_writer(on, clock_and_ids, MessageWriter::without_receivers()).await
    }

    pub async fn open_with_message_writer(
        on: Backend,
        clock_and_ids: ClockAndIds,
        message_writer: MessageWriter,
    ) -> Self {
        let folder = TempDir::new().unwrap();
        let database = database::Store::fresh_on(on, folder.path());
        Self::open_at(database, folder, clock_and_ids, message_writer).await.unwrap()
    }

    async fn open_at(
        database: database::Store,
        folder: TempDir,
        clock_and_ids: ClockAndIds,
        message_writer: MessageWriter,
    ) -> Result<Self, OpenError> {
        let commits = Arc::new(Mutex::new(Vec::new()));
        let committed = commits.clone();
        let location: Location = database.url().parse().unwrap();
        let on_commit = move |commits: &[Arc<Commit>]| committed.lock().unwrap().extend_from_slice(commits);
        let store = Store::open(&location, None, clock_and_ids, message_writer, on_commit).await?;
        Ok(Self { store, commits, database, folder })
    }

    pub fn location(&self) -> Location {
        self.database.url().parse().unwrap()
    }

    /// What was published so far.
    pub fn commits(&self) -> Vec<Arc<Commit>> {
        self.commits.lock().unwrap().clone()
    }

    /// A second writer with the same caches.
    pub fn writer(&self) -> Writer {
        Writer {
            pool: Arc::new(BoundedPool::local(self.store.read.current())),
            clock_and_ids: ClockAndIds::system(),
            caches: self.store.caches.clone(),
            message_writer: self.store.message_writer.clone(),
            attempts: self.store.writing.clone(),
        }
    }

    /// Closes the store, which would mend some of it, and changes the database with plain SQL.
    pub async fn close_and_change(&self, sql: &str) {
        self.store.close().await;
        let connection = Database::connect(self.database.url()).await.unwrap();
        connection.execute_unprepared(sql).await.unwrap();
        connection.close().await.unwrap();
    }

    /// A store on a copy of this SQLite database, which is closed, after it was changed with plain SQL; none if SQLite refuses that.
    pub async fn copied_after(&self, sql: &str) -> Option<Result<Self, OpenError>> {
        let folder = TempDir::new().unwrap();
        let path = folder.path().join("debate.db");
        std::fs::copy(self.database.path(), &path).unwrap();
        let database = database::Store::at(path);
        let connection = Database::connect(database.url()).await.unwrap();
        let changed = connection.execute_unprepared(sql).await;
        connection.close().await.unwrap();
        changed.ok().filter(|changed| changed.rows_affected() > 0)?;
        Some(Self::open_at(database, folder, ClockAndIds::system(), MessageWriter::without_receivers()).await)
    }

    /// Closes the store, changes the database with plain SQL, and opens the store again.
    pub async fn reopen_after(self, sql: &str) -> Result<Self, OpenError> {
        self.close_and_change(sql).await;
        let Self { folder, store, database, .. } = self;
        drop(store);
        Self::open_at(database, folder, ClockAndIds::system(), MessageWriter::without_receivers()).await
    }
}

/// Stores these writes in one batch.
pub(in crate::store) async fn store_batch(
    writer: &Writer,
    debates: Vec<DebateWrite>,
    documents: Vec<DocumentWrite>,
    deletions: Vec<DocumentId>,
) -> (
    Vec<Result<DebateWritten, WriteError>>,
    Vec<Result<DocumentWritten, WriteError>>,
    Vec<Result<DocumentDeleted, WriteError>>,
) {
    let (queue, mut batches) = batch_queue::open(batch_limits::MAX_BATCH_WRITES, CancellationToken::new());
    let mut outcomes = pin!(async {
        tokio::join!(
            join_all(debates.into_iter().map(|write| queue.write(write))),
            join_all(documents.into_iter().map(|write| queue.write(write))),
            join_all(deletions.into_iter().map(|id| queue.write(id))),
        )
    });
    assert!(poll!(outcomes.as_mut()).is_pending());
    let mut batch = batches.next().await.unwrap();
    let connection = writer.pool.current();
    batch_transaction::store(&connection, writer.clock_and_ids, &writer.caches, &writer.message_writer, &mut batch)
        .await
        .unwrap();
    batch.into_iter().for_each(QueuedWrite::answer);
    outcomes.await
}

pub(in crate::store) fn content(text: &str) -> Content {
    Content::parse(text.into(), Limits::default().content()).unwrap()
}

pub(in crate::store) const fn debate_id(number: u128) -> DebateId {
    DebateId(Uuid::from_u128(number))
}

pub(in crate::store) fn request(text: &str) -> RequestId {
    text.parse().unwrap()
}

pub(in crate::store) fn new_debate(number: u128) -> NewDebate {
    let title = Title::parse(format!("Debate {number}")).unwrap();
    NewDebate::new(debate_id(number), title, DebateType::GeneralDebate, content("motion"), request("open"))
}

pub(in crate::store) fn claim(debate: u128, by: Side, target: ArgumentId, request_id: &str) -> Submission {
    let kind = ArgumentKind::Claim { by, parent_id: target };
    let request_id = Some(request(request_id));
    Submission { request_id, ..Submission::new(debate_id(debate), kind, content("claim")) }
}

#[rstest]
#[tokio::test]
async fn writes_that_share_a_transaction_are_decided_one_after_another(
    #[values(Backend::Sqlite, Backend::Postgres)] on: Backend,
) {
    let test = TestStore::open(on).await;
    let motion = test.store.write_debate(DebateWrite::Create(new_debate(1))).await.unwrap().argument.id;
    // A turn, its repetition, a second turn, an unknown debate, the answer, and two equal creations.
    let writes = vec![
        DebateWrite::Submit(claim(1, Side::Opponent, motion, "a")),
        DebateWrite::Submit(claim(1, Side::Opponent, motion, "a")),
        DebateWrite::Submit(claim(1, Side::Opponent, motion, "b")),
        DebateWrite::Submit(claim(9, Side::Opponent, motion, "c")),
        DebateWrite::Submit(claim(1, Side::Proposer, motion, "d")),
        DebateWrite::Create(new_debate(2)),
        DebateWrite::Create(new_debate(2)),
    ];
    let (outcomes, _, _) = store_batch(&test.writer(), writes, vec![], vec![]).await;
    let [first, repeated, late, unknown, answer, opened, reopened] = outcomes.try_into().unwrap();
    let (first, repeated, answer): (DebateWritten, DebateWritten, DebateWritten) =
        (first.unwrap(), repeated.unwrap(), answer.unwrap());
    assert_eq!((first.argument.seq, first.replayed), (2, false));
    assert_eq!((repeated.argument.id, repeated.replayed), (first.argument.id, true));
    assert!(matches!(late, Err(WriteError::Refused(SubmitError::NotAllowed(_)))), "{late:?}");
    assert!(matches!(unknown, Err(WriteError::DebateNotFound(_))), "{unknown:?}");
    assert_eq!(answer.argument.seq, 3);
    assert!(!opened.unwrap().replayed);
    assert!(reopened.unwrap().replayed);

    let debate = test.store.debate(debate_id(1)).await.unwrap().unwrap();
    assert_eq!(debate, answer.debate);
    let range = Range { after: 0, up_to: debate.last_seq, newest: None };
    let history = test.store.arguments(&debate, range).await.unwrap();
    assert_eq!(history.len(), 3);
    assert_eq!(replay(&debate, history.iter().map(|argument| &**argument)), Ok(Some(debate)));
}

#[rstest]
#[tokio::test]
async fn the_database_decides_if_the_cache_is_outdated(#[values(Backend::Sqlite, Backend::Postgres)] on: Backend) {
    let test = TestStore::open(on).await;
    let motion = test.store.write_debate(DebateWrite::Create(new_debate(1))).await.unwrap().argument.id;
    let peer = Writer { caches: Arc::new(Caches::new(false)), ..test.writer() };
    let peer_writes = async |write: DebateWrite| {
        let (outcomes, _, _) = store_batch(&peer, vec![write], vec![], vec![]).await;
        outcomes.into_iter().next().unwrap().unwrap().argument.id
    };
    let answer = peer_writes(DebateWrite::Submit(claim(1, Side::Opponent, motion, "a"))).await;

    // Allowed by the cached debate, but not by the stored one.
    let late = test.store.write_debate(DebateWrite::Submit(claim(1, Side::Opponent, motion, "b"))).await;
    assert!(matches!(late, Err(WriteError::Refused(SubmitError::NotAllowed(_)))), "{late:?}");
    // The peer has stored the same request.
    let repeated = test.store.write_debate(DebateWrite::Submit(claim(1, Side::Opponent, motion, "a"))).await.unwrap();
    assert_eq!((repeated.argument.id, repeated.replayed), (answer, true));
    let next = test.store.write_debate(DebateWrite::Submit(claim(1, Side::Proposer, answer, "c"))).await.unwrap();
    assert_eq!(next.argument.seq, 3);

    // The other way round: the peer's cache is outdated.
    let next = peer_writes(DebateWrite::Submit(claim(1, Side::Opponent, next.argument.id, "d"))).await;
    let found = test.store.seq_of(debate_id(1), next).await.unwrap();
    assert_eq!(found.map(|(seq, _)| seq), Some(4));
    let taken = test.store.write_debate(DebateWrite::Create(new_debate(1))).await.unwrap();
    assert!(taken.replayed);
}

#[rstest]
#[tokio::test]
async fn a_panic_in_the_writer_is_reported(#[values(Backend::Sqlite, Backend::Postgres)] on: Backend) {
    let folder = TempDir::new().unwrap();
    let database = database::Store::fresh_on(on, folder.path());
    let location: Location = database.url().parse().unwrap();
    let store =
        Store::open(&location, None, ClockAndIds::system(), MessageWriter::without_receivers(), |_| panic!("a bug"))
            .await
            .unwrap();
    store.ping().await.unwrap();
    assert!(store.failed().now_or_never().is_none(), "nothing has failed yet");
    let lost = store.write_debate(DebateWrite::Create(new_debate(1))).await;
    assert!(matches!(lost, Err(WriteError::Store(StoreError::Unavailable(_)))), "{lost:?}");
    store.failed().await;
    assert!(matches!(store.ping().await, Err(StoreError::Unavailable(_))), "ping succeeded");
}

#[rstest]
#[tokio::test]
async fn a_closed_store_has_not_failed(#[values(Backend::Sqlite, Backend::Postgres)] on: Backend) {
    let test = TestStore::open(on).await;
    test.store.close().await;
    assert!(test.store.failed().now_or_never().is_none());
}

/// The number of arguments that are written while the debate is read.
const TURNS: usize = 400;

#[rstest]
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_debate_is_never_older_than_in_a_list_read_before(#[values(Backend::Sqlite, Backend::Postgres)] on: Backend) {
    let test = TestStore::open(on).await;
    let mut last = test.store.write_debate(DebateWrite::Create(new_debate(1))).await.unwrap().argument.id;
    let done = AtomicBool::default();
    let writing = async {
        for (turn, by) in [Side::Opponent, Side::Proposer].into_iter().cycle().take(TURNS).enumerate() {
            let written = test
                .store
                .write_debate(DebateWrite::Submit(claim(1, by, last, &format!("claim-{turn}"))))
                .await
                .unwrap();
            last = written.argument.id;
        }
        done.store(true, Ordering::Relaxed);
    };
    let reading = async {
        while !done.load(Ordering::Relaxed) {
            let Page { rows: listed, .. } = test.store.debates(None, None, None, 1, 0).await.unwrap();
            let debate = test.store.debate(debate_id(1)).await.unwrap().unwrap();
            assert!(debate.last_seq >= listed[0].last_seq, "{} after {}", debate.last_seq, listed[0].last_seq);
        }
    };
    tokio::join!(writing, reading);
}

#[rstest]
#[tokio::test]
async fn the_totals_of_a_list_follow_every_write(#[values(Backend::Sqlite, Backend::Postgres)] on: Backend) {
    let test = TestStore::open(on).await;
    let total = async |test: &TestStore, state| test.store.debates(state, None, None, 1, 0).await.unwrap().total;
    let mut motions = Vec::new();
    for number in 1..=5 {
        motions.push(test.store.write_debate(DebateWrite::Create(new_debate(number))).await.unwrap().argument.id);
    }
    for (number, motion) in (1..=3).zip(motions) {
        test.store.write_debate(DebateWrite::Submit(claim(number, Side::Opponent, motion, "a"))).await.unwrap();
    }
    let expected = [(None, 5), (Some(StateName::AwaitingOpponent), 2), (Some(StateName::AwaitingProposer), 3)];
    for (state, count) in expected {
        assert_eq!(total(&test, state).await, count, "{state:?}");
    }
    // The migration counts the debates of an earlier version.
    let without_totals = "DROP TABLE debate_totals; DELETE FROM seaql_migrations WHERE version LIKE 'm0005%'";
    let test = test.reopen_after(without_totals).await.unwrap();
    test.store.write_debate(DebateWrite::Create(new_debate(6))).await.unwrap();
    assert_eq!(total(&test, None).await, 6);
    assert_eq!(total(&test, Some(StateName::AwaitingOpponent)).await, 3);
    assert_eq!(total(&test, Some(StateName::Closed)).await, 0);
    verify(&test.location()).await.unwrap();
}

#[rstest]
#[tokio::test]
async fn the_type_filters_a_list_together_with_state_and_search(
    #[values(Backend::Sqlite, Backend::Postgres)] on: Backend,
) {
    let test = TestStore::open(on).await;
    let mut motions = Vec::new();
    for number in 1..=6 {
        let debate_type = if number % 3 == 0 { DebateType::GeneralDebate } else { DebateType::CodingPlanDebate };
        let debate = NewDebate { debate_type, ..new_debate(number) };
        motions.push(test.store.write_debate(DebateWrite::Create(debate)).await.unwrap().argument.id);
    }
    for (number, motion) in (1..=4).zip(motions) {
        test.store.write_debate(DebateWrite::Submit(claim(number, Side::Opponent, motion, "a"))).await.unwrap();
    }
    let (plan, general) = (Some(DebateType::CodingPlanDebate), Some(DebateType::GeneralDebate));
    let answered = Some(StateName::AwaitingProposer);
    for q in [None, Some("debate")] {
        for (state, debate_type, expected) in [
            (None, plan, vec![4, 2, 1, 5]),
            (None, general, vec![3, 6]),
            (answered, plan, vec![4, 2, 1]),
            (answered, general, vec![3]),
            (Some(StateName::Closed), plan, vec![]),
        ] {
            let mut listed = Vec::new();
            for offset in 0..=4 {
                let Page { rows: page, total, .. } =
                    test.store.debates(state, debate_type, q, 1, offset).await.unwrap();
                assert_eq!(total, expected.len() as u64, "{state:?} {debate_type:?} {q:?} {offset}");
                listed.extend(page.iter().map(|debate| debate.id.0.as_u128()));
            }
            assert_eq!(listed, expected, "{state:?} {debate_type:?} {q:?}");
        }
    }
}

#[rstest]
#[tokio::test]
async fn pages_have_no_gap_and_no_duplicate(#[values(Backend::Sqlite, Backend::Postgres)] on: Backend) {
    let test = TestStore::open(on).await;
    let mut motions = Vec::new();
    for number in 1..=9 {
        motions.push(test.store.write_debate(DebateWrite::Create(new_debate(number))).await.unwrap().argument.id);
    }
    for (number, motion) in (1..=9).zip(motions).filter(|(number, _)| number % 3 == 0) {
        test.store.write_debate(DebateWrite::Submit(claim(number, Side::Opponent, motion, "a"))).await.unwrap();
    }
    let listed = async |state, q| {
        let mut listed = Vec::new();
        for offset in 0..10 {
            let Page { rows: page, total, .. } = test.store.debates(state, None, q, 2, offset).await.unwrap();
            let expected = total.saturating_sub(offset).min(2);
            assert_eq!(page.len() as u64, expected, "{offset} of {total}");
            listed.extend(page.first().map(|debate| debate.id.0.as_u128()));
        }
        listed
    };
    for q in [None, Some("e"), Some("debate"), Some("DEBATE ")] {
        assert_eq!(listed(None, q).await, [9, 6, 3, 8, 7, 5, 4, 2, 1], "{q:?}");
        assert_eq!(listed(Some(StateName::AwaitingProposer), q).await, [9, 6, 3], "{q:?}");
    }
}

/// Drops the title index, on SQLite and on PostgreSQL.
const DROP_TITLE_INDEX: [&str; 2] =
    ["DROP TRIGGER debate_titles_insert; DROP TABLE debate_titles", "DROP INDEX debates_title_folded_idx"];

#[rstest]
#[tokio::test]
async fn the_title_index_finds_what_a_scan_finds(#[values(Backend::Sqlite, Backend::Postgres)] on: Backend) {
    const TITLES: [&str; 8] = [
        "say \"no\" to caches",
        "a-b-c",
        "*wild* AND NEAR(x)",
        "it's 'quoted'",
        "ĐỒNG ý",
        "đồng Ý",
        "日本語の題",
        "plain",
    ];
    const LATE: &str = "say no more";
    let test = TestStore::open(on).await;
    let create = async |test: &TestStore, number, title: &str| {
        let title = Title::parse(title.into()).unwrap();
        test.store.write_debate(DebateWrite::Create(NewDebate { title, ..new_debate(number) })).await.unwrap();
    };
    for (number, title) in (0..).zip(TITLES) {
        create(&test, number, title).await;
    }
    // The index includes the titles that existed before it.
    let test = test.reopen_after(DROP_TITLE_INDEX[usize::from(on == Backend::Postgres)]).await.unwrap();
    create(&test, 99, LATE).await;
    let texts = TITLES.iter().flat_map(|title| {
        let characters: Vec<_> = title.chars().collect();
        (1..=6)
            .flat_map(|length| characters.windows(length).map(String::from_iter).collect::<Vec<_>>())
            .collect::<Vec<_>>()
    });
    for q in texts.chain(["\"", "\"\"\"", "'' OR ", "SAY NO", "no such"].map(String::from)) {
        let Page { rows: page, total, .. } = test.store.debates(None, None, Some(&q), 50, 0).await.unwrap();
        let mut found: Vec<_> = page.iter().map(|debate| debate.title.as_str()).collect();
        let held = |title: &&str| folded(title).contains(&folded(&q));
        let mut expected: Vec<_> = TITLES.into_iter().chain([LATE]).filter(held).collect();
        found.sort_unstable();
        expected.sort_unstable();
        // A text of hexadecimal digits may also match ids.
        if !q.chars().all(|character| "0123456789abcdef".contains(character)) {
            assert_eq!((found, total), (expected.clone(), expected.len() as u64), "{q:?}");
        }
    }
}

#[tokio::test]
async fn searches_of_three_characters_and_more_use_the_index() {
    let test = TestStore::open(Backend::Sqlite).await;
    test.store.write_debate(DebateWrite::Create(new_debate(1))).await.unwrap();
    // Without its index entry, a title is found only by a scan.
    let test = test.reopen_after("DELETE FROM debate_titles").await.unwrap();
    for (q, found) in [("de", 1), ("deb", 0)] {
        assert_eq!(test.store.debates(None, None, Some(q), 50, 0).await.unwrap().total, found, "{q}");
    }
}

/// Four debates, one of them with every type of argument.
async fn sample_store(on: Backend) -> TestStore {
    let test = TestStore::open(on).await;
    let mut last = test.store.write_debate(DebateWrite::Create(new_debate(1))).await.unwrap().argument.id;
    for (turn, by) in [Side::Opponent, Side::Proposer, Side::Opponent].into_iter().enumerate() {
        let written =
            test.store.write_debate(DebateWrite::Submit(claim(1, by, last, &format!("claim-{turn}")))).await.unwrap();
        last = written.argument.id;
    }
    let options = vec![crate::domain::AppealOption {
        label: "A".into(),
        detail: Some("first".into()),
        free_form: true,
        issue_changes: Vec::new(),
    }];
    for (number, kind) in [
        ArgumentKind::Appeal { parent_id: last, options },
        ArgumentKind::Ruling { close: false, chosen_option: Some(0) },
        ArgumentKind::Intervention,
        ArgumentKind::Claim { by: Side::Proposer, parent_id: last },
        ArgumentKind::Ruling { close: true, chosen_option: None },
    ]
    .into_iter()
    .enumerate()
    {
        let request_id = Some(request(&format!("request-{number}")));
        let submission = Submission { request_id, ..Submission::new(debate_id(1), kind, content("said")) };
        test.store.write_debate(DebateWrite::Submit(submission)).await.unwrap();
    }
    for number in 2..=4 {
        test.store.write_debate(DebateWrite::Create(new_debate(number))).await.unwrap();
    }
    test
}

#[rstest]
#[tokio::test]
async fn a_database_of_this_program_is_verified(#[values(Backend::Sqlite, Backend::Postgres)] on: Backend) {
    let test = sample_store(on).await;
    let location = test.location();
    // Both while the store is open and after it was closed.
    let verified = verify(&location).await.unwrap();
    assert_eq!((verified.debates, verified.arguments), (4, 12));
    test.store.close().await;
    let mut told = Vec::new();
    let closed = verify_with_progress(&location, |so_far| told.push(so_far.progress())).await.unwrap();
    assert_eq!(told, ["checked so far: 4 debates with 12 arguments, 0 documents"]);
    // Some texts may have been stored for searching meanwhile.
    assert_eq!(Verified { unindexed: 0, ..closed }, Verified { unindexed: 0, ..verified });
}

#[tokio::test]
async fn verify_names_the_column_of_every_manipulation() {
    let of_one = format!("debate_id = X'{}'", Uuid::from_u128(1).simple());
    let nth = |seq: u64| format!("{of_one} AND seq = {seq}");
    let drop_constraints =
        "DROP INDEX arguments_debate_id_seq_key; DROP INDEX arguments_debate_id_client_request_id_key;";
    let changes = [
        (format!("UPDATE arguments SET content = 'claim' || char(33) WHERE {}", nth(2)), "hash"),
        (format!("UPDATE arguments SET created_at = created_at + 1 WHERE {}", nth(3)), "hash"),
        (format!("UPDATE arguments SET client_request_id = 'other' WHERE {}", nth(3)), "hash"),
        (format!("UPDATE arguments SET client_request_id = NULL WHERE {}", nth(9)), "hash"),
        (format!("UPDATE arguments SET options = replace(options, 'first', 'fIrst') WHERE {}", nth(5)), "hash"),
        (format!("UPDATE arguments SET chosen_option = NULL WHERE {}", nth(6)), "chosen_label"),
        (format!("UPDATE arguments SET chosen_option = 1 WHERE {}", nth(6)), "hash"),
        (format!("UPDATE arguments SET chosen_label = NULL WHERE {}", nth(6)), "chosen_label"),
        (format!("UPDATE arguments SET chosen_label = 'B' WHERE {}", nth(6)), "seq"),
        (format!("UPDATE arguments SET chosen_label = 'A' WHERE {}", nth(9)), "chosen_label"),
        (format!("UPDATE arguments SET hash = zeroblob(32) WHERE {}", nth(4)), "hash"),
        (format!("UPDATE arguments SET hash = NULL WHERE {}", nth(4)), "hash"),
        (format!("DELETE FROM arguments WHERE {}", nth(4)), "seq"),
        (format!("DELETE FROM arguments WHERE {}", nth(9)), "last_seq"),
        (format!("DELETE FROM arguments WHERE {of_one}"), "last_seq"),
        (
            format!(
                "UPDATE arguments SET seq = CASE seq WHEN 2 THEN -4 ELSE -2 END WHERE {of_one} AND seq IN (2, 4); UPDATE arguments SET seq = -seq WHERE seq < 0"
            ),
            "seq",
        ),
        (
            format!(
                "{drop_constraints} INSERT INTO arguments SELECT randomblob(16), debate_id, seq, parent_id, argument_type, role, content, options, close, chosen_option, late_for, 'again', created_at, hash, NULL, NULL, NULL, NULL, NULL FROM arguments WHERE {}",
                nth(3)
            ),
            "seq",
        ),
        (
            "UPDATE debates SET title = 'Debate X', title_folded = 'debate x' WHERE title = 'Debate 1'".to_owned(),
            "hash",
        ),
        ("UPDATE debates SET title_folded = 'x' WHERE title = 'Debate 1'".to_owned(), "title_folded"),
        ("UPDATE debates SET state = 'AWAITING_OPPONENT' WHERE title = 'Debate 1'".to_owned(), "state"),
        ("UPDATE debates SET rounds = rounds + 1 WHERE title = 'Debate 1'".to_owned(), "rounds"),
        ("UPDATE debates SET issue_counts = '[1,0,0,0,0,0,0,0]' WHERE title = 'Debate 1'".to_owned(), "issue_counts"),
        ("UPDATE debates SET last_seq = 8 WHERE title = 'Debate 1'".to_owned(), "last_seq"),
        ("UPDATE debates SET updated_at = updated_at + 1 WHERE title = 'Debate 2'".to_owned(), "updated_at"),
        ("PRAGMA foreign_keys = OFF; DELETE FROM debates WHERE title = 'Debate 3'".to_owned(), "debate_id"),
        ("UPDATE debate_totals SET debates = debates + 1 WHERE state = 'CLOSED'".to_owned(), "debates"),
        ("DELETE FROM debate_totals WHERE state = 'AWAITING_OPPONENT'".to_owned(), "debates"),
        ("UPDATE debate_totals SET state = 'CLOSE' WHERE state = 'CLOSED'".to_owned(), "state"),
        ("UPDATE debate_titles SET title = 'debate x' WHERE title = 'debate 1'".to_owned(), "title"),
        ("DELETE FROM debate_titles WHERE title = 'debate 1'".to_owned(), "title"),
        (
            "INSERT INTO debate_titles (title, debate_id) SELECT title, debate_id FROM debate_titles WHERE title = 'debate 1'"
                .to_owned(),
            "title",
        ),
        ("UPDATE debates SET head = NULL WHERE title = 'Debate 1'".to_owned(), "head"),
        (
            "PRAGMA foreign_keys = OFF; INSERT INTO search_texts (debate_id, seq, issue, kind, argument_id, created_at, text) \
             VALUES (zeroblob(16), 1, 0, 'ruling', zeroblob(16), 1, 'of no debate')"
                .to_owned(),
            "debate_id",
        ),
    ];
    for (sql, column) in changes {
        let test = sample_store(Backend::Sqlite).await;
        test.store.close().await;
        let connection = Database::connect(test.database.url()).await.unwrap();
        connection.execute_unprepared(&sql).await.unwrap();
        connection.close().await.unwrap();
        match verify(&test.location()).await {
            Err(VerifyError::Faults(faults)) => {
                assert!(faults.rows().iter().any(|fault| fault.column == column), "{sql}: {faults}")
            }
            other => panic!("{sql}: {other:?}"),
        }
    }
}

#[rstest]
#[case("debates", "id")]
#[case("arguments", "debate_id")]
#[tokio::test]
async fn an_id_that_is_none_hides_no_other_fault(
    #[case] table: &str,
    #[case] column: &str,
    #[values("'x'", "X'00ff'", "7")] id: &str,
) {
    let test = sample_store(Backend::Sqlite).await;
    test.store.close().await;
    let connection = Database::connect(test.database.url()).await.unwrap();
    let sql = format!(
        "PRAGMA foreign_keys = OFF; UPDATE debates SET rounds = rounds + 1 WHERE title = 'Debate 1'; \
         UPDATE {table} SET {column} = {id} WHERE rowid = (SELECT max(rowid) FROM {table})"
    );
    connection.execute_unprepared(&sql).await.unwrap();
    connection.close().await.unwrap();
    let Err(VerifyError::Faults(faults)) = verify(&test.location()).await else { panic!("no faults are told") };
    assert!(faults.rows().iter().any(|fault| fault.column == "rounds"), "{faults}");
    let is_named = |fault: &InconsistentRow| fault.table == table && fault.reason.contains("cannot be read");
    assert!(faults.rows().iter().any(is_named), "{faults}");
}

#[rstest]
#[tokio::test]
async fn missing_hashes_are_computed_at_the_next_start(#[values(Backend::Sqlite, Backend::Postgres)] on: Backend) {
    let test = sample_store(on).await;
    let before = test.store.debate(debate_id(1)).await.unwrap().unwrap();
    let test = test.reopen_after("UPDATE arguments SET hash = NULL; UPDATE debates SET head = NULL").await.unwrap();
    assert_eq!(test.store.debate(debate_id(1)).await.unwrap().unwrap(), before);
    assert_eq!(verify(&test.location()).await.unwrap().debates, 4);
}

#[rstest]
#[tokio::test]
async fn the_migration_finds_what_older_rulings_chose(#[values(Backend::Sqlite, Backend::Postgres)] on: Backend) {
    let test = sample_store(on).await;
    let read = async |test: &TestStore| {
        let debate = test.store.debate(debate_id(1)).await.unwrap().unwrap();
        let range = Range { after: 0, up_to: debate.last_seq, newest: None };
        test.store.arguments(&debate, range).await.unwrap()
    };
    let before = read(&test).await;
    let chosen: Vec<_> = before.iter().filter_map(|argument| argument.chosen.clone()).collect();
    assert_eq!(chosen, [ChosenOption { seq: 5, number: 0, label: "A".to_owned() }]);
    let without =
        "ALTER TABLE arguments DROP COLUMN chosen_label; DELETE FROM seaql_migrations WHERE version LIKE 'm0020%'";
    let test = test.reopen_after(without).await.unwrap();
    assert_eq!(read(&test).await, before);
    assert_eq!(verify(&test.location()).await.unwrap().debates, 4);
}

#[rstest]
#[tokio::test]
async fn a_changed_label_of_a_chosen_option_is_not_served(#[values(Backend::Sqlite, Backend::Postgres)] on: Backend) {
    let test = sample_store(on).await;
    let debate = test.store.debate(debate_id(1)).await.unwrap().unwrap();
    let range = || Range { after: 0, up_to: debate.last_seq, newest: None };
    assert!(test.store.arguments(&debate, range()).await.is_ok());
    let changed = "UPDATE arguments SET chosen_label = 'B' WHERE chosen_label = 'A'";
    let test = test.reopen_after(changed).await.unwrap();
    let without_appeal = Range { after: 5, ..range() };
    let is_told = |error: StoreError| assert!(error.to_string().contains("chosen_label"), "{error}");
    is_told(test.store.arguments(&debate, range()).await.unwrap_err());
    is_told(test.store.arguments(&debate, without_appeal).await.unwrap_err());
    is_told(test.store.rulings(&debate, range()).await.unwrap_err());
}

#[rstest]
#[tokio::test]
async fn commits_are_published_once_and_in_order(#[values(Backend::Sqlite, Backend::Postgres)] on: Backend) {
    let test = TestStore::open(on).await;
    let motion = test.store.write_debate(DebateWrite::Create(new_debate(1))).await.unwrap();
    let mut last = motion.argument.id;
    for number in 0..20 {
        let by = if number % 2 == 0 { Side::Opponent } else { Side::Proposer };
        let submission = claim(1, by, last, &format!("r{number}"));
        last = test.store.write_debate(DebateWrite::Submit(submission.clone())).await.unwrap().argument.id;
        assert!(test.store.write_debate(DebateWrite::Submit(submission)).await.unwrap().replayed);
    }
    let seqs: Vec<_> = test.commits.lock().unwrap().iter().map(|commit| commit.argument.seq).collect();
    assert_eq!(seqs, (1..=21).collect::<Vec<_>>());
}

#[rstest]
#[tokio::test]
async fn concurrent_writes_leave_no_gap_and_no_duplicate(#[values(Backend::Sqlite, Backend::Postgres)] on: Backend) {
    let test = Arc::new(TestStore::open(on).await);
    let mut tasks = tokio::task::JoinSet::new();
    for number in 0..40_u128 {
        let test = test.clone();
        tasks.spawn(async move {
            let mut last = test.store.write_debate(DebateWrite::Create(new_debate(number))).await.unwrap().argument.id;
            for turn in 0..10 {
                let by = if turn % 2 == 0 { Side::Opponent } else { Side::Proposer };
                let submission = claim(number, by, last, &format!("r{turn}"));
                last = test.store.write_debate(DebateWrite::Submit(submission)).await.unwrap().argument.id;
            }
        });
    }
    while let Some(done) = tasks.join_next().await {
        done.unwrap();
    }
    for number in 0..40 {
        let debate = test.store.debate(debate_id(number)).await.unwrap().unwrap();
        let history = test.store.arguments(&debate, Range { after: 0, up_to: 99, newest: None }).await.unwrap();
        assert_eq!(history.len(), 11);
        assert_eq!(replay(&debate, history.iter().map(|argument| &**argument)), Ok(Some(debate)));
    }
    let Page { rows: page, total, .. } = test.store.debates(None, None, None, 7, 35).await.unwrap();
    assert_eq!((page.len(), total), (5, 40));
}

#[rstest]
#[tokio::test]
async fn the_newest_arguments_of_a_range_are_returned(#[values(Backend::Sqlite, Backend::Postgres)] on: Backend) {
    let test = TestStore::open(on).await;
    let mut last = test.store.write_debate(DebateWrite::Create(new_debate(1))).await.unwrap().argument.id;
    for turn in 0..9 {
        let by = if turn % 2 == 0 { Side::Opponent } else { Side::Proposer };
        last = test
            .store
            .write_debate(DebateWrite::Submit(claim(1, by, last, &format!("r{turn}"))))
            .await
            .unwrap()
            .argument
            .id;
    }
    let debate = test.store.debate(debate_id(1)).await.unwrap().unwrap();
    let seqs = async |after, up_to, newest| {
        let (motion, rest) = test.store.motion_and(&debate, Range { after, up_to, newest }).await.unwrap();
        assert_eq!(motion.seq, 1);
        rest.iter().map(|argument| argument.seq).collect::<Vec<_>>()
    };
    assert_eq!(seqs(1, 10, None).await, [2, 3, 4, 5, 6, 7, 8, 9, 10]);
    assert_eq!(seqs(1, 10, Some(2)).await, [9, 10]);
    assert_eq!(seqs(1, 10, Some(99)).await, [2, 3, 4, 5, 6, 7, 8, 9, 10]);
    assert_eq!(seqs(1, 10, Some(0)).await, [0_u64; 0]);
    assert_eq!(seqs(4, 8, Some(2)).await, [7, 8]);
    assert_eq!(seqs(4, 8, None).await, [5, 6, 7, 8]);
    assert_eq!(seqs(8, 4, None).await, [0_u64; 0]);
    assert_eq!(seqs(1, 1, None).await, [0_u64; 0]);
    let by_others = test.store.newest_not_by(&debate, Role::Opponent).await.unwrap().unwrap();
    assert_eq!(by_others.seq, 9);
}

#[rstest]
#[tokio::test]
async fn an_impossible_row_is_refused_by_name(#[values(Backend::Sqlite, Backend::Postgres)] on: Backend) {
    let cases = [
        ("UPDATE debates SET state = 'NONSENSE'", "table debates, column state, row "),
        ("UPDATE debates SET state = 'CLOSED', state_detail = 'CLAIM'", "table debates, column state_detail, row "),
        ("UPDATE debates SET state = 'AWAITING_ARBITRATOR', state_detail = 'APPEAL'", "column option_count, row "),
        ("UPDATE debates SET state = 'INTERVENTION_PENDING', state_detail = 'arbitrator'", "column state_detail, row "),
        ("UPDATE debates SET option_count = 2", "column option_count, row "),
        ("UPDATE debates SET last_seq = 0", "column last_seq, row "),
        ("UPDATE debates SET last_seq = 5", "column last_seq, row "),
        ("UPDATE debates SET debate_type = ''", "column debate_type, row "),
        ("UPDATE arguments SET argument_type = 'OPINION'", "table arguments, column argument_type, row "),
        ("UPDATE arguments SET role = 'opponent'", "table arguments, column role, row "),
        ("UPDATE arguments SET parent_id = id", "column parent_id, row "),
        ("UPDATE arguments SET close = TRUE", "column close, row "),
        ("UPDATE arguments SET options = '[]'", "column options, row "),
        ("UPDATE arguments SET client_request_id = ''", "column client_request_id, row "),
    ];
    for (sql, named) in cases {
        let test = TestStore::open(on).await;
        test.store.write_debate(DebateWrite::Create(new_debate(1))).await.unwrap();
        let test = test.reopen_after(sql).await.unwrap();
        let read = async {
            let debate = test.store.debate(debate_id(1)).await?.unwrap();
            test.store.newest(&debate).await
        };
        let error = read.await.unwrap_err().to_string();
        assert!(error.contains(named), "{sql}: {error}");
        assert!(error.contains("row "), "{sql}: {error}");
    }
}

#[rstest]
#[tokio::test]
async fn a_newer_schema_is_refused(#[values(Backend::Sqlite, Backend::Postgres)] on: Backend) {
    let test = TestStore::open(on).await;
    let newer = "INSERT INTO seaql_migrations (version, applied_at) VALUES ('m9999_from_the_future', 0)";
    let Err(error) = test.reopen_after(newer).await else { panic!("a newer schema was accepted") };
    assert!(error.to_string().contains("m9999_from_the_future"), "{error}");
}

#[tokio::test]
async fn a_file_in_use_by_another_store_is_refused() {
    let test = TestStore::open(Backend::Sqlite).await;
    let second = Store::open(
        &test.database.url().parse().unwrap(),
        None,
        ClockAndIds::system(),
        MessageWriter::without_receivers(),
        |_| (),
    )
    .await;
    assert!(matches!(second, Err(OpenError::Locked { .. })), "{second:?}");
}

#[rstest]
#[tokio::test]
async fn a_search_takes_wildcards_literally_and_ignores_case_in_every_language(
    #[values(Backend::Sqlite, Backend::Postgres)] on: Backend,
) {
    let test = TestStore::open(on).await;
    for (number, title) in [(1, "50% of ĐỒNG Ý"), (2, "50 of đồng ý"), (3, "a_b\\c"), (4, "aXb")] {
        let title = Title::parse(title.into()).unwrap();
        test.store.write_debate(DebateWrite::Create(NewDebate { title, ..new_debate(number) })).await.unwrap();
    }
    let found = async |q: &str| {
        let Page { rows: page, total, .. } = test.store.debates(None, None, Some(q), 50, 0).await.unwrap();
        assert_eq!(page.len() as u64, total);
        let mut ids: Vec<_> = page.iter().map(|debate| debate.id.0.as_u128()).collect();
        ids.sort_unstable();
        ids
    };
    assert_eq!(found("50%").await, [1]);
    assert_eq!(found("%").await, [1]);
    assert_eq!(found("_").await, [3]);
    assert_eq!(found("\\").await, [3]);
    assert_eq!(found("Axb").await, [4]);
    assert_eq!(found("A_B").await, [3]);
    assert_eq!(found("đồng").await, [1, 2]);
    assert_eq!(found("ĐỒNG Ý").await, [1, 2]);
    assert_eq!(found("00000000-0000-0000-0000-000000000003").await, [3]);
    assert_eq!(found("00000000").await, [1, 2, 3, 4]);
    let Page { rows: closed, total, .. } =
        test.store.debates(Some(StateName::Closed), None, None, 50, 0).await.unwrap();
    assert_eq!((closed.len(), total), (0, 0));
}

#[rstest]
#[tokio::test]
async fn statements_of_which_one_changes_too_few_rows_leave_nothing_behind(
    #[values(Backend::Sqlite, Backend::Postgres)] on: Backend,
) {
    let test = sample_store(on).await;
    let mut options = ConnectOptions::new(test.database.url());
    options.max_connections(1);
    let connection = Database::connect(options).await.unwrap();
    let rename = |title: &str, condition: &str, expected_rows| {
        let sql = format!("UPDATE debates SET title = '{title}' WHERE {condition}");
        GuardedStatement::expecting(&connection, sql, Vec::new(), expected_rows)
    };
    let titled = async |title: &str| {
        let debates = test.store.debates(None, None, None, 9, 0).await.unwrap().rows;
        debates.iter().filter(|debate| debate.title.as_str() == title).count()
    };
    let statements = vec![rename("x", "true", 4), rename("y", "title = 'x'", 3)];
    assert!(backend::execute_in_transaction(&connection, statements).await.is_err());
    assert_eq!((titled("x").await, titled("y").await), (0, 0));
    // The failed transaction holds no lock.
    backend::execute_in_transaction(&connection, vec![rename("z", "true", 4)]).await.unwrap();
    assert_eq!(titled("z").await, 4);
    test.store.write_debate(DebateWrite::Create(new_debate(9))).await.unwrap();
}

#[tokio::test]
async fn a_text_in_very_many_titles_is_found_in_all_of_them() {
    const DEBATES: u64 = 1_010;
    let test = Arc::new(TestStore::open(Backend::Sqlite).await);
    let mut creating = tokio::task::JoinSet::new();
    for number in 0..u128::from(DEBATES) {
        let test = test.clone();
        creating.spawn(async move { test.store.write_debate(DebateWrite::Create(new_debate(number))).await.map(drop) });
    }
    creating.join_all().await.into_iter().collect::<Result<(), _>>().unwrap();
    let Page { rows: page, total, .. } = test.store.debates(None, None, Some("debate"), 50, 1_000).await.unwrap();
    assert_eq!((page.len(), total), (10, DEBATES));
}
