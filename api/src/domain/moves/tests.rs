//! The table of moves as a snapshot, and a property of every debate: its moves are accepted.

use std::collections::BTreeSet;

use chrono::{DateTime, Utc};
use proptest::prelude::*;
use uuid::Uuid;

use super::*;
use crate::{
    domain::{
        Action, Argument, ArgumentKind, AtStoring, AwaitingArbitrator, AwaitingOpponent, AwaitingProposer, Citation,
        CitedVersions, Content, DebateId, DebateType, DocumentId, Hash, InterventionPending, IssueCounts, LateArgument,
        LateDelivery, Limits, NewDebate, PlanCitations, ProposerRequest, RequestId, RequestedChange, RespondingTo,
        Rounds, Severity, Side, Submission, Title,
    },
    random_cases::cases,
};

const NEWEST: ArgumentId = ArgumentId(Uuid::from_u128(9));
const BEFORE_INTERVENTION: ArgumentId = ArgumentId(Uuid::from_u128(8));

fn created(max_rounds: Option<u8>) -> (Debate, Argument) {
    let new = NewDebate {
        max_rounds: max_rounds.and_then(|max| max.try_into().ok()),
        ..NewDebate::new(
            DebateId(Uuid::from_u128(1 << 64)),
            Title::parse("What fits".into()).unwrap(),
            DebateType::GeneralDebate,
            Content::parse("motion".into(), Limits::default().content()).unwrap(),
            "first".parse::<RequestId>().unwrap(),
        )
    };
    new.create(Vec::new(), ArgumentId(Uuid::from_u128(1)), DateTime::<Utc>::UNIX_EPOCH)
}

/// Issues as a list of severity and status; `stalled` follows the status of those that are.
fn ledger(issues: &str) -> Ledger {
    let issues = issues.split(", ").filter(|issue| !issue.is_empty()).enumerate().map(|(index, issue)| {
        let mut words = issue.split(' ');
        Issue {
            number: IssueNumber::at(index).unwrap(),
            severity: words.next().unwrap().parse().unwrap(),
            title: "Title".to_owned(),
            location: None,
            status: words.next().unwrap().parse().unwrap(),
            note: None,
            raised_by: Role::Opponent,
            raised_seq: 2,
            changed_seq: 2,
            upheld: false,
            referred: false,
            deferred_by: None,
            reopened: words.next().map_or(0, |_| 2),
        }
    });
    Ledger::from_store(issues.collect())
}

fn debate(state: State, rounds: Rounds, ledger: &Ledger) -> Debate {
    let late_target_id = match state {
        State::InterventionPending(InterventionPending::Open(_)) => Some(BEFORE_INTERVENTION),
        State::InterventionPending(InterventionPending::Delivered(_))
        | State::AwaitingOpponent(_)
        | State::AwaitingProposer(_)
        | State::AwaitingArbitrator(_)
        | State::Closed(_) => None,
    };
    let issue_counts = ledger.counts();
    let ruling_since = state.asks_for_ruling().map(|_| DateTime::UNIX_EPOCH);
    Debate { state, rounds, issue_counts, last_argument_id: NEWEST, late_target_id, ruling_since, ..created(None).0 }
}

fn described(one: &Move) -> String {
    let target = match one.target_id {
        Some(BEFORE_INTERVENTION) => " to what was before the intervention",
        Some(NEWEST) | None => "",
        Some(other) => panic!("{other}"),
    };
    let close = if one.close == Some(true) { " close" } else { "" };
    let change = one.issue_change.iter().map(|(change, issues)| {
        let issues: Vec<_> = issues.iter().map(ToString::to_string).collect();
        format!(" {change} {}", issues.join(","))
    });
    assert_eq!(one.close.is_some(), one.argument_type == ArgumentType::Ruling);
    assert_eq!(one.target_id.is_none(), one.argument_type == ArgumentType::Ruling);
    format!("{}{close}{}{target}", one.argument_type, change.collect::<String>())
}

#[test]
fn a_resolution_is_agreed_if_nothing_blocks_and_the_opponent_has_seen_the_plan() {
    let asked = |request| State::AwaitingArbitrator(AwaitingArbitrator { request });
    let resolution = asked(ProposerRequest::Resolution);
    let late = InterventionPending::Delivered(LateArgument::ProposerRequest(ProposerRequest::Resolution));
    for (state, issues, versions, on, agreed) in [
        (resolution, "", None, Some("RESOLUTION"), true),
        (resolution, "low open", Some([1, 2]), Some("RESOLUTION"), true),
        // The opponent has seen a later version, and not this one.
        (resolution, "", Some([1, 3]), Some("RESOLUTION"), false),
        (resolution, "high open", None, Some("RESOLUTION"), false),
        (asked(ProposerRequest::Appeal { options: 0 }), "", None, Some("APPEAL"), false),
        (State::InterventionPending(late), "", None, Some("INTERVENTION"), false),
        (State::AwaitingOpponent(AwaitingOpponent), "", None, None, false),
    ] {
        let ledger = ledger(issues);
        let plan_citations = versions.map(|seen| PlanCitations::Plan {
            current: Citation { document_id: DocumentId(Uuid::nil()), version: 2, sha256: Hash::UNSET },
            first_version: 1,
            cited: CitedVersions { seen: seen.into(), unseen: BTreeSet::new() },
        });
        let plan_citations = plan_citations.unwrap_or_default();
        let debate = Debate { plan_citations, ..debate(state, Rounds::default(), &ledger) };
        let due = debate.ruling_request();
        assert_eq!(due.map(|due| (due.on.as_str(), due.agreed)), on.map(|on| (on, agreed)), "{issues} {versions:?}");
        let closes: Vec<_> = debate.turn(Role::Arbitrator, &ledger).moves.iter().map(|one| one.close).collect();
        let expected: &[Option<bool>] = if on.is_some() { &[Some(agreed), Some(!agreed)] } else { &[] };
        assert_eq!(closes, expected, "what is agreed is closed first");
    }
}

#[test]
fn the_table_of_moves() {
    let proposer = |responding_to| State::AwaitingProposer(AwaitingProposer { responding_to });
    let asked = |request| State::AwaitingArbitrator(AwaitingArbitrator { request });
    let late = |interrupted| State::InterventionPending(InterventionPending::Open(LateDelivery { interrupted }));
    let rounds = |done: u64| Rounds { done, max: 3.try_into().ok() };
    let situations = [
        ("the opponent's turn", State::AwaitingOpponent(AwaitingOpponent), rounds(1)),
        ("the proposer's turn after a CLAIM", proposer(RespondingTo::Claim), rounds(1)),
        ("the proposer's turn after the last round", proposer(RespondingTo::Claim), rounds(3)),
        ("the proposer's turn after a RULING", proposer(RespondingTo::Ruling), rounds(0)),
        ("the opponent was interrupted", late(Side::Opponent), rounds(1)),
        ("the proposer was interrupted after a CLAIM", late(Side::Proposer), rounds(1)),
        ("the proposer was interrupted after the last round", late(Side::Proposer), rounds(3)),
        ("the proposer was interrupted after a RULING", late(Side::Proposer), rounds(0)),
        ("an APPEAL waits", asked(ProposerRequest::Appeal { options: 2 }), rounds(1)),
        ("a RESOLUTION waits", asked(ProposerRequest::Resolution), rounds(1)),
    ];
    let issues = [
        "",
        "high resolved, low withdrawn, medium dismissed stalled, high deferred",
        "low open",
        "high open, low open, medium fixed, low disputed, high resolved",
        "high fixed, medium fixed",
        "medium open stalled, low open",
        "high disputed stalled, low resolved stalled, medium fixed stalled",
    ];
    let mut table = String::new();
    for (name, state, rounds) in situations {
        table.push_str(&format!("\n{name}\n"));
        for issues in issues {
            let ledger = ledger(issues);
            let debate = debate(state, rounds, &ledger);
            let of =
                |role: &Role| debate.turn(*role, &ledger).moves.iter().map(described).collect::<Vec<_>>().join(" | ");
            let roles = Role::ALL.iter().map(|role| (role, of(role))).filter(|(_, moves)| !moves.is_empty());
            let lines = roles.map(|(role, moves)| format!("        {role}: {moves}\n"));
            table.push_str(&format!("    [{issues}]\n{}", lines.collect::<String>()));
        }
    }
    insta::assert_snapshot!(table);
}

#[test]
fn a_move_changes_the_first_issues_only_if_there_are_many() {
    let ledger = ledger(&vec!["low open"; MAX_CHANGES + 7].join(", "));
    let debate = debate(
        State::AwaitingProposer(AwaitingProposer { responding_to: RespondingTo::Claim }),
        Rounds::default(),
        &ledger,
    );
    let (change, issues) = debate.turn(Role::Proposer, &ledger).moves.remove(0).issue_change.unwrap();
    let first: Vec<_> = (0..MAX_CHANGES).filter_map(IssueNumber::at).collect();
    assert_eq!((change, issues), (ChangeName::Fix, first));
}

/// What a move submits, with a text.
fn submission(debate_id: DebateId, role: Role, one: Move) -> Submission {
    let kind = match (one.argument_type, one.target_id) {
        (ArgumentType::Claim, Some(parent_id)) => ArgumentKind::Claim { by: Side::of(role).unwrap(), parent_id },
        (ArgumentType::Appeal, Some(parent_id)) => ArgumentKind::Appeal { parent_id, options: Vec::new() },
        (ArgumentType::Resolution, Some(parent_id)) => ArgumentKind::Resolution { parent_id },
        (ArgumentType::Ruling, None) => ArgumentKind::Ruling { close: one.close.unwrap(), chosen_option: None },
        (other, target) => panic!("{other} to {target:?}"),
    };
    let changes = one
        .issue_change
        .into_iter()
        .flat_map(|(name, issues)| issues.into_iter().map(move |issue| RequestedChange::of(name, Some(issue))));
    submitted(debate_id, kind, changes.collect())
}

fn submitted(debate_id: DebateId, kind: ArgumentKind, issue_changes: Vec<RequestedChange>) -> Submission {
    let content = Content::parse("because".into(), Limits::default().content()).unwrap();
    Submission { issue_changes: Some(issue_changes), ..Submission::new(debate_id, kind, content) }
}

/// An argument of a random debate. What is not allowed is left out.
#[derive(Debug, Clone)]
struct Step {
    kind: u8,
    /// The issue of each change, and what is changed
    changes: Vec<(usize, u8)>,
}

fn steps() -> impl Strategy<Value = Vec<Step>> {
    let step = (any::<u8>(), prop::collection::vec((0..6_usize, any::<u8>()), 0..4));
    prop::collection::vec(step.prop_map(|(kind, changes)| Step { kind, changes }), 1..60)
}

fn random_submission(debate: &Debate, step: &Step) -> Submission {
    let parent_id = debate.late_target_id.unwrap_or(debate.last_argument_id);
    let kind = match step.kind % 16 {
        0..5 => ArgumentKind::Claim { by: Side::Opponent, parent_id },
        5..9 => ArgumentKind::Claim { by: Side::Proposer, parent_id },
        9 => ArgumentKind::Appeal { parent_id, options: Vec::new() },
        10 => ArgumentKind::Resolution { parent_id },
        11 => ArgumentKind::Intervention,
        other => ArgumentKind::Ruling { close: other == 15 && step.kind > 200, chosen_option: None },
    };
    let mut changes: Vec<RequestedChange> = Vec::new();
    for (index, what) in &step.changes {
        let severity = Severity::ALL[usize::from(what / 64)];
        let name = match (what % 8, kind.role()) {
            (0..3, _) => ChangeName::Raise,
            (3..6, Role::Opponent) => ChangeName::Reopen,
            (_, Role::Opponent) => ChangeName::Resolve,
            (3..6, Role::Proposer) => ChangeName::Fix,
            (_, Role::Proposer) => ChangeName::Dispute,
            (3..6, Role::Arbitrator) => ChangeName::Uphold,
            (_, Role::Arbitrator) => ChangeName::Dismiss,
        };
        let change = if name == ChangeName::Raise {
            RequestedChange::raise(severity, "Title")
        } else {
            RequestedChange::of(name, IssueNumber::at(*index))
        };
        if change.issue.is_none() || changes.iter().all(|other| other.issue != change.issue) {
            changes.push(RequestedChange { note: Some("note".to_owned()), ..change });
        }
    }
    submitted(debate.id, kind, changes)
}

proptest! {
    #![proptest_config(cases(512))]

    #[test]
    fn every_move_of_any_debate_is_accepted_as_it_stands(steps in steps(), max_rounds in prop::option::of(1..3_u8)) {
        let (mut debate, motion) = created(max_rounds);
        let (mut ledger, mut ids) = (Ledger::default(), vec![motion.id]);
        let now = DateTime::<Utc>::UNIX_EPOCH;
        for step in &steps {
            let seq_of = |id| ids.iter().position(|known| *known == id).map(|index| index as u64 + 1);
            let id = ArgumentId(Uuid::from_u128(ids.len() as u128 + 1));
            for role in Role::ALL {
                let turn = debate.turn(*role, &ledger);
                let may_act = match turn.action {
                    Action::Respond | Action::AlignToRuling | Action::Rule => true,
                    // A late delivery.
                    Action::WaitForRuling => !turn.allowed.is_empty(),
                    Action::WaitForOpponent | Action::WaitForProposer | Action::Watch | Action::DebateClosed => false,
                };
                prop_assert_eq!(!turn.moves.is_empty(), may_act, "{:?} of {:?}", &turn, &debate);
                for one in turn.moves {
                    prop_assert!(turn.allowed.contains(&one.argument_type), "{:?} of {:?}", &one, &debate);
                    let submission = submission(debate.id, *role, one.clone());
                    let mut issues = ledger.clone();
                    let stored = AtStoring { id, now, citations: Vec::new(), options: &[], plan: Ok(()) };
                    let accepted = debate.submit(submission, &mut issues, seq_of, stored);
                    prop_assert!(accepted.is_ok(), "{:?} of {:?} with {:?}: {:?}", one, &debate, &ledger, accepted);
                }
            }
            let submission = random_submission(&debate, step);
            let stored = AtStoring { id, now, citations: Vec::new(), options: &[], plan: Ok(()) };
            if let Ok((after, argument)) = debate.submit(submission, &mut ledger, seq_of, stored) {
                ids.push(argument.id);
                debate = after;
            }
            prop_assert_eq!(debate.issue_counts == IssueCounts::default(), ledger.issues().len() == 0);
        }
    }
}
