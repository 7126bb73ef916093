//! The SPEC's matrix as one snapshot, and what holds for every sequence of attempts.

use chrono::{DateTime, Utc};
use proptest::prelude::*;
use uuid::Uuid;

use super::*;
use crate::domain::{
    Action, AppealOption, Argument, ArgumentId, ArgumentType, Content, Debate, DebateId, DebateType, Draft, Limits,
    NewDebate, RequestId, Submission, Title, action_for, replay, with_free_form,
};
use crate::domain::{
    AwaitingArbitrator, AwaitingOpponent, AwaitingProposer, Closed, InterventionPending, LateDelivery, Summons,
};

/// One of each that behaves in a way of its own, by the name that the snapshot shows.
fn standings() -> Vec<(&'static str, State)> {
    let appeal = Question::Appeal { options: 3 };
    vec![
        ("AWAITING_OPPONENT", State::AwaitingOpponent(AwaitingOpponent)),
        ("AWAITING_PROPOSER (a claim)", State::AwaitingProposer(AwaitingProposer { summons: Summons::Claim })),
        ("AWAITING_PROPOSER (a ruling)", State::AwaitingProposer(AwaitingProposer { summons: Summons::Ruling })),
        ("AWAITING_ARBITRATOR (appeal)", State::AwaitingArbitrator(AwaitingArbitrator { question: appeal })),
        (
            "AWAITING_ARBITRATOR (resolution)",
            State::AwaitingArbitrator(AwaitingArbitrator { question: Question::Resolution }),
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
            State::InterventionPending(InterventionPending::Delivered(LateArgument::Question(appeal))),
        ),
        ("CLOSED", State::Closed(Closed)),
    ]
}

const LAST_SEQ: u64 = 7;

fn older() -> Target {
    Target::Known { id: ArgumentId(Uuid::from_u128(1)), seq: LAST_SEQ - 1 }
}

fn newest() -> Target {
    Target::Known { id: ArgumentId(Uuid::from_u128(2)), seq: LAST_SEQ }
}

#[test]
fn the_matrix_of_states_roles_and_argument_types() {
    let attempts = [
        ("MOTION", Attempt::Motion),
        ("CLAIM", Attempt::Claim { target: older() }),
        ("APPEAL", Attempt::Appeal { target: older(), options: 2 }),
        ("RESOLUTION", Attempt::Resolution { target: older() }),
        ("INTERVENTION", Attempt::Intervention),
        ("RULING", Attempt::Ruling { close: false, chosen_option: None }),
        ("RULING, close", Attempt::Ruling { close: true, chosen_option: None }),
    ];
    let mut table = String::new();
    for (name, state) in standings() {
        table.push_str(&format!("\n{name:<38}  {:<28}{:<28}{}\n", "proposer", "opponent", "arbitrator"));
        for (what, attempt) in &attempts {
            let row = Role::ALL.iter().map(|role| format!("{:<28}", outcome(state, *role, attempt)));
            table.push_str(&format!("    {what:<34}  {}\n", row.collect::<String>().trim_end()));
        }
        let actions = Role::ALL.iter().map(|role| format!("{:<28}", action_for(&state, *role).as_str()));
        table.push_str(&format!("    {:<34}  {}\n", "is told to", actions.collect::<String>().trim_end()));
    }
    insta::assert_snapshot!(table);
}

fn outcome(state: State, role: Role, attempt: &Attempt) -> String {
    match decide(state, LAST_SEQ, role, attempt) {
        Ok(step) if step.late => "late, stays".to_owned(),
        Ok(step) => step.state.name().to_string(),
        Err(Refusal::NotAllowed(refusal)) => {
            assert_eq!(refusal.current_state, state.name());
            "–".to_owned()
        }
        Err(other) => panic!("{other:?}"),
    }
}

#[test]
fn every_refusal_names_whose_turn_it_is_and_what_to_do_instead() {
    let mut table = String::new();
    for (name, state) in standings() {
        for &role in Role::ALL {
            let Err(Refusal::NotAllowed(refusal)) = decide(state, LAST_SEQ, role, &Attempt::Motion) else {
                panic!("a second motion was taken")
            };
            let wrong = match decide(state, LAST_SEQ, role, &Attempt::Ruling { close: false, chosen_option: None }) {
                Err(Refusal::NotAllowed(refusal)) => refusal.suggestion,
                Ok(_) | Err(_) => continue,
            };
            table.push_str(&format!("{name}, {role}: turn of {:?}\n    {wrong}\n", refusal.allowed_roles));
        }
    }
    insta::assert_snapshot!(table);
}

#[test]
fn a_late_delivery_answers_what_is_older_than_the_intervention() {
    let open = State::InterventionPending(InterventionPending::Open(LateDelivery { interrupted: Side::Opponent }));
    assert!(decide(open, LAST_SEQ, Role::Opponent, &Attempt::Claim { target: older() }).is_ok_and(|step| step.late));
    let refused = decide(open, LAST_SEQ, Role::Opponent, &Attempt::Claim { target: newest() });
    assert!(matches!(refused, Err(Refusal::NotAllowed(_))), "{refused:?}");
    let unknown = ArgumentId(Uuid::from_u128(9));
    let refused = decide(open, LAST_SEQ, Role::Opponent, &Attempt::Claim { target: Target::Unknown(unknown) });
    assert_eq!(refused, Err(Refusal::TargetUnknown(unknown)));
}

#[test]
fn the_state_is_told_before_the_target() {
    let unknown = Target::Unknown(ArgumentId(Uuid::from_u128(9)));
    for (name, state) in standings() {
        let refused = decide(state, LAST_SEQ, Role::Proposer, &Attempt::Claim { target: unknown });
        let by_target = matches!(refused, Err(Refusal::TargetUnknown(_)));
        assert_eq!(by_target, allowed_types(&state, Role::Proposer).contains(&ArgumentType::Claim), "{name}");
    }
}

#[test]
fn a_ruling_chooses_one_of_the_options_that_are_there() {
    let rule = |state, chosen| {
        decide(state, LAST_SEQ, Role::Arbitrator, &Attempt::Ruling { close: false, chosen_option: Some(chosen) })
    };
    for (name, state) in standings() {
        let options = match state {
            State::AwaitingArbitrator(turn) => turn.question.options(),
            State::InterventionPending(turn) => turn.options(),
            State::AwaitingOpponent(_) | State::AwaitingProposer(_) | State::Closed(_) => continue,
        };
        for chosen in 0..options {
            assert!(rule(state, chosen).is_ok(), "{name}");
        }
        assert_eq!(rule(state, options), Err(Refusal::OptionUnknown { chosen: options, options }), "{name}");
    }
}

/// An attempt of a random sequence: the target is the argument `back` steps before the newest, or none of the debate.
#[derive(Debug, Clone)]
struct Try {
    kind: u8,
    back: Option<usize>,
    close: bool,
    chosen_option: Option<usize>,
}

fn tries() -> impl Strategy<Value = Vec<Try>> {
    let one = (
        0..6_u8,
        prop_oneof![6 => (0..4_usize).prop_map(Some), 1 => Just(None)],
        prop::bool::weighted(0.05),
        prop::option::weighted(0.2, 0..4_usize),
    );
    let one = one.prop_map(|(kind, back, close, chosen_option)| Try { kind, back, close, chosen_option });
    prop::collection::vec(one, 1..60)
}

fn submission(debate: DebateId, attempt: &Try, target: ArgumentId) -> Submission {
    let option = |label: &str| AppealOption { label: label.to_owned(), detail: None, free_form: false };
    let draft = match attempt.kind {
        0 => Draft::Claim { by: Side::Proposer, target },
        1 => Draft::Claim { by: Side::Opponent, target },
        2 => Draft::Appeal { target, options: with_free_form(vec![option("A"), option("B")]) },
        3 => Draft::Resolution { target },
        4 => Draft::Intervention,
        _ => Draft::Ruling { close: attempt.close, chosen_option: attempt.chosen_option },
    };
    let content = Content::parse("because".into(), Limits::default().content()).unwrap();
    Submission { debate_id: debate, content, request_id: None, draft }
}

fn opened() -> (Debate, Argument) {
    let new = NewDebate {
        id: DebateId(Uuid::from_u128(1 << 64)),
        title: Title::parse("Any sequence of attempts".into()).unwrap(),
        debate_type: DebateType::GeneralDebate,
        motion: Content::parse("motion".into(), Limits::default().content()).unwrap(),
        request_id: "first".parse::<RequestId>().unwrap(),
    };
    new.open(ArgumentId(Uuid::from_u128(1)), DateTime::<Utc>::UNIX_EPOCH)
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(512) })]

    #[test]
    fn any_sequence_of_attempts_keeps_seq_gapless_and_replays_to_the_stored_state(tries in tries()) {
        let (mut debate, motion) = opened();
        let mut history = vec![motion];
        for (number, attempt) in tries.iter().enumerate() {
            let foreign = ArgumentId(Uuid::from_u128(u128::MAX));
            let target = match attempt.back {
                Some(back) => history[history.len().saturating_sub(1 + back)].id,
                None => foreign,
            };
            let place = |id| match history.iter().find(|argument| argument.id == id) {
                Some(argument) => Target::Known { id, seq: argument.seq },
                None => Target::Unknown(id),
            };
            let before = debate.clone();
            let id = ArgumentId(Uuid::from_u128(number as u128 + 2));
            let submission = submission(debate.id, attempt, target);
            let (role, tried) = (submission.draft.kind().role(), submission.draft.kind().argument_type());
            let allowed = allowed_types(&debate.state, role).contains(&tried);
            match debate.submit(submission, place, id, DateTime::<Utc>::UNIX_EPOCH) {
                Ok((after, argument)) => {
                    prop_assert!(allowed, "{tried} by {role} is not in the table of allowed types");
                    prop_assert_eq!(argument.seq, before.last_seq + 1);
                    prop_assert_eq!((after.last_seq, after.last_argument_id), (argument.seq, argument.id));
                    history.push(argument);
                    debate = after;
                }
                Err(Refusal::NotAllowed(_)) => prop_assert_eq!(&debate, &before),
                Err(Refusal::TargetUnknown(_) | Refusal::OptionUnknown { .. }) => {
                    prop_assert!(allowed, "the target was told before the state");
                    prop_assert_eq!(&debate, &before);
                }
            }
            prop_assert_eq!(replay(&history), Ok(debate.state));
        }
        prop_assert!(history.iter().map(|argument| argument.seq).eq(1..=debate.last_seq));
    }

    #[test]
    fn somebody_always_has_something_to_do_until_the_debate_is_closed(tries in tries()) {
        let (mut debate, motion) = opened();
        let mut ids = vec![motion.id];
        for attempt in &tries {
            let to_act = |role: &&Role| matches!(
                action_for(&debate.state, **role), Action::Respond | Action::AlignToRuling | Action::Rule
            );
            let closed = debate.state == State::Closed(Closed);
            prop_assert_eq!(Role::ALL.iter().filter(to_act).count(), usize::from(!closed));
            for role in Role::ALL.iter().filter(to_act) {
                prop_assert!(!allowed_types(&debate.state, *role).is_empty());
            }
            let target = ids[ids.len().saturating_sub(1 + attempt.back.unwrap_or(0))];
            let seqs: Vec<_> = ids.clone();
            let place = |id| Target::Known { id, seq: seqs.iter().position(|known| *known == id).unwrap() as u64 + 1 };
            let id = ArgumentId(Uuid::from_u128(ids.len() as u128 + 1));
            let submission = submission(debate.id, attempt, target);
            if let Ok((after, argument)) = debate.submit(submission, place, id, DateTime::<Utc>::UNIX_EPOCH) {
                ids.push(argument.id);
                debate = after;
            }
        }
    }
}
