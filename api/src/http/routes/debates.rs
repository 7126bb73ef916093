//! `/debates`

use std::{sync::Arc, time::Duration};

use poem_openapi::{
    OpenApi,
    types::{ParseFromJSON, ToJSON, Type},
};
use serde::Serialize;

use super::{Answered, Wrote, found};
use crate::{
    app::{App, ListQuery, Page, Submitted, WaitQuery},
    domain::{DebateId, Role, StateName},
    http::{
        caller::{Caller, Ruler},
        contract::{
            AppealBody, ClaimBody, ContextData, CreateBody, CreatedData, DebateView, InterventionBody, ListData,
            ResolutionBody, RulingBody, SubmittedData, WaitData,
        },
        input::Input,
        later::Later,
        param::{Count, LastSeen, Number, Optional, Path, Required},
        parse,
    },
};

/// How long a wait is held where the caller does not say, in seconds; it is also the longest.
const LONGEST_WAIT: u64 = 60;

pub struct Debates {
    app: Arc<App>,
}

impl Debates {
    pub fn new(app: Arc<App>) -> Self {
        Self { app }
    }
}

#[OpenApi]
impl Debates {
    /// Open a debate with its MOTION
    #[oai(path = "/debates", method = "post", operation_id = "debate_create")]
    async fn debate_create(&self, _caller: Caller, body: Input<CreateBody>) -> Wrote<CreatedData> {
        let new = parse::create(body.0, self.app.limits())?;
        written(self.app.debate_create(new).await?)
    }

    /// List debates
    ///
    /// Newest `updated_at` first, then newest created.
    #[oai(path = "/debates", method = "get", operation_id = "debate_list")]
    async fn debate_list(
        &self,
        _caller: Caller,
        /// Only debates in this state
        state: Optional<StateName>,
        /// Only debates whose id begins with this or whose title holds it; ASCII letters match in either case
        q: Optional<String>,
        /// How many at most; 50 by default
        limit: Optional<Number<1, 200>>,
        /// How many to leave out before the first
        offset: Optional<Count>,
    ) -> Answered<ListData> {
        let query = ListQuery {
            state: state.0,
            q: q.0.map(parse::q).transpose()?,
            limit: limit.0.map_or(50, |limit| limit.0),
            offset: offset.0.map_or(0, |offset| offset.0),
        };
        let (debates, total) = self.app.debate_list(query).await?;
        found(ListData { debates: debates.into_iter().map(DebateView::from).collect(), total })
    }

    /// Get a debate with its motion and arguments
    #[oai(path = "/debates/:id", method = "get", operation_id = "debate_get_context")]
    async fn debate_get_context(
        &self,
        _caller: Caller,
        /// The debate
        id: Path<DebateId>,
        /// The newest so many arguments besides the motion; 0 gives none, absent gives all
        limit: Optional<Count>,
        /// Only arguments before this `seq`
        before_seq: Optional<Count>,
        /// Only arguments after this `seq`
        after_seq: Optional<Count>,
    ) -> Answered<ContextData> {
        let number = |count: Optional<Count>| count.0.map(|count| count.0);
        let page = Page { limit: number(limit), before_seq: number(before_seq), after_seq: number(after_seq) };
        found(self.app.debate_get_context(id.0?, page).await?.into())
    }

    /// Submit a CLAIM
    #[oai(path = "/debates/:id/arguments", method = "post", operation_id = "debate_submit")]
    async fn debate_submit(
        &self,
        _caller: Caller,
        /// The debate
        id: Path<DebateId>,
        body: Input<ClaimBody>,
    ) -> Wrote<SubmittedData> {
        let (by, target, content, request_id) = parse::claim(body.0, self.app.limits())?;
        written(self.app.debate_submit(id.0?, by, target, content, request_id).await?)
    }

    /// Submit an APPEAL: ask the arbitrator to decide
    #[oai(path = "/debates/:id/appeal", method = "post", operation_id = "debate_appeal")]
    async fn debate_appeal(
        &self,
        _caller: Caller,
        /// The debate
        id: Path<DebateId>,
        body: Input<AppealBody>,
    ) -> Wrote<SubmittedData> {
        let (target, options, content, request_id) = parse::appeal(body.0, self.app.limits())?;
        written(self.app.debate_appeal(id.0?, target, options, content, request_id).await?)
    }

    /// Submit a RESOLUTION: ask the arbitrator to close
    #[oai(path = "/debates/:id/resolution", method = "post", operation_id = "debate_request_completion")]
    async fn debate_request_completion(
        &self,
        _caller: Caller,
        /// The debate
        id: Path<DebateId>,
        body: Input<ResolutionBody>,
    ) -> Wrote<SubmittedData> {
        let (target, content, request_id) = parse::resolution(body.0, self.app.limits())?;
        written(self.app.debate_request_completion(id.0?, target, content, request_id).await?)
    }

    /// Submit a RULING: decide, and close where asked to
    #[oai(path = "/debates/:id/ruling", method = "post", operation_id = "debate_ruling")]
    async fn debate_ruling(
        &self,
        ruler: Ruler,
        /// The debate
        id: Path<DebateId>,
        body: Input<RulingBody>,
    ) -> Wrote<SubmittedData> {
        let (close, chosen_option, content, request_id) = parse::ruling(body.0, self.app.limits())?;
        let (id, permission) = (id.0?, ruler.permission()?);
        written(self.app.debate_ruling(permission, id, close, chosen_option, content, request_id).await?)
    }

    /// Submit an INTERVENTION: stop both sides until a ruling
    #[oai(path = "/debates/:id/intervention", method = "post", operation_id = "debate_intervention")]
    async fn debate_intervention(
        &self,
        ruler: Ruler,
        /// The debate
        id: Path<DebateId>,
        body: Input<InterventionBody>,
    ) -> Wrote<SubmittedData> {
        let (content, request_id) = parse::intervention(body.0, self.app.limits())?;
        let (id, permission) = (id.0?, ruler.permission()?);
        written(self.app.debate_intervention(permission, id, content, request_id).await?)
    }

    /// Wait for news
    ///
    /// Answers at once where there is something that the caller has not seen, where a ruling is due from the arbitrator
    /// who asks, or where the debate is closed; otherwise it is held until then, or until the time is over.
    #[oai(path = "/debates/:id/wait", method = "get", operation_id = "debate_wait")]
    async fn debate_wait(
        &self,
        _caller: Caller,
        /// The debate
        id: Path<DebateId>,
        /// Who waits
        role: Required<Role>,
        /// The last argument that the caller has seen; absent or empty when joining
        argument_id: Optional<LastSeen>,
        /// How many seconds to hold at most; 60 by default
        timeout: Optional<Number<0, LONGEST_WAIT>>,
    ) -> Later<Answered<WaitData>> {
        let app = self.app.clone();
        let query = id.0.map(|debate_id| WaitQuery {
            debate_id,
            seen: argument_id.0.and_then(|seen| seen.0),
            role: role.0,
            timeout: Duration::from_secs(timeout.0.map_or(LONGEST_WAIT, |timeout| timeout.0)),
        });
        Later::new(async move { found(app.debate_wait(query?).await?.into()) })
    }
}

fn written<T: Type + ParseFromJSON + ToJSON + Serialize + From<Submitted>>(submitted: Submitted) -> Wrote<T> {
    super::written(submitted.replayed, submitted.into())
}
