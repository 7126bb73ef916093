//! What the store makes of PostgreSQL's rate, beside the bare statements; the measurement is the server's own.

use std::{
    path::{Path, PathBuf},
    process::Command,
    time::Duration,
};

use anyhow::{Context, Result, bail};
use serde_json::Value;

use crate::{
    process::Process,
    record::{Recorder, Unit},
    setup::{self, Setup},
};

/// The name among the figures.
pub const NAME: &str = "rate";

/// How long building it may take.
const BUILDING: Duration = Duration::from_secs(1_800);

/// How long it may take.
const PATIENCE: Duration = Duration::from_secs(120);

/// Builds the program that measures it.
pub async fn build(setup: &Setup) -> Result<PathBuf> {
    let folder = setup.folder()?;
    let mut command = Command::new("cargo");
    command.args([
        "test",
        "--release",
        "--locked",
        "--quiet",
        "--no-run",
        "--message-format=json",
        "-p",
        "api",
        "--lib",
    ]);
    let told = Process::start(command.current_dir(setup::project()), folder.path())?.done(BUILDING).await?;
    let messages = told.lines().filter_map(|line| serde_json::from_str::<Value>(line).ok());
    let mut built = messages.filter_map(|message| message["executable"].as_str().map(PathBuf::from));
    built.next_back().context("cargo built no tests of the server")
}

/// Measures the store on PostgreSQL, by what was built for that.
pub async fn measure(setup: &Setup, program: &Path, figures: &mut Recorder<'_>) -> Result<()> {
    let folder = setup.folder()?;
    let mut command = Command::new(program);
    command.args(["--ignored", "--nocapture", "rate"]).current_dir(setup::project().join("api"));
    let mut process = Process::start(&mut command, folder.path())?;
    // It fails where too little is made of the rate, and tells how much it was all the same.
    let line = process.line_with("by the statements", PATIENCE).await?;
    process.ended(PATIENCE).await?;
    let words = line.split(|c: char| !c.is_ascii_digit() && c != '.');
    let numbers: Vec<f64> = words.filter_map(|word| word.trim_matches('.').parse().ok()).collect();
    let [store, bare, _share] = numbers[..] else { bail!("no rates in {line:?}") };
    figures.add("the store on PostgreSQL", "arguments", 64, Unit::PerSecond, store);
    figures.add("bare statements", "arguments", 64, Unit::PerSecond, bare);
    figures.add("the store on PostgreSQL", "share of the bare statements", 64, Unit::Share, store / bare);
    Ok(())
}
