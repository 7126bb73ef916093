//! The examples of `/debates`, `/search` and `/wait`.

use std::sync::Arc;

use serde_json::{Value, json};

use super::{
    Example, Result, body,
    example_debate::{self, ExampleDebate, debate_id, id_of, replayed, time_of},
    signing_key,
};
use crate::{
    app::{DebateContext, DebateIssues, DebateWritten, Error, Found, Hit, NewArguments, Page, WaitOutcome},
    domain::{
        Argument, Entry, IssueStatus, Limits, Record, Replay, ReplayError, Role, SearchKind, SearchedText, Side,
        Submission, Waiting, histories, searched_texts,
    },
    http::{
        contract::{self, WaitAnswer},
        error_response::Rejection,
        params::{ArbitratorRole, Parameter},
        request_bodies,
    },
};

/// The examples, in the order in which their operations are called.
pub(super) fn examples() -> Result<Vec<Example>> {
    let mut examples = Vec::new();
    let motion = example_debate::motion();
    let (mut example, created) = ExampleDebate::create(&motion)?;
    examples.push(
        Example::write("debate_create", motion)
            .answered("201", "stored", contract::DebateCreated::from(created.clone()))?
            .answered("200", "replayed", contract::DebateCreated::from(replayed(created)))?
            .refused(Error::DebateExists(debate_id()?))?,
    );

    let request = example_debate::faults_found();
    let written = example.submit(claim(&request)?)?;
    let second =
        claim(&json!({ "role": "opponent", "target_id": id_of(1).to_string(), "content": "And one more point.",
                                "client_request_id": "claim-3" }))?;
    let refused = refusal(&mut example, second)?;
    let seat_taken = Error::SeatTaken(Side::Opponent);
    examples.push(argument("debate_submit", request, written)?.refused(refused)?.refused(seat_taken)?);

    let too_early = request_bodies::resolution(body(&example_debate::resolution(2))?, debate_id(), &Limits::default())?;
    let issues_open = refusal(&mut example, too_early)?;

    example.submit(claim(&example_debate::plan_changed())?)?;
    examples.push(context(&example)?);
    examples.push(wait(&example)?);

    example.submit(claim(&example_debate::fault_reopened())?)?;
    let request = example_debate::appeal();
    let appeal = request_bodies::appeal(body(&request)?, debate_id(), &Limits::default())?;
    let written = example.submit(appeal)?;
    examples.push(argument("debate_appeal", request, written)?.refused(Error::ArgumentNotFound(id_of(9)))?);
    examples.push(list(&example)?);
    examples.push(ruling_wait(&example)?);
    examples.push(search(&example)?);

    let mut no_such_option = example_debate::ruling();
    no_such_option["chosen_option"] = json!(7);
    let refused = refusal(&mut example, ruling(&no_such_option)?)?;
    let request = example_debate::ruling();
    let written = example.submit(ruling(&request)?)?;
    examples.push(argument("debate_ruling", request, written)?.refused(refused)?);
    examples.push(issues(&example)?);

    example.submit(claim(&example_debate::aligned())?)?;
    let request = example_debate::intervention();
    let written = example.submit(request_bodies::intervention(body(&request)?, debate_id(), &Limits::default())?)?;
    examples.push(argument("debate_intervention", request, written)?.refused(Rejection::ArbitratorOnly)?);
    examples.push(seat_freed(&example)?);

    example.submit(ruling(&example_debate::second_ruling())?)?;
    let request = example_debate::resolution(9);
    let written = example.submit(request_bodies::resolution(body(&request)?, debate_id(), &Limits::default())?)?;
    examples.push(argument("debate_request_completion", request, written)?.refused(issues_open)?);

    example.submit(ruling(&example_debate::closing_ruling())?)?;
    examples.push(record(&example)?);
    Ok(examples)
}

fn claim(request: &Value) -> Result<Submission> {
    Ok(request_bodies::claim(body(request)?, debate_id(), &Limits::default())?)
}

fn ruling(request: &Value) -> Result<Submission> {
    Ok(request_bodies::ruling(body(request)?, debate_id(), &Limits::default())?)
}

/// Why this argument may not be added now.
fn refusal(example: &mut ExampleDebate, submission: Submission) -> Result<Error> {
    match example.submit(submission) {
        Ok(_) => Err("the example of an error is none".into()),
        Err(error) => Ok(error),
    }
}

/// The example of a write that stored an argument.
fn argument(operation_id: &'static str, request: Value, written: DebateWritten) -> Result<Example> {
    Example::write(operation_id, request)
        .answered("201", "stored", contract::ArgumentSubmitted::from(written.clone()))?
        .answered("200", "replayed", contract::ArgumentSubmitted::from(replayed(written)))
}

fn context(example: &ExampleDebate) -> Result<Example> {
    let (motion, arguments) = example.arguments.split_first().ok_or("there is no motion")?;
    let context = DebateContext {
        debate: example.debate.clone(),
        motion: motion.clone(),
        arguments: arguments.to_vec(),
        omitted: 0,
        earlier_rulings: Vec::new(),
        ledger: example.ledger.clone(),
    };
    Example::read("debate_get_context")
        .answered("200", "found", contract::DebateContext::from(context))?
        .refused(Error::DebateNotFound(debate_id()?))
}

/// The opponent waits for the answer to its CLAIM.
fn wait(example: &ExampleDebate) -> Result<Example> {
    let (Some(seen), Some(new)) = (example.arguments.get(1), example.arguments.get(2)) else {
        return Err("there is nothing to wait for".into());
    };
    let Err(not_a_role) = <Role as Parameter>::parse("judge") else { return Err("judge is a role".into()) };
    let outcome = WaitOutcome {
        debate: example.debate.clone(),
        last_seen_seq: seen.seq,
        last_seen_hash: Some(seen.hash),
        turn: example.debate.turn(Role::Opponent, &example.ledger),
        waiting: None,
        arguments: Some(NewArguments {
            is_new: true,
            argument: new.clone(),
            earlier: Vec::new(),
            newest_id: new.id,
            ledger: example.ledger.clone(),
        }),
    };
    let proposer = Waiting { role: Role::Proposer, since: time_of(new.seq) };
    let nothing_new = WaitAnswer {
        waiting: Some(vec![proposer]),
        ..WaitAnswer::from(WaitOutcome {
            last_seen_seq: new.seq,
            last_seen_hash: Some(new.hash),
            arguments: None,
            ..outcome.clone()
        })
    };
    Example::read("debate_wait")
        .answered("200", "new_argument", WaitAnswer::from(outcome))?
        .answered("200", "timeout", nothing_new)?
        .refused(Error::invalid("role", not_a_role))
}

fn list(example: &ExampleDebate) -> Result<Example> {
    let list = Page { rows: vec![example.debate.clone()], total: 1, faults: Vec::new() };
    Example::read("debate_list")
        .answered("200", "found", contract::DebateList::from(list))?
        .refused(Rejection::AuthFailed("this server requires a token"))
}

fn ruling_wait(example: &ExampleDebate) -> Result<Example> {
    let Err(another_role) = ArbitratorRole::parse(Role::Proposer.as_str()) else {
        return Err("the proposer may not wait for rulings".into());
    };
    let due = Page { rows: vec![example.debate.clone()], total: 1, faults: Vec::new() };
    Example::read("ruling_wait")
        .answered("200", "ruling_due", contract::RulingsDue::from(due))?
        .answered(
            "200",
            "timeout",
            contract::RulingsDue::from(Page { rows: Vec::new(), total: 0, faults: Vec::new() }),
        )?
        .refused(Error::invalid("role", another_role))
}

fn search(example: &ExampleDebate) -> Result<Example> {
    let Err(not_a_kind) = <SearchKind as Parameter>::parse("claim") else { return Err("claim is a kind".into()) };
    let titled = |found: &SearchedText| found.kind == SearchKind::Title;
    let argument = example.arguments.first().ok_or("there is no MOTION")?.clone();
    let found = searched_texts(&example.debate.title, &argument).into_iter().find(titled).ok_or("there is no title")?;
    let hits = vec![Hit { debate: example.debate.clone(), argument, found }];
    Example::read("debate_search")
        .answered(
            "200",
            "found",
            contract::SearchResult::from(Found { hits, total: 1, is_complete: true, faults: Vec::new() }),
        )?
        .refused(Error::invalid("kind", not_a_kind))
}

fn seat_freed(example: &ExampleDebate) -> Result<Example> {
    let Err(no_seat) = <Side as Parameter>::parse(Role::Arbitrator.as_str()) else {
        return Err("the arbitrator has a seat".into());
    };
    Example::read("debate_free_seat")
        .answered("200", "freed", contract::SeatFreed { debate: example.debate.clone().into() })?
        .refused(Error::invalid("role", no_seat))
}

fn issues(example: &ExampleDebate) -> Result<Example> {
    let Err(not_a_status) = <IssueStatus as Parameter>::parse("done") else { return Err("done is a status".into()) };
    let issues = DebateIssues {
        debate: example.debate.clone(),
        issues: example.ledger.issues().cloned().collect(),
        histories: Some(histories(example.arguments.iter().map(AsRef::as_ref))),
    };
    Example::read("debate_issues")
        .answered("200", "with_history", contract::DebateIssues::from(issues))?
        .refused(Error::invalid("status", not_a_status))
}

fn record(example: &ExampleDebate) -> Result<Example> {
    let mut replay = Replay::new(&example.debate);
    let entry = |argument: &Arc<Argument>| Ok(Entry::new(Argument::clone(argument), replay.add(argument)?));
    let entries = example.arguments.iter().map(entry).collect::<std::result::Result<_, ReplayError>>()?;
    let record = Record::of(example.debate.clone(), &example.ledger, entries, Some(example_debate::plan_summary()));
    let unsigned = contract::DebateRecord::signed(record.clone(), None)?;
    Example::read("debate_record")
        .answered("200", "signed", contract::DebateRecord::signed(record, Some(&signing_key()))?)?
        .answered("200", "without_a_key", unsigned)?
        .refused(Error::DebateNotFound(debate_id()?))
}
