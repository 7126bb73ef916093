//! A client that mostly writes what the debate waits for, sometimes something else, and sometimes repeats a write.

use std::{io::ErrorKind, sync::Arc, time::Duration};

use fastrand::Rng;
use serde_json::{Value, json};
use tests::{
    api_response::ApiResponse,
    client::Client,
    ids,
    polling::DEADLINE,
    raw_http::{self, Request},
    request_bodies::{self, with},
};
use tokio::{
    io::AsyncWriteExt,
    time::{sleep, timeout},
};

use super::{
    recorder::Recorder,
    sequential_debate::{Call, Write},
};

/// The pause before a connection is tried again.
const RETRY_PAUSE: Duration = Duration::from_millis(5);

/// Types of arguments and the roles that write them.
const WRITES: [(&str, &str); 8] = [
    ("MOTION", "proposer"),
    ("CLAIM", "proposer"),
    ("CLAIM", "opponent"),
    ("APPEAL", "proposer"),
    ("RESOLUTION", "proposer"),
    ("INTERVENTION", "arbitrator"),
    ("RULING", "arbitrator"),
    ("CLAIM", "opponent"),
];

const ROLES: [&str; 3] = ["proposer", "opponent", "arbitrator"];

/// A client of one debate.
pub struct Participant {
    /// The servers, of which each call uses a random one
    pub servers: Arc<[Client]>,
    /// The recorder of all calls
    pub recorder: Arc<Recorder>,
    /// The client's random choices
    pub random: Rng,
}

impl Participant {
    /// Makes this many calls.
    pub async fn run(mut self, operations: usize) {
        for _ in 0..operations {
            let call = self.call();
            let limit = (self.random.u8(..8) == 0).then(|| Duration::from_micros(self.random.u64(..3_000)));
            self.ask(call, limit).await;
        }
    }

    /// Reads all arguments until a server responds.
    pub async fn read_final_state(mut self) {
        while !self.ask(Call::Context(None), None).await {
            sleep(RETRY_PAUSE).await;
        }
    }

    /// Makes a call at a random server and returns whether its outcome is known. Disconnects after `limit`.
    async fn ask(&mut self, call: Call, limit: Option<Duration>) -> bool {
        let (mut stream, request) = loop {
            let server = &self.servers[self.random.usize(..self.servers.len())];
            match raw_http::open(server.address()).await {
                Ok(stream) => break (stream, self.request(server, &call)),
                // Nothing has been sent yet.
                Err(_) => sleep(RETRY_PAUSE).await,
            }
        };
        let number = self.recorder.record_call(call);
        let answered = async {
            stream.write_all(&request.bytes()).await?;
            raw_http::read_response(&mut stream).await
        };
        let response = match limit {
            None => timeout(DEADLINE, answered).await.expect("the server responds or closes the connection"),
            Some(limit) => timeout(limit, answered).await.unwrap_or_else(|_| Err(ErrorKind::TimedOut.into())),
        };
        let Ok(response) = response else { return false };
        let answer = ApiResponse::of(format!("{} {}", request.method, request.path), &response);
        let known = answer.code() != "STORE_UNAVAILABLE";
        self.recorder.record_answer(number, answer);
        known
    }

    fn call(&mut self) -> Call {
        let contents = self.recorder.contents();
        match self.random.u8(..16) {
            0..7 => Call::Write(self.write(&contents)),
            7 | 8 => self.repeated().map_or(Call::ListEntry, Call::Write),
            9 | 10 => Call::Context(None),
            11 => Call::Issues,
            12 => Call::Context(Some(self.random.usize(..4))),
            13 => Call::ListEntry,
            _ => {
                let seen = self.random.choice(contents.iter().rev().take(3)).cloned();
                Call::Wait { role: self.one_of(&ROLES), seen, timeout: u8::from(self.random.u8(..8) == 0) }
            }
        }
    }

    /// An earlier write, or another one with its request id.
    fn repeated(&mut self) -> Option<Arc<Write>> {
        let write = self.random.choice(self.recorder.writes())?;
        if self.random.u8(..4) > 0 {
            return Some(write);
        }
        Some(Arc::new(Write { content: ids::fresh(), ..(*write).clone() }))
    }

    fn write(&mut self, contents: &[String]) -> Arc<Write> {
        let (state, any) = (self.recorder.state(), self.random.u8(..6) == 0);
        let fitting: &[_] = match state.as_str() {
            _ if any => &WRITES,
            "" => &WRITES[..1],
            "AWAITING_OPPONENT" => &[WRITES[2], WRITES[2], WRITES[2], WRITES[5]],
            "AWAITING_PROPOSER" => &[WRITES[1], WRITES[1], WRITES[3], WRITES[4], WRITES[5]],
            "AWAITING_ARBITRATOR" => &WRITES[6..7],
            "INTERVENTION_PENDING" => &WRITES[1..7],
            _ => &WRITES,
        };
        let (kind, role) = self.one_of(fitting);
        // A write needs a known argument as its target.
        let target = self.random.choice(contents.iter().rev().take(3)).cloned();
        let (kind, role, target) = match kind {
            "CLAIM" | "APPEAL" | "RESOLUTION" if target.is_none() => ("MOTION", "proposer", None),
            "CLAIM" | "APPEAL" | "RESOLUTION" => (kind, role, target),
            _ => (kind, role, None),
        };
        let ruling = kind == "RULING";
        Arc::new(Write {
            request: ids::fresh(),
            kind,
            role,
            content: ids::fresh(),
            target,
            close: ruling && self.random.u8(..8) == 0,
            chosen: (ruling && self.random.u8(..3) == 0).then(|| self.random.usize(..4)),
            options: if kind == "APPEAL" { self.random.usize(..3) } else { 0 },
            changes: self.changes(kind, role),
        })
    }

    /// Changes of the first issues, most of them legal in an argument of this type and role.
    fn changes(&mut self, kind: &str, role: &str) -> Value {
        let names: &[&str] = match (kind, role) {
            ("CLAIM", "opponent") => &["raise", "raise", "raise", "resolve", "withdraw", "defer", "reopen", "regrade"],
            ("CLAIM", _) => &["fix", "fix", "dispute", "resolve"],
            ("APPEAL", _) => &["refer"],
            ("RULING", _) => &["raise", "uphold", "dismiss", "defer", "reopen", "regrade"],
            _ => return Value::Null,
        };
        let count = self.random.usize(..3);
        let changes: Vec<Value> = (1..=count)
            .map(|number| {
                let severity = self.one_of(&["low", "medium", "medium", "high"]);
                match self.one_of(names) {
                    "raise" => json!({ "change": "raise", "severity": severity, "title": ids::fresh() }),
                    "regrade" => json!({ "change": "regrade", "issue": format!("I{number}"), "severity": severity }),
                    name => json!({ "change": name, "issue": format!("I{number}"), "note": ids::fresh() }),
                }
            })
            .collect();
        if changes.is_empty() { Value::Null } else { changes.into() }
    }

    fn one_of<T: Copy>(&mut self, some: &[T]) -> T {
        some[self.random.usize(..some.len())]
    }

    fn request(&self, client: &Client, call: &Call) -> Request {
        let id = &self.recorder.id;
        match call {
            Call::Write(write) => client.write(&self.path(write), self.body(write).to_string()),
            Call::Context(None) => client.request("GET", &format!("/debates/{id}")),
            Call::Context(Some(limit)) => client.request("GET", &format!("/debates/{id}?limit={limit}")),
            Call::Issues => client.request("GET", &format!("/debates/{id}/issues")),
            Call::ListEntry => client.request("GET", &format!("/debates?q={id}")),
            Call::Wait { role, seen, timeout } => {
                let seen = seen.as_ref().map_or(String::new(), |seen| self.recorder.id_of(seen));
                let path = format!("/debates/{id}/wait?role={role}&argument_id={seen}&timeout={timeout}");
                client.request("GET", &path)
            }
        }
    }

    fn path(&self, write: &Write) -> String {
        let verb = match write.kind {
            "MOTION" => return "/debates".to_owned(),
            "CLAIM" => "arguments",
            "APPEAL" => "appeal",
            "RESOLUTION" => "resolution",
            "RULING" => "ruling",
            _ => "intervention",
        };
        format!("/debates/{}/{verb}", self.recorder.id)
    }

    fn body(&self, write: &Write) -> Value {
        let mut body = json!({ "content": write.content, "client_request_id": write.request });
        match write.kind {
            "MOTION" => {
                let body = with(request_bodies::creation(), "debate_id", self.recorder.id.clone());
                let body = with(body, "client_request_id", write.request.clone());
                return with(body, "motion_content", write.content.clone());
            }
            "CLAIM" => body["role"] = write.role.into(),
            "APPEAL" if write.options > 0 => {
                body["options"] = (0..write.options).map(|number| json!({ "label": number.to_string() })).collect();
            }
            "RULING" => {
                body["close"] = write.close.into();
                body["chosen_option"] = write.chosen.into();
            }
            _ => {}
        }
        if !write.changes.is_null() {
            body["issue_changes"] = write.changes.clone();
        }
        if let Some(target) = &write.target {
            body["target_id"] = self.recorder.id_of(target).into();
        }
        body
    }
}
