//! The page.

use std::fmt::Write;

use super::{
    promises::{self, Promise, Verdict},
    summary::{Figures, Summary},
};
use crate::{
    machine::QUIET,
    record::{Run, Unit},
    scenarios::{cli, growth, idle, load, rate, start, submit, syncs, viewers, waiters, waiting, wake},
};

/// The plot of latency against load.
pub const LOAD_PLOT: &str = "latency-against-load.svg";

/// The plot of cost against history.
pub const GROWTH_PLOT: &str = "cost-against-history.svg";

/// What the others are held beside.
const OURS: &str = "ours on SQLite";

/// What the bounds are.
const BOUNDS: &str = "A wake by who does only what cannot be left out, held against the same limits. `bare SQLite` stores a turn as \
     the server does, and nothing else: one thread, no HTTP, no JSON, no rules, no token. `SQLite over HTTP` is the same \
     behind hyper, still on the thread that SQLite works on: while that waits for the disk, nobody else is answered. \
     `SQLite on a thread, over HTTP` hands each batch to a thread for SQLite, as whoever goes on answering has to. What is \
     out of their reach is out of the reach of any server that stores turns so.";

/// What was done in each scenario, and what a figure of it is at.
const SCENARIOS: [(&str, &str, &str); 12] = [
    (
        wake::NAME,
        "One append of 1 KiB at a time, to one of 16 logs in turn, and who waits for it by long poll. `floor` writes it \
         over a file and has nothing else to do; `bare SQLite` runs the statements that the server runs for a turn, \
         behind the same few bytes of protocol, and `SQLite over HTTP` behind hyper, \
         with SQLite on the same thread or on one of its own.",
        "at once",
    ),
    (
        load::NAME,
        "Appends of 1 KiB, each appender's next as soon as the last is acknowledged; nobody waits.",
        "at once",
    ),
    (submit::NAME, "The same, measured for longer: debates that go back and forth as fast as they can.", "debates"),
    (syncs::NAME, "What reaches the disk, counted by strace.", "debates"),
    (
        rate::NAME,
        "`api/src/store/rate.rs`: the store's batches on PostgreSQL, and the same statements in a bare loop.",
        "debates",
    ),
    (waiters::NAME, "Long polls over 100 debates: resident memory each, then one argument in each debate.", "waiters"),
    (viewers::NAME, "WebSockets that watch one debate: resident memory each, then 20 arguments.", "viewers"),
    (waiting::NAME, "Statements in the server's own log while waits are held and nothing happens.", "waiters"),
    (idle::NAME, "A server that nobody asks anything.", ""),
    (
        growth::NAME,
        "So many debates, half of them answered, and one debate of so many arguments; all lengths are asked in turn. \
         A search has three letters and finds 50 debates.",
        "length",
    ),
    (start::NAME, "From starting the process to its answer to `GET /health`.", "arguments"),
    (
        cli::NAME,
        "Commands as whole processes, in random order. `least` sends one request from a bare socket.",
        "at once",
    ),
];

/// All of it, as markdown.
pub fn page(run: &Run, figures: &Figures) -> String {
    let mut page = String::new();
    // Writing to a string does not fail.
    let _ = write(&mut page, run, figures);
    page
}

fn write(page: &mut String, run: &Run, figures: &Figures) -> std::fmt::Result {
    let machine = &run.machine;
    writeln!(page, "# Results\n")?;
    writeln!(
        page,
        "Written by `bench report` from one run of `bench run`; [README.md](README.md) tells how to repeat it.\n"
    )?;
    if machine.others_busy_cores > QUIET {
        writeln!(
            page,
            "> **The machine was not quiet**: between rounds others kept up to {:.1} of {} cores busy. Times and rates \
             below are doubtful; counts and memory are not.\n",
            machine.others_busy_cores, machine.cores
        )?;
    }
    writeln!(page, "| | |\n|---|---|")?;
    let minutes = run.seconds / 60.0;
    let (form, rounds, seed) = (&run.form, run.rounds, run.seed);
    writeln!(page, "| run | {}, {form} form, {rounds} rounds in {minutes:.0} minutes, seed {seed} |", run.began)?;
    let Run { subjects, left_out, failures, .. } = run;
    writeln!(page, "| machine | {}, {} cores, {:.0} GiB |", machine.processor, machine.cores, machine.memory_gib)?;
    writeln!(page, "| system | {} |", machine.kernel)?;
    writeln!(page, "| data on | {}; PostgreSQL's on {} |", machine.file_system, machine.temporary_files)?;
    writeln!(page, "| load average | {} before, {} after |", machine.load_before, machine.load_after)?;
    writeln!(page, "| busy with others | {:.2} cores at most, between rounds |", machine.others_busy_cores)?;
    for subject in subjects {
        writeln!(page, "| {} | {} |", subject.name, subject.version)?;
    }
    for left in left_out {
        writeln!(page, "| {} | **left out**; to have it: {} |", left.name, left.install)?;
    }
    writeln!(
        page,
        "\nClient and server share the machine. Each case was measured once a round, in random order, on a process of \
         its own, once the disk had done what the case before left it to do. The better quartile is the lower one of \
         costs and the upper one of rates. What goes by neither median nor quartile is not held, what goes by one of \
         them unclear.\n"
    )?;
    if !failures.is_empty() {
        writeln!(page, "## What went wrong\n")?;
        for failure in failures {
            writeln!(page, "- {failure}")?;
        }
        writeln!(page)?;
    }
    write_promises(page, figures)?;
    writeln!(page, "## Latency against load\n\n![Latency against load]({LOAD_PLOT})\n")?;
    writeln!(page, "## Cost against history\n\n![Cost against history]({GROWTH_PLOT})\n")?;
    writeln!(page, "## All figures")?;
    for (scenario, what, at) in SCENARIOS {
        write_scenario(page, figures, scenario, what, at)?;
    }
    Ok(())
}

fn write_promises(page: &mut String, figures: &Figures) -> std::fmt::Result {
    writeln!(page, "## What is promised\n")?;
    write_table(page, figures, "promise", &promises::all(), ["held", "unclear", "**not held**"])?;
    writeln!(page, "## What bounds a wake\n\n{BOUNDS}\n")?;
    write_table(page, figures, "bound", &promises::bounds(), ["in reach", "unclear", "**out of reach**"])
}

/// How promises fare, in words for those that are held, unclear and not held.
fn write_table(
    page: &mut String,
    figures: &Figures,
    heading: &str,
    promises: &[Promise],
    [held, unclear, not_held]: [&str; 3],
) -> std::fmt::Result {
    writeln!(page, "| {heading} | limit | by medians | by better quartiles | |\n|---|--:|--:|--:|---|")?;
    for promise in promises {
        let (sign, limit) = promise.limit();
        let Some(found) = promise.found(figures) else {
            writeln!(page, "| {} | {sign} {limit} | | | not measured |", promise.what)?;
            continue;
        };
        let unit =
            |value: f64| if found.ratio { format!("{} ×", number(value)) } else { with_unit(value, found.unit) };
        let limit = if found.ratio { format!("{limit} ×") } else { format!("{limit} {}", found.unit) };
        let verdict = match found.verdict {
            Verdict::Held => held,
            Verdict::Unclear => unclear,
            Verdict::NotHeld => not_held,
        };
        let (median, quartile) = (unit(found.median), unit(found.quartile));
        writeln!(page, "| {} | {sign} {} | {median} | {quartile} | {verdict} |", promise.what, limit.trim_end())?;
    }
    writeln!(page)
}

fn write_scenario(page: &mut String, figures: &Figures, scenario: &str, what: &str, at: &str) -> std::fmt::Result {
    let mut summaries = figures.of_scenario(scenario).peekable();
    if summaries.peek().is_none() {
        return Ok(());
    }
    writeln!(page, "\n### {scenario}\n\n{what}\n")?;
    writeln!(page, "| figure | {at} | | median | better quartile | beside {OURS} | rounds |")?;
    writeln!(page, "|---|--:|---|--:|--:|--:|--:|")?;
    for summary in summaries {
        let Summary { figure, at, subject, unit, median, quartile, rounds, .. } = summary;
        let ours = figures.find(scenario, OURS, figure, *at);
        let ours = ours.filter(|ours| ours.subject != *subject && ours.median > 0.0 && ours.quartile > 0.0);
        let beside =
            ours.map(|ours| format!("{} ×, {} ×", number(median / ours.median), number(quartile / ours.quartile)));
        let (median, quartile) = (with_unit(*median, *unit), with_unit(*quartile, *unit));
        let at = if *at > 0 { whole(*at) } else { String::new() };
        let beside = beside.unwrap_or_default();
        writeln!(page, "| {figure} | {at} | {subject} | {median} | {quartile} | {beside} | {rounds} |")?;
    }
    Ok(())
}

fn with_unit(value: f64, unit: Unit) -> String {
    format!("{} {unit}", number(value)).trim_end().to_owned()
}

/// With about three digits that mean something.
fn number(value: f64) -> String {
    match value {
        value if !value.is_finite() => "–".to_owned(),
        value if value >= 1_000.0 => whole(value as u64),
        value if value >= 100.0 => format!("{value:.0}"),
        value if value >= 10.0 => format!("{value:.1}"),
        value if value >= 0.1 || value == 0.0 => format!("{value:.2}"),
        value => format!("{value:.3}"),
    }
}

/// With thousands set apart.
fn whole(value: u64) -> String {
    let digits = value.to_string();
    let groups: Vec<&[u8]> = digits.as_bytes().rchunks(3).rev().collect();
    groups.into_iter().map(String::from_utf8_lossy).collect::<Vec<_>>().join(",")
}

#[cfg(test)]
mod tests {
    use super::number;

    #[test]
    fn numbers_have_the_digits_that_mean_something() {
        let numbers = [0.0, 0.0123, 1.005, 42.123, 123.4, 12_345.0, 1_234_567.0].map(number);
        assert_eq!(numbers, ["0.00", "0.012", "1.00", "42.1", "123", "12,345", "1,234,567"]);
    }
}
