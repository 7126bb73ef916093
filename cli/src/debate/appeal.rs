//! `aw debate appeal`: asks the arbitrator to decide.

use clap::Args;

use super::{
    EXAMPLE_FIRST,
    options::{DebateId, RequestId, TargetId},
    written,
};
use crate::{
    api::types::{self, AppealOptionSubmit, Role},
    content::Content,
    envelope::Answer,
    error::Failure,
    find,
    server::Server,
};

#[derive(Args)]
#[command(help_template = EXAMPLE_FIRST, before_help = "\
Example:
  aw debate appeal --debate-id 93d81b1a-0e66-4510-abfd-aa33b26cb82e \\
    --target-id 1f0c7a52-7a6e-4b62-9d0d-0c6a7a4a5a11 --file appeal.md \\
    --option 'In memory: fast, lost on restart' \\
    --option 'On disk: slower, survives a restart'")]
pub struct Appeal {
    #[command(flatten)]
    debate_id: DebateId,
    #[command(flatten)]
    target_id: TargetId,
    #[command(flatten)]
    content: Content,
    /// A way to decide, up to the first ": " its label and then what it means; may be repeated. "Something else" is
    /// added by itself
    #[arg(long = "option", value_name = "LABEL: DETAIL", allow_hyphen_values = true)]
    options: Vec<String>,
    #[command(flatten)]
    request_id: RequestId,
}

impl Appeal {
    /// Runs the command.
    pub async fn run(self) -> Result<Answer, Failure> {
        let (debate_id, target_id, content) = (self.debate_id.read()?, self.target_id.read()?, self.content.read()?);
        let server = Server::from_env()?;
        let debate_id = find::debate(&server, &debate_id).await?;
        let target_id = target_id.find(&server, debate_id).await?;
        let body = types::AppealSubmit {
            target_id,
            content,
            options: self.options.iter().map(|text| option(text)).collect(),
            client_request_id: self.request_id.or_fresh(),
        };
        let told = server
            .write(&body.client_request_id, || server.api.debate_appeal(&debate_id, &body))
            .await
            .map_err(|failure| written::failure(failure, debate_id, Role::Proposer, Some(target_id)))?;
        Ok(written::answer(told, Role::Proposer, body.client_request_id))
    }
}

/// Splits an option at the first ": "; without one it is all label.
fn option(text: &str) -> AppealOptionSubmit {
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
            let option = option(text);
            assert_eq!((option.label.as_str(), option.detail.as_deref()), (label, detail), "{text}");
        }
    }
}
