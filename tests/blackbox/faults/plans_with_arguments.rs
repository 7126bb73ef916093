//! Servers that are killed while plans come with arguments: of each plan and its argument both are stored, or neither.

use std::time::Duration;

use fastrand::Rng;
use serde_json::{Value, json};
use tests::{
    client::Client,
    debate::{Debate, text},
    document::Document,
    ids,
    random::{fault_factor, seed},
    report::report,
    request_bodies::{self, with},
    server::{Server, Settings},
};
use tokio::{task::JoinSet, time::sleep};

const DEBATES: usize = 8;

/// How many plans a debate may get.
const PLANS: usize = 200;

fn plan(title: &str, number: usize) -> String {
    format!("{title}\n{number}\n{}", "A line of the plan.\n".repeat(number % 7 * 300))
}

fn creation(title: &str) -> Value {
    let body = with(request_bodies::creation(), "title", title);
    with(body, "plan", json!({"content": plan(title, 1)}))
}

/// Writes plan after plan, until the server is gone. Returns the first write that was not answered.
async fn write(client: Client, title: String) -> Option<(String, Value)> {
    let send = async |path: &str, body: Value| match client.try_send(&client.write(path, body.to_string())).await {
        Ok(answer) if answer.status != 503 => Ok(text(&answer.data(201)["argument"]["id"])),
        Ok(_) | Err(_) => Err((path.to_owned(), body)),
    };
    let turns = async || {
        let body = creation(&title);
        let path = format!("/debates/{}/arguments", text(&body["debate_id"]));
        let mut newest = send("/debates", body).await?;
        for number in 2..=PLANS {
            newest = send(&path, request_bodies::claim("opponent", &newest)).await?;
            let plan = json!({"content": plan(&title, number), "base": number - 1});
            newest = send(&path, with(request_bodies::claim("proposer", &newest), "plan", plan)).await?;
        }
        Ok(())
    };
    turns().await.err()
}

/// Checks that each argument of the proposer cites the version that came with it, and that there are no other versions.
async fn check(client: &Client, title: &str) -> usize {
    let count = async |list: &str| {
        let found = client.get(&format!("/{list}?q={title}")).await.data(200);
        (found["total"].as_u64().unwrap(), found[list][0]["id"].clone())
    };
    let ((debates, id), (documents, document)) = (count("debates").await, count("documents").await);
    assert_eq!(debates, documents, "{title}: a debate and its plan");
    if debates == 0 {
        return 0;
    }
    let context = client.get(&format!("/debates/{}", text(&id))).await.data(200);
    let document = Document::at(client, text(&document));
    let arguments = [&context["motion"]].into_iter().chain(context["arguments"].as_array().unwrap());
    let with_plans: Vec<&Value> = arguments.filter(|argument| argument["role"] == "proposer").collect();
    let history = document.history("limit=1").await.data(200);
    assert_eq!(history["total"], with_plans.len(), "{title}: versions and arguments that cite them");
    for (number, argument) in (1..).zip(&with_plans) {
        let line = format!("Plan: doc_id={} v{number}", document.id);
        assert_eq!(argument["content"].as_str().unwrap().lines().next(), Some(&*line));
        let version = document.get(&format!("version={number}")).await.data(200)["version"].clone();
        assert_eq!(version["content"], plan(title, number), "{title}: version {number}");
        assert_eq!(argument["citations"][0]["sha256"], version["sha256"]);
    }
    with_plans.len()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_killed_server_has_both_a_plan_and_its_argument_or_neither() {
    let (seed, crashes) = (seed(), 4 * fault_factor());
    let mut random = Rng::with_seed(seed);
    let mut server = Server::with(Settings::new().restartable()).await;
    let (mut plans, mut unanswered) = (0, 0);
    for _ in 0..crashes {
        let titles: Vec<String> = (0..DEBATES).map(|_| format!("crash-{}", ids::fresh())).collect();
        let mut writers = JoinSet::new();
        for title in &titles {
            writers.spawn(write(server.client(), title.clone()));
        }
        // A random moment, in most rounds within a batch.
        sleep(Duration::from_micros(random.u64(5_000..300_000))).await;
        server.kill();
        let unknown: Vec<_> = writers.join_all().await.into_iter().flatten().collect();
        server.restart().await;
        let client = server.client();
        for title in &titles {
            plans += check(&client, title).await;
        }
        // Repeated, what was not answered is stored once.
        for (path, body) in &unknown {
            client.post(path, body).await.data_of_any_success();
            client.post(path, body).await.data(200);
        }
        for title in &titles {
            check(&client, title).await;
        }
        unanswered += unknown.len();
    }
    assert!(unanswered > 0, "no crash interrupted a write, so the test proves nothing");
    let (fine, said) = server.verify();
    assert!(fine, "{said}");
    report(&format!("{crashes} crashes, {plans} plans, {unanswered} writes without an answer, AWEAVE_SEED={seed}"));
}

/// The median time of a claim with a plan beside that of a version and a claim in two requests, one after the other in turns.
#[tokio::test]
async fn a_plan_with_its_argument_is_timed_beside_two_requests() {
    let rounds = 20 * fault_factor();
    let server = Server::shared().await;
    let client = server.client();
    let content = |number: usize| plan("Timed", number);
    let mut together = Debate::create_with(&client, &creation("Timed")).await;
    let mut apart = Debate::create_with(&client, &creation("Timed")).await;
    let document = Document::at(&client, text(&apart.stored().await["debate"]["plan"]["document_id"]));
    let (mut one, mut two) = (Vec::new(), Vec::new());
    for number in 2..rounds + 2 {
        together.claim("opponent").await;
        apart.claim("opponent").await;
        let body =
            with(request_bodies::claim("proposer", together.newest()), "plan", json!({"content": content(number)}));
        let started = std::time::Instant::now();
        together.write("arguments", &body).await;
        one.push(started.elapsed());
        let started = std::time::Instant::now();
        let version = document.submit(&request_bodies::document(&content(number))).await["version"]["version"].clone();
        let cited = format!("Plan: doc_id={} v{version}", document.id);
        let body = with(request_bodies::claim("proposer", apart.newest()), "content", cited);
        apart.write("arguments", &body).await;
        two.push(started.elapsed());
    }
    let median = |mut times: Vec<Duration>| {
        times.sort_unstable();
        times[times.len() / 2]
    };
    report(&format!(
        "a plan with its argument: {:?}; in two requests: {:?} (medians of {rounds})",
        median(one),
        median(two)
    ));
}
