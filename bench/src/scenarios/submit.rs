//! 64 debates that go back and forth as fast as they can.

use anyhow::Result;

use super::load::{hammer, note};
use crate::{peers::Peer, record::Recorder, setup::Setup};

/// The name among the figures.
pub const NAME: &str = "submit";

/// How many debates.
pub const DEBATES: usize = 64;

/// Measures a server of debates.
pub async fn measure(setup: &Setup, peer: &dyn Peer, figures: &mut Recorder<'_>) -> Result<()> {
    let service = peer.start(setup).await?;
    let times = hammer(service.as_ref(), DEBATES, setup.form.warm_up, setup.form.append).await?;
    note(figures, peer.name(), DEBATES, &times, setup.form.append)
}
