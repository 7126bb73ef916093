//! Who rules, and how the person at the terminal is asked to.

use std::time::Instant;

use super::{
    Runner,
    answer::Answer,
    debate_snapshot::DebateSnapshot,
    person::{Person, Typed},
    program::Program,
    question::{self, Draft, Step},
    run_file::Pending,
};
use crate::{
    client::types::{Role, RulingRequest},
    commands::debate::next_command,
    output::{Code, Failure},
};

/// Who rules in a run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Arbitrator {
    /// The run closes what the sides agreed on; a person decides the rest
    Agreed,
    /// A person decides
    Human,
    /// A program decides, except on an intervention
    Agent(Program),
}

impl Arbitrator {
    pub fn parse(text: &str) -> Result<Self, Failure> {
        Ok(match text {
            "agreed" => Self::Agreed,
            "human" => Self::Human,
            other => Self::Agent(Program::parse("--arbitrator", other)?),
        })
    }
}

/// Who rules now.
#[derive(Debug, PartialEq, Eq)]
pub enum Ruler {
    Agreed,
    Agent,
    Person,
}

/// Who rules in this situation, in which a ruling is due.
pub fn who_rules(arbitrator: &Arbitrator, now: &DebateSnapshot) -> Ruler {
    let request = now.ruling_request();
    match (arbitrator, &request) {
        (Arbitrator::Agent(_), Some(request)) if request.on != "INTERVENTION" => Ruler::Agent,
        (Arbitrator::Agreed, Some(RulingRequest { agreed: true, .. })) if !now.opponent_saw_nothing() => Ruler::Agreed,
        (Arbitrator::Agreed | Arbitrator::Human | Arbitrator::Agent(_), _) => Ruler::Person,
    }
}

/// Whether the proposer asks to finish.
pub fn asks_to_finish(now: &DebateSnapshot) -> bool {
    now.ruling_request().is_some_and(|request| request.on == "RESOLUTION")
}

/// The ruling that closes what the sides agreed on.
pub fn agreed(now: &DebateSnapshot) -> Answer {
    let mut content = "Agreed: the proposer asks to finish, and the opponent has seen this version of the plan. Closed by `aw debate run`.".to_owned();
    let unsettled = now.unsettled();
    if !unsettled.is_empty() {
        content += &format!(" Not settled: {}.", unsettled.join(", "));
    }
    Answer { close: Some(true), ..Answer::new("RULING", content) }
}

impl Runner {
    /// Asks the person at the terminal for a ruling, until that or somebody else's comes.
    pub async fn ask_person(&self, now: &DebateSnapshot) -> Result<(), Failure> {
        if !Person::has_terminal() {
            let message =
                format!("a ruling is due on argument {}, and there is no terminal to ask at", now.newest_seq());
            return Err(Failure::new(Code::RulingDue, message)
                .with_suggestion("Rule in the web app, or with `aw debate ruling`, and go on"));
        }
        let began = Instant::now();
        self.person.is_asked.set(true);
        let answer = tokio::select! {
            biased;
            () = self.changed_since(now) => None,
            answer = self.answer_of_person(now) => match answer {
                Some(answer) => Some(answer),
                None => {
                    // From now on Ctrl-C ends the run.
                    self.person.is_asked.set(false);
                    self.progress.event("the question is left to the web app; the next Ctrl-C ends the run");
                    self.changed_since(now).await;
                    None
                }
            },
        };
        self.person.is_asked.set(false);
        self.limits.waited_since(began);
        let Some(answer) = answer else { return Ok(()) };
        let pending = Pending::new(Role::Arbitrator, Some(now), answer, None);
        if let Err(refused) = self.keep_then_send(pending).await? {
            self.progress.event(&format!("the server refuses it: {refused}"));
        }
        Ok(())
    }

    /// What the person rules; none if the question is left to the web app.
    async fn answer_of_person(&self, now: &DebateSnapshot) -> Option<Answer> {
        let asked = async {
            self.person.forget_typed().await;
            self.progress.show(&question::question(now, &self.file.borrow().state.notes, Person::screen()));
            loop {
                let refused = match self.typed_ruling(now).await {
                    Step::Ruling(answer) => {
                        // What came with the answer, as of a text that was pasted, sends nothing.
                        self.person.forget_typed().await;
                        self.progress.show(&question::preview(now, &answer, Person::screen()));
                        match self.person.typed().await {
                            Typed::Line(line) if line.trim_ascii().is_empty() => return Some(answer),
                            Typed::Line(_) | Typed::LastLine(_) | Typed::End => "nothing was sent".to_owned(),
                        }
                    }
                    Step::Refused(problem) => problem,
                    Step::Lost(problem) => {
                        self.person.forget_typed().await;
                        problem
                    }
                    Step::None | Step::More => return None,
                };
                self.progress.show(&format!("{refused}\n\n{}\n", question::HOW));
            }
        };
        tokio::select! {
            answer = asked => answer,
            () = self.person.left_alone.notified() => None,
        }
    }

    /// Reads until what is typed is a ruling or none.
    async fn typed_ruling(&self, now: &DebateSnapshot) -> Step {
        let command = next_command::of_debate("debate ruling", self.debate_id).with_text().to_string();
        let mut draft = Draft::default();
        loop {
            let step = draft.take(now, self.person.typed().await, &command);
            if !matches!(step, Step::More) {
                return step;
            }
        }
    }
}

#[cfg(test)]
pub mod tests {
    use serde_json::{Value, json};

    use super::*;

    /// A debate in which a ruling is due.
    pub fn due(on: &str, agreed: bool, options: Value) -> DebateSnapshot {
        let context = json!({
            "debate": {"ruling_request": {"on": on, "seq": 2, "since": "2026-01-31T10:00:00Z", "agreed": agreed}},
            "motion": {"seq": 1, "type": "MOTION", "role": "proposer", "content": "m"},
            "arguments": [{"seq": 2, "type": on, "role": "proposer", "content": "q", "options": options}],
            "issues": [{"id": "I3"}],
        });
        DebateSnapshot { context, issues: Vec::new() }
    }

    #[test]
    fn a_run_closes_only_what_the_server_says_is_agreed() {
        let resolution = |agreed| due("RESOLUTION", agreed, Value::Null);
        assert_eq!(who_rules(&Arbitrator::Agreed, &resolution(true)), Ruler::Agreed);
        assert_eq!(who_rules(&Arbitrator::Agreed, &resolution(false)), Ruler::Person);
        assert_eq!(who_rules(&Arbitrator::Human, &resolution(true)), Ruler::Person);
        let appeal = due("APPEAL", false, Value::Null);
        assert_eq!(who_rules(&Arbitrator::Agreed, &appeal), Ruler::Person);
        let agent = Arbitrator::parse("codex").unwrap();
        assert_eq!(who_rules(&agent, &appeal), Ruler::Agent);
        assert_eq!(who_rules(&agent, &due("INTERVENTION", false, Value::Null)), Ruler::Person);
        let answer = agreed(&resolution(true));
        assert!(answer.close == Some(true) && answer.content.ends_with("Not settled: I3."));
    }
}
