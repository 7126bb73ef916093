//! A debate as one client after another would find it: the contract's rules, told without looking at the server's.

use std::sync::Arc;

use super::checker::Specification;
use crate::state_machine;

/// What a client wants to be stored. Its content is its own: no other write has it.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Write {
    /// Its `client_request_id`
    pub request: String,
    /// `MOTION`, `CLAIM` and so on
    pub kind: &'static str,
    /// Who writes
    pub role: &'static str,
    /// What it says
    pub content: String,
    /// The content of what it answers
    pub target: Option<String>,
    /// On a RULING: whether it ends the debate
    pub close: bool,
    /// On a RULING: the option that it takes
    pub chosen: Option<usize>,
    /// On an APPEAL: how many options it offers
    pub options: usize,
}

impl Write {
    fn step(&self) -> (&'static str, &'static str) {
        (self.kind, self.role)
    }

    fn is_from_a_side(&self) -> bool {
        matches!(self.kind, "CLAIM" | "APPEAL" | "RESOLUTION")
    }
}

/// What is asked of a debate.
#[derive(Clone, Debug)]
pub enum Call {
    /// To store something
    Write(Arc<Write>),
    /// For its arguments: the newest so many besides the motion, or all
    Context(Option<usize>),
    /// For its line in the list
    ListEntry,
    /// For what is new
    Wait {
        /// To whom
        role: &'static str,
        /// The content of what that one has seen
        seen: Option<String>,
        /// For how many seconds at most
        timeout: u8,
    },
}

/// What a debate answers; arguments are named by their contents.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Answer {
    /// It is stored, there
    Stored {
        /// Its number
        seq: usize,
        /// Whether it was stored before
        replayed: bool,
        /// How the debate stands now
        status: DebateStatus,
        /// What the writer is to do, and to wait for; nothing of it for a MOTION
        then: Option<(String, String)>,
    },
    /// It is refused with a code, in a state if that is why
    Refused(String, Option<String>),
    /// How it stands, and what was said, the motion first
    Context(DebateStatus, Vec<String>),
    /// How it stands, if there is one
    ListEntry(Option<DebateStatus>),
    /// What there is for who waits
    Waited {
        /// How the debate stands
        status: DebateStatus,
        /// What to do
        action: String,
        /// The number of what was seen
        seen: usize,
        /// What is new
        news: Option<News>,
    },
}

/// How far a debate has come.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DebateStatus {
    /// Its state
    pub state: String,
    /// The number of its newest argument
    pub last_seq: usize,
}

/// What one who waits is told.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct News {
    /// Whether it comes after what was seen
    pub is_new: bool,
    /// What it is
    pub argument: String,
    /// What else was not seen
    pub earlier: Vec<String>,
    /// The debate's newest
    pub newest: String,
}

/// A debate, or none yet.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Debate {
    arguments: Vec<Arc<Write>>,
    state: &'static str,
    /// Whose turn an intervention interrupted, as long as that side may still deliver
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
            match self.place(target) {
                None => return unchanged(refused("ARGUMENT_NOT_FOUND")),
                // The intervention is the newest.
                Some(seq) if late.is_some() && seq == self.arguments.len() => return unchanged(not_allowed()),
                Some(_) => {}
            }
        }
        if write.chosen.is_some_and(|chosen| chosen >= self.options()) {
            return unchanged(refused("INVALID_INPUT"));
        }
        match (late, write.kind) {
            (Some(_), _) => self.add(write, self.state, None),
            (None, "INTERVENTION") => self.add(write, next, Some(self.state)),
            (None, _) => self.add(write, if write.close { "CLOSED" } else { next }, None),
        }
    }

    fn add(&self, write: &Arc<Write>, state: &'static str, interrupted: Option<&'static str>) -> (Answer, Self) {
        let mut next = Self { arguments: self.arguments.clone(), state, interrupted };
        next.arguments.push(write.clone());
        (next.stored(self.arguments.len(), false), next)
    }

    fn stored(&self, at: usize, replayed: bool) -> Answer {
        let argument = &self.arguments[at];
        let answered = at.checked_sub(1).map(|before| &self.arguments[before]);
        let is_late = |before: &&Arc<Write>| before.kind == "INTERVENTION" && argument.is_from_a_side();
        let wait_for = answered.filter(is_late).unwrap_or(argument).content.clone();
        let then = (argument.kind != "MOTION").then(|| (self.action(argument.role), wait_for));
        Answer::Stored { seq: at + 1, replayed, status: self.status(), then }
    }

    fn context(&self, limit: Option<usize>) -> Answer {
        let rest = self.arguments.len() - 1;
        let left_out = rest - limit.unwrap_or(rest).min(rest);
        let given = self.arguments.iter().enumerate().filter(|(at, _)| *at == 0 || *at > left_out);
        Answer::Context(self.status(), given.map(|(_, argument)| argument.content.clone()).collect())
    }

    fn wait(&self, role: &str, seen: Option<&str>) -> Answer {
        let joins = seen.is_none();
        let Some(seen) = seen.map_or(Some(0), |seen| self.place(seen)) else { return refused("INVALID_INPUT") };
        let action = self.action(role);
        let due = matches!(action.as_str(), "debate_closed" | "rule");
        let contents = |arguments: &[Arc<Write>]| -> Vec<String> {
            arguments.iter().filter(|argument| argument.role != role).map(|argument| argument.content.clone()).collect()
        };
        let mut unseen = contents(&self.arguments[seen..]);
        let newest = self.arguments.last().expect("a debate has a motion").content.clone();
        let news = (due || role != "arbitrator" && !unseen.is_empty()).then(|| {
            let argument = if due { newest.clone() } else { unseen.last().expect("there is one").clone() };
            unseen.retain(|content| *content != argument && !joins);
            let place = self.place(&argument).expect("it is there");
            News { is_new: place > seen, argument, earlier: unseen, newest }
        });
        Answer::Waited { status: self.status(), action, seen, news }
    }

    /// The number of the argument that says this.
    fn place(&self, content: &str) -> Option<usize> {
        self.arguments.iter().position(|argument| argument.content == content).map(|at| at + 1)
    }

    /// How many options a ruling may take one of.
    fn options(&self) -> usize {
        let since = self.arguments.iter().rev().take_while(|argument| argument.kind != "RULING");
        match since.into_iter().find(|argument| argument.kind == "APPEAL").map_or(0, |appeal| appeal.options) {
            0 => 0,
            // "Something else" is always one of them.
            given => given + 1,
        }
    }

    fn action(&self, role: &str) -> String {
        let told = self.arguments.iter().rev().find(|argument| argument.role != "proposer");
        let action = match (self.state, role) {
            ("CLOSED", _) => "debate_closed",
            ("AWAITING_PROPOSER", "proposer") if told.is_some_and(|told| told.kind == "RULING") => "align_to_ruling",
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
