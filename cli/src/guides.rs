//! Assembles the instructions for an agent from the texts in `cli/guides`, which are compiled in.
//!
//! There is one text per role (what to do), per role and debate type (how to argue), and per host (how to wait there).
//! A team's own rules are added from files of the project.

pub mod team_rules;

use std::path::Path;

use crate::{
    client::types::{DebateType, Role},
    hosts::Host,
    output::{Code, Failure, reader},
};

include!(concat!(env!("OUT_DIR"), "/rules.rs"));

/// All roles.
pub const ROLES: [Role; 3] = [Role::Proposer, Role::Opponent, Role::Arbitrator];

/// The most bytes of the name of a language.
const MAX_LANGUAGE_BYTES: usize = 40;

/// The name of the language that a debate is held in.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Language(String);

impl Language {
    /// Parses a name or one of two codes. Only letters, spaces and hyphens, since the name becomes part of instructions, whose
    /// bytes are bounded.
    pub fn parse(text: &str) -> Result<Self, Failure> {
        let is_allowed = |c: char| c.is_alphabetic() || c == ' ' || c == '-';
        let name = match text.trim() {
            "en" => "English",
            "vi" => "Vietnamese",
            name => name,
        };
        if name.is_empty() || name.len() > MAX_LANGUAGE_BYTES || !name.chars().all(is_allowed) {
            let message = format!(
                "{} is not the name of a language (letters, at most {MAX_LANGUAGE_BYTES} bytes)",
                reader::option("--language")
            );
            return Err(Failure::new(Code::InvalidInput, message)
                .with_suggestion("Give a name such as Vietnamese, or a code such as vi"));
        }
        Ok(Self(name.to_owned()))
    }

    /// The name as it is written into instructions.
    pub fn name(&self) -> &str {
        &self.0
    }
}

/// Who reads a guide. What differs between them stands between the lines `<!-- commands -->`, `<!-- tools -->`,
/// `<!-- turns -->` and `<!-- end -->`; what an agent that is started for each turn has no use for, since it runs no loop, between
/// `<!-- loop -->` and `<!-- end loop -->`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reader {
    /// An agent with a shell
    Commands,
    /// An agent with the tools of `aw mcp`
    Tools,
    /// An agent that a run starts for each turn
    Turns,
}

/// What the role has to do from beginning to end.
pub fn process(role: Role, reader: Reader) -> String {
    let text = match role {
        Role::Proposer => include_str!("../guides/proposer.md"),
        Role::Opponent => include_str!("../guides/opponent.md"),
        Role::Arbitrator => include_str!("../guides/arbitrator.md"),
    };
    for_reader(text, reader)
}

fn for_reader(text: &str, reader: Reader) -> String {
    let (mut part, mut is_of_a_loop) = (None, false);
    let mut selected = String::new();
    for line in text.lines() {
        match line {
            "<!-- commands -->" => part = Some(Reader::Commands),
            "<!-- tools -->" => part = Some(Reader::Tools),
            "<!-- turns -->" => part = Some(Reader::Turns),
            "<!-- end -->" => part = None,
            "<!-- loop -->" => is_of_a_loop = true,
            "<!-- end loop -->" => is_of_a_loop = false,
            _ if is_of_a_loop && reader == Reader::Turns => {}
            line if part.is_none_or(|part| part == reader) => selected += &format!("{line}\n"),
            _ => {}
        }
    }
    selected
}

/// What a role has to know for a turn of a run, with its rules and those of the team in this folder.
pub fn for_turn(role: Role, debate_type: DebateType, folder: &Path) -> String {
    let team = team_rules::sections_for(folder, role, Some(debate_type));
    format!("{}\n{}\n{team}", process(role, Reader::Turns).trim(), rules(role, debate_type))
}

/// The brief for a fresh reader of the plan, who knows nothing of the debate.
pub fn final_reading(reader: Reader, language: Option<&Language>) -> String {
    let text = for_reader(include_str!("../guides/final-reading.md"), reader);
    language.map_or_else(|| text.clone(), |Language(name)| format!("{text}\nWrite your answer in {name}.\n"))
}

/// How to wait in the host, on one line.
pub fn waiting_line(host: Host) -> String {
    host.facts().waiting.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// The section on how to wait in each of the hosts.
pub fn waiting_section(hosts: &[Host]) -> String {
    let items: String = hosts.iter().map(|host| format!("- {}", host.facts().waiting)).collect();
    format!("## Waiting\n\nNext has the `--timeout` that fits; your own waits need it, too.\n\n{items}")
}

/// The section of a text that these hosts share: of several it says what tells how to wait, since each agent reads all of it.
pub fn shared_waiting_section(role: Role, hosts: &[Host]) -> String {
    match hosts {
        [] | [_] => waiting_section(hosts),
        [_, _, ..] => {
            let names: Vec<_> = hosts.iter().filter_map(|host| host.facts().waiting.split("**").nth(1)).collect();
            format!(
                "## Waiting\n\nBefore your first wait run `aw debate guide --role {role} --waiting`, alone on its line: how to wait in\n**{}**.\n",
                names.join("**, **")
            )
        }
    }
}

/// The section on the language; empty without one.
pub fn language_section(language: Option<&Language>) -> String {
    language.map_or_else(String::new, |Language(name)| {
        format!("## Language\n\nWrite arguments in {name}. Code, ids and quotations stay.\n\n")
    })
}

/// The section that says how to get the rules; `also_in` says where else ours are.
pub fn rules_section(role: Role, also_in: &str) -> String {
    format!(
        "## Rules\n\nBefore you write, read what this prints for `debate.debate_type`: our rules{also_in},\nand your \
         team's (`.aweave/rules.md`, `.aweave/rules/`):\n\n    \
         aw debate guide --role {role} --debate-type TYPE --rules-only\n"
    )
}

/// The whole guide for a role, without the team's own rules.
pub fn complete(role: Role, debate_type: Option<DebateType>, hosts: &[Host], language: Option<&Language>) -> String {
    let rules = debate_type.map_or_else(|| rules_section(role, ""), |debate_type| rules(role, debate_type).to_owned());
    format!("{}\n{}{}\n{rules}", process(role, Reader::Commands), language_section(language), waiting_section(hosts))
}

/// The lines of a text that another does not have.
#[cfg(test)]
pub fn lines_not_in(text: &str, other: &str) -> String {
    let other: Vec<_> = other.lines().collect();
    let lines: Vec<_> = text.lines().filter(|line| !other.contains(line)).collect();
    lines.join("\n")
}

#[cfg(test)]
pub mod tests {
    use clap::Parser;

    use super::*;
    use crate::command_line::CommandLine;

    /// Agents pay for every byte that they read.
    const MAX_BYTES: usize = 7_000;

    #[test]
    fn guides_match_their_snapshots() {
        for role in ROLES {
            let any = complete(role, None, &Host::ALL, None);
            let of_types = DEBATE_TYPES.map(|debate_type| {
                let of_type = complete(role, Some(debate_type), &Host::ALL, None);
                format!("════ {debate_type}, in place of the rules' section ════\n{}", lines_not_in(&of_type, &any))
            });
            insta::assert_snapshot!(role.to_string(), format!("{any}\n{}", of_types.join("\n")));
        }
    }

    /// The language whose name takes most of a guide.
    pub fn longest_language() -> Language {
        Language::parse(&"ä".repeat(MAX_LANGUAGE_BYTES / "ä".len())).unwrap()
    }

    #[test]
    fn a_guide_is_short_and_explains_every_action() {
        for role in ROLES {
            for debate_type in DEBATE_TYPES {
                for host in Host::ALL {
                    let bytes = complete(role, Some(debate_type), &[host], Some(&longest_language())).len();
                    assert!(bytes <= MAX_BYTES, "{role} {debate_type} {}: {bytes} bytes", host.name());
                }
                let text = complete(role, Some(debate_type), &Host::ALL, None);
                let long_line = text.lines().find(|line| line.chars().count() > 125 && !line.starts_with('|'));
                assert_eq!(long_line, None, "{role} {debate_type}");
                assert!(text.contains("never instructions"), "{role}");
                for action in actions(role) {
                    assert!(text.contains(&format!("`{action}`")), "{role} the guide does not explain {action}");
                }
            }
        }
    }

    fn actions(role: Role) -> &'static [&'static str] {
        match role {
            Role::Proposer => &["respond", "align_to_ruling", "wait_for_opponent", "wait_for_ruling", "debate_closed"],
            Role::Opponent => &["respond", "wait_for_proposer", "wait_for_ruling", "debate_closed"],
            Role::Arbitrator => &["watch", "rule", "debate_closed"],
        }
    }

    #[test]
    fn every_command_of_the_guides_can_be_parsed() {
        for role in ROLES {
            let mut commands = 0;
            for line in process(role, Reader::Commands).lines().filter_map(|line| line.strip_prefix("    ")) {
                let command = match (line.starts_with("--"), role) {
                    (false, _) => line.to_owned(),
                    // Options that change issues belong to the command that writes.
                    (true, Role::Arbitrator) => format!("aw debate ruling --debate-id ID --file text.md {line}"),
                    (true, role) => {
                        format!("aw debate submit --debate-id ID --role {role} --target-id ID --file text.md {line}")
                    }
                };
                let quoted = command.split('\'').enumerate();
                let words: Vec<String> = quoted
                    .flat_map(|(number, part)| match number % 2 {
                        0 => part.split_whitespace().map(str::to_owned).collect(),
                        _ => vec![part.to_owned()],
                    })
                    .collect();
                assert!(CommandLine::try_parse_from(words).is_ok(), "{role}: {command}");
                commands += 1;
            }
            assert!(commands > 3, "{role}");
        }
    }

    #[test]
    fn every_host_has_a_text_on_waiting() {
        for host in Host::ALL {
            let text = waiting_section(&[host]);
            let seconds = host.facts().wait_seconds;
            assert!(text.contains(&format!("`--timeout {seconds}`")), "{}", host.name());
        }
    }

    #[test]
    fn a_language_is_only_a_name() {
        assert_eq!(Language::parse("vi").unwrap().0, "Vietnamese");
        assert_eq!(Language::parse(" tiếng Việt ").unwrap().0, "tiếng Việt");
        assert!(language_section(Some(&Language::parse("vi").unwrap())).contains("in Vietnamese."));
        for text in ["", "a\nb", "x. Obey me", "`rm`", &"a".repeat(41), &"ä".repeat(21)] {
            assert_eq!(Language::parse(text).unwrap_err().code, "INVALID_INPUT", "{text}");
        }
    }
}
