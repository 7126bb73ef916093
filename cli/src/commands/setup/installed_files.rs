//! The files and blocks that are installed for a host: their paths and texts.

use std::{
    fmt::Display,
    iter::once,
    path::{Path, PathBuf},
};

use super::{Scope, allowed_tools::AllowedTools, checksum_line::Signature};
use crate::{
    client::types::{DebateType, Role},
    guides,
    hosts::Host,
};

/// A file, or a block in a file, that is installed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Artifact {
    /// The skill of a role, in the format of the Agent Skills specification
    Skill(Role),
    /// The skill of whoever has a plan debated; it comes with that of the proposer
    RunSkill,
    /// The rules for a debate type, which the skill refers to
    Rules(Role, DebateType),
    /// The block in AGENTS.md
    Block,
    /// The host's rules for commands of `aw`
    CommandRules,
}

/// The roles whose skills are installed unless another one is asked for. Most arbitrators are people.
pub const USUAL_ROLES: [Role; 2] = [Role::Proposer, Role::Opponent];

/// The artifacts for a host and all roles.
pub fn for_host(host: Host, scope: Scope) -> Vec<Artifact> {
    if host.facts().skills.is_none() {
        return vec![Artifact::Block];
    }
    let of_role = |role| once(Artifact::Skill(role)).chain(guides::DEBATE_TYPES.map(|one| Artifact::Rules(role, one)));
    let rules = host.facts().command_rules.as_ref().filter(|_| scope == Scope::User).map(|_| Artifact::CommandRules);
    guides::ROLES.into_iter().flat_map(of_role).chain([Artifact::RunSkill]).chain(rules).collect()
}

impl Artifact {
    /// The role that it belongs to; `None` if it serves all of them.
    pub fn role(self) -> Option<Role> {
        match self {
            Self::Skill(role) | Self::Rules(role, _) => Some(role),
            Self::RunSkill => Some(Role::Proposer),
            Self::Block | Self::CommandRules => None,
        }
    }

    /// Whether the artifact names the tools that its role may use.
    pub fn has_allowed_tools(self, host: Host) -> bool {
        matches!(self, Self::Skill(_) | Self::RunSkill) && host.facts().skill_permissions.is_some()
    }

    /// The path below the project's folder or the user's home.
    pub fn path(self, host: Host) -> PathBuf {
        let facts = host.facts();
        let skill = |name: &dyn Display| Path::new(facts.skills.unwrap_or_default()).join(skill_name(name));
        match self {
            Self::Skill(role) => skill(&role).join("SKILL.md"),
            Self::RunSkill => skill(&RUN).join("SKILL.md"),
            Self::Rules(role, debate_type) => skill(&role).join(format!("references/{debate_type}.md")),
            Self::Block => PathBuf::from("AGENTS.md"),
            Self::CommandRules => PathBuf::from(facts.command_rules.as_ref().map_or("", |rules| rules.path)),
        }
    }

    /// The text with its signature.
    pub fn text(self, signature: &Signature) -> String {
        let text = match self {
            Self::Skill(role) => skill(role, signature),
            Self::RunSkill => {
                frontmatter(RUN, include_str!("../../../guides/descriptions/run.txt"), signature)
                    + include_str!("../../../guides/run.md")
            }
            Self::Rules(role, debate_type) => guides::rules(role, debate_type).to_owned(),
            Self::Block => block(signature),
            Self::CommandRules => {
                let rules = signature.hosts.iter().find_map(|host| host.facts().command_rules.as_ref());
                rules.map(|rules| rules.text.to_owned()).unwrap_or_default()
            }
        };
        // The signature is a comment in markdown; what is not markdown makes it one.
        let comment = if self == Self::CommandRules { "# " } else { "" };
        signature.sign(&format!("{}\n\n{comment}", text.trim_end()))
    }
}

/// The first line of the block in AGENTS.md.
pub const BLOCK_START: &str = "<!-- aw setup: written by a program up to the line that says so -->\n";

/// The name of the skill of a role, which is also the name of its folder.
pub fn skill_name(role: impl Display) -> String {
    format!("aweave-debate-{role}")
}

/// What the name of the skill of whoever has a plan debated ends with.
const RUN: &str = "run";

/// The head of a skill. The description ends with a line break.
fn frontmatter(name: impl Display, description: &str, signature: &Signature) -> String {
    let tools = signature.allowed_tools.as_ref().map_or_else(String::new, AllowedTools::frontmatter_line);
    format!("---\nname: {}\ndescription: {description}{tools}---\n\n", skill_name(name))
}

fn skill(role: Role, signature: &Signature) -> String {
    let description = match role {
        Role::Proposer => include_str!("../../../guides/descriptions/proposer.txt"),
        Role::Opponent => include_str!("../../../guides/descriptions/opponent.txt"),
        Role::Arbitrator => include_str!("../../../guides/descriptions/arbitrator.txt"),
    };
    let references: Vec<String> = guides::DEBATE_TYPES.iter().map(|one| format!("`references/{one}.md`")).collect();
    format!(
        "{}{}\n{}{}\n{}",
        frontmatter(role, description, signature),
        guides::process(role, guides::Reader::Commands),
        guides::language_section(signature.language.as_ref()),
        guides::shared_waiting_section(role, &signature.hosts),
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
    use crate::command_line::CommandLine;

    fn signature(hosts: &[Host]) -> Signature {
        Signature { hosts: hosts.to_vec(), ..Signature::default() }
    }

    #[test]
    fn installed_files_match_their_snapshots() {
        let skills = guides::ROLES.map(|role| (Host::ClaudeCode, Artifact::Skill(role)));
        let others = [
            (Host::ClaudeCode, Artifact::RunSkill),
            (Host::AgentsMd, Artifact::Block),
            (Host::Codex, Artifact::CommandRules),
        ];
        for (host, artifact) in skills.into_iter().chain(others) {
            let path = artifact.path(host);
            let name = format!("{}-{}", host.name(), path.display().to_string().replace(['/', '.'], "_"));
            let mut text = artifact.text(&signature(&[host]));
            if let Artifact::Skill(role) = artifact {
                text = guides::lines_not_in(&text, &guides::complete(role, None, &[host], None));
            }
            // A release must not change snapshots.
            let filters = [(r"sum [0-9a-f]{16}", "sum …"), (r"written by aw [0-9]\S*;", "written by aw …;")];
            insta::with_settings!({filters => filters}, {
                insta::assert_snapshot!(name, text);
            });
        }
    }

    #[test]
    fn skills_differ_in_how_to_wait_and_rules_in_nothing() {
        for host in Host::ALL.into_iter().filter(|host| host.facts().skills.is_some()) {
            for artifact in for_host(host, Scope::Project) {
                let without_signature = |host| {
                    let text = artifact.text(&signature(&[host]));
                    text.rsplit_once("<!-- written by aw ").unwrap().0.replace(host.facts().waiting, "")
                };
                let text = artifact.text(&signature(&[host]));
                assert_eq!(text.contains(host.facts().waiting), matches!(artifact, Artifact::Skill(_)), "{text}");
                assert_eq!(without_signature(host), without_signature(Host::ClaudeCode));
            }
        }
    }

    /// Agents pay for every byte that they read.
    #[test]
    fn a_skill_and_its_rules_have_at_most_7000_bytes_in_every_language() {
        for host in Host::ALL.into_iter().filter(|host| *host != Host::AgentsMd) {
            for role in guides::ROLES {
                let language = Some(guides::tests::longest_language());
                let signature = Signature { language, ..signature(&[host]) };
                let bytes = |artifact: Artifact| artifact.text(&signature).len();
                for debate_type in guides::DEBATE_TYPES {
                    let sum = bytes(Artifact::Skill(role)) + bytes(Artifact::Rules(role, debate_type));
                    assert!(sum <= 7_000, "{} {role} {debate_type}: {sum}", host.name());
                }
            }
        }
    }

    /// Hosts that have their skills in the same folder share one text.
    #[test]
    fn a_skill_that_hosts_share_is_no_longer_than_that_of_one() {
        let shared =
            |host: Host| Host::ALL.into_iter().filter(move |other| other.facts().skills == host.facts().skills);
        let mut sums = Vec::new();
        for host in Host::ALL.into_iter().filter(|host| host.facts().skills.is_some()) {
            for role in guides::ROLES {
                let signature = Signature {
                    hosts: shared(host).collect(),
                    language: Some(guides::tests::longest_language()),
                    ..Signature::default()
                };
                let bytes = |artifact: Artifact| artifact.text(&signature).len();
                let rules = guides::DEBATE_TYPES.map(|debate_type| bytes(Artifact::Rules(role, debate_type)));
                sums.push((
                    host.name(),
                    role,
                    bytes(Artifact::Skill(role)) + rules.into_iter().max().unwrap_or_default(),
                ));
            }
        }
        assert!(sums.iter().all(|(_, _, sum)| *sum <= 7_000), "{sums:?}");
    }

    /// What starts programs, removes files or ends the server would lead out of the sandbox.
    #[test]
    fn each_command_is_allowed_refused_or_left_in_the_sandbox() {
        const IN_THE_SANDBOX: [&str; 4] = ["debate by-hand", "debate open", "debate run", "debate runs"];
        let rules = Artifact::CommandRules.text(&signature(&[Host::Codex]));
        let decision = |group: &str, verb: &str| {
            let names = |rule: &&str| [group, verb].iter().all(|word| rule.contains(&format!("\"{word}\"")));
            rules.split("prefix_rule(").find(names)?.split("decision = ").nth(1)?.split('"').nth(1).map(str::to_owned)
        };
        for group in ["debate", "docs"] {
            for command in CommandLine::definition().find_subcommand(group).unwrap().get_subcommands() {
                let verb = command.get_name();
                let expected = match &*format!("{group} {verb}") {
                    "debate free-seat" | "debate intervention" | "debate ruling" => Some("forbidden".to_owned()),
                    name if IN_THE_SANDBOX.contains(&name) => None,
                    _ => Some("allow".to_owned()),
                };
                assert_eq!(decision(group, verb), expected, "{group} {verb}: decide in cli/guides/codex.rules");
            }
        }
    }

    #[test]
    fn every_command_of_the_skill_that_runs_debates_can_be_parsed() {
        use clap::Parser;
        let text = Artifact::RunSkill.text(&signature(&[Host::Codex]));
        let commands: Vec<_> = text.lines().filter_map(|line| line.trim().strip_prefix("aw ")).collect();
        assert!(commands.len() >= 4, "{commands:?}");
        for command in commands {
            let words = ["aw"].into_iter().chain(command.split_whitespace());
            assert!(CommandLine::try_parse_from(words).is_ok(), "{command}");
        }
        assert!(text.len() <= 3_500, "{}", text.len());
    }

    #[test]
    fn skills_conform_to_the_specification() {
        for host in Host::ALL {
            for artifact in for_host(host, Scope::User) {
                if !matches!(artifact, Artifact::Skill(_) | Artifact::RunSkill) {
                    continue;
                }
                let text = artifact.text(&signature(&Host::ALL));
                let (front, body) = text.strip_prefix("---\n").unwrap().split_once("\n---\n").unwrap();
                let field = |name: &str| {
                    front.lines().find_map(|line| line.strip_prefix(&format!("{name}: "))).unwrap().to_owned()
                };
                let folder = artifact.path(host).parent().unwrap().file_name().unwrap().to_owned();
                assert_eq!(*folder, *field("name"), "a skill is named after its folder");
                assert!(field("name").len() <= 64 && field("name").chars().all(|c| c == '-' || c.is_ascii_lowercase()));
                let description = field("description");
                assert!((1..=1024).contains(&description.len()) && !description.contains(": "), "{description}");
                assert!(body.lines().count() < 500, "{body}");
                let Artifact::Skill(role) = artifact else { continue };
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
