//! Columns with lists as JSON; null stands for an empty list.

use serde::{Serialize, de::DeserializeOwned};

/// The column of a list.
pub(super) fn column<T: Serialize>(list: &[T]) -> serde_json::Result<Option<String>> {
    (!list.is_empty()).then(|| serde_json::to_string(list)).transpose()
}

/// The list in a column.
pub(super) fn parse<T: DeserializeOwned>(column: Option<&str>) -> serde_json::Result<Vec<T>> {
    column.map_or(Ok(Vec::new()), serde_json::from_str)
}

#[cfg(test)]
mod tests {
    use std::fmt::Debug;

    use super::*;
    use crate::domain::{
        Agent, AgentPurpose, AppealOption, ChangeName, Citation, DocumentId, Hash, IssueChange, IssueNumber, Severity,
        Usage,
    };

    #[track_caller]
    fn is_stored_as<T: Serialize + DeserializeOwned + PartialEq + Debug>(list: Vec<T>, json: &str) {
        assert_eq!(column(&list).unwrap().as_deref(), Some(json));
        assert_eq!(parse::<T>(Some(json)).unwrap(), list);
    }

    #[test]
    fn values_have_the_names_with_which_earlier_versions_stored_them() {
        let usage = Usage {
            input_tokens: Some(1),
            cached_tokens: Some(2),
            output_tokens: Some(3),
            cost_microusd: Some(4),
            seconds: Some(5),
            changed_paths: Some(6),
            calls: Some(8),
            failed_calls: Some(9),
            denied_calls: Some(u64::MAX),
        };
        let (program, model) = (Some("codex".to_owned()), Some("m".to_owned()));
        let agent = Agent { program, model, purpose: Some(AgentPurpose::Reading), starts: Some(7), usage };
        is_stored_as(
            vec![agent, Agent::default()],
            r#"[{"program":"codex","model":"m","purpose":"reading","starts":7,"input_tokens":1,"cached_tokens":2,"output_tokens":3,"cost_microusd":4,"seconds":5,"changed_paths":6,"calls":8,"failed_calls":9,"denied_calls":18446744073709551615},{}]"#,
        );
        let sha256 = Hash::of_content("");
        is_stored_as(
            vec![Citation { document_id: DocumentId(uuid::Uuid::from_u128(1)), version: 2, sha256 }],
            r#"[{"document_id":"00000000-0000-0000-0000-000000000001","version":2,"sha256":"e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"}]"#,
        );
        let issue = IssueNumber::at(1).unwrap();
        let raise = IssueChange {
            severity: Some(Severity::High),
            title: Some("T".to_owned()),
            location: Some("l".to_owned()),
            note: Some("n".to_owned()),
            ..IssueChange::of(ChangeName::Raise, issue)
        };
        let dismiss = IssueChange::of(ChangeName::Dismiss, issue);
        is_stored_as(
            vec![raise, dismiss.clone()],
            r#"[{"change":"raise","issue":"I2","severity":"high","title":"T","location":"l","note":"n"},{"change":"dismiss","issue":"I2"}]"#,
        );
        let option = |label: &str| AppealOption {
            label: label.to_owned(),
            detail: None,
            free_form: false,
            issue_changes: Vec::new(),
        };
        is_stored_as(
            vec![
                AppealOption { detail: Some("d".to_owned()), issue_changes: vec![dismiss], ..option("A") },
                AppealOption { free_form: true, ..option("B") },
                option("C"),
            ],
            r#"[{"label":"A","detail":"d","issue_changes":[{"change":"dismiss","issue":"I2"}]},{"label":"B","free_form":true},{"label":"C"}]"#,
        );
        assert_eq!(column::<Agent>(&[]).unwrap(), None);
        assert_eq!(parse::<Agent>(None).unwrap(), []);
    }
}
