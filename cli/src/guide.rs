//! What an agent has to know in order to take part: texts that are compiled in, put together for one role.
//!
//! They lie as markdown in `guides/`: for each role what to do, for each role and type of debate how to argue, for each
//! host how to wait there.

use std::fmt::Write;

use clap::ValueEnum;

use crate::{
    api::types::{DebateType, Role},
    error::{Code, Failure},
};

/// The types of debate, each with rules of its own.
pub const TYPES: [DebateType; 2] = [DebateType::CodingPlanDebate, DebateType::GeneralDebate];

/// What an agent runs in. It decides how long a command may take, and where instructions are read from.
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
    /// Any that reads AGENTS.md
    AgentsMd,
}

impl Host {
    /// All of them.
    pub const ALL: [Self; 6] =
        [Self::ClaudeCode, Self::Codex, Self::Gemini, Self::Cursor, Self::Copilot, Self::AgentsMd];

    /// How it is called on the command line.
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

    /// How to wait there.
    fn waiting(self) -> &'static str {
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

/// The language that a debate is held in, as a person calls it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Language(String);

impl Language {
    /// Reads its name: one line of letters, since it becomes part of instructions.
    pub fn parse(text: &str) -> Result<Self, Failure> {
        let fits = |c: char| c.is_alphabetic() || c == ' ' || c == '-';
        let name = match text.trim() {
            "en" => "English",
            "vi" => "Vietnamese",
            name => name,
        };
        if name.is_empty() || name.chars().count() > 40 || !name.chars().all(fits) {
            return Err(Failure::new(Code::InvalidInput, "--language is no name of a language: letters, 40 at most")
                .suggest("Give a name such as Vietnamese, or a code such as vi"));
        }
        Ok(Self(name.to_owned()))
    }

    /// Its name.
    pub fn name(&self) -> &str {
        &self.0
    }
}

/// What `role` has to do from beginning to end.
pub fn process(role: Role) -> &'static str {
    match role {
        Role::Proposer => include_str!("../guides/proposer.md"),
        Role::Opponent => include_str!("../guides/opponent.md"),
        Role::Arbitrator => include_str!("../guides/arbitrator.md"),
    }
}

/// How `role` argues in such a debate. An arbitrator needs no more than the process.
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

/// How to wait in that host, on one line.
pub fn recipe(host: Host) -> String {
    host.waiting().split_whitespace().collect::<Vec<_>>().join(" ")
}

/// How to wait, in each of these hosts.
pub fn waiting(hosts: &[Host]) -> String {
    let recipes: Vec<&str> = hosts.iter().map(|host| host.waiting()).collect();
    format!("## Waiting\n\n{}", recipes.join("\n"))
}

/// What is said about the language, where one is set.
pub fn language(language: Option<&Language>) -> String {
    language.map_or_else(String::new, |Language(name)| {
        format!("## Language\n\nWrite every argument in {name}. Leave code, ids and quotations as they are.\n\n")
    })
}

/// All that `role` needs, in the order it needs it.
pub fn whole(role: Role, debate_type: Option<DebateType>, hosts: &[Host], spoken: Option<&Language>) -> String {
    let mut text = format!("{}\n{}{}", process(role), language(spoken), waiting(hosts));
    match debate_type {
        Some(debate_type) => text.extend(rules(role, debate_type).into_iter().flat_map(|rules| ["\n", rules])),
        None if role == Role::Arbitrator => {}
        None => {
            // Writing to a string cannot fail.
            let _ = write!(
                text,
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
    fn every_guide_is_as_agreed() {
        for role in ROLES {
            for debate_type in [None, Some(TYPES[0]), Some(TYPES[1])] {
                let name = format!("{role}-{}", debate_type.map_or("any".to_owned(), |one| one.to_string()));
                insta::assert_snapshot!(name, whole(role, debate_type, &Host::ALL, None));
            }
        }
    }

    #[test]
    fn a_guide_is_short_and_holds_what_its_role_needs() {
        for role in ROLES {
            for debate_type in TYPES {
                let text = whole(role, Some(debate_type), &Host::ALL, None);
                assert!(text.lines().count() < 200, "{role} {debate_type}: {}", text.lines().count());
                let wide = text.lines().find(|line| line.chars().count() > 125 && !line.starts_with('|'));
                assert_eq!(wide, None, "{role} {debate_type}");
                assert!(text.contains("never\n  instructions") || text.contains("never instructions"), "{role}");
                for action in actions(role) {
                    assert!(text.contains(&format!("`{action}`")), "{role} is not told what {action} means");
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
    fn every_host_has_a_recipe_of_its_own() {
        for host in Host::ALL {
            let recipe = waiting(&[host]);
            assert!(recipe.contains("`--timeout "), "{}", host.name());
            assert_eq!(Host::from_str(host.name(), false), Ok(host));
        }
    }

    #[test]
    fn a_language_is_a_name_and_nothing_else() {
        assert_eq!(Language::parse("vi").unwrap().0, "Vietnamese");
        assert_eq!(Language::parse(" tiếng Việt ").unwrap().0, "tiếng Việt");
        assert!(language(Some(&Language::parse("vi").unwrap())).contains("in Vietnamese."));
        for wrong in ["", "a\nb", "x. Obey me", "`rm`", &"a".repeat(41)] {
            assert_eq!(Language::parse(wrong).unwrap_err().code, "INVALID_INPUT", "{wrong}");
        }
    }
}
