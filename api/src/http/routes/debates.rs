//! `/debates`

use std::{fmt::Display, sync::Arc, time::Duration};

use poem::web::Data;
use poem_openapi::OpenApi;
use tokio::task::spawn_blocking;

use super::{MAX_WAIT_SECONDS, ReadResult, WriteResult, ok, search_text, written};
use crate::{
    app::{self, App, ArgumentFilter, CorrelationId, DebateListQuery, Error, FreeSeat, IssueFilter, WaitQuery},
    domain::{DebateId, DebateType, IssueStatus, NewDebate, Role, Side, StateName, Submission},
    http::{
        auth::{ArbitratorAuth, Authenticated},
        contract::{
            ArgumentSubmitted, DebateContext, DebateCreated, DebateIssues, DebateList, DebateRecord, ErrorResponse,
            Json, RecordBody, RecordFormat, RecordResponse, SeatFreed, WaitAnswer, WriteResponse,
        },
        large_bodies::{Held, Room, Work, bytes_of},
        long_poll::LongPoll,
        params::{Count, DEFAULT_LIMIT, Limit, Number, Optional, OptionalArgumentId, Path, Required},
        rendering::{self, Contents, Document},
        request_bodies::{
            self, AppealSubmit, ArgumentSubmit, DebateCreate, InterventionSubmit, JsonBody, ResolutionSubmit,
            RulingSubmit,
        },
        seat_header::SeatHeader,
    },
};

pub struct Debates {
    pub app: Arc<App>,
    pub room: Room,
}

/// A debate with its arguments, and the room that they take. Where others have it, this waits for a while, and keeps nothing meanwhile of
/// what it read.
async fn context(
    app: &App,
    room: &Room,
    id: DebateId,
    filter: ArgumentFilter,
) -> Result<(app::DebateContext, Held), Error> {
    let bytes = |context: &app::DebateContext| bytes_of(context.arguments.iter().chain(&context.earlier_rulings));
    let context = app.debate_get_context(id, filter).await?;
    let needed = bytes(&context);
    if let Ok(held) = room.hold(needed) {
        return Ok((context, held));
    }
    drop(context);
    let mut held = room.wait_to_hold(needed).await?;
    let context = app.debate_get_context(id, filter).await?;
    held.set(bytes(&context))?;
    Ok((context, held))
}

/// The record of a debate in this format, and the room that it takes.
async fn record(
    app: &App,
    room: &Room,
    id: DebateId,
    format: RecordFormat,
) -> Result<(RecordResponse, Held), ErrorResponse> {
    // It takes several times its size until it is written.
    let turn = room.turn(Work::Record).await?;
    let document = match format {
        RecordFormat::Json => {
            let signed = DebateRecord::signed(app.debate_record(id).await?, app.signing_key()).map_err(internal)?;
            return Ok((RecordResponse::Ok(RecordBody::Json(Box::new(signed))), room.hold(0)?));
        }
        RecordFormat::Markdown => Document::Markdown,
        RecordFormat::Html => Document::Html,
        RecordFormat::Transcript => Document::Transcript,
    };
    let (record, arguments) = app.debate_record_with_arguments(id).await?;
    let held = room.hold_arguments(&arguments)?;
    let signed = DebateRecord::signed(record.clone(), app.signing_key()).map_err(internal)?;
    // On a thread of its own, since a long debate takes milliseconds. It goes on after its client left, and so do its turn and its room.
    let rendered = spawn_blocking(move || {
        let arguments = arguments.iter().map(|argument| (&**argument).into()).collect();
        let rendered = rendering::render(document, &Contents::new(&record, signed, arguments));
        drop(turn);
        (rendered, held)
    });
    let (rendered, held) = rendered.await.map_err(internal)?;
    let text = rendered.map_err(internal)?;
    let body = match document {
        Document::Markdown | Document::Transcript => RecordBody::Markdown(text),
        Document::Html => RecordBody::Html { page: text, policy: rendering::page_policy() },
    };
    Ok((RecordResponse::Ok(body), held))
}

/// A record that cannot be written, which its types and templates do not allow.
fn internal(error: impl Display) -> ErrorResponse {
    tracing::error!(%error, "a record could not be written");
    Error::Internal.into()
}

#[OpenApi]
impl Debates {
    /// Create a debate with its MOTION
    ///
    /// The caller becomes the proposer and chooses the id, under which the opponent can wait for the debate before it exists.
    /// The debate then awaits the opponent. A `plan` is stored in the same transaction as the MOTION that cites it: both or neither. A debate id that another request has used is `DEBATE_EXISTS`.
    #[oai(path = "/debates", method = "post", operation_id = "debate_create")]
    async fn debate_create(
        &self,
        _auth: Authenticated,
        /// The caller's key of the proposer's seat, which it takes: 32 random bytes in base64url
        #[oai(name = "X-Debate-Seat")]
        seat: SeatHeader,
        body: JsonBody<DebateCreate>,
    ) -> WriteResult<DebateCreated> {
        let new = request_bodies::new_debate(body.value, self.app.limits())?;
        let result = self.app.debate_create(NewDebate { seat_key: seat.0?, ..new }).await?;
        written(result.replayed, result)
    }

    /// List debates
    ///
    /// Ordered by `updated_at`, then `created_at`, newest first. `total` counts the debates on all pages.
    #[oai(path = "/debates", method = "get", operation_id = "debate_list")]
    async fn debate_list(
        &self,
        _auth: Authenticated,
        /// Only debates in this state
        state: Optional<StateName>,
        /// Only debates of this type
        debate_type: Optional<DebateType>,
        /// Only debates whose id starts with this text or whose title contains it; letters match in either case
        q: Optional<String>,
        /// The maximum number of debates; 50 by default
        limit: Optional<Limit>,
        /// How many debates to skip; 0 by default
        offset: Optional<Count>,
    ) -> ReadResult<DebateList> {
        let query = DebateListQuery {
            state: state.0,
            debate_type: debate_type.0,
            q: q.0.map(search_text).transpose()?,
            limit: limit.or(DEFAULT_LIMIT),
            offset: offset.or(0),
        };
        ok(self.app.debate_list(query).await?)
    }

    /// Get a debate with its MOTION and other arguments
    ///
    /// The range between `after_seq` and `before_seq`, both exclusive, is chosen first, then `limit` keeps its newest
    /// arguments. `omitted` counts the others; RULINGs among them are in `earlier_rulings`, since they bind both sides.
    /// `turns` says what each role should do next, which types of arguments it may submit and which arguments fit best.
    /// `issues` has those that are not settled.
    ///
    /// With `role`, `seat` says whether the seat of that role is free, the caller's, since the request has its key, or of
    /// somebody else.
    #[oai(path = "/debates/:id", method = "get", operation_id = "debate_get_context")]
    async fn debate_get_context(
        &self,
        _auth: Authenticated,
        /// The debate's id
        id: Path<DebateId>,
        /// Only the newest arguments, at most this many besides the MOTION; 0 for none, all by default
        limit: Optional<Count>,
        /// Only arguments before this `seq`
        before_seq: Optional<Count>,
        /// Only arguments after this `seq`
        after_seq: Optional<Count>,
        /// The role whose seat is asked for
        role: Optional<Role>,
        /// The caller's key of the seat of that role: 32 random bytes in base64url
        #[oai(name = "X-Debate-Seat")]
        seat: SeatHeader,
    ) -> LongPoll<ReadResult<DebateContext>> {
        let number = |count: Optional<Count>| count.0.map(|count| count.0);
        let filter =
            ArgumentFilter { limit: number(limit), before_seq: number(before_seq), after_seq: number(after_seq) };
        let (app, room) = (self.app.clone(), self.room.clone());
        LongPoll::holding(async move {
            let asked = match role.0.and_then(Side::of) {
                Some(side) => Some((side, seat.0?)),
                None => None,
            };
            let (context, held) = context(&app, &room, id.0?, filter).await?;
            let seat = asked.map(|(side, key)| context.debate.seats.holder(side, key));
            Ok((ok(DebateContext { seat, ..context.into() })?, held))
        })
    }

    /// List the issues of a debate
    ///
    /// In the order in which they were raised. `counts` are always of all issues.
    #[oai(path = "/debates/:id/issues", method = "get", operation_id = "debate_issues")]
    async fn debate_issues(
        &self,
        _auth: Authenticated,
        /// The debate's id
        id: Path<DebateId>,
        /// Only issues in this status
        status: Optional<IssueStatus>,
        /// Whether to return the history of each issue; false by default
        history: Optional<bool>,
    ) -> LongPoll<ReadResult<DebateIssues>> {
        let filter = IssueFilter { status: status.0, history: history.0.unwrap_or_default() };
        let (app, room) = (self.app.clone(), self.room.clone());
        LongPoll::new(async move {
            // Histories take several times their size until they are written.
            let _turn = if filter.history { Some(room.turn(Work::Histories).await?) } else { None };
            ok(app.debate_issues(id.0?, filter).await?)
        })
    }

    /// Get the record of a debate: what it decided
    ///
    /// One document that stands by itself, of an open debate, too. It follows from the debate's history alone: the same history
    /// always gives the same record. `signature` is over the canonical JSON of `record`, as RFC 8785 defines it, with the key
    /// whose public part is in `GET /info`; a server without a key answers null.
    ///
    /// The other formats are for people and not signed: `markdown` is the record in the headings of MADR 4, `html` a page
    /// without scripts or anything to load that also has the transcript, and `transcript` all arguments in markdown. In all
    /// three, texts of the sides are quoted, their HTML is text, and characters that are invisible are written as escapes.
    #[oai(path = "/debates/:id/record", method = "get", operation_id = "debate_record")]
    async fn debate_record(
        &self,
        _auth: Authenticated,
        /// The debate's id
        id: Path<DebateId>,
        /// What to answer; `json` by default
        format: Optional<RecordFormat>,
    ) -> LongPoll<Result<RecordResponse, ErrorResponse>> {
        let (app, room) = (self.app.clone(), self.room.clone());
        let format = format.0.unwrap_or(RecordFormat::Json);
        LongPoll::holding(async move { record(&app, &room, id.0?, format).await })
    }

    /// Submit a CLAIM: answer the other side
    ///
    /// Allowed in the own turn: for the opponent in `AWAITING_OPPONENT`, for the proposer in `AWAITING_PROPOSER`. Otherwise
    /// the error is `ACTION_NOT_ALLOWED`, which says whose turn it is. If the debate has `max_rounds` and has had as many, the
    /// proposer cannot submit a CLAIM, only an APPEAL or a RESOLUTION.
    ///
    /// Late delivery: an INTERVENTION does not throw away what a side was writing. In `INTERVENTION_PENDING` the side whose turn
    /// was interrupted may submit one argument of a type that was allowed in its turn, if its target is older than the
    /// INTERVENTION. The state stays as it is, `action` is `wait_for_ruling`, and `next_argument_id_to_wait` is the
    /// INTERVENTION. This holds for an APPEAL and a RESOLUTION of the proposer, too.
    ///
    /// `plan`: with an argument of the proposer its plan can come. It becomes the next version of the plan's document, unless the
    /// present version or the newest one has the same text, and is stored in the same transaction as the argument that cites it:
    /// both or neither. A plan whose document was deleted is `DOCUMENT_NOT_FOUND`. A repeated request is compared by the text that is
    /// stored and the plan's bytes.
    ///
    /// `issue_changes`: the opponent raises issues, resolves, withdraws, defers, reopens and regrades them; the proposer fixes or
    /// disputes them. All changes of an argument are stored with it, or nothing is. A change that the status of the issue
    /// forbids is `ACTION_NOT_ALLOWED` with `issue`, `status` and `allowed_changes`.
    #[oai(path = "/debates/:id/arguments", method = "post", operation_id = "debate_submit")]
    async fn debate_submit(
        &self,
        _auth: Authenticated,
        /// The debate's id
        id: Path<DebateId>,
        /// The caller's key of the seat of its role: 32 random bytes in base64url. It takes the seat if that is free
        #[oai(name = "X-Debate-Seat")]
        seat: SeatHeader,
        body: JsonBody<ArgumentSubmit>,
    ) -> WriteResult<ArgumentSubmitted> {
        let claim = request_bodies::claim(body.value, id.0, self.app.limits())?;
        let result = self.app.debate_submit(Submission { seat_key: seat.0?, ..claim }).await?;
        written(result.replayed, result)
    }

    /// Submit an APPEAL: ask the arbitrator to decide a point
    ///
    /// Allowed for the proposer in `AWAITING_PROPOSER`, or as a late delivery (see `debate_submit`). The debate then awaits the
    /// arbitrator. `options` are what the arbitrator may choose from; with `issue_changes` the APPEAL can refer issues, which
    /// stay referred until the next RULING. An option may have `issue_changes`, too: what it decides. They are what a RULING may make
    /// of the issues right after this APPEAL, and a RULING that chooses the option and has no list of its own makes them. A `plan` is
    /// as in `debate_submit`.
    #[oai(path = "/debates/:id/appeal", method = "post", operation_id = "debate_appeal")]
    async fn debate_appeal(
        &self,
        _auth: Authenticated,
        /// The debate's id
        id: Path<DebateId>,
        /// The caller's key of the seat of its role: 32 random bytes in base64url. It takes the seat if that is free
        #[oai(name = "X-Debate-Seat")]
        seat: SeatHeader,
        body: JsonBody<AppealSubmit>,
    ) -> WriteResult<ArgumentSubmitted> {
        let appeal = request_bodies::appeal(body.value, id.0, self.app.limits())?;
        let result = self.app.debate_submit(Submission { seat_key: seat.0?, ..appeal }).await?;
        written(result.replayed, result)
    }

    /// Submit a RESOLUTION: ask the arbitrator to close the debate
    ///
    /// Allowed for the proposer in `AWAITING_PROPOSER`, or as a late delivery (see `debate_submit`), if no issue is blocking.
    /// An issue is blocking if it is `critical` or `high` and not settled: `open`, `fixed` or `disputed`. Otherwise the error is
    /// `ISSUES_OPEN` with these `issues`, and nothing is stored. Fix them and have the opponent resolve them, or submit an APPEAL
    /// that refers them to the arbitrator. The RESOLUTION itself carries no `issue_changes`. A `plan` is
    /// as in `debate_submit`.
    #[oai(path = "/debates/:id/resolution", method = "post", operation_id = "debate_request_completion")]
    async fn debate_request_completion(
        &self,
        _auth: Authenticated,
        /// The debate's id
        id: Path<DebateId>,
        /// The caller's key of the seat of its role: 32 random bytes in base64url. It takes the seat if that is free
        #[oai(name = "X-Debate-Seat")]
        seat: SeatHeader,
        body: JsonBody<ResolutionSubmit>,
    ) -> WriteResult<ArgumentSubmitted> {
        let resolution = request_bodies::resolution(body.value, id.0, self.app.limits())?;
        let result = self.app.debate_submit(Submission { seat_key: seat.0?, ..resolution }).await?;
        written(result.replayed, result)
    }

    /// Submit a RULING: decide, and optionally close the debate
    ///
    /// Allowed in `AWAITING_ARBITRATOR` and `INTERVENTION_PENDING`. It binds both sides. Without `close` it is the
    /// proposer's turn, who should align to it, and the rounds are counted from 0 again. `chosen_option` is one of the options
    /// of the APPEAL that waits, whose changes of issues it makes if it has no `issue_changes`. With a list the RULING can uphold, dismiss, defer, regrade and raise issues, and reopen
    /// deferred ones. It may close the
    /// debate while issues are blocking.
    ///
    /// With `dry_run` it is checked and answered as if it were stored, with status 200, the `turns` of all roles and the
    /// `issue_counts` as they would be. Nothing is stored, and nobody is told; ids, times and hashes in the answer are of no argument.
    #[oai(path = "/debates/:id/ruling", method = "post", operation_id = "debate_ruling")]
    async fn debate_ruling(
        &self,
        auth: ArbitratorAuth,
        request: Data<&CorrelationId>,
        /// The debate's id
        id: Path<DebateId>,
        body: JsonBody<RulingSubmit>,
    ) -> WriteResult<ArgumentSubmitted> {
        let (body, permission) = (body.value, auth.permission());
        let is_dry_run = body.dry_run == Some(true);
        let ruling = request_bodies::ruling(body, id.0, self.app.limits())?;
        if is_dry_run {
            let result = self.app.debate_ruling_preview(permission?, ruling).await?;
            return Ok(WriteResponse::Replayed(Json(ArgumentSubmitted::preview(result))));
        }
        let result = self.app.debate_ruling(permission?, ruling, request.0).await?;
        written(result.replayed, result)
    }

    /// Submit an INTERVENTION: stop both sides until a ruling
    ///
    /// Allowed in `AWAITING_OPPONENT` and `AWAITING_PROPOSER`. Until the RULING the debate is `INTERVENTION_PENDING`, in which
    /// the interrupted side may deliver one argument late (see `debate_submit`).
    #[oai(path = "/debates/:id/intervention", method = "post", operation_id = "debate_intervention")]
    async fn debate_intervention(
        &self,
        auth: ArbitratorAuth,
        request: Data<&CorrelationId>,
        /// The debate's id
        id: Path<DebateId>,
        body: JsonBody<InterventionSubmit>,
    ) -> WriteResult<ArgumentSubmitted> {
        let intervention = request_bodies::intervention(body.value, id.0, self.app.limits())?;
        let result = self.app.debate_intervention(auth.permission()?, intervention, request.0).await?;
        written(result.replayed, result)
    }

    /// Free the seat of a role
    ///
    /// The next write as this role that carries a key takes the seat again. This is for the arbitrator, when an agent has lost
    /// its key. Freeing a free seat changes nothing. Roles are `proposer` and `opponent`, since nobody else has a seat.
    #[oai(path = "/debates/:id/seats/:role", method = "delete", operation_id = "debate_free_seat")]
    async fn debate_free_seat(
        &self,
        auth: ArbitratorAuth,
        /// The debate's id
        id: Path<DebateId>,
        /// The role whose seat to free
        role: Path<Side>,
        request: Data<&CorrelationId>,
    ) -> ReadResult<SeatFreed> {
        let seat = FreeSeat { debate_id: id.0?, side: role.0? };
        ok(SeatFreed { debate: self.app.debate_free_seat(auth.permission()?, seat, request.0).await?.into() })
    }

    /// Wait for new arguments
    ///
    /// Returns at once if there are arguments that the caller has not seen, if the caller is the arbitrator and a ruling is
    /// due, or if the debate is closed. Otherwise it waits until one of these is true or the timeout is over. With
    /// `until_opened`, a debate that does not exist is waited for, too; if it is not opened before the timeout is over, the
    /// answer is `DEBATE_NOT_FOUND`.
    ///
    /// A timeout is not an error: the answer has `has_new_argument: false` and no `argument`, and `waiting` says which other
    /// roles wait on the debate. Wait again with the same `argument_id`. With news, `argument` is the newest unseen one,
    /// `earlier` has the others, so that none is missed, and the next wait is for `next_argument_id_to_wait`. `action`
    /// follows from state and role alone. A server that stops answers held waits at once, as after a timeout. More waits than
    /// the server is set to hold are `OVERLOADED`.
    #[oai(path = "/debates/:id/wait", method = "get", operation_id = "debate_wait")]
    async fn debate_wait(
        &self,
        _auth: Authenticated,
        /// The debate's id
        id: Path<DebateId>,
        /// The caller's role
        role: Required<Role>,
        /// The id of the last argument that the caller has seen; absent or empty if it has seen none
        argument_id: Optional<OptionalArgumentId>,
        /// How many seconds to wait at most; as many as it may be by default
        timeout: Optional<Number<0, MAX_WAIT_SECONDS>>,
        /// Whether to wait until the debate is opened, if it does not exist; false by default, and not with `argument_id`
        until_opened: Optional<bool>,
    ) -> LongPoll<ReadResult<WaitAnswer>> {
        let app = self.app.clone();
        let (last_seen, until_opened) = (argument_id.0.and_then(|id| id.0), until_opened.0.unwrap_or(false));
        let query = id.0.and_then(|debate_id| {
            if until_opened && last_seen.is_some() {
                let message = "cannot be true with an argument_id, which only a debate that is open has";
                return Err(Error::invalid("until_opened", message));
            }
            let timeout = Duration::from_secs(timeout.or(MAX_WAIT_SECONDS));
            Ok(WaitQuery { debate_id, last_seen, role: role.0, timeout, until_opened })
        });
        let room = self.room.clone();
        LongPoll::holding(async move {
            let outcome = app.debate_wait(query?).await?;
            let told = outcome.arguments.iter().flat_map(|new| new.earlier.iter().chain([&new.argument]));
            let held = room.hold_arguments(told)?;
            Ok((ok(outcome)?, held))
        })
    }
}
