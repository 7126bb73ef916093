//! Converts the options of APPEALs to the JSON of their column and back.

use std::borrow::Cow;

use entity::argument;
use serde::{Deserialize, Serialize};

use super::{issue_rows::ChangeJson, row_errors::bad_argument};
use crate::{domain::AppealOption, store::error::InconsistentRow};

/// An option in the JSON of the column `options`.
#[derive(Serialize, Deserialize)]
struct OptionJson<'a> {
    label: Cow<'a, str>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    detail: Option<Cow<'a, str>>,
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    free_form: bool,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    issue_changes: Vec<ChangeJson<'a>>,
}

impl<'a> From<&'a AppealOption> for OptionJson<'a> {
    fn from(AppealOption { label, detail, free_form, issue_changes }: &'a AppealOption) -> Self {
        Self {
            label: label.into(),
            detail: detail.as_deref().map(Into::into),
            free_form: *free_form,
            issue_changes: issue_changes.iter().map(Into::into).collect(),
        }
    }
}

/// The column `options`; none if there are none.
pub(super) fn column(options: &[AppealOption]) -> serde_json::Result<Option<String>> {
    if options.is_empty() {
        return Ok(None);
    }
    serde_json::to_string(&options.iter().map(OptionJson::from).collect::<Vec<_>>()).map(Some)
}

/// The options of a row of `arguments`.
pub(super) fn options(row: &argument::Model) -> Result<Vec<AppealOption>, InconsistentRow> {
    let Some(json) = &row.options else { return Ok(Vec::new()) };
    let options: Vec<OptionJson> = serde_json::from_str(json).map_err(|error| bad_argument("options", row, error))?;
    let option = |OptionJson { label, detail, free_form, issue_changes }: OptionJson| {
        let issue_changes = issue_changes.into_iter().map(TryInto::try_into).collect::<Result<_, String>>();
        Ok(AppealOption {
            label: label.into_owned(),
            detail: detail.map(Cow::into_owned),
            free_form,
            issue_changes: issue_changes.map_err(|reason| bad_argument("options", row, reason))?,
        })
    };
    options.into_iter().map(option).collect()
}
