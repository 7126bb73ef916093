//! What is installed for a host: which files, and what they say.

use std::path::PathBuf;

use super::mark::Mark;
use crate::{
    api::types::{DebateType, Role},
    guide::{self, Host},
};

/// One thing that is installed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Piece {
    /// The skill of a role, as the Agent Skills specification has it
    Skill(Role),
    /// What such a skill refers to: how to argue in a debate of that type
    Rules(Role, DebateType),
    /// The block in AGENTS.md
    Block,
}

const ROLES: [Role; 2] = [Role::Proposer, Role::Opponent];

/// All that a host needs, what makes folders for others first.
pub fn pieces(host: Host) -> Vec<Piece> {
    if host == Host::AgentsMd {
        return vec![Piece::Block];
    }
    let of_role =
        |role| [Piece::Skill(role)].into_iter().chain(guide::TYPES.map(|debate_type| Piece::Rules(role, debate_type)));
    ROLES.into_iter().flat_map(of_role).collect()
}

impl Piece {
    /// Where it goes, below the folder of the project or the user.
    pub fn path(self, host: Host) -> PathBuf {
        let skills = if host == Host::ClaudeCode { ".claude/skills" } else { ".agents/skills" };
        match self {
            Self::Skill(role) => PathBuf::from(format!("{skills}/{}/SKILL.md", name(role))),
            Self::Rules(role, debate_type) => {
                PathBuf::from(format!("{skills}/{}/references/{debate_type}.md", name(role)))
            }
            Self::Block => PathBuf::from("AGENTS.md"),
        }
    }

    /// What it says, with its mark.
    pub fn text(self, mark: &Mark) -> String {
        let text = match self {
            Self::Skill(role) => skill(role, mark),
            Self::Rules(role, debate_type) => guide::rules(role, debate_type).unwrap_or_default().to_owned(),
            Self::Block => block(mark),
        };
        mark.sign(&format!("{}\n\n", text.trim_end()))
    }
}

/// The line that a block in a file of others starts with.
pub const BLOCK: &str = "<!-- aw setup: written by a program up to the line that says so -->\n";

fn name(role: Role) -> String {
    format!("aweave-debate-{role}")
}

fn skill(role: Role, mark: &Mark) -> String {
    let name = name(role);
    let purpose = match role {
        Role::Proposer => {
            "Open a debate about a plan or a question, and defend and improve it until it is agreed, as the proposer, \
             through the aw command. Use when asked to propose something for debate, to have a plan debated before it \
             is implemented, or to go on with a debate as its proposer."
        }
        Role::Opponent | Role::Arbitrator => {
            "Join a debate about a plan or a question, verify it and find what is wrong with it, as the opponent, \
             through the aw command. Use when asked to oppose, review or challenge a plan in a debate, or to go on \
             with a debate as its opponent."
        }
    };
    let rules: Vec<String> = guide::TYPES.iter().map(|one| format!("- `{one}`: `references/{one}.md`")).collect();
    format!(
        "---\nname: {name}\ndescription: {purpose}\n---\n\n{}\n{}{}\n## Rules\n\nHow to argue depends on the type of the \
         debate. Read it before you write:\n\n{}\n",
        guide::process(role),
        guide::language(mark.language.as_ref()),
        guide::waiting(&mark.hosts),
        rules.join("\n")
    )
}

fn block(mark: &Mark) -> String {
    let text = include_str!("../../guides/agents.md");
    let language = mark.language.as_ref().map(|language| format!(" --language '{}'", language.name()));
    let text = text.replace(" --host agents-md", &format!(" --host agents-md{}", language.unwrap_or_default()));
    format!("{BLOCK}{text}")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn mark(hosts: &[Host]) -> Mark {
        Mark { hosts: hosts.to_vec(), folders: 1, breaks: None, language: None }
    }

    #[test]
    fn every_installed_file_is_as_agreed() {
        for host in Host::ALL {
            for piece in pieces(host) {
                let path = piece.path(host);
                let name = format!("{}-{}", host.name(), path.display().to_string().replace(['/', '.'], "_"));
                let text = piece.text(&mark(&[host]));
                insta::with_settings!({filters => vec![(r"sum [0-9a-f]{16}", "sum …")]}, {
                    insta::assert_snapshot!(name, text);
                });
            }
        }
    }

    #[test]
    fn skills_are_as_the_specification_wants_them() {
        for host in Host::ALL {
            for piece in pieces(host) {
                let (Piece::Skill(role), text) = (piece, piece.text(&mark(&Host::ALL))) else { continue };
                let (front, body) = text.strip_prefix("---\n").unwrap().split_once("\n---\n").unwrap();
                let field = |name: &str| {
                    front.lines().find_map(|line| line.strip_prefix(&format!("{name}: "))).unwrap().to_owned()
                };
                let folder = piece.path(host).parent().unwrap().file_name().unwrap().to_owned();
                assert_eq!(*folder, *field("name"), "a skill is named after its folder");
                assert!(field("name").len() <= 64 && field("name").chars().all(|c| c == '-' || c.is_ascii_lowercase()));
                let description = field("description");
                assert!((1..=1024).contains(&description.len()) && !description.contains(": "), "{description}");
                assert!(body.lines().count() < 500, "{role}");
                for debate_type in guide::TYPES {
                    let reference = format!("references/{debate_type}.md");
                    assert!(body.contains(&reference), "{reference}");
                    assert!(piece.path(host).with_file_name(&reference) == Piece::Rules(role, debate_type).path(host));
                }
            }
        }
    }
}
