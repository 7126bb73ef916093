//! The sequential specification of a debate, written independently of the product's code.

use std::sync::Arc;

use serde_json::Value;

use super::{
    super::model::model_issues::{Ledger, Source},
    checker::Specification,
};
use crate::state_machine;

/// A write. Its content is unique.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Write {
    /// The `client_request_id`
    pub request: String,
    /// The type of the argument, such as `CLAIM`
    pub kind: &'static str,
    /// The role of the writer
    pub role: &'static str,
    /// The content
    pub content: String,
    /// The content of the target
    pub target: Option<String>,
    /// Whether a RULING closes the debate
    pub close: bool,
    /// The option that a RULING chooses
    pub chosen: Option<usize>,
    /// The number of options of an APPEAL
    pub options: usize,
    /// The changes of issues, as in the request; null for none
    pub changes: Value,
}

impl Write {
    fn step(&self) -> (&'static str, &'static str) {
        (self.kind, self.role)
    }

    fn is_from_a_side(&self) -> bool {
        matches!(self.kind, "CLAIM" | "APPEAL" | "RESOLUTION")
    }
}

/// A request about one debate.
#[derive(Clone, Debug)]
pub enum Call {
    /// Writes an argument
    Write(Arc<Write>),
    /// Reads the motion and the newest arguments, up to this number or all
    Context(Option<usize>),
    /// Reads all issues
    Issues,
    /// Reads the debate's entry in the list
    ListEntry,
    /// Waits for new arguments
    Wait {
        /// The role of the waiter
        role: &'static str,
        /// The content of the last argument that the waiter has seen
        seen: Option<String>,
        /// The longest wait, in seconds
        timeout: u8,
    },
}

/// A response. Contents stand for arguments.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Answer {
    /// The argument is stored
    Stored {
        /// The argument's `seq`
        seq: usize,
        /// Whether the response is a replay
        replayed: bool,
        /// The status of the debate
        status: DebateStatus,
        /// The writer's next action and the argument to wait after; `None` for a MOTION
        then: Option<(String, String)>,
        /// The issues that it changed, as they are now; null for a MOTION
        changed: Value,
    },
    /// The write is refused with this code, and with the current state if that is the reason
    Refused(String, Option<String>),
    /// The status, the arguments from the motion on, and the issues that are not settled
    Context(DebateStatus, Vec<String>, Value),
    /// All issues and their counts
    Issues(Value),
    /// The status, if the debate exists
    ListEntry(Option<DebateStatus>),
    /// The response to a wait
    Waited {
        /// The status of the debate
        status: DebateStatus,
        /// The action of the waiter
        action: String,
        /// The `seq` of the last argument that the waiter has seen
        seen: usize,
        /// The new arguments, if any
        news: Option<News>,
    },
}

/// The state of a debate and its length.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DebateStatus {
    /// The state
    pub state: String,
    /// The `seq` of the newest argument
    pub last_seq: usize,
}

/// The arguments in the response to a wait.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct News {
    /// Whether `argument` is newer than what the waiter has seen
    pub is_new: bool,
    /// The argument to act on
    pub argument: String,
    /// The other unseen arguments
    pub earlier: Vec<String>,
    /// The newest argument of the debate
    pub newest: String,
    /// The issues that are not settled
    pub issues: Value,
}

/// A debate, which does not exist without arguments.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Debate {
    arguments: Vec<Arc<Write>>,
    ledger: Ledger,
    /// The numbers of the issues that each argument changed
    changed: Vec<Vec<usize>>,
    state: &'static str,
    /// The state before the intervention, as long as the interrupted side may still submit
    interrupted: Option<&'static str>,
}

impl Specification for Debate {
    type Call = Call;
    type Answer = Answer;

    fn apply(&self, call: &Call) -> (Answer, Self) {
        let unchanged = |answer| (answer, self.clone());
        match call {
            Call::ListEntry => unchanged(Answer::ListEntry((!self.arguments.is_empty()).then(|| self.status()))),
            Call::Write(write) if write.kind == "MOTION" => self.open(write),
            _ if self.arguments.is_empty() => unchanged(refused("DEBATE_NOT_FOUND")),
            Call::Write(write) => self.submit(write),
            Call::Issues => unchanged(Answer::Issues(self.ledger.response(None, false))),
            Call::Context(limit) => unchanged(self.context(*limit)),
            Call::Wait { role, seen, timeout: _ } => unchanged(self.wait(role, seen.as_deref())),
        }
    }
}

impl Debate {
    fn status(&self) -> DebateStatus {
        DebateStatus { state: self.state.to_owned(), last_seq: self.arguments.len() }
    }

    fn open(&self, write: &Arc<Write>) -> (Answer, Self) {
        let unchanged = |answer| (answer, self.clone());
        match self.arguments.first() {
            None => self.add(write, "AWAITING_OPPONENT", None),
            Some(motion) if motion == write => unchanged(self.stored(0, true)),
            Some(motion) if motion.request == write.request => unchanged(refused("IDEMPOTENCY_CONFLICT")),
            Some(_) => unchanged(refused("DEBATE_EXISTS")),
        }
    }

    fn submit(&self, write: &Arc<Write>) -> (Answer, Self) {
        let unchanged = |answer| (answer, self.clone());
        let not_allowed = || Answer::Refused("ACTION_NOT_ALLOWED".to_owned(), Some(self.state.to_owned()));
        if let Some(at) = self.arguments.iter().position(|argument| argument.request == write.request) {
            let same = self.arguments[at] == *write;
            return unchanged(if same { self.stored(at, true) } else { refused("IDEMPOTENCY_CONFLICT") });
        }
        let late = self.interrupted.filter(|_| write.is_from_a_side());
        let Some(next) = state_machine::after(late.unwrap_or(self.state), write.step()) else {
            return unchanged(not_allowed());
        };
        if let Some(target) = &write.target {
            match self.seq_of(target) {
                None => return unchanged(refused("ARGUMENT_NOT_FOUND")),
                // The intervention itself.
                Some(seq) if late.is_some() && seq == self.arguments.len() => return unchanged(not_allowed()),
                Some(_) => {}
            }
        }
        if write.chosen.is_some_and(|chosen| chosen >= self.options()) {
            return unchanged(refused("INVALID_INPUT"));
        }
        if let Some(refusal) = self.ledger.refusal(&write.changes, write.kind, write.role) {
            let state = (refusal.code == "ACTION_NOT_ALLOWED").then(|| self.state.to_owned());
            return unchanged(Answer::Refused(refusal.code.to_owned(), state));
        }
        if write.kind == "RESOLUTION" && !self.ledger.blocking().is_empty() {
            return unchanged(refused("ISSUES_OPEN"));
        }
        match (late, write.kind) {
            (Some(_), _) => self.add(write, self.state, None),
            (None, "INTERVENTION") => self.add(write, next, Some(self.state)),
            (None, _) => self.add(write, if write.close { "CLOSED" } else { next }, None),
        }
    }

    fn add(&self, write: &Arc<Write>, state: &'static str, interrupted: Option<&'static str>) -> (Answer, Self) {
        let mut next = Self { state, interrupted, ..self.clone() };
        next.arguments.push(write.clone());
        let source = Source {
            kind: write.kind,
            role: write.role,
            seq: next.arguments.len(),
            argument_id: &write.content,
            same_plan: false,
        };
        let (_, changed) = next.ledger.apply(&write.changes, &source, false);
        next.changed.push(changed);
        (next.stored(self.arguments.len(), false), next)
    }

    fn stored(&self, at: usize, replayed: bool) -> Answer {
        let argument = &self.arguments[at];
        let answered = at.checked_sub(1).map(|before| &self.arguments[before]);
        let is_late = |before: &&Arc<Write>| before.kind == "INTERVENTION" && argument.is_from_a_side();
        let wait_for = answered.filter(is_late).unwrap_or(argument).content.clone();
        let then = (argument.kind != "MOTION").then(|| (self.action(argument.role), wait_for));
        let changed = if then.is_some() { self.ledger.views(&self.changed[at]) } else { Value::Null };
        Answer::Stored { seq: at + 1, replayed, status: self.status(), then, changed }
    }

    fn context(&self, limit: Option<usize>) -> Answer {
        let rest = self.arguments.len() - 1;
        let left_out = rest - limit.unwrap_or(rest).min(rest);
        let given = self.arguments.iter().enumerate().filter(|(at, _)| *at == 0 || *at > left_out);
        let contents = given.map(|(_, argument)| argument.content.clone()).collect();
        Answer::Context(self.status(), contents, self.ledger.unsettled())
    }

    fn wait(&self, role: &str, seen: Option<&str>) -> Answer {
        let joins = seen.is_none();
        let Some(seen) = seen.map_or(Some(0), |seen| self.seq_of(seen)) else { return refused("INVALID_INPUT") };
        let action = self.action(role);
        let due = matches!(action.as_str(), "debate_closed" | "rule");
        let contents = |arguments: &[Arc<Write>]| -> Vec<String> {
            arguments.iter().filter(|argument| argument.role != role).map(|argument| argument.content.clone()).collect()
        };
        let mut unseen = contents(&self.arguments[seen..]);
        let newest = self.arguments.last().expect("a debate has a motion").content.clone();
        let news = (due || role != "arbitrator" && !unseen.is_empty()).then(|| {
            let argument =
                if due { newest.clone() } else { unseen.last().expect("there is an unseen argument").clone() };
            unseen.retain(|content| *content != argument && !joins);
            let place = self.seq_of(&argument).expect("it is there");
            News { is_new: place > seen, argument, earlier: unseen, newest, issues: self.ledger.unsettled() }
        });
        Answer::Waited { status: self.status(), action, seen, news }
    }

    /// The `seq` of the argument with this content.
    fn seq_of(&self, content: &str) -> Option<usize> {
        self.arguments.iter().position(|argument| argument.content == content).map(|at| at + 1)
    }

    /// The number of options that a ruling can choose from.
    fn options(&self) -> usize {
        let since = self.arguments.iter().rev().take_while(|argument| argument.kind != "RULING");
        match since.into_iter().find(|argument| argument.kind == "APPEAL").map_or(0, |appeal| appeal.options) {
            0 => 0,
            // The server adds the option "Something else".
            given => given + 1,
        }
    }

    fn action(&self, role: &str) -> String {
        let newest_of_others = self.arguments.iter().rev().find(|argument| argument.role != "proposer");
        let action = match (self.state, role) {
            ("CLOSED", _) => "debate_closed",
            ("AWAITING_PROPOSER", "proposer") if newest_of_others.is_some_and(|argument| argument.kind == "RULING") => {
                "align_to_ruling"
            }
            ("AWAITING_PROPOSER", "proposer") | ("AWAITING_OPPONENT", "opponent") => "respond",
            ("AWAITING_PROPOSER", "opponent") => "wait_for_proposer",
            ("AWAITING_OPPONENT", "proposer") => "wait_for_opponent",
            ("AWAITING_PROPOSER" | "AWAITING_OPPONENT", _) => "watch",
            (_, "arbitrator") => "rule",
            (_, _) => "wait_for_ruling",
        };
        action.to_owned()
    }
}

fn refused(code: &str) -> Answer {
    Answer::Refused(code.to_owned(), None)
}
