//! Debates and their arguments.

mod all_caches;
mod argument_cache;
mod backfill_hashes;
mod batch;
mod batch_statements;
mod citation_lookup;
mod debate_cache;
mod debate_change;
pub(super) mod issue_rows;
pub(super) mod issues;
mod json_list;
mod list;
mod plan_rows;
mod preview;
mod read;
mod record;
pub(super) mod row_errors;
pub(super) mod rows;
mod rulings_due;
mod search;
mod search_filler;
pub(super) mod search_statements;
pub(super) mod search_texts;
mod select;
pub(super) mod state_counts;
mod unindexed_arguments;

pub(super) use all_caches::Caches;
pub(super) use backfill_hashes::backfill_hashes;
pub(super) use batch::DebateBatch;
pub(super) use debate_change::DebateChange;
pub use read::Range;
pub use record::VerifiedHistory;
pub use search::{Found, Hit};
pub(super) use search_filler::SearchFiller;
pub(super) use state_counts::unchanged_totals;
