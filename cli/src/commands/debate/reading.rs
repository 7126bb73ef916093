//! The commands that print what arguments cite: versions of documents, and what changed between them.

use std::time::Duration;

use tokio::time::timeout;
use uuid::Uuid;

use super::next_command;
use crate::{
    client::{
        Client,
        types::{Argument, Debate, DebateContext},
    },
    commands::docs::next_command as docs,
    output::invocation::Invocation,
};

/// How many of the newest arguments are searched for what was cited before, besides the motion.
const SEARCHED: u64 = 100;

/// How many documents commands are given for; an argument may cite many.
const MAX_DOCUMENTS: usize = 4;

/// How long the search may delay an answer, which is useful without it, too.
const SEARCH_TIMEOUT: Duration = Duration::from_secs(5);

/// For the arbitrator, if a request to finish waits for a ruling: prints the versions that it cites, what changed in them
/// since the draft and since the opponent answered last, and all issues. `arguments` are in the order of their `seq`.
pub fn before_ruling(debate: &Debate, arguments: &[&Argument]) -> Vec<Invocation> {
    let mut since_last_ruling = arguments.iter().copied().rev().take_while(|argument| argument.type_ != "RULING");
    let Some(resolution) = since_last_ruling.find(|argument| argument.type_ == "RESOLUTION") else {
        return Vec::new();
    };
    let earlier = || arguments.iter().copied().filter(|argument| argument.seq < resolution.seq);
    let answered = earlier().rfind(|argument| argument.role == "opponent").map_or(0, |claim| claim.seq);
    let mut commands = Vec::new();
    for (document, version) in newest_versions(&[resolution]) {
        let cited = || {
            earlier().flat_map(|argument| versions_of(argument, document).map(move |version| (argument.seq, version)))
        };
        let draft = cited().next().map_or(1, |(_, version)| version);
        let seen = cited().filter(|(seq, _)| *seq <= answered).map(|(_, version)| version).max();
        commands.push(docs::get(document, Some(version)));
        let since_draft = Some(draft).filter(|draft| *draft != version);
        let since_answer = seen.filter(|seen| *seen != version && *seen != draft);
        commands.extend(since_draft.into_iter().chain(since_answer).map(|from| docs::diff(document, from, version)));
    }
    let counts = &debate.issue_counts;
    let settled = counts.resolved + counts.withdrawn + counts.dismissed;
    if counts.open + counts.fixed + counts.disputed + settled > 0 {
        commands.push(next_command::all_issues(debate.id));
    }
    commands
}

/// For a side that answers `news`: prints the versions that these cite and no argument in `before` cites, as the difference
/// from the version cited before, where there is one.
pub fn before_answering(before: &[&Argument], news: &[&Argument]) -> Vec<Invocation> {
    let newly_cited = newest_versions(news).into_iter().filter_map(|(document, version)| {
        let known = before.iter().flat_map(|argument| versions_of(argument, document)).max();
        match known {
            Some(known) if known < version => Some(docs::diff(document, known, version)),
            Some(_) => None,
            None => Some(docs::get(document, Some(version))),
        }
    });
    newly_cited.collect()
}

/// What [`before_ruling`] gives, with the arguments read from the server; nothing if it does not answer.
pub async fn search_before_ruling(client: &Client, debate: Uuid) -> Vec<Invocation> {
    match context(client, debate, None).await {
        Some(DebateContext { debate, motion, arguments, .. }) => {
            before_ruling(&debate, &[&motion].into_iter().chain(&arguments).collect::<Vec<_>>())
        }
        None => Vec::new(),
    }
}

/// What [`before_answering`] gives, with the arguments before `news` read from the server; nothing if it does not answer.
pub async fn search_before_answering(client: &Client, debate: Uuid, news: &[&Argument]) -> Vec<Invocation> {
    let Some(first) = news.first().filter(|_| news.iter().any(|argument| !argument.citations.is_empty())) else {
        return Vec::new();
    };
    if first.seq == 1 {
        return before_answering(&[], news);
    }
    match context(client, debate, Some(first.seq)).await {
        Some(DebateContext { motion, arguments, .. }) => {
            before_answering(&[&motion].into_iter().chain(&arguments).collect::<Vec<_>>(), news)
        }
        None => Vec::new(),
    }
}

async fn context(client: &Client, debate: Uuid, before: Option<u64>) -> Option<DebateContext> {
    let answer = client.api.debate_get_context(&debate, None, before, Some(SEARCHED));
    let answer = timeout(SEARCH_TIMEOUT, client.send_once::<DebateContext>(answer)).await;
    Some(answer.ok()?.ok()?.parsed)
}

/// The documents that the arguments cite, each with the newest version that they cite.
fn newest_versions(arguments: &[&Argument]) -> Vec<(Uuid, u64)> {
    let mut newest: Vec<(Uuid, u64)> = Vec::new();
    for citation in arguments.iter().flat_map(|argument| &argument.citations) {
        match newest.iter_mut().find(|(document, _)| *document == citation.document_id) {
            Some((_, version)) => *version = citation.version.max(*version),
            None => newest.push((citation.document_id, citation.version)),
        }
    }
    newest.truncate(MAX_DOCUMENTS);
    newest
}

/// The versions of a document that an argument cites.
fn versions_of(argument: &Argument, document: Uuid) -> impl Iterator<Item = u64> {
    let cited = argument.citations.iter().filter(move |citation| citation.document_id == document);
    cited.map(|citation| citation.version)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    const PLAN: Uuid = Uuid::from_u128(1);
    const DATA: Uuid = Uuid::from_u128(2);

    fn argument(seq: u64, kind: &str, role: &str, cited: &[(Uuid, u64)]) -> Argument {
        let citation = |(id, version): &(Uuid, u64)| json!({"document_id": id, "version": version, "sha256": "0"});
        serde_json::from_value(json!({
            "id": Uuid::from_u128(seq.into()), "debate_id": Uuid::nil(), "parent_id": null, "type": kind, "role": role,
            "seq": seq, "content": "", "created_at": "2026-01-31T10:00:00Z",
            "citations": cited.iter().map(citation).collect::<Vec<_>>(),
        }))
        .unwrap()
    }

    fn debate(resolved: u32) -> Debate {
        serde_json::from_value(json!({
            "id": Uuid::nil(), "title": "T", "debate_type": "general_debate", "state": "AWAITING_ARBITRATOR",
            "created_at": "2026-01-31T10:00:00Z", "updated_at": "2026-01-31T10:00:00Z", "last_seq": 5,
            "seats": { "proposer": false, "opponent": false }, "max_rounds": null, "rounds": 1, "issue_counts": {
                "open": 0, "fixed": 0, "disputed": 0, "unsettled": 0, "resolved": resolved, "withdrawn": 0, "dismissed": 0,
                "blocking": 0,
            },
        }))
        .unwrap()
    }

    fn lines(commands: Vec<Invocation>) -> Vec<String> {
        let name = |line: String| line.replace(&PLAN.to_string(), "PLAN").replace(&DATA.to_string(), "DATA");
        commands.iter().map(|command| name(command.to_string())).collect()
    }

    #[test]
    fn an_arbitrator_reads_the_plan_and_what_changed_since_the_draft_and_since_the_last_answer() {
        let arguments = [
            argument(1, "MOTION", "proposer", &[(PLAN, 1)]),
            argument(2, "CLAIM", "opponent", &[(DATA, 1)]),
            argument(3, "CLAIM", "proposer", &[(PLAN, 2)]),
            argument(4, "CLAIM", "opponent", &[]),
            argument(5, "RESOLUTION", "proposer", &[(PLAN, 4)]),
            argument(6, "INTERVENTION", "arbitrator", &[]),
        ];
        let all: Vec<&Argument> = arguments.iter().collect();
        let expected =
            ["aw docs get PLAN --version 4", "aw docs diff PLAN --from 1 --to 4", "aw docs diff PLAN --from 2 --to 4"];
        assert_eq!(lines(before_ruling(&debate(0), &all)), expected);
        let ledger = lines(before_ruling(&debate(2), &all)).pop().unwrap();
        assert_eq!(ledger, format!("aw debate issues --debate-id {} --all", Uuid::nil()));
        assert!(before_ruling(&debate(2), &all[..4]).is_empty(), "an appeal or a claim is no request to finish");
        let ruling = argument(7, "RULING", "arbitrator", &[]);
        assert!(before_ruling(&debate(2), &[&all[..], &[&ruling]].concat()).is_empty(), "it was ruled on");
        // The draft is the version that the opponent saw; and the version that it saw is the final one.
        let short = [all[0], all[1], all[4]];
        assert_eq!(lines(before_ruling(&debate(0), &short)), expected[..2]);
        let end = argument(5, "RESOLUTION", "proposer", &[(PLAN, 2)]);
        assert_eq!(
            lines(before_ruling(&debate(0), &[&all[..4], &[&end]].concat())),
            ["aw docs get PLAN --version 2", "aw docs diff PLAN --from 1 --to 2"]
        );
    }

    #[test]
    fn a_side_reads_the_versions_that_are_cited_for_the_first_time() {
        let motion = argument(1, "MOTION", "proposer", &[(PLAN, 1)]);
        let claim = argument(2, "CLAIM", "opponent", &[(PLAN, 1)]);
        let late = argument(3, "CLAIM", "proposer", &[(PLAN, 2)]);
        let answer = argument(4, "CLAIM", "proposer", &[(PLAN, 3), (DATA, 1), (PLAN, 1)]);
        assert_eq!(lines(before_answering(&[], &[&motion])), ["aw docs get PLAN --version 1"]);
        assert!(before_answering(&[&motion], &[&claim]).is_empty());
        assert_eq!(
            lines(before_answering(&[&motion, &claim], &[&late, &answer])),
            ["aw docs diff PLAN --from 1 --to 3", "aw docs get DATA --version 1"]
        );
        let many: Vec<(Uuid, u64)> = (1..=9).map(|n| (Uuid::from_u128(n), 1)).collect();
        assert_eq!(before_answering(&[], &[&argument(1, "MOTION", "proposer", &many)]).len(), MAX_DOCUMENTS);
    }
}
