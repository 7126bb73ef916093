//! The rules of debates and documents, without IO: which argument is allowed when, and which texts are accepted.

mod agent;
mod argument;
mod argument_hash;
mod citation;
mod debate;
mod document;
mod hash;
mod id;
mod issue;
mod metadata;
mod moves;
mod new_plan;
mod plan;
mod record;
mod replay;
mod role;
mod rounds;
mod search;
mod seat;
mod silence;
mod state;
mod state_machine;
mod step;
mod string_enum;
mod submission;
mod submit_error;
mod text;
mod time_text;
mod turn;
mod webhook;

pub(crate) use agent::usage_fields;
pub use agent::{AGENT_NAME, Agent, AgentPurpose, MAX_AGENTS, MAX_USED, Usage};
pub use argument::{AppealOption, Argument, ArgumentKind, ArgumentType, ChosenOption, FREE_FORM_LABEL, with_free_form};
pub use citation::{Citation, Citations, CitedVersion, are_all_in_text, cited_versions, unseen_citations};
pub use debate::{Debate, DebateType, RulingRequest};
pub use document::{
    Document, DocumentError, DocumentText, DocumentVersion, ListedDocument, NewDocument, NewVersion, VersionEntry,
};
pub use hash::Hash;
pub use id::{ArgumentId, DebateId, DocumentId, InvalidRequestId, RequestId};
pub use issue::{
    CHANGE_NOTE, ChangeError, ChangeField, ChangeName, ChangeNotAllowed, HistoryEntry, ISSUE_LOCATION, ISSUE_TITLE,
    Issue, IssueChange, IssueCounts, IssueNumber, IssueStatus, Ledger, MAX_CHANGES, MAX_ISSUES, RequestedChange,
    Severity, allowed_changes, histories, leads_to, may_carry,
};
pub use metadata::{Metadata, MetadataError};
pub use moves::Move;
pub use new_plan::{NewPlan, PLAN_LINE_BYTES, PlanPlace, PlanRefusal, PlanVersion};
pub use plan::{CitedVersions, Plan, PlanCitations};
pub use record::{
    AgentsOfRole, ClosingRuling, Entry, Outcome, Record, RecordedPlan, RecordedRuling, RoleStatistics, Statistics,
};
#[cfg(test)]
pub use replay::replay;
pub use replay::{Replay, ReplayError, WaitedFor};
pub use role::{Role, Side};
pub use rounds::Rounds;
pub use search::{
    MAX_QUERY_CHARACTERS, MAX_QUERY_WORDS, SearchKind, SearchWords, SearchWordsError, SearchedText, excerpt, folded,
    is_short_word, searchable, searched_texts,
};
pub use seat::{InvalidSeatKey, SeatHolder, SeatKey, SeatTaken, Seats};
pub use silence::{SILENT_AFTER, Waiting, unheard};
pub use state::{
    AwaitingArbitrator, AwaitingOpponent, AwaitingProposer, Closed, InterventionPending, LateArgument, LateDelivery,
    ProposerRequest, RespondingTo, State, StateName,
};
pub use state_machine::{Decision, decide};
pub use string_enum::UnknownValue;
pub(crate) use string_enum::string_enum;
pub use submission::{AtStoring, NewDebate, Submission};
pub use submit_error::{NotAllowed, SubmitError};
pub use text::{Content, Limits, Summary, TextError, TextRule, Title, Unit, check_characters};
pub use time_text::{serialize_time, time_text};
pub use turn::{Action, Turn, action_for};
pub use webhook::{EndpointId, WebhookEvent};
