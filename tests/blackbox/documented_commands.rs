//! The commands in `docs/commands.md` print what stands there. `INSTA_UPDATE=always` writes the outputs instead.

use std::{collections::HashMap, env, fmt::Write, fs, process::Command};

use serde_json::Value;
use tests::{binaries, cli::Agent, server::Server};

/// The width of the JSON in the document.
const WIDTH: usize = 140;

#[tokio::test]
async fn the_commands_in_the_documentation_print_what_it_says() {
    let path = binaries::workspace().join("docs/commands.md");
    let document = fs::read_to_string(&path).unwrap();
    let server = Server::start().await;
    let mut player = Player { agent: Agent::new(&server.url()), url: server.url(), samples: Samples::default() };
    let mut played = String::new();
    let mut lines = document.lines();
    while let Some(line) = lines.next() {
        let _ = writeln!(played, "{line}");
        if line == "```console" {
            let block = lines.by_ref().take_while(|line| *line != "```");
            for command in block.filter_map(|line| line.strip_prefix("$ ")) {
                let _ = writeln!(played, "$ {command}\n{}", player.run(command).await);
            }
            played += "```\n";
        }
    }
    if env::var("INSTA_UPDATE").is_ok_and(|mode| mode == "always") {
        fs::write(&path, &played).unwrap();
        return;
    }
    assert!(played == document, "docs/commands.md is out of date: INSTA_UPDATE=always writes it\n{played}");
}

#[test]
fn every_command_is_documented() {
    let document = fs::read_to_string(binaries::workspace().join("docs/commands.md")).unwrap();
    for group in ["", "debate ", "docs "] {
        for name in commands(group.trim_end()) {
            let command = format!("\n$ aw {group}{name} ");
            assert!(
                document.contains(&command) || document.contains(&format!("{}\n", command.trim_end())),
                "{command}"
            );
        }
    }
}

/// The commands that the help of `aw`, or of one of its groups of commands, lists, without those that have no output of
/// their own.
fn commands(group: &str) -> Vec<String> {
    let help = Command::new(binaries::aw()).args(group.split_terminator(' ')).arg("--help").output().unwrap();
    let help = String::from_utf8(help.stdout).unwrap();
    let (_, list) = help.split_once("\nCommands:\n").expect("the help lists commands");
    let list = list.lines().take_while(|line| !line.is_empty());
    let names = list.filter_map(|line| line.strip_prefix("  ")).filter(|line| !line.starts_with(' '));
    let names = names.filter_map(|line| line.split(' ').next()).map(str::to_owned);
    names.filter(|name| !["help", "debate", "docs"].contains(&name.as_str())).collect()
}

struct Player {
    agent: Agent,
    url: String,
    samples: Samples,
}

impl Player {
    /// What the command prints, with samples instead of what is different each time.
    async fn run(&mut self, command: &str) -> String {
        let run = self.agent.shell(&self.samples.with_real_ids(command)).await;
        let home = self.agent.home().to_str().unwrap();
        let printed = match serde_json::from_str::<Value>(&run.stdout) {
            Ok(mut document) => {
                // A record says how long the debate took.
                if let Some(size) =
                    document.pointer_mut("/content/0/data/bytes").filter(|_| command.contains(" record "))
                {
                    *size = 4_000.into();
                }
                layout(&document, 0, 0)
            }
            Err(_) => run.stdout.trim_end().to_owned(),
        };
        let version = env!("CARGO_PKG_VERSION");
        let printed = printed.replace(home, "~").replace(&self.url, "http://127.0.0.1:3456");
        let printed = printed.replace(&format!("aw {version}, server {version}"), "aw 1.0.0, server 1.0.0");
        self.samples.replace(&printed)
    }
}

/// Samples for the ids that were printed, in the order in which they came.
#[derive(Default)]
struct Samples {
    of_real: HashMap<String, String>,
    real: Vec<(String, String)>,
}

impl Samples {
    fn with_real_ids(&self, command: &str) -> String {
        self.real.iter().fold(command.to_owned(), |text, (sample, real)| text.replace(sample, real))
    }

    fn replace(&mut self, text: &str) -> String {
        let mut replaced = String::new();
        let mut rest = text;
        while let Some(next) = rest.chars().next() {
            let length = if let Some(id) = prefix_like(rest, "xxxxxxxx-xxxx-xxxx-xxxx-xxxxxxxxxxxx") {
                replaced += &self.sample(id);
                id.len()
            } else if let Some(time) = prefix_like(rest, "0000-00-00T00:00:00.000000Z") {
                replaced += "2026-01-31T10:00:00.000000Z";
                time.len()
            } else if let Some(time) = prefix_like(rest, "0000-00-00 00:00:00 UTC") {
                replaced += "2026-01-31 10:00:00 UTC";
                time.len()
            } else if let Some(hash) = prefix_like(rest, &"x".repeat(64)) {
                replaced += "0123456789abcdef…";
                hash.len()
            } else if let Some(key) = prefix_like(rest, &format!("{}=\"", "b".repeat(43))) {
                replaced += "0123456789abcdef…\"";
                key.len()
            } else {
                replaced.push(next);
                next.len_utf8()
            };
            rest = &rest[length..];
        }
        replaced
    }

    fn sample(&mut self, id: &str) -> String {
        // This one is unknown on purpose.
        if id.starts_with("99999999") {
            return id.to_owned();
        }
        let next = format!("00000000-0000-4000-8000-{:012}", self.real.len() + 1);
        let sample = self.of_real.entry(id.to_owned()).or_insert_with(|| {
            self.real.push((next.clone(), id.to_owned()));
            next
        });
        sample.clone()
    }
}

/// The beginning of `text`, if it has the form of `pattern`: `x` is a hexadecimal digit, `0` a decimal one,
/// `b` a digit of base64.
fn prefix_like<'a>(text: &'a str, pattern: &str) -> Option<&'a str> {
    let prefix = text.get(..pattern.len())?;
    let fits = prefix.bytes().zip(pattern.bytes()).all(|(byte, form)| match form {
        b'x' => byte.is_ascii_hexdigit(),
        b'0' => byte.is_ascii_digit(),
        b'b' => byte.is_ascii_alphanumeric() || [b'+', b'/'].contains(&byte),
        _ => byte == form,
    });
    fits.then_some(prefix)
}

/// JSON on one line where it fits, else one line for each value in it. It begins in `column` of a line with this indent.
fn layout(value: &Value, indent: usize, column: usize) -> String {
    let line = one_line(value);
    if column + line.chars().count() <= WIDTH {
        return line;
    }
    let inner = " ".repeat(indent + 2);
    let outer = " ".repeat(indent);
    match value {
        Value::Object(fields) => {
            let fields = fields.iter().map(|(key, value)| {
                let key = Value::from(key.as_str());
                format!("{inner}{key}: {}", layout(value, indent + 2, indent + 2 + key.to_string().len() + 2))
            });
            format!("{{\n{}\n{outer}}}", fields.collect::<Vec<_>>().join(",\n"))
        }
        Value::Array(items) => {
            let items = items.iter().map(|item| format!("{inner}{}", layout(item, indent + 2, indent + 2)));
            format!("[\n{}\n{outer}]", items.collect::<Vec<_>>().join(",\n"))
        }
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => line,
    }
}

fn one_line(value: &Value) -> String {
    match value {
        Value::Object(fields) => {
            let fields =
                fields.iter().map(|(key, value)| format!("{}: {}", Value::from(key.as_str()), one_line(value)));
            format!("{{{}}}", fields.collect::<Vec<_>>().join(", "))
        }
        Value::Array(items) => format!("[{}]", items.iter().map(one_line).collect::<Vec<_>>().join(", ")),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => value.to_string(),
    }
}
