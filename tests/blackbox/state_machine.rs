//! An independent implementation of the debate's state machine.

use serde_json::Value;

/// Replays a history and returns its final state. Panics at the first argument that the state machine does not allow.
pub fn replay(history: &[Value]) -> &'static str {
    let mut state = "";
    let mut interrupted = None;
    for (index, argument) in history.iter().enumerate() {
        assert_eq!(argument["seq"], index + 1, "seq has a gap: {argument}");
        check_parent(argument, &history[..index]);
        let step = (argument["type"].as_str().unwrap(), argument["role"].as_str().unwrap());
        if let ("INTERVENTION_PENDING", "CLAIM" | "APPEAL" | "RESOLUTION") = (state, step.0) {
            let (turn, intervention) = interrupted.take().expect("a second late argument was stored");
            assert!(after(turn, step).is_some(), "{step:?} is not a late argument of the interrupted side");
            let target = seq_of(&argument["parent_id"], history);
            assert!(
                target < intervention,
                "a late argument targets argument {target}, which is not older than the intervention"
            );
            continue;
        }
        let next = after(state, step).unwrap_or_else(|| panic!("{step:?} was stored in {state:?}"));
        interrupted = (step.0 == "INTERVENTION").then_some((state, index + 1));
        state = if argument["close"] == true { "CLOSED" } else { next };
    }
    state
}

/// The state after an argument of this type and role; `None` if it is not allowed.
pub fn after(state: &str, step: (&str, &str)) -> Option<&'static str> {
    match (state, step) {
        ("", ("MOTION", "proposer")) => Some("AWAITING_OPPONENT"),
        ("AWAITING_OPPONENT", ("CLAIM", "opponent")) => Some("AWAITING_PROPOSER"),
        ("AWAITING_PROPOSER", ("CLAIM", "proposer")) => Some("AWAITING_OPPONENT"),
        ("AWAITING_PROPOSER", ("APPEAL" | "RESOLUTION", "proposer")) => Some("AWAITING_ARBITRATOR"),
        ("AWAITING_OPPONENT" | "AWAITING_PROPOSER", ("INTERVENTION", "arbitrator")) => Some("INTERVENTION_PENDING"),
        ("AWAITING_ARBITRATOR" | "INTERVENTION_PENDING", ("RULING", "arbitrator")) => Some("AWAITING_PROPOSER"),
        _ => None,
    }
}

fn check_parent(argument: &Value, earlier: &[Value]) {
    let parent = &argument["parent_id"];
    match argument["type"].as_str() {
        Some("MOTION" | "RULING" | "INTERVENTION") => assert!(parent.is_null(), "this type has no parent: {argument}"),
        _ => assert!(earlier.iter().any(|other| other["id"] == *parent), "no earlier parent: {argument}"),
    }
}

fn seq_of(id: &Value, history: &[Value]) -> usize {
    history.iter().position(|argument| argument["id"] == *id).expect("parents are in the history") + 1
}
