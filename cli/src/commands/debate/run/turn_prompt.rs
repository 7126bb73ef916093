//! What an agent program is asked in its turn: the guide, the task, the debate so far, and the form of the answer.

use std::{cell::Ref, collections::BTreeMap};

use serde_json::json;

use super::{
    answer::Answer, debate_snapshot::DebateSnapshot, options::Options, part::Part, prompt::Prompt, run_file::State,
    work_folder,
};
use crate::{
    client::types::{ArgumentType, Move, Role},
    guides::{self, Reader},
    input::ids,
};

/// What the opponent has to know in its first turn, and in the later ones.
const FIRST_CLAIM: &str = include_str!("../../../../guides/first-claim.md");
/// See [`FIRST_CLAIM`].
const LATER_CLAIM: &str = include_str!("../../../../guides/later-claim.md");

/// The form of the answer of those who only find something.
const FINDINGS: &str = include_str!("../../../../guides/findings-answer.md");

/// The plan as it is given to a role.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct PlanInFolder {
    pub text: String,
    /// Which version it is; none if it is stored nowhere
    pub version: Option<u64>,
    /// The length of the first version, if this is another one
    pub first_bytes: Option<usize>,
    /// Which version it is, if it is later than the one that is the plan
    pub later: Option<Later>,
}

/// A version of the plan's document that no argument of the proposer cites yet.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Later {
    pub version: u64,
    /// The version that is the plan
    pub after: u64,
}

impl PlanInFolder {
    pub fn new(text: String) -> Self {
        Self { text, ..Self::default() }
    }
}

/// What the prompts of a run are made of, besides the debate.
pub struct Prompts<'r> {
    pub options: &'r Options,
    /// The text of PLAN, for a debate that is not open yet
    pub plan: Option<&'r str>,
    /// Whether no argument has room for the task
    pub task_is_long: bool,
    pub state: Ref<'r, State>,
}

impl<'r> Prompts<'r> {
    /// The guide and the rules of a role, then the task.
    fn instructions(&self, role: Role) -> Prompt {
        let mut prompt = Prompt::new(&guides::for_turn(role, self.options.debate_type(), self.options.folder()));
        self.say_where_the_code_is(&mut prompt);
        self.say_the_task(&mut prompt);
        prompt
    }

    fn say_the_task(&self, prompt: &mut Prompt) {
        if self.task_is_long {
            prompt.say(&format!("The task, as the user gave it, is `{}` in your working folder.", work_folder::TASK));
        } else {
            prompt.material("the task, as the user gave it", self.options.task());
        }
    }

    /// What stands in a working folder as the task.
    pub fn task_in_folder(&self, part: Part) -> Option<&'r str> {
        // The final reading knows nothing of what the plan is for.
        Some(self.options.task()).filter(|_| self.task_is_long && part != Part::Reading)
    }

    fn say_where_the_code_is(&self, prompt: &mut Prompt) {
        let folder = self.options.folder().display();
        prompt.say(&format!("The code is the folder {folder} (`AW_FOLDER`), to read and to run, never to change."));
        for file in ["AGENTS.md", "CLAUDE.md"].map(|name| self.options.folder().join(name)) {
            if file.is_file() {
                prompt.say(&format!("Its conventions are in {}.", file.display()));
            }
        }
    }

    /// What the proposer is asked where it writes the plan.
    pub fn motion(&self) -> Prompt {
        let mut prompt = self.instructions(Role::Proposer);
        prompt.say(
            "You open the debate. Write the plan into `plan.md` in your working folder; your answer's `content` is the motion, \
             which says in a few lines what the plan does and why. What you want to know in your next turn, write into `notes.md`.",
        );
        prompt.form(&[]);
        prompt
    }

    /// What reviewers are asked before the opponent's first turn, and the final reader, who does not get the task.
    pub fn brief(&self, has_task: bool) -> Prompt {
        let mut prompt = Prompt::new(&guides::final_reading(Reader::Turns, None));
        self.say_where_the_code_is(&mut prompt);
        prompt.say("The plan is `plan.md` in your working folder.");
        if has_task {
            prompt.say(&guides::team_rules::sections_for(
                self.options.folder(),
                Role::Opponent,
                Some(self.options.debate_type()),
            ));
            self.say_the_task(&mut prompt);
        }
        prompt.say(FINDINGS);
        prompt
    }

    /// What a role is asked in its turn. `plan` is what stands in its folder.
    pub fn turn(&self, now: &DebateSnapshot, role: Role, moves: &[Move], plan: &PlanInFolder) -> Prompt {
        let mut prompt = self.turn_instructions(role, plan, self.raises_only_what_blocks(now));
        prompt.debate(now, role);
        self.state.notes.say(&mut prompt, role);
        if role == Role::Opponent {
            self.add_findings(now.of_role(Role::Opponent).count(), &mut prompt);
        }
        prompt.form(moves);
        prompt
    }

    /// What a role has to know of its turn and of the plan in its folder.
    fn turn_instructions(&self, role: Role, plan: &PlanInFolder, blocks_only: bool) -> Prompt {
        let mut prompt = self.instructions(role);
        let edits = if role == Role::Proposer { ": edit it there" } else { "" };
        prompt.say(&format!(
            "The plan is `plan.md` in your working folder{edits}. `plan.diff` has what changed since you saw it, and is empty \
             where nothing did. What you want to know in your next turn, write into `notes.md`."
        ));
        let bytes = plan.text.len();
        match plan.first_bytes {
            Some(first) => {
                prompt.say(&format!("The plan had {first} bytes in its first version, and has {bytes} now."));
            }
            None => prompt.say(&format!("The plan has {bytes} bytes.")),
        }
        if let Some(Later { version, after }) = plan.later {
            prompt.say(&format!(
                "`plan.md` is version {version} of the plan's document. Somebody stored it after version {after}, which is the plan \
                 of the debate so far, and the opponent has not seen it. Judge what it changes as you would a proposal; what you \
                 leave in `plan.md` becomes the plan."
            ));
        }
        if role == Role::Opponent {
            prompt.say(if blocks_only { LATER_CLAIM } else { FIRST_CLAIM });
        }
        prompt
    }

    /// What the opponent of a debate that this run opens is asked first, as far as it is known before.
    pub fn first(&self) -> Prompt {
        let plan = PlanInFolder::new(self.plan.unwrap_or_default().to_owned());
        let mut prompt = self.turn_instructions(Role::Opponent, &plan, self.options.quick);
        prompt.material("the newest of the proposer: argument 1 (MOTION)", self.options.task());
        self.state.notes.say(&mut prompt, Role::Opponent);
        self.add_findings(0, &mut prompt);
        let type_ = ArgumentType::Claim.to_string();
        prompt.form(&[Move { type_, close: None, issue_changes: BTreeMap::new(), target_id: None }]);
        prompt
    }

    /// Whether the opponent raises only what blocks, in its second claim and in a quick run.
    pub fn raises_only_what_blocks(&self, now: &DebateSnapshot) -> bool {
        self.options.quick || now.of_role(Role::Opponent).next().is_some()
    }

    /// What the opponent gets besides: the findings of the first pass, and those of the final reading.
    fn add_findings(&self, claims: usize, prompt: &mut Prompt) {
        let state = &self.state;
        match claims {
            0 if !state.first_pass.is_empty() => {
                prompt
                    .say("Reviewers read the plan, each alone. Check what they found, merge it, and raise what holds.");
                // In an order that does not tell who found it.
                let mut findings: Vec<_> =
                    state.first_pass.iter().filter_map(|review| review.findings.as_ref().ok()).collect();
                findings.sort_by_cached_key(|_| ids::new_id());
                for (index, finding) in findings.into_iter().enumerate() {
                    prompt.material(&format!("the findings of reviewer {}", index + 1), &told(finding));
                }
            }
            1 if self.options.quick => {
                prompt.say("Besides, this is the final reading, which you do yourself now, of the whole plan:");
                prompt.say(&guides::final_reading(Reader::Turns, None));
            }
            1 => {
                let Some(Ok(reading)) = &state.reading else { return };
                prompt.say("Somebody fresh did the final reading. Check what was found, and raise what holds.");
                prompt.material("the findings of the final reading", &told(reading));
            }
            _ => {}
        }
    }
}

fn told(findings: &Answer) -> String {
    json!({"content": findings.content, "issue_changes": findings.issue_changes}).to_string()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        client::{Named, types::Severity},
        commands::debate::run::notes,
    };

    #[test]
    fn the_opponent_is_told_the_severities_of_which_the_run_makes_no_notes() {
        let blocks = |name: &str| notes::blocks(name.parse().unwrap());
        let (blocking, others): (Vec<_>, Vec<_>) = Severity::NAMES.iter().partition(|name| blocks(name));
        let quoted = |names: &[&str], between: &str| {
            names.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(between)
        };
        for (guide, told) in [
            (LATER_CLAIM, format!("Raise only what blocks, {}:", quoted(&blocking, " or "))),
            (LATER_CLAIM, format!("Issues that are {} and", quoted(&others, " or "))),
            (FIRST_CLAIM, format!("only {} can be raised. What is", quoted(&blocking, " and "))),
            (FIRST_CLAIM, format!("What is {} and", quoted(&others, " or "))),
        ] {
            let guide = guide.split_whitespace().collect::<Vec<_>>().join(" ");
            assert!(guide.contains(&told), "{told}: {guide}");
        }
    }
}
