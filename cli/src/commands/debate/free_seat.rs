//! `aw debate free-seat`: lets another key take the seat of a role.

use clap::Args;
use serde::Deserialize;

use super::{
    HELP_TEMPLATE,
    options::{DebateId, named},
};
use crate::{
    client::types::{SeatFreed, Side},
    output::{Failure, Output},
};

#[derive(Args)]
#[command(help_template = HELP_TEMPLATE, before_help = "\
Example:
  aw debate free-seat --debate-id 93d81b1a-0e66-4510-abfd-aa33b26cb82e \\
    --role opponent")]
pub struct FreeSeat {
    #[command(flatten)]
    debate_id: DebateId,
    /// The role whose key was lost
    #[arg(long, value_parser = named::<Side>())]
    role: Side,
}

impl FreeSeat {
    pub async fn run(self) -> Result<Output, Failure> {
        let (client, debate_id) = self.debate_id.connect().await?;
        let response = client.send::<SeatFreed, _>(|| client.api.debate_free_seat(&debate_id, self.role)).await?;
        let message =
            format!("The seat of the {role} is free. The next write as the {role} takes it", role = self.role);
        Ok(Output::new(response.data, message).with_markdown(|data, md| {
            md.debate(&SeatFreed::deserialize(data)?.debate);
            Ok(())
        }))
    }
}
