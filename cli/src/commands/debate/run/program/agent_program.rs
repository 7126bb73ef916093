//! What each agent program has to say of itself, so that what is special to one stands in one place.

use std::path::Path;

use serde_json::Value;

use super::said::Said;

/// An agent program.
pub struct AgentProgram {
    /// The name of its file
    pub binary: &'static str,
    /// Its package for npm
    pub package: &'static str,
    /// Whether it plays where no program is named
    pub is_default: bool,
    /// Whether it tells what it costs
    pub tells_cost: bool,
    /// Whether stderr has why it failed, and not only its events
    pub tells_errors_on_stderr: bool,
    /// Whether it puts files in place of what follows an `@` in a prompt
    pub reads_files_after_at: bool,
    /// Regular expressions of the texts by which it says that its user has no more of what may be used, besides those that are usual.
    /// Each is looked for where a sentence begins, in any letter case, with `'` for any apostrophe.
    pub usage_limits: &'static [&'static str],
    /// What it cannot do on this machine, and what it takes, in a sentence; none if nothing is known to be missing
    pub lacks: fn() -> Option<&'static str>,
    /// How it is found out whether it is logged in
    pub login: Login,
    /// The arguments that start it, but for its model, which all take by `--model`. It reads the prompt from standard input. Its files
    /// are named relative to the folder in which it runs: in a whole path some characters would be signs of a pattern or of a list.
    /// `work` is that folder, `code` the folder of the code, `budget` the dollars that are left, if they are limited.
    pub arguments: fn(work: &Path, code: &Path, budget: Option<f64>) -> Vec<String>,
    /// Variables besides those that each program gets
    pub variables: fn(work: &Path) -> Vec<(&'static str, String)>,
    /// Files that it needs in its folder, with their names
    pub files: fn(work: &Path, code: &Path) -> Vec<(&'static str, String)>,
    /// What reads its output
    pub reader: fn() -> Box<dyn ReadEvents>,
}

/// How it is found out whether a program is logged in.
pub struct Login {
    /// The command that logs its user in
    pub by: &'static str,
    /// The arguments of its command for that, if it has one
    pub command: Option<&'static str>,
    /// Whether there are credentials, which need no login or tell of one
    pub has_credentials: fn() -> bool,
}

/// Reads the events that a program prints, each a line of JSON.
pub trait ReadEvents: Send {
    /// Reads one as it comes.
    fn event(&mut self, event: &Value);

    /// Whether the events until now tell the end of its turn.
    fn told_end(&self) -> bool;

    /// What all of them say. `work` is the folder that was made for it.
    fn finish(self: Box<Self>, work: &Path) -> Said;
}

/// Words of a command line.
pub fn words<const N: usize>(words: [&str; N]) -> Vec<String> {
    words.map(str::to_owned).to_vec()
}
