//! The commands that add an argument to a debate, one for each move: `aw debate submit`, `appeal`, `request-completion`, `ruling` and
//! `intervention`.

use clap::Args;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::Value;

use super::{
    HELP_TEMPLATE,
    add_argument::{AnswerBody, AnswerOptions, DecisionBody, DecisionOptions, Write},
    issue_change_flags::{AppealChanges, ClaimChanges, Effect, RulingChanges, change_in_note},
    options::{named, only},
};
use crate::{
    client::types::{
        AppealOptionSubmit, AppealSubmit, ArgumentSubmit, InterventionSubmit, ResolutionSubmit, Role, RulingSubmit,
        Side,
    },
    input::{
        content::Content,
        tool_arguments::{self, name_of},
    },
    output::{Code, Failure, Output, reader::option, warning},
};

#[derive(Args, Deserialize, JsonSchema)]
#[command(help_template = HELP_TEMPLATE, before_help = "\
Example:
  aw debate submit --debate-id 93d81b1a-0e66-4510-abfd-aa33b26cb82e \\
    --role opponent --target-id 1f0c7a52-7a6e-4b62-9d0d-0c6a7a4a5a11 \\
    --file claim.md \\
    --raise 'high: Lost on restart @ plan 2.1' --resolve I1,I4")]
pub struct Submit {
    /// Your role
    #[arg(long, value_parser = named::<Side>())]
    #[schemars(description = "", schema_with = "name_of::<Side>")]
    role: Side,
    #[command(flatten)]
    #[serde(flatten)]
    answer: AnswerOptions,
    #[command(flatten)]
    #[serde(flatten)]
    changes: ClaimChanges,
}

impl Submit {
    pub async fn run(self) -> Result<Output, Failure> {
        if self.answer.content.has_plan() && self.role != Side::Proposer {
            return Err(Failure::new(
                Code::InvalidInput,
                format!("{} is for the proposer: the plan is its document", option("--plan")),
            )
            .with_suggestion("Say in the claim, or in an issue, what the plan should say"));
        }
        let (role, issue_changes) = (self.role, self.changes.read()?);
        let claim = |AnswerBody { target_id, content, plan, agents, client_request_id }| {
            Write::Claim(ArgumentSubmit { role, issue_changes, target_id, content, plan, agents, client_request_id })
        };
        self.answer.send(role, claim).await
    }
}

#[derive(Args, Deserialize, JsonSchema)]
#[command(help_template = HELP_TEMPLATE, before_help = "\
Example:
  aw debate appeal --debate-id 93d81b1a-0e66-4510-abfd-aa33b26cb82e \\
    --target-id 1f0c7a52-7a6e-4b62-9d0d-0c6a7a4a5a11 --file appeal.md \\
    --option 'In memory: fast, lost on restart' --effect '0: dismiss I2' \\
    --option 'On disk: slower, survives a restart' --effect '1: uphold I2'")]
pub struct Appeal {
    #[arg(id = "role", long = "role", hide = true, value_name = "ROLE", value_parser = only(Role::Proposer))]
    #[serde(skip)]
    _role: Option<Role>,
    #[command(flatten)]
    #[serde(flatten)]
    answer: AnswerOptions,
    /// An option that the arbitrator can choose: a label, then optionally ": " and the details; may be repeated. The
    /// server adds "Something else"
    #[arg(long = "option", value_name = "LABEL: DETAIL", allow_hyphen_values = true)]
    #[serde(skip)]
    options: Vec<String>,
    /// Each {label, detail, issue_changes: what a ruling that chooses it changes}
    #[arg(skip)]
    #[serde(default, rename = "option")]
    #[schemars(schema_with = "tool_arguments::options", extend("x-also" = "options"))]
    decided_options: Option<Vec<Value>>,
    /// What an option decides, by its number from 0: '0: dismiss I3, regrade I4 low: note'. A ruling that chooses it makes these
    /// changes of issues; may be repeated
    #[arg(long = "effect", value_name = "N: CHANGE ISSUE", allow_hyphen_values = true)]
    #[serde(skip)]
    effects: Vec<String>,
    #[command(flatten)]
    #[serde(flatten)]
    changes: AppealChanges,
}

impl Appeal {
    pub async fn run(self) -> Result<Output, Failure> {
        let options = match self.decided_options {
            Some(list) => options_of_list(list)?,
            None => options(&self.options, &self.effects)?,
        };
        let issue_changes = self.changes.read()?;
        let appeal = |AnswerBody { target_id, content, plan, agents, client_request_id }| {
            Write::Appeal(AppealSubmit { options, issue_changes, target_id, content, plan, agents, client_request_id })
        };
        self.answer.send(Side::Proposer, appeal).await
    }
}

/// Splits an option at the first ": "; without one it is only a label.
fn parse_option(text: &str) -> AppealOptionSubmit {
    let (label, detail) = text.split_once(": ").map_or((text, None), |(label, detail)| (label, Some(detail)));
    AppealOptionSubmit {
        label: label.to_owned(),
        detail: detail.map(str::to_owned),
        free_form: None,
        issue_changes: None,
    }
}

/// The options of these texts, with what they decide in the order in which it is given.
pub fn options(texts: &[String], effects: &[String]) -> Result<Vec<AppealOptionSubmit>, Failure> {
    let mut options: Vec<_> = texts.iter().map(|text| parse_option(text)).collect();
    for text in effects {
        let wrong = |problem: String| {
            Failure::new(Code::InvalidInput, format!("--effect {text:?} {problem}"))
                .with_suggestion("Count the --option flags from 0; a shell needs the quotes")
        };
        let Effect { option, changes } = text.parse().map_err(wrong)?;
        let count = options.len();
        let decided = options.get_mut(option).ok_or_else(|| {
            wrong(format!(
                "names option {option}, but {count} are given, and the server's \"Something else\" decides nothing"
            ))
        })?;
        if let Some(part) = change_in_note(&changes) {
            warning::add(format!(
                "--effect {text:?} has \"{part}\" in the note of a change, where it changes nothing: what follows a note \
                 goes into an --effect of its own"
            ));
        }
        decided.issue_changes.get_or_insert_default().extend(changes);
    }
    Ok(options)
}

/// Options as a tool gets them: an option is a text, as in `--option`, or an object.
fn options_of_list(list: Vec<Value>) -> Result<Vec<AppealOptionSubmit>, Failure> {
    let option = |(index, value): (usize, Value)| match value.as_str() {
        Some(text) => Ok(parse_option(text)),
        None => serde_json::from_value(value).map_err(|error| format!("number {}: {error}", index + 1)),
    };
    let options: Result<_, String> = list.into_iter().enumerate().map(option).collect();
    options.map_err(|error| {
        Failure::new(Code::InvalidInput, format!("the options are not as they should be: {error}")).with_suggestion(
            r#"Write one as {"label": "Keep it", "issue_changes": [{"change": "dismiss", "issue": "I1"}]}"#,
        )
    })
}

#[derive(Args, Deserialize, JsonSchema)]
#[command(help_template = HELP_TEMPLATE, before_help = "\
Example:
  aw debate request-completion \\
    --debate-id 93d81b1a-0e66-4510-abfd-aa33b26cb82e \\
    --target-id 1f0c7a52-7a6e-4b62-9d0d-0c6a7a4a5a11 \\
    --content 'All points are agreed: …'")]
pub struct RequestCompletion {
    #[arg(id = "role", long = "role", hide = true, value_name = "ROLE", value_parser = only(Role::Proposer))]
    #[serde(skip)]
    _role: Option<Role>,
    #[command(flatten)]
    #[serde(flatten)]
    answer: AnswerOptions,
}

impl RequestCompletion {
    pub async fn run(self) -> Result<Output, Failure> {
        let resolution = |AnswerBody { target_id, content, plan, agents, client_request_id }| {
            Write::Resolution(ResolutionSubmit { target_id, content, plan, agents, client_request_id })
        };
        self.answer.send(Side::Proposer, resolution).await
    }
}

#[derive(Args, Deserialize, JsonSchema)]
#[command(help_template = HELP_TEMPLATE, before_help = "\
Example:
  aw debate ruling --debate-id 93d81b1a-0e66-4510-abfd-aa33b26cb82e \\
    --choose 0 --content 'In memory: the list is small and rebuilt at start.'")]
pub struct Ruling {
    #[command(flatten)]
    #[serde(flatten)]
    decision: DecisionOptions,
    #[command(flatten)]
    #[serde(flatten)]
    content: Content,
    /// Close the debate; without it the proposer aligns with the ruling and the debate continues
    #[arg(long)]
    #[serde(default)]
    #[schemars(description = "Close the debate")]
    close: bool,
    /// Index of the chosen option of the appeal, counted from 0
    #[arg(long, value_name = "N")]
    choose: Option<u32>,
    /// Store nothing: print what would follow
    #[arg(long)]
    #[serde(default)]
    dry_run: bool,
    #[command(flatten)]
    #[serde(flatten)]
    changes: RulingChanges,
}

impl Ruling {
    pub async fn run(self) -> Result<Output, Failure> {
        let (content, issue_changes) = (self.content.read()?, self.changes.read()?);
        let (close, chosen_option, dry_run) = (Some(self.close), self.choose, self.dry_run.then_some(true));
        let ruling = |DecisionBody { agents, client_request_id }| {
            Write::Ruling(RulingSubmit {
                content,
                issue_changes,
                close,
                chosen_option,
                dry_run,
                agents,
                client_request_id,
            })
        };
        if self.dry_run {
            return self.decision.preview(ruling).await;
        }
        Ok(self.decision.send(ruling).await?.with_metadata("closed", self.close))
    }
}

#[derive(Args, Deserialize, JsonSchema)]
#[command(help_template = HELP_TEMPLATE, before_help = "\
Example:
  aw debate intervention --debate-id 93d81b1a-0e66-4510-abfd-aa33b26cb82e \\
    --content 'You argue in circles.'", mut_group(Content::GROUP, |text| text.required(false)))]
pub struct Intervention {
    #[command(flatten)]
    #[serde(flatten)]
    decision: DecisionOptions,
    #[command(flatten)]
    #[serde(flatten)]
    content: Content,
}

impl Intervention {
    pub async fn run(self) -> Result<Output, Failure> {
        let content = Some(self.content.read_or_empty()?);
        let intervention = |DecisionBody { agents, client_request_id }| {
            Write::Intervention(InterventionSubmit { content, agents, client_request_id })
        };
        self.decision.send(intervention).await
    }
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
