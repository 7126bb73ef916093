//! The table of allowed arguments as a snapshot, and properties of every sequence of submissions.

use chrono::{DateTime, Utc};
use proptest::prelude::*;
use uuid::Uuid;

use super::*;
use crate::{
    domain::{
        Action, AppealOption, Argument, AtStoring, AwaitingArbitrator, AwaitingOpponent, AwaitingProposer, Closed,
        Content, Debate, DebateId, DebateType, LateDelivery, Ledger, Limits, NewDebate, RequestId, RespondingTo,
        Submission, Title, action_for, replay, with_free_form,
    },
    random_cases::cases,
};

/// All states that behave differently, with their names in the snapshots.
fn states() -> Vec<(&'static str, State)> {
    let appeal = ProposerRequest::Appeal { options: 3 };
    vec![
        ("AWAITING_OPPONENT", State::AwaitingOpponent(AwaitingOpponent)),
        (
            "AWAITING_PROPOSER (a claim)",
            State::AwaitingProposer(AwaitingProposer { responding_to: RespondingTo::Claim }),
        ),
        (
            "AWAITING_PROPOSER (a ruling)",
            State::AwaitingProposer(AwaitingProposer { responding_to: RespondingTo::Ruling }),
        ),
        ("AWAITING_ARBITRATOR (appeal)", State::AwaitingArbitrator(AwaitingArbitrator { request: appeal })),
        (
            "AWAITING_ARBITRATOR (resolution)",
            State::AwaitingArbitrator(AwaitingArbitrator { request: ProposerRequest::Resolution }),
        ),
        (
            "INTERVENTION_PENDING (opponent's turn)",
            State::InterventionPending(InterventionPending::Open(LateDelivery { interrupted: Side::Opponent })),
        ),
        (
            "INTERVENTION_PENDING (proposer's turn)",
            State::InterventionPending(InterventionPending::Open(LateDelivery { interrupted: Side::Proposer })),
        ),
        (
            "INTERVENTION_PENDING (delivered)",
            State::InterventionPending(InterventionPending::Delivered(LateArgument::ProposerRequest(appeal))),
        ),
        ("CLOSED", State::Closed(Closed)),
    ]
}

const LAST_SEQ: u64 = 7;
const OLDER: ArgumentId = ArgumentId(Uuid::from_u128(1));
const NEWEST: ArgumentId = ArgumentId(Uuid::from_u128(2));
const UNKNOWN: ArgumentId = ArgumentId(Uuid::from_u128(9));

fn seq_of(id: ArgumentId) -> Option<u64> {
    [(OLDER, LAST_SEQ - 1), (NEWEST, LAST_SEQ)].into_iter().find(|(known, _)| *known == id).map(|(_, seq)| seq)
}

fn try_submit(state: State, kind: &ArgumentKind) -> Result<Decision, SubmitError> {
    decide(state, Rounds::default(), LAST_SEQ, kind, seq_of)
}

fn ruling(close: bool) -> ArgumentKind {
    ArgumentKind::Ruling { close, chosen_option: None }
}

/// The rows of the table: a name, and the argument for each role that can submit it.
fn rows() -> Vec<(&'static str, Vec<ArgumentKind>)> {
    let claim = |by| ArgumentKind::Claim { by, parent_id: OLDER };
    vec![
        ("MOTION", vec![ArgumentKind::Motion]),
        ("CLAIM", vec![claim(Side::Proposer), claim(Side::Opponent)]),
        ("APPEAL", vec![ArgumentKind::Appeal { parent_id: OLDER, options: vec![option("A"), option("B")] }]),
        ("RESOLUTION", vec![ArgumentKind::Resolution { parent_id: OLDER }]),
        ("INTERVENTION", vec![ArgumentKind::Intervention]),
        ("RULING", vec![ruling(false)]),
        ("RULING, close", vec![ruling(true)]),
    ]
}

#[test]
fn the_table_of_states_roles_and_argument_types() {
    let mut table = String::new();
    for (name, state) in states() {
        table.push_str(&format!("\n{name:<38}  {:<28}{:<28}{}\n", "proposer", "opponent", "arbitrator"));
        for (what, kinds) in rows() {
            let cell = |role: &Role| match kinds.iter().find(|kind| kind.role() == *role) {
                Some(kind) => format!("{:<28}", outcome(state, kind)),
                None => format!("{:<28}", "–"),
            };
            table.push_str(&format!("    {what:<34}  {}\n", Role::ALL.iter().map(cell).collect::<String>().trim_end()));
        }
        let actions = Role::ALL.iter().map(|role| format!("{:<28}", action_for(&state, *role).as_str()));
        table.push_str(&format!("    {:<34}  {}\n", "action", actions.collect::<String>().trim_end()));
    }
    insta::assert_snapshot!(table);
}

fn outcome(state: State, kind: &ArgumentKind) -> String {
    match try_submit(state, kind) {
        Ok(decision) if decision.late => "late, stays".to_owned(),
        Ok(decision) => decision.state.name().to_string(),
        Err(SubmitError::NotAllowed(error)) => {
            assert_eq!(error.current_state, state.name());
            "–".to_owned()
        }
        Err(other) => panic!("{other:?}"),
    }
}

#[test]
fn every_error_names_whose_turn_it_is_and_what_to_do_instead() {
    let mut table = String::new();
    for (name, state) in states() {
        for (what, kinds) in rows() {
            for kind in kinds {
                if let Err(SubmitError::NotAllowed(error)) = try_submit(state, &kind) {
                    table.push_str(&format!(
                        "{name}, {what} by {}: turn of {:?}\n    {}\n",
                        error.role,
                        error.allowed_role.iter().collect::<Vec<_>>(),
                        error.suggestion
                    ));
                }
            }
        }
    }
    insta::assert_snapshot!(table);
}

#[test]
fn the_target_of_a_late_delivery_is_older_than_the_intervention() {
    let open = State::InterventionPending(InterventionPending::Open(LateDelivery { interrupted: Side::Opponent }));
    let claim = |parent_id| try_submit(open, &ArgumentKind::Claim { by: Side::Opponent, parent_id });
    assert!(claim(OLDER).is_ok_and(|decision| decision.late));
    let refused = claim(NEWEST);
    assert!(matches!(refused, Err(SubmitError::NotAllowed(_))), "{refused:?}");
    assert_eq!(claim(UNKNOWN), Err(SubmitError::TargetNotFound(UNKNOWN)));
}

#[test]
fn an_error_about_the_state_precedes_one_about_the_target() {
    for (name, state) in states() {
        let claim = |by, parent_id| try_submit(state, &ArgumentKind::Claim { by, parent_id });
        for side in [Side::Proposer, Side::Opponent] {
            let is_about_target = claim(side, UNKNOWN) == Err(SubmitError::TargetNotFound(UNKNOWN));
            assert_eq!(is_about_target, claim(side, OLDER).is_ok(), "{name}, {side}");
        }
    }
}

#[test]
fn a_ruling_chooses_one_of_the_existing_options() {
    let choose = |state, chosen| try_submit(state, &ArgumentKind::Ruling { close: false, chosen_option: Some(chosen) });
    for (name, state) in states() {
        let options = match state {
            State::AwaitingArbitrator(turn) => turn.request.options(),
            State::InterventionPending(turn) => turn.options(),
            State::AwaitingOpponent(_) | State::AwaitingProposer(_) | State::Closed(_) => continue,
        };
        for chosen in 0..options {
            assert!(choose(state, chosen).is_ok(), "{name}");
        }
        assert_eq!(choose(state, options), Err(SubmitError::OptionNotFound { chosen: options, options }), "{name}");
    }
}

/// A submission of a random sequence. The target is the argument `back` steps before the newest, or an unknown one.
#[derive(Debug, Clone)]
struct Step {
    argument: Kind,
    back: Option<usize>,
    close: bool,
    chosen_option: Option<usize>,
}

#[derive(Debug, Clone, Copy)]
enum Kind {
    ProposerClaim,
    OpponentClaim,
    Appeal,
    Resolution,
    Intervention,
    Ruling,
}

fn steps() -> impl Strategy<Value = Vec<Step>> {
    let argument = prop::sample::select(vec![
        Kind::ProposerClaim,
        Kind::OpponentClaim,
        Kind::Appeal,
        Kind::Resolution,
        Kind::Intervention,
        Kind::Ruling,
    ]);
    let step = (
        argument,
        prop_oneof![6 => (0..4_usize).prop_map(Some), 1 => Just(None)],
        prop::bool::weighted(0.05),
        prop::option::weighted(0.2, 0..4_usize),
    );
    let step = step.prop_map(|(argument, back, close, chosen_option)| Step { argument, back, close, chosen_option });
    prop::collection::vec(step, 1..60)
}

fn option(label: &str) -> AppealOption {
    AppealOption { label: label.to_owned(), detail: None, free_form: false, issue_changes: Vec::new() }
}

fn submission(debate_id: DebateId, step: &Step, parent_id: ArgumentId) -> Submission {
    let kind = match step.argument {
        Kind::ProposerClaim => ArgumentKind::Claim { by: Side::Proposer, parent_id },
        Kind::OpponentClaim => ArgumentKind::Claim { by: Side::Opponent, parent_id },
        Kind::Appeal => ArgumentKind::Appeal { parent_id, options: with_free_form(vec![option("A"), option("B")]) },
        Kind::Resolution => ArgumentKind::Resolution { parent_id },
        Kind::Intervention => ArgumentKind::Intervention,
        Kind::Ruling => ArgumentKind::Ruling { close: step.close, chosen_option: step.chosen_option },
    };
    let content = Content::parse("because".into(), Limits::default().content()).unwrap();
    Submission::new(debate_id, kind, content)
}

fn created() -> (Debate, Argument) {
    let new = NewDebate::new(
        DebateId(Uuid::from_u128(1 << 64)),
        Title::parse("Any sequence of submissions".into()).unwrap(),
        DebateType::GeneralDebate,
        Content::parse("motion".into(), Limits::default().content()).unwrap(),
        "first".parse::<RequestId>().unwrap(),
    );
    new.create(Vec::new(), ArgumentId(Uuid::from_u128(1)), DateTime::<Utc>::UNIX_EPOCH)
}

proptest! {
    #![proptest_config(cases(512))]

    #[test]
    fn any_sequence_of_submissions_keeps_seq_gapless_and_replays_to_the_stored_state(steps in steps()) {
        let (mut debate, motion) = created();
        let mut history = vec![motion];
        for (number, step) in steps.iter().enumerate() {
            let target = match step.back {
                Some(back) => history[history.len().saturating_sub(1 + back)].id,
                None => ArgumentId(Uuid::from_u128(u128::MAX)),
            };
            let seq_of = |id| history.iter().find(|argument| argument.id == id).map(|argument| argument.seq);
            let before = debate.clone();
            let id = ArgumentId(Uuid::from_u128(number as u128 + 2));
            let (submission, now) = (submission(debate.id, step, target), DateTime::<Utc>::UNIX_EPOCH);
            let options = history.last().map_or(&[][..], Argument::options);
            let stored = AtStoring { id, now, citations: Vec::new(), options, plan: Ok(()) };
            match debate.submit(submission, &mut Ledger::default(), seq_of, stored) {
                Ok((after, argument)) => {
                    prop_assert_eq!(argument.seq, before.last_seq + 1);
                    prop_assert_eq!((after.last_seq, after.last_argument_id), (argument.seq, argument.id));
                    history.push(argument);
                    debate = after;
                }
                Err(_) => prop_assert_eq!(&debate, &before),
            }
            prop_assert_eq!(replay(&debate, &history), Ok(Some(debate.clone())));
        }
        prop_assert!(history.iter().map(|argument| argument.seq).eq(1..=debate.last_seq));
    }

    #[test]
    fn exactly_one_role_has_something_to_do_until_the_debate_is_closed(steps in steps()) {
        let (mut debate, motion) = created();
        let mut ids = vec![motion.id];
        for step in &steps {
            let has_turn = |role: &&Role| matches!(
                action_for(&debate.state, **role), Action::Respond | Action::AlignToRuling | Action::Rule
            );
            let closed = debate.state == State::Closed(Closed);
            prop_assert_eq!(Role::ALL.iter().filter(has_turn).count(), usize::from(!closed));
            for role in Role::ALL.iter().filter(has_turn) {
                prop_assert!(!debate.turn(*role, &Ledger::default()).allowed.is_empty());
            }
            let target = ids[ids.len().saturating_sub(1 + step.back.unwrap_or(0))];
            let seq_of = |id| ids.iter().position(|known| *known == id).map(|index| index as u64 + 1);
            let id = ArgumentId(Uuid::from_u128(ids.len() as u128 + 1));
            let (submission, now) = (submission(debate.id, step, target), DateTime::<Utc>::UNIX_EPOCH);
            let stored = AtStoring { id, now, citations: Vec::new(), options: &[], plan: Ok(()) };
            if let Ok((after, argument)) = debate.submit(submission, &mut Ledger::default(), seq_of, stored) {
                ids.push(argument.id);
                debate = after;
            }
        }
    }
}
