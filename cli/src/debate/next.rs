//! What to do next: a sentence for the reader, and the command that does it.
//!
//! A command is complete with real ids and can be run as it stands; where somebody has to write a text first, its file
//! is called `<path>`.

use uuid::Uuid;

use crate::{api::types::Role, shell};

/// What to do next.
pub struct Step {
    /// What it is, in a sentence
    pub sentence: String,
    /// The command
    pub command: String,
}

/// What `action` means for `role`, who would answer `target` and has seen everything up to `newest`.
pub fn step(action: &str, debate: Uuid, role: Role, target: Uuid, newest: Uuid) -> Step {
    let go_on = || wait(debate, role, Some(newest));
    let (sentence, command) = match action {
        "respond" => ("It is your turn", submit(debate, role, target)),
        "align_to_ruling" => ("The arbitrator ruled: align with it", submit(debate, role, target)),
        "wait_for_opponent" => ("It is the opponent's turn", go_on()),
        "wait_for_proposer" => ("It is the proposer's turn", go_on()),
        "wait_for_ruling" => ("The arbitrator will rule", go_on()),
        "rule" => ("A ruling is due", format!("aw debate ruling --debate-id {debate} --file <path>")),
        "watch" => ("The two sides go on", go_on()),
        "debate_closed" => ("The debate is closed: nothing more can be written", export(debate)),
        other => {
            return Step { sentence: format!("What to do is called {other}"), command: context(debate, Some(role)) };
        }
    };
    Step { sentence: sentence.to_owned(), command }
}

/// The same for one who has just written, and so has not seen what came since `newest`.
pub fn step_after_writing(action: &str, debate: Uuid, role: Role, newest: Uuid) -> Step {
    match action {
        "respond" | "align_to_ruling" | "rule" => {
            Step { sentence: "Read what came meanwhile".to_owned(), command: wait(debate, role, Some(newest)) }
        }
        other => step(other, debate, role, newest, newest),
    }
}

/// What a state asks of a role, as the contract's table has it; `newest` is the type of the newest argument.
pub fn action(state: &str, role: Role, newest: &str) -> &'static str {
    match (state, role) {
        ("CLOSED", _) => "debate_closed",
        ("AWAITING_PROPOSER", Role::Proposer) if newest == "RULING" => "align_to_ruling",
        ("AWAITING_PROPOSER", Role::Proposer) | ("AWAITING_OPPONENT", Role::Opponent) => "respond",
        ("AWAITING_PROPOSER", Role::Opponent) => "wait_for_proposer",
        ("AWAITING_OPPONENT", Role::Proposer) => "wait_for_opponent",
        ("AWAITING_PROPOSER" | "AWAITING_OPPONENT", Role::Arbitrator) => "watch",
        (_, Role::Arbitrator) => "rule",
        (_, Role::Proposer | Role::Opponent) => "wait_for_ruling",
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

/// For one who did not say who they are: the command that tells whoever has to act now what it is, and changes nothing.
pub fn ask(debate: Uuid, state: &str, newest: Option<Uuid>) -> String {
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
    shell::command(words.into_iter().chain(argument))
}

/// The command that reads the debate.
pub fn context(debate: Uuid, role: Option<Role>) -> String {
    let (debate, role) = (debate.to_string(), role.map(|role| role.to_string()));
    let words = ["aw", "debate", "get-context", "--debate-id", &debate];
    shell::command(words.into_iter().chain(role.iter().flat_map(|role| ["--role", role])))
}

/// The command that shows the argument with that number whole.
pub fn show(debate: Uuid, seq: u64) -> String {
    let (debate, number) = (debate.to_string(), format!("#{seq}"));
    shell::command(["aw", "debate", "show", "--debate-id", &debate, "--argument-id", &number])
}

/// The command that keeps the whole debate in a file.
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
    use crate::args::CommandLine;

    const ID: Uuid = Uuid::from_u128(7);
    const ROLES: [Role; 3] = [Role::Proposer, Role::Opponent, Role::Arbitrator];

    #[track_caller]
    fn exists(command: &str) {
        let words = command.split(' ').map(|word| word.trim_matches('\''));
        assert!(CommandLine::try_parse_from(words).is_ok(), "{command}");
        assert!(!command.replace(" <path>", "").contains('<'), "{command}");
    }

    #[test]
    fn every_command_that_is_proposed_exists() {
        let states =
            ["AWAITING_OPPONENT", "AWAITING_PROPOSER", "AWAITING_ARBITRATOR", "INTERVENTION_PENDING", "CLOSED"];
        for role in ROLES {
            for state in states.into_iter().chain(["ADJOURNED"]) {
                for newest in ["CLAIM", "RULING"] {
                    let action = action(state, role, newest);
                    exists(&step(action, ID, role, ID, ID).command);
                    exists(&step_after_writing(action, ID, role, ID).command);
                    exists(&ask(ID, state, Some(ID)));
                }
            }
            exists(&context(ID, Some(role)));
            exists(&step("celebrate", ID, role, ID, ID).command);
        }
        exists(&show(ID, 5));
    }

    #[test]
    fn what_writes_is_proposed_to_those_only_whose_turn_it_is() {
        for (state, role, verb) in [
            ("AWAITING_OPPONENT", Role::Opponent, "submit"),
            ("AWAITING_OPPONENT", Role::Proposer, "wait"),
            ("AWAITING_PROPOSER", Role::Proposer, "submit"),
            ("AWAITING_PROPOSER", Role::Opponent, "wait"),
            ("AWAITING_PROPOSER", Role::Arbitrator, "wait"),
            ("AWAITING_ARBITRATOR", Role::Arbitrator, "ruling"),
            ("INTERVENTION_PENDING", Role::Arbitrator, "ruling"),
            ("INTERVENTION_PENDING", Role::Opponent, "wait"),
            ("CLOSED", Role::Proposer, "export"),
        ] {
            let command = step(action(state, role, "CLAIM"), ID, role, ID, ID).command;
            assert!(command.starts_with(&format!("aw debate {verb} ")), "{state} {role}: {command}");
        }
    }

    #[test]
    fn one_who_has_just_written_reads_before_writing_again() {
        for action in ["respond", "align_to_ruling", "rule"] {
            let command = step_after_writing(action, ID, Role::Opponent, ID).command;
            assert!(command.starts_with("aw debate wait "), "{command}");
        }
    }
}
