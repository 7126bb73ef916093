//! What a program that ended says of why, in what it printed.

use std::iter;

use regex_lite::Regex;

/// How much of it is told, in characters.
pub const MAX_CHARS: usize = 600;

/// A line that only says where in its code a program was: a call of a stack, what stands above the first, and the version below the last.
const TRACE: &str = concat!(
    r#"^(?:\s+at .+|\s+File ".+", line \d+.*|\s+\d+: .+|(?:file://|node:|/)\S+:\d+|\s*\^+|(?:Node\.js|Bun) v\d.*|"#,
    r"Traceback \(most recent call last\):|stack backtrace:|note: .*`RUST_BACKTRACE=.+)$",
);

/// A line that names what is wrong.
const ERROR: &str =
    r"(?i)^(?:\S.*)?\b(?:\w*error|\w*exception|panicked|fatal|failed|cannot|invalid|unknown|not found)\b";

/// The end of what a program printed, without the calls of a stack. Where that is long it begins with the last line that names an error.
pub fn error_text(printed: &str) -> String {
    let lines = without_traces(printed);
    let whole = lines.join("\n");
    let excess = whole.chars().count().saturating_sub(MAX_CHARS);
    let is_error = regex(ERROR);
    match lines.iter().rposition(|line| is_error.as_ref().is_some_and(|error| error.is_match(line))) {
        Some(at) if excess > 0 => lines[at..].join("\n").chars().take(MAX_CHARS).collect(),
        Some(_) | None => whole.chars().skip(excess).collect(),
    }
}

/// The last line of what a program printed.
pub fn last_line(printed: &str) -> Option<String> {
    without_traces(printed).last().map(|line| line.trim().to_owned())
}

fn without_traces(printed: &str) -> Vec<&str> {
    let lines = || printed.lines().map(str::trim_end);
    let is_trace = regex(TRACE);
    // What stands above a sign that points into it is a line of code.
    let points = |line: Option<&str>| {
        line.is_some_and(|line| !line.is_empty() && line.trim_start().trim_matches('^').is_empty())
    };
    let below = lines().skip(1).map(Some).chain(iter::once(None));
    let is_kept = |(line, below): &(&str, Option<&str>)| {
        !line.is_empty() && !points(*below) && !is_trace.as_ref().is_some_and(|trace| trace.is_match(line))
    };
    lines().zip(below).filter(is_kept).map(|(line, _)| line).collect()
}

fn regex(pattern: &str) -> Option<Regex> {
    Regex::new(pattern).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What programs print when they fail.
    const GEMINI: &str = "Warning: 256-color support not detected.
[WARN] Skipping unreadable directory: /no/such (Directory does not exist: /no/such)
An unexpected critical error occurred:Error: Directory does not exist: /no/such
    at WorkspaceContext.resolveAndValidateDir (file:///opt/gemini-cli/bundle/chunk-JDPZ4CE3.js:348294:13)
    at async main (file:///opt/gemini-cli/bundle/gemini-3HFX2LNT.js:17571:5)

";
    const OPENCODE: &str = "Error: Config file at OPENCODE_CONFIG_CONTENT is not valid JSON(C): 
--- JSONC Input ---
{\"x\": }
--- Errors ---
ValueExpected at line 1, column 7
   Line 1: {\"x\": }
                ^
--- End ---
";
    const CODEX: &str =
        "WARNING: proceeding, even though we could not create PATH aliases: Refusing to create helper binaries
Error: Model provider `nosuch` not found
";
    const COPILOT: &str = "Invalid --allow-tool value. Error: Invalid rule format: write(a(b)/x)\n";
    const NODE: &str = "node:internal/modules/cjs/loader:1148
  throw err;
  ^

Error: Cannot find module '/opt/claude/cli.js'
    at Module._resolveFilename (node:internal/modules/cjs/loader:1145:15)
    at node:internal/main/run_main_module:28:49 {
  code: 'MODULE_NOT_FOUND',
  requireStack: []
}

Node.js v20.20.2
";
    const PYTHON: &str = "Traceback (most recent call last):
  File \"/home/ada/agent.py\", line 3, in <module>
    import openai
ModuleNotFoundError: No module named 'openai'
";
    const RUST: &str = "thread 'main' panicked at src/main.rs:5:10:
no model
stack backtrace:
   0: rust_begin_unwind
             at /rustc/9fc6b431/library/std/src/panicking.rs:665:5
note: Some details are omitted, run with `RUST_BACKTRACE=full` for a verbose backtrace.
";

    #[test]
    fn what_is_wrong_is_told_and_not_where_in_its_code_a_program_was() {
        for (printed, told) in [
            (GEMINI, "\nAn unexpected critical error occurred:Error: Directory does not exist: /no/such"),
            (OPENCODE, "Error: Config file at OPENCODE_CONFIG_CONTENT is not valid JSON(C):\n"),
            (CODEX, "\nError: Model provider `nosuch` not found"),
            (COPILOT, "Error: Invalid rule format: write(a(b)/x)"),
            (NODE, "Error: Cannot find module '/opt/claude/cli.js'\n  code: 'MODULE_NOT_FOUND',"),
            (PYTHON, "ModuleNotFoundError: No module named 'openai'"),
            (RUST, "thread 'main' panicked at src/main.rs:5:10:\nno model"),
        ] {
            let found = error_text(printed);
            assert!(found.contains(told), "{found}");
            for trace in ["at async", "Module._", "throw err", "Node.js", "Traceback", "agent.py", "rustc", "details"] {
                assert!(!found.contains(trace), "{found}");
            }
            let calls = "    at deep (file:///opt/x.js:1:1)\n".repeat(100);
            assert_eq!(error_text(&(printed.to_owned() + &calls)), found);
        }
        assert_eq!(
            last_line(GEMINI).as_deref(),
            Some("An unexpected critical error occurred:Error: Directory does not exist: /no/such")
        );
        assert_eq!((error_text("\n"), last_line("\n\n")), (String::new(), None));
    }

    #[test]
    fn a_long_text_begins_with_the_last_line_that_names_an_error() {
        let options = "      --policy    Additional policy files, such as for an error\n".repeat(100);
        let found = error_text(&format!("Unknown argument: such\nUsage: gemini [options]\n\n{options}"));
        assert!(found.starts_with("Unknown argument: such\nUsage: ") && found.chars().count() == MAX_CHARS, "{found}");
        let found = error_text(&format!("{}the end", "more of it\n".repeat(100)));
        assert!(found.ends_with("the end") && found.chars().count() == MAX_CHARS, "{found}");
    }
}
