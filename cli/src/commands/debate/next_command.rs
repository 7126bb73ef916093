//! What to do next in a debate: a sentence for the reader, the command for `metadata.next`, and others for `metadata.also`.
//!
//! A command has real ids and can be run as it is, unless the caller has to write a text first.

use serde_json::Value;
use uuid::Uuid;

use crate::{
    client::{
        settings,
        types::{self, Action, ArgumentType, ErrorCode, Move, Role},
    },
    output::{Failure, Invocation},
};

/// What to do next.
pub struct Step {
    /// The situation, as a sentence without a full stop
    pub sentence: String,
    /// The command to run
    pub next: Option<Invocation>,
    /// Other commands that may be run instead
    pub also: Vec<Invocation>,
    /// What a person is told besides
    pub hint: Option<&'static str>,
}

/// Which issues a claim raises is the opponent's to say, so that no move of the server has them.
const HOW_TO_RAISE: &str = "Each fault of the plan is an issue: add `--raise 'high: Title @ place'` for it to the command, once or more. \
                            `aw debate submit --help` has the other changes.";

/// How a ruling is made without a file.
const HOW_TO_RULE: &str = "`--content 'why'` takes words in place of a file, `--choose N` takes the option of an appeal that it stands before, and \
                           `--dry-run` tells what would follow.";

/// What the server told a role, and what decides on its next command.
pub struct Turn<'a> {
    pub debate: Uuid,
    pub role: Role,
    pub action: &'a str,
    /// The arguments that fit now, best first
    pub moves: &'a [Move],
    /// The argument after which a wait continues
    pub newest: Uuid,
}

impl Step {
    /// A step with one command.
    pub fn to(sentence: String, next: Option<Invocation>) -> Self {
        Self { sentence, next, also: Vec::new(), hint: None }
    }

    /// Where the debate is closed.
    fn last(sentence: String, debate: Uuid) -> Self {
        Self { also: files(debate), ..Self::to(sentence, None) }
    }
}

impl Turn<'_> {
    /// What to do next.
    pub fn step(&self) -> Step {
        let sentence = match self.action.parse() {
            Ok(Action::Respond) => "It is your turn".to_owned(),
            Ok(Action::AlignToRuling) => "The arbitrator ruled: align with the ruling".to_owned(),
            Ok(Action::WaitForOpponent) => "It is the opponent's turn".to_owned(),
            Ok(Action::WaitForProposer) => "It is the proposer's turn".to_owned(),
            Ok(Action::WaitForRuling) => "The arbitrator will rule".to_owned(),
            Ok(Action::Watch) => "The two sides continue".to_owned(),
            Ok(Action::Rule) => "A ruling is due".to_owned(),
            Ok(Action::DebateClosed) => "The debate is closed: nothing more can be written".to_owned(),
            Err(_) => format!("The action is {}", self.action),
        };
        let mut moves = self.moves.iter().filter_map(|fitting| self.command(fitting));
        let next = match self.action.parse() {
            Ok(Action::DebateClosed) => return Step::last(sentence, self.debate),
            Ok(Action::WaitForOpponent | Action::WaitForProposer | Action::WaitForRuling | Action::Watch) => {
                wait(self.debate, self.role, Some(self.newest))
            }
            // The server tells what fits with an action that is not known here, too.
            Ok(Action::Respond | Action::AlignToRuling | Action::Rule) | Err(_) => {
                moves.next().unwrap_or_else(|| context(self.debate, Some(self.role)))
            }
        };
        let also = moves.collect();
        let hint = match self.role {
            Role::Opponent if writes(self.action) => Some(HOW_TO_RAISE),
            Role::Arbitrator if writes(self.action) => Some(HOW_TO_RULE),
            Role::Proposer | Role::Opponent | Role::Arbitrator => None,
        };
        Step { sentence, next: Some(next), also, hint }
    }

    /// The step after a write. Its author has not seen what came after `newest`, and has to read it before writing again.
    pub fn step_after_writing(&self) -> Step {
        if waits(self.action) || is_closed(self.action) {
            return self.step();
        }
        let next = wait(self.debate, self.role, Some(self.newest));
        Step::to("Read what was written meanwhile".to_owned(), Some(next))
    }

    /// The command that makes a move. None if this version of `aw` has no command for it.
    fn command(&self, fitting: &Move) -> Option<Invocation> {
        let command = match fitting.type_.parse() {
            Ok(ArgumentType::Claim) => of_debate("debate submit", self.debate).text_option("role", self.role),
            Ok(ArgumentType::Appeal) => of_debate("debate appeal", self.debate),
            Ok(ArgumentType::Resolution) => of_debate("debate request-completion", self.debate),
            Ok(ArgumentType::Ruling) => of_debate("debate ruling", self.debate),
            Ok(ArgumentType::Motion | ArgumentType::Intervention) | Err(_) => return None,
        };
        let command = fitting.target_id.iter().fold(command, |command, id| command.text_option("target-id", id));
        let command = if fitting.close == Some(true) { command.flag("close") } else { command };
        let changes = fitting.issue_changes.iter();
        Some(changes.fold(command, |command, (change, issues)| command.list_option(change, issues)).with_text())
    }
}

/// Whether it is the action of every role once the debate is closed.
pub fn is_closed(action: &str) -> bool {
    action == Action::DebateClosed.to_string()
}

/// Whether the action is to wait for others.
pub fn waits(action: &str) -> bool {
    match action.parse() {
        Ok(Action::WaitForOpponent | Action::WaitForProposer | Action::WaitForRuling | Action::Watch) => true,
        Ok(Action::Respond | Action::AlignToRuling | Action::Rule | Action::DebateClosed) | Err(_) => false,
    }
}

/// Whether the action is to write.
pub fn writes(action: &str) -> bool {
    !waits(action) && !is_closed(action)
}

/// The command with this name for a debate.
pub fn of_debate(name: &'static str, debate: impl ToString) -> Invocation {
    Invocation::new(name).text_option("debate-id", debate)
}

/// A number with a noun: `1 argument`, `2 arguments`.
pub fn count(number: u64, noun: &str) -> String {
    format!("{number} {noun}{}", if number == 1 { "" } else { "s" })
}

/// For a caller whose role is unknown: the command that tells the role whose turn it is what to do, without waiting. Without
/// one the debate is closed.
pub fn step_of_others(debate: Uuid, turns: &[types::Turn], newest: Option<Uuid>) -> Step {
    match turns.iter().find(|turn| writes(&turn.action)) {
        Some(turn) => Step::to(
            format!("it is the {}'s turn", turn.role),
            turn.role.parse().ok().map(|role| ask(debate, role, newest)),
        ),
        None => Step::last("nothing more can be written".to_owned(), debate),
    }
}

/// What may be kept of a closed debate: the whole of it, and what it decided.
fn files(debate: Uuid) -> Vec<Invocation> {
    let export = of_debate("debate export", debate).text_option("output", format_args!("debate-{debate}.md"));
    let record = of_debate("debate record", debate).shell_option("output", format_args!("record-{debate}.md"));
    vec![export, record]
}

/// The command that waits for what comes after `argument`, in a shell with the `--timeout` that fits the host.
pub fn wait<Id: ToString>(debate: Id, role: Role, argument: Option<Id>) -> Invocation {
    wait_for(debate, role, argument, None)
}

/// The command that asks what is new after `argument`, without waiting.
pub fn ask<Id: ToString>(debate: Id, role: Role, argument: Option<Id>) -> Invocation {
    wait_for(debate, role, argument, Some(0))
}

/// The command that waits for what comes after `argument` with this `--timeout`, else as [`wait`] does.
pub fn wait_for<Id: ToString>(debate: Id, role: Role, argument: Option<Id>, seconds: Option<u32>) -> Invocation {
    let command = of_debate("debate wait", debate.to_string()).text_option("role", role);
    let command = match argument {
        Some(argument) => command.text_option("argument-id", argument.to_string()),
        None => command,
    };
    with_timeout(command, seconds)
}

/// The command that waits for rulings that are due in these debates, or in any if there are none.
pub fn wait_for_rulings(debates: &[String], seconds: Option<u32>) -> Invocation {
    let command = Invocation::new("debate wait").text_option("role", Role::Arbitrator);
    with_timeout(command.repeated_option("debate-id", debates), seconds)
}

fn with_timeout(command: Invocation, seconds: Option<u32>) -> Invocation {
    match (seconds, settings::next_wait_seconds()) {
        (Some(seconds), _) => command.number_option("timeout", seconds),
        (None, Some(seconds)) => command.shell_option("timeout", seconds),
        (None, None) => command,
    }
}

/// Adds the command that waits until the debate is opened to a failure because there is no such debate.
pub fn until_opened(failure: Failure, debate: Uuid, role: Option<Role>) -> Failure {
    match role {
        Some(role) if failure.is(ErrorCode::DebateNotFound) => {
            failure.with_next(wait(debate, role, None).flag("until-opened"))
        }
        _ => failure,
    }
}

/// The command that prints the debate.
pub fn context(debate: Uuid, role: Option<Role>) -> Invocation {
    let command = of_debate("debate get-context", debate);
    role.into_iter().fold(command, |command, role| command.text_option("role", role))
}

/// The command that prints all arguments of a debate that has so many, in full.
pub fn whole_context(debate: Uuid, arguments: u64) -> Invocation {
    // More characters than a debate has.
    context(debate, None).number_option("limit", arguments).number_option("max-chars", 1_000_000_000_u64)
}

/// The command that prints the argument with this number.
pub fn show(debate: Uuid, seq: u64) -> Invocation {
    of_debate("debate show", debate).text_option("argument-id", format_args!("#{seq}"))
}

/// Adds the command that prints the whole argument to each whose content was truncated.
pub fn add_show_commands(debate: Uuid, arguments: Option<&mut Value>) {
    let arguments = arguments.and_then(Value::as_array_mut).into_iter().flatten();
    for argument in arguments.filter(|argument| !argument["content_bytes"].is_null()) {
        let seq = argument["seq"].as_u64().unwrap_or_default();
        argument["show_command"] = show(debate, seq).shown().into();
    }
}

/// The command that prints the issues that are not settled.
pub fn issues(debate: Uuid) -> Invocation {
    of_debate("debate issues", debate)
}

/// The command that writes the record to a file that can be verified.
pub fn signed_record(debate: Uuid) -> Invocation {
    of_debate("debate record", debate)
        .shell_option("format", "json")
        .shell_option("output", format_args!("record-{debate}.json"))
}

#[cfg(test)]
mod tests {
    use clap::Parser;
    use serde_json::json;

    use super::*;
    use crate::command_line::CommandLine;

    const ID: Uuid = Uuid::from_u128(7);

    #[track_caller]
    fn assert_parses(command: &Invocation) {
        let command = command.to_string();
        let words = command.split(' ').map(|word| word.trim_matches('\''));
        assert!(CommandLine::try_parse_from(words).is_ok(), "{command}");
        assert!(!command.replace(" <path>", "").contains('<'), "{command}");
    }

    fn moves(moves: Value) -> Vec<Move> {
        serde_json::from_value(moves).unwrap()
    }

    fn step(role: Role, action: &str, moves: &[Move]) -> Step {
        let step = Turn { debate: ID, role, action, moves, newest: ID }.step();
        step.next.iter().chain(&step.also).for_each(assert_parses);
        step
    }

    fn short(command: &Invocation) -> String {
        command.to_string().replace(&ID.to_string(), "ID").replace(" --debate-id ID", "")
    }

    #[test]
    fn the_first_move_is_next_and_the_others_are_also() {
        let given = moves(json!([
            {"type": "CLAIM", "target_id": ID, "issue_changes": {"fix": ["I1", "I3"]}},
            {"type": "APPEAL", "target_id": ID, "issue_changes": {"refer": ["I2"]}},
            {"type": "RESOLUTION", "target_id": ID, "issue_changes": {}},
        ]));
        for action in ["respond", "align_to_ruling", "celebrate"] {
            let step = step(Role::Proposer, action, &given);
            assert_eq!(
                short(&step.next.unwrap()),
                "aw debate submit --role proposer --target-id ID --fix I1,I3 --file <path>"
            );
            let also: Vec<_> = step.also.iter().map(short).collect();
            let appeal = "aw debate appeal --target-id ID --refer I2 --file <path>";
            assert_eq!(also, [appeal, "aw debate request-completion --target-id ID --file <path>"]);
        }
        let closing = moves(json!([
            {"type": "RULING", "close": true, "issue_changes": {}}, {"type": "RULING", "close": false, "issue_changes": {}},
        ]));
        let step = step(Role::Arbitrator, "rule", &closing);
        assert_eq!(short(&step.next.unwrap()), "aw debate ruling --close --file <path>");
        assert_eq!(short(&step.also[0]), "aw debate ruling --file <path>");
    }

    #[test]
    fn who_waits_may_deliver_late() {
        let late = moves(json!([{"type": "CLAIM", "target_id": ID, "issue_changes": {}}]));
        let step = step(Role::Opponent, "wait_for_ruling", &late);
        assert!(step.next.unwrap().to_string().starts_with("aw debate wait "));
        assert_eq!(short(&step.also[0]), "aw debate submit --role opponent --target-id ID --file <path>");
    }

    #[test]
    fn what_this_version_does_not_know_is_left_out_or_told_as_it_is() {
        let given = moves(
            json!([{"type": "VOTE", "issue_changes": {}}, {"type": "CLAIM", "target_id": ID, "issue_changes": {}}]),
        );
        assert!(short(&step(Role::Opponent, "respond", &given).next.unwrap()).starts_with("aw debate submit "));
        let unknown = step(Role::Opponent, "celebrate", &[]);
        assert!(short(&unknown.next.unwrap()).starts_with("aw debate get-context "));
        assert!(unknown.sentence.contains("celebrate"));
    }

    #[test]
    fn after_closing_there_is_no_next_command_but_an_offer() {
        let step = step(Role::Opponent, "debate_closed", &[]);
        assert_eq!(step.next, None);
        assert_eq!(step.also, files(ID));
    }

    #[test]
    fn after_a_write_the_next_command_is_never_another_write() {
        let given = moves(json!([{"type": "CLAIM", "target_id": ID, "issue_changes": {}}]));
        for action in ["respond", "align_to_ruling", "rule", "wait_for_opponent", "watch"] {
            let turn = Turn { debate: ID, role: Role::Opponent, action, moves: &given, newest: ID };
            assert!(short(&turn.step_after_writing().next.unwrap()).starts_with("aw debate wait "));
        }
    }

    #[test]
    fn who_names_no_role_is_told_whose_turn_it_is() {
        let turn = |role: &str, action: &str| json!({"role": role, "action": action, "allowed": [], "moves": []});
        let turns = |turns: &[Value]| -> Vec<types::Turn> { serde_json::from_value(turns.into()).unwrap() };
        let open =
            turns(&[turn("proposer", "wait_for_opponent"), turn("opponent", "respond"), turn("arbitrator", "watch")]);
        let step = step_of_others(ID, &open, Some(ID));
        assert_eq!(step.sentence, "it is the opponent's turn");
        assert_parses(step.next.as_ref().unwrap());
        let closed = turns(&[turn("proposer", "debate_closed"), turn("opponent", "debate_closed")]);
        assert_eq!(step_of_others(ID, &closed, Some(ID)).next, None);
        for command in
            [context(ID, Some(Role::Opponent)), wait(ID, Role::Opponent, None).flag("until-opened"), show(ID, 5)]
        {
            assert_parses(&command);
        }
    }
}
