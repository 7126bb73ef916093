//! The model of one debate: the state machine and the responses of waits.

use serde_json::{Value, json};
use tests::plan::plan_of;

use super::{
    agent_rules,
    expected_response::{Expected, Refusal, Success},
    field_rules::id_in,
    hash_chain,
    issue_rules::{list, normalized, number_in},
    model_citations::{Cited, unseen},
    model_issues::{Ledger, Source},
    model_moves::Moves,
    model_request::{ModelRequest, Verb},
    model_server::{Mistake, ServerValues},
};

/// The state of a debate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum State {
    AwaitingOpponent,
    AwaitingProposer,
    AwaitingArbitrator,
    /// The side whose turn was interrupted, and whether it has submitted its late argument
    InterventionPending(&'static str, bool),
    Closed,
}

impl State {
    /// The state's name in the API.
    pub fn name(self) -> &'static str {
        match self {
            Self::AwaitingOpponent => "AWAITING_OPPONENT",
            Self::AwaitingProposer => "AWAITING_PROPOSER",
            Self::AwaitingArbitrator => "AWAITING_ARBITRATOR",
            Self::InterventionPending(..) => "INTERVENTION_PENDING",
            Self::Closed => "CLOSED",
        }
    }

    /// The `allowed_roles` of a refused write.
    fn allowed_roles(self) -> Value {
        match self {
            Self::AwaitingOpponent => json!(["opponent"]),
            Self::AwaitingProposer => json!(["proposer"]),
            Self::AwaitingArbitrator | Self::InterventionPending(..) => json!(["arbitrator"]),
            Self::Closed => json!([]),
        }
    }

    /// The side that has the turn, or had it before the intervention.
    pub fn side(self) -> &'static str {
        match self {
            Self::AwaitingOpponent => "opponent",
            Self::InterventionPending(side, _) => side,
            Self::AwaitingProposer | Self::AwaitingArbitrator | Self::Closed => "proposer",
        }
    }

    /// Whether the state allows this verb to the side that has the turn or to the arbitrator.
    pub fn allows(self, verb: Verb) -> bool {
        let (kind, role) =
            kind_and_role(&ModelRequest { body: json!({"role": self.side()}), ..ModelRequest::new(verb) });
        self.next(kind, role, false).is_some()
    }

    /// The state after an argument; `None` if the argument is not allowed.
    fn next(self, kind: &str, role: &str, close: bool) -> Option<Self> {
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

/// An argument and what the API does not show of it.
#[derive(Debug)]
struct Argument {
    fields: Value,
    /// The request id it was written with
    request_id: Option<String>,
    /// What a repeated request must not change
    payload: Value,
    /// The id of the argument after which its writer waits
    wait_after: Value,
    /// The numbers of the issues that it changed
    changed: Vec<usize>,
    hash: Vec<u8>,
}

/// A debate.
#[derive(Debug)]
pub struct Debate {
    /// The debate's id
    pub id: String,
    /// The debate's state
    pub state: State,
    /// The debate's issues
    pub ledger: Ledger,
    opening: Value,
    updated_at: String,
    arguments: Vec<Argument>,
}

impl Debate {
    /// Creates a debate with its motion.
    pub fn open(id: String, request: &ModelRequest, values: &ServerValues, cited: &Cited) -> Self {
        let opening = json!({
            "id": id, "title": request.field("title"), "debate_type": request.field("debate_type"),
            "created_at": values.at, "max_rounds": request.field("max_rounds"),
            // No request of the model carries a key.
            "seats": {"proposer": false, "opponent": false},
        });
        let mut debate = Self {
            id,
            state: State::AwaitingOpponent,
            ledger: Ledger::default(),
            opening,
            updated_at: values.at.clone(),
            arguments: Vec::new(),
        };
        let mut motion = json!({
            "id": values.id, "debate_id": debate.id, "parent_id": null, "type": "MOTION", "role": "proposer", "seq": 1,
            "content": request.field("motion_content"), "created_at": values.at,
        });
        if !cited.known.is_empty() {
            motion["citations"] = json!(cited.known);
        }
        set_agents(&mut motion, request);
        debate.add(motion, request, Self::motion_of(request), None, Vec::new());
        debate
    }

    fn motion_of(request: &ModelRequest) -> Value {
        json!(["title", "debate_type", "motion_content", "max_rounds"].map(|name| request.field(name)))
    }

    /// The response to a repeated creation.
    pub fn open_again(&self, request: &ModelRequest, cited: &Cited) -> Expected {
        let motion = &self.arguments[0];
        match request_id_of(request) == motion.request_id {
            true if Self::motion_of(request) == motion.payload => Ok(Success::repeated(self.opened(cited))),
            true => Err(Refusal::of("IDEMPOTENCY_CONFLICT")),
            false => Err(Refusal::of("DEBATE_EXISTS")),
        }
    }

    /// The data of the response to the creation.
    pub fn opened(&self, cited: &Cited) -> Value {
        json!({"debate": self.view(), "argument": self.arguments[0].fields, "unknown_citations": cited.unknown})
    }

    /// The debate as the API shows it, without arguments.
    pub fn view(&self) -> Value {
        let mut fields = self.opening.clone();
        fields["state"] = self.state.name().into();
        fields["updated_at"] = self.updated_at.as_str().into();
        fields["last_seq"] = self.arguments.len().into();
        fields["head"] = self.head();
        fields["rounds"] = self.rounds().into();
        fields["issue_counts"] = self.ledger.counts();
        fields["plan"] = self.plan();
        fields["ruling_request"] = self.ruling_request();
        fields
    }

    /// What asks for a ruling.
    fn ruling_request(&self) -> Value {
        let asking = match self.state {
            // While it waits for its ruling nothing else is written.
            State::AwaitingArbitrator => self.newest(),
            State::InterventionPending(_, delivered) => {
                &self.arguments[self.arguments.len() - 1 - usize::from(delivered)]
            }
            State::AwaitingOpponent | State::AwaitingProposer | State::Closed => return Value::Null,
        };
        let on = asking.fields["type"].clone();
        let plan = self.plan();
        let agreed =
            on == "RESOLUTION" && self.ledger.blocking().is_empty() && (plan.is_null() || plan["seen"] == true);
        json!({"on": on, "seq": asking.fields["seq"], "since": asking.fields["created_at"], "agreed": agreed})
    }

    /// The debate's plan.
    fn plan(&self) -> Value {
        plan_of(&self.arguments.iter().map(|argument| &argument.fields).collect::<Vec<_>>())
    }

    /// The moves of a role.
    fn moves(&self, role: &str) -> Vec<Value> {
        let moves = Moves {
            state: self.state,
            arguments: self.arguments.iter().map(|argument| &argument.fields).collect(),
            ledger: &self.ledger,
            has_no_rounds_left: self.has_no_rounds_left(),
            is_agreed: self.ruling_request()["agreed"] == true,
        };
        moves.of(role)
    }

    /// The number of the opponent's CLAIMs since the last RULING.
    fn rounds(&self) -> usize {
        let since = self.arguments.iter().rev().map(|argument| &argument.fields);
        let since = since.take_while(|fields| fields["type"] != "RULING");
        since.filter(|fields| fields["type"] == "CLAIM" && fields["role"] == "opponent").count()
    }

    /// Whether the proposer can only appeal or request completion.
    pub fn has_no_rounds_left(&self) -> bool {
        self.opening["max_rounds"].as_u64().is_some_and(|max| self.rounds() as u64 >= max)
    }

    /// The state after an argument; `None` if the argument is not allowed.
    fn next_state(&self, state: State, kind: &str, role: &str, close: bool) -> Option<State> {
        let is_over = kind == "CLAIM" && role == "proposer" && self.has_no_rounds_left();
        state.next(kind, role, close).filter(|_| !is_over)
    }

    fn head(&self) -> Value {
        hash_chain::hex(&self.newest().hash).into()
    }

    fn newest(&self) -> &Argument {
        self.arguments.last().expect("a debate has a motion")
    }

    /// The ids of the arguments in order.
    pub fn ids(&self) -> impl DoubleEndedIterator<Item = &str> + ExactSizeIterator {
        self.arguments.iter().map(|argument| argument.fields["id"].as_str().unwrap_or_default())
    }

    /// The id of the newest argument that is not an intervention.
    pub fn newest_target(&self) -> Option<&str> {
        let written = self.arguments.iter().rfind(|argument| argument.fields["type"] != "INTERVENTION");
        written.and_then(|argument| argument.fields["id"].as_str())
    }

    /// The `seq` of an argument.
    fn seq_of(&self, id: &str) -> Option<usize> {
        self.ids().position(|other| other == id).map(|index| index + 1)
    }

    /// The argument that was written with the same request id.
    fn written_before(&self, request: &ModelRequest) -> Option<&Argument> {
        let request_id = request_id_of(request)?;
        self.arguments.iter().find(|argument| argument.request_id.as_deref() == Some(&request_id))
    }

    /// Whether the request is the same as that of an earlier argument but for the changes of issues.
    pub fn differs_in_changes_only(&self, request: &ModelRequest) -> bool {
        let (kind, role) = kind_and_role(request);
        let without_changes = |mut payload: Value| {
            let changes = payload.as_object_mut().and_then(|fields| fields.shift_remove("issue_changes"));
            (payload, changes)
        };
        let written = without_changes(written_fields(request, kind, role));
        self.written_before(request).is_some_and(|first| {
            let first = without_changes(first.payload.clone());
            first.0 == written.0 && first.1 != written.1
        })
    }

    fn add(
        &mut self,
        mut fields: Value,
        request: &ModelRequest,
        payload: Value,
        late_for: Option<&Value>,
        changed: Vec<usize>,
    ) {
        let previous =
            self.arguments.last().map_or_else(|| hash_chain::opening(&self.opening), |last| last.hash.clone());
        let request_id = request_id_of(request);
        let hash = hash_chain::after(&previous, &fields, late_for.and_then(Value::as_str), request_id.as_deref());
        fields["hash"] = hash_chain::hex(&hash).into();
        let wait_after = late_for.unwrap_or(&fields["id"]).clone();
        self.updated_at = fields["created_at"].as_str().unwrap_or_default().max(&self.updated_at).to_owned();
        self.arguments.push(Argument { fields, request_id, payload, wait_after, changed, hash });
    }

    /// Adds an argument and returns the response.
    ///
    /// # Errors
    /// The refusal, which changes nothing.
    pub fn submit(
        &mut self,
        request: &ModelRequest,
        values: &ServerValues,
        cited: &Cited,
        mistake: Option<Mistake>,
    ) -> Expected {
        let (kind, role) = kind_and_role(request);
        let written = written_fields(request, kind, role);
        if let Some(first) = self.written_before(request).filter(|_| mistake != Some(Mistake::ForgetsRequests)) {
            let same = first.payload == written;
            let repeated = || Success::repeated(self.submitted(first, cited));
            return same.then(repeated).ok_or_else(|| Refusal::of("IDEMPOTENCY_CONFLICT"));
        }
        let refused = || {
            let refusal = Refusal::of("ACTION_NOT_ALLOWED").with("current_state", self.state.name());
            refusal.with("allowed_roles", self.state.allowed_roles())
        };
        let close = written["close"] == true;
        let makes = |other: Mistake| mistake == Some(other);
        let mut state = self.state;
        if let State::InterventionPending(_, several) = &mut state
            && makes(Mistake::TakesSeveralLate)
        {
            *several = false;
        }
        let goes_on = makes(Mistake::LetsTheOpponentGoOn) && state == State::AwaitingProposer && role == "opponent";
        let next = if goes_on { Some(state) } else { self.next_state(state, kind, role, close) };
        let next = next.ok_or_else(refused)?;
        let stepped_in = matches!(self.state, State::InterventionPending(..));
        let is_late = stepped_in && matches!(next, State::InterventionPending(..));
        if let Some(target) = written["parent_id"].as_str() {
            let seq = self.seq_of(target).ok_or_else(|| Refusal::of("ARGUMENT_NOT_FOUND"))?;
            if is_late && seq == self.arguments.len() {
                return Err(refused());
            }
        }
        if let Some(chosen) = written["chosen_option"].as_u64()
            && chosen >= self.options() as u64
        {
            return Err(Refusal::naming("INVALID_INPUT", vec![vec!["chosen_option".to_owned()]]));
        }
        let changes = &written["issue_changes"];
        if let Some(refusal) = self.ledger.refusal(changes, kind, role) {
            let is_of_role = refusal.code == "ACTION_NOT_ALLOWED";
            let fields = refused().fields;
            return Err(if is_of_role {
                fields.into_iter().fold(refusal, |all, (name, value)| all.with(&name, value))
            } else {
                refusal
            });
        }
        let blocking = self.ledger.blocking();
        if kind == "RESOLUTION" && !blocking.is_empty() && mistake != Some(Mistake::IgnoresBlockingIssues) {
            return Err(Refusal::of("ISSUES_OPEN").with("issues", blocking));
        }
        let late_for = is_late.then(|| self.newest().fields["id"].clone());
        let previous = self.head();
        let mut fields = json!({
            "id": values.id, "debate_id": self.id, "seq": self.arguments.len() + 1, "created_at": values.at,
        });
        for (name, value) in written.as_object().into_iter().flatten() {
            fields[name] = value.clone();
        }
        let plan = self.plan();
        let of_plan = cited.known.iter().filter(|citation| citation["document_id"] == plan["document_id"]);
        let highest = of_plan.filter_map(|citation| citation["version"].as_u64()).max();
        let same_plan = highest.is_some() && highest == plan["version"].as_u64();
        let source = Source { kind, role, seq: self.arguments.len() + 1, argument_id: &values.id, same_plan };
        let (stored, changed) = self.ledger.apply(changes, &source, mistake == Some(Mistake::KeepsReferred));
        if !stored.is_null() {
            fields["issue_changes"] = stored;
        }
        if !cited.known.is_empty() {
            fields["citations"] = json!(cited.known);
        }
        if kind == "RULING" {
            fields["chosen"] = self.chosen(&written["chosen_option"]);
        }
        set_agents(&mut fields, request);
        self.add(fields, request, written, late_for.as_ref(), changed);
        self.state = next;
        let mut fields = self.submitted(self.newest(), cited);
        fields["previous_hash"] = previous;
        Ok(Success::stored(fields))
    }

    /// The newest appeal since the last ruling.
    fn appeal(&self) -> Option<&Value> {
        let since = self.arguments.iter().rev().take_while(|argument| argument.fields["type"] != "RULING");
        since.map(|argument| &argument.fields).find(|fields| fields["type"] == "APPEAL")
    }

    /// The number of options of the newest appeal since the last ruling.
    fn options(&self) -> usize {
        self.appeal().and_then(|appeal| appeal["options"].as_array()).map_or(0, Vec::len)
    }

    /// What a ruling with this `chosen_option` chooses.
    fn chosen(&self, option: &Value) -> Value {
        let (Some(number), Some(appeal)) = (option.as_u64(), self.appeal()) else { return Value::Null };
        let index = usize::try_from(number).unwrap_or(usize::MAX);
        json!({"seq": appeal["seq"], "number": number, "label": appeal["options"][index]["label"]})
    }

    fn submitted(&self, argument: &Argument, cited: &Cited) -> Value {
        let mut response = json!({
            "argument": argument.fields,
            "debate_state": self.state.name(),
            "action": self.action(argument.fields["role"].as_str().unwrap_or_default()),
            "allowed": self.allowed(argument.fields["role"].as_str().unwrap_or_default()),
            "moves": self.moves(argument.fields["role"].as_str().unwrap_or_default()),
            "plan": self.plan(),
            "next_argument_id_to_wait": argument.wait_after,
            "last_seq": self.arguments.len(),
            "head": self.head(),
            "changed_issues": self.ledger.views(&argument.changed),
            "unknown_citations": cited.unknown,
        });
        if argument.fields["type"] == "RESOLUTION" {
            response["unseen_citations"] = self.unseen_citations(&argument.fields).into();
        }
        response
    }

    /// What a RESOLUTION cites and no argument up to the opponent's newest CLAIM before it cites.
    fn unseen_citations(&self, resolution: &Value) -> Vec<Value> {
        let before = self.arguments.iter().map(|argument| &argument.fields);
        let before: Vec<&Value> = before.take_while(|fields| fields["seq"] != resolution["seq"]).collect();
        let newest = before.iter().rposition(|fields| fields["type"] == "CLAIM" && fields["role"] == "opponent");
        let seen = &before[..newest.map_or(0, |newest| newest + 1)];
        unseen(&resolution["citations"], seen.iter().map(|fields| &fields["citations"]))
    }

    /// The action of a role.
    fn action(&self, role: &str) -> &'static str {
        let mut others = self.arguments.iter().rev().filter(|argument| argument.fields["role"] != role);
        match (self.state, role) {
            (State::AwaitingProposer, "proposer") => {
                let ruled = others.next().is_some_and(|argument| argument.fields["type"] == "RULING");
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

    /// The argument types that a role may submit.
    fn allowed(&self, role: &str) -> Vec<&'static str> {
        let types: &[&str] = match role {
            "proposer" => &["CLAIM", "APPEAL", "RESOLUTION"],
            "opponent" => &["CLAIM"],
            _ => &["INTERVENTION", "RULING"],
        };
        types.iter().copied().filter(|kind| self.next_state(self.state, kind, role, false).is_some()).collect()
    }

    /// The response to `GET /debates/{id}`.
    pub fn context(&self, request: &ModelRequest) -> Value {
        let number = |name| request.param(name).and_then(|number| number.parse::<usize>().ok());
        let (before, after) = (number("before_seq").unwrap_or(usize::MAX), number("after_seq").unwrap_or(0));
        let numbered = self.arguments.iter().zip(1..).skip(1);
        let range = numbered.filter(|(_, seq)| (after + 1..before).contains(seq));
        let range: Vec<&Value> = range.map(|(argument, _)| &argument.fields).collect();
        let left_out = number("limit").map_or(0, |limit| range.len().saturating_sub(limit));
        let rulings: Vec<&&Value> = range[..left_out].iter().filter(|fields| fields["type"] == "RULING").collect();
        let turns = ["proposer", "opponent", "arbitrator"].map(|role| {
            json!({
                "role": role, "action": self.action(role), "allowed": self.allowed(role), "moves": self.moves(role),
            })
        });
        json!({
            "debate": self.view(), "motion": self.arguments[0].fields, "arguments": range[left_out..],
            "omitted": left_out, "earlier_rulings": rulings, "turns": turns,
            "issues": self.with_may(json!(self.ledger.unsettled())),
        })
    }

    /// The response to `GET /debates/{id}/issues`.
    pub fn issues(&self, request: &ModelRequest) -> Value {
        let mut response = self.ledger.response(request.param("status"), request.param("history") == Some("true"));
        response["issues"] = self.with_may(response["issues"].take());
        response
    }

    /// Issues with what each role may make of them now.
    fn with_may(&self, mut issues: Value) -> Value {
        for issue in issues.as_array_mut().into_iter().flatten() {
            let stored = number_in(&issue["id"]).and_then(|number| self.ledger.get(number));
            let may = |role: &'static str| -> Vec<&str> {
                let is_late = matches!(self.state, State::InterventionPending(..)) && role != "arbitrator";
                let types = if is_late { Vec::new() } else { self.allowed(role) };
                types
                    .iter()
                    .flat_map(|kind| stored.map_or_else(Vec::new, |one| one.allowed_changes(kind, role)))
                    .collect()
            };
            issue["may"] = json!({
                "proposer": may("proposer"), "opponent": may("opponent"), "arbitrator": may("arbitrator"),
            });
        }
        issues
    }

    /// The response to a wait with `timeout=0`.
    ///
    /// # Errors
    /// What a search for this text in lower case finds.
    pub fn hits(&self, q: &str) -> Vec<Value> {
        let (view, mut hits) = (self.view(), Vec::new());
        for argument in &self.arguments {
            let fields = &argument.fields;
            let mut texts = Vec::new();
            if fields["seq"] == 1 {
                texts.push(("title", Value::Null, view["title"].as_str().unwrap_or_default().to_owned()));
            }
            let kind = if fields["type"] == "RULING" { "ruling" } else { "argument" };
            texts.push((kind, Value::Null, fields["content"].as_str().unwrap_or_default().to_owned()));
            for change in list(&fields["issue_changes"]) {
                let parts = ["title", "location", "note"].map(|name| change[name].as_str());
                texts.push((
                    "issue",
                    change["issue"].clone(),
                    parts.into_iter().flatten().collect::<Vec<_>>().join("\n"),
                ));
            }
            hits.extend(texts.into_iter().filter_map(|(kind, issue, text)| {
                Some(json!({
                    "kind": kind, "debate_id": self.id, "debate_title": view["title"], "debate_state": view["state"],
                    "seq": fields["seq"], "issue": issue, "text": excerpt(&text, q)?, "created_at": fields["created_at"],
                }))
            }));
        }
        hits
    }

    /// The refusal if `argument_id` is not an argument of this debate.
    pub fn wait(&self, request: &ModelRequest, mistake: Option<Mistake>) -> Expected {
        let role = request.param("role").unwrap_or_default();
        let seen = request.param("argument_id").filter(|id| !id.is_empty());
        let unknown = || Refusal::naming("INVALID_INPUT", vec![vec!["argument_id".to_owned()]]);
        let place = |id: &str| self.seq_of(&id_in(&id.into())?);
        let seen = seen.map(|id| place(id).ok_or_else(unknown)).transpose()?;
        let last_seen = seen.unwrap_or(0);
        let others = self.arguments[last_seen..].iter().map(|argument| &argument.fields);
        let mut unseen: Vec<&Value> =
            others.filter(|fields| fields["role"] != role || mistake == Some(Mistake::TellsOwnArguments)).collect();
        let action = self.action(role);
        let mut fields = json!({
            "has_new_argument": false, "debate_id": self.id, "last_seen_seq": last_seen,
            "last_seq": self.arguments.len(), "head": self.head(),
            "debate_state": self.state.name(), "action": action, "allowed": self.allowed(role),
            "moves": self.moves(role), "plan": self.plan(),
        });
        if let Some(seen) = seen {
            fields["last_seen_hash"] = self.arguments[seen - 1].fields["hash"].clone();
        }
        let newest = &self.newest().fields;
        let argument = match (action, role) {
            ("debate_closed" | "rule", _) => newest,
            (_, "arbitrator") => return Ok(Success::found(fields)),
            _ => match unseen.last() {
                Some(newest) => newest,
                None => return Ok(Success::found(fields)),
            },
        };
        unseen.retain(|other| seen.is_some() && other["id"] != argument["id"]);
        fields["has_new_argument"] = (argument["seq"].as_u64() > Some(last_seen as u64)).into();
        fields["argument"] = argument.clone();
        fields["earlier"] = json!(unseen);
        fields["issues"] = self.with_may(json!(self.ledger.unsettled()));
        fields["next_argument_id_to_wait"] = newest["id"].clone();
        Ok(Success::found(fields))
    }
}

/// The type and role of the argument that a request writes.
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
    let (_, kind, role) = found.expect("the request writes an argument");
    (kind, role)
}

/// The fields of an argument that come from the request.
fn written_fields(request: &ModelRequest, kind: &str, role: &str) -> Value {
    let content = request.field("content").as_str().unwrap_or_default();
    let target = if role == "arbitrator" { None } else { id_in(request.field("target_id")) };
    let mut written = json!({"type": kind, "role": role, "content": content, "parent_id": target});
    if kind == "RULING" {
        written["close"] = (*request.field("close") == true).into();
        written["chosen_option"] = request.field("chosen_option").clone();
    }
    let options = request.field("options").as_array().filter(|options| kind == "APPEAL" && !options.is_empty());
    if let Some(mut options) = options.cloned() {
        if options.iter().all(|option| option["free_form"] != true) {
            options.push(json!({"label": "Something else", "free_form": true}));
        }
        written["options"] = options.into();
    }
    let changes = normalized(request.field("issue_changes"));
    if !changes.is_null() {
        written["issue_changes"] = changes;
    }
    written
}

/// Agents are stored and not compared when a request is repeated.
fn set_agents(argument: &mut Value, request: &ModelRequest) {
    let agents = agent_rules::stored(request.field("agents"));
    if !agents.is_null() {
        argument["agents"] = agents;
    }
}

fn request_id_of(request: &ModelRequest) -> Option<String> {
    request.field("client_request_id").as_str().map(str::to_owned)
}

/// At most 300 characters around the first place where a text has `q` in either case; none if it has not.
fn excerpt(text: &str, q: &str) -> Option<String> {
    let lower: Vec<String> = text.chars().map(|c| c.to_lowercase().to_string()).collect();
    let at = lower.concat().find(q)?;
    let before = lower
        .iter()
        .scan(0, |end, c| {
            *end += c.len();
            Some(*end)
        })
        .take_while(|end| *end <= at)
        .count();
    let last = lower.len().saturating_sub(300);
    Some(text.chars().skip(before.saturating_sub(100).min(last)).take(300).collect())
}
