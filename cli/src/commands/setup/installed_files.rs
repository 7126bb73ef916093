//! The files and blocks that are installed for a host: their paths and texts.

use std::path::PathBuf;

use super::{allowed_tools::AllowedTools, checksum_line::Signature};
use crate::{
    client::types::{DebateType, Role},
    guides::{self, Host},
};

/// A file, or a block in a file, that is installed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Artifact {
    /// The skill of a role, in the format of the Agent Skills specification
    Skill(Role),
    /// The rules for a debate type, which the skill refers to
    Rules(Role, DebateType),
    /// The block in AGENTS.md
    Block,
}

/// All roles.
pub const ROLES: [Role; 3] = [Role::Proposer, Role::Opponent, Role::Arbitrator];

/// The roles whose skills are installed unless another one is asked for. Most arbitrators are people.
pub const USUAL_ROLES: [Role; 2] = [Role::Proposer, Role::Opponent];

/// The artifacts for a host and all roles. One that creates a folder for others comes before them.
pub fn for_host(host: Host) -> Vec<Artifact> {
    if host == Host::AgentsMd {
        return vec![Artifact::Block];
    }
    let of_role = |role| {
        [Artifact::Skill(role)]
            .into_iter()
            .chain(guides::DEBATE_TYPES.map(|debate_type| Artifact::Rules(role, debate_type)))
    };
    ROLES.into_iter().flat_map(of_role).collect()
}

impl Artifact {
    /// The role that it belongs to; `None` if it serves all of them.
    pub fn role(self) -> Option<Role> {
        match self {
            Self::Skill(role) | Self::Rules(role, _) => Some(role),
            Self::Block => None,
        }
    }

    /// Whether the artifact names the tools that its role may use.
    pub fn has_allowed_tools(self, host: Host) -> bool {
        matches!(self, Self::Skill(_)) && knows_allowed_tools(host)
    }

    /// The path below the project's folder or the user's home.
    pub fn path(self, host: Host) -> PathBuf {
        let skills = if host == Host::ClaudeCode { ".claude/skills" } else { ".agents/skills" };
        match self {
            Self::Skill(role) => PathBuf::from(format!("{skills}/{}/SKILL.md", skill_name(role))),
            Self::Rules(role, debate_type) => {
                PathBuf::from(format!("{skills}/{}/references/{debate_type}.md", skill_name(role)))
            }
            Self::Block => PathBuf::from("AGENTS.md"),
        }
    }

    /// The text with its signature.
    pub fn text(self, signature: &Signature) -> String {
        let text = match self {
            Self::Skill(role) => skill(role, signature),
            Self::Rules(role, debate_type) => guides::rules(role, debate_type).to_owned(),
            Self::Block => block(signature),
        };
        signature.sign(&format!("{}\n\n", text.trim_end()))
    }
}

/// The first line of the block in AGENTS.md.
pub const BLOCK_START: &str = "<!-- aw setup: written by a program up to the line that says so -->\n";

/// Whether the host's skills have a setting for the tools that they may use.
pub fn knows_allowed_tools(host: Host) -> bool {
    host == Host::ClaudeCode
}

fn skill_name(role: Role) -> String {
    format!("aweave-debate-{role}")
}

fn skill(role: Role, signature: &Signature) -> String {
    let name = skill_name(role);
    let description = match role {
        Role::Proposer => {
            "Open a debate about a plan or a question, and defend and improve it until it is agreed, as the proposer, \
             through the aw command. Use when asked to propose something for debate, to have a plan debated before it \
             is implemented, or to go on with a debate as its proposer."
        }
        Role::Opponent => {
            "Join a debate about a plan or a question, verify it and find what is wrong with it, as the opponent, \
             through the aw command. Use when asked to oppose, review or challenge a plan in a debate, or to go on \
             with a debate as its opponent."
        }
        Role::Arbitrator => {
            "Rule on appeals and requests to finish in debates that your user names, as the arbitrator, through the aw \
             command. Use only when asked to arbitrate a debate, or to go on with one as its arbitrator."
        }
    };
    let tools = signature.allowed_tools.as_ref().map_or_else(String::new, AllowedTools::frontmatter_line);
    let references: Vec<String> = guides::DEBATE_TYPES.iter().map(|one| format!("`references/{one}.md`")).collect();
    format!(
        "---\nname: {name}\ndescription: {description}\n{tools}---\n\n{}\n{}{}\n{}",
        guides::process(role, guides::Reader::Commands),
        guides::language_section(signature.language.as_ref()),
        guides::waiting_section(&signature.hosts),
        guides::rules_section(role, &format!(" (the text of\n{})", references.join(" and "))),
    )
}

fn block(signature: &Signature) -> String {
    let text = include_str!("../../../guides/agents.md");
    let language = signature.language.as_ref().map(|language| format!(" --language '{}'", language.name()));
    let text = text.replace(" --host agents-md", &format!(" --host agents-md{}", language.unwrap_or_default()));
    format!("{BLOCK_START}{text}")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn signature(hosts: &[Host]) -> Signature {
        Signature { hosts: hosts.to_vec(), folders: 1, ..Signature::default() }
    }

    #[test]
    fn installed_files_match_their_snapshots() {
        for host in Host::ALL {
            for artifact in for_host(host) {
                let path = artifact.path(host);
                let name = format!("{}-{}", host.name(), path.display().to_string().replace(['/', '.'], "_"));
                let text = artifact.text(&signature(&[host]));
                // A release must not change snapshots.
                let filters = [(r"sum [0-9a-f]{16}", "sum …"), (r"written by aw [0-9]\S*;", "written by aw …;")];
                insta::with_settings!({filters => filters}, {
                    insta::assert_snapshot!(name, text);
                });
            }
        }
    }

    /// Agents pay for every byte that they read.
    #[test]
    fn a_skill_and_its_rules_have_at_most_7000_bytes() {
        for host in Host::ALL.into_iter().filter(|host| *host != Host::AgentsMd) {
            for role in ROLES {
                let bytes = |artifact: Artifact| artifact.text(&signature(&[host])).len();
                for debate_type in guides::DEBATE_TYPES {
                    let sum = bytes(Artifact::Skill(role)) + bytes(Artifact::Rules(role, debate_type));
                    assert!(sum <= 7_000, "{} {role} {debate_type}: {sum}", host.name());
                }
            }
        }
    }

    #[test]
    fn skills_conform_to_the_specification() {
        for host in Host::ALL {
            for artifact in for_host(host) {
                let (Artifact::Skill(role), text) = (artifact, artifact.text(&signature(&Host::ALL))) else { continue };
                let (front, body) = text.strip_prefix("---\n").unwrap().split_once("\n---\n").unwrap();
                let field = |name: &str| {
                    front.lines().find_map(|line| line.strip_prefix(&format!("{name}: "))).unwrap().to_owned()
                };
                let folder = artifact.path(host).parent().unwrap().file_name().unwrap().to_owned();
                assert_eq!(*folder, *field("name"), "a skill is named after its folder");
                assert!(field("name").len() <= 64 && field("name").chars().all(|c| c == '-' || c.is_ascii_lowercase()));
                let description = field("description");
                assert!((1..=1024).contains(&description.len()) && !description.contains(": "), "{description}");
                assert!(body.lines().count() < 500, "{role}");
                for debate_type in guides::DEBATE_TYPES {
                    let reference = format!("references/{debate_type}.md");
                    assert!(body.contains(&reference), "{reference}");
                    assert!(
                        artifact.path(host).with_file_name(&reference) == Artifact::Rules(role, debate_type).path(host)
                    );
                }
            }
        }
    }
}
