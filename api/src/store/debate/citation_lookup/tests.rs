//! Tests of what arguments cite, on both databases.

use std::sync::Arc;

use ::tests::store::Backend;
use rstest::rstest;
use uuid::Uuid;

use crate::{
    domain::{
        Argument, ArgumentId, ArgumentKind, CitedVersion, DebateId, DocumentId, DocumentText, Hash, Limits, Metadata,
        NewDebate, NewDocument, NewVersion, Side, Submission, Summary,
    },
    store::{
        DebateWrite, DebateWritten, DocumentWrite, Range, Store,
        tests::{TestStore, claim, content, new_debate, request, store_batch},
        verify,
    },
};

/// Reverts the migrations that added citations and the hashes of metadata.
const WITHOUT_CITATIONS: &str = "ALTER TABLE document_versions DROP COLUMN metadata_sha256; \
                                 ALTER TABLE document_versions DROP COLUMN sha256; DROP INDEX arguments_citations; \
                                 ALTER TABLE arguments DROP COLUMN citations; \
                                 DELETE FROM seaql_migrations WHERE version LIKE 'm0009%' OR version LIKE 'm0014%'";

/// Reverts the migration that added what the plan follows from.
const WITHOUT_PLAN: &str = "ALTER TABLE debates DROP COLUMN plan; ALTER TABLE debates DROP COLUMN late_target_id; \
                            DELETE FROM seaql_migrations WHERE version LIKE 'm0012%' OR version LIKE 'm0018%'";

/// Reverts the migration that added which versions of the plan the opponent has seen.
const WITHOUT_SEEN_VERSIONS: &str = "UPDATE debates SET plan = '{}' WHERE plan IS NOT NULL; \
                                     DELETE FROM seaql_migrations WHERE version LIKE 'm0018%'";

fn text(content: &str) -> Arc<DocumentText> {
    let content = crate::domain::Content::parse(content.into(), Limits::default().document()).unwrap();
    DocumentText::new(Summary::parse("plan".into()).unwrap(), content, Metadata::default()).into()
}

/// Creates a document with two versions, `one` and `two`.
async fn document(store: &Store) -> DocumentId {
    let new = NewDocument { text: text("one"), request_id: None };
    let id = store.write_document(DocumentWrite::Create(new)).await.unwrap().document.id;
    add_version(store, id, "two").await;
    id
}

async fn add_version(store: &Store, document_id: DocumentId, content: &str) {
    let new = NewVersion { document_id, text: text(content), request_id: None };
    store.write_document(DocumentWrite::Submit(new)).await.unwrap();
}

fn cited(document_id: DocumentId, version: u64) -> CitedVersion {
    CitedVersion { document_id, version }
}

/// A text that cites these versions.
fn citing(id: DocumentId, versions: impl IntoIterator<Item = u64>) -> String {
    versions.into_iter().map(|version| format!("see doc_id={id} v{version}. ")).collect()
}

fn motion(number: u128, text: &str) -> DebateWrite {
    DebateWrite::Create(NewDebate { motion: content(text), ..new_debate(number) })
}

fn said(number: u128, kind: ArgumentKind, text: &str, id: &str) -> DebateWrite {
    let debate_id = DebateId(Uuid::from_u128(number));
    DebateWrite::Submit(Submission { request_id: Some(request(id)), ..Submission::new(debate_id, kind, content(text)) })
}

fn known(written: &DebateWritten) -> Vec<(CitedVersion, Hash)> {
    written.argument.citations.iter().map(|citation| (citation.cited(), citation.sha256)).collect()
}

async fn stored(store: &Store, number: u128) -> Vec<Argument> {
    let id = DebateId(Uuid::from_u128(number));
    let debate = store.debate(id).await.unwrap().unwrap();
    let arguments = store.arguments(&debate, Range { after: 0, up_to: 99, newest: None }).await.unwrap();
    arguments.iter().map(|argument| (**argument).clone()).collect()
}

#[rstest]
#[tokio::test]
async fn what_an_argument_cites_is_looked_up_and_stored_with_it(
    #[values(Backend::Sqlite, Backend::Postgres)] on: Backend,
) {
    let test = TestStore::open(on).await;
    let id = document(&test.store).await;
    let nowhere = DocumentId(Uuid::from_u128(9));
    let text = format!("{}doc_id={nowhere} v1 doc_id={id} v1", citing(id, [2, 0, 3]));
    let opened = test.store.write_debate(motion(1, &text)).await.unwrap();
    assert_eq!(known(&opened), [(cited(id, 2), Hash::of_content("two")), (cited(id, 1), Hash::of_content("one"))]);
    assert_eq!(opened.unknown_citations, [cited(id, 0), cited(id, 3), cited(nowhere, 1)]);
    assert_eq!(opened.unseen_citations, None);

    // From the cache, too, and after the document was deleted.
    test.store.delete_document(id).await.unwrap();
    let claim = ArgumentKind::Claim { by: Side::Opponent, parent_id: opened.argument.id };
    let claimed = test.store.write_debate(said(1, claim.clone(), &citing(id, [1, 7]), "a")).await.unwrap();
    assert_eq!(known(&claimed), [(cited(id, 1), Hash::of_content("one"))]);
    assert_eq!(claimed.unknown_citations, [cited(id, 7)]);

    // A replay tells the same.
    let replayed = test.store.write_debate(said(1, claim, &citing(id, [1, 7]), "a")).await.unwrap();
    assert!(replayed.replayed);
    assert_eq!((&replayed.argument, &replayed.unknown_citations), (&claimed.argument, &claimed.unknown_citations));

    let written = [(*opened.argument).clone(), (*claimed.argument).clone()];
    let test = test.reopen_after("SELECT 1").await.unwrap();
    assert_eq!(stored(&test.store, 1).await, written, "as it is read from the database");
    verify(&test.location()).await.unwrap();
}

#[rstest]
#[tokio::test]
async fn writes_that_share_a_transaction_get_their_own_citations(
    #[values(Backend::Sqlite, Backend::Postgres)] on: Backend,
) {
    let test = TestStore::open(on).await;
    let id = document(&test.store).await;
    let writes = vec![motion(1, &citing(id, [1])), motion(2, "nothing"), motion(3, &citing(id, [2, 5]))];
    let (outcomes, _, _) = store_batch(&test.writer(), writes, vec![], vec![]).await;
    let written: Vec<DebateWritten> = outcomes.into_iter().map(Result::unwrap).collect();
    let versions: Vec<Vec<u64>> =
        written.iter().map(|written| written.argument.citations.iter().map(|one| one.version).collect()).collect();
    assert_eq!(versions, [vec![1], vec![], vec![2]]);
    let unknown: Vec<_> = written.iter().map(|written| written.unknown_citations.len()).collect();
    assert_eq!(unknown, [0, 0, 1]);
}

#[rstest]
#[tokio::test]
async fn a_resolution_is_told_what_the_opponent_cannot_have_seen(
    #[values(Backend::Sqlite, Backend::Postgres)] on: Backend,
) {
    let test = TestStore::open(on).await;
    let id = document(&test.store).await;
    for _ in 3..=5 {
        add_version(&test.store, id, "more").await;
    }
    let write = async |kind, text: &str, id: &str| test.store.write_debate(said(1, kind, text, id)).await.unwrap();
    let first = test.store.write_debate(motion(1, &citing(id, [1]))).await.unwrap().argument.id;
    let ruling = || ArgumentKind::Ruling { close: false, chosen_option: None };
    let resolution = |parent_id: ArgumentId| ArgumentKind::Resolution { parent_id };

    // Without a CLAIM of the opponent all of them are unseen.
    write(ArgumentKind::Intervention, "stop", "1").await;
    write(ruling(), &citing(id, [2]), "2").await;
    let asked = write(resolution(first), &citing(id, [1, 2, 9]), "3").await;
    assert_eq!(asked.unseen_citations, Some(vec![cited(id, 1), cited(id, 2)]));
    assert_eq!(asked.unknown_citations, [cited(id, 9)]);
    write(ruling(), "go on", "4").await;

    let by = |by, parent_id| ArgumentKind::Claim { by, parent_id };
    write(by(Side::Proposer, first), &citing(id, [3]), "5").await;
    let seen = write(by(Side::Opponent, first), &citing(id, [4]), "6").await.argument.id;
    write(by(Side::Proposer, seen), &citing(id, [5]), "7").await;
    write(ArgumentKind::Intervention, "stop", "8").await;
    write(ruling(), "go on", "9").await;
    let asked = write(resolution(seen), &citing(id, [5, 4, 3, 2, 1]), "10").await;
    assert_eq!(asked.unseen_citations, Some(vec![cited(id, 5)]));
    let replayed = write(resolution(seen), &citing(id, [5, 4, 3, 2, 1]), "10").await;
    assert_eq!((replayed.replayed, replayed.unseen_citations), (true, asked.unseen_citations));
    write(ruling(), "go on", "11").await;
    let asked = write(resolution(seen), "nothing", "12").await;
    assert_eq!(asked.unseen_citations, Some(Vec::new()));
}

#[rstest]
#[tokio::test]
async fn the_migration_keeps_older_arguments_and_hashes_older_versions(
    #[values(Backend::Sqlite, Backend::Postgres)] on: Backend,
) {
    let test = TestStore::open(on).await;
    let id = document(&test.store).await;
    add_version(&test.store, id, "đồng ý\r\n").await;
    document(&test.store).await;
    let opened = test.store.write_debate(motion(1, "nothing")).await.unwrap().argument;
    let before = stored(&test.store, 1).await;
    let versions = async |test: &TestStore| {
        let document = test.store.document(id).await.unwrap().unwrap();
        let mut texts = Vec::new();
        for version in 1..=3 {
            texts.push(test.store.document_version(&document, version).await.unwrap());
        }
        (texts, test.store.version_entries(&document, 9, 0).await.unwrap().rows)
    };
    let mut expected = versions(&test).await;
    assert_eq!(expected.0[2].text.sha256, Hash::of_content("đồng ý\r\n"));
    // Nobody can say what the metadata of older versions were when they were made.
    expected.0.iter_mut().for_each(|version| Arc::make_mut(&mut version.text).metadata_sha256 = None);
    expected.1.iter_mut().for_each(|entry| entry.metadata_sha256 = None);
    let test = test.reopen_after(WITHOUT_CITATIONS).await.unwrap();
    assert_eq!(versions(&test).await, expected);
    assert_eq!(stored(&test.store, 1).await, before);
    verify(&test.location()).await.unwrap();
    // What is written from now on is looked up.
    let next = test.store.write_debate(DebateWrite::Submit(claim(1, Side::Opponent, opened.id, "a"))).await.unwrap();
    let text = citing(id, [3]);
    let claim = ArgumentKind::Claim { by: Side::Proposer, parent_id: next.argument.id };
    let written = test.store.write_debate(said(1, claim, &text, "b")).await.unwrap();
    assert_eq!(known(&written), [(cited(id, 3), expected.0[2].text.sha256)]);
    verify(&test.location()).await.unwrap();
}

#[rstest]
#[tokio::test]
async fn arguments_that_are_there_are_never_looked_up_again(#[values(Backend::Sqlite, Backend::Postgres)] on: Backend) {
    let test = TestStore::open(on).await;
    let id = document(&test.store).await;
    let opened = test.store.write_debate(motion(1, &citing(id, [3]))).await.unwrap();
    assert_eq!((opened.argument.citations.len(), opened.unknown_citations), (0, vec![cited(id, 3)]));
    // Now its text cites a version that exists, as texts of an older database may do.
    add_version(&test.store, id, "three").await;
    let test = test.reopen_after(WITHOUT_CITATIONS).await.unwrap();
    assert_eq!(stored(&test.store, 1).await, [(*opened.argument).clone()]);
    verify(&test.location()).await.unwrap();
}

#[rstest]
#[case::the_plan(WITHOUT_PLAN)]
#[case::what_the_opponent_has_seen(WITHOUT_SEEN_VERSIONS)]
#[tokio::test]
async fn the_migrations_fill_in_the_plans_of_older_debates(
    #[case] revert: &'static str,
    #[values(Backend::Sqlite, Backend::Postgres)] on: Backend,
) {
    let test = TestStore::open(on).await;
    let (id, other) = (document(&test.store).await, document(&test.store).await);
    for _ in 3..=5 {
        add_version(&test.store, id, "more").await;
    }
    let write = async |number, kind, text: &str, id: &str| {
        test.store.write_debate(said(number, kind, text, id)).await.unwrap().debate
    };
    let open = async |number, text: &str| test.store.write_debate(motion(number, text)).await.unwrap().argument.id;
    let by = |by, parent_id| ArgumentKind::Claim { by, parent_id };
    // One that cites nothing, one in which only the opponent cites, one with a plan, and one with a late delivery.
    let mut expected = vec![test.store.write_debate(motion(1, "nothing")).await.unwrap().debate];
    let first = open(2, "nothing").await;
    write(2, by(Side::Opponent, first), &citing(other, [2]), "a").await;
    expected.push(write(2, by(Side::Proposer, first), "nothing", "b").await);
    let first = open(3, &(citing(id, [1, 3]) + &citing(other, [2]))).await;
    write(3, by(Side::Opponent, first), &citing(id, [4]), "a").await;
    write(3, by(Side::Proposer, first), &citing(id, [5]), "b").await;
    write(3, by(Side::Opponent, first), "nothing", "c").await;
    expected.push(write(3, by(Side::Proposer, first), &(citing(other, [1]) + &citing(id, [2])), "d").await);
    let first = open(4, "nothing").await;
    write(4, by(Side::Opponent, first), &citing(id, [2]), "a").await;
    write(4, by(Side::Proposer, first), &citing(id, [1]), "b").await;
    expected.push(write(4, ArgumentKind::Intervention, "stop", "c").await);
    let plans: Vec<_> = expected.iter().map(|debate| debate.plan().map(|plan| plan.citation.cited())).collect();
    assert_eq!(plans, [None, None, Some(cited(id, 2)), Some(cited(id, 1))]);

    let test = test.reopen_after(revert).await.unwrap();
    for before in expected {
        let after = test.store.debate(before.id).await.unwrap().unwrap();
        assert_eq!(after, before);
    }
    verify(&test.location()).await.unwrap();
}
