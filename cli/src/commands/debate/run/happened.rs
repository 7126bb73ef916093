//! What an argument did, in words.

use serde_json::Value;

/// What changes of issues did.
const DONE: [(&str, &str); 10] = [
    ("fix", "fixed"),
    ("dispute", "disputed"),
    ("refer", "referred"),
    ("resolve", "resolved"),
    ("withdraw", "withdrew"),
    ("defer", "deferred"),
    ("reopen", "reopened"),
    ("regrade", "regraded"),
    ("uphold", "upheld"),
    ("dismiss", "dismissed"),
];

/// The severities, most harmful first.
const SEVERITIES: [&str; 4] = ["critical", "high", "medium", "low"];

/// What an argument did: a line, and one more for each issue that it raised. `issues` are those of the debate, with histories.
pub fn lines(argument: &Value, issues: &[Value]) -> Vec<String> {
    let of = |value: &Value, name: &str| value[name].as_str().unwrap_or_default().to_owned();
    let changes: Vec<&Value> = argument["issue_changes"].as_array().into_iter().flatten().collect();
    let raised: Vec<&&Value> = changes.iter().filter(|change| change["change"] == "raise").collect();
    let mut done = Vec::new();
    if !raised.is_empty() {
        let counts = SEVERITIES.iter().filter_map(|severity| {
            let count = raised.iter().filter(|change| change["severity"] == *severity).count();
            (count > 0).then(|| format!("{count} {severity}"))
        });
        done.push(format!("raised {}: {}", raised.len(), counts.collect::<Vec<_>>().join(", ")));
    }
    let seq = &argument["seq"];
    for (change, past) in DONE {
        let ids = changes.iter().filter(|other| other["change"] == change).map(|other| of(other, "issue"));
        let ids: Vec<_> = ids.collect();
        let is_unchanged = |id: &&String| {
            let issue = issues.iter().find(|issue| issue["id"] == id.as_str());
            let history = issue.and_then(|issue| issue["history"].as_array()).into_iter().flatten();
            history.into_iter().any(|entry| entry["seq"] == *seq && entry["unchanged"] == true)
        };
        let (unchanged, changed): (Vec<_>, Vec<_>) = ids.iter().partition(is_unchanged);
        let join = |ids: Vec<&String>| ids.into_iter().map(String::as_str).collect::<Vec<_>>().join(", ");
        if !changed.is_empty() {
            done.push(format!("{past} {}", join(changed)));
        }
        if !unchanged.is_empty() {
            done.push(format!("{past} {} without a change of the plan", join(unchanged)));
        }
    }
    done.extend(otherwise(argument, done.is_empty()).map(str::to_owned));
    let sentence = format!("{} {}", of(argument, "role"), done.join("; "));
    let titles = raised.iter().map(|change| format!("  {}: {}", of(change, "severity"), of(change, "title")));
    [sentence].into_iter().chain(titles).collect()
}

/// What it did besides its changes of issues.
fn otherwise(argument: &Value, changed_nothing: bool) -> Option<&'static str> {
    match argument["type"].as_str().unwrap_or_default() {
        "MOTION" => Some("opened the debate"),
        "APPEAL" => Some("asks for a ruling"),
        "RESOLUTION" => Some("asks to finish"),
        "INTERVENTION" => Some("stepped in"),
        "RULING" if argument["close"] == true => Some("closed the debate"),
        "RULING" => Some("ruled"),
        _ => changed_nothing.then_some("answered, and changed no issue"),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn what_happened_is_told_in_words() {
        let raise = |severity: &str, title: &str| json!({"change": "raise", "severity": severity, "title": title});
        let change = |change: &str, issue: &str| json!({"change": change, "issue": issue});
        let fixed = json!({"id": "I2", "history": [{"seq": 7, "unchanged": true}]});
        for (argument, told) in [
            (json!({"type": "MOTION", "role": "proposer", "issue_changes": null}), vec!["proposer opened the debate"]),
            (
                json!({"type": "CLAIM", "role": "opponent", "issue_changes":
                    [raise("low", "a"), raise("high", "b"), raise("low", "c"), change("resolve", "I1")]}),
                vec!["opponent raised 3: 1 high, 2 low; resolved I1", "  low: a", "  high: b", "  low: c"],
            ),
            (
                json!({"type": "CLAIM", "role": "proposer", "seq": 7, "issue_changes":
                    [change("fix", "I1"), change("fix", "I2"), change("dispute", "I3"), change("fix", "I4")]}),
                vec!["proposer fixed I1, I4; fixed I2 without a change of the plan; disputed I3"],
            ),
            (json!({"type": "CLAIM", "role": "opponent"}), vec!["opponent answered, and changed no issue"]),
            (
                json!({"type": "APPEAL", "role": "proposer", "issue_changes": [change("refer", "I1")]}),
                vec!["proposer referred I1; asks for a ruling"],
            ),
            (json!({"type": "RESOLUTION", "role": "proposer"}), vec!["proposer asks to finish"]),
            (
                json!({"type": "RULING", "role": "arbitrator", "close": false, "issue_changes": [change("dismiss", "I1")]}),
                vec!["arbitrator dismissed I1; ruled"],
            ),
            (json!({"type": "RULING", "role": "arbitrator", "close": true}), vec!["arbitrator closed the debate"]),
            (json!({"type": "INTERVENTION", "role": "arbitrator"}), vec!["arbitrator stepped in"]),
        ] {
            assert_eq!(lines(&argument, std::slice::from_ref(&fixed)), told);
        }
    }
}
