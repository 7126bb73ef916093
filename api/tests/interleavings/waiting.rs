//! No wake-up is lost, and no entry stays after its last subscriber.

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
    fixtures::{DEBATE, OTHER, commit_at, ruling_due_in},
    in_every_order, in_many_orders,
    notifier::{Event, Notifier, Subscription},
    store::Commit,
};

/// The `last_seq` that the debate reaches.
const LAST: u64 = 3;

/// A stored debate and its waiters.
struct Scenario {
    stored_seq: Mutex<u64>,
    notifier: Arc<Notifier>,
}

impl Scenario {
    fn new() -> Arc<Self> {
        Arc::new(Self { stored_seq: Mutex::new(1), notifier: Arc::default() })
    }

    fn read(&self) -> u64 {
        *self.stored_seq.lock().unwrap()
    }

    fn store(&self, seq: u64) -> [Arc<Commit>; 1] {
        *self.stored_seq.lock().unwrap() = seq;
        [commit_at(seq)]
    }

    /// Writes like the writer: publishes after the commit.
    fn write_up_to(&self, last: u64) {
        for seq in 2..=last {
            self.notifier.publish(&self.store(seq));
        }
    }

    /// Waits like a waiter: subscribes first, then reads.
    async fn wait_for(&self, last: u64) {
        let subscription = self.notifier.subscribe(DEBATE);
        let seen = self.read();
        self.notifier.mark_read(DEBATE, seen);
        wait_until(subscription, seen, last).await;
    }

    fn check_no_subscriber_left(&self) {
        assert_eq!(self.notifier.subscribed_ids(), [], "an entry without subscribers is left");
    }
}

/// Waits for news until `last` is seen.
async fn wait_until(mut subscription: Subscription, mut seen: u64, last: u64) {
    while seen < last {
        seen = seen.max(subscription.next_commit().await.commit.debate.last_seq);
    }
}

fn one_waits_and_one_writes() {
    let scenario = Scenario::new();
    let waiter = spawn({
        let scenario = scenario.clone();
        async move { scenario.wait_for(2).await }
    });
    scenario.write_up_to(2);
    block_on(waiter).unwrap();
    scenario.check_no_subscriber_left();
}

#[test]
fn a_waiter_that_subscribes_before_reading_is_woken_in_every_order() {
    in_every_order("one waits while one writes", one_waits_and_one_writes);
}

fn some_wait_some_leave_and_one_writes() {
    let scenario = Scenario::new();
    let mut tasks = Vec::new();
    for _ in 0..2 {
        let scenario = scenario.clone();
        tasks.push(spawn(async move { scenario.wait_for(LAST).await }));
    }
    let gone = spawn({
        let scenario = scenario.clone();
        async move { scenario.wait_for(LAST + 1).await }
    });
    tasks.push(spawn({
        let scenario = scenario.clone();
        async move {
            drop(scenario.notifier.subscribe(DEBATE));
            drop(scenario.notifier.subscribe(DEBATE));
        }
    }));
    scenario.write_up_to(LAST);
    tasks.into_iter().for_each(|task| block_on(task).unwrap());
    gone.abort();
    let _ = block_on(gone);
    scenario.check_no_subscriber_left();
}

#[test]
fn no_wakeup_is_lost_and_no_entry_is_left() {
    in_many_orders("some wait, some leave, one writes", some_wait_some_leave_and_one_writes);
}

#[test]
#[should_panic(expected = "deadlock")]
fn control_a_waiter_that_reads_before_subscribing_is_found() {
    in_every_order("one reads before subscribing", || {
        let scenario = Scenario::new();
        let waiter = spawn({
            let scenario = scenario.clone();
            async move {
                let seen = scenario.read();
                wait_until(scenario.notifier.subscribe(DEBATE), seen, 2).await;
            }
        });
        scenario.write_up_to(2);
        block_on(waiter).unwrap();
    });
}

/// A peer writes and its notification is lost, so that polling has to find the write.
fn polling_finds_a_peer_write() {
    let (scenario, left) = (Scenario::new(), Arc::new(AtomicUsize::new(2)));
    for _ in 0..2 {
        let (scenario, left) = (scenario.clone(), left.clone());
        spawn(async move {
            scenario.wait_for(2).await;
            left.fetch_sub(1, Ordering::SeqCst);
        });
    }
    let peer = spawn({
        let scenario = scenario.clone();
        async move { scenario.store(2) }
    });
    while left.load(Ordering::SeqCst) > 0 {
        let seq = scenario.read();
        if scenario.notifier.subscribed_ids().contains(&DEBATE) && scenario.notifier.is_unknown(DEBATE, seq) {
            scenario.notifier.publish(&[commit_at(seq)]);
        }
        block_on(yield_now());
    }
    block_on(peer).unwrap();
    scenario.check_no_subscriber_left();
}

#[test]
fn a_peer_write_is_news_until_all_waiters_know_it() {
    in_many_orders("two wait for a write of a peer", polling_finds_a_peer_write);
}

/// A peer opens the debate. One waits for that, another reads it as soon as it is open, and notifications come from polling.
fn polling_finds_an_opening() {
    let (scenario, woken) = (Scenario::new(), Arc::new(AtomicUsize::new(0)));
    *scenario.stored_seq.lock().unwrap() = 0;
    spawn({
        let (scenario, woken) = (scenario.clone(), woken.clone());
        async move {
            scenario.wait_for(1).await;
            woken.store(1, Ordering::SeqCst);
        }
    });
    let reader = spawn({
        let scenario = scenario.clone();
        async move {
            let subscription = scenario.notifier.subscribe(DEBATE);
            let seen = scenario.read();
            scenario.notifier.mark_read(DEBATE, seen);
            subscription
        }
    });
    let peer = spawn({
        let scenario = scenario.clone();
        async move { scenario.store(1) }
    });
    while woken.load(Ordering::SeqCst) == 0 {
        let seq = scenario.read();
        if seq > 0 && scenario.notifier.is_unknown(DEBATE, seq) {
            scenario.notifier.publish(&[commit_at(seq)]);
        }
        block_on(yield_now());
    }
    block_on(peer).unwrap();
    drop(block_on(reader).unwrap());
    scenario.check_no_subscriber_left();
}

#[test]
fn an_opening_is_news_to_whoever_waits_for_it() {
    in_many_orders("one waits for the opening by a peer, one reads", polling_finds_an_opening);
}

/// A ruling becomes due while some wait for it, in any debate and in one, and one waits for another debate and leaves.
fn some_wait_for_a_ruling() {
    let scenario = Scenario::new();
    let waiters = scenario.notifier.ruling_waiters().clone();
    let mut tasks = Vec::new();
    for debates in [vec![], vec![DEBATE], vec![OTHER, DEBATE]] {
        let (scenario, waiters) = (scenario.clone(), waiters.clone());
        tasks.push(spawn(async move {
            let mut subscription = waiters.subscribe(&debates);
            while scenario.read() < 2 {
                subscription.woken().await;
            }
        }));
    }
    tasks.push(spawn({
        let waiters = waiters.clone();
        async move { drop(waiters.subscribe(&[OTHER])) }
    }));
    let [commit] = scenario.store(2);
    scenario.notifier.publish(&[ruling_due_in(&commit)]);
    tasks.into_iter().for_each(|task| block_on(task).unwrap());
    assert!(!waiters.wait_for_any() && waiters.named().is_empty(), "an entry without waiters is left");
}

#[test]
fn whoever_waits_for_a_ruling_is_woken() {
    in_many_orders("some wait for a ruling", some_wait_for_a_ruling);
}

/// The writer and the task that follows peers publish commits of the same debate at once.
fn list_subscribers_get_commits_in_order() {
    let scenario = Scenario::new();
    let mut all = scenario.notifier.subscribe_all();
    let peer = spawn({
        let scenario = scenario.clone();
        async move {
            for seq in [2, LAST] {
                scenario.notifier.publish(&[commit_at(seq)]);
            }
        }
    });
    scenario.write_up_to(LAST);
    block_on(peer).unwrap();
    let mut last = 1;
    while let Ok(debate) = all.try_recv() {
        assert!(debate.last_seq > last, "{} came after {last}", debate.last_seq);
        last = debate.last_seq;
    }
    assert_eq!(last, LAST, "the newest commit was not published");
}

#[test]
fn list_subscribers_get_commits_in_order_whoever_publishes() {
    in_many_orders("two publish to list subscribers", list_subscribers_get_commits_in_order);
}

/// Some wait in a role and leave, while one watches the presence.
fn presence_follows_waiters() {
    let scenario = Scenario::new();
    let mut watcher = scenario.notifier.subscribe(DEBATE);
    let mut waiters = Vec::new();
    for role in [Role::Proposer, Role::Proposer, Role::Opponent] {
        let scenario = scenario.clone();
        waiters.push(spawn(async move {
            let mut subscription = scenario.notifier.subscribe(DEBATE);
            let presence = subscription.register_presence(role, DateTime::UNIX_EPOCH);
            assert!(subscription.waiting().iter().any(|one| one.role == role), "a waiter is missing");
            presence.end_now();
        }));
    }
    let watches = spawn(async move {
        while let Event::Presence(waiting) = watcher.next_event().await {
            assert!(waiting.len() <= 2, "a role is listed twice: {waiting:?}");
        }
        watcher
    });
    waiters.into_iter().for_each(|waiter| block_on(waiter).unwrap());
    // News of the debate ends the watch.
    scenario.write_up_to(2);
    let mut watcher = block_on(watches).unwrap();
    assert_eq!(watcher.waiting(), [], "a waiter that left is still listed");
    drop(watcher);
    scenario.check_no_subscriber_left();
}

#[test]
fn a_role_is_present_until_its_last_waiter_leaves() {
    in_many_orders("some wait and leave, one watches", presence_follows_waiters);
}
