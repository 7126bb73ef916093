//! A client that plays debates with documents and waits.

use std::{sync::Arc, time::Duration};

use fastrand::Rng;
use serde_json::Value;
use tests::{
    api_response::ApiResponse,
    client::Client,
    debate::text,
    ids,
    issue_changes::{change, noted, raise},
    polling::DEADLINE,
    request_bodies::{self, with},
};
use tokio::{
    task::JoinHandle,
    time::{sleep, timeout},
};

use super::write_log::WriteLog;

/// The pause before a request is repeated.
const RETRY_PAUSE: Duration = Duration::from_millis(5);

/// The maximum length of a document, in bytes.
const LONGEST: usize = 6_000;

/// A client that records its writes and what was acknowledged.
pub struct WorkloadClient {
    client: Client,
    write_log: Arc<WriteLog>,
    random: Rng,
}

impl WorkloadClient {
    /// A client with its own random seed.
    pub fn new(client: Client, write_log: Arc<WriteLog>, seed: u64) -> Self {
        Self { client, write_log, random: Rng::with_seed(seed) }
    }

    /// Plays a debate to its end, or until `enough` returns true.
    pub async fn episode(&mut self, enough: impl Fn() -> bool) {
        let content = self.text(400);
        let opening = self.write("/debates", with(request_bodies::creation(), "motion_content", content)).await;
        let debate = format!("/debates/{}", text(&opening["debate"]["id"]));
        let mut newest = text(&opening["argument"]["id"]);
        let first = request_bodies::document(&self.text(LONGEST));
        let mut plan = self.write("/documents", first).await;
        let versions = format!("/documents/{}/versions", text(&plan["document"]["id"]));
        let mut issues = Issues::default();
        for turn in 0..self.random.usize(2..8) {
            if enough() {
                return;
            }
            if self.random.u8(..3) == 0 {
                let revised =
                    with(request_bodies::document(&self.text(LONGEST)), "metadata", serde_json::json!({"turn": turn}));
                plan = self.write(&versions, revised).await;
            }
            let (role, other) = if turn % 2 == 0 { ("opponent", "proposer") } else { ("proposer", "opponent") };
            let waits = (self.random.u8(..4) == 0).then(|| self.wait(&debate, other, &newest));
            let (id, version) = (text(&plan["document"]["id"]), &plan["version"]["version"]);
            let cited = format!("doc_id={id} v{version}: {}", self.text(600));
            let claim = with(request_bodies::claim(role, &newest), "content", cited);
            let claim = with(claim, "issue_changes", issues.changed_by(role));
            newest = self.argue(&debate, "arguments", claim).await;
            if let Some(waits) = waits {
                let heard = timeout(DEADLINE, waits)
                    .await
                    .expect("a wait is answered in time")
                    .expect("the task does not panic");
                assert_eq!(heard, newest, "a wait returned another argument");
            }
            if turn % 2 == 0 && self.random.u8(..4) == 0 {
                let appeal = with(request_bodies::answer_to(&newest), "content", self.text(300));
                let appeal = with(appeal, "issue_changes", issues.referred());
                self.argue(&debate, "appeal", appeal).await;
                let ruling = with(request_bodies::decision(), "content", self.text(200));
                newest = self.argue(&debate, "ruling", ruling).await;
                let aligned = with(request_bodies::claim("proposer", &newest), "content", self.text(200));
                newest = self.argue(&debate, "arguments", aligned).await;
                let agreed = with(request_bodies::claim("opponent", &newest), "content", self.text(200));
                newest = self.argue(&debate, "arguments", agreed).await;
            }
        }
        let stop = with(request_bodies::decision(), "content", self.text(100));
        self.argue(&debate, "intervention", stop).await;
        let closes = with(with(request_bodies::decision(), "content", self.text(100)), "close", true);
        self.argue(&debate, "ruling", closes).await;
    }

    /// Writes an argument and returns its id.
    async fn argue(&self, debate: &str, verb: &str, body: Value) -> String {
        text(&self.write(&format!("{debate}/{verb}"), body).await["argument"]["id"])
    }

    /// Repeats a write under its request id until it is acknowledged.
    pub async fn write(&self, path: &str, body: Value) -> Value {
        let number = self.write_log.sends(path, &body);
        let request = self.client.write(path, body.to_string());
        loop {
            match self.client.try_send(&request).await {
                Ok(answer) if answer.status < 300 => {
                    let data = answer.data_of_any_success();
                    self.write_log.acknowledges(number, data.clone());
                    return data;
                }
                Ok(answer) => is_passing(&answer),
                Err(_) => {}
            }
            self.write_log.is_left_unknown();
            sleep(RETRY_PAUSE).await;
        }
    }

    /// Waits for a new argument, across failures, and returns its id.
    fn wait(&self, debate: &str, role: &str, seen: &str) -> JoinHandle<String> {
        let request = self.client.request("GET", &format!("{debate}/wait?role={role}&argument_id={seen}&timeout=60"));
        let client = self.client.clone();
        tokio::spawn(async move {
            loop {
                match client.try_send(&request).await {
                    Ok(answer) if answer.status == 200 => {
                        let data = answer.data(200);
                        if data["has_new_argument"] == true {
                            return text(&data["argument"]["id"]);
                        }
                    }
                    Ok(answer) => is_passing(&answer),
                    Err(_) => {}
                }
                sleep(RETRY_PAUSE).await;
            }
        })
    }

    /// A unique text of up to this many bytes.
    fn text(&mut self, longest: usize) -> String {
        let words = ["plan ", "Žluťoučký kůň ", "kế hoạch ", "retry budget ", "shard, ", "🦀 "];
        let mut text = format!("{} ", ids::fresh());
        let goal = self.random.usize(..longest);
        while text.len() < goal {
            text.push_str(words[self.random.usize(..words.len())]);
        }
        text
    }
}

/// The issues of a debate: the opponent raises one in each of its turns, the proposer fixes them.
#[derive(Default)]
struct Issues {
    raised: usize,
    open: Vec<String>,
    fixed: Vec<String>,
}

impl Issues {
    /// The changes in the next claim of this role.
    fn changed_by(&mut self, role: &str) -> Value {
        if role == "proposer" {
            self.fixed.append(&mut self.open);
            return self.fixed.iter().map(|issue| noted("fix", issue, "The plan has it.")).collect();
        }
        let resolved = self.fixed.drain(..).map(|issue| change("resolve", &issue));
        let changes = resolved.chain([raise("high", &ids::fresh())]).collect();
        self.raised += 1;
        self.open.push(format!("I{}", self.raised));
        changes
    }

    /// The changes in an appeal.
    fn referred(&self) -> Value {
        self.open.iter().map(|issue| change("refer", issue)).collect()
    }
}

/// Checks that a failed request was refused with the only code allowed while faults are injected.
#[track_caller]
fn is_passing(answer: &ApiResponse) {
    assert_eq!(answer.code(), "STORE_UNAVAILABLE", "{answer}");
}
