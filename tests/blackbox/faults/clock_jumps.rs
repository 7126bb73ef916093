//! A wall clock that jumps by years while the server runs.

use std::{
    collections::HashSet,
    sync::Arc,
    time::{Duration, Instant},
};

use fastrand::Rng;
use rstest::rstest;
use tests::{
    debate::{Debate, text},
    fault_injector::{Fault, FaultInjector},
    polling::DEADLINE,
    random::{fault_factor, seed},
    raw_http,
    report::report,
    request_bodies,
    server::{Server, Settings},
    store::Store,
};
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    time::{sleep, timeout},
};

use super::{invariants::check_server, workload::Workload, write_log::WriteLog};

const CLIENTS: usize = 2;

const TEN_YEARS: i64 = 10 * 365 * 24 * 60 * 60;

/// The number of writes between two jumps.
const WRITES: usize = 30;

/// How much longer than requested a wait may be held.
const MAX_DELAY: Duration = Duration::from_secs(5);

/// The year of a timestamp.
fn year(time: &str) -> i32 {
    time.get(..4).and_then(|year| year.parse().ok()).expect("a timestamp starts with the year")
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn clock_jumps_of_ten_years_lose_nothing() {
    let (seed, jumps) = (seed(), 4 * fault_factor());
    let mut random = Rng::with_seed(seed);
    let home = tempfile::TempDir::new().unwrap();
    let store = Store::fresh(home.path());
    let injector = Arc::new(FaultInjector::for_store(&store));
    let mut server = Server::on_store(injector.apply_to(Settings::new().restartable()), &store).await;
    let quiet = Debate::create(&server.client()).await;
    let mut workload = Workload::start(&server.client(), CLIENTS, seed, WriteLog::new(|| 0));
    for jump in 0..jumps {
        // A wait that is held during the jump.
        let (client, held) = (server.client(), quiet.path("/wait?role=proposer&timeout=1"));
        let waits = tokio::spawn(async move {
            let start = Instant::now();
            assert_eq!(client.get(&held).await.data(200)["has_new_argument"], false);
            start.elapsed()
        });
        sleep(Duration::from_millis(random.u64(..300))).await;
        let forth = if jump % 2 == 0 { TEN_YEARS } else { -TEN_YEARS };
        injector.set_faults(&[Fault::ClockOffset(forth + random.i64(0..1_000_000))]);
        workload.run_for(WRITES).await;
        let held = waits.await.unwrap();
        assert!(held >= Duration::from_secs(1) && held < Duration::from_secs(1) + MAX_DELAY, "a wait took {held:?}");
        if jump % 3 == 1 {
            server.kill();
            server.restart().await;
        }
    }
    let writes = workload.end().await;
    assert_eq!(check_server(&server, &writes).await, Ok(()));
    let (mut made, mut years) = (HashSet::new(), HashSet::new());
    for data in writes.iter().filter_map(|write| Some(&write.acknowledged.as_ref()?.data)) {
        let argument = data.get("argument");
        let new = argument.or_else(|| (data["version"]["version"] == 1).then(|| &data["document"]));
        if let Some(new) = new {
            assert!(made.insert(text(&new["id"])), "an id was used twice: {data}");
            years.insert(year(&text(&new["created_at"])));
        }
    }
    let (first, last) = (years.iter().min().unwrap(), years.iter().max().unwrap());
    assert!(last - first > 15, "the clock did not jump, so the test proves nothing: {years:?}");
    report(&format!("{jumps} clock jumps between {first} and {last}: {} writes, AWEAVE_SEED={seed}", writes.len()));
}

#[rstest]
#[case::before_1970(-100)]
#[case::after_9999(8_100)]
#[tokio::test]
async fn a_clock_that_shows_no_time_from_1970_to_9999_is_an_error_and_ends_nothing(#[case] years: i64) {
    let home = tempfile::TempDir::new().unwrap();
    let store = Store::fresh(home.path());
    let injector = FaultInjector::for_store(&store);
    let mut server = Server::on_store(injector.apply_to(Settings::new().restartable()), &store).await;
    let debate = Debate::create(&server.client()).await;
    let address = server.client().address();
    let mut held = raw_http::open(address).await.unwrap();
    // So long that a busy machine sets the clock before it is over.
    let wait = debate.path("/wait?role=proposer&timeout=5");
    held.write_all(format!("GET {wait} HTTP/1.1\r\nHost: {address}\r\n\r\n").as_bytes()).await.unwrap();
    server.wait_for_held_waits(1).await;
    injector.set_faults(&[Fault::ClockOffset(years * TEN_YEARS / 10)]);
    let refused = server.client().get("/debates").await.refusal("STORE_UNAVAILABLE");
    assert!(refused["message"].as_str().unwrap().contains("clock"), "{refused}");
    server.client().get("/health").await.refusal("STORE_UNAVAILABLE");
    let claim = request_bodies::claim("opponent", debate.newest());
    debate.attempt("arguments", &claim).await.refusal("STORE_UNAVAILABLE");
    // What was held when the clock jumped is closed, so that its client asks again; what came just then is refused.
    let mut answer = Vec::new();
    timeout(DEADLINE, held.read_to_end(&mut answer)).await.expect("it is closed").unwrap();
    let answer = String::from_utf8_lossy(&answer);
    assert!(answer.is_empty() || answer.contains("STORE_UNAVAILABLE"), "{answer}");
    // It goes on by itself once the clock is set.
    injector.set_faults(&[]);
    debate.attempt("arguments", &claim).await.data(201);
    assert!(!server.log().contains("panicked"), "{}", server.log());
    injector.set_faults(&[Fault::ClockOffset(years * TEN_YEARS / 10)]);
    // A server does not start so.
    server.terminate();
    assert_eq!(server.wait_for_exit().await.code(), Some(0));
    let (status, said) = Server::start_refused(&injector.apply_to(Settings::new()), &store).await;
    assert_eq!(status.code(), Some(1));
    assert!(said.contains("before 1970 or after 9999") && !said.contains("panicked"), "{said}");
    injector.set_faults(&[]);
    server.restart().await;
    assert_eq!(debate.stored().await["debate"]["last_seq"], 2);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_panic_of_the_writer_ends_the_server() {
    let home = tempfile::TempDir::new().unwrap();
    let store = Store::fresh(home.path());
    let injector = FaultInjector::for_store(&store);
    let mut server = Server::on_store(injector.apply_to(Settings::new().restartable()), &store).await;
    let mut debate = Debate::create(&server.client()).await;
    // New ids cannot be made without them.
    injector.set_faults(&[Fault::NoRandomNumbers]);
    let client = server.client();
    let claim =
        client.write(&debate.path("/arguments"), request_bodies::claim("opponent", debate.newest()).to_string());
    // Otherwise the request itself would need an id.
    let claim = claim.header("x-request-id", &["given"]);
    let repeated_write = async {
        loop {
            // It is not answered.
            let _ = client.try_send(&claim).await;
            sleep(Duration::from_millis(20)).await;
        }
    };
    let ended = tokio::select! {
        ended = server.wait_for_exit() => ended,
        () = repeated_write => unreachable!("the loop never ends"),
    };
    assert_eq!(ended.code(), Some(1));
    let log = server.log();
    let last = log.lines().last().unwrap_or_default();
    assert!(last.starts_with("aweave-server: the writer failed"), "{log}");
    injector.set_faults(&[]);
    server.restart().await;
    debate.claim("opponent").await;
}
