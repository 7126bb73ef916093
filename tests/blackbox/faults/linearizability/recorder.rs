//! What clients asked of one debate and were told, written down as it happens.

use std::{
    collections::HashMap,
    mem,
    sync::{
        Arc, Mutex,
        atomic::{AtomicU64, Ordering},
    },
};

use serde_json::Value;
use tests::{answer, debate::text, ids};

use super::{
    debate::{Answer, Call, News, Stand, Write},
    order::Operation,
};

/// All that was done to one debate.
pub type History = Vec<Operation<Call, Answer>>;

/// A history in the making, which many clients write down at once.
pub struct Recorder {
    /// The debate's id
    pub id: String,
    clock: AtomicU64,
    notes: Mutex<Notes>,
}

#[derive(Default)]
struct Notes {
    history: History,
    known: Known,
    /// The state that was told last
    state: String,
}

/// Every argument that was told of.
#[derive(Default)]
struct Known {
    arguments: Vec<Value>,
    /// One that was told in two ways
    fault: Option<String>,
}

impl Recorder {
    /// Nothing happened yet.
    pub fn new() -> Self {
        Self { id: ids::fresh(), clock: AtomicU64::default(), notes: Mutex::default() }
    }

    /// Notes down that this is about to be asked, and gives its number.
    pub fn asks(&self, call: Call) -> usize {
        let mut notes = self.notes.lock().unwrap();
        // Under the lock, so that numbers are in the order of the clock.
        let began = self.clock.fetch_add(1, Ordering::Relaxed);
        notes.history.push(Operation { call, began, ended: None });
        notes.history.len() - 1
    }

    /// Notes down what has just come, unless it leaves open what happened.
    pub fn is_told(&self, number: usize, told: answer::Answer) {
        let at = self.clock.fetch_add(1, Ordering::Relaxed);
        let notes = &mut *self.notes.lock().unwrap();
        let operation = &mut notes.history[number];
        let answer = match told.code() {
            "STORE_UNAVAILABLE" => return,
            "ok" => notes.known.read(&operation.call, &told.data_of_any_success()),
            code => {
                let code = code.to_owned();
                let state = told.refusal(&code)["current_state"].as_str().map(str::to_owned);
                Answer::Refused(code, state)
            }
        };
        if let Some(state) = answer.state() {
            state.clone_into(&mut notes.state);
        }
        operation.ended = Some((at, answer));
    }

    /// The state that was told last; empty where none was.
    pub fn state(&self) -> String {
        self.notes.lock().unwrap().state.clone()
    }

    /// The contents that somebody was told.
    pub fn contents(&self) -> Vec<String> {
        self.notes.lock().unwrap().known.arguments.iter().map(|argument| text(&argument["content"])).collect()
    }

    /// The id of the argument that says this.
    pub fn id_of(&self, content: &str) -> String {
        let notes = self.notes.lock().unwrap();
        let argument = notes.known.arguments.iter().find(|argument| argument["content"] == content);
        text(&argument.expect("only what is known is answered")["id"])
    }

    /// Everything that somebody wanted stored.
    pub fn writes(&self) -> Vec<Arc<Write>> {
        let notes = self.notes.lock().unwrap();
        let writes = notes.history.iter().filter_map(|operation| match &operation.call {
            Call::Write(write) => Some(write.clone()),
            Call::Context(_) | Call::Line | Call::Wait { .. } => None,
        });
        writes.collect()
    }

    /// All that was noted down.
    ///
    /// # Errors
    /// What cannot be in any order: one argument that was told in two ways.
    pub fn end(&self) -> Result<History, String> {
        let mut notes = mem::take(&mut *self.notes.lock().unwrap());
        let arguments = notes.known.arguments.iter();
        let contents: HashMap<String, String> =
            arguments.map(|argument| (text(&argument["id"]), text(&argument["content"]))).collect();
        for (_, answer) in notes.history.iter_mut().filter_map(|operation| operation.ended.as_mut()) {
            // Told by its id alone.
            let next = match answer {
                Answer::Stored { then: Some((_, next)), .. } => next,
                Answer::Waited { news: Some(news), .. } => &mut news.newest,
                Answer::Stored { .. }
                | Answer::Refused(..)
                | Answer::Context(..)
                | Answer::Line(_)
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
            Self::Stored { stand, .. } | Self::Context(stand, _) | Self::Waited { stand, .. } => Some(&stand.state),
            Self::Line(stand) => stand.as_ref().map(|stand| stand.state.as_str()),
            Self::Refused(_, state) => state.as_deref(),
        }
    }
}

impl Known {
    /// The content of an argument, which is remembered.
    fn content(&mut self, argument: &Value) -> String {
        let same = |known: &&Value| known["id"] == argument["id"] || known["content"] == argument["content"];
        match self.arguments.iter().find(same) {
            None => self.arguments.push(argument.clone()),
            Some(known) if known == argument => {}
            Some(known) => self.fault = Some(format!("{known} was told as {argument}, too")),
        }
        text(&argument["content"])
    }

    /// What was answered.
    fn read(&mut self, call: &Call, data: &Value) -> Answer {
        let stand = |of: &Value, state: &str| Stand { state: text(&of[state]), last_seq: number(&of["last_seq"]) };
        match call {
            Call::Write(write) => {
                self.content(&data["argument"]);
                let motion = write.kind == "MOTION";
                Answer::Stored {
                    seq: number(&data["argument"]["seq"]),
                    replayed: data["replayed"] == true,
                    stand: if motion { stand(&data["debate"], "state") } else { stand(data, "debate_state") },
                    then: (!motion).then(|| (text(&data["action"]), text(&data["next_argument_id_to_wait"]))),
                }
            }
            Call::Context(_) => {
                let rest = data["arguments"].as_array().expect("a list");
                let contents =
                    [&data["motion"]].into_iter().chain(rest).map(|argument| self.content(argument)).collect();
                Answer::Context(stand(&data["debate"], "state"), contents)
            }
            Call::Line => Answer::Line(data["debates"].get(0).map(|debate| stand(debate, "state"))),
            Call::Wait { .. } => {
                let news = data.get("argument").map(|argument| News {
                    is_new: data["has_new_argument"] == true,
                    argument: self.content(argument),
                    earlier: data["earlier"].as_array().expect("a list").iter().map(|one| self.content(one)).collect(),
                    newest: text(&data["next_argument_id_to_wait"]),
                });
                let seen = number(&data["last_seen_seq"]);
                Answer::Waited { stand: stand(data, "debate_state"), action: text(&data["action"]), seen, news }
            }
        }
    }
}

fn number(value: &Value) -> usize {
    value.as_u64().and_then(|number| number.try_into().ok()).expect("a number")
}
