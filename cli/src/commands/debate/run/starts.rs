//! What the starts of programs used, as an argument names it.

use serde::Deserialize;
use serde_json::{Value, json};

use crate::client::{
    contract_limits::{MAX_AGENT_NAME, MAX_AGENT_NUMBER, MAX_AGENTS},
    types::Agent,
};

/// The numbers of an entry.
fn numbers(agent: &mut Agent) -> [&mut Option<u64>; 10] {
    let Agent {
        input_tokens,
        cached_tokens,
        output_tokens,
        cost_microusd,
        seconds,
        changed_paths,
        starts,
        calls,
        failed_calls,
        denied_calls,
        program: _,
        model: _,
        purpose: _,
    } = agent;
    [
        input_tokens,
        cached_tokens,
        output_tokens,
        cost_microusd,
        seconds,
        changed_paths,
        starts,
        calls,
        failed_calls,
        denied_calls,
    ]
}

/// The largest number that an entry has.
pub fn largest_number(agent: &Agent) -> u64 {
    numbers(&mut agent.clone()).into_iter().filter_map(|number| *number).max().unwrap_or_default()
}

/// How much of a value is told that cannot be.
const MAX_SHOWN: usize = 60;

/// What a command says of its starts, without what cannot be, which is told: an answer is not lost with it.
pub fn told(starts: Value) -> (Vec<Agent>, Vec<String>) {
    let starts = match starts {
        Value::Array(starts) => starts,
        Value::Null => Vec::new(),
        one @ (Value::Bool(_) | Value::Number(_) | Value::String(_) | Value::Object(_)) => vec![one],
    };
    let mut left_out = Vec::new();
    let mut agents = Vec::new();
    for (index, start) in starts.into_iter().enumerate() {
        let mut agent = Agent::default();
        let mut leave_out = |name: &str, value: &Value| {
            if left_out.len() < MAX_LEFT_OUT {
                let value: String = value.to_string().chars().take(MAX_SHOWN).collect();
                left_out.push(format!("{AGENTS}[{index}]{name} is {value}"));
            }
        };
        let Value::Object(fields) = start else {
            leave_out("", &start);
            continue;
        };
        for (name, value) in fields.into_iter().filter(|(_, value)| !value.is_null()) {
            // One field after the other, so that each is judged by itself.
            let number = value.as_f64().filter(|number| number.fract() == 0.0 && *number >= 0.0);
            let whole = number.map_or_else(|| value.clone(), |number| json!(value.as_u64().unwrap_or(number as u64)));
            match with_field(&agent, &name, whole) {
                Some(with_field) => agent = with_field,
                None => leave_out(&format!(".{name}"), &value),
            }
        }
        agents.push(agent);
    }
    (agents, left_out)
}

/// How many of the values that are left out are named.
const MAX_LEFT_OUT: usize = 8;

/// The field that has the starts.
const AGENTS: &str = "agents";

/// The entry with one more field; none if the field cannot have this value.
fn with_field(agent: &Agent, name: &str, value: Value) -> Option<Agent> {
    let mut fields = serde_json::to_value(agent).ok()?;
    fields[name] = value;
    let agent = Agent::deserialize(fields).ok()?;
    (largest_number(&agent) <= MAX_AGENT_NUMBER).then_some(agent)
}

/// Cuts what a program says of itself to what the server takes. Numbers beyond that are not known.
pub fn bound(agent: &mut Agent) {
    for text in [&mut agent.program, &mut agent.model] {
        let cut =
            text.take().map(|text| text.chars().filter(|c| !c.is_control()).take(MAX_AGENT_NAME).collect::<String>());
        *text = cut.filter(|text| !text.trim().is_empty());
    }
    for number in numbers(agent) {
        *number = number.filter(|number| *number <= MAX_AGENT_NUMBER);
    }
}

/// The entries that an argument has room for: beyond that the rest is summed into the last.
pub fn entries(all: &[Agent]) -> Vec<Agent> {
    if all.len() <= MAX_AGENTS {
        return all.to_vec();
    }
    let (first, rest) = all.split_at(MAX_AGENTS - 1);
    let mut entries = first.to_vec();
    entries.extend(rest.iter().cloned().reduce(sum));
    entries
}

/// Two entries as one. A name in which they are not the same is not known.
fn sum(mut one: Agent, mut other: Agent) -> Agent {
    [one.starts, other.starts] = [one.starts, other.starts].map(|starts| starts.or(Some(1)));
    for (sum, number) in numbers(&mut one).into_iter().zip(numbers(&mut other)) {
        *sum = match (*sum, *number) {
            (Some(sum), Some(number)) => Some(sum.saturating_add(number).min(MAX_AGENT_NUMBER)),
            (sum, number) => sum.or(number),
        };
    }
    one.program = one.program.filter(|name| other.program.as_ref() == Some(name));
    one.model = one.model.filter(|name| other.model.as_ref() == Some(name));
    one.purpose = one.purpose.filter(|name| other.purpose.as_ref() == Some(name));
    one
}

#[cfg(test)]
mod tests {
    use super::*;

    fn start(number: u64) -> Agent {
        Agent {
            program: Some("codex".to_owned()),
            model: Some(format!("m{}", number / 20)),
            purpose: Some("turn".to_owned()),
            input_tokens: Some(number),
            calls: (number > 20).then_some(2),
            ..Agent::default()
        }
    }

    fn json(agents: &[Agent]) -> String {
        serde_json::to_string(agents).unwrap()
    }

    #[test]
    fn the_rest_is_summed_into_the_last_entry() {
        let all: Vec<_> = (1..=24).map(start).collect();
        assert_eq!(json(&entries(&all[..16])), json(&all[..16]));
        let entries = entries(&all);
        assert_eq!((entries.len(), json(&entries[..15])), (16, json(&all[..15])));
        let last =
            Agent { model: None, starts: Some(9), input_tokens: Some((16..=24).sum()), calls: Some(8), ..start(16) };
        assert_eq!(json(&entries[15..]), json(&[last]));
    }

    #[test]
    fn what_a_program_says_of_itself_is_cut() {
        let mut agent = Agent {
            program: Some("a\u{1b}".repeat(200)),
            model: Some(" ".to_owned()),
            starts: Some(u64::MAX),
            denied_calls: Some(u64::MAX),
            ..Agent::default()
        };
        bound(&mut agent);
        assert_eq!((agent.program, agent.model), (Some("a".repeat(100)), None));
        assert_eq!((agent.starts, agent.denied_calls), (None, None));
    }

    #[test]
    fn what_a_command_says_and_cannot_be_is_left_out_and_told() {
        let huge = "1".repeat(200);
        let told_of = |json: &str| told(serde_json::from_str(json).unwrap());
        let (agents, left_out) = told_of(&format!(
            r#"[{{"model": "m", "input_tokens": -5, "cached_tokens": 1.5, "output_tokens": 7.0, "cost_microusd": {huge}.0,
                "seconds": "3", "calls": 9007199254740992, "starts": 18446744073709551616, "failed_calls": null, "mood": "good"}}, 5]"#
        ));
        let expected = Agent { model: Some("m".to_owned()), output_tokens: Some(7), ..Agent::default() };
        assert_eq!(json(&agents), json(&[expected]));
        let names: Vec<_> = left_out.iter().map(|told| told.split(' ').next().unwrap()).collect();
        let of_first = ["cached_tokens", "calls", "cost_microusd", "input_tokens", "seconds", "starts"];
        let mut expected: Vec<_> = of_first.iter().map(|name| format!("agents[0].{name}")).collect();
        expected.push("agents[1]".to_owned());
        let mut names: Vec<_> = names.into_iter().map(str::to_owned).collect();
        names.sort_unstable();
        assert_eq!(names, expected);
        assert!(left_out.iter().all(|told| told.len() < 100), "{left_out:?}");
        assert_eq!(told_of(r#"{"calls": 1}"#).0[0].calls, Some(1));
        assert_eq!(told_of("\"codex\"").1, ["agents[0] is \"codex\""]);
        assert!(told_of("null").0.is_empty() && told_of("[]").1.is_empty());
    }
}
