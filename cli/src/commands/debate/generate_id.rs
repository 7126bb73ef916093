//! `aw debate generate-id`: prints a new id.

use clap::Args;
use serde::{Deserialize, Serialize};
use serde_json::json;
use uuid::Uuid;

use super::HELP_TEMPLATE;
use crate::{input::ids, output::Output};

#[derive(Args)]
#[command(help_template = HELP_TEMPLATE, before_help = "\
Example:
  DEBATE_ID=$(aw debate generate-id | jq -r '.content[0].data.id')")]
pub struct GenerateId {}

/// The id, as it is told.
#[derive(Serialize, Deserialize)]
struct NewId {
    id: Uuid,
}

impl GenerateId {
    pub fn run(self) -> Output {
        let id = ids::new_id();
        Output::new(json!(NewId { id }), "Use this id as --debate-id or --client-request-id")
            .with_markdown(|data, md| {
                md.paragraph(&format!("`{}`", NewId::deserialize(data)?.id));
                Ok(())
            })
            .with_whole_ids()
            .with_next(format!(
                "aw debate create --debate-id {id} --title <title> --debate-type coding_plan_debate --file <path>"
            ))
    }
}
