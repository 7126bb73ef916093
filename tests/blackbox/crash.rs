//! A server that dies in the middle of its work.

use std::{
    collections::HashMap,
    sync::{
        Arc,
        atomic::{AtomicBool, AtomicUsize, Ordering},
    },
    time::Duration,
};

use serde_json::Value;
use tests::{
    bodies::{self, with},
    client::Client,
    debate::{Debate, text},
    ids, patience,
    server::{Server, Settings},
};
use tokio::{task::JoinSet, time::sleep};

use crate::model;

const CRASHES: usize = 10;
const DEBATES: usize = 8;
const ACKNOWLEDGED_BETWEEN_CRASHES: usize = 40;

struct Load {
    acknowledged: AtomicUsize,
    unknown: AtomicUsize,
    stop: AtomicBool,
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn ten_crashes_under_load_lose_no_acknowledged_argument_and_double_none() {
    let mut server = Server::with(Settings::new().restartable()).await;
    let load = Arc::new(Load { acknowledged: 0.into(), unknown: 0.into(), stop: false.into() });
    let mut writers = JoinSet::new();
    for _ in 0..DEBATES {
        let debate = Debate::create(&server.client()).await;
        writers.spawn(trade_claims(server.client(), debate, Arc::clone(&load)));
    }
    for crash in 1..=CRASHES {
        let goal = load.acknowledged.load(Ordering::Relaxed) + ACKNOWLEDGED_BETWEEN_CRASHES;
        let what = format!("enough is acknowledged before crash {crash}");
        patience::until(&what, || (load.acknowledged.load(Ordering::Relaxed) >= goal).then_some(())).await;
        server.kill();
        server.start_again().await;
    }
    load.stop.store(true, Ordering::Relaxed);
    for (debate, acknowledged) in writers.join_all().await {
        let history = debate.history().await;
        assert_eq!(debate.stored().await["debate"]["state"], model::replay(&history));
        let mut by_content: HashMap<String, Value> = HashMap::new();
        for argument in &history[1..] {
            let twice = by_content.insert(text(&argument["content"]), argument.clone());
            assert!(twice.is_none(), "doubled: {argument}");
        }
        assert_eq!(by_content.len(), acknowledged.len(), "every argument was acknowledged in the end");
        for argument in acknowledged {
            let content = text(&argument["content"]);
            assert_eq!(by_content.get(&content), Some(&argument), "lost or changed");
        }
    }
    assert!(load.unknown.load(Ordering::Relaxed) > 0, "no crash met a write, so nothing was tested");
}

/// Writes one claim after another, each until it is acknowledged; gives what was.
async fn trade_claims(client: Client, mut debate: Debate, load: Arc<Load>) -> (Debate, Vec<Value>) {
    let mut acknowledged = Vec::new();
    while !load.stop.load(Ordering::Relaxed) {
        let role = if acknowledged.len() % 2 == 0 { "opponent" } else { "proposer" };
        let body = with(bodies::claim(role, debate.newest()), "content", format!("claim {}", ids::fresh()));
        let argument = insist(&client, &debate.path("/arguments"), &body, &load).await;
        debate.arguments.push(text(&argument["id"]));
        acknowledged.push(argument);
        load.acknowledged.fetch_add(1, Ordering::Relaxed);
    }
    (debate, acknowledged)
}

/// Repeats one write with its request id until the server says what became of it.
async fn insist(client: &Client, path: &str, body: &Value, load: &Load) -> Value {
    let request = client.write(path, body.to_string());
    loop {
        if let Ok(answer) = client.try_send(&request).await {
            assert!(matches!(answer.status, 200 | 201), "{answer}");
            return answer.data_of_any_success()["argument"].clone();
        }
        load.unknown.fetch_add(1, Ordering::Relaxed);
        sleep(Duration::from_millis(5)).await;
    }
}
