//! Tests of which debates are read, and how.

use ::tests::store::Backend;
use rstest::rstest;
use sea_orm::{ConnectionTrait, Statement};

use crate::{
    domain::{Action, ArgumentKind, DebateId, Role, Side, StateName, Submission, action_for},
    store::{
        DebateWrite, Page,
        tests::{TestStore, claim, content, new_debate, request},
    },
};

/// Debates 1 to 4, one in each state but CLOSED.
async fn one_in_each_state(on: Backend) -> TestStore {
    let test = TestStore::open(on).await;
    for number in 1..=4 {
        let mut last = test.store.write_debate(DebateWrite::Create(new_debate(number))).await.unwrap().argument.id;
        let id = DebateId(uuid::Uuid::from_u128(number));
        let submit = async |kind| {
            let request_id = Some(request("last"));
            let submission = Submission { request_id, ..Submission::new(id, kind, content("said")) };
            test.store.write_debate(DebateWrite::Submit(submission)).await.unwrap();
        };
        if number > 1 {
            let answer = DebateWrite::Submit(claim(number, Side::Opponent, last, "claim"));
            last = test.store.write_debate(answer).await.unwrap().argument.id;
        }
        match number {
            3 => submit(ArgumentKind::Resolution { parent_id: last }).await,
            4 => submit(ArgumentKind::Intervention).await,
            _ => {}
        }
    }
    test
}

#[rstest]
#[tokio::test]
async fn the_debates_in_which_a_ruling_is_due_are_those_in_which_the_arbitrator_has_to_rule(
    #[values(Backend::Sqlite, Backend::Postgres)] on: Backend,
) {
    let test = one_in_each_state(on).await;
    let Page { rows: all, .. } = test.store.debates(None, None, None, 50, 0).await.unwrap();
    let mut to_rule: Vec<_> =
        all.iter().filter(|debate| action_for(&debate.state, Role::Arbitrator) == Action::Rule).cloned().collect();
    to_rule.sort_by_key(|debate| debate.id);
    let states: Vec<StateName> = to_rule.iter().map(|debate| debate.state.name()).collect();
    assert_eq!(states, [StateName::AwaitingArbitrator, StateName::InterventionPending]);
    let ids: Vec<_> = (0..9).map(|number| DebateId(uuid::Uuid::from_u128(number))).collect();
    let due = |page: Page<_>| (page.rows, page.total);
    assert_eq!(due(test.store.rulings_due(&[], 200).await.unwrap()), (to_rule.clone(), 2));
    assert_eq!(due(test.store.rulings_due(&ids, 200).await.unwrap()), (to_rule.clone(), 2));
    assert_eq!(due(test.store.rulings_due(&ids[..4], 200).await.unwrap()), (to_rule[..1].to_vec(), 1));
    assert_eq!(due(test.store.rulings_due(&[], 1).await.unwrap()), (to_rule[..1].to_vec(), 2), "the total counts all");
    let due: Vec<_> = to_rule.iter().map(|debate| debate.id).collect();
    let mut found = test.store.due_among(&ids).await.unwrap();
    found.sort_unstable();
    assert_eq!(found, due);
    assert!(due.contains(&test.store.any_due().await.unwrap().unwrap()));
    assert_eq!(test.store.due_among(&ids[..3]).await.unwrap(), []);
}

/// Reverts the migration that added since when a ruling is due.
const WITHOUT_RULING_SINCE: &str = "DROP INDEX debates_ruling_since_idx; ALTER TABLE debates DROP COLUMN ruling_since; \
                                    DELETE FROM seaql_migrations WHERE version LIKE 'm0019%'";

#[rstest]
#[tokio::test]
async fn the_migration_finds_since_when_a_ruling_is_due(#[values(Backend::Sqlite, Backend::Postgres)] on: Backend) {
    let test = one_in_each_state(on).await;
    // The intervention's time counts, also after a late delivery.
    let due = test.store.debates(Some(StateName::InterventionPending), None, None, 50, 0).await.unwrap().rows.remove(0);
    let late = claim(4, Side::Proposer, due.late_target_id.unwrap(), "late");
    let delivered = test.store.write_debate(DebateWrite::Submit(late)).await.unwrap().debate;
    assert_eq!(delivered.ruling_since, due.ruling_since);
    let before = test.store.debates(None, None, None, 50, 0).await.unwrap();
    let test = test.reopen_after(WITHOUT_RULING_SINCE).await.unwrap();
    let after = test.store.debates(None, None, None, 50, 0).await.unwrap();
    assert_eq!(after, before);
    assert_eq!(after.rows.iter().filter(|debate| debate.ruling_request().is_some()).count(), 2);
}

#[tokio::test]
async fn no_other_debates_are_read() {
    let test = TestStore::open(Backend::Sqlite).await;
    for among in [vec![], vec![DebateId(uuid::Uuid::from_u128(1))]] {
        let backend = test.store.read.get_database_backend();
        let select = test.store.select_due(&among, 200).to_string();
        let explain = Statement::from_string(backend, format!("EXPLAIN QUERY PLAN {select}"));
        let steps = test.store.read.query_all_raw(explain).await.unwrap();
        let plan: Vec<String> = steps.iter().map(|step| step.try_get("", "detail").unwrap()).collect();
        let scanned = plan.iter().find(|step| {
            step.starts_with("SCAN") && step.contains("debates") && !step.contains("debates_ruling_since_idx")
        });
        assert_eq!(scanned, None, "{plan:#?}");
        let waiting = "debates_ruling_since_idx";
        assert_eq!(plan.iter().any(|step| step.contains(waiting)), among.is_empty(), "{plan:#?}");
    }
}
