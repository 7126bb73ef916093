//! Who rules, and how the person at the terminal is asked to.

use std::cell::{Cell, RefCell};

use uuid::Uuid;

use super::{
    answer::Answer,
    debate_snapshot::{DebateSnapshot, known},
    person::{Person, Typed},
    program::Program,
    progress::Progress,
    question::{self, Draft, Step},
    run_file::RunFile,
};
use crate::{
    client::types::{ArgumentType, RulingRequest},
    commands::debate::next_command,
    output::Failure,
};

/// The file of a ruling that was too long, in the folder of the run.
const RULING: &str = "ruling.md";

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
pub fn who_rules(arbitrator: &Arbitrator, now: &DebateSnapshot) -> Result<Ruler, Failure> {
    let Some(RulingRequest { on, agreed, .. }) = now.ruling_request() else { return Ok(Ruler::Person) };
    let may_be_a_program = match known("what asks for a ruling", on)? {
        ArgumentType::Appeal | ArgumentType::Resolution => true,
        ArgumentType::Motion | ArgumentType::Claim | ArgumentType::Intervention | ArgumentType::Ruling => false,
    };
    Ok(match arbitrator {
        Arbitrator::Agent(_) if may_be_a_program => Ruler::Agent,
        Arbitrator::Agreed if *agreed && !now.opponent_saw_nothing() => Ruler::Agreed,
        Arbitrator::Agreed | Arbitrator::Human | Arbitrator::Agent(_) => Ruler::Person,
    })
}

/// Whether the proposer asks to finish.
pub fn asks_to_finish(now: &DebateSnapshot) -> bool {
    now.ruling_request().is_some_and(|request| request.on == ArgumentType::Resolution.to_string())
}

/// The ruling that closes what the sides agreed on.
pub fn agreed(now: &DebateSnapshot) -> Answer {
    let mut content = "Agreed: the proposer asks to finish, and the opponent has seen this version of the plan. Closed by `aw debate run`.".to_owned();
    let unsettled = now.unsettled();
    if !unsettled.is_empty() {
        content += &format!(" Not settled: {}.", unsettled.join(", "));
    }
    Answer { close: Some(true), ..Answer::new(ArgumentType::Ruling, content) }
}

/// A question for a ruling, at the terminal.
pub struct Question<'r> {
    pub person: &'r Person,
    pub progress: &'r Progress,
    pub file: &'r RefCell<RunFile>,
    pub now: &'r DebateSnapshot,
    pub debate_id: Uuid,
    /// Where it may be answered, too
    pub url: String,
    /// The most bytes that a ruling has
    pub max_content_bytes: usize,
    /// Whether something of an answer was typed and neither sent nor given up
    pub has_typed: Cell<bool>,
}

impl Question<'_> {
    /// What the person rules; none once the question is answered elsewhere, which `elsewhere` tells.
    pub async fn answer(&self, elsewhere: impl Future<Output = ()>) -> Option<Answer> {
        self.person.is_asked.set(true);
        let answered = async {
            let answer = tokio::select! {
                answer = self.answer_here() => answer,
                () = self.person.left_alone.notified() => None,
            };
            if answer.is_none() {
                // From now on Ctrl-C ends the run.
                self.person.is_asked.set(false);
                self.has_typed.set(false);
                self.leave_to_web_app("the next Ctrl-C ends the run");
                std::future::pending::<()>().await;
            }
            answer
        };
        let answer = tokio::select! {
            biased;
            () = elsewhere => {
                if self.has_typed.get() {
                    self.progress.event("the debate went on elsewhere: what you typed was not sent");
                }
                None
            }
            answer = answered => answer,
        };
        self.person.is_asked.set(false);
        answer
    }

    fn leave_to_web_app(&self, then: &str) {
        self.progress.event(&format!("the question is left to the web app, {}; {then}", self.url));
        self.progress.still("waiting for a ruling");
    }

    /// What is typed and sent; none where that ends.
    async fn answer_here(&self) -> Option<Answer> {
        let now = self.now;
        if Person::is_in_background() {
            self.leave_to_web_app("the run is in the background, and asks here once it is in the foreground");
            Person::in_foreground().await;
        }
        self.person.forget_typed().await;
        self.progress.show(&question::question(
            now,
            &self.file.borrow().state.notes,
            Some(&self.url),
            Person::screen(),
        ));
        loop {
            let refused = match self.typed_ruling().await {
                Step::Ruling(answer) if answer.content.len() > self.max_content_bytes => {
                    self.keep_too_long(&answer.content)
                }
                Step::Ruling(answer) => {
                    self.has_typed.set(true);
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
            self.has_typed.set(false);
            self.progress.show(&format!("{refused}\n\n{}", question::how(now, Some(&self.url), Person::screen())));
        }
    }

    /// Keeps a ruling that is longer than an argument may be, so that it can be shortened and not typed again. Says so.
    fn keep_too_long(&self, text: &str) -> String {
        let (bytes, limit, file) = (text.len(), self.max_content_bytes, self.file.borrow());
        let path = file.folder.join(RULING);
        let command =
            next_command::of_debate("debate ruling", self.debate_id).text_option("file", path.to_string_lossy());
        let kept = match file.write(RULING, text.as_bytes()) {
            Ok(()) => format!("it is kept: shorten the file and rule with `{command}`"),
            Err(failure) => failure.message,
        };
        format!("the ruling has {bytes} bytes, and this server takes {limit}; {kept}")
    }

    /// Reads until what is typed is a ruling or none.
    async fn typed_ruling(&self) -> Step {
        let command = next_command::of_debate("debate ruling", self.debate_id).with_text().to_string();
        let mut draft = Draft::default();
        loop {
            let was_empty = draft.is_empty();
            let step = draft.take(self.now, self.person.typed().await, &command);
            if !matches!(step, Step::More) {
                return step;
            }
            if was_empty && !draft.is_empty() {
                self.progress.show(question::GOES_ON);
                self.has_typed.set(true);
            }
        }
    }
}

#[cfg(test)]
pub mod tests {
    use serde_json::{Value, json};

    use super::*;
    use crate::commands::debate::run::debate_snapshot::tests::{argument, issue, snapshot};

    /// A debate in which a ruling is due.
    pub fn due(on: &str, agreed: bool, options: Value) -> DebateSnapshot {
        let request = json!({"on": on, "seq": 2, "since": "2026-01-31T10:00:00Z", "agreed": agreed});
        let asked = argument(json!({"type": on, "role": "proposer", "content": "q", "options": options}));
        let mut now = snapshot(json!({"ruling_request": request}), vec![asked]);
        now.context.issues = vec![issue(json!({"id": "I3"}))];
        now
    }

    #[test]
    fn a_run_closes_only_what_the_server_says_is_agreed() {
        let resolution = |agreed| due("RESOLUTION", agreed, json!([]));
        assert_eq!(who_rules(&Arbitrator::Agreed, &resolution(true)).unwrap(), Ruler::Agreed);
        assert_eq!(who_rules(&Arbitrator::Agreed, &resolution(false)).unwrap(), Ruler::Person);
        assert_eq!(who_rules(&Arbitrator::Human, &resolution(true)).unwrap(), Ruler::Person);
        let appeal = due("APPEAL", false, json!([]));
        assert_eq!(who_rules(&Arbitrator::Agreed, &appeal).unwrap(), Ruler::Person);
        let agent = Arbitrator::parse("codex").unwrap();
        assert_eq!(who_rules(&agent, &appeal).unwrap(), Ruler::Agent);
        assert_eq!(who_rules(&agent, &due("INTERVENTION", false, json!([]))).unwrap(), Ruler::Person);
        let later = who_rules(&agent, &due("PAUSE", false, json!([]))).unwrap_err();
        assert!(later.message.contains("PAUSE"), "{}", later.message);
        let answer = agreed(&resolution(true));
        assert!(answer.close == Some(true) && answer.content.ends_with("Not settled: I3."));
    }
}
