//! What to do next, as a sentence with a command to copy.

use uuid::Uuid;

use crate::{api::types::Role, shell};

/// Says what `action` means for `role`, who would answer `target` and has seen everything up to `newest`.
pub fn step(action: &str, debate: Uuid, role: Role, target: Uuid, newest: Uuid) -> String {
    let wait = || wait(debate, role, Some(newest));
    let submit = format!("aw debate submit --debate-id {debate} --role {role} --target-id {target} --file PATH");
    match action {
        "respond" => format!("It is your turn: `{submit}`"),
        "align_to_ruling" => format!("The arbitrator ruled: align with it, then `{submit}`"),
        "wait_for_opponent" => format!("It is the opponent's turn: `{}`", wait()),
        "wait_for_proposer" => format!("It is the proposer's turn: `{}`", wait()),
        "wait_for_ruling" => format!("The arbitrator will rule: `{}`", wait()),
        "rule" => format!("A ruling is due: `aw debate ruling --debate-id {debate} --file PATH`"),
        "watch" => format!("The two sides go on: `{}`", wait()),
        "debate_closed" => "The debate is closed: nothing more can be written".to_owned(),
        other => format!("Next: {other}"),
    }
}

/// The same for one who has just written, and so has not seen what came since `newest`.
pub fn step_after_writing(action: &str, debate: Uuid, role: Role, newest: Uuid) -> String {
    match action {
        "respond" | "align_to_ruling" => format!("An answer came: `{}`", wait(debate, role, Some(newest))),
        other => step(other, debate, role, newest, newest),
    }
}

/// Whose turn it is in a state, for one who looks on.
pub fn turn(state: &str) -> &'static str {
    match state {
        "AWAITING_OPPONENT" => "it is the opponent's turn",
        "AWAITING_PROPOSER" => "it is the proposer's turn",
        "AWAITING_ARBITRATOR" => "the arbitrator was asked and will rule",
        "INTERVENTION_PENDING" => "the arbitrator stepped in and will rule",
        "CLOSED" => "nothing more can be written",
        _ => "this state is younger than this version of aw",
    }
}

/// The command that waits for what comes after `argument`.
pub fn wait(debate: Uuid, role: Role, argument: Option<Uuid>) -> String {
    let (debate, role, argument) = (debate.to_string(), role.to_string(), argument.map(|id| id.to_string()));
    let words = ["aw", "debate", "wait", "--debate-id", &debate, "--role", &role];
    let argument = argument.iter().flat_map(|id| ["--argument-id", id]);
    shell::command(words.into_iter().chain(argument))
}

#[cfg(test)]
mod tests {
    use clap::Parser;

    use super::*;
    use crate::args::CommandLine;

    #[test]
    fn every_command_that_is_proposed_exists() {
        let id = Uuid::from_u128(7);
        let actions = [
            "respond",
            "align_to_ruling",
            "wait_for_opponent",
            "wait_for_proposer",
            "wait_for_ruling",
            "rule",
            "watch",
        ];
        for action in actions {
            for sentence in
                [step(action, id, Role::Opponent, id, id), step_after_writing(action, id, Role::Opponent, id)]
            {
                let command = sentence.split('`').nth(1).unwrap();
                assert!(CommandLine::try_parse_from(command.split(' ')).is_ok(), "{command}");
            }
        }
    }

    #[test]
    fn an_action_of_a_newer_server_is_passed_on() {
        let id = Uuid::from_u128(7);
        assert_eq!(step("celebrate", id, Role::Opponent, id, id), "Next: celebrate");
    }
}
