//! "Read first": the commands that print the plan, what changed in it, and what else was cited.

use std::time::Duration;

use tokio::time::timeout;
use uuid::Uuid;

use super::{issues::raised, next_command};
use crate::{
    client::{
        Client,
        types::{Argument, ArgumentType, Debate, DebateContext, Plan, Role},
    },
    commands::docs::next_command as docs,
    output::Invocation,
};

/// How many documents commands are given for besides the plan; an argument may cite many.
const MAX_DOCUMENTS: usize = 4;

/// How long reading the debate may delay an answer, which is useful without it, too.
const TIMEOUT: Duration = Duration::from_secs(5);

/// How many of the newest arguments are looked at for what was cited since the last ruling.
const MAX_ARGUMENTS: u32 = 200;

/// For the arbitrator where a ruling is due: if it is asked for by a request to finish, the plan, what changed in it since the draft
/// and since the opponent saw it, and all issues; and in any case what else the sides cite in `since`, the arguments since the
/// last ruling.
pub fn before_ruling(debate: &Debate, since: &[&Argument]) -> Vec<Invocation> {
    let Some(request) = &debate.ruling_request else { return Vec::new() };
    let to_finish = request.on == ArgumentType::Resolution.to_string();
    let mut commands = Vec::new();
    if let (true, Some(Plan { document_id, version, first_version, seen_version, .. })) = (to_finish, &debate.plan) {
        commands.push(docs::get(*document_id, Some(*version)));
        let seen = seen_version.filter(|seen| seen != first_version);
        let changed = [Some(*first_version), seen].into_iter().flatten().filter(|from| from != version);
        commands.extend(changed.map(|from| docs::diff(*document_id, from, *version)));
    }
    commands.extend(cited_by_others(debate.plan.as_ref(), Role::Arbitrator, since));
    if to_finish && raised(&debate.issue_counts) > 0 {
        commands.push(next_command::issues(debate.id).flag("all"));
    }
    commands
}

/// The same for a debate that is read from the server first; nothing if it does not answer.
pub async fn search_before_ruling(client: &Client, debate: Uuid) -> Vec<Invocation> {
    let answer = client.api.debate_get_context(&debate, None, None, Some(MAX_ARGUMENTS.into()), None, None);
    match timeout(TIMEOUT, client.send_once::<DebateContext>(answer)).await {
        Ok(Ok(context)) => {
            let DebateContext { debate, motion, arguments, .. } = &context.parsed;
            let all: Vec<_> = [motion].into_iter().chain(arguments).collect();
            before_ruling(debate, since_last_ruling(&all).unwrap_or(&all))
        }
        Ok(Err(_)) | Err(_) => Vec::new(),
    }
}

/// The arguments after the last ruling; `None` if there is no ruling among these.
pub fn since_last_ruling<'a, 'b>(arguments: &'a [&'b Argument]) -> Option<&'a [&'b Argument]> {
    let last = arguments.iter().rposition(|argument| argument.type_ == ArgumentType::Ruling.to_string())?;
    arguments.get(last + 1..)
}

/// For a side that answers `news`: for the opponent the plan, or what changed in it since the opponent saw it; and what else
/// others cite in these.
pub fn before_answering(plan: Option<&Plan>, role: Role, news: &[&Argument]) -> Vec<Invocation> {
    let mut commands = Vec::new();
    if let (Some(plan), Role::Opponent) = (plan, role) {
        commands.extend(match plan.seen_version {
            _ if plan.seen => None,
            Some(seen) => Some(docs::diff(plan.document_id, seen, plan.version)),
            None => Some(docs::get(plan.document_id, Some(plan.version))),
        });
    }
    commands.extend(cited_by_others(plan, role, news));
    commands
}

/// The documents that others than this role cite in these arguments, each once, but for the plan. Those of the newest arguments
/// come first, since an argument may cite more than are given.
fn cited_by_others(plan: Option<&Plan>, role: Role, arguments: &[&Argument]) -> impl Iterator<Item = Invocation> {
    let mut others: Vec<(Uuid, u64)> = Vec::new();
    let by_others = arguments.iter().rev().filter(|argument| argument.role != role.to_string());
    for citation in by_others.flat_map(|argument| &argument.citations) {
        match others.iter_mut().find(|(document, _)| *document == citation.document_id) {
            Some((_, version)) => *version = citation.version.max(*version),
            None if plan.is_some_and(|plan| plan.document_id == citation.document_id) => {}
            None => others.push((citation.document_id, citation.version)),
        }
    }
    others.into_iter().take(MAX_DOCUMENTS).map(|(document, version)| docs::get(document, Some(version)))
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;

    const PLAN: Uuid = Uuid::from_u128(1);
    const DATA: Uuid = Uuid::from_u128(2);

    fn argument(seq: u64, role: &str, cited: &[(Uuid, u64)]) -> Argument {
        let citation = |(id, version): &(Uuid, u64)| json!({"document_id": id, "version": version, "sha256": "0"});
        serde_json::from_value(json!({
            "id": Uuid::from_u128(seq.into()), "debate_id": Uuid::nil(), "parent_id": null, "type": "CLAIM", "role": role,
            "seq": seq, "content": "", "created_at": "2026-01-31T10:00:00Z",
            "citations": cited.iter().map(citation).collect::<Vec<_>>(),
        }))
        .unwrap()
    }

    fn plan(first: u64, seen: Option<u64>, version: u64) -> Value {
        json!({"document_id": PLAN, "version": version, "sha256": "0", "first_version": first, "seen_version": seen,
               "seen": seen == Some(version)})
    }

    fn debate(plan: &Value, resolved: u32, on: &str) -> Debate {
        serde_json::from_value(json!({
            "id": Uuid::nil(), "title": "T", "debate_type": "general_debate", "state": "AWAITING_ARBITRATOR",
            "created_at": "2026-01-31T10:00:00Z", "updated_at": "2026-01-31T10:00:00Z", "last_seq": 5,
            "seats": { "proposer": false, "opponent": false }, "max_rounds": null, "rounds": 1, "plan": plan,
            "ruling_request": {"on": on, "seq": 5, "since": "2026-01-31T10:00:00Z", "agreed": false},
            "issue_counts": {
                "open": 0, "fixed": 0, "disputed": 0, "unsettled": 0, "resolved": resolved, "withdrawn": 0, "dismissed": 0,
                "deferred": 0, "blocking": 0,
            },
        }))
        .unwrap()
    }

    fn lines(commands: Vec<Invocation>) -> Vec<String> {
        let name = |line: String| line.replace(&PLAN.to_string(), "PLAN").replace(&DATA.to_string(), "DATA");
        commands.iter().map(|command| name(command.to_string())).collect()
    }

    fn ruling(plan: &Value, resolved: u32, on: &str) -> Vec<String> {
        ruling_on(plan, resolved, on, &[])
    }

    fn ruling_on(plan: &Value, resolved: u32, on: &str, arguments: &[&Argument]) -> Vec<String> {
        let since = since_last_ruling(arguments).unwrap_or(arguments);
        lines(before_ruling(&debate(plan, resolved, on), since))
    }

    #[test]
    fn an_arbitrator_reads_the_plan_and_what_changed_since_the_draft_and_since_the_opponent_saw_it() {
        let expected =
            ["aw docs get PLAN --version 4", "aw docs diff PLAN --from 1 --to 4", "aw docs diff PLAN --from 2 --to 4"];
        assert_eq!(ruling(&plan(1, Some(2), 4), 0, "RESOLUTION"), expected);
        assert_eq!(ruling(&plan(1, Some(1), 4), 0, "RESOLUTION"), expected[..2], "nothing twice");
        assert_eq!(ruling(&plan(1, None, 4), 0, "RESOLUTION"), expected[..2]);
        assert_eq!(ruling(&plan(4, Some(4), 4), 0, "RESOLUTION"), expected[..1], "nothing empty");
        let ledger = format!("aw debate issues --debate-id {} --all", Uuid::nil());
        assert_eq!(ruling(&Value::Null, 2, "RESOLUTION"), [ledger]);
        assert!(ruling(&plan(1, None, 4), 2, "APPEAL").is_empty(), "an appeal is no request to finish");
    }

    #[test]
    fn an_arbitrator_reads_what_else_the_sides_cite_since_the_last_ruling() {
        let other = Uuid::from_u128(3);
        let mut last = argument(3, "arbitrator", &[(other, 9)]);
        last.type_ = "RULING".to_owned();
        let before = argument(2, "opponent", &[(other, 1)]);
        let claim = argument(4, "opponent", &[(PLAN, 1), (DATA, 1)]);
        let answer = argument(5, "proposer", &[(PLAN, 4), (DATA, 2), (DATA, 1)]);
        let intervention = argument(6, "arbitrator", &[(other, 8)]);
        let since = [&before, &last, &claim, &answer, &intervention];
        let data = "aw docs get DATA --version 2";
        for (first, seen) in [(1, None), (1, Some(2)), (4, Some(4))] {
            // An appeal, an intervention
            assert_eq!(ruling_on(&plan(first, seen, 4), 2, "APPEAL", &since), [data]);
            // A request to finish: after the plan, before the issues
            let mut expected = ruling(&plan(first, seen, 4), 2, "RESOLUTION");
            expected.insert(expected.len() - 1, data.to_owned());
            assert_eq!(ruling_on(&plan(first, seen, 4), 2, "RESOLUTION", &since), expected);
        }
        assert_eq!(ruling_on(&Value::Null, 0, "APPEAL", &[&before, &answer]).len(), 3, "without a ruling, all");
        assert!(ruling_on(&Value::Null, 0, "APPEAL", &[&before, &last, &intervention]).is_empty());
        let answered = Debate { ruling_request: None, ..debate(&Value::Null, 2, "APPEAL") };
        assert!(before_ruling(&answered, &[&before]).is_empty(), "no ruling is due");
        let newest = ruling_on(&Value::Null, 0, "APPEAL", &[&before, &claim, &answer]);
        assert_eq!((newest[0].as_str(), newest[1].as_str()), ("aw docs get PLAN --version 4", data), "newest first");
    }

    #[test]
    fn a_side_reads_the_plan_that_it_has_not_seen_and_what_else_the_others_cite() {
        let answer = argument(4, "proposer", &[(PLAN, 3), (DATA, 1), (DATA, 2)]);
        let own = argument(5, "opponent", &[(Uuid::from_u128(3), 1)]);
        let commands = |plan: Value, role, news: &[&Argument]| {
            let plan: Option<Plan> = serde_json::from_value(plan).unwrap();
            lines(before_answering(plan.as_ref(), role, news))
        };
        assert_eq!(
            commands(plan(1, None, 3), Role::Opponent, &[&answer, &own]),
            ["aw docs get PLAN --version 3", "aw docs get DATA --version 2"]
        );
        assert_eq!(commands(plan(1, Some(1), 3), Role::Opponent, &[]), ["aw docs diff PLAN --from 1 --to 3"]);
        assert!(commands(plan(1, Some(3), 3), Role::Opponent, &[]).is_empty());
        assert!(commands(plan(1, None, 3), Role::Proposer, &[&answer]).is_empty(), "its own plan and citations");
        let many: Vec<(Uuid, u64)> = (4..=19).map(|n| (Uuid::from_u128(n), 1)).collect();
        assert_eq!(commands(Value::Null, Role::Proposer, &[&argument(2, "opponent", &many)]).len(), MAX_DOCUMENTS);
    }
}
