//! What the scenarios have to cover of issues.

use serde_json::Value;
use tests::api_response::ApiResponse;

use super::{
    change_mutations::{CHANGE_FAULTS, ChangeFault},
    expected_response::outcome,
    issue_rules::{CHANGES, list, number_in},
    model_debate::{Debate, State, kind_and_role},
    model_issues::{MAX_ISSUES, STATUSES, Standing, may_carry},
    model_request::{ModelRequest, Verb},
};

/// The arguments that carry changes.
const CARRIERS: [(&str, &str); 4] =
    [("CLAIM", "opponent"), ("CLAIM", "proposer"), ("APPEAL", "proposer"), ("RULING", "arbitrator")];

/// States of issues and outcomes that are reached only by several arguments in a row, or that are easily missed.
const DEEP: [&str; 31] = [
    "an issue is upheld and fixed",
    "an issue is upheld and resolved",
    "an issue is referred",
    "an issue is stalled",
    "a RULING ends a reference that it does not decide",
    "a RULING sets how often an issue was reopened to 0",
    "a RULING that closes decides an issue",
    "the opponent defers an issue that blocks: ACTION_NOT_ALLOWED",
    "the opponent defers an upheld issue: ACTION_NOT_ALLOWED",
    "late CLAIM by opponent with changes",
    "late CLAIM by proposer with changes",
    "late APPEAL by proposer with changes",
    "late CLAIM by opponent with an illegal change",
    "ISSUES_OPEN: RESOLUTION",
    "ISSUES_OPEN: late RESOLUTION",
    "RESOLUTION beside issues that do not block",
    "a replay of changes",
    "a replay of changes of issues that changed again",
    "a replay of a RULING that ended references",
    "a conflict of changes only",
    "an option with an illegal change",
    "a RULING carries what its option decides",
    "a RULING with an empty list in place of what its option decides",
    "no rounds left: CLAIM by proposer: ACTION_NOT_ALLOWED",
    "no rounds left: late CLAIM by proposer: ACTION_NOT_ALLOWED",
    "no rounds left: APPEAL by proposer: stored",
    "no rounds left: RESOLUTION by proposer: stored",
    "one issue too many: INVALID_INPUT",
    "an unknown issue: ACTION_NOT_ALLOWED",
    "an unknown issue: ARGUMENT_NOT_FOUND",
    "an unknown issue: IDEMPOTENCY_CONFLICT",
];

/// What the response to a write of an argument covers, given the debate before it.
pub fn covered(debate: &Debate, request: &ModelRequest, answer: &ApiResponse) -> Vec<String> {
    let (kind, role) = kind_and_role(request);
    let (outcome, error) = (outcome(answer), &answer.envelope()["error"]);
    let is_late = matches!(debate.state, State::InterventionPending(..)) && role != "arbitrator";
    let argument = if is_late { format!("late {kind}") } else { kind.to_owned() };
    let changes = list(request.field("issue_changes"));
    let mut covered = match outcome {
        "stored" => stored(debate, request, answer, &argument),
        "repeated" => repeated(answer),
        _ => Vec::new(),
    };
    let of_option = error["field"].as_str().is_some_and(|field| field.starts_with("options["));
    let refused = error.get("allowed_changes").is_some();
    if refused && of_option {
        covered.push("an option with an illegal change".to_owned());
    }
    if refused && !of_option {
        let is_it = |change: &&Value| change["issue"] == error["issue"];
        if let Some(change) = changes.iter().find(is_it) {
            covered.push(change_covered(debate, kind, role, change, "ACTION_NOT_ALLOWED"));
            let issue = number_in(&change["issue"]).and_then(|number| debate.ledger.get(number));
            if let Some(issue) = issue.filter(|_| role == "opponent" && change["change"] == "defer") {
                let what = if issue.upheld { "an upheld issue" } else { "an issue that blocks" };
                if issue.upheld || issue.is_blocking() {
                    covered.push(format!("the opponent defers {what}: ACTION_NOT_ALLOWED"));
                }
            }
        }
        covered.push(format!("{argument} by {role} with an illegal change"));
    }
    if outcome == "ISSUES_OPEN" {
        covered.push(format!("ISSUES_OPEN: {argument}"));
    }
    if debate.differs_in_changes_only(request) && outcome == "IDEMPOTENCY_CONFLICT" {
        covered.push("a conflict of changes only".to_owned());
    }
    let has_the_turn = matches!(debate.state, State::AwaitingProposer | State::InterventionPending("proposer", false));
    if debate.has_no_rounds_left() && has_the_turn && !refused {
        covered.push(format!("no rounds left: {argument} by {role}: {outcome}"));
    }
    let raised = changes.iter().filter(|change| change["change"] == "raise").count();
    if debate.ledger.issues.len() + raised > MAX_ISSUES && outcome == "INVALID_INPUT" {
        covered.push(format!("one issue too many: {outcome}"));
    }
    let unknown =
        |change: &Value| number_in(&change["issue"]).is_some_and(|number| debate.ledger.get(number).is_none());
    if changes.iter().any(unknown) && !refused {
        covered.push(format!("an unknown issue: {outcome}"));
    }
    covered
}

fn stored(debate: &Debate, request: &ModelRequest, answer: &ApiResponse, argument: &str) -> Vec<String> {
    let (kind, role) = kind_and_role(request);
    let data = &answer.envelope()["data"];
    let changes = list(request.field("issue_changes"));
    let mut covered: Vec<String> =
        changes.iter().map(|change| change_covered(debate, kind, role, change, "stored")).collect();
    if !changes.is_empty() {
        covered.push(format!("{argument} by {role} with changes"));
    }
    let mut deep = |holds: bool, what: &str| covered.extend(holds.then(|| what.to_owned()));
    for issue in list(&data["changed_issues"]) {
        let is_changed = issue["changed_seq"] == data["argument"]["seq"];
        let before = number_in(&issue["id"]).and_then(|number| debate.ledger.get(number));
        deep(issue["upheld"] == true && issue["status"] == "fixed", "an issue is upheld and fixed");
        deep(issue["upheld"] == true && issue["status"] == "resolved", "an issue is upheld and resolved");
        deep(issue["referred"] == true, "an issue is referred");
        deep(issue["stalled"] == true, "an issue is stalled");
        deep(kind == "RULING" && !is_changed, "a RULING ends a reference that it does not decide");
        let was_reopened = before.is_some_and(|issue| issue.reopened > 0);
        deep(kind == "RULING" && is_changed && was_reopened, "a RULING sets how often an issue was reopened to 0");
        deep(is_changed && data["debate_state"] == "CLOSED", "a RULING that closes decides an issue");
    }
    if kind == "RULING" && debate.option_decides(request) {
        let asked = &request.field("issue_changes");
        deep(asked.is_null(), "a RULING carries what its option decides");
        let what = "a RULING with an empty list in place of what its option decides";
        deep(asked.as_array().is_some_and(Vec::is_empty), what);
    }
    let counts = debate.ledger.counts();
    let unsettled = ["open", "fixed", "disputed"].iter().any(|status| counts[status] != 0);
    deep(kind == "RESOLUTION" && unsettled, "RESOLUTION beside issues that do not block");
    covered
}

fn repeated(answer: &ApiResponse) -> Vec<String> {
    let data = &answer.envelope()["data"];
    let seq = data["argument"]["seq"].as_u64();
    let issues = list(&data["changed_issues"]);
    let mut covered = Vec::new();
    if !issues.is_empty() {
        covered.push("a replay of changes".to_owned());
    }
    if issues.iter().any(|issue| issue["changed_seq"].as_u64() > seq) {
        covered.push("a replay of changes of issues that changed again".to_owned());
    }
    if data["argument"]["type"] == "RULING" && issues.len() > list(&data["argument"]["issue_changes"]).len() {
        covered.push("a replay of a RULING that ended references".to_owned());
    }
    covered
}

/// What a change covers, given the debate before it. Where the argument may carry no such change, the status does not count.
fn change_covered(debate: &Debate, kind: &str, role: &str, change: &Value, outcome: &str) -> String {
    let name = change["change"].as_str().unwrap_or_default();
    let issue = number_in(&change["issue"]).and_then(|number| debate.ledger.get(number));
    match issue.filter(|_| may_carry(kind, role, name)) {
        Some(issue) => format!("{name} of {} by {role} in {kind}: {outcome}", issue.standing().name()),
        None => format!("{name} by {role} in {kind}: {outcome}"),
    }
}

/// What a fault in the shape of a change covers.
pub fn fault_covered(fault: ChangeFault, verb: Verb, answer: &ApiResponse) -> String {
    format!("{fault:?} in {verb:?}: {}", answer.code())
}

/// Every change of an issue in every status by everyone, every fault of shape, and what is reached by several arguments only.
pub fn promised() -> impl Iterator<Item = String> {
    let minor = |status, upheld, deferred_by| Standing { status, upheld, deferred_by, is_minor: true };
    let standings = move || {
        let plain =
            STATUSES.into_iter().filter(|status| *status != "deferred").map(move |status| minor(status, false, ""));
        let deferred = ["opponent", "arbitrator"].map(|role| minor("deferred", false, role));
        plain.chain(deferred).chain([minor("open", true, "")])
    };
    let changes = CARRIERS.into_iter().flat_map(move |(kind, role)| {
        CHANGES.into_iter().flat_map(move |change| match may_carry(kind, role, change) {
            true if change == "raise" => vec![format!("{change} by {role} in {kind}: stored")],
            true => {
                let outcome = |standing: Standing| {
                    let outcome = if standing.allows(change, role) { "stored" } else { "ACTION_NOT_ALLOWED" };
                    format!("{change} of {} by {role} in {kind}: {outcome}", standing.name())
                };
                standings().map(outcome).collect()
            }
            false => vec![format!("{change} by {role} in {kind}: ACTION_NOT_ALLOWED")],
        })
    });
    let verbs = [Verb::Submit, Verb::Appeal, Verb::Ruling];
    let faults = CHANGE_FAULTS.into_iter().flat_map(move |fault| {
        let code = if fault == ChangeFault::Long { "CONTENT_TOO_LARGE" } else { "INVALID_INPUT" };
        verbs.map(|verb| format!("{fault:?} in {verb:?}: {code}"))
    });
    let none = [Verb::Resolution, Verb::Intervention].map(|verb| format!("Missing in {verb:?}: INVALID_INPUT"));
    changes.chain(faults).chain(none).chain(DEEP.map(str::to_owned))
}
