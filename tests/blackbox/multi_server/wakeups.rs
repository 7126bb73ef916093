//! A write at one server wakes the waiters and viewers of the others.

use std::time::{Duration, Instant};

use serde_json::{Value, json};
use tests::{
    api_response::ApiResponse,
    debate::{Debate, Situation},
    ids,
    postgres::Postgres,
    proxy::{Network, Proxy},
    request_bodies::{self, with},
    server::{Server, Settings},
};
use tokio::task::JoinHandle;

use super::several;
use crate::websocket::viewer::Viewer;

/// How much later a wake-up through another server may be: it is told by a notification, not found by polling.
const LONGER: Duration = Duration::from_millis(25);

/// The maximum time until polling finds a write, which it does once a second where the machine is not busy.
const FOUND: Duration = Duration::from_secs(10);

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_write_at_any_server_wakes_the_waiters_and_viewers_of_all_servers() {
    let servers = several(3).await;
    let debate = Debate::create(&servers[0].client()).await;
    let mut viewers = Vec::new();
    for server in &servers {
        let (viewer, state) = Viewer::of_debate(server, &debate.id).await;
        assert_eq!(state["debate"]["last_seq"], 1);
        viewers.push(viewer);
    }
    let mut debate = debate;
    for (turn, role) in ["opponent", "proposer"].into_iter().cycle().take(9).enumerate() {
        let waits = servers.iter().map(|server| {
            let (client, newest) = (server.client(), debate.newest().to_owned());
            let path = debate.path(&format!("/wait?role=arbitrator&argument_id={newest}&timeout=60"));
            let path = path.replace("arbitrator", if role == "opponent" { "proposer" } else { "opponent" });
            tokio::spawn(async move { client.get(&path).await.data(200) })
        });
        let waits: Vec<_> = waits.collect();
        for server in &servers {
            // The viewer and the wait.
            server.wait_for_connections(2).await;
        }
        let mut writer = debate.by(&servers[turn % servers.len()].client());
        let written = writer.claim(role).await;
        debate.arguments = writer.arguments;
        for wait in waits {
            let data = wait.await.unwrap();
            assert_eq!(data["argument"]["seq"], turn + 2, "{data}");
            assert_eq!(data["next_argument_id_to_wait"], debate.newest());
        }
        for viewer in &mut viewers {
            assert_eq!(next_event(viewer, "new_argument").await, written["argument"]);
            assert_eq!(next_event(viewer, "state_changed").await["state"], written["debate_state"]);
        }
    }
}

/// The next event, which must be this one. Presence events, which concern one server only, are skipped.
async fn next_event(viewer: &mut Viewer, name: &str) -> Value {
    loop {
        let event = viewer.next().await;
        if event.name != "presence" {
            assert_eq!(event.name, name, "{event:?}");
            return event.data;
        }
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn list_viewers_see_the_writes_of_other_servers_once_and_in_order() {
    let servers = several(2).await;
    let (mut viewer, state) = Viewer::of_list(&servers[1]).await;
    assert_eq!(state, json!({"debates": [], "total": 0}));
    let mut debate = Debate::create(&servers[0].client()).await;
    assert_eq!(viewer.expect("debate_changed").await, debate.stored().await["debate"]);
    for role in ["opponent", "proposer"].into_iter().cycle().take(6) {
        debate.claim(role).await;
        assert_eq!(viewer.expect("debate_changed").await, debate.stored().await["debate"]);
    }
    // The server's own writes are reported in the same way.
    let mut here = debate.by(&servers[1].client());
    here.claim("opponent").await;
    assert_eq!(viewer.expect("debate_changed").await["last_seq"], 8);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn waiters_are_woken_by_polling_when_notifications_are_lost() {
    let first = Server::start().await;
    let (second, _proxy) = without_notifications(&first).await;
    let mut debate = Debate::create(&first.client()).await;
    for role in ["opponent", "proposer"].into_iter().cycle().take(4) {
        let (client, newest) = (second.client(), debate.newest().to_owned());
        let waiter = if role == "opponent" { "proposer" } else { "opponent" };
        let path = debate.path(&format!("/wait?role={waiter}&argument_id={newest}&timeout=60"));
        let wait = tokio::spawn(async move { client.get(&path).await.data(200) });
        second.wait_for_connections(1).await;
        debate.claim(role).await;
        let start = Instant::now();
        assert_eq!(wait.await.unwrap()["next_argument_id_to_wait"], debate.newest());
        assert!(start.elapsed() < FOUND, "it was found after {:?}", start.elapsed());
    }
}

/// A second server, which gets no notifications, and the proxy between it and the database.
async fn without_notifications(first: &Server) -> (Server, Proxy) {
    let proxy = Proxy::to(Postgres::shared().port()).await;
    proxy.set(Network::NoNotifications);
    let url = Postgres::shared().url_through(proxy.port(), first.store().database().name());
    (Server::on_store(Settings::new().args(&["--database-url", &url]), first.store()).await, proxy)
}

fn waiting(server: &Server, path: String) -> JoinHandle<ApiResponse> {
    let client = server.client();
    tokio::spawn(async move { client.get(&path).await })
}

fn until_opened(server: &Server, id: &str, role: &str) -> JoinHandle<ApiResponse> {
    waiting(server, format!("/debates/{id}/wait?role={role}&until_opened=true"))
}

async fn open(server: &Server, id: &str) -> Debate {
    Debate::create_with(&server.client(), &with(request_bodies::creation(), "debate_id", id)).await
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_opening_at_any_server_wakes_those_who_wait_for_it_at_all_servers() {
    let servers = several(2).await;
    for writer in [0, 1, 0, 1] {
        let id = ids::fresh();
        let mut waits = Vec::new();
        for server in &servers {
            server.wait_for_connections(0).await;
            waits.extend((0..5).map(|_| until_opened(server, &id, "opponent")));
        }
        for server in &servers {
            server.wait_for_connections(5).await;
        }
        let debate = open(&servers[writer], &id).await;
        for wait in waits {
            assert_eq!(wait.await.unwrap().data(200)["argument"]["id"], debate.newest());
        }
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_opening_is_found_by_polling_when_notifications_are_lost_also_if_others_have_read_it() {
    let first = Server::start().await;
    let (second, _proxy) = without_notifications(&first).await;
    for _ in 0..3 {
        let id = ids::fresh();
        second.wait_for_connections(0).await;
        let opening = until_opened(&second, &id, "opponent");
        second.wait_for_connections(1).await;
        let debate = open(&first, &id).await;
        let start = Instant::now();
        // This wait subscribes to the same debate and reads it when it is open.
        let reader = waiting(&second, debate.path("/wait?role=proposer&timeout=1"));
        assert_eq!(opening.await.unwrap().data(200)["argument"]["id"], debate.newest());
        assert!(start.elapsed() < FOUND, "it was found after {:?}", start.elapsed());
        assert_eq!(reader.await.unwrap().data(200)["has_new_argument"], false);
    }
}

/// Waits for rulings in any debate and in this one.
fn for_rulings(server: &Server, id: &str) -> [JoinHandle<ApiResponse>; 2] {
    let any = "/wait?role=arbitrator".to_owned();
    let named = format!("{any}&debate_id={id}&debate_id={}", ids::fresh());
    [any, named].map(|path| waiting(server, path))
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_ruling_that_becomes_due_at_one_server_wakes_the_arbitrators_at_all_servers() {
    let servers = several(2).await;
    for writer in [0, 1, 0, 1] {
        let mut debate = Debate::in_situation(&servers[1 - writer].client(), Situation::AwaitingProposer).await;
        let mut waits = Vec::new();
        for server in &servers {
            server.wait_for_connections(0).await;
            waits.extend(for_rulings(server, &debate.id));
        }
        for server in &servers {
            server.wait_for_connections(2).await;
        }
        debate = debate.by(&servers[writer].client());
        debate.appeal().await;
        for wait in waits {
            let data = wait.await.unwrap().data(200);
            assert_eq!((&data["total"], &data["debates"][0]["id"]), (&json!(1), &json!(debate.id)), "{data}");
        }
        debate.rule(true).await;
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn arbitrators_are_woken_by_polling_when_notifications_are_lost() {
    let first = Server::start().await;
    let (second, _proxy) = without_notifications(&first).await;
    for _ in 0..3 {
        let id = ids::fresh();
        second.wait_for_connections(0).await;
        let waits = for_rulings(&second, &id);
        second.wait_for_connections(2).await;
        let mut debate = open(&first, &id).await;
        debate.intervene().await;
        let start = Instant::now();
        for wait in waits {
            assert_eq!(wait.await.unwrap().data(200)["debates"][0]["id"], id.as_str());
        }
        assert!(start.elapsed() < FOUND, "it was found after {:?}", start.elapsed());
        debate.rule(true).await;
    }
}

/// How long after the write at one server the wait at another returns.
async fn wake(writer: &mut Debate, role: &str, waiter: &Server) -> Duration {
    let other = if role == "opponent" { "proposer" } else { "opponent" };
    let path = writer.path(&format!("/wait?role={other}&argument_id={}&timeout=60", writer.newest()));
    let client = waiter.client();
    let wait = tokio::spawn(async move {
        client.get(&path).await.data(200);
        Instant::now()
    });
    waiter.wait_for_connections(1).await;
    writer.claim(role).await;
    let acknowledged = Instant::now();
    wait.await.unwrap().saturating_duration_since(acknowledged)
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_wake_up_through_another_server_is_hardly_slower() {
    const ROUNDS: usize = 100;
    let servers = several(2).await;
    let mut debate = Debate::create(&servers[0].client()).await;
    let (mut same_server, mut other_server) = (Vec::new(), Vec::new());
    for round in 0..ROUNDS {
        let role = ["opponent", "proposer"][round % 2];
        if round / 2 % 2 == 0 {
            same_server.push(wake(&mut debate, role, &servers[0]).await);
        } else {
            other_server.push(wake(&mut debate, role, &servers[1]).await);
        }
    }
    // Other load on the machine delays some of either kind, but not half of them.
    let [same, other] = [same_server, other_server].map(|mut latencies| {
        latencies.sort_unstable();
        latencies[latencies.len() / 2]
    });
    assert!(other <= same + LONGER, "medians of wake-ups at the same server and at another: {same:?}, {other:?}");
}
