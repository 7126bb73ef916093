//! The tools that a host lets a role use without asking.

use crate::output::{Code, Failure};

/// How many characters a list of tools may have.
const MAX_CHARS: usize = 1000;

/// A list of tools as its host writes it, such as `Read, Grep, Bash(aw *)`. An empty one takes a former one back.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AllowedTools(String);

impl AllowedTools {
    /// Parses a list. It becomes part of instructions and of their signature, so it has to stay on one line and may hold
    /// nothing that ends either of them.
    pub fn parse(text: &str) -> Result<Self, Failure> {
        let text = text.trim();
        let is_allowed = |c: char| (c.is_ascii_graphic() || c.is_alphanumeric() || c == ' ') && !";<>".contains(c);
        if let Some(refused) = text.chars().find(|c| !is_allowed(*c)) {
            let message = format!("--allowed-tools holds the character {}", refused.escape_debug());
            return Err(invalid(message));
        }
        if text.chars().count() > MAX_CHARS {
            return Err(invalid(format!("--allowed-tools has more than {MAX_CHARS} characters")));
        }
        Ok(Self(text.to_owned()))
    }

    /// The list as it was given.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The line in a skill's frontmatter; empty without tools.
    pub fn frontmatter_line(&self) -> String {
        let Self(text) = self;
        if text.is_empty() {
            return String::new();
        }
        let starts_plain = text.starts_with(|c: char| c.is_alphanumeric());
        if starts_plain && !text.contains(": ") && !text.contains(" #") && !text.ends_with(':') {
            return format!("allowed-tools: {text}\n");
        }
        // What YAML would read as something else than a text is quoted.
        format!("allowed-tools: '{}'\n", text.replace('\'', "''"))
    }
}

fn invalid(message: String) -> Failure {
    Failure::new(Code::InvalidInput, message)
        .with_suggestion("Give one line such as 'Read, Grep, Bash(aw *)', without ; < >")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tools_are_one_value_of_the_frontmatter() {
        let line = |text: &str| AllowedTools::parse(text).unwrap().frontmatter_line();
        assert_eq!(line(" Read, Grep, Bash(aw *) "), "allowed-tools: Read, Grep, Bash(aw *)\n");
        assert_eq!(line("Bash(git add:*)"), "allowed-tools: Bash(git add:*)\n");
        assert_eq!(line("*"), "allowed-tools: '*'\n");
        assert_eq!(line("Bash(it's: so)"), "allowed-tools: 'Bash(it''s: so)'\n");
        assert_eq!(line(""), "");
    }

    #[test]
    fn what_would_end_the_line_or_the_signature_is_refused() {
        for text in ["Read\nname: other", "Read; sum 1", "Read -->", "Re\u{200b}ad", "Re\u{1b}ad", &"a".repeat(1001)] {
            assert_eq!(AllowedTools::parse(text).unwrap_err().code, "INVALID_INPUT", "{text}");
        }
    }
}
