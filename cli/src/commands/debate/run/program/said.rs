//! What the output of a program says.

use serde_json::Value;

use crate::client::{contract_limits::MAX_AGENT_NUMBER, types::Agent};

/// What a start said.
#[derive(Debug, Default)]
pub struct Said {
    /// Its last message
    pub text: Option<String>,
    /// Why it failed, in its own words
    pub failure: Option<String>,
    /// Whether it ended since it used up the money that it was given
    pub used_up_budget: bool,
    /// Its model, and what it used
    pub agent: Agent,
    /// Whether that has all tokens, as most programs tell only at their end
    pub told_all_tokens: bool,
    /// Whether it told the end of its turn, so that it only lives on
    pub told_end: bool,
    /// Why the program itself refused the last answer of its model, in its own words
    pub refusal: Option<String>,
    /// Whether it was not permitted to edit the plan
    pub denied_plan_edit: bool,
}

/// How a call of a tool ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CallEnd {
    Done,
    Failed,
    NotPermitted,
}

/// The calls of tools that a program tells.
#[derive(Debug, Default)]
pub struct Calls {
    is_told: bool,
    made: u64,
    failed: u64,
    not_permitted: u64,
    denied_plan_edit: bool,
    /// The calls of editing tools that name the plan, by their ids, until they end
    plan_edits: Vec<String>,
}

/// How many calls that edit the plan may run at once; others are not known to edit it.
const MAX_PLAN_EDITS: usize = 64;

impl Calls {
    /// The program tells its calls, also where it made none.
    pub fn are_told(&mut self) {
        self.is_told = true;
    }

    /// A call began.
    pub fn begin(&mut self, id: &str, tool: &str, input: &Value) {
        self.are_told();
        self.made += 1;
        if edits_plan(tool, input) && self.plan_edits.len() < MAX_PLAN_EDITS {
            self.plan_edits.push(id.to_owned());
        }
    }

    /// A call that began ended.
    pub fn end(&mut self, id: &str, end: CallEnd) {
        let edit = self.plan_edits.iter().position(|edit| edit == id).map(|at| self.plan_edits.swap_remove(at));
        match end {
            CallEnd::Done => {}
            CallEnd::Failed => self.failed += 1,
            CallEnd::NotPermitted => {
                self.not_permitted += 1;
                self.denied_plan_edit |= edit.is_some();
            }
        }
    }

    /// A call that was not permitted, told by itself.
    pub fn not_permitted(&mut self, tool: &str, input: &Value) {
        self.begin("", tool, input);
        self.end("", CallEnd::NotPermitted);
    }

    /// A call that ended as one that failed was not permitted.
    pub fn was_not_permitted(&mut self, tool: &str, input: &Value) {
        self.failed = self.failed.saturating_sub(1);
        self.not_permitted += 1;
        self.denied_plan_edit |= edits_plan(tool, input);
    }

    /// Enters what is known.
    pub fn enter(self, said: &mut Said) {
        if self.is_told {
            said.agent.calls = Some(self.made);
            said.agent.failed_calls = Some(self.failed);
            said.agent.denied_calls = Some(self.not_permitted);
            said.denied_plan_edit = self.denied_plan_edit;
        }
    }
}

/// Whether a program looked at nothing: it tells its calls, and made none, or none that succeeded.
pub fn saw_nothing(agent: &Agent) -> bool {
    let not_done = agent.failed_calls.unwrap_or_default().saturating_add(agent.denied_calls.unwrap_or_default());
    agent.calls.is_some_and(|calls| calls <= not_done)
}

/// Whether a call of a tool changes the plan, as far as its names tell.
fn edits_plan(tool: &str, input: &Value) -> bool {
    let tool = tool.to_lowercase();
    let is_edit = ["edit", "write", "replace", "patch", "create", "file_change"].iter().any(|word| tool.contains(word));
    is_edit && input.to_string().contains("plan.md")
}

/// Dollars in millionths; none for what is no cost.
pub fn microusd(dollars: &Value) -> Option<u64> {
    let cost = dollars.as_f64().map(|dollars| (dollars * 1e6).round());
    cost.filter(|cost| (0.0..=MAX_AGENT_NUMBER as f64).contains(cost)).map(|cost| cost as u64)
}

/// Adds what a model used. What is not told is none.
pub fn add(sum: &mut Option<u64>, number: Option<u64>) {
    if let Some(number) = number {
        *sum = Some(sum.unwrap_or_default().saturating_add(number));
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn of(calls: Calls) -> (Said, bool) {
        let mut said = Said::default();
        calls.enter(&mut said);
        let nothing = saw_nothing(&said.agent);
        (said, nothing)
    }

    #[test]
    fn a_cost_is_a_number_of_dollars_above_0() {
        for (dollars, cost) in [
            (json!(0.01), Some(10_000)),
            (json!(0), Some(0)),
            (json!(-1), None),
            (json!(1e300), None),
            (json!("1"), None),
            (json!(null), None),
        ] {
            assert_eq!(microusd(&dollars), cost, "{dollars}");
        }
    }

    #[test]
    fn who_made_no_call_that_succeeded_saw_nothing() {
        assert!(!of(Calls::default()).1, "a program that tells no calls");
        let mut calls = Calls::default();
        calls.are_told();
        assert!(of(calls).1);
        let mut calls = Calls::default();
        calls.begin("1", "Read", &json!({"file_path": "/w/plan.md"}));
        calls.end("1", CallEnd::Failed);
        calls.not_permitted("Read", &json!({}));
        let (said, nothing) = of(calls);
        let numbers = (said.agent.calls, said.agent.failed_calls, said.agent.denied_calls);
        assert_eq!((numbers, nothing, said.denied_plan_edit), ((Some(2), Some(1), Some(1)), true, false));
        let mut calls = Calls::default();
        calls.begin("1", "Bash", &json!({}));
        calls.begin("2", "Edit", &json!({"file_path": "/w/plan.md"}));
        calls.end("2", CallEnd::NotPermitted);
        let (said, nothing) = of(calls);
        assert!(!nothing && said.denied_plan_edit);
    }
}
