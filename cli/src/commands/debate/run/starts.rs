//! What the starts of programs used, as an argument names it.

use crate::client::types::Agent;

/// The greatest number that `agents` takes.
pub const MAX_NUMBER: u64 = (1 << 53) - 1;

/// The most entries that an argument has.
const MAX_ENTRIES: usize = 16;

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

/// Cuts what a command says of itself to what the server takes.
pub fn bound(agent: &mut Agent) {
    for text in [&mut agent.program, &mut agent.model] {
        let cut = text.take().map(|text| text.chars().filter(|c| !c.is_control()).take(100).collect::<String>());
        *text = cut.filter(|text| !text.trim().is_empty());
    }
    numbers(agent).into_iter().flatten().for_each(|number| *number = (*number).min(MAX_NUMBER));
}

/// The entries that an argument has room for: beyond that the rest is summed into the last.
pub fn entries(all: &[Agent]) -> Vec<Agent> {
    if all.len() <= MAX_ENTRIES {
        return all.to_vec();
    }
    let (first, rest) = all.split_at(MAX_ENTRIES - 1);
    let mut entries = first.to_vec();
    entries.extend(rest.iter().cloned().reduce(sum));
    entries
}

/// Two entries as one. A name in which they are not the same is not known.
fn sum(mut one: Agent, mut other: Agent) -> Agent {
    [one.starts, other.starts] = [one.starts, other.starts].map(|starts| starts.or(Some(1)));
    for (sum, number) in numbers(&mut one).into_iter().zip(numbers(&mut other)) {
        *sum = match (*sum, *number) {
            (Some(sum), Some(number)) => Some(sum.saturating_add(number).min(MAX_NUMBER)),
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
    fn what_a_command_says_of_itself_is_cut() {
        let mut agent = Agent {
            program: Some("a\u{1b}".repeat(200)),
            model: Some(" ".to_owned()),
            starts: Some(u64::MAX),
            denied_calls: Some(u64::MAX),
            ..Agent::default()
        };
        bound(&mut agent);
        assert_eq!((agent.program, agent.model), (Some("a".repeat(100)), None));
        assert_eq!((agent.starts, agent.denied_calls), (Some(MAX_NUMBER), Some(MAX_NUMBER)));
    }
}
