//! What to do next, as a sentence with a command to copy.

use uuid::Uuid;

use crate::{api::types::Role, shell};

/// Says what `action` means for `role` in a debate whose newest argument is `newest`.
pub fn step(action: &str, debate: Uuid, role: Role, newest: Uuid) -> String {
    let wait = || wait(debate, role, Some(newest));
    let submit = format!("aw debate submit --debate-id {debate} --role {role} --target-id {newest} --file PATH");
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

/// The command that waits for what comes after `argument`.
pub fn wait(debate: Uuid, role: Role, argument: Option<Uuid>) -> String {
    let (debate, role, argument) = (debate.to_string(), role.to_string(), argument.map(|id| id.to_string()));
    let words = ["aw", "debate", "wait", "--debate-id", &debate, "--role", &role];
    let argument = argument.iter().flat_map(|id| ["--argument-id", id]);
    shell::command(words.into_iter().chain(argument))
}
