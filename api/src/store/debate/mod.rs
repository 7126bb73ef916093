//! Debates and their arguments.

mod agent_rows;
mod argument_cache;
mod backfill_hashes;
mod batch;
mod batch_statements;
mod caches;
mod citation_lookup;
mod citation_rows;
mod debate_cache;
mod debate_change;
mod issue_rows;
mod issues;
mod list;
mod plan_rows;
mod read;
mod read_only_debates;
mod record;
mod row_errors;
mod rows;
mod rulings_due;
mod search;
mod search_texts;
mod select;
mod state_counts;
mod verify;

pub(super) use backfill_hashes::backfill_hashes;
pub(super) use batch::DebateBatch;
pub(super) use caches::Caches;
pub(super) use debate_change::DebateChange;
pub use read::Range;
pub use record::VerifiedHistory;
pub use search::Hit;
pub(super) use search_texts::SearchTexts;
pub(super) use state_counts::unchanged_totals;
pub(super) use verify::verify;
