//! The end of a run: the files that it was asked for, and what it tells.

use std::{
    path::{Path, PathBuf},
    time::Duration,
};

use serde_json::{Value, json};
use tokio::time::timeout;

use super::{
    Runner,
    debate_snapshot::DebateSnapshot,
    progress::is_told_on_one_screen,
    report::{PlanLines, Report, ReportedIssue, render},
    written_files::{replace, write_unless_changed},
};
use crate::{
    client::types::{DebateRecord, Role, StateName},
    commands::debate::{next_command, record},
    input::lines,
    output::{Code, Failure, Invocation, Output, warning},
};

/// How long the server may take to tell what became of the debate.
const REPORT_TIMEOUT: Duration = Duration::from_secs(15);

/// The same where it did not answer until the end.
const REPORT_TIMEOUT_WHILE_AWAY: Duration = Duration::from_secs(1);

/// What was last written to the files of --output and --record, in the folder of the run.
const OUTPUT: &str = "output.md";
const RECORD: &str = "record.txt";

/// What became of the files that were asked for.
#[derive(Default)]
struct Files {
    has_plan: bool,
    /// What could not be written, and the commands that print what belongs there
    unwritten: Vec<(Failure, Invocation)>,
}

/// Writes the files and tells what became of the debate.
pub async fn outcome(runner: &Runner, end: Result<(), Failure>) -> Result<Output, Failure> {
    let mut files = Files::default();
    let limit = if runner.contact.is_away() { REPORT_TIMEOUT_WHILE_AWAY } else { REPORT_TIMEOUT };
    let report = timeout(limit, report(runner, &mut files)).await.unwrap_or_else(|_| {
        Err(Failure::new(Code::ConnectionError, "the server does not tell what became of the debate"))
    });
    let is_for_a_person = runner.progress.is_for_a_person();
    let of_others = report.as_ref().ok().and_then(|report| report.rulings_of_others(is_for_a_person));
    of_others.iter().filter(|_| !is_told_on_one_screen()).for_each(|told| runner.progress.event(told));
    let is_told = end.is_err() || is_for_a_person;
    if is_told && !runner.left_nothing.get() {
        runner.progress.event(&format!("this start of the run used {}", runner.limits.used()));
        let has_unnamed = runner.file.borrow().state.unnamed.values().any(|agents| !agents.is_empty());
        if has_unnamed && is_for_a_person {
            runner.progress.event("starts since the newest argument are counted in that, and are not listed below");
        }
    }
    let is_closed = report.as_ref().is_ok_and(|report| report.debate_state == StateName::Closed.to_string());
    let next = next_command::of_debate("debate run", runner.debate_id);
    let with_some_next =
        |failure: Failure| if failure.next.is_some() { failure } else { failure.with_next(next.clone()) };
    match (end, report) {
        (end, Ok(report)) if is_closed => {
            if let Err(failure) = end {
                // Somebody closed it while something failed.
                warning::add(format!("the debate was closed while the run failed: {}", failure.message));
            }
            if let Some((failure, printed_by)) = files.unwritten.into_iter().next() {
                let failure = Failure::new(Code::FileNotWritten, failure.message).with_next(printed_by);
                let how = "The debate is closed, and nothing is lost: print it, or mend the path and run again";
                return Err(failure.with_suggestion(how).with_data(json!(report)).with_markdown(render));
            }
            let message = format!("The debate is closed: {}", report.outcome);
            let id = runner.debate_id;
            let plan = (!files.has_plan).then(|| next_command::of_debate("debate plan", id));
            let changed = report.plan.as_ref().filter(|plan| !plan.is_first_version());
            let changes = changed.map(|_| next_command::of_debate("debate plan", id).shell_option("since", "first"));
            let record = runner.options.record.is_none().then(|| next_command::signed_record(id));
            let for_a_person = plan.clone().into_iter().chain(changes).chain(record).map(Into::into).collect();
            let also =
                plan.into_iter().chain([next_command::signed_record(id), next_command::context(id, None::<Role>)]);
            let output = Output::new(json!(report), message).with_markdown(render).with_also(also);
            Ok(Output { for_a_person: Some(for_a_person), ..output })
        }
        (Err(failure), Ok(report)) => Err(with_data(with_some_next(failure), json!(report)).with_markdown(render)),
        (Err(failure), _) if runner.left_nothing.get() => Err(failure),
        (Err(failure), _) | (Ok(()), Err(failure)) => {
            let data = json!({"debate_id": runner.debate_id, "url": runner.url(), "minutes": minutes(runner)});
            Err(with_data(with_some_next(failure), data))
        }
        (Ok(()), Ok(_)) => {
            Err(Failure::new(Code::InternalError, "the run ended before the debate was closed").with_next(next))
        }
    }
}

/// The failure with what is known of the debate beside its own data.
fn with_data(failure: Failure, mut data: Value) -> Failure {
    failure.data.iter().flat_map(|own| own.iter()).for_each(|(name, value)| data[name] = value.clone());
    failure.with_data(data)
}

/// Writes what was asked for, and returns what the command tells.
async fn report(runner: &Runner, Files { has_plan, unwritten }: &mut Files) -> Result<Report, Failure> {
    let (client, id) = (&runner.client, runner.debate_id);
    let now = DebateSnapshot::read(client, id).await?;
    let now = now.ok_or_else(|| Failure::new(Code::DebateNotFound, "the debate is not open yet"))?;
    let signed = client.send::<DebateRecord, _>(|| client.api.debate_record(&id, None)).await?;
    let (mut first, mut newest) = (None, None);
    if let Some(plan) = now.plan() {
        first = Some(runner.version(plan.document_id, Some(plan.first_version)).await?.content);
        newest = Some(runner.version(plan.document_id, Some(plan.version)).await?.content);
    }
    let options = &runner.options;
    let mut files = Vec::new();
    let mut keep = |written: Result<PathBuf, Failure>, printed_by: Invocation| match written {
        Ok(path) => {
            files.push(path.display().to_string());
            true
        }
        Err(failure) => {
            warning::add(failure.message.clone());
            unwritten.push((failure, printed_by));
            false
        }
    };
    if let (Some(path), Some(plan)) = (&options.output, &newest) {
        *has_plan |= keep(write_file(runner, path, plan, "plan", OUTPUT), next_command::of_debate("debate plan", id));
    }
    if let (Some(path), Some(first), Some(plan), true) = (&options.plan, &first, &newest, options.in_place)
        && now.is_closed()
    {
        let written = replace(path, first, plan).map(|written| tell_where(path, written, "plan"));
        *has_plan |= keep(written, next_command::of_debate("debate plan", id));
    }
    if let Some(path) = &options.record {
        let text = record::text_for(client, id, &signed.data, path).await;
        let written = text.and_then(|text| write_file(runner, path, &text, "record", RECORD));
        keep(written, next_command::signed_record(id));
    }
    let ruled_by_others = rulings_of_others(runner, &now).await;
    let lines = |text: Option<String>| text.map(|text| lines::count(&text));
    let all = |lines: Vec<&str>| lines.into_iter().map(str::to_owned).collect();
    let state = &runner.file.borrow().state;
    let record = signed.parsed.record;
    Ok(Report {
        debate_id: id,
        url: runner.url(),
        debate_state: now.context.debate.state.clone(),
        outcome: record.outcome,
        plan: now.plan().cloned(),
        rounds: now.of_role(Role::Opponent).count(),
        issues: now.issues.iter().map(ReportedIssue::from).collect(),
        plan_lines: PlanLines { before: lines(first), after: lines(newest) },
        decisions: all(state.notes.decisions()),
        notes: all(state.notes.notes()),
        files,
        minutes: minutes(runner),
        agents: record.agents,
        code_changes: state.code_changes.clone(),
        code_unchecked: state.code_unchecked,
        ruled_by_others,
        server_started: runner.has_started_server,
    })
}

/// How long all starts of the run took.
fn minutes(runner: &Runner) -> f64 {
    (runner.limits.total().as_secs_f64() / 6.0).round() / 10.0
}

/// Writes a file that was asked for, and keeps what was written as `kept`. Returns where it is.
fn write_file(runner: &Runner, path: &Path, text: &str, what: &str, kept: &str) -> Result<PathBuf, Failure> {
    let last = runner.file.borrow().read(kept);
    let written = write_unless_changed(path, text, last.as_deref(), runner.options.force)?;
    if written == path
        && let Err(failure) = runner.file.borrow().write(kept, text.as_bytes())
    {
        warning::add(failure.message);
    }
    Ok(tell_where(path, written, what))
}

/// The arguments of the arbitrator that this run did not send and that were not there before it.
async fn rulings_of_others(runner: &Runner, now: &DebateSnapshot) -> Vec<u64> {
    let (known, pending) = {
        let state = &runner.file.borrow().state;
        (state.known.clone(), state.pending.clone())
    };
    let mut others: Vec<_> = now.of_role(Role::Arbitrator).filter(|argument| !known.contains(&argument.id)).collect();
    let pending = pending.filter(|pending| pending.role == Role::Arbitrator.to_string());
    if let (false, Some(pending)) = (others.is_empty(), pending) {
        // Whoever ends the run while its answer is on its way keeps it from learning the argument's id.
        match runner.sender().stored_ruling(&pending, &runner.unnamed(&pending.role)).await {
            Ok(own) => others.retain(|argument| Some(argument.id) != own),
            // Of what may be the run's own it is not said that it is somebody else's.
            Err(_) => others.retain(|argument| argument.seq <= pending.seq),
        }
    }
    others.into_iter().map(|argument| argument.seq).collect()
}

/// Says where the plan or the record is, if that is beside the file that it was asked for.
fn tell_where(path: &Path, written: PathBuf, what: &str) -> PathBuf {
    if written != path {
        let (path, written) = (path.display(), written.display());
        warning::add(format!("{path} changed meanwhile and was left: the {what} is in {written}"));
    }
    written
}
