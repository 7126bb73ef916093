//! Counts what the scenarios covered and lists what they have to cover.

use std::collections::BTreeMap;

use tests::api_response::ApiResponse;

use super::{
    change_mutations::ChangeFault,
    expected_response::outcome,
    field_rules::canonical_id,
    issue_coverage,
    model_debate::{State, kind_and_role},
    model_request::{ARGUMENTS, ModelRequest, Verb},
    model_server::ModelServer,
};

/// How often each outcome occurred.
#[derive(Clone, Debug, Default)]
pub struct Coverage {
    /// The number of requests
    pub requests: usize,
    seen: BTreeMap<String, usize>,
    /// The number of debates by final state
    pub debates: BTreeMap<&'static str, usize>,
}

/// The arguments that each state allows. All others are refused.
const ALLOWED: [(State, &[&str]); 7] = [
    (State::AwaitingOpponent, &["CLAIM by opponent", "INTERVENTION by arbitrator"]),
    (
        State::AwaitingProposer,
        &["CLAIM by proposer", "APPEAL by proposer", "RESOLUTION by proposer", "INTERVENTION by arbitrator"],
    ),
    (State::AwaitingArbitrator, &["RULING by arbitrator"]),
    (State::InterventionPending("opponent", false), &["CLAIM by opponent", "RULING by arbitrator"]),
    (
        State::InterventionPending("proposer", false),
        &["CLAIM by proposer", "APPEAL by proposer", "RESOLUTION by proposer", "RULING by arbitrator"],
    ),
    (State::InterventionPending("proposer", true), &["RULING by arbitrator"]),
    (State::Closed, &[]),
];

const ARGUMENTS_BY_ROLE: [&str; 6] = [
    "CLAIM by proposer",
    "CLAIM by opponent",
    "APPEAL by proposer",
    "RESOLUTION by proposer",
    "RULING by arbitrator",
    "INTERVENTION by arbitrator",
];

/// The actions that a wait can return to each role.
const ACTIONS: [(&str, &[&str]); 3] = [
    ("proposer", &["respond", "align_to_ruling", "wait_for_opponent", "wait_for_ruling", "debate_closed"]),
    ("opponent", &["respond", "wait_for_proposer", "wait_for_ruling", "debate_closed"]),
    ("arbitrator", &["watch", "rule", "debate_closed"]),
];

impl Coverage {
    /// Records a response and the state of the model before it.
    pub fn record(&mut self, model: &ModelServer, request: &ModelRequest, answer: &ApiResponse) {
        self.requests += 1;
        let outcome = outcome(answer);
        self.count(format!("{:?}: {outcome}", request.verb));
        let id = canonical_id(&request.id);
        let debate = model.debates.iter().find(|debate| Some(&debate.id) == id.as_ref());
        if let Some(debate) = debate
            && ARGUMENTS.contains(&request.verb)
        {
            let (kind, role) = kind_and_role(request);
            // Without rounds left, the table of moves does not hold; an illegal change is no fault of the state.
            if !debate.has_no_rounds_left() && answer.envelope()["error"].get("allowed_changes").is_none() {
                self.count(format!("{}: {kind} by {role}: {outcome}", situation(debate.state)));
            }
            issue_coverage::covered(debate, request, answer).into_iter().for_each(|what| self.count(what));
        }
        let data = &answer.envelope()["data"];
        if let (Verb::Wait, Some(action)) = (request.verb, data["action"].as_str()) {
            let role = request.param("role").unwrap_or_default();
            self.count(format!("wait of the {role}: {action}, news: {}", data["has_new_argument"]));
        }
    }

    /// Records a response to a write of which only the changes of issues were made faulty.
    pub fn record_change_fault(&mut self, fault: ChangeFault, verb: Verb, answer: &ApiResponse) {
        self.count(issue_coverage::fault_covered(fault, verb, answer));
    }

    fn count(&mut self, what: String) {
        *self.seen.entry(what).or_default() += 1;
    }

    /// Adds the counts of another scenario.
    pub fn add(&mut self, other: Self) {
        self.requests += other.requests;
        for (what, times) in other.seen {
            *self.seen.entry(what).or_default() += times;
        }
        for (state, count) in other.debates {
            *self.debates.entry(state).or_default() += count;
        }
    }

    /// The number of different outcomes that occurred.
    pub fn kinds(&self) -> usize {
        self.seen.len()
    }

    /// The required outcomes that have not occurred yet.
    pub fn missing(&self) -> Vec<String> {
        promised().filter(|what| !self.seen.contains_key(what)).collect()
    }
}

/// Every code of every verb, every argument in every state, and every action of every role.
fn promised() -> impl Iterator<Item = String> {
    let codes =
        Verb::ALL.into_iter().flat_map(|verb| codes(verb).into_iter().map(move |code| format!("{verb:?}: {code}")));
    let said = ALLOWED.into_iter().flat_map(|(state, allowed)| {
        ARGUMENTS_BY_ROLE.into_iter().map(move |saying| {
            let outcome = if allowed.contains(&saying) { "stored" } else { "ACTION_NOT_ALLOWED" };
            format!("{}: {saying}: {outcome}", situation(state))
        })
    });
    let waited = ACTIONS.into_iter().flat_map(|(role, actions)| {
        let news = move |action: &str| {
            if role == "arbitrator" && action == "watch" { &["false"][..] } else { &["false", "true"] }
        };
        actions.iter().flat_map(move |action| {
            news(action).iter().map(move |news| format!("wait of the {role}: {action}, news: {news}"))
        })
    });
    codes.chain(said).chain(waited).chain(issue_coverage::promised())
}

/// The state as far as it decides which arguments are allowed.
fn situation(state: State) -> String {
    match state {
        State::InterventionPending(_, true) => "INTERVENTION_PENDING, delivered".to_owned(),
        State::InterventionPending(side, false) => format!("INTERVENTION_PENDING, the {side} interrupted"),
        State::AwaitingOpponent | State::AwaitingProposer | State::AwaitingArbitrator | State::Closed => {
            state.name().to_owned()
        }
    }
}

fn codes(verb: Verb) -> Vec<&'static str> {
    let mut codes = vec!["FORBIDDEN", "NOT_FOUND", "METHOD_NOT_ALLOWED", "AUTH_FAILED"];
    if verb.has_body() {
        codes.extend(["stored", "repeated", "UNSUPPORTED_MEDIA_TYPE", "CONTENT_TOO_LARGE", "IDEMPOTENCY_CONFLICT"]);
    } else {
        codes.push("read");
    }
    codes.push("INVALID_INPUT");
    if verb.is_of_a_debate() {
        codes.push("DEBATE_NOT_FOUND");
    } else if verb.has_id() {
        codes.push("DOCUMENT_NOT_FOUND");
    }
    match verb {
        Verb::Create => codes.push("DEBATE_EXISTS"),
        Verb::Submit | Verb::Appeal => codes.extend(["ACTION_NOT_ALLOWED", "ARGUMENT_NOT_FOUND"]),
        Verb::Resolution => codes.extend(["ACTION_NOT_ALLOWED", "ARGUMENT_NOT_FOUND", "ISSUES_OPEN"]),
        Verb::Ruling | Verb::Intervention => codes.push("ACTION_NOT_ALLOWED"),
        Verb::List
        | Verb::Search
        | Verb::Context
        | Verb::Issues
        | Verb::Wait
        | Verb::DocumentCreate
        | Verb::DocumentList
        | Verb::DocumentSubmit
        | Verb::DocumentGet
        | Verb::DocumentHistory
        | Verb::DocumentDelete => {}
    }
    codes
}
