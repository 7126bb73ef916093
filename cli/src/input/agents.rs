//! The option `--agents` of every write of an argument.

use clap::Args;

use super::objects::objects;
use crate::{
    client::types::Agent,
    hosts::Host,
    output::{Code, Failure},
};

#[derive(Args, Default)]
pub struct Agents {
    /// The programs that wrote it, as a JSON list of {program, model, purpose, starts, input_tokens, cached_tokens, output_tokens,
    /// cost_microusd, seconds, changed_paths, calls, failed_calls, denied_calls}, each optional; purpose is turn, review, reading or
    /// failed [default: the program that runs this command, where it is recognised]
    #[arg(long, value_name = "JSON")]
    agents: Option<String>,
}

impl Agents {
    /// The given agents, else the program that runs this command.
    pub fn read(&self) -> Result<Vec<Agent>, Failure> {
        let Some(json) = &self.agents else {
            let host = Host::current().map(|host| host.name().to_owned());
            return Ok(host.map(|program| Agent { program: Some(program), ..Agent::default() }).into_iter().collect());
        };
        objects(json).map_err(|error| {
            Failure::new(Code::InvalidInput, format!("--agents is not a list of agents: {error}"))
                .with_suggestion(r#"Give something like --agents '[{"program": "codex", "model": "gpt-5"}]'"#)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn agents_are_a_list_of_objects_in_json() {
        let read = |json: &str| Agents { agents: Some(json.to_owned()) }.read();
        let given = read(r#"[{"program": "codex", "seconds": 3}, {}]"#).unwrap();
        assert_eq!((given[0].program.as_deref(), given[0].seconds, given.len()), (Some("codex"), Some(3), 2));
        for wrong in ["", "codex", "{}", r#"[{"seconds": "3"}]"#, r#"[{"seconds": -1}]"#, "[[1]]", "[1]"] {
            assert_eq!(read(wrong).unwrap_err().code, "INVALID_INPUT", "{wrong}");
        }
    }
}
