//! The page, as markdown.

use std::fmt::{Result, Write};

use super::{
    performance_targets::{self, Verdict},
    summary::{Summaries, Summary},
};
use crate::{
    machine::QUIET,
    results::{Run, Unit},
    scenarios::Scenario,
    subjects::aweave::{COMPARED, SQLITE},
};

/// The whole page.
pub fn page(run: &Run, summaries: &Summaries) -> String {
    let mut page = String::new();
    // Writing to a string cannot fail.
    let _ = write(&mut page, run, summaries);
    page
}

fn write(page: &mut String, run: &Run, summaries: &Summaries) -> Result {
    writeln!(page, "# Results\n")?;
    writeln!(
        page,
        "Written by `bench report` from one run of `bench run`; [README.md](README.md) says how to repeat it.\n"
    )?;
    write_run(page, run)?;
    writeln!(
        page,
        "\nClient and server share the machine. Each case was measured once a round, in random order, on processes of \
         its own. The better quartile is the lower one of costs and the upper one of rates. A promise is kept if \
         medians and better quartiles keep it, broken if neither does, and unclear otherwise.\n"
    )?;
    if !run.failures.is_empty() {
        writeln!(page, "## Failures\n")?;
        for failure in &run.failures {
            writeln!(page, "- {failure}")?;
        }
        writeln!(page)?;
    }
    write_promises(page, summaries)?;
    write_comparison(page, summaries)?;
    writeln!(page, "## All results")?;
    Scenario::all().iter().try_for_each(|scenario| write_scenario(page, summaries, *scenario))
}

fn write_run(page: &mut String, run: &Run) -> Result {
    let machine = &run.machine;
    if machine.others_busy_cores > QUIET {
        writeln!(
            page,
            "> **The machine was not quiet**: between rounds other processes kept up to {:.1} of {} cores busy. Times \
             and rates below are doubtful; counts and memory are not.\n",
            machine.others_busy_cores, machine.cores
        )?;
    }
    writeln!(page, "| | |\n|---|---|")?;
    let minutes = run.seconds / 60.0;
    let (form, rounds, seed) = (&run.form, run.rounds, run.seed);
    writeln!(page, "| run | {}, {form} form, {rounds} rounds in {minutes:.0} minutes, seed {seed} |", run.started)?;
    writeln!(page, "| machine | {}, {} cores, {:.0} GiB |", machine.processor, machine.cores, machine.memory_gib)?;
    writeln!(page, "| system | {} |", machine.kernel)?;
    writeln!(page, "| data on | {}; PostgreSQL's on {} |", machine.file_system, machine.temporary_files)?;
    writeln!(page, "| load average | {} before, {} after |", machine.load_before, machine.load_after)?;
    writeln!(page, "| busy with other processes | at most {:.2} cores between rounds |", machine.others_busy_cores)?;
    for program in &run.programs {
        writeln!(page, "| {} | {} |", program.name, program.version)?;
    }
    for missing in &run.missing {
        writeln!(page, "| {} | **not installed**; to install it: {} |", missing.name, missing.install)?;
    }
    Ok(())
}

fn write_promises(page: &mut String, summaries: &Summaries) -> Result {
    writeln!(page, "## Promises\n\n| promise | limit | medians | better quartiles | |\n|---|--:|--:|--:|---|")?;
    for promise in performance_targets::all() {
        let (sign, limit) = promise.limit();
        let Some(measured) = promise.measured(summaries) else {
            writeln!(page, "| {} | {sign} {limit} | | | not measured |", promise.description)?;
            continue;
        };
        let with_unit = |value: String| match measured.unit {
            None => format!("{value} ×"),
            Some(unit) => format!("{value} {unit}").trim_end().to_owned(),
        };
        let verdict = match measured.verdict {
            Verdict::Kept => "kept",
            Verdict::Unclear => "unclear",
            Verdict::Broken => "**broken**",
        };
        let limit = with_unit(limit.to_string());
        let (median, quartile) = (with_unit(number(measured.median)), with_unit(number(measured.quartile)));
        writeln!(page, "| {} | {sign} {limit} | {median} | {quartile} | {verdict} |", promise.description)?;
    }
    writeln!(page)
}

/// The current build beside the former one, if there is one.
fn write_comparison(page: &mut String, summaries: &Summaries) -> Result {
    let former = |ours: &Summary| {
        let (_, name) = COMPARED.into_iter().find(|(name, _)| *name == ours.subject)?;
        summaries.find(ours.scenario, name, &ours.metric, ours.size)
    };
    let mut pairs = summaries.all().iter().filter_map(|ours| Some((ours, former(ours)?))).peekable();
    if pairs.peek().is_none() {
        return Ok(());
    }
    writeln!(
        page,
        "## Beside the former build\n\nBelow 1 × ours costs less; of rates (/s), above 1 × ours does more.\n"
    )?;
    writeln!(page, "| scenario | metric | size | | ours | former | medians | better quartiles |")?;
    writeln!(page, "|---|---|--:|---|--:|--:|--:|--:|")?;
    for (ours, former) in pairs {
        let Summary { scenario, metric, subject, unit, .. } = ours;
        let (median, former_median) = (with_unit(ours.median, *unit), with_unit(former.median, *unit));
        let (medians, quartiles) = (number(ours.median / former.median), number(ours.quartile / former.quartile));
        let size = size(ours.size);
        writeln!(
            page,
            "| {scenario} | {metric} | {size} | {subject} | {median} | {former_median} | {medians} × | {quartiles} × |"
        )?;
    }
    writeln!(page)
}

fn write_scenario(page: &mut String, summaries: &Summaries, scenario: Scenario) -> Result {
    let mut rows = summaries.of(scenario).peekable();
    if rows.peek().is_none() {
        return Ok(());
    }
    writeln!(page, "\n### {scenario}\n\n{}\n", scenario.description())?;
    let label = scenario.size_label();
    writeln!(page, "| metric | {label} | | median | better quartile | beside {SQLITE} | rounds |")?;
    writeln!(page, "|---|--:|---|--:|--:|--:|--:|")?;
    for row in rows {
        let Summary { metric, subject, unit, rounds, .. } = row;
        let ours = summaries.find(scenario, SQLITE, metric, row.size);
        let ours = ours.filter(|ours| ours.subject != *subject && ours.median > 0.0 && ours.quartile > 0.0);
        let ratio = |ours: &Summary| {
            format!("{} ×, {} ×", number(row.median / ours.median), number(row.quartile / ours.quartile))
        };
        let beside = ours.map(ratio).unwrap_or_default();
        let (median, quartile) = (with_unit(row.median, *unit), with_unit(row.quartile, *unit));
        writeln!(page, "| {metric} | {} | {subject} | {median} | {quartile} | {beside} | {rounds} |", size(row.size))?;
    }
    Ok(())
}

fn size(size: u64) -> String {
    if size > 0 { with_thousands_separators(size) } else { String::new() }
}

fn with_unit(value: f64, unit: Unit) -> String {
    format!("{} {unit}", number(value)).trim_end().to_owned()
}

/// With about three significant digits.
fn number(value: f64) -> String {
    match value {
        value if !value.is_finite() => "–".to_owned(),
        value if value >= 1_000.0 => with_thousands_separators(value as u64),
        value if value >= 100.0 => format!("{value:.0}"),
        value if value >= 10.0 => format!("{value:.1}"),
        value if value >= 0.1 || value == 0.0 => format!("{value:.2}"),
        value => format!("{value:.3}"),
    }
}

fn with_thousands_separators(value: u64) -> String {
    let digits = value.to_string();
    let groups: Vec<&[u8]> = digits.as_bytes().rchunks(3).rev().collect();
    groups.into_iter().map(String::from_utf8_lossy).collect::<Vec<_>>().join(",")
}

#[cfg(test)]
mod tests {
    use super::number;

    #[test]
    fn numbers_have_three_significant_digits() {
        let numbers = [0.0, 0.0123, 1.005, 42.123, 123.4, 12_345.0, 1_234_567.0].map(number);
        assert_eq!(numbers, ["0.00", "0.012", "1.00", "42.1", "123", "12,345", "1,234,567"]);
    }
}
