//! Generates the tables of `docs/reference.md` that follow from the server's code, and compares them with the file.
//!
//! `INSTA_UPDATE=always` writes them instead.

use std::{env, fmt::Write, fs, path::Path};

use api::{
    domain::{
        AppealOption, ArgumentId, ArgumentKind, ArgumentType, AwaitingArbitrator, AwaitingOpponent, AwaitingProposer,
        ChangeName, Closed, InterventionPending, Issue, IssueNumber, IssueStatus, LateArgument, LateDelivery,
        ProposerRequest, RespondingTo, Role, Rounds, Severity, Side, State, action_for, allowed_changes, decide,
        leads_to, may_carry,
    },
    http::ErrorCode,
};
use uuid::Uuid;

/// Each state that behaves differently, with its description.
fn states() -> Vec<(&'static str, State)> {
    let open = |interrupted| State::InterventionPending(InterventionPending::Open(LateDelivery { interrupted }));
    let proposer = |responding_to| State::AwaitingProposer(AwaitingProposer { responding_to });
    vec![
        ("`AWAITING_OPPONENT`", State::AwaitingOpponent(AwaitingOpponent)),
        ("`AWAITING_PROPOSER` after a CLAIM", proposer(RespondingTo::Claim)),
        ("`AWAITING_PROPOSER` after a RULING", proposer(RespondingTo::Ruling)),
        (
            "`AWAITING_ARBITRATOR`",
            State::AwaitingArbitrator(AwaitingArbitrator { request: ProposerRequest::Resolution }),
        ),
        ("`INTERVENTION_PENDING`, the opponent was interrupted", open(Side::Opponent)),
        ("`INTERVENTION_PENDING`, the proposer was interrupted", open(Side::Proposer)),
        (
            "`INTERVENTION_PENDING` after a late delivery",
            State::InterventionPending(InterventionPending::Delivered(LateArgument::Claim)),
        ),
        ("`CLOSED`", State::Closed(Closed)),
    ]
}

/// Each argument that a role can write, with its name in the table.
fn arguments(role: Role) -> Vec<(&'static str, ArgumentKind)> {
    let parent_id = ArgumentId(Uuid::nil());
    let options =
        vec![AppealOption { label: "A".to_owned(), detail: None, free_form: true, issue_changes: Vec::new() }];
    let all = vec![
        ("CLAIM", ArgumentKind::Claim { by: Side::Proposer, parent_id }),
        ("CLAIM", ArgumentKind::Claim { by: Side::Opponent, parent_id }),
        ("APPEAL", ArgumentKind::Appeal { parent_id, options }),
        ("RESOLUTION", ArgumentKind::Resolution { parent_id }),
        ("INTERVENTION", ArgumentKind::Intervention),
        ("RULING", ArgumentKind::Ruling { close: false, chosen_option: None }),
        ("RULING with `close`", ArgumentKind::Ruling { close: true, chosen_option: None }),
    ];
    all.into_iter().filter(|(_, kind)| kind.role() == role).collect()
}

fn moves() -> String {
    let mut table = "| state | role | may write | next state |\n|---|---|---|---|\n".to_owned();
    for (name, state) in states() {
        for role in Role::ALL {
            for (argument, kind) in arguments(*role) {
                if let Ok(decision) = decide(state, Rounds::default(), 2, &kind, |_| Some(1)) {
                    let next = decision.state.name();
                    let late = if decision.late { " (late delivery)" } else { "" };
                    let _ = writeln!(table, "| {name} | {role} | {argument}{late} | `{next}` |");
                }
            }
        }
    }
    table
}

fn actions() -> String {
    let mut table = "| state | proposer | opponent | arbitrator |\n|---|---|---|---|\n".to_owned();
    for (name, state) in states() {
        let cells = Role::ALL.iter().map(|role| format!(" `{}` |", action_for(&state, *role)));
        let _ = writeln!(table, "| {name} |{}", cells.collect::<String>());
    }
    table
}

fn issue_changes(number: IssueNumber) -> String {
    let issue = |status| Issue {
        number,
        severity: Severity::Medium,
        title: "Title".to_owned(),
        location: None,
        status,
        note: None,
        raised_by: Role::Opponent,
        raised_seq: 2,
        changed_seq: 2,
        upheld: false,
        referred: false,
        deferred_by: (status == IssueStatus::Deferred).then_some(Role::Opponent),
        reopened: 0,
    };
    let mut table = "| change | by, in | from | to |\n|---|---|---|---|\n".to_owned();
    for change in ChangeName::ALL {
        let mut writers = Vec::new();
        let mut from = Vec::new();
        for argument_type in ArgumentType::ALL {
            for role in Role::ALL {
                if may_carry(*argument_type, *role, *change) {
                    writers.push(format!("{role} in {argument_type}"));
                    let is_allowed = |status: &&IssueStatus| {
                        allowed_changes(*argument_type, *role, &issue(**status)).contains(change)
                    };
                    from.extend(IssueStatus::ALL.iter().filter(is_allowed));
                }
            }
        }
        let statuses = IssueStatus::ALL.iter().filter(|status| from.contains(status));
        let from: Vec<_> = statuses.map(|status| format!("`{status}`")).collect();
        let from = if from.is_empty() { "–".to_owned() } else { from.join(", ") };
        let to = leads_to(*change).map_or_else(|| "same".to_owned(), |status| format!("`{status}`"));
        let also = match change {
            ChangeName::Dispute => ("", ", unless `upheld`"),
            ChangeName::Reopen => ("", "; in RULING `deferred` only"),
            ChangeName::Refer => (", `referred`", ""),
            ChangeName::Uphold => (", `upheld`", ""),
            ChangeName::Defer => ("", "; by the opponent only what does not block and is not `upheld`"),
            ChangeName::Raise
            | ChangeName::Fix
            | ChangeName::Resolve
            | ChangeName::Withdraw
            | ChangeName::Regrade
            | ChangeName::Dismiss => ("", ""),
        };
        let _ = writeln!(table, "| `{change}` | {} | {from}{} | {to}{} |", writers.join("; "), also.1, also.0);
    }
    table
}

/// When the server sends a code.
fn meaning(code: ErrorCode) -> &'static str {
    match code {
        ErrorCode::InvalidInput => "The body, the query or an id is not as described; `field` names it.",
        ErrorCode::AuthFailed => "The token is missing or wrong.",
        ErrorCode::ActionNotAllowed => {
            "The state of the debate or the role forbids it; has `current_state` and `allowed_roles`. If it is a change of an \
             issue that is forbidden, also `issue`, `status` and `allowed_changes`."
        }
        ErrorCode::Forbidden => "The Host header, the Origin header or the token's role forbids it.",
        ErrorCode::DebateNotFound => "There is no such debate.",
        ErrorCode::ArgumentNotFound => "There is no such argument in this debate.",
        ErrorCode::DocumentNotFound => {
            "There is no such document or version, or the document is deleted and takes no new version."
        }
        ErrorCode::NotFound => "There is no such path.",
        ErrorCode::MethodNotAllowed => "The path does not support this method.",
        ErrorCode::DebateExists => "The debate id is in use under another request id.",
        ErrorCode::IdempotencyConflict => "The request id was used before with another payload.",
        ErrorCode::IssuesOpen => {
            "A RESOLUTION while issues that are critical or high are not settled; has these in `issues`."
        }
        ErrorCode::SeatTaken => {
            "The role of this debate belongs to the holder of a key, and another key or none was sent; has `role`."
        }
        ErrorCode::ContentTooLarge => "A text, the body or the headers are over a limit; has `limit` and `actual`.",
        ErrorCode::UnsupportedMediaType => "The body is not declared as `application/json`.",
        ErrorCode::HistoryInvalid => {
            "What is stored of the debate or document is not what was written: somebody changed the database, or it is damaged. Has \
             `debate_id` and, where it is an argument, `seq`; or `document_id` and, where it is a version, `version`. Nothing of it \
             is served, and a debate takes no writes; others are not affected."
        }
        ErrorCode::InternalError => "A bug in the server; its log has the cause.",
        ErrorCode::StoreUnavailable => {
            "The database cannot answer now, or nothing can be stored. Retry after `retry_after` seconds with the same `client_request_id`."
        }
        ErrorCode::Overloaded => {
            "There are more connections or waits than the server is set to hold, or no room for a large answer; has `retry_after`."
        }
    }
}

fn error_codes() -> String {
    let mut table = "| code | HTTP status | meaning |\n|---|---|---|\n".to_owned();
    for code in ErrorCode::ALL {
        let _ = writeln!(table, "| `{code}` | {} | {} |", code.status().as_u16(), meaning(*code));
    }
    table
}

#[test]
fn the_generated_tables_of_the_reference_are_current() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/reference.md");
    let written = fs::read_to_string(&path).unwrap();
    let mut current = written.clone();
    let tables = [
        ("moves", moves()),
        ("actions", actions()),
        ("issue changes", issue_changes("I1".parse().unwrap())),
        ("error codes", error_codes()),
    ];
    for (name, table) in tables {
        let (begin, end) = (format!("<!-- generated: {name} -->\n"), "<!-- end -->");
        let (before, rest) = current.split_once(&begin).unwrap_or_else(|| panic!("there is no {begin}"));
        let (_, after) = rest.split_once(end).unwrap();
        current = format!("{before}{begin}\n{table}\n{end}{after}");
    }
    if env::var("INSTA_UPDATE").as_deref() == Ok("always") {
        fs::write(&path, &current).unwrap();
        return;
    }
    assert_eq!(written, current, "docs/reference.md is not current: INSTA_UPDATE=always cargo test -p api writes it");
}
