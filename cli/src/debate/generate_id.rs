//! `aw debate generate-id`: an id for a debate or a request, made here and at once.

use clap::Args;
use serde_json::json;

use super::EXAMPLE_FIRST;
use crate::{envelope::Answer, ids};

#[derive(Args)]
#[command(help_template = EXAMPLE_FIRST, before_help = "\
Example:
  DEBATE_ID=$(aw debate generate-id | jq -r '.content[0].data.id')")]
pub struct GenerateId {}

impl GenerateId {
    /// Runs the command.
    pub fn run(self) -> Answer {
        let id = ids::fresh();
        let next =
            format!("aw debate create --debate-id {id} --title <title> --debate-type coding_plan_debate --file <path>");
        let data = json!({"id": id});
        Answer::new(data, "Use this id as --debate-id or --client-request-id", |data, page| {
            page.paragraph(&format!("`{}`", data["id"].as_str().unwrap_or_default()));
            Ok(())
        })
        .go_on(next)
    }
}
