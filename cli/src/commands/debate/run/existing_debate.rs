//! What a run takes from a debate that is there, and what of its options cannot hold for that.

use sha2::{Digest, Sha256};

use super::{
    clean_text::is_blank,
    debate_snapshot::{DebateSnapshot, known},
    options::{Options, invalid, shortened},
    submit_answer,
};
use crate::{
    client::{
        Client,
        types::{DocumentHistory, DocumentWithVersion},
    },
    commands::debate::next_command::count,
    output::{Failure, warning},
};

/// How many versions of a document one request gives.
const PAGE: u64 = 200;

/// Refuses a PLAN that the debate is not about: the run would go on with the debate's own.
pub async fn check_plan(client: &Client, now: &DebateSnapshot, text: &str) -> Result<(), Failure> {
    let how = "Leave PLAN out to go on with this debate, or leave --debate-id out to have PLAN debated";
    let Some(plan) = now.plan() else {
        return Err(invalid("this debate was opened without a plan, so that it is not about PLAN", how));
    };
    let sha256 = data_encoding::HEXLOWER.encode(&Sha256::digest(text));
    for offset in (0..).step_by(PAGE as usize) {
        let get = || client.api.document_history(&plan.document_id, Some(PAGE), Some(offset));
        let versions = client.send::<DocumentHistory, _>(get).await?.parsed.versions;
        if versions.iter().any(|version| version.sha256 == sha256) {
            return Ok(());
        }
        if (versions.len() as u64) < PAGE {
            break;
        }
    }
    Err(invalid(format!("PLAN is no version of the plan of this debate, \"{}\"", now.context.debate.title), how))
}

/// A debate that is there keeps its title, its type and its limit of rounds; one that is closed has no use for another task than
/// `before`, nor for a PLAN that is not written to.
pub fn keep_its_own(
    options: &mut Options,
    now: &DebateSnapshot,
    given: &Options,
    has_new_plan: bool,
    before: &Options,
) -> Result<(), Failure> {
    let debate = &now.context.debate;
    let debate_type = known("the type of the debate", &debate.debate_type)?;
    if given.title.as_deref().is_some_and(|given| shortened(given) != debate.title) {
        warning::add(format!("the debate keeps its title, \"{}\", and --title is not used", debate.title));
    }
    if given.debate_type.is_some_and(|given| given != debate_type) {
        warning::add(format!("the debate keeps its type, {debate_type}, and --debate-type is not used"));
    }
    let most = debate.max_rounds.map(u64::from);
    if given.rounds.is_some() && given.rounds != most {
        let limit = most.map(|most| format!("keeps its limit of {}", count(most, "round")));
        let limit = limit.unwrap_or_else(|| "has no limit of rounds".to_owned());
        warning::add(format!("the debate {limit}, and --rounds is not used"));
    }
    if now.is_closed() && has_new_plan && !options.in_place {
        warning::add("the debate is closed, and PLAN is not used".to_owned());
        options.plan.clone_from(&before.plan);
    }
    if now.is_closed() && options.task != before.task && !is_blank(options.task()) {
        let option = if given.task_file.is_some() { "--task-file" } else { "--task" };
        warning::add(format!("the debate is closed, and {option} is not used"));
        options.task.clone_from(&before.task);
    }
    options.title = Some(debate.title.clone());
    options.debate_type = Some(debate_type);
    Ok(())
}

/// What a debate that is there says of its task: its MOTION, or the document that this cites as the task.
pub async fn task(client: &Client, now: &DebateSnapshot) -> Result<String, Failure> {
    let motion = &now.context.motion.content;
    let Some((document, version)) = submit_answer::cited_task(motion) else {
        return Ok(without_citation(motion).to_owned());
    };
    let get = || client.api.document_get(&document, Some(version));
    Ok(client.send::<DocumentWithVersion, _>(get).await?.parsed.version.content)
}

/// The text of a MOTION without the line that cites its plan.
fn without_citation(motion: &str) -> &str {
    let rest = motion.strip_prefix("Plan: doc_id=").and_then(|rest| rest.split_once('\n'));
    rest.map_or(motion, |(_, rest)| rest.trim_start_matches(['\r', '\n']))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_task_is_what_follows_the_citation_of_the_plan() {
        for (motion, task) in [
            ("Plan: doc_id=7 v1\n\nCache them.\nPlan: b", "Cache them.\nPlan: b"),
            ("Plan: cache them", "Plan: cache them"),
            ("Cache them", "Cache them"),
        ] {
            assert_eq!(without_citation(motion), task);
        }
    }
}
