//! Changes of issues for request bodies, and a debate that has issues in every status.

use serde_json::{Value, json};

use crate::{
    client::Client,
    debate::Debate,
    request_bodies::{self, with},
};

/// Raises an issue.
pub fn raise(severity: &str, title: &str) -> Value {
    json!({"change": "raise", "severity": severity, "title": title})
}

/// A change of an existing issue.
pub fn change(name: &str, issue: &str) -> Value {
    json!({"change": name, "issue": issue})
}

/// A change of an existing issue with a note.
pub fn noted(name: &str, issue: &str, note: &str) -> Value {
    with(change(name, issue), "note", note)
}

/// A change of the severity.
pub fn regrade(issue: &str, severity: &str) -> Value {
    with(change("regrade", issue), "severity", severity)
}

impl Debate {
    /// Creates a debate with issues in every status, one of them upheld and referred to the arbitrator by an APPEAL.
    pub async fn with_issues(client: &Client) -> Self {
        let mut debate = Self::create(client).await;
        let located = with(raise("medium", "Retries are not counted 🚦"), "location", "plan 3.1, \"budget\"");
        debate
            .claim_with(
                "opponent",
                json!([
                    raise("critical", "The pool is never drained"),
                    with(raise("high", "No limit"), "note", "Line one\n\tand two"),
                    with(located, "note", "Ngân sách"),
                    raise("low", "A name"),
                    raise("low", "A comment"),
                    raise("medium", "A test"),
                    raise("high", "A lock"),
                ]),
            )
            .await;
        let changes = json!([
            noted("fix", "I1", "plan 3.1"),
            change("fix", "I2"),
            noted("dispute", "I3", "They are."),
            noted("dispute", "I6", "There is one."),
        ]);
        debate.claim_with("proposer", changes).await;
        let changes = json!([
            change("resolve", "I1"),
            noted("reopen", "I2", "Still none"),
            change("withdraw", "I4"),
            regrade("I5", "medium"),
        ]);
        debate.claim_with("opponent", changes).await;
        debate.appeal_with(json!([change("refer", "I3"), change("refer", "I2")])).await;
        let changes =
            json!([change("dismiss", "I3"), noted("uphold", "I2", "One is needed."), raise("low", "The manual")]);
        debate.rule_with(false, changes).await;
        debate.claim_with("proposer", json!([change("fix", "I2"), change("fix", "I7")])).await;
        debate.claim_with("opponent", json!([noted("reopen", "I2", "Not for writes")])).await;
        debate.appeal_with(json!([noted("refer", "I2", "Is this in scope?")])).await;
        debate
    }

    /// Submits a claim with these changes of issues.
    pub async fn claim_with(&mut self, role: &str, changes: Value) -> Value {
        let body = request_bodies::claim(role, self.newest());
        self.write("arguments", &with(body, "issue_changes", changes)).await
    }

    /// Appeals with these changes of issues.
    pub async fn appeal_with(&mut self, changes: Value) -> Value {
        let body = request_bodies::answer_to(self.newest());
        self.write("appeal", &with(body, "issue_changes", changes)).await
    }

    /// Rules with these changes of issues, and closes the debate if `close` is set.
    pub async fn rule_with(&mut self, close: bool, changes: Value) -> Value {
        let body = with(request_bodies::decision(), "close", close);
        self.write("ruling", &with(body, "issue_changes", changes)).await
    }

    /// The `issues` and `counts` of `GET /debates/{id}/issues` with this query.
    pub async fn issues(&self, query: &str) -> Value {
        self.client().get(&self.path(&format!("/issues?{query}"))).await.data(200)
    }
}

/// Issues as a record tells them: without what may become of them now.
pub fn lasting_issues(mut issues: Value) -> Value {
    for issue in issues.as_array_mut().into_iter().flatten().filter_map(Value::as_object_mut) {
        issue.shift_remove("may");
    }
    issues
}
