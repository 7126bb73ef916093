//! A database that is unavailable for a while.

use std::time::{Duration, Instant};

use futures_util::future::join_all;
use serde_json::Value;
use tests::{
    client::Client,
    debate::Debate,
    postgres::Postgres,
    proxy::{Network, Proxy},
    request_bodies::{self, with},
    server::{Server, Settings},
    store::{Backend, Store},
};

/// The maximum time until a request is refused, on a busy machine: a query has 6 s, and getting a connection for it 2 s.
const BOUNDED: Duration = Duration::from_secs(20);

/// The maximum time until writes are accepted again, which takes less than a second where the machine is not busy.
const RECOVERED: Duration = Duration::from_secs(10);

/// How long a database hangs, at least.
const HANGING: Duration = Duration::from_secs(20);

async fn server_at(url: &str) -> Server {
    let folder = tempfile::TempDir::new().unwrap();
    let settings = Settings::new().args(&["--database-url", url]);
    Server::on_store(settings, &Store::fresh_on(Backend::Sqlite, folder.path())).await
}

/// Checks that reads, writes and the health check are refused in time, and that the metrics say so.
async fn is_unavailable(server: &Server, debate: &Debate) {
    let client = server.client();
    let claim = request_bodies::claim("opponent", debate.newest());
    let asked = [
        client.request("GET", "/debates"),
        client.request("GET", &debate.path("")),
        client.write(&debate.path("/arguments"), claim.to_string()),
        client.request("GET", "/health"),
    ];
    let start = Instant::now();
    let answers = join_all(asked.iter().map(|request| client.send(request))).await;
    assert!(start.elapsed() < BOUNDED, "they took {:?}", start.elapsed());
    for answer in answers {
        let error = answer.refusal("STORE_UNAVAILABLE");
        assert!(error["retry_after"].as_u64().is_some_and(|seconds| seconds > 0), "{error}");
    }
    let metrics = client.response(&client.request("GET", "/metrics")).await.unwrap();
    let text = String::from_utf8(metrics.body).unwrap();
    assert!(metrics.status == 200 && text.contains("\naweave_store_up 0\n"), "{text}");
    assert!(!text.contains("aweave_debates{"), "{text}");
}

/// Waits as `aw` does: again, where the store cannot answer.
async fn woken(client: Client, path: String) -> Value {
    loop {
        let answer = client.get(&path).await;
        if answer.status == 200 {
            return answer.data(200);
        }
        answer.refusal("STORE_UNAVAILABLE");
        tokio::time::sleep(Duration::from_secs(1)).await;
    }
}

/// Repeats a write until it is accepted, within the limit.
async fn recovers(debate: &mut Debate, role: &str) {
    let body = with(request_bodies::claim(role, debate.newest()), "content", format!("{role} goes on"));
    let start = Instant::now();
    loop {
        let answer = debate.attempt("arguments", &body).await;
        if answer.status < 300 {
            let data = answer.data_of_any_success();
            debate.arguments.push(tests::debate::text(&data["argument"]["id"]));
            return;
        }
        assert!(start.elapsed() < RECOVERED, "after {:?} still {answer}", start.elapsed());
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn servers_recover_from_a_database_restart() {
    let postgres = Postgres::start();
    let server = server_at(&postgres.url("postgres")).await;
    let mut debate = Debate::create(&server.client()).await;
    for role in ["opponent", "proposer"] {
        tokio::task::block_in_place(|| postgres.stop());
        is_unavailable(&server, &debate).await;
        tokio::task::block_in_place(|| postgres.restart());
        recovers(&mut debate, role).await;
        server.client().get("/health").await.data(200);
    }
    assert_eq!(debate.stored().await["debate"]["last_seq"], 3);
}

#[rstest::rstest]
#[case::both_ways(Network::BothHeld)]
#[case::on_the_way_there(Network::RequestsHeld)]
#[case::on_the_way_back(Network::ResponsesHeld)]
#[case::hung_up(Network::Closed)]
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn servers_recover_from_a_network_failure(#[case] cut: Network) {
    let database = Postgres::shared().create();
    let proxy = Proxy::to(Postgres::shared().port()).await;
    let server = server_at(&Postgres::shared().url_through(proxy.port(), database.name())).await;
    let mut debate = Debate::create(&server.client()).await;
    debate.claim("opponent").await;
    proxy.set(cut);
    is_unavailable(&server, &debate).await;
    proxy.set(Network::Connected);
    recovers(&mut debate, "proposer").await;
    // The write that got no response is stored at most once.
    let history = debate.history().await;
    crate::state_machine::replay(&history);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn servers_go_on_once_a_database_answers_again_that_hung_and_wake_who_waits() {
    let postgres = Postgres::start();
    let url = postgres.url("postgres");
    let servers = [server_at(&url).await, server_at(&url).await];
    let mut debate = Debate::create(&servers[0].client()).await;
    let path = debate.path(&format!("/wait?role=proposer&argument_id={}&timeout=60", debate.newest()));
    let waits = servers.each_ref().map(|server| tokio::spawn(woken(server.client(), path.clone())));
    for server in &servers {
        server.wait_for_connections(1).await;
    }
    tokio::task::block_in_place(|| postgres.hang());
    let hanging = Instant::now();
    // The second time it is known that nothing can be written, too.
    for _ in 0..2 {
        tokio::join!(is_unavailable(&servers[0], &debate), is_unavailable(&servers[1], &debate));
    }
    tokio::time::sleep(HANGING.saturating_sub(hanging.elapsed())).await;
    tokio::task::block_in_place(|| postgres.resume());
    recovers(&mut debate, "opponent").await;
    let start = Instant::now();
    for (server, wait) in servers.iter().zip(waits) {
        assert_eq!(wait.await.unwrap()["next_argument_id_to_wait"], debate.newest());
        server.client().get("/health").await.data(200);
        assert!(start.elapsed() < BOUNDED, "it took {:?}", start.elapsed());
    }
    crate::state_machine::replay(&debate.history().await);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_database_that_is_read_only_for_a_while_is_told_by_the_health_check() {
    let database = Postgres::shared().create();
    let server = server_at(&database.url()).await;
    let mut debate = Debate::create(&server.client()).await;
    let set = |read_only: &str| {
        let name = database.name();
        let sql = format!(
            "ALTER DATABASE {name} SET default_transaction_read_only = {read_only}; \
             SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '{name}' AND application_name = 'aweave-server'"
        );
        Postgres::shared().run("postgres", &sql);
    };
    set("on");
    // The first attempts find that their connections are gone.
    let claim = request_bodies::claim("opponent", debate.newest());
    for _ in 0..5 {
        let error = debate.attempt("arguments", &claim).await.refusal("STORE_UNAVAILABLE");
        assert!(error["message"].as_str().unwrap().contains("nothing can be stored"), "{error}");
    }
    // Reads go on, once they have connections that were not ended.
    let start = Instant::now();
    while server.client().get(&debate.path("")).await.status != 200 {
        assert!(start.elapsed() < RECOVERED, "reads fail, too");
    }
    let error = server.client().get("/health").await.refusal("STORE_UNAVAILABLE");
    assert_eq!((error["reading"].as_str(), error["writing"].as_str()), (Some("ok"), Some("failing")), "{error}");
    set("off");
    let start = Instant::now();
    while server.client().get("/health").await.status != 200 {
        assert!(start.elapsed() < RECOVERED, "it is still failing");
    }
    debate.claim("opponent").await;
}
