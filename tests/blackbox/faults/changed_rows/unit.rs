//! A debate with every kind of argument and issue, and the document that it cites.

use serde_json::{Value, json};
use tests::{
    api_response::ApiResponse,
    client::Client,
    debate::Debate,
    document::Document,
    issue_changes::{change, noted, raise},
    request_bodies::{self, with},
};

/// A debate and its document, of which one row is changed.
pub struct Unit {
    pub debate: Debate,
    pub document: Document,
}

/// What a server tells of a unit: status and body of each answer.
#[derive(Debug, Clone, PartialEq)]
pub struct Told {
    pub debate: Answer,
    pub record: Answer,
    pub document: Vec<Answer>,
}

/// An answer.
#[derive(Debug, Clone, PartialEq)]
pub struct Answer {
    /// The error code, or `ok`
    pub code: String,
    pub envelope: Value,
}

impl From<ApiResponse> for Answer {
    fn from(answer: ApiResponse) -> Self {
        Self { code: answer.code().to_owned(), envelope: answer.envelope().clone() }
    }
}

impl Unit {
    /// Creates the debate and the document. The texts of each unit are others.
    pub async fn create(client: &Client, number: usize) -> Self {
        let text = |version: u64| {
            let body = with(
                request_bodies::document(&format!("Plan {number}, version {version}\n")),
                "metadata",
                json!({"n": number, "v": version}),
            );
            with(body, "summary", format!("Plan of unit {number}.{version}"))
        };
        let document = Document::create_with(client, &text(1)).await;
        for version in 2..=4 {
            document.submit(&text(version)).await;
        }
        let says =
            |body: Value, what: &str| with(body, "content", format!("{what} ({number}) doc_id={} v2", document.id));
        let types = ["coding_plan_debate", "general_debate"];
        let creation = with(request_bodies::creation(), "title", format!("Unit {number}"));
        let creation = with(with(creation, "debate_type", types[number % 2]), "max_rounds", 5 + number % 7);
        let mut debate = Debate::create_with(
            client,
            &with(creation, "motion_content", format!("Motion {number} doc_id={} v1", document.id)),
        )
        .await;
        let located = with(raise("medium", "Not counted"), "location", format!("plan {number}"));
        let raised =
            json!([raise("critical", "Never drained"), with(located, "note", "See there"), raise("low", "A name")]);
        debate.claim_with("opponent", raised).await;
        let changes = json!([noted("fix", "I1", "3.1"), noted("dispute", "I2", "They are.")]);
        let claim = with(request_bodies::claim("proposer", debate.newest()), "issue_changes", changes);
        debate.write("arguments", &says(claim, "Fixed")).await;
        debate.claim_with("opponent", json!([change("resolve", "I1"), noted("reopen", "I2", "Still")])).await;
        let interrupted = debate.newest().to_owned();
        debate.intervene().await;
        debate.write("arguments", &request_bodies::claim("proposer", &interrupted)).await;
        debate.rule_with(false, json!([raise("low", "The manual")])).await;
        let options = json!([{"label": "Per shard", "detail": "as now"}, {"label": "Global"}]);
        let appeal = with(request_bodies::answer_to(debate.newest()), "options", options);
        debate.write("appeal", &with(appeal, "issue_changes", json!([change("refer", "I2")]))).await;
        let ruling = with(request_bodies::decision(), "chosen_option", number % 2);
        debate.write("ruling", &with(ruling, "issue_changes", json!([noted("dismiss", "I2", "Not now.")]))).await;
        debate.claim("proposer").await;
        debate.claim("opponent").await;
        match number % 3 {
            0 => {}
            1 => drop(debate.request_completion().await),
            _ => {
                debate.request_completion().await;
                debate.rule(true).await;
            }
        }
        Self { debate, document }
    }

    /// The ids by which `verify` names what belongs to it.
    pub fn ids(&self) -> [String; 2] {
        [self.debate.id.clone(), self.document.id.clone()]
    }

    /// What the server tells of it now.
    pub async fn told(&self) -> Told {
        let client = self.debate.client();
        let mut document = Vec::new();
        for path in ["", "?version=1", "?version=2", "/versions"] {
            document.push(client.get(&self.document.path(path)).await.into());
        }
        Told {
            debate: client.get(&self.debate.path("")).await.into(),
            record: client.get(&self.debate.path("/record")).await.into(),
            document,
        }
    }
}
