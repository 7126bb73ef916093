//! Converts the options of APPEALs to the JSON of their column and back.

use entity::argument;

use super::{issue_rows, row_errors::bad_argument};
use crate::{domain::AppealOption, store::error::InconsistentRow};

/// The column `options`; none if there are none.
pub(super) fn column(options: &[AppealOption]) -> serde_json::Result<Option<String>> {
    (!options.is_empty()).then(|| serde_json::to_string(options)).transpose()
}

/// The options of a row of `arguments`.
pub(super) fn options(row: &argument::Model) -> Result<Vec<AppealOption>, InconsistentRow> {
    let Some(json) = &row.options else { return Ok(Vec::new()) };
    let options: Vec<AppealOption> = serde_json::from_str(json).map_err(|error| bad_argument("options", row, error))?;
    let check = |option: &AppealOption| issue_rows::check_changes(&option.issue_changes);
    options.iter().try_for_each(check).map_err(|reason| bad_argument("options", row, reason))?;
    Ok(options)
}
