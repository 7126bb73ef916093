//! What each role is asked.

use serde_json::{Value, json};

use super::{Runner, answer::Answer, prompt_builder::Prompt, situation::Situation};
use crate::{
    client::types::Role,
    guides::{self, Reader},
    input::ids,
};

impl Runner {
    /// The guide and the rules of a role, then the task.
    fn instructions(&self, role: Role) -> Prompt {
        let mut prompt = Prompt::new(&guides::for_turn(role, self.debate_type(), self.folder()));
        self.say_where_the_code_is(&mut prompt);
        prompt.material("the task, as the user gave it", self.options.task());
        prompt
    }

    fn say_where_the_code_is(&self, prompt: &mut Prompt) {
        let folder = self.folder().display();
        prompt.say(&format!("The code is the folder {folder} (`AW_FOLDER`), to read and to run, never to change."));
        for file in ["AGENTS.md", "CLAUDE.md"].map(|name| self.folder().join(name)) {
            if file.is_file() {
                prompt.say(&format!("Its conventions are in {}.", file.display()));
            }
        }
    }

    pub fn motion_prompt(&self) -> Prompt {
        let mut prompt = self.instructions(Role::Proposer);
        prompt.say(
            "You open the debate. Write the plan into `plan.md` in your working folder; your answer's `content` is the motion, \
             which says in a few lines what the plan does and why. What you want to know in your next turn, write into `notes.md`.",
        );
        prompt.form(&Value::Null);
        prompt
    }

    /// What reviewers are asked before the opponent's first turn, and the final reader, who does not get the task.
    pub fn brief(&self, has_task: bool) -> Prompt {
        let mut prompt = Prompt::new(&guides::final_reading(Reader::Turns, None));
        self.say_where_the_code_is(&mut prompt);
        prompt.say("The plan is `plan.md` in your working folder.");
        if has_task {
            prompt.say(&guides::team_rules::sections_for(self.folder(), Role::Opponent, Some(self.debate_type())));
            prompt.material("the task, as the user gave it", self.options.task());
        }
        prompt.form_of_findings();
        prompt
    }

    /// `bytes` has the length of the plan's first version and of this one, if they are not the same.
    pub fn turn_prompt(&self, now: &Situation, role: Role, moves: &Value, bytes: Option<[usize; 2]>) -> Prompt {
        let mut prompt = self.instructions(role);
        let edits = if role == Role::Proposer { ": edit it there" } else { "" };
        prompt.say(&format!(
            "The plan is `plan.md` in your working folder{edits}. `plan.diff` has what changed since you saw it, and is empty \
             where nothing did. What you want to know in your next turn, write into `notes.md`."
        ));
        if let Some([first, now]) = bytes {
            prompt.say(&format!("The plan had {first} bytes in its first version, and has {now} now."));
        }
        let (debate, unsettled) = (&now.context["debate"], now.unsettled());
        if let (Some(rounds), Some(most)) = (debate["rounds"].as_u64(), debate["max_rounds"].as_u64()) {
            prompt.say(&format!(
                "Rounds done since the last ruling: {rounds} of {most}. When all are done, the proposer appeals or asks to finish."
            ));
        }
        for ruling in now.arguments().filter(|argument| argument["type"] == "RULING") {
            prompt.argument("a ruling, which binds both sides", ruling, now.chosen_option(ruling), &unsettled);
        }
        let others: &[&str] = match role {
            Role::Proposer => &["opponent"],
            Role::Opponent => &["proposer"],
            Role::Arbitrator => &["opponent", "proposer"],
        };
        for side in others {
            now.newest_of(side)
                .into_iter()
                .for_each(|it| prompt.argument(&format!("the newest of the {side}"), it, None, &unsettled));
        }
        if role != Role::Arbitrator {
            now.newest_of(&role.to_string())
                .into_iter()
                .for_each(|own| prompt.argument("your own last", own, None, &unsettled));
        }
        prompt.ledger(&now.issues, &unsettled);
        if role == Role::Opponent {
            self.add_findings(now, &mut prompt);
        }
        prompt.form(moves);
        prompt
    }

    /// What the opponent of a debate that this run opens is asked first, as far as it is known before.
    pub fn first_prompt(&self) -> Prompt {
        let motion = json!({"seq": 1, "type": "MOTION", "role": "proposer", "content": self.options.task()});
        let now = Situation { context: json!({"motion": motion}), issues: Vec::new() };
        self.turn_prompt(&now, Role::Opponent, &json!([{"type": "CLAIM"}]), None)
    }

    /// What the opponent gets besides: the findings of the first pass, and those of the final reading.
    fn add_findings(&self, now: &Situation, prompt: &mut Prompt) {
        let state = &self.file.borrow().state;
        match now.of_role("opponent").count() {
            0 if !state.reviews.is_empty() => {
                prompt
                    .say("Reviewers read the plan, each alone. Check what they found, merge it, and raise what holds.");
                // In an order that does not tell who found it.
                let mut findings: Vec<_> = state.reviews.values().filter_map(|review| review.as_ref().ok()).collect();
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
