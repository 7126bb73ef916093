//! The fields of requests that the server's messages name, as options of `aw`.

/// The fields, each with what sets it. A field within another one is named with it.
const OPTIONS: [(&str, &str); 16] = [
    ("motion_content", "the text (--file, --content or --stdin)"),
    ("content", "the text (--file, --content or --stdin)"),
    ("plan", "--plan"),
    ("title", "--title"),
    ("debate_type", "--debate-type"),
    ("target_id", "--target-id"),
    ("options", "--option and --effect"),
    ("chosen_option", "--choose"),
    ("issue_changes", "--raise, --fix and the other options that change issues, or --issue-changes"),
    ("client_request_id", "--client-request-id"),
    ("max_rounds", "--max-rounds"),
    ("summary", "--summary"),
    ("metadata", "--metadata"),
    ("agents", "--agents"),
    ("q", "--query, or the words that are searched for"),
    ("limit", "--limit"),
];

/// What helps where the server has no advice: the option for the field that its message begins with, else where options are listed.
pub fn in_options(message: &str) -> String {
    let field = message.split(|c: char| !c.is_ascii_lowercase() && c != '_').next().unwrap_or_default();
    let option = OPTIONS.iter().find(|(name, _)| *name == field);
    match option {
        Some((name, option)) => format!("{name} is what you give with {option}; see --help"),
        None => "see --help".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_field_is_told_as_its_option() {
        let help = |message: &str| in_options(message);
        assert_eq!(help("chosen_option is 7"), "chosen_option is what you give with --choose; see --help");
        assert!(help("issue_changes[0].issue is I9").contains("--issue-changes"));
        assert!(help("motion_content must not be empty").contains("--content"));
        assert_eq!(help("something else"), "see --help");
    }
}
