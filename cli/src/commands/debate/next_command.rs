//! What to do next in a debate: a sentence for the reader, and the command for `metadata.next`.
//!
//! A command has real ids and can be run as it is. Where the caller has to write a text first, its file is `<path>`.

use uuid::Uuid;

use crate::{client::types::Role, output::quoting};

/// What to do next.
pub struct Step {
    /// The situation, as a sentence without a full stop
    pub sentence: String,
    /// The command to run
    pub command: String,
}

/// The step for an `action` that the server told `role`. A submit answers `target`; a wait continues after `newest`.
pub fn step(action: &str, debate: Uuid, role: Role, target: Uuid, newest: Uuid) -> Step {
    let wait = || wait(debate, role, Some(newest));
    let (sentence, command) = match action {
        "respond" => ("It is your turn", submit(debate, role, target)),
        "align_to_ruling" => ("The arbitrator ruled: align with the ruling", submit(debate, role, target)),
        "wait_for_opponent" => ("It is the opponent's turn", wait()),
        "wait_for_proposer" => ("It is the proposer's turn", wait()),
        "wait_for_ruling" => ("The arbitrator will rule", wait()),
        "rule" => ("A ruling is due", format!("aw debate ruling --debate-id {debate} --file <path>")),
        "watch" => ("The two sides continue", wait()),
        "debate_closed" => ("The debate is closed: nothing more can be written", export(debate)),
        unknown => {
            let sentence = format!("The action {unknown} is newer than this version of aw");
            return Step { sentence, command: context(debate, Some(role)) };
        }
    };
    Step { sentence: sentence.to_owned(), command }
}

/// The step after a write. Its author has not seen what came after `newest`, and has to read it before writing again.
pub fn step_after_writing(action: &str, debate: Uuid, role: Role, newest: Uuid) -> Step {
    match action {
        "respond" | "align_to_ruling" | "rule" => {
            Step { sentence: "Read what was written meanwhile".to_owned(), command: wait(debate, role, Some(newest)) }
        }
        other => step(other, debate, role, newest, newest),
    }
}

/// Whose turn it is in a state.
pub fn turn(state: &str) -> &'static str {
    match state {
        "AWAITING_OPPONENT" => "it is the opponent's turn",
        "AWAITING_PROPOSER" => "it is the proposer's turn",
        "AWAITING_ARBITRATOR" => "the arbitrator was asked and will rule",
        "INTERVENTION_PENDING" => "the arbitrator intervened and will rule",
        "CLOSED" => "nothing more can be written",
        _ => "this state is newer than this version of aw",
    }
}

/// For a caller whose role is unknown: the command that tells the role whose turn it is what to do, without waiting.
pub fn wait_as_next_role(debate: Uuid, state: &str, newest: Option<Uuid>) -> String {
    let role = match state {
        "CLOSED" => return export(debate),
        "AWAITING_OPPONENT" => Role::Opponent,
        "AWAITING_PROPOSER" => Role::Proposer,
        _ => Role::Arbitrator,
    };
    wait(debate, role, newest) + " --timeout 0"
}

/// The command that waits for what comes after `argument`.
pub fn wait<Id: ToString>(debate: Id, role: Role, argument: Option<Id>) -> String {
    let (debate, role, argument) = (debate.to_string(), role.to_string(), argument.map(|id| id.to_string()));
    let words = ["aw", "debate", "wait", "--debate-id", &debate, "--role", &role];
    let argument = argument.iter().flat_map(|id| ["--argument-id", id]);
    quoting::command(words.into_iter().chain(argument))
}

/// The command that prints the debate.
pub fn context(debate: Uuid, role: Option<Role>) -> String {
    let role = role.map_or_else(String::new, |role| format!(" --role {role}"));
    format!("aw debate get-context --debate-id {debate}{role}")
}

/// The command that prints the argument with this number.
pub fn show(debate: Uuid, seq: u64) -> String {
    format!("aw debate show --debate-id {debate} --argument-id '#{seq}'")
}

/// The command that writes the whole debate to a file.
pub fn export(debate: Uuid) -> String {
    format!("aw debate export --debate-id {debate} --output debate-{debate}.md")
}

fn submit(debate: Uuid, role: Role, target: Uuid) -> String {
    format!("aw debate submit --debate-id {debate} --role {role} --target-id {target} --file <path>")
}

#[cfg(test)]
mod tests {
    use clap::Parser;

    use super::*;
    use crate::command_line::CommandLine;

    const ID: Uuid = Uuid::from_u128(7);
    const ROLES: [Role; 3] = [Role::Proposer, Role::Opponent, Role::Arbitrator];

    const ACTIONS: [&str; 8] = [
        "respond",
        "align_to_ruling",
        "wait_for_opponent",
        "wait_for_proposer",
        "wait_for_ruling",
        "watch",
        "rule",
        "debate_closed",
    ];

    #[track_caller]
    fn assert_parses(command: &str) {
        let words = command.split(' ').map(|word| word.trim_matches('\''));
        assert!(CommandLine::try_parse_from(words).is_ok(), "{command}");
        assert!(!command.replace(" <path>", "").contains('<'), "{command}");
    }

    #[test]
    fn every_next_command_is_valid() {
        let states =
            ["AWAITING_OPPONENT", "AWAITING_PROPOSER", "AWAITING_ARBITRATOR", "INTERVENTION_PENDING", "CLOSED"];
        for role in ROLES {
            // The server tells only the two sides to respond.
            let actions = ACTIONS.into_iter().skip(if role == Role::Arbitrator { 2 } else { 0 });
            for action in actions {
                assert_parses(&step(action, ID, role, ID, ID).command);
                assert_parses(&step_after_writing(action, ID, role, ID).command);
            }
            for state in states.into_iter().chain(["ADJOURNED"]) {
                assert_parses(&wait_as_next_role(ID, state, Some(ID)));
            }
            assert_parses(&context(ID, Some(role)));
            assert_parses(&step("celebrate", ID, role, ID, ID).command);
        }
        assert_parses(&show(ID, 5));
    }

    #[test]
    fn the_next_command_matches_the_action() {
        for (action, name) in [
            ("respond", "submit"),
            ("align_to_ruling", "submit"),
            ("wait_for_opponent", "wait"),
            ("wait_for_proposer", "wait"),
            ("wait_for_ruling", "wait"),
            ("watch", "wait"),
            ("rule", "ruling"),
            ("debate_closed", "export"),
        ] {
            let command = step(action, ID, Role::Proposer, ID, ID).command;
            assert!(command.starts_with(&format!("aw debate {name} ")), "{action}: {command}");
        }
    }

    #[test]
    fn after_a_write_the_next_command_is_never_another_write() {
        for action in ["respond", "align_to_ruling", "rule"] {
            let command = step_after_writing(action, ID, Role::Opponent, ID).command;
            assert!(command.starts_with("aw debate wait "), "{command}");
        }
    }
}
