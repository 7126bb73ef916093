//! Nobody who waits is forgotten, and nobody who left is kept.

use std::sync::Arc;

use chrono::DateTime;
use shuttle::{
    future::{block_on, spawn, yield_now},
    sync::{
        Mutex,
        atomic::{AtomicUsize, Ordering},
    },
};

use crate::{
    domain::Role,
    in_every_order, in_many_orders,
    notifier::{Event, Notifier, Subscription},
    store::Commit,
    things::{DEBATE, moved_to},
};

/// How far the debate is brought.
const LAST: u64 = 3;

/// A debate that somebody writes to, and those who wait for news of it.
struct Scene {
    stored: Mutex<u64>,
    notifier: Arc<Notifier>,
}

impl Scene {
    fn new() -> Arc<Self> {
        Arc::new(Self { stored: Mutex::new(1), notifier: Arc::default() })
    }

    fn look(&self) -> u64 {
        *self.stored.lock().unwrap()
    }

    fn store(&self, seq: u64) -> [Arc<Commit>; 1] {
        *self.stored.lock().unwrap() = seq;
        [moved_to(seq)]
    }

    /// Writes as the writer does: what is stored is told afterwards.
    fn write_up_to(&self, last: u64) {
        for seq in 2..=last {
            self.notifier.publish(&self.store(seq));
        }
    }

    /// Waits as a waiter does: registers first, then looks.
    async fn wait_for(&self, last: u64) {
        let subscription = self.notifier.subscribe(DEBATE);
        let seen = self.look();
        self.notifier.mark_read(DEBATE, seen);
        hear(subscription, seen, last).await;
    }

    fn nobody_is_left(&self) {
        assert_eq!(self.notifier.subscribed_ids(), [], "somebody who left is still there");
    }
}

/// Waits for news until that is seen.
async fn hear(mut subscription: Subscription, mut seen: u64, last: u64) {
    while seen < last {
        seen = seen.max(subscription.next_commit().await.commit.debate.last_seq);
    }
}

fn one_waits_and_one_writes() {
    let scene = Scene::new();
    let waiter = spawn({
        let scene = scene.clone();
        async move { scene.wait_for(2).await }
    });
    scene.write_up_to(2);
    block_on(waiter).unwrap();
    scene.nobody_is_left();
}

#[test]
fn one_who_registers_and_then_looks_is_woken_in_every_order() {
    in_every_order("one waits while one writes", one_waits_and_one_writes);
}

fn some_wait_some_leave_and_one_writes() {
    let scene = Scene::new();
    let mut tasks = Vec::new();
    for _ in 0..2 {
        let scene = scene.clone();
        tasks.push(spawn(async move { scene.wait_for(LAST).await }));
    }
    let gone = spawn({
        let scene = scene.clone();
        async move { scene.wait_for(LAST + 1).await }
    });
    tasks.push(spawn({
        let scene = scene.clone();
        async move {
            drop(scene.notifier.subscribe(DEBATE));
            drop(scene.notifier.subscribe(DEBATE));
        }
    }));
    scene.write_up_to(LAST);
    tasks.into_iter().for_each(|task| block_on(task).unwrap());
    gone.abort();
    let _ = block_on(gone);
    scene.nobody_is_left();
}

#[test]
fn no_wakeup_is_lost_and_nobody_who_left_is_kept() {
    in_many_orders("some wait, some leave, one writes", some_wait_some_leave_and_one_writes);
}

#[test]
#[should_panic(expected = "deadlock")]
fn one_who_looks_first_and_then_registers_is_found_out() {
    in_every_order("one looks first", || {
        let scene = Scene::new();
        let waiter = spawn({
            let scene = scene.clone();
            async move {
                let seen = scene.look();
                hear(scene.notifier.subscribe(DEBATE), seen, 2).await;
            }
        });
        scene.write_up_to(2);
        block_on(waiter).unwrap();
    });
}

/// Another server writes and its notice is lost, so that a look now and then has to find it.
fn what_another_wrote_is_found() {
    let (scene, left) = (Scene::new(), Arc::new(AtomicUsize::new(2)));
    for _ in 0..2 {
        let (scene, left) = (scene.clone(), left.clone());
        spawn(async move {
            scene.wait_for(2).await;
            left.fetch_sub(1, Ordering::SeqCst);
        });
    }
    let elsewhere = spawn({
        let scene = scene.clone();
        async move { scene.store(2) }
    });
    while left.load(Ordering::SeqCst) > 0 {
        let seq = scene.look();
        if scene.notifier.subscribed_ids().contains(&DEBATE) && scene.notifier.is_unknown(DEBATE, seq) {
            scene.notifier.publish(&[moved_to(seq)]);
        }
        block_on(yield_now());
    }
    block_on(elsewhere).unwrap();
    scene.nobody_is_left();
}

#[test]
fn what_another_server_wrote_is_news_until_all_who_wait_know_it() {
    in_many_orders("two wait for what another server writes", what_another_wrote_is_found);
}

/// The writer and the one who hears of other servers tell of the same debate at once.
fn all_are_told_in_order() {
    let scene = Scene::new();
    let mut all = scene.notifier.subscribe_all();
    let elsewhere = spawn({
        let scene = scene.clone();
        async move {
            for seq in [2, LAST] {
                scene.notifier.publish(&[moved_to(seq)]);
            }
        }
    });
    scene.write_up_to(LAST);
    block_on(elsewhere).unwrap();
    let mut last = 1;
    while let Ok(commit) = all.try_recv() {
        assert!(commit.debate.last_seq > last, "{} came after {last}", commit.debate.last_seq);
        last = commit.debate.last_seq;
    }
    assert_eq!(last, LAST, "the newest was not told");
}

#[test]
fn those_who_follow_all_debates_are_told_in_order_whoever_tells() {
    in_many_orders("two tell those who follow all", all_are_told_in_order);
}

/// Some wait in a role and leave, while one watches who waits.
fn who_waits_is_told() {
    let scene = Scene::new();
    let mut watcher = scene.notifier.subscribe(DEBATE);
    let mut waiters = Vec::new();
    for role in [Role::Proposer, Role::Proposer, Role::Opponent] {
        let scene = scene.clone();
        waiters.push(spawn(async move {
            let mut subscription = scene.notifier.subscribe(DEBATE);
            let presence = subscription.register_presence(role, DateTime::UNIX_EPOCH);
            assert!(subscription.waiting().iter().any(|one| one.role == role), "one who waits is not there");
            presence.end_now();
        }));
    }
    let watches = spawn(async move {
        while let Event::Presence(waiting) = watcher.next_event().await {
            assert!(waiting.len() <= 2, "one role is there twice: {waiting:?}");
        }
        watcher
    });
    waiters.into_iter().for_each(|waiter| block_on(waiter).unwrap());
    // News of the debate ends the watch.
    scene.write_up_to(2);
    let mut watcher = block_on(watches).unwrap();
    assert_eq!(watcher.waiting(), [], "somebody who left still waits");
    drop(watcher);
    scene.nobody_is_left();
}

#[test]
fn who_waits_is_known_and_forgotten_with_the_last_of_a_role() {
    in_many_orders("some wait and leave, one watches", who_waits_is_told);
}
