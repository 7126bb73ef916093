//! What to do next in a debate: a sentence for the reader, the command for `metadata.next`, and others for `metadata.also`.
//!
//! A command has real ids and can be run as it is, unless the caller has to write a text first.

use uuid::Uuid;

use crate::{
    client::{
        settings,
        types::{Issue, Role},
    },
    output::{failure::Failure, invocation::Invocation},
};

/// What to do next.
pub struct Step {
    /// The situation, as a sentence without a full stop
    pub sentence: String,
    /// The command to run
    pub next: Option<Invocation>,
    /// Other commands that may be run instead
    pub also: Vec<Invocation>,
}

impl Step {
    fn new(sentence: &str, next: Invocation) -> Self {
        Self { sentence: sentence.to_owned(), next: Some(next), also: Vec::new() }
    }

    /// The same with another command and no others.
    pub fn with_next(self, next: Invocation) -> Self {
        Self { next: Some(next), also: Vec::new(), ..self }
    }
}

/// What the server told a role, and what decides on its next command.
pub struct Turn<'a> {
    pub debate: Uuid,
    pub role: Role,
    pub action: &'a str,
    /// The argument types that the role may submit
    pub allowed: &'a [String],
    /// The argument that a submit answers
    pub target: Uuid,
    /// The argument after which a wait continues
    pub newest: Uuid,
    /// The issues that are not settled
    pub issues: &'a [Issue],
    /// Whether there are issues and all of them are settled
    pub all_settled: bool,
}

impl Turn<'_> {
    /// What to do next.
    pub fn step(&self) -> Step {
        let wait = || wait(self.debate, self.role, Some(self.newest));
        match self.action {
            "respond" => self.write("It is your turn"),
            "align_to_ruling" => self.write("The arbitrator ruled: align with the ruling"),
            "wait_for_opponent" => Step::new("It is the opponent's turn", wait()),
            "wait_for_proposer" => Step::new("It is the proposer's turn", wait()),
            "wait_for_ruling" => Step::new("The arbitrator will rule", wait()),
            "watch" => Step::new("The two sides continue", wait()),
            "rule" => {
                let step = Step::new("A ruling is due", of_debate("debate ruling", self.debate).with_text());
                let also = if self.issues.is_empty() { Vec::new() } else { vec![issues(self.debate)] };
                Step { also, ..step }
            }
            "debate_closed" => Step {
                sentence: "The debate is closed: nothing more can be written".to_owned(),
                next: None,
                also: files(self.debate),
            },
            unknown => Step::new(
                &format!("The action {unknown} is newer than this version of aw"),
                context(self.debate, Some(self.role)),
            ),
        }
    }

    /// The step after a write. Its author has not seen what came after `newest`, and has to read it before writing again.
    pub fn step_after_writing(&self) -> Step {
        match self.action {
            "respond" | "align_to_ruling" | "rule" => {
                Step::new("Read what was written meanwhile", wait(self.debate, self.role, Some(self.newest)))
            }
            _ => self.step(),
        }
    }

    /// The step of a side whose turn it is.
    fn write(&self, sentence: &str) -> Step {
        if self.role != Role::Proposer {
            let checked = self.numbers(|issue| issue.status == "fixed");
            return Step::new(sentence, self.submit("resolve", &checked));
        }
        let may = |argument_type: &str| self.allowed.is_empty() || self.allowed.iter().any(|one| one == argument_type);
        let stalled = self.numbers(|issue| issue.stalled);
        let is_blocked = self.issues.iter().any(|issue| issue.blocking);
        let submit = || self.submit("fix", &self.numbers(|issue| issue.status == "open"));
        let answer = |name| of_debate(name, self.debate).text_option("target-id", self.target);
        let appeal = |referred: &[&str]| answer("debate appeal").list_option("refer", referred).with_text();
        let complete = || answer("debate request-completion").with_text();
        let mut commands = Vec::new();
        if may("CLAIM") {
            commands.push(submit());
        }
        if may("APPEAL") {
            let referred = if may("CLAIM") { stalled.clone() } else { self.numbers(|_| true) };
            commands.push(appeal(&referred));
        }
        if may("RESOLUTION") && !is_blocked {
            commands.push(complete());
        }
        let is_appeal_due = self.action == "respond" && !stalled.is_empty() && may("APPEAL");
        let first = commands.iter().position(|command| {
            let starts = |name: &str| command.name() == name;
            if is_appeal_due {
                starts("debate appeal")
            } else if self.all_settled {
                starts("debate request-completion")
            } else if may("CLAIM") {
                starts("debate submit")
            } else {
                starts(if self.issues.is_empty() { "debate request-completion" } else { "debate appeal" })
            }
        });
        if let Some(first) = first {
            commands[..=first].rotate_right(1);
        }
        let mut commands = commands.into_iter();
        Step { sentence: sentence.to_owned(), next: commands.next(), also: commands.collect() }
    }

    fn submit(&self, change: &'static str, numbers: &[&str]) -> Invocation {
        of_debate("debate submit", self.debate)
            .text_option("role", self.role)
            .text_option("target-id", self.target)
            .list_option(change, numbers)
            .with_text()
    }

    fn numbers(&self, which: impl Fn(&Issue) -> bool) -> Vec<&str> {
        self.issues.iter().filter(|issue| which(issue)).map(|issue| issue.id.as_str()).collect()
    }
}

/// The command with this name for a debate.
fn of_debate(name: &'static str, debate: impl ToString) -> Invocation {
    Invocation::new(name).text_option("debate-id", debate)
}

/// A number with a noun: `1 argument`, `2 arguments`.
pub fn count(number: u64, noun: &str) -> String {
    format!("{number} {noun}{}", if number == 1 { "" } else { "s" })
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

/// For a caller whose role is unknown: the command that tells the role whose turn it is what to do, without waiting. None
/// once the debate is closed.
pub fn wait_as_next_role(debate: Uuid, state: &str, newest: Option<Uuid>) -> Option<Invocation> {
    let role = match state {
        "CLOSED" => return None,
        "AWAITING_OPPONENT" => Role::Opponent,
        "AWAITING_PROPOSER" => Role::Proposer,
        _ => Role::Arbitrator,
    };
    Some(ask(debate, role, newest))
}

/// What may be kept of a closed debate: the whole of it, and what it decided.
pub fn files(debate: Uuid) -> Vec<Invocation> {
    vec![export(debate), record(debate)]
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
        Some(role) if failure.code == "DEBATE_NOT_FOUND" => failure.with_next(wait_until_opened(debate, role)),
        _ => failure,
    }
}

fn wait_until_opened(debate: Uuid, role: Role) -> Invocation {
    wait(debate, role, None).flag("until-opened")
}

/// The command that prints the debate.
pub fn context(debate: Uuid, role: Option<Role>) -> Invocation {
    let command = of_debate("debate get-context", debate);
    role.into_iter().fold(command, |command, role| command.text_option("role", role))
}

/// The command that prints this many arguments of the debate, with so many characters of contents.
pub fn whole_context(debate: Uuid, limit: u64, max_chars: usize) -> Invocation {
    context(debate, None).number_option("limit", limit).number_option("max-chars", max_chars as u64)
}

/// The command that prints the argument with this number.
pub fn show(debate: Uuid, seq: u64) -> Invocation {
    of_debate("debate show", debate).text_option("argument-id", format_args!("#{seq}"))
}

/// The command that prints the issues that are not settled.
pub fn issues(debate: Uuid) -> Invocation {
    of_debate("debate issues", debate)
}

/// The command that prints all issues.
pub fn all_issues(debate: Uuid) -> Invocation {
    issues(debate).flag("all")
}

/// The command that writes the whole debate to a file.
fn export(debate: Uuid) -> Invocation {
    of_debate("debate export", debate).text_option("output", format_args!("debate-{debate}.md"))
}

/// The command that writes what the debate decided to a file.
fn record(debate: Uuid) -> Invocation {
    of_debate("debate record", debate).shell_option("output", format_args!("record-{debate}.md"))
}

/// The command that writes the record to a file that can be verified.
pub fn signed_record(debate: Uuid) -> Invocation {
    of_debate("debate record", debate)
        .shell_option("format", "json")
        .shell_option("output", format_args!("record-{debate}.json"))
}

/// The command that verifies a record.
pub fn verify_record(path: &str) -> Invocation {
    Invocation::new("debate verify-record").positional("path", path)
}

#[cfg(test)]
mod tests {
    use clap::Parser;
    use serde_json::json;

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
    fn assert_parses(command: &Invocation) {
        let command = command.to_string();
        let words = command.split(' ').map(|word| word.trim_matches('\''));
        assert!(CommandLine::try_parse_from(words).is_ok(), "{command}");
        assert!(!command.replace(" <path>", "").contains('<'), "{command}");
    }

    fn issue(id: &str, status: &str, stalled: bool, blocking: bool) -> Issue {
        serde_json::from_value(json!({
            "id": id, "severity": "high", "title": "T", "location": null, "status": status, "note": null,
            "raised_by": "opponent", "raised_seq": 2, "changed_seq": 2, "upheld": false, "referred": false,
            "reopened": 0, "stalled": stalled, "blocking": blocking,
        }))
        .unwrap()
    }

    fn turn_of<'a>(role: Role, action: &'a str, issues: &'a [Issue]) -> Turn<'a> {
        Turn { debate: ID, role, action, allowed: &[], target: ID, newest: ID, issues, all_settled: false }
    }

    fn short(command: &Invocation) -> String {
        command.to_string().replace(&ID.to_string(), "ID").replace(" --debate-id ID", "").replace(" --target-id ID", "")
    }

    #[test]
    fn every_command_is_valid() {
        let states =
            ["AWAITING_OPPONENT", "AWAITING_PROPOSER", "AWAITING_ARBITRATOR", "INTERVENTION_PENDING", "CLOSED"];
        let issues = [issue("I1", "open", false, true), issue("I2", "fixed", true, true)];
        for role in ROLES {
            // The server tells only the two sides to respond.
            let actions = ACTIONS.into_iter().skip(if role == Role::Arbitrator { 2 } else { 0 });
            for action in actions {
                for issues in [&[][..], &issues] {
                    let turn = turn_of(role, action, issues);
                    for step in [turn.step(), turn.step_after_writing()] {
                        step.next.iter().chain(&step.also).for_each(assert_parses);
                    }
                }
            }
            for state in states.into_iter().chain(["ADJOURNED"]) {
                let next = wait_as_next_role(ID, state, Some(ID));
                assert_eq!(next.is_none(), state == "CLOSED");
                next.iter().for_each(assert_parses);
            }
            assert_parses(&context(ID, Some(role)));
            assert_parses(&wait_until_opened(ID, role));
            assert_parses(turn_of(role, "celebrate", &[]).step().next.as_ref().unwrap());
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
        ] {
            let command = turn_of(Role::Proposer, action, &[]).step().next.unwrap().to_string();
            assert!(command.starts_with(&format!("aw debate {name} ")), "{action}: {command}");
        }
    }

    #[test]
    fn after_closing_there_is_no_next_command_but_an_offer() {
        let step = turn_of(Role::Opponent, "debate_closed", &[]).step();
        assert_eq!(step.next, None);
        assert_eq!(step.also, [export(ID), record(ID)]);
    }

    #[test]
    fn the_commands_carry_the_changes_of_issues_that_fit() {
        let open =
            [issue("I1", "open", false, true), issue("I2", "fixed", false, true), issue("I3", "open", false, false)];
        let step = turn_of(Role::Proposer, "respond", &open).step();
        assert_eq!(short(&step.next.unwrap()), "aw debate submit --role proposer --fix I1,I3 --file <path>");
        assert_eq!(step.also.iter().map(short).collect::<Vec<_>>(), ["aw debate appeal --file <path>"]);

        let step = turn_of(Role::Opponent, "respond", &open).step();
        assert_eq!(short(&step.next.unwrap()), "aw debate submit --role opponent --resolve I2 --file <path>");

        let stalled = [issue("I1", "open", true, true), issue("I3", "open", false, false)];
        let step = turn_of(Role::Proposer, "respond", &stalled).step();
        assert_eq!(short(&step.next.unwrap()), "aw debate appeal --refer I1 --file <path>");
        // The ruling was about it.
        let step = turn_of(Role::Proposer, "align_to_ruling", &stalled).step();
        assert_eq!(short(&step.next.unwrap()), "aw debate submit --role proposer --fix I1,I3 --file <path>");

        let settled = Turn { all_settled: true, ..turn_of(Role::Proposer, "respond", &[]) };
        assert_eq!(short(&settled.step().next.unwrap()), "aw debate request-completion --file <path>");
        assert_eq!(settled.step().also.len(), 2);
    }

    #[test]
    fn after_the_last_round_the_proposer_appeals_or_completes() {
        let allowed = ["APPEAL".to_owned(), "RESOLUTION".to_owned()];
        let open = [issue("I1", "open", false, true), issue("I2", "disputed", false, false)];
        let step = Turn { allowed: &allowed, ..turn_of(Role::Proposer, "respond", &open) }.step();
        assert_eq!(short(&step.next.unwrap()), "aw debate appeal --refer I1,I2 --file <path>");
        assert!(step.also.is_empty());
        let step = Turn { allowed: &allowed, ..turn_of(Role::Proposer, "respond", &[]) }.step();
        assert_eq!(short(&step.next.unwrap()), "aw debate request-completion --file <path>");
    }

    #[test]
    fn after_a_write_the_next_command_is_never_another_write() {
        for action in ["respond", "align_to_ruling", "rule"] {
            let command = turn_of(Role::Opponent, action, &[]).step_after_writing().next.unwrap().to_string();
            assert!(command.starts_with("aw debate wait "), "{command}");
        }
    }
}
