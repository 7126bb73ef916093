//! Control tests: recorded histories that were falsified must not pass the check.

use std::sync::Arc;

use fastrand::Rng;
use tests::{client::Client, random::seed, server::Server};

use super::{
    check,
    checker::{Operation, Specification},
    record_history,
    recorder::History,
    sequential_debate::{Answer, Call, Debate, DebateStatus},
};

/// The number of histories that each falsification is tried on, at least.
const TRIES: usize = 5;

/// The most histories that are recorded for that: some falsifications apply to few of them.
const MAX_HISTORIES: usize = 200;

/// The response of the last read of all arguments.
fn last_read(history: &mut History) -> (&mut DebateStatus, &mut Vec<String>) {
    match history.last_mut().and_then(|last| last.ended.as_mut()) {
        Some((_, Answer::Context(status, said, _))) => (status, said),
        other => panic!("the last operation reads all arguments, not {other:?}"),
    }
}

/// The state of the debate after each write, with the number of that operation, in the order that was found.
fn states(history: &History, order: &[usize]) -> Vec<(usize, Debate)> {
    let mut debate = Debate::default();
    let steps = order.iter().filter_map(|number| {
        let next = debate.apply(&history[*number].call).1;
        (next != debate).then(|| {
            debate = next.clone();
            (*number, next)
        })
    });
    steps.collect()
}

/// Appends a read that returns an earlier state of the debate.
fn append_read(history: &mut History, as_of: &Debate) {
    let now = history.iter().map(|one| one.began.max(one.ended.as_ref().map_or(0, |(at, _)| *at))).max().unwrap_or(0);
    let call = Call::Context(None);
    let (answer, _) = as_of.apply(&call);
    history.push(Operation { call, began: now + 1, ended: Some((now + 2, answer)) });
}

/// Falsifies a history. The history stays unchanged if the falsification does not apply to it.
type Corruption = fn(&mut History, &[(usize, Debate)]);

const CORRUPTIONS: [(&str, Corruption); 7] = [
    ("a read without the last write", |history, states| {
        if let [.., (_, before), _] = states {
            append_read(history, before);
        }
    }),
    ("a read of a lost debate", |history, states| {
        if !states.is_empty() {
            append_read(history, &Debate::default());
        }
    }),
    ("a lost acknowledged write", |history, states| {
        if let [.., (_, before), (last, _)] = states
            && history[*last].ended.is_some()
        {
            let (answer, _) = before.apply(&Call::Context(None));
            for one in history.iter_mut().filter(|one| matches!(one.call, Call::Context(None))) {
                let Some((_, Answer::Context(status, said, issues))) = &mut one.ended else { continue };
                if status.last_seq == states.len() {
                    let Answer::Context(status_before, said_before, issues_before) = &answer else { continue };
                    (*status, *said) = (status_before.clone(), said_before.clone());
                    issues_before.clone_into(issues);
                }
            }
        }
    }),
    ("a write stored twice", |history, states| {
        if !states.is_empty() {
            let (status, said) = last_read(history);
            status.last_seq += 1;
            said.extend(said.last().cloned());
        }
    }),
    ("a write stored under two numbers", |history, states| {
        if let Some((last, _)) = states.last()
            && let Some((at, Answer::Stored { seq, replayed: false, status, then, changed })) =
                history[*last].ended.clone()
        {
            let again = Answer::Stored { seq: seq + 1, replayed: false, status, then, changed };
            history.push(Operation {
                call: history[*last].call.clone(),
                began: at + 1,
                ended: Some((u64::MAX, again)),
            });
        }
    }),
    ("a read of an issue that lost its last change", |history, _| {
        if let Some((_, Answer::Context(_, _, issues))) = history.last_mut().and_then(|last| last.ended.as_mut())
            && let Some(issue) = issues.get_mut(0)
        {
            issue["changed_seq"] = 1.into();
        }
    }),
    ("two writes that were both acknowledged as the first", |history, states| {
        if let [.., (before, _), (last, _)] = states
            && let Some((_, Answer::Stored { seq, .. })) = history[*before].ended.clone()
            && let Some((_, Answer::Stored { seq: own, .. })) = &mut history[*last].ended
        {
            *own = seq;
        }
    }),
];

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn control_falsified_histories_are_detected() {
    let server = Server::start().await;
    let (servers, mut random): (Arc<[Client]>, _) = (vec![server.client()].into(), Rng::with_seed(seed()));
    let mut tried = [0; CORRUPTIONS.len()];
    for _ in 0..MAX_HISTORIES {
        if tried.iter().all(|tried| *tried >= TRIES) {
            break;
        }
        let history = record_history(servers.clone(), random.u64(..)).await.unwrap();
        let order = check(&history).unwrap();
        let states = states(&history, &order);
        for ((what, wrong), tried) in CORRUPTIONS.iter().zip(&mut tried) {
            let mut changed = history.clone();
            wrong(&mut changed, &states);
            let is_changed = changed.len() != history.len()
                || changed.iter().zip(&history).any(|(changed, as_it_was)| changed.ended != as_it_was.ended);
            if is_changed {
                assert!(check(&changed).is_err(), "{what} was not detected: {changed:#?}");
                *tried += 1;
            }
        }
    }
    assert!(tried.iter().all(|tried| *tried >= TRIES), "some falsification rarely applied: {tried:?}");
}
