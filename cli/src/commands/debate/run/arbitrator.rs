//! Who rules, and the question to the person at the terminal.

use std::{
    cell::Cell,
    io::{self, IsTerminal},
    thread,
    time::Instant,
};

use rustix::termios::{QueueSelector, tcflush};
use serde_json::Value;
use tokio::sync::{Mutex, Notify, mpsc};

use super::{Runner, answer::Answer, debate_snapshot::DebateSnapshot, program::Program, run_file::Pending};
use crate::{
    client::types::{Role, RulingRequest},
    output::{Code, Failure, sanitize},
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
        (Arbitrator::Agreed, Some(RulingRequest { agreed: true, .. })) => Ruler::Agreed,
        (Arbitrator::Agreed | Arbitrator::Human | Arbitrator::Agent(_), _) => Ruler::Person,
    }
}

fn asks_to_finish(now: &DebateSnapshot) -> bool {
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

/// The options of the APPEAL that waits, which is the newest argument.
fn options(now: &DebateSnapshot) -> &[Value] {
    now.newest()["options"].as_array().map_or(&[], Vec::as_slice)
}

/// What the person is asked.
pub fn question(now: &DebateSnapshot) -> String {
    let newest = now.newest();
    let content = newest["content"].as_str().unwrap_or_default();
    let mut text = format!(
        "\nA ruling is due on argument {} ({}):\n\n{content}\n\n",
        newest["seq"],
        newest["type"].as_str().unwrap_or_default()
    );
    let options = options(now);
    for (number, option) in options.iter().enumerate() {
        let detail = option["detail"].as_str().map(|detail| format!(": {detail}")).unwrap_or_default();
        text += &format!("  {}. {}{detail}\n", number + 1, option["label"].as_str().unwrap_or_default());
    }
    if asks_to_finish(now) {
        text += "  1. Close the debate\n";
    }
    text +=
        "\nGive a number, or your ruling in your own words, and then an empty line. Ctrl-C leaves it to the web app.";
    sanitize::text(&text)
}

/// The ruling that an answer means; the error says why it is none.
pub fn ruling(now: &DebateSnapshot, answer: &str) -> Result<Answer, String> {
    let answer = answer.trim();
    let Ok(number) = answer.parse::<u32>() else { return Ok(Answer::new("RULING", answer)) };
    if asks_to_finish(now) && number == 1 {
        return Ok(Answer { close: Some(true), ..Answer::new("RULING", "Agreed.") });
    }
    let (options, chosen) = (options(now), number.checked_sub(1));
    let option = chosen.and_then(|index| options.get(index as usize));
    let option = option.ok_or_else(|| format!("there is no option {number}"))?;
    if option["free_form"] == true {
        return Err("say in your own words what that is".to_owned());
    }
    let label = option["label"].as_str().unwrap_or_default();
    Ok(Answer { chosen_option: chosen, ..Answer::new("RULING", format!("As option {number} says: {label}")) })
}

/// The person at the terminal.
#[derive(Default)]
pub struct Person {
    /// What is typed, read by one thread from the first question on
    lines: Mutex<Option<mpsc::UnboundedReceiver<String>>>,
    /// Whether a question waits for an answer, so that the first Ctrl-C leaves it to the web app
    pub is_asked: Cell<bool>,
    pub left_alone: Notify,
}

impl Person {
    /// Whether there is somebody to ask.
    pub fn has_terminal() -> bool {
        io::stdin().is_terminal() && io::stderr().is_terminal()
    }

    /// Throws away what was typed before.
    async fn forget_typed(&self) {
        let mut lines = self.lines.lock().await;
        // Where this fails, what was typed before counts.
        let _ = tcflush(io::stdin(), QueueSelector::IFlush);
        while lines.as_mut().is_some_and(|lines| lines.try_recv().is_ok()) {}
    }

    /// The next lines up to an empty one; none once the input ends.
    async fn answer(&self) -> Option<String> {
        let mut lines = self.lines.lock().await;
        let lines = lines.get_or_insert_with(typed_lines);
        let mut answer = String::new();
        loop {
            let line = lines.recv().await?;
            if !line.trim().is_empty() {
                answer += &format!("{line}\n");
            } else if !answer.is_empty() {
                return Some(answer);
            }
        }
    }
}

fn typed_lines() -> mpsc::UnboundedReceiver<String> {
    let (typed, lines) = mpsc::unbounded_channel();
    thread::spawn(move || io::stdin().lines().map_while(Result::ok).try_for_each(|line| typed.send(line)));
    lines
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
        self.person.forget_typed().await;
        self.progress.event(&question(now));
        self.person.is_asked.set(true);
        let mut is_asked = true;
        let answer = loop {
            tokio::select! {
                typed = self.person.answer(), if is_asked => match typed.map(|typed| ruling(now, &typed)) {
                    Some(Ok(answer)) => break Some(answer),
                    Some(Err(problem)) => self.progress.event(&problem),
                    None => is_asked = false,
                },
                () = self.person.left_alone.notified(), if is_asked => {
                    self.progress.event("the question is left to the web app; the next Ctrl-C ends the run");
                    is_asked = false;
                }
                () = self.changed_since(now) => break None,
            }
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
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn due(on: &str, agreed: bool, options: Value) -> DebateSnapshot {
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

    #[test]
    fn a_person_answers_with_a_number_from_one_or_in_words() {
        let options = json!([{"label": "Disk"}, {"label": "Something else", "free_form": true}]);
        let appeal = due("APPEAL", false, options);
        assert!(question(&appeal).contains("  1. Disk\n  2. Something else"));
        let chosen = ruling(&appeal, "1\n").unwrap();
        assert_eq!((chosen.chosen_option, chosen.close), (Some(0), None));
        assert!(ruling(&appeal, "2").is_err() && ruling(&appeal, "3").is_err() && ruling(&appeal, "0").is_err());
        assert_eq!(ruling(&appeal, "Both.\nIn turn.\n").unwrap().content, "Both.\nIn turn.");
        let resolution = due("RESOLUTION", true, Value::Null);
        assert_eq!(ruling(&resolution, "1").unwrap().close, Some(true));
        assert_eq!(ruling(&resolution, "Not yet.").unwrap().close, None);
    }
}
