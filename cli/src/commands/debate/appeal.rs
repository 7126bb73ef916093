//! `aw debate appeal`: asks the arbitrator to decide.

use clap::Args;

use super::{
    HELP_TEMPLATE,
    add_argument::Destination,
    issue_change_flags::AppealChanges,
    options::{DebateId, TargetId, only},
    plan_file::ContentWithPlan,
};
use crate::{
    client::types::{AppealOptionSubmit, AppealSubmit, Role, Side},
    input::{agents::Agents, request_id::RequestId},
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
    #[command(flatten)]
    debate_id: DebateId,
    #[arg(id = "role", long = "role", hide = true, value_name = "ROLE", value_parser = only(Role::Proposer))]
    _role: Option<Role>,
    #[command(flatten)]
    target_id: TargetId,
    #[command(flatten)]
    content: ContentWithPlan,
    /// An option that the arbitrator can choose: a label, then optionally ": " and the details; may be repeated. The
    /// server adds "Something else"
    #[arg(long = "option", value_name = "LABEL: DETAIL", allow_hyphen_values = true)]
    options: Vec<String>,
    #[command(flatten)]
    changes: AppealChanges,
    #[command(flatten)]
    agents: Agents,
    #[command(flatten)]
    request_id: RequestId,
}

impl Appeal {
    pub async fn run(self) -> Result<Output, Failure> {
        let issue_changes = self.changes.read()?;
        let content = self.content.read()?;
        let client = content.client()?;
        let debate_id = self.debate_id.resolve(&client).await?;
        let target_id = self.target_id.resolve(&client, debate_id).await?;
        let options: Vec<_> = self.options.iter().map(|text| parse_option(text)).collect();
        let agents = self.agents.read()?;
        let request_id = self.request_id.or_new();
        let seat = client.seat_key(debate_id, Side::Proposer);
        let request = |target_id, content| {
            let (options, issue_changes, agents) = (options.clone(), issue_changes.clone(), agents.clone());
            let client_request_id = request_id.clone();
            let body = AppealSubmit { target_id, content, options, issue_changes, agents, client_request_id };
            let (client, seat) = (&client, seat.as_deref());
            async move { client.api.debate_appeal(&debate_id, seat, &body).await }
        };
        let destination = Destination { debate_id, role: Role::Proposer, target_id: Some(target_id) };
        destination.send_with_plan(&client, content, &request_id, request).await
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
