//! The option `--plan`: a file that becomes the plan's next version, stored by the server together with the argument that cites it.

use std::path::PathBuf;

use clap::Args;
use schemars::JsonSchema;
use serde::Deserialize;
use uuid::Uuid;

use super::next_command;
use crate::{
    client::{
        Client,
        compatibility::PLAN_WITH_ARGUMENT,
        types::{DebateContext, DocumentHistory, Plan, PlanSubmit, Role},
    },
    commands::docs,
    input::content::{self, Content},
    output::{Code, Failure, reader::option},
};

/// The text of an argument, and the plan that it comes with.
#[derive(Args, Deserialize, JsonSchema)]
#[command(mut_group(Content::GROUP, |text| text.required(false)))]
pub struct ContentWithPlan {
    #[command(flatten)]
    #[serde(flatten)]
    content: Content,
    /// The plan: this file becomes its next version, unless it is the present one, and the text begins with its citation. The
    /// text itself may then be left out
    #[arg(long, value_name = "PATH")]
    #[serde(skip)]
    plan: Option<PathBuf>,
    /// The plan: this file becomes its next version, unless it is the present one, and the text begins with its citation
    #[arg(skip)]
    #[serde(rename = "plan")]
    #[schemars(extend("x-text-of" = "plan"))]
    plan_text: Option<String>,
    /// What the new version changes, on one line [default: the first line of the text]
    #[arg(long, value_name = "TEXT", allow_hyphen_values = true)]
    plan_summary: Option<String>,
    /// The version that the plan was made from; the server refuses it if there is a newer one [default: the debate's present one]
    #[arg(long, value_name = "N")]
    #[schemars(description = "The version that plan was made from [default: the present one]")]
    plan_base: Option<u64>,
}

/// The same, read.
pub struct TextWithPlan {
    /// The text, which may be empty if there is a plan
    pub content: String,
    plan: Option<String>,
    summary: Option<String>,
    base: Option<u64>,
}

impl ContentWithPlan {
    /// Whether there is a plan.
    pub fn has_plan(&self) -> bool {
        self.plan.is_some() || self.plan_text.is_some()
    }

    /// Reads the text and the plan, of which one has to be given.
    pub fn read(self) -> Result<TextWithPlan, Failure> {
        let plan = match (self.plan, self.plan_text) {
            (Some(path), _) => Some(content::read_file("--plan", &path)?),
            (None, text) => text,
        };
        let plan_option = option("--plan");
        let without_plan = [("--plan-summary", self.plan_summary.is_some()), ("--plan-base", self.plan_base.is_some())];
        if let Some((name, _)) = without_plan.iter().find(|(_, is_given)| plan.is_none() && *is_given) {
            return Err(Failure::new(Code::InvalidInput, format!("{} is given without {plan_option}", option(name)))
                .with_suggestion(format!("Give {plan_option} the file with the plan")));
        }
        if plan.is_none() && !self.content.is_given() {
            return Err(content::missing_text()
                .with_suggestion(format!("Give the text with one of them, or a plan with {plan_option}")));
        }
        Ok(TextWithPlan {
            content: self.content.read_or_empty()?,
            plan,
            summary: self.plan_summary,
            base: self.plan_base,
        })
    }
}

impl TextWithPlan {
    /// A client with the time that these texts may take.
    pub fn client(&self) -> Result<Client, Failure> {
        if self.plan.is_some() { Client::for_long_texts() } else { Client::from_env() }
    }

    /// The plan as it is sent with the argument that opens a debate.
    pub async fn plan_of_motion(&mut self, client: &Client) -> Result<Option<PlanSubmit>, Failure> {
        let Some(content) = self.plan.take() else { return Ok(None) };
        client.require_contract(PLAN_WITH_ARGUMENT, &option("--plan")).await?;
        Ok(Some(PlanSubmit { content, summary: self.summary.take(), base: self.base }))
    }

    /// The plan as it is sent with another argument: made from the version that the debate has now, unless the caller says from
    /// which.
    pub async fn plan(&mut self, client: &Client, debate: Uuid) -> Result<Option<PlanSubmit>, Failure> {
        let Some(plan) = self.plan_of_motion(client).await? else { return Ok(None) };
        let base = match plan.base {
            Some(base) => Some(base),
            None => {
                let context = || client.api.debate_get_context(&debate, None, None, Some(0), None, None);
                let context = client.send::<DebateContext, _>(context).await?.parsed;
                context.debate.plan.map(|plan| plan.version)
            }
        };
        Ok(Some(PlanSubmit { base, ..plan }))
    }
}

/// Says what the newest version changed since the one that the plan was made from, and how the command can be run again.
pub async fn explain_older_base(client: &Client, debate: Uuid, base: Option<u64>, failure: Failure) -> Failure {
    let Some((plan, newest)) = newest_version(client, debate).await else {
        return failure.with_next(next_command::context(debate, Some(Role::Proposer)));
    };
    let suggestion = format!(
        "Take over what came with version {newest}, and run the same command again with {} {newest}",
        option("--plan-base")
    );
    let changes = docs::next_command::diff(plan.document_id, base.unwrap_or(plan.version), newest);
    failure.with_suggestion(suggestion).with_next(changes)
}

/// The plan, and the newest version of its document, which need not be the plan's.
async fn newest_version(client: &Client, debate: Uuid) -> Option<(Plan, u64)> {
    let context = client.api.debate_get_context(&debate, None, None, Some(0), None, None);
    let plan = client.send_once::<DebateContext>(context).await.ok()?.parsed.debate.plan?;
    let history = client.api.document_history(&plan.document_id, Some(1), None);
    let newest = client.send_once::<DocumentHistory>(history).await.ok()?.parsed.document.latest_version;
    Some((plan, newest))
}
