//! Tests of documents on real databases.

use std::sync::Arc;

use ::tests::store::Backend;
use rstest::rstest;
use sea_orm::{ConnectionTrait, EntityTrait, QuerySelect, QueryTrait, Select, Statement};
use uuid::Uuid;

use super::{
    batch_statements::{self, RequestRow},
    read, rows,
};
use crate::{
    domain::{
        Content, DocumentError, DocumentId, DocumentText, Limits, Metadata, NewDocument, NewVersion, Side, Summary,
    },
    store::{
        ClockAndIds, DebateWrite, DocumentDeleted, DocumentWrite, DocumentWritten, Page,
        backend::begin_write,
        decoded::Decoded,
        error::{RowName, StoreError, WriteError},
        tests::{TestStore, claim, new_debate, request, store_batch},
        verify,
    },
};

fn text(summary: &str, content: &str) -> Arc<DocumentText> {
    Arc::new(DocumentText::new(
        Summary::parse(summary.into()).unwrap(),
        Content::parse(content.into(), Limits::default().document()).unwrap(),
        Metadata::default(),
    ))
}

fn create(content: &str, request_id: Option<&str>) -> DocumentWrite {
    DocumentWrite::Create(NewDocument { text: text("summary", content), request_id: request_id.map(request) })
}

fn submit(document_id: DocumentId, content: &str, request_id: Option<&str>) -> DocumentWrite {
    let text = text("summary", content);
    DocumentWrite::Submit(NewVersion { document_id, text, request_id: request_id.map(request) })
}

async fn created(test: &TestStore) -> DocumentId {
    test.store.write_document(create("one", None)).await.unwrap().document.id
}

fn number(written: Result<DocumentWritten, WriteError>) -> (u64, bool) {
    let written = written.unwrap();
    (written.version.version, written.replayed)
}

#[rstest]
#[tokio::test]
async fn a_batch_of_debates_and_documents_is_stored_except_for_what_is_refused(
    #[values(Backend::Sqlite, Backend::Postgres)] on: Backend,
) {
    let test = TestStore::open(on).await;
    let motion = test.store.write_debate(DebateWrite::Create(new_debate(1))).await.unwrap().argument.id;
    let (kept, going) = (created(&test).await, created(&test).await);
    let unknown = DocumentId(Uuid::from_u128(1));
    let debates = vec![
        DebateWrite::Submit(claim(1, Side::Proposer, motion, "early")),
        DebateWrite::Submit(claim(1, Side::Opponent, motion, "turn")),
    ];
    let documents = vec![
        create("new", Some("a")),
        create("new", Some("a")),
        create("other", Some("a")),
        submit(kept, "two", Some("a")),
        submit(unknown, "two", None),
        submit(kept, "two", Some("a")),
        submit(kept, "three", Some("a")),
        submit(kept, "three", None),
        submit(going, "two", None),
    ];
    let deletions = vec![going, unknown, going];
    let (debates, documents, deletions) = store_batch(&test.writer(), debates, documents, deletions).await;
    assert!(debates[0].is_err());
    assert_eq!(debates[1].as_ref().unwrap().argument.seq, 2);

    let [new, repeated, other, two, lost, two_again, three_as_two, three, last] = documents.try_into().unwrap();
    let id = new.as_ref().unwrap().document.id;
    assert_eq!(repeated.as_ref().unwrap().document.id, id);
    assert_eq!((number(new), number(repeated)), ((1, false), (1, true)));
    let conflict = |refused: &Result<DocumentWritten, _>| matches!(refused, Err(WriteError::IdempotencyConflict(id)) if *id == request("a"));
    assert!(conflict(&other), "{other:?}");
    assert_eq!((number(two), number(two_again)), ((2, false), (2, true)));
    assert!(conflict(&three_as_two), "{three_as_two:?}");
    assert!(matches!(lost, Err(WriteError::DocumentMissing(DocumentError::NotFound(id))) if id == unknown), "{lost:?}");
    assert_eq!((number(three), number(last)), ((3, false), (2, false)));

    let [deleted, never, again] = deletions.try_into().unwrap();
    let DocumentDeleted { document: deleted, replayed } = deleted.unwrap();
    assert!(!replayed);
    assert_eq!((deleted.latest_version, deleted.deleted_at.is_some()), (2, true));
    assert!(matches!(never, Err(WriteError::DocumentMissing(DocumentError::NotFound(_)))), "{never:?}");
    let again = again.unwrap();
    assert_eq!((again.document, again.replayed), (deleted.clone(), true));

    for (id, versions) in [(id, 1), (kept, 3), (going, 2)] {
        let document = test.store.document(id).await.unwrap().unwrap();
        assert_eq!(document.latest_version, versions);
        let entries = test.store.version_entries(&document, 9, 0).await.unwrap();
        let numbers: Vec<_> = entries.rows.iter().map(|entry| entry.version).collect();
        assert_eq!(numbers, (1..=versions).rev().collect::<Vec<_>>());
    }
    assert_eq!(test.store.document(going).await.unwrap().unwrap(), deleted);
}

#[rstest]
#[tokio::test]
async fn a_repeated_request_returns_what_it_stored_before(#[values(Backend::Sqlite, Backend::Postgres)] on: Backend) {
    let test = TestStore::open(on).await;
    let first = test.store.write_document(create("one", Some("a"))).await.unwrap();
    let id = first.document.id;
    let second = test.store.write_document(submit(id, "two", Some("a"))).await.unwrap();
    let deleted = test.store.delete_document(id).await.unwrap().document;
    for (write, version) in [(create("one", Some("a")), first.version), (submit(id, "two", Some("a")), second.version)]
    {
        let again = test.store.write_document(write).await.unwrap();
        assert!(again.replayed);
        assert_eq!((&again.document, &again.version), (&deleted, &version));
    }
    for write in [create("two", Some("a")), submit(id, "one", Some("a"))] {
        let refused = test.store.write_document(write).await;
        assert!(matches!(refused, Err(WriteError::IdempotencyConflict(_))), "{refused:?}");
    }
    let refused = test.store.write_document(submit(id, "three", Some("b"))).await;
    assert!(matches!(refused, Err(WriteError::DocumentMissing(DocumentError::Deleted(_)))), "{refused:?}");
}

#[rstest]
#[tokio::test]
async fn a_write_that_the_database_rejects_makes_no_other_write_fail(
    #[values(Backend::Sqlite, Backend::Postgres)] on: Backend,
) {
    // Every document gets the same id, so that the second one cannot be stored.
    let sources = ClockAndIds { random_id: || Uuid::from_u128(7), ..ClockAndIds::system() };
    let test = Arc::new(TestStore::open_with(on, sources).await);
    let id = created(&test).await;
    let mut tasks = tokio::task::JoinSet::new();
    for turn in 0..20 {
        let test = test.clone();
        tasks.spawn(async move {
            if turn % 4 == 0 {
                let failed = test.store.write_document(create("two", None)).await;
                let WriteError::Store(error) = failed.unwrap_err() else { panic!("the domain refused it") };
                // On PostgreSQL the conflict might be with another server, so it counts as temporary.
                let is_temporary = matches!(error, StoreError::Unavailable(_));
                assert_eq!(is_temporary, on == Backend::Postgres, "{error:?}");
            } else if turn % 4 == 1 {
                test.store.write_debate(DebateWrite::Create(new_debate(turn))).await.unwrap();
            } else {
                test.store.write_document(submit(id, "more", None)).await.unwrap();
            }
        });
    }
    while let Some(done) = tasks.join_next().await {
        done.unwrap();
    }
    assert_eq!(test.store.document(id).await.unwrap().unwrap().latest_version, 11);
}

#[rstest]
#[tokio::test]
async fn an_impossible_row_is_refused_by_name(#[values(Backend::Sqlite, Backend::Postgres)] on: Backend) {
    let cases = [
        ("UPDATE documents SET latest_version = 0", "table documents, column latest_version, row "),
        ("UPDATE documents SET latest_version = 3", "table documents, column latest_version, row "),
        ("UPDATE documents SET created_at = 9223372036854775807", "table documents, column created_at, row "),
        ("UPDATE documents SET deleted_at = 9223372036854775807", "table documents, column deleted_at, row "),
        (
            "UPDATE document_versions SET created_at = -9223372036854775808",
            "table document_versions, column created_at",
        ),
    ];
    for (sql, named) in cases {
        let test = TestStore::open(on).await;
        let id = created(&test).await;
        test.store.write_document(submit(id, "two", None)).await.unwrap();
        let test = test.reopen_after(sql).await.unwrap();
        let read = async {
            let document = test.store.document(id).await?.unwrap();
            test.store.document_version(&document, document.latest_version).await?;
            Ok::<_, StoreError>(())
        };
        let error = read.await.unwrap_err().to_string();
        assert!(error.contains(named), "{sql}: {error}");
        assert!(error.contains(&id.to_string()), "{sql}: {error}");
    }
}

#[rstest]
#[tokio::test]
async fn an_impossible_request_id_is_refused_by_name(#[values(Backend::Sqlite, Backend::Postgres)] on: Backend) {
    let cases = [
        ("UPDATE documents SET client_request_id = 'a b'", "table documents, column client_request_id, row "),
        (
            "UPDATE document_versions SET client_request_id = 'é' WHERE version = 2",
            "table document_versions, column client_request_id, row ",
        ),
    ];
    for (sql, named) in cases {
        let test = TestStore::open(on).await;
        let id = created(&test).await;
        test.store.write_document(submit(id, "two", Some("b"))).await.unwrap();
        let test = test.reopen_after(sql).await.unwrap();
        let transaction = begin_write(&test.store.read.current()).await.unwrap();
        let document = batch_statements::lock_documents(&transaction, vec![id.0], Vec::new()).await.unwrap().remove(0);
        let document = document.decoded(rows::DOCUMENTS, RowName::Document).unwrap();
        let Decoded(version) = batch_statements::find_version(&transaction, id.0, 2).await.unwrap().unwrap();
        let version = RequestRow {
            document_id: id.0,
            version: 2,
            client_request_id: version.unwrap().client_request_id.unwrap(),
        };
        let read = rows::creation_request(&document).and(rows::submission_request(&version).map(Some));
        let error = read.unwrap_err().to_string();
        assert!(error.contains(named), "{sql}: {error}");
    }
}

/// Reverts the migration that added titles.
const WITHOUT_TITLES: &str = "ALTER TABLE documents DROP COLUMN title; ALTER TABLE documents DROP COLUMN title_folded; \
                              DELETE FROM seaql_migrations WHERE version LIKE 'm0008%'";

#[rstest]
#[tokio::test]
async fn the_migration_gives_older_documents_their_titles(#[values(Backend::Sqlite, Backend::Postgres)] on: Backend) {
    let test = TestStore::open(on).await;
    let titles = ["ABCDEFGHIJKLMNOPQRSTUVWXYZ", "Ê ĐỀ Xuất 'Q'", ""];
    for title in titles {
        let new = NewDocument { text: text(title, "one"), request_id: None };
        let id = test.store.write_document(DocumentWrite::Create(new)).await.unwrap().document.id;
        test.store.write_document(submit(id, "two", None)).await.unwrap();
    }
    let Page { rows: before, .. } = test.store.documents(None, None, 50, 0).await.unwrap();
    let test = test.reopen_after(WITHOUT_TITLES).await.unwrap();
    assert_eq!(test.store.documents(None, None, 50, 0).await.unwrap().rows, before);
    assert_eq!(before[0].content_bytes, "two".len() as u64);
    for (q, found) in [("klmn", 1), ("đỀ xUẤt", 1), ("ĐỀ xu", 1), ("summary", 3)] {
        assert_eq!(test.store.documents(Some(q), None, 50, 0).await.unwrap().total, found, "{q}");
    }
    verify(&test.location()).await.unwrap();
}

#[rstest]
#[tokio::test]
async fn verify_names_a_manipulated_title(#[values(Backend::Sqlite, Backend::Postgres)] on: Backend) {
    for (sql, named) in [
        ("UPDATE documents SET title = 'other', title_folded = 'other'", "table documents, column title, row "),
        ("UPDATE documents SET title_folded = 'other'", "table documents, column title_folded, row "),
    ] {
        let test = TestStore::open(on).await;
        let id = created(&test).await;
        test.store.write_document(submit(id, "two", None)).await.unwrap();
        verify(&test.location()).await.unwrap();
        let test = test.reopen_after(sql).await.unwrap();
        let error = verify(&test.location()).await.unwrap_err().to_string();
        assert!(error.contains(named) && error.contains(&id.to_string()), "{sql}: {error}");
    }
}

/// The query plan of `select`.
async fn plan<E: EntityTrait>(test: &TestStore, select: Select<E>) -> String {
    let backend = test.store.read.get_database_backend();
    let select = select.build(backend).to_string();
    let explain = Statement::from_string(backend, format!("EXPLAIN QUERY PLAN {select}"));
    let steps = test.store.read.query_all_raw(explain).await.unwrap();
    steps.iter().map(|step| step.try_get::<String>("", "detail").unwrap() + "\n").collect()
}

#[tokio::test]
async fn a_page_of_versions_reads_a_range_of_the_key_and_no_content() {
    let test = TestStore::open(Backend::Sqlite).await;
    let id = DocumentId(Uuid::from_u128(7));
    let select = read::entries(id, 950, 1000);
    let sql = select.build(test.store.read.get_database_backend()).to_string();
    for long in ["\"content\"", "\"metadata\"", "*"] {
        assert!(!sql.contains(long), "{sql}");
    }
    let plan = plan(&test, select).await;
    assert!(plan.starts_with("SEARCH document_versions USING INDEX"), "{plan}");
    assert!(plan.contains("(document_id=? AND version>? AND version<?)"), "{plan}");
    assert_eq!(plan.lines().count(), 1, "neither sorted nor counted: {plan}");
}

#[tokio::test]
async fn a_page_of_documents_is_read_from_the_index_in_order() {
    let test = TestStore::open(Backend::Sqlite).await;
    let plan = plan(&test, read::newest_first(read::matching(None)).limit(50)).await;
    assert_eq!(plan, "SCAN documents USING INDEX documents_updated_at_idx\n");
}
