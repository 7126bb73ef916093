//! Records the calls of all clients of one debate and the responses.

use std::{
    collections::HashMap,
    mem,
    sync::{
        Arc, Mutex,
        atomic::{AtomicU64, Ordering},
    },
};

use serde_json::Value;
use tests::{api_response, debate::text, ids, issue_changes::lasting_issues};

use super::{
    checker::Operation,
    sequential_debate::{Answer, Call, DebateStatus, News, Write},
};

/// All operations on one debate.
pub type History = Vec<Operation<Call, Answer>>;

/// A recorder that many clients use at once.
pub struct Recorder {
    /// The debate's id
    pub id: String,
    clock: AtomicU64,
    notes: Mutex<Recording>,
}

#[derive(Default)]
struct Recording {
    history: History,
    known: KnownArguments,
    /// The state in the last response
    state: String,
}

/// All arguments in responses.
#[derive(Default)]
struct KnownArguments {
    arguments: Vec<Value>,
    /// An argument that two responses show differently
    fault: Option<String>,
}

impl Recorder {
    /// An empty recording for a new debate.
    pub fn new() -> Self {
        Self { id: ids::fresh(), clock: AtomicU64::default(), notes: Mutex::default() }
    }

    /// Records a call that is about to be sent and returns its number.
    pub fn record_call(&self, call: Call) -> usize {
        let mut notes = self.notes.lock().unwrap();
        // The lock keeps the numbers in the order of the clock.
        let began = self.clock.fetch_add(1, Ordering::Relaxed);
        notes.history.push(Operation { call, began, ended: None });
        notes.history.len() - 1
    }

    /// Records a response, unless it leaves the outcome unknown.
    pub fn record_answer(&self, number: usize, response: api_response::ApiResponse) {
        let at = self.clock.fetch_add(1, Ordering::Relaxed);
        let notes = &mut *self.notes.lock().unwrap();
        let operation = &mut notes.history[number];
        let answer = match response.code() {
            "STORE_UNAVAILABLE" => return,
            "ok" => notes.known.read(&operation.call, &response.data_of_any_success()),
            code => {
                let code = code.to_owned();
                let state = response.refusal(&code)["current_state"].as_str().map(str::to_owned);
                Answer::Refused(code, state)
            }
        };
        if let Some(state) = answer.state() {
            state.clone_into(&mut notes.state);
        }
        operation.ended = Some((at, answer));
    }

    /// The state in the last response; empty if there was none.
    pub fn state(&self) -> String {
        self.notes.lock().unwrap().state.clone()
    }

    /// The contents of all known arguments.
    pub fn contents(&self) -> Vec<String> {
        self.notes.lock().unwrap().known.arguments.iter().map(|argument| text(&argument["content"])).collect()
    }

    /// The id of the argument with this content.
    pub fn id_of(&self, content: &str) -> String {
        let notes = self.notes.lock().unwrap();
        let argument = notes.known.arguments.iter().find(|argument| argument["content"] == content);
        text(&argument.expect("only known arguments are targets")["id"])
    }

    /// All writes so far.
    pub fn writes(&self) -> Vec<Arc<Write>> {
        let notes = self.notes.lock().unwrap();
        let writes = notes.history.iter().filter_map(|operation| match &operation.call {
            Call::Write(write) => Some(write.clone()),
            Call::Context(_) | Call::Issues | Call::ListEntry | Call::Wait { .. } => None,
        });
        writes.collect()
    }

    /// The recorded history.
    ///
    /// # Errors
    /// An argument that two responses show differently.
    pub fn finish(&self) -> Result<History, String> {
        let mut notes = mem::take(&mut *self.notes.lock().unwrap());
        let arguments = notes.known.arguments.iter();
        let contents: HashMap<String, String> =
            arguments.map(|argument| (text(&argument["id"]), text(&argument["content"]))).collect();
        for (_, answer) in notes.history.iter_mut().filter_map(|operation| operation.ended.as_mut()) {
            // These fields hold an id instead of a content.
            let next = match answer {
                Answer::Stored { then: Some((_, next)), .. } => next,
                Answer::Waited { news: Some(news), .. } => &mut news.newest,
                Answer::Stored { .. }
                | Answer::Refused(..)
                | Answer::Context(..)
                | Answer::Issues(_)
                | Answer::ListEntry(_)
                | Answer::Waited { .. } => continue,
            };
            if let Some(content) = contents.get(next) {
                next.clone_from(content);
            }
        }
        notes.known.fault.map_or(Ok(notes.history), Err)
    }
}

impl Answer {
    fn state(&self) -> Option<&str> {
        match self {
            Self::Stored { status, .. } | Self::Context(status, ..) | Self::Waited { status, .. } => {
                Some(&status.state)
            }
            Self::ListEntry(status) => status.as_ref().map(|status| status.state.as_str()),
            Self::Refused(_, state) => state.as_deref(),
            Self::Issues(_) => None,
        }
    }
}

impl KnownArguments {
    /// The content of an argument, which is added to the known ones.
    fn content(&mut self, argument: &Value) -> String {
        let same = |known: &&Value| known["id"] == argument["id"] || known["content"] == argument["content"];
        match self.arguments.iter().find(same) {
            None => self.arguments.push(argument.clone()),
            Some(known) if known == argument => {}
            Some(known) => self.fault = Some(format!("two responses differ: {known} and {argument}")),
        }
        text(&argument["content"])
    }

    /// The response in terms of the specification.
    fn read(&mut self, call: &Call, data: &Value) -> Answer {
        let status =
            |of: &Value, state: &str| DebateStatus { state: text(&of[state]), last_seq: number(&of["last_seq"]) };
        match call {
            Call::Write(write) => {
                self.content(&data["argument"]);
                let motion = write.kind == "MOTION";
                Answer::Stored {
                    seq: number(&data["argument"]["seq"]),
                    replayed: data["replayed"] == true,
                    status: if motion { status(&data["debate"], "state") } else { status(data, "debate_state") },
                    then: (!motion).then(|| (text(&data["action"]), text(&data["next_argument_id_to_wait"]))),
                    changed: data.get("changed_issues").cloned().unwrap_or_default(),
                }
            }
            Call::Context(_) => {
                let rest = data["arguments"].as_array().expect("a list");
                let contents =
                    [&data["motion"]].into_iter().chain(rest).map(|argument| self.content(argument)).collect();
                Answer::Context(status(&data["debate"], "state"), contents, lasting_issues(data["issues"].clone()))
            }
            Call::Issues => {
                let mut data = data.clone();
                data["issues"] = lasting_issues(data["issues"].clone());
                Answer::Issues(data)
            }
            Call::ListEntry => Answer::ListEntry(data["debates"].get(0).map(|debate| status(debate, "state"))),
            Call::Wait { .. } => {
                let news = data.get("argument").map(|argument| News {
                    is_new: data["has_new_argument"] == true,
                    argument: self.content(argument),
                    earlier: data["earlier"].as_array().expect("a list").iter().map(|one| self.content(one)).collect(),
                    newest: text(&data["next_argument_id_to_wait"]),
                    issues: lasting_issues(data["issues"].clone()),
                });
                let seen = number(&data["last_seen_seq"]);
                Answer::Waited { status: status(data, "debate_state"), action: text(&data["action"]), seen, news }
            }
        }
    }
}

fn number(value: &Value) -> usize {
    value.as_u64().and_then(|number| number.try_into().ok()).expect("a number")
}
