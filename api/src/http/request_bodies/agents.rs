//! Converts and validates the agents in request bodies.

use crate::{
    app::Error,
    domain::{self, AGENT_NAME, MAX_AGENTS, MAX_USED, UnknownValue, Usage},
    http::contract::Agent,
};

/// The name of the field.
pub(super) const FIELD: &str = "agents";

/// Checks the lengths of the texts, which is done before anything else is checked.
pub(super) fn check_sizes(agents: Option<&[Agent]>) -> Result<(), Error> {
    for (index, agent) in agents.unwrap_or_default().iter().enumerate() {
        for (field, text) in names(agent) {
            AGENT_NAME.check_size(text.unwrap_or_default()).map_err(|error| Error::text(&path(index, field), error))?;
        }
    }
    Ok(())
}

/// Checks the agents of a body.
pub(super) fn agents(given: Option<Vec<Agent>>) -> Result<Vec<domain::Agent>, Error> {
    let given = given.unwrap_or_default();
    if given.len() > MAX_AGENTS {
        let message = format!("has {} entries, an argument has at most {MAX_AGENTS}", given.len());
        return Err(Error::invalid(FIELD, message));
    }
    given.into_iter().enumerate().map(|(index, given)| agent(index, given)).collect()
}

fn agent(index: usize, given: Agent) -> Result<domain::Agent, Error> {
    for (field, text) in names(&given) {
        if let Some(text) = text {
            AGENT_NAME.check(text).map_err(|error| Error::text(&path(index, field), error))?;
        }
    }
    let usage = Usage::from(&given);
    let purpose = given.purpose.map(|purpose| purpose.parse()).transpose();
    let agent = domain::Agent {
        program: given.program,
        model: given.model,
        purpose: purpose.map_err(|error: UnknownValue| Error::invalid(path(index, "purpose"), error.to_string()))?,
        starts: given.starts,
        usage,
    };
    match agent.numbers().find(|(_, number)| *number > MAX_USED) {
        Some((field, number)) => {
            Err(Error::invalid(path(index, field), format!("is {number}; the largest number is {MAX_USED}")))
        }
        None => Ok(agent),
    }
}

fn names(agent: &Agent) -> [(&'static str, Option<&str>); 2] {
    [("program", agent.program.as_deref()), ("model", agent.model.as_deref())]
}

fn path(index: usize, field: &str) -> String {
    format!("{FIELD}[{index}].{field}")
}
