//! Histories of a real server in which something is wrong, so that they have to be found out.

use std::sync::Arc;

use fastrand::Rng;
use tests::{chance::seed, client::Client, server::Server};

use super::{
    debate::{Answer, Call, Debate, Stand},
    history::History,
    judge,
    order::{Object, Operation},
    play,
};

/// What each of these controls is tried on.
const HISTORIES: usize = 20;

/// The last answer to somebody who asked for all that was said.
fn last_look(history: &mut History) -> (&mut Stand, &mut Vec<String>) {
    match history.last_mut().and_then(|last| last.ended.as_mut()) {
        Some((_, Answer::Context(stand, said))) => (stand, said),
        other => panic!("the last one asked for all that was said, not {other:?}"),
    }
}

/// How the debate stood after each write in the order that was found, with the number of that operation.
fn stood(history: &History, order: &[usize]) -> Vec<(usize, Debate)> {
    let mut debate = Debate::default();
    let steps = order.iter().filter_map(|number| {
        let next = debate.take(&history[*number].call).1;
        (next != debate).then(|| {
            debate = next.clone();
            (*number, next)
        })
    });
    steps.collect()
}

/// Has somebody ask for all that was said once everything is over, and be told it as of then.
fn look_again(history: &mut History, as_of: &Debate) {
    let now = history.iter().map(|one| one.began.max(one.ended.as_ref().map_or(0, |(at, _)| *at))).max().unwrap_or(0);
    let call = Call::Context(None);
    let (answer, _) = as_of.take(&call);
    history.push(Operation { call, began: now + 1, ended: Some((now + 2, answer)) });
}

/// What may be wrong with a history; nothing is changed where it cannot be.
type Wrong = fn(&mut History, &[(usize, Debate)]);

const WRONGS: [(&str, Wrong); 6] = [
    ("a read that is stale by one write", |history, stood| {
        if let [.., (_, before), _] = stood {
            look_again(history, before);
        }
    }),
    ("a read of a debate that is gone", |history, stood| {
        if !stood.is_empty() {
            look_again(history, &Debate::default());
        }
    }),
    ("a write that was acknowledged and is lost", |history, stood| {
        if let [.., (_, before), (last, _)] = stood
            && history[*last].ended.is_some()
        {
            let (answer, _) = before.take(&Call::Context(None));
            for one in history.iter_mut().filter(|one| matches!(one.call, Call::Context(None))) {
                let Some((_, Answer::Context(stand, said))) = &mut one.ended else { continue };
                if stand.last_seq == stood.len() {
                    let Answer::Context(stand_before, said_before) = &answer else { continue };
                    (*stand, *said) = (stand_before.clone(), said_before.clone());
                }
            }
        }
    }),
    ("a write that is there twice", |history, stood| {
        if !stood.is_empty() {
            let (stand, said) = last_look(history);
            stand.last_seq += 1;
            said.extend(said.last().cloned());
        }
    }),
    ("a write that was stored under two numbers", |history, stood| {
        if let Some((last, _)) = stood.last()
            && let Some((at, Answer::Stored { seq, replayed: false, stand, then })) = history[*last].ended.clone()
        {
            let again = Answer::Stored { seq: seq + 1, replayed: false, stand, then };
            history.push(Operation {
                call: history[*last].call.clone(),
                began: at + 1,
                ended: Some((u64::MAX, again)),
            });
        }
    }),
    ("two writes of which each is told to be the first", |history, stood| {
        if let [.., (before, _), (last, _)] = stood
            && let Some((_, Answer::Stored { seq, .. })) = history[*before].ended.clone()
            && let Some((_, Answer::Stored { seq: own, .. })) = &mut history[*last].ended
        {
            *own = seq;
        }
    }),
];

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_cannot_have_been_done_one_after_another_is_found_out() {
    let server = Server::start().await;
    let (servers, mut random): (Arc<[Client]>, _) = (vec![server.client()].into(), Rng::with_seed(seed()));
    let mut tried = [0; WRONGS.len()];
    for _ in 0..HISTORIES {
        let history = play(servers.clone(), random.u64(..)).await.unwrap();
        let order = judge(&history).unwrap();
        let stood = stood(&history, &order);
        for ((what, wrong), tried) in WRONGS.iter().zip(&mut tried) {
            let mut changed = history.clone();
            wrong(&mut changed, &stood);
            let is_changed = changed.len() != history.len()
                || changed.iter().zip(&history).any(|(changed, as_it_was)| changed.ended != as_it_was.ended);
            if is_changed {
                assert!(judge(&changed).is_err(), "{what} is in order: {changed:#?}");
                *tried += 1;
            }
        }
    }
    assert!(tried.iter().all(|tried| *tried >= HISTORIES / 4), "some control was hardly tried: {tried:?}");
}
