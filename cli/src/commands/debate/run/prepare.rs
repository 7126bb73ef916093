//! What is checked before anything starts.

use std::{
    cell::{Cell, RefCell},
    fs, iter,
    path::{Path, PathBuf},
    time::Duration,
};

use clap::Args;
use tokio::task::spawn_blocking;
use uuid::Uuid;

use super::{
    HELP_TEMPLATE, RetryLimit, Runner,
    arbitrator::Arbitrator,
    clean_text,
    code_folder::CodeFolder,
    debate_snapshot::{DebateSnapshot, known},
    existing_debate,
    limits::Limits,
    options::{Options, absolute, invalid, of_earlier_run, unreadable},
    person::Person,
    players::Players,
    progress::Progress,
    run_file::{self, RunFile},
    server_contact::ServerContact,
    work_folder,
};
use crate::{
    client::{
        Client,
        compatibility::MAX_WAIT_SECONDS,
        types::{DebateContext, Info, InfoLimits, Role, SeatState, Side},
    },
    commands::up,
    files::private,
    input::{content, ids, resolve_id},
    output::{Code, Failure, atomic_file},
};

/// How long a request may take.
const REQUEST_TIMEOUT: Duration = Duration::from_secs(MAX_WAIT_SECONDS + 30);

/// How long a request of a dry run may take.
const LOOK_TIMEOUT: Duration = Duration::from_secs(5);

/// How many bytes an argument has at most where no server was asked.
const USUAL_CONTENT_BYTES: usize = 10_240;

#[derive(Args)]
#[command(help_template = HELP_TEMPLATE, before_help = "\
Example:
  aw debate run plan.md --quick --output better.md")]
pub struct Run {
    #[command(flatten)]
    pub given: Options,
    /// Go on though somebody else wrote as a role that the run plays, from what is there now
    #[arg(long)]
    take_over: bool,
    /// Start nothing: print who would be started, and what the first ones would be asked
    #[arg(long)]
    pub dry_run: bool,
    /// Seconds after which a program that failed is started once more
    #[arg(long, hide = true, default_value_t = 60)]
    retry_seconds: u64,
}

impl Options {
    /// Files are written at the end only, so that what keeps them from being written is told now.
    fn check_files(&self, force: bool, before: &Self) -> Result<(), Failure> {
        let was_ours = |path: &PathBuf| [&before.output, &before.record].contains(&&Some(path.clone()));
        let check = |option: &str, path: &Path, may_replace: bool, is_former: bool| {
            atomic_file::check(path, may_replace).map_err(unreadable).map_err(of_earlier_run(option, is_former))
        };
        for (option, path, former) in
            [("--output", &self.output, &before.output), ("--record", &self.record, &before.record)]
        {
            path.iter().try_for_each(|it| check(option, it, force || was_ours(it), path == former))?;
        }
        let in_place = self.plan.as_ref().filter(|_| self.in_place);
        let named = [("--output", self.output.as_ref()), ("--record", self.record.as_ref()), ("PLAN", in_place)];
        let named = named.map(|(option, path)| (option, path.map(|path| resolved(path))));
        for (index, (option, path)) in named.iter().enumerate() {
            let same = named[..index].iter().find(|(_, other)| path.is_some() && other == path);
            if let Some((other, _)) = same {
                let problem = format!("{other} and {option} are one file");
                return Err(invalid(problem, "Give each a path of its own"));
            }
        }
        match (&self.plan, self.in_place) {
            (None, true) => Err(invalid("--in-place needs PLAN", "Give PLAN, or --output")),
            (Some(plan), true) if plan == Path::new(content::STDIN) => {
                Err(invalid("--in-place needs PLAN, which standard input is not", "Give PLAN, or --output"))
            }
            (Some(plan), true) => {
                let target = fs::canonicalize(plan).unwrap_or_else(|_| plan.clone());
                check("PLAN", &target, true, self.plan == before.plan)
            }
            (_, false) => Ok(()),
        }
    }
}

/// Where a file is, or will be, with the links on its way followed.
fn resolved(path: &Path) -> PathBuf {
    let next = |path: &PathBuf| Some(path.with_file_name(fs::read_link(path).ok()?));
    // As many as the system follows.
    let target = iter::successors(Some(path.to_owned()), next).take(40).last().unwrap_or_default();
    let placed = || Some(fs::canonicalize(target.parent()?).ok()?.join(target.file_name()?));
    fs::canonicalize(&target).ok().or_else(placed).unwrap_or(target)
}

/// Whether two paths lead to one file. What standard input had before is gone.
fn is_one_file(before: &Path, path: &Path) -> bool {
    path != Path::new(content::STDIN) && resolved(before) == resolved(&absolute(path.to_owned()))
}

/// Checks all that would fail later, and starts a server where none answers. Returns the debate, too, if it is there.
pub async fn prepare(run: Run) -> Result<(Runner, Option<DebateSnapshot>), Failure> {
    let Run { given, take_over, dry_run, retry_seconds } = run;
    let id = match given.debate_id.as_deref().map(|id| ids::parse_ref("--debate-id", id)).transpose()? {
        Some(id) => Some(match resolve_id::debate(&Client::from_env()?, &id).await {
            // The server is started later.
            Err(failure) if failure.is_own(Code::ConnectionError) => run_file::kept_id(&id).ok_or(failure)?,
            resolved => resolved?,
        }),
        None => None,
    };
    let debate_id = id.unwrap_or_else(ids::new_id);
    let mut file = RunFile::read_only(debate_id)?;
    let (is_new, before, force) = (!file.exists(), file.state.options.clone(), given.force);
    let given_now = given.clone();
    // What an earlier start of the run was given is the debate's plan already, and may have changed since.
    let is_former = |path: &PathBuf| before.plan.as_ref().is_some_and(|before| is_one_file(before, path));
    let new_plan = given.plan.clone().filter(|path| !is_former(path));
    let plan = new_plan.as_ref().or(before.plan.as_ref().filter(|_| file.state.known.is_empty()));
    let plan = plan.map(|path| content::read_file("PLAN", path)).transpose().map_err(unreadable);
    let plan = plan.map_err(of_earlier_run("PLAN", given.plan.is_none()))?;
    if plan.as_deref().is_some_and(clean_text::is_blank) {
        return Err(invalid(
            "PLAN is empty",
            "Name a file with a plan, or leave it out and give --task: the proposer then writes one",
        ));
    }
    let mut options = given.merged(before.clone())?;
    if id.is_none() {
        options.check_task(plan.is_some())?;
    }
    options.check_files(force, &before)?;
    check_folders(&file, dry_run)?;
    let players = Players::of(&mut options).await?;
    let seats = file.folder.join("seats");
    let mut client = Client::with_timeout(REQUEST_TIMEOUT)?.with_retries(RetryLimit::Unlimited);
    client.seats = Some(seats);
    // Whether an opponent looked at anything is told with what wrote its claims. No prompt has that.
    client.tells_agents = true;
    let minutes = |minutes: f64| Duration::from_secs_f64((minutes * 60.0).min(1e9));
    let earlier = Duration::from_secs(file.state.seconds);
    let limits = Limits::new(&options, minutes(options.max_minutes.unwrap_or(60.0)), earlier);
    let has_started_server = if dry_run { false } else { up::start_if_away().await? };
    let (now, info) = if dry_run {
        (look(id).await?, None)
    } else {
        let now = limits.within_time(DebateSnapshot::read(&client, debate_id)).await?;
        let info = client.send::<Info, _>(|| client.api.info());
        (now, Some(limits.within_time(info).await?.parsed))
    };
    if let Some(now) = &now {
        // One that is closed goes on with no plan.
        let counts = !now.is_closed() || options.in_place;
        if let (Some(_), Some(text), true) = (&new_plan, &plan, counts) {
            limits.within_time(existing_debate::check_plan(&client, now, text)).await?;
        }
        existing_debate::keep_its_own(&mut options, now, &given_now, new_plan.is_some(), &before)?;
    }
    let task = match &now {
        Some(now) if clean_text::is_blank(options.task()) => {
            Some(limits.within_time(existing_debate::task(&client, now)).await?)
        }
        Some(_) | None => None,
    };
    let text = plan.clone();
    // Beside the thread that hears signals: the headings of a long text take long to find.
    let completed = spawn_blocking(move || options.complete(text.as_deref(), task).map(|()| options)).await;
    let options =
        completed.map_err(|error| Failure::new(Code::InternalError, format!("no title is found: {error}")))??;
    let is_closed = now.as_ref().is_some_and(DebateSnapshot::is_closed);
    if !is_closed {
        for (option, program) in players.programs() {
            program.check(option).await?;
        }
    }
    if let Some(info) = &info {
        let is_open = now.is_some() && !is_closed;
        check_may_rule(info, &players.arbitrator)?;
        if is_open {
            limits.within_time(check_seats(&client, debate_id)).await?;
        } else if now.is_none() {
            check_texts(&options, given_now.title.is_some(), plan.as_deref(), &info.limits)?;
        }
        file.lock().await?;
        file.end_former().await?;
        file.state.options = options.clone();
        if is_new || take_over {
            let arguments = now.iter().flat_map(DebateSnapshot::arguments);
            file.state.known = arguments.map(|argument| argument.id).collect();
        }
        file.save()?;
    }
    let code = CodeFolder::new(options.folder(), &options);
    let plan = plan.filter(|_| now.is_none());
    let max_content_bytes = info.as_ref().and_then(|info| usize::try_from(info.limits.max_content_bytes).ok());
    let runner = Runner {
        client,
        debate_id,
        turn_time: minutes(options.turn_minutes.unwrap_or(20.0)),
        options,
        players,
        plan,
        retry_pause: Duration::from_secs(retry_seconds),
        limits,
        progress: Progress::new(),
        contact: ServerContact::default(),
        file: RefCell::new(file),
        code,
        person: Person::default(),
        max_content_bytes: max_content_bytes.unwrap_or(USUAL_CONTENT_BYTES),
        change_rules: info.map(|info| info.issue_changes).unwrap_or_default(),
        waits_as: Cell::new(Role::Proposer),
        told: Cell::default(),
        standing: RefCell::default(),
        has_started_server,
        left_nothing: Cell::default(),
    };
    Ok((runner, now))
}

/// Folders in which the run makes others are there, and it may write in them.
fn check_folders(file: &RunFile, dry_run: bool) -> Result<(), Failure> {
    if dry_run {
        return Ok(());
    }
    file.check_place()?;
    work_folder::parent().and_then(|folder| private::make_usable_folder(&folder)).map_err(|error| {
        let problem = format!("cannot make a folder in ~/.aweave/work: {error}");
        invalid(problem, "Make it a folder that you may write, or set HOME to another")
    })
}

/// The debate, for a dry run, if a server answers and has it.
async fn look(id: Option<Uuid>) -> Result<Option<DebateSnapshot>, Failure> {
    let Some(id) = id else { return Ok(None) };
    match DebateSnapshot::read(&Client::with_timeout(LOOK_TIMEOUT)?, id).await {
        Err(failure) if failure.is_own(Code::ConnectionError) => Ok(None),
        read => read,
    }
}

/// Refuses texts that the server would refuse once something is stored.
fn check_texts(
    options: &Options,
    is_title_given: bool,
    plan: Option<&str>,
    limits: &InfoLimits,
) -> Result<(), Failure> {
    let title = options.title.as_deref().unwrap_or_default();
    let texts = [("PLAN", plan.unwrap_or_default()), ("the task", options.task())];
    for (what, text) in texts {
        if text.len() as u64 > limits.max_document_bytes {
            let problem =
                format!("{what} has {} bytes, and this server takes {}", text.len(), limits.max_document_bytes);
            return Err(Failure::new(Code::ContentTooLarge, problem).with_suggestion("Shorten it"));
        }
    }
    if clean_text::is_blank(title) {
        return Err(invalid("the title is empty", "Give --title"));
    }
    let is_refused = |c: char| clean_text::is_refused(c) && !matches!(c, '\t' | '\n' | '\r');
    let of_title = match plan {
        _ if is_title_given => "--title",
        Some(plan) if plan.contains(is_refused) => "the title in PLAN",
        Some(_) => "the name of PLAN, which is the title,",
        None => "the title in the task",
    };
    for (what, text) in [(of_title, title)].into_iter().chain(texts) {
        if let Some((position, c)) = text.chars().enumerate().find(|(_, c)| is_refused(*c)) {
            let problem = format!("{what} has the control character U+{:04X} at position {position}", u32::from(c));
            return Err(invalid(problem, "Take it out"));
        }
    }
    Ok(())
}

/// The token has to permit what the run does.
fn check_may_rule(info: &Info, arbitrator: &Arbitrator) -> Result<(), Failure> {
    let rules = *arbitrator != Arbitrator::Human || Person::has_terminal();
    if rules && !info.may_rule {
        let message = "the token does not permit rulings";
        let how = "Set DEBATE_AUTH_TOKEN to the arbitrator's token, or give --arbitrator human";
        return Err(Failure::new(Code::Forbidden, message).with_suggestion(how));
    }
    Ok(())
}

/// No other key may have a seat.
async fn check_seats(client: &Client, debate_id: Uuid) -> Result<(), Failure> {
    for (role, side) in [(Role::Proposer, Side::Proposer), (Role::Opponent, Side::Opponent)] {
        let key = client.kept_seat_key(debate_id, side);
        let ask = || client.api.debate_get_context(&debate_id, None, None, Some(0), Some(role), key.as_deref());
        let seat = client.send::<DebateContext, _>(ask).await?.parsed.seat;
        let seat = seat.map(|seat| known("the state of the seat", seat)).transpose()?;
        if seat == Some(SeatState::Other) {
            let message = format!("the seat of the {role} belongs to the holder of another key");
            let how = format!("Free it with `aw debate free-seat --debate-id {debate_id} --role {role}`");
            return Err(Failure::new(Code::SeatTaken, message).with_suggestion(how));
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::symlink;

    use super::*;

    #[test]
    fn links_are_followed_to_where_a_file_is_or_will_be() {
        let folder = tempfile::tempdir().unwrap();
        let folder = folder.path().canonicalize().unwrap();
        fs::create_dir(folder.join("sub")).unwrap();
        let links = [("a", "sub/b"), ("sub/b", "../c"), ("c", "sub/d"), ("loop", "loop"), ("way", "sub")];
        links.iter().for_each(|(link, target)| symlink(target, folder.join(link)).unwrap());
        for path in ["a", "sub/b", "c", "sub/d", "way/d", "way/b"] {
            assert_eq!(resolved(&folder.join(path)), folder.join("sub/d"), "{path}");
        }
        fs::write(folder.join("sub/d"), "").unwrap();
        assert_eq!(resolved(&folder.join("a")), folder.join("sub/d"));
        assert_eq!(resolved(&folder.join("loop")), folder.join("loop"));
    }
}
