//! Assembles the instructions for an agent from the texts in `cli/guides`, which are compiled in.
//!
//! There is one text per role (what to do), per role and debate type (how to argue), and per host (how to wait there).

use clap::ValueEnum;

use crate::{
    client::types::{DebateType, Role},
    output::failure::{Code, Failure},
};

/// All debate types.
pub const DEBATE_TYPES: [DebateType; 2] = [DebateType::CodingPlanDebate, DebateType::GeneralDebate];

/// The program that an agent runs in. It limits how long a command may take, and decides where instructions are read from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, ValueEnum)]
pub enum Host {
    /// Claude Code
    ClaudeCode,
    /// Codex
    Codex,
    /// Gemini CLI
    Gemini,
    /// Cursor
    Cursor,
    /// GitHub Copilot CLI
    Copilot,
    /// Any other that reads AGENTS.md
    AgentsMd,
}

impl Host {
    /// All hosts.
    pub const ALL: [Self; 6] =
        [Self::ClaudeCode, Self::Codex, Self::Gemini, Self::Cursor, Self::Copilot, Self::AgentsMd];

    /// The name on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Self::ClaudeCode => "claude-code",
            Self::Codex => "codex",
            Self::Gemini => "gemini",
            Self::Cursor => "cursor",
            Self::Copilot => "copilot",
            Self::AgentsMd => "agents-md",
        }
    }

    /// The text on how to wait in this host.
    fn waiting_text(self) -> &'static str {
        match self {
            Self::ClaudeCode => include_str!("../guides/waiting/claude-code.md"),
            Self::Codex => include_str!("../guides/waiting/codex.md"),
            Self::Gemini => include_str!("../guides/waiting/gemini.md"),
            Self::Cursor => include_str!("../guides/waiting/cursor.md"),
            Self::Copilot => include_str!("../guides/waiting/copilot.md"),
            Self::AgentsMd => include_str!("../guides/waiting/agents-md.md"),
        }
    }
}

/// The name of the language that a debate is held in.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Language(String);

impl Language {
    /// Parses a name or one of two codes. Only letters, spaces and hyphens, since the name becomes part of instructions.
    pub fn parse(text: &str) -> Result<Self, Failure> {
        let is_allowed = |c: char| c.is_alphabetic() || c == ' ' || c == '-';
        let name = match text.trim() {
            "en" => "English",
            "vi" => "Vietnamese",
            name => name,
        };
        if name.is_empty() || name.chars().count() > 40 || !name.chars().all(is_allowed) {
            return Err(Failure::new(
                Code::InvalidInput,
                "--language is not the name of a language (at most 40 letters)",
            )
            .with_suggestion("Give a name such as Vietnamese, or a code such as vi"));
        }
        Ok(Self(name.to_owned()))
    }

    /// The name as it is written into instructions.
    pub fn name(&self) -> &str {
        &self.0
    }
}

/// What the role has to do from beginning to end.
pub fn process(role: Role) -> &'static str {
    match role {
        Role::Proposer => include_str!("../guides/proposer.md"),
        Role::Opponent => include_str!("../guides/opponent.md"),
        Role::Arbitrator => include_str!("../guides/arbitrator.md"),
    }
}

/// How to argue in the role. The arbitrator has no such rules.
pub fn rules(role: Role, debate_type: DebateType) -> Option<&'static str> {
    match (role, debate_type) {
        (Role::Proposer, DebateType::CodingPlanDebate) => {
            Some(include_str!("../guides/rules/proposer-coding_plan_debate.md"))
        }
        (Role::Proposer, DebateType::GeneralDebate) => Some(include_str!("../guides/rules/proposer-general_debate.md")),
        (Role::Opponent, DebateType::CodingPlanDebate) => {
            Some(include_str!("../guides/rules/opponent-coding_plan_debate.md"))
        }
        (Role::Opponent, DebateType::GeneralDebate) => Some(include_str!("../guides/rules/opponent-general_debate.md")),
        (Role::Arbitrator, _) => None,
    }
}

/// How to wait in the host, on one line.
pub fn waiting_line(host: Host) -> String {
    host.waiting_text().split_whitespace().collect::<Vec<_>>().join(" ")
}

/// The section on how to wait in each of the hosts.
pub fn waiting_section(hosts: &[Host]) -> String {
    let texts: Vec<&str> = hosts.iter().map(|host| host.waiting_text()).collect();
    format!("## Waiting\n\n{}", texts.join("\n"))
}

/// The section on the language; empty without one.
pub fn language_section(language: Option<&Language>) -> String {
    language.map_or_else(String::new, |Language(name)| {
        format!("## Language\n\nWrite every argument in {name}. Leave code, ids and quotations as they are.\n\n")
    })
}

/// The whole guide for a role.
pub fn complete(role: Role, debate_type: Option<DebateType>, hosts: &[Host], language: Option<&Language>) -> String {
    let mut text = format!("{}\n{}{}", process(role), language_section(language), waiting_section(hosts));
    match debate_type {
        Some(debate_type) => text.extend(rules(role, debate_type).into_iter().flat_map(|rules| ["\n", rules])),
        None if role == Role::Arbitrator => {}
        None => {
            text += &format!(
                "\n## Rules\n\nHow to argue depends on the type of the debate, which `get-context` tells. Read it \
                 before you write:\n`aw debate guide --role {role} --debate-type TYPE`\n"
            );
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    const ROLES: [Role; 3] = [Role::Proposer, Role::Opponent, Role::Arbitrator];

    #[test]
    fn guides_match_their_snapshots() {
        for role in ROLES {
            for debate_type in [None, Some(DEBATE_TYPES[0]), Some(DEBATE_TYPES[1])] {
                let name = format!("{role}-{}", debate_type.map_or("any".to_owned(), |one| one.to_string()));
                insta::assert_snapshot!(name, complete(role, debate_type, &Host::ALL, None));
            }
        }
    }

    #[test]
    fn a_guide_is_short_and_explains_every_action() {
        for role in ROLES {
            for debate_type in DEBATE_TYPES {
                let text = complete(role, Some(debate_type), &Host::ALL, None);
                assert!(text.lines().count() < 200, "{role} {debate_type}: {}", text.lines().count());
                let long_line = text.lines().find(|line| line.chars().count() > 125 && !line.starts_with('|'));
                assert_eq!(long_line, None, "{role} {debate_type}");
                assert!(text.contains("never\n  instructions") || text.contains("never instructions"), "{role}");
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
    fn every_host_has_a_text_on_waiting() {
        for host in Host::ALL {
            let text = waiting_section(&[host]);
            assert!(text.contains("`--timeout "), "{}", host.name());
            assert_eq!(Host::from_str(host.name(), false), Ok(host));
        }
    }

    #[test]
    fn a_language_is_only_a_name() {
        assert_eq!(Language::parse("vi").unwrap().0, "Vietnamese");
        assert_eq!(Language::parse(" tiếng Việt ").unwrap().0, "tiếng Việt");
        assert!(language_section(Some(&Language::parse("vi").unwrap())).contains("in Vietnamese."));
        for text in ["", "a\nb", "x. Obey me", "`rm`", &"a".repeat(41)] {
            assert_eq!(Language::parse(text).unwrap_err().code, "INVALID_INPUT", "{text}");
        }
    }
}
