//! `aw debate appeal`: asks the arbitrator to decide.

use clap::Args;
use serde_json::json;

use super::{HELP_TEMPLATE, add_argument::Answer, issue_change_flags::AppealChanges, options::only};
use crate::{
    client::types::{AppealOptionSubmit, Role, Side},
    output::{envelope::Output, failure::Failure},
};

#[derive(Args)]
#[command(help_template = HELP_TEMPLATE, before_help = "\
Example:
  aw debate appeal --debate-id 93d81b1a-0e66-4510-abfd-aa33b26cb82e \\
    --target-id 1f0c7a52-7a6e-4b62-9d0d-0c6a7a4a5a11 --file appeal.md \\
    --option 'In memory: fast, lost on restart' \\
    --option 'On disk: slower, survives a restart'")]
pub struct Appeal {
    #[arg(id = "role", long = "role", hide = true, value_name = "ROLE", value_parser = only(Role::Proposer))]
    _role: Option<Role>,
    #[command(flatten)]
    answer: Answer,
    /// An option that the arbitrator can choose: a label, then optionally ": " and the details; may be repeated. The
    /// server adds "Something else"
    #[arg(long = "option", value_name = "LABEL: DETAIL", allow_hyphen_values = true)]
    options: Vec<String>,
    #[command(flatten)]
    changes: AppealChanges,
}

impl Appeal {
    pub async fn run(self) -> Result<Output, Failure> {
        let options: Vec<_> = self.options.iter().map(|text| parse_option(text)).collect();
        let body = json!({"move": "APPEAL", "options": options, "issue_changes": self.changes.read()?});
        self.answer.send(Side::Proposer, body).await
    }
}

/// Splits an option at the first ": "; without one it is only a label.
fn parse_option(text: &str) -> AppealOptionSubmit {
    let (label, detail) = match text.split_once(": ") {
        Some((label, detail)) => (label, Some(detail.to_owned())),
        None => (text, None),
    };
    AppealOptionSubmit { label: label.to_owned(), detail, free_form: None }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_label_ends_at_the_first_colon_and_space() {
        for (text, label, detail) in [
            ("In memory: fast: very", "In memory", Some("fast: very")),
            ("In memory", "In memory", None),
            ("http://a:b", "http://a:b", None),
            (": x", "", Some("x")),
            ("", "", None),
        ] {
            let option = parse_option(text);
            assert_eq!((option.label.as_str(), option.detail.as_deref()), (label, detail), "{text}");
        }
    }
}
