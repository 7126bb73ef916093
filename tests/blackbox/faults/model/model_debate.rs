//! One debate as the contract has it: what may be said when, and what whoever waits is told.

use serde_json::{Value, json};

use super::{
    hash_chain,
    model_server::{ServerValues, Mistake},
    fields::id_in,
    expected_response::{Refusal, Expected, Success},
    model_request::{ModelRequest, Verb},
};

/// Where a debate stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum State {
    AwaitingOpponent,
    AwaitingProposer,
    AwaitingArbitrator,
    /// With whose turn it was, and whether that side has delivered late
    InterventionPending(&'static str, bool),
    Closed,
}

impl State {
    /// Its name in the contract.
    pub fn name(self) -> &'static str {
        match self {
            Self::AwaitingOpponent => "AWAITING_OPPONENT",
            Self::AwaitingProposer => "AWAITING_PROPOSER",
            Self::AwaitingArbitrator => "AWAITING_ARBITRATOR",
            Self::InterventionPending(..) => "INTERVENTION_PENDING",
            Self::Closed => "CLOSED",
        }
    }

    /// Whose turn it is.
    fn allowed_roles(self) -> Value {
        match self {
            Self::AwaitingOpponent => json!(["opponent"]),
            Self::AwaitingProposer => json!(["proposer"]),
            Self::AwaitingArbitrator | Self::InterventionPending(..) => json!(["arbitrator"]),
            Self::Closed => json!([]),
        }
    }

    /// The side that has the turn, or had it when the arbitrator stepped in.
    pub fn side(self) -> &'static str {
        match self {
            Self::AwaitingOpponent => "opponent",
            Self::InterventionPending(side, _) => side,
            Self::AwaitingProposer | Self::AwaitingArbitrator | Self::Closed => "proposer",
        }
    }

    /// Whether the side that has the turn, or the arbitrator, may do that.
    pub fn takes(self, verb: Verb) -> bool {
        let (kind, role) = kind_and_role(&ModelRequest { body: json!({"role": self.side()}), ..ModelRequest::new(verb) });
        self.after(kind, role, false).is_some()
    }

    /// Where an argument leads; none where it is not allowed.
    fn after(self, kind: &str, role: &str, close: bool) -> Option<Self> {
        match (self, kind, role) {
            (Self::AwaitingOpponent, "CLAIM", "opponent") => Some(Self::AwaitingProposer),
            (Self::AwaitingProposer, "CLAIM", "proposer") => Some(Self::AwaitingOpponent),
            (Self::AwaitingProposer, "APPEAL" | "RESOLUTION", _) => Some(Self::AwaitingArbitrator),
            (Self::AwaitingOpponent | Self::AwaitingProposer, "INTERVENTION", _) => {
                Some(Self::InterventionPending(self.side(), false))
            }
            (Self::AwaitingArbitrator | Self::InterventionPending(..), "RULING", _) => {
                Some(if close { Self::Closed } else { Self::AwaitingProposer })
            }
            (Self::InterventionPending("opponent", false), "CLAIM", "opponent")
            | (Self::InterventionPending("proposer", false), "CLAIM" | "APPEAL" | "RESOLUTION", "proposer") => {
                Some(Self::InterventionPending(self.side(), true))
            }
            _ => None,
        }
    }
}

/// An argument, and what is not told of it.
#[derive(Debug)]
struct Argument {
    told: Value,
    /// Under which request id it came
    request: Option<String>,
    /// What makes another request the same one
    payload: Value,
    /// The argument after which its writer waits
    wait_after: Value,
    hash: Vec<u8>,
}

/// A debate.
#[derive(Debug)]
pub struct Debate {
    /// Its id
    pub id: String,
    /// Where it stands
    pub state: State,
    opening: Value,
    updated_at: String,
    arguments: Vec<Argument>,
}

impl Debate {
    /// Opens one with its MOTION.
    pub fn open(id: String, request: &ModelRequest, values: &ServerValues) -> Self {
        let opening = json!({
            "id": id, "title": request.field("title"), "debate_type": request.field("debate_type"), "created_at": values.at,
        });
        let mut debate =
            Self { id, state: State::AwaitingOpponent, opening, updated_at: values.at.clone(), arguments: Vec::new() };
        let motion = json!({
            "id": values.id, "debate_id": debate.id, "parent_id": null, "type": "MOTION", "role": "proposer", "seq": 1,
            "content": request.field("motion_content"), "created_at": values.at,
        });
        debate.add(motion, request, Self::motion_of(request), None);
        debate
    }

    fn motion_of(request: &ModelRequest) -> Value {
        json!([request.field("title"), request.field("debate_type"), request.field("motion_content")])
    }

    /// What an attempt to open it once more is answered.
    pub fn open_again(&self, request: &ModelRequest) -> Expected {
        let motion = &self.arguments[0];
        match request_of(request) == motion.request {
            true if Self::motion_of(request) == motion.payload => Ok(Success::repeated(self.opened())),
            true => Err(Refusal::of("IDEMPOTENCY_CONFLICT")),
            false => Err(Refusal::of("DEBATE_EXISTS")),
        }
    }

    /// What whoever opened it is told.
    pub fn opened(&self) -> Value {
        json!({"debate": self.told(), "argument": self.arguments[0].told})
    }

    /// The debate without its arguments.
    pub fn told(&self) -> Value {
        let mut told = self.opening.clone();
        told["state"] = self.state.name().into();
        told["updated_at"] = self.updated_at.as_str().into();
        told["last_seq"] = self.arguments.len().into();
        told["head"] = self.head();
        told
    }

    fn head(&self) -> Value {
        hash_chain::told(&self.newest().hash).into()
    }

    fn newest(&self) -> &Argument {
        self.arguments.last().expect("a debate has a motion")
    }

    /// The ids of its arguments in order.
    pub fn ids(&self) -> impl DoubleEndedIterator<Item = &str> + ExactSizeIterator {
        self.arguments.iter().map(|argument| argument.told["id"].as_str().unwrap_or_default())
    }

    /// The id of the newest that is no intervention.
    pub fn newest_said(&self) -> Option<&str> {
        let said = self.arguments.iter().rfind(|argument| argument.told["type"] != "INTERVENTION");
        said.and_then(|argument| argument.told["id"].as_str())
    }

    /// The place of an argument: 1, 2, 3…
    fn seq_of(&self, id: &str) -> Option<usize> {
        self.ids().position(|other| other == id).map(|index| index + 1)
    }

    fn add(&mut self, mut told: Value, request: &ModelRequest, payload: Value, late_for: Option<&Value>) {
        let previous = self.arguments.last().map_or_else(|| hash_chain::opening(&self.opening), |last| last.hash.clone());
        let request = request_of(request);
        let hash = hash_chain::after(&previous, &told, late_for.and_then(Value::as_str), request.as_deref());
        told["hash"] = hash_chain::told(&hash).into();
        let wait_after = late_for.unwrap_or(&told["id"]).clone();
        self.updated_at = told["created_at"].as_str().unwrap_or_default().max(&self.updated_at).to_owned();
        self.arguments.push(Argument { told, request, payload, wait_after, hash });
    }

    /// What an argument is answered, which is there afterwards where it is allowed.
    ///
    /// # Errors
    /// Why it is refused, which changes nothing.
    pub fn argue(&mut self, request: &ModelRequest, values: &ServerValues, mistake: Option<Mistake>) -> Expected {
        let (kind, role) = kind_and_role(request);
        let said = said(request, kind, role);
        let request = request_of(request);
        let first = self.arguments.iter().find(|argument| request.is_some() && argument.request == request);
        if let Some(first) = first.filter(|_| mistake != Some(Mistake::ForgetsRequests)) {
            let same = first.payload == said;
            let repeated = || Success::repeated(self.submitted(first));
            return same.then(repeated).ok_or_else(|| Refusal::of("IDEMPOTENCY_CONFLICT"));
        }
        let refused = || {
            let refusal = Refusal::of("ACTION_NOT_ALLOWED").with("current_state", self.state.name());
            refusal.with("allowed_roles", self.state.allowed_roles())
        };
        let close = said["close"] == true;
        let next = match (mistake, self.state) {
            (Some(Mistake::LetsTheOpponentGoOn), State::AwaitingProposer) if role == "opponent" => Some(self.state),
            (Some(Mistake::TakesSeveralLate), State::InterventionPending(side, true)) => {
                State::InterventionPending(side, false).after(kind, role, close)
            }
            (_, state) => state.after(kind, role, close),
        };
        let next = next.ok_or_else(refused)?;
        let stepped_in = matches!(self.state, State::InterventionPending(..));
        let is_late = stepped_in && matches!(next, State::InterventionPending(..));
        if let Some(target) = said["parent_id"].as_str() {
            let seq = self.seq_of(target).ok_or_else(|| Refusal::of("ARGUMENT_NOT_FOUND"))?;
            if is_late && seq == self.arguments.len() {
                return Err(refused());
            }
        }
        if let Some(chosen) = said["chosen_option"].as_u64()
            && chosen >= self.options() as u64
        {
            return Err(Refusal::naming("INVALID_INPUT", vec![vec!["chosen_option".to_owned()]]));
        }
        let late_for = is_late.then(|| self.newest().told["id"].clone());
        let previous = self.head();
        let mut told = json!({
            "id": values.id, "debate_id": self.id, "seq": self.arguments.len() + 1, "created_at": values.at,
        });
        for (name, value) in said.as_object().into_iter().flatten() {
            told[name] = value.clone();
        }
        self.add(told, request, said, late_for.as_ref());
        self.state = next;
        let mut told = self.submitted(self.newest());
        told["previous_hash"] = previous;
        Ok(Success::stored(told))
    }

    /// How many options the newest appeal since the last ruling offers.
    fn options(&self) -> usize {
        let since = self.arguments.iter().rev().take_while(|argument| argument.told["type"] != "RULING");
        let appeal = since.map(|argument| &argument.told).find(|told| told["type"] == "APPEAL");
        appeal.and_then(|appeal| appeal["options"].as_array()).map_or(0, Vec::len)
    }

    fn submitted(&self, argument: &Argument) -> Value {
        json!({
            "argument": argument.told,
            "debate_state": self.state.name(),
            "action": self.action(argument.told["role"].as_str().unwrap_or_default()),
            "next_argument_id_to_wait": argument.wait_after,
            "last_seq": self.arguments.len(),
            "head": self.head(),
        })
    }

    /// What somebody is to do next.
    fn action(&self, role: &str) -> &'static str {
        let mut others = self.arguments.iter().rev().filter(|argument| argument.told["role"] != role);
        match (self.state, role) {
            (State::AwaitingProposer, "proposer") => {
                let ruled = others.next().is_some_and(|argument| argument.told["type"] == "RULING");
                if ruled { "align_to_ruling" } else { "respond" }
            }
            (State::AwaitingProposer, "opponent") => "wait_for_proposer",
            (State::AwaitingOpponent, "proposer") => "wait_for_opponent",
            (State::AwaitingOpponent, "opponent") => "respond",
            (State::AwaitingProposer | State::AwaitingOpponent, _) => "watch",
            (State::AwaitingArbitrator | State::InterventionPending(..), "arbitrator") => "rule",
            (State::AwaitingArbitrator | State::InterventionPending(..), _) => "wait_for_ruling",
            (State::Closed, _) => "debate_closed",
        }
    }

    /// The debate with the arguments that are request for.
    pub fn context(&self, request: &ModelRequest) -> Value {
        let number = |name| request.param(name).and_then(|number| number.parse::<usize>().ok());
        let (before, after) = (number("before_seq").unwrap_or(usize::MAX), number("after_seq").unwrap_or(0));
        let numbered = self.arguments.iter().zip(1..).skip(1);
        let range = numbered.filter(|(_, seq)| (after + 1..before).contains(seq));
        let range: Vec<&Value> = range.map(|(argument, _)| &argument.told).collect();
        let left_out = number("limit").map_or(0, |limit| range.len().saturating_sub(limit));
        json!({"debate": self.told(), "motion": self.arguments[0].told, "arguments": range[left_out..]})
    }

    /// What one who waits no time at all is told.
    ///
    /// # Errors
    /// Where the argument that it has seen is none of this debate.
    pub fn wait(&self, request: &ModelRequest, mistake: Option<Mistake>) -> Expected {
        let role = request.param("role").unwrap_or_default();
        let seen = request.param("argument_id").filter(|id| !id.is_empty());
        let unknown = || Refusal::naming("INVALID_INPUT", vec![vec!["argument_id".to_owned()]]);
        let place = |id: &str| self.seq_of(&id_in(&id.into())?);
        let seen = seen.map(|id| place(id).ok_or_else(unknown)).transpose()?;
        let last_seen = seen.unwrap_or(0);
        let others = self.arguments[last_seen..].iter().map(|argument| &argument.told);
        let mut unseen: Vec<&Value> =
            others.filter(|told| told["role"] != role || mistake == Some(Mistake::TellsOwnArguments)).collect();
        let action = self.action(role);
        let mut told = json!({
            "has_new_argument": false, "debate_id": self.id, "last_seen_seq": last_seen,
            "last_seq": self.arguments.len(), "head": self.head(),
            "debate_state": self.state.name(), "action": action,
        });
        if let Some(seen) = seen {
            told["last_seen_hash"] = self.arguments[seen - 1].told["hash"].clone();
        }
        let newest = &self.newest().told;
        let argument = match (action, role) {
            ("debate_closed" | "rule", _) => newest,
            (_, "arbitrator") => return Ok(Success::found(told)),
            _ => match unseen.last() {
                Some(newest) => newest,
                None => return Ok(Success::found(told)),
            },
        };
        unseen.retain(|other| seen.is_some() && other["id"] != argument["id"]);
        told["has_new_argument"] = (argument["seq"].as_u64() > Some(last_seen as u64)).into();
        told["argument"] = argument.clone();
        told["earlier"] = json!(unseen);
        told["next_argument_id_to_wait"] = newest["id"].clone();
        Ok(Success::found(told))
    }
}

/// What would be written, and by whom.
pub fn kind_and_role(request: &ModelRequest) -> (&'static str, &'static str) {
    let claims = if request.field("role") == "opponent" { "opponent" } else { "proposer" };
    let kinds = [
        (Verb::Submit, "CLAIM", claims),
        (Verb::Appeal, "APPEAL", "proposer"),
        (Verb::Resolution, "RESOLUTION", "proposer"),
        (Verb::Ruling, "RULING", "arbitrator"),
        (Verb::Intervention, "INTERVENTION", "arbitrator"),
    ];
    let found = kinds.into_iter().find(|(verb, ..)| *verb == request.verb);
    let (_, kind, role) = found.expect("it is request of arguments only");
    (kind, role)
}

/// All of an argument that its writer says.
fn said(request: &ModelRequest, kind: &str, role: &str) -> Value {
    let content = request.field("content").as_str().unwrap_or_default();
    let target = if role == "arbitrator" { None } else { id_in(request.field("target_id")) };
    let mut said = json!({"type": kind, "role": role, "content": content, "parent_id": target});
    if kind == "RULING" {
        said["close"] = (*request.field("close") == true).into();
        said["chosen_option"] = request.field("chosen_option").clone();
    }
    let options = request.field("options").as_array().filter(|options| kind == "APPEAL" && !options.is_empty());
    if let Some(mut options) = options.cloned() {
        if options.iter().all(|option| option["free_form"] != true) {
            options.push(json!({"label": "Something else", "free_form": true}));
        }
        said["options"] = options.into();
    }
    said
}

fn request_of(request: &ModelRequest) -> Option<String> {
    request.field("client_request_id").as_str().map(str::to_owned)
}
