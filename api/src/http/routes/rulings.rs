//! `GET /wait`

use std::{sync::Arc, time::Duration};

use poem_openapi::OpenApi;

use super::{MAX_WAIT_SECONDS, ReadResult, ok};
use crate::{
    app::{App, RulingWaitQuery},
    domain::DebateId,
    http::{
        auth::Authenticated,
        contract::RulingsDue,
        long_poll::LongPoll,
        params::{ArbitratorRole, Number, Optional, Repeated, Required},
    },
};

/// The maximum number of debates that a wait may name.
const MAX_NAMED: usize = 100;

pub struct Rulings {
    pub app: Arc<App>,
}

#[OpenApi]
impl Rulings {
    /// Wait until a ruling is due
    ///
    /// Returns the debates in which a ruling is due, at once if there are any. Otherwise it waits until there is one or the
    /// timeout is over, which is not an error: `debates` is then empty. A ruling is due in `AWAITING_ARBITRATOR` and in
    /// `INTERVENTION_PENDING`. The debates that wait longest come first.
    #[oai(path = "/wait", method = "get", operation_id = "ruling_wait")]
    async fn ruling_wait(
        &self,
        _auth: Authenticated,
        /// The caller's role: `arbitrator`
        #[oai(name = "role")]
        _role: Required<ArbitratorRole>,
        /// Only these debates, which need not be open yet; all debates if absent
        debate_id: Repeated<DebateId, MAX_NAMED>,
        /// How many seconds to wait at most; as many as it may be by default
        timeout: Optional<Number<0, MAX_WAIT_SECONDS>>,
    ) -> LongPoll<ReadResult<RulingsDue>> {
        let app = self.app.clone();
        let query = RulingWaitQuery {
            debates: debate_id.0,
            timeout: Duration::from_secs(timeout.0.map_or(MAX_WAIT_SECONDS, |timeout| timeout.0)),
        };
        LongPoll::new(async move { ok(app.ruling_wait(query).await?) })
    }
}
