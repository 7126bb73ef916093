//! Who rules, and the question to the person at the terminal.

use std::{
    io::{self, IsTerminal},
    thread,
};

use rustix::termios::{QueueSelector, tcflush};
use serde_json::{Value, json};
use tokio::sync::mpsc;

use super::{program::Program, run_file::Pending, situation::Situation};
use crate::{
    client::types::Role,
    output::{failure::Failure, sanitize},
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
pub fn who_rules(arbitrator: &Arbitrator, now: &Situation) -> Ruler {
    let is_seen = now.plan().is_none_or(|plan| plan.seen == Some(plan.version));
    match arbitrator {
        Arbitrator::Agent(_) if now.state() == "AWAITING_ARBITRATOR" => Ruler::Agent,
        Arbitrator::Agreed if asks_to_finish(now) && is_seen => Ruler::Agreed,
        Arbitrator::Agreed | Arbitrator::Human | Arbitrator::Agent(_) => Ruler::Person,
    }
}

fn asks_to_finish(now: &Situation) -> bool {
    now.state() == "AWAITING_ARBITRATOR" && now.newest()["type"] == "RESOLUTION"
}

/// The ruling that closes what the sides agreed on.
pub fn agreed(now: &Situation) -> Pending {
    let mut content = "Agreed: the proposer asks to finish, and the opponent has seen this version of the plan. Closed by `aw debate run`.".to_owned();
    let unsettled = now.unsettled();
    if !unsettled.is_empty() {
        content += &format!(" Not settled: {}.", unsettled.join(", "));
    }
    Pending::new(
        Role::Arbitrator,
        now.newest_seq(),
        None,
        json!({"move": "ruling", "content": content, "close": true}),
        None,
    )
}

/// Whether there is somebody to ask.
pub fn has_terminal() -> bool {
    io::stdin().is_terminal() && io::stderr().is_terminal()
}

/// The options of the APPEAL that waits.
fn options(now: &Situation) -> Vec<Value> {
    let mut since = now.arguments().rev().take_while(|argument| argument["type"] != "RULING");
    let appeal = since.find(|argument| argument["type"] == "APPEAL");
    appeal.and_then(|appeal| appeal["options"].as_array()).cloned().unwrap_or_default()
}

/// What the person is asked.
pub fn question(now: &Situation) -> String {
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
pub fn ruling(now: &Situation, answer: &str) -> Result<Value, String> {
    let answer = answer.trim();
    let options = options(now);
    let Ok(number) = answer.parse::<usize>() else {
        return Ok(json!({"move": "ruling", "content": answer, "close": false}));
    };
    if asks_to_finish(now) && number == 1 {
        return Ok(json!({"move": "ruling", "content": "Agreed.", "close": true}));
    }
    let option = number.checked_sub(1).and_then(|index| Some((index, options.get(index)?)));
    let (index, option) = option.ok_or_else(|| format!("there is no option {number}"))?;
    if option["free_form"] == true {
        return Err("say in your own words what that is".to_owned());
    }
    let label = option["label"].as_str().unwrap_or_default();
    Ok(
        json!({"move": "ruling", "content": format!("As option {number} says: {label}"), "chosen_option": index, "close": false}),
    )
}

/// The answers that are typed from now on; what was typed before is thrown away. None once the input ends.
pub fn answers() -> mpsc::UnboundedReceiver<Option<String>> {
    let (typed, answers) = mpsc::unbounded_channel();
    // Where this fails, what was typed before counts.
    let _ = tcflush(io::stdin(), QueueSelector::IFlush);
    thread::spawn(move || {
        let mut answer = String::new();
        for line in io::stdin().lines() {
            let Ok(line) = line else { break };
            if !line.trim().is_empty() {
                answer += &format!("{line}\n");
            } else if !answer.trim().is_empty() && typed.send(Some(std::mem::take(&mut answer))).is_err() {
                return;
            }
        }
        let _ = typed.send(None);
    });
    answers
}

#[cfg(test)]
mod tests {
    use super::*;

    fn due(kind: &str, state: &str, seen: u64, options: Value) -> Situation {
        let context = json!({
            "debate": {"state": state, "plan": {"document_id": uuid::Uuid::nil(), "version": 2, "seen_version": seen}},
            "motion": {"seq": 1, "type": "MOTION", "role": "proposer", "content": "m"},
            "arguments": [{"seq": 2, "type": kind, "role": "proposer", "content": "q", "options": options}],
            "issues": [{"id": "I3"}],
        });
        Situation { context, issues: Vec::new() }
    }

    #[test]
    fn a_run_closes_only_what_the_opponent_has_seen() {
        let resolution = |seen| due("RESOLUTION", "AWAITING_ARBITRATOR", seen, Value::Null);
        assert_eq!(who_rules(&Arbitrator::Agreed, &resolution(2)), Ruler::Agreed);
        assert_eq!(who_rules(&Arbitrator::Agreed, &resolution(1)), Ruler::Person);
        assert_eq!(who_rules(&Arbitrator::Human, &resolution(2)), Ruler::Person);
        let appeal = due("APPEAL", "AWAITING_ARBITRATOR", 2, Value::Null);
        assert_eq!(who_rules(&Arbitrator::Agreed, &appeal), Ruler::Person);
        let agent = Arbitrator::parse("codex").unwrap();
        assert_eq!(who_rules(&agent, &appeal), Ruler::Agent);
        assert_eq!(who_rules(&agent, &due("INTERVENTION", "INTERVENTION_PENDING", 2, Value::Null)), Ruler::Person);
        let answer = agreed(&resolution(2)).answer;
        assert!(answer["close"] == true && answer["content"].as_str().unwrap().ends_with("Not settled: I3."));
    }

    #[test]
    fn a_person_answers_with_a_number_from_one_or_in_words() {
        let options = json!([{"label": "Disk"}, {"label": "Something else", "free_form": true}]);
        let appeal = due("APPEAL", "AWAITING_ARBITRATOR", 2, options);
        assert!(question(&appeal).contains("  1. Disk\n  2. Something else"));
        let chosen = ruling(&appeal, "1\n").unwrap();
        assert_eq!((&chosen["chosen_option"], &chosen["close"]), (&json!(0), &json!(false)));
        assert!(ruling(&appeal, "2").is_err() && ruling(&appeal, "3").is_err() && ruling(&appeal, "0").is_err());
        assert_eq!(ruling(&appeal, "Both.\nIn turn.\n").unwrap()["content"], "Both.\nIn turn.");
        let resolution = due("RESOLUTION", "AWAITING_ARBITRATOR", 2, Value::Null);
        assert_eq!(ruling(&resolution, "1").unwrap()["close"], true);
        assert_eq!(ruling(&resolution, "Not yet.").unwrap()["close"], false);
    }
}
