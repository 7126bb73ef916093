//! What a debate is and which moves are legal, and what a document is: pure code without IO (SPEC sections 1 to 3).

mod action;
mod argument;
mod chain;
mod debate;
mod decide;
mod document;
mod id;
mod metadata;
mod name;
mod refusal;
mod replay;
mod role;
mod state;
mod text;

pub use action::{Action, action_for};
pub use argument::{AppealOption, Argument, ArgumentKind, ArgumentType, FREE_FORM_LABEL, with_free_form};
pub use chain::Hash;
pub use debate::{Debate, DebateType, Draft, NewDebate, Submission};
pub use decide::{Attempt, Step, Target, allowed_types, decide};
pub use document::{Document, DocumentVersion, Missing, NewDocument, NewVersion, Text, VersionEntry};
pub use id::{ArgumentId, DebateId, DocumentId, RequestId, RequestIdFault};
pub use metadata::{Metadata, MetadataFault};
pub use name::UnknownName;
pub use refusal::{NotAllowed, Refusal};
pub use replay::{Replay, ReplayFault, replay};
pub use role::{Role, Side};
pub use state::{
    AwaitingArbitrator, AwaitingOpponent, AwaitingProposer, Closed, InterventionPending, LateArgument, LateDelivery,
    Question, State, StateName, Summons,
};
pub use text::{Content, Limits, Summary, TextFault, TextRule, Title, Unit, check_characters};
