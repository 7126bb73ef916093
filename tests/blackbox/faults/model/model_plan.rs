//! The model of a plan that comes with an argument: its shape, the version that it is, and how the argument cites it.

use serde_json::{Value, json};

use super::{
    expected_response::Refusal,
    field_rules::{MAX_DOCUMENT, MAX_SUMMARY, forbidden, id_in},
    model_debate::Debate,
    model_document::{Document, sha256_of_text},
    model_request::{ModelRequest, Verb},
    model_server::ServerValues,
};

/// What a text counts besides its bytes if a plan comes with it.
pub fn line_bytes(request: &ModelRequest) -> usize {
    let takes_one = matches!(request.verb, Verb::Create | Verb::Submit | Verb::Appeal | Verb::Resolution);
    if takes_one && request.field("plan").is_object() { 62 } else { 0 }
}

/// The refusal of a text of the plan that is too long.
pub fn too_large(plan: &Value) -> Option<Refusal> {
    let bytes = plan["content"].as_str().map(str::len);
    let characters = plan["summary"].as_str().map(|summary| summary.chars().count());
    [("plan.content", bytes, MAX_DOCUMENT), ("plan.summary", characters, MAX_SUMMARY)].into_iter().find_map(
        |(field, actual, limit)| {
            let actual = actual.filter(|actual| *actual > limit)?;
            Some(Refusal::of("CONTENT_TOO_LARGE").with("limit", limit).with("actual", actual).with("field", field))
        },
    )
}

/// What the refusal of each fault of a plan names.
pub fn faults(plan: &Value, may_be_there: bool) -> Vec<Vec<String>> {
    if plan.is_null() {
        return Vec::new();
    }
    let of_texts = [("plan.content", &plan["content"]), ("plan.summary", &plan["summary"])];
    let forbidden = of_texts.into_iter().filter_map(|(field, text)| {
        let details = forbidden(text.as_str()?)?;
        Some([vec![field.to_owned()], details].concat())
    });
    let base = &plan["base"];
    let fits = may_be_there
        && plan["content"].is_string()
        && (plan["summary"].is_null() || plan["summary"].is_string())
        && (base.is_null() || base.is_u64());
    forbidden.chain((!fits).then(|| vec!["plan".to_owned()])).collect()
}

/// What becomes of a plan.
pub struct Planned {
    /// The request as if its text cited the plan by itself
    pub request: ModelRequest,
    /// Why the plan is refused, if it is
    pub refusal: Result<(), Refusal>,
    /// The version that is cited, as arguments keep it
    pub citation: Value,
    /// The version that is made: the body of a request that makes it. None if it is there
    pub made: Option<Value>,
}

impl Planned {
    /// What becomes of the plan of a request; none if it has none. `debate` is there if it is open.
    pub fn of(
        request: &ModelRequest,
        debate: Option<&Debate>,
        documents: &[Document],
        values: &ServerValues,
    ) -> Option<Self> {
        let plan = request.field("plan");
        let content = plan["content"].as_str()?;
        let text = if request.verb == Verb::Create { "motion_content" } else { "content" };
        let opened = || id_in(request.field("debate_id"));
        let debate_id = debate.map_or_else(opened, |debate| Some(debate.id.clone()))?;
        let sha256 = sha256_of_text(content);
        let asked = request.field("client_request_id").as_str().unwrap_or_default();
        let request_id = sha256_of_text(&format!("{debate_id}\n{asked}\n{content}\n"));
        let mut planned = Self { request: request.clone(), refusal: Ok(()), citation: Value::Null, made: None };
        planned.request.body.as_object_mut().expect("a body is an object").shift_remove("plan");
        let said = request.field(text).as_str().unwrap_or_default();
        let present = debate.map_or(Value::Null, Debate::plan);
        // What was stored is compared but for the number of the version, whose text has to be the same.
        if let Some((stored, citations)) = debate.and_then(|debate| debate.said_before(request)) {
            let cited = citations.as_array().into_iter().flatten();
            let mut same = cited.filter(|one| one["document_id"] == present["document_id"] && one["sha256"] == *sha256);
            let is_it = same.any(|citation| composed(citation, said) == *stored);
            planned.request.body[text] = if is_it { stored.clone() } else { "another text".into() };
            return Some(planned);
        }
        let document = match present["document_id"].as_str() {
            Some(id) => documents.iter().find(|document| document.id == id),
            None => documents.iter().find(|document| document.has_request(1, &request_id)),
        };
        let title = debate.map_or_else(|| request.field("title").clone(), |debate| debate.view()["title"].clone());
        let citation = |id: &str, version: usize| json!({"document_id": id, "version": version, "sha256": sha256});
        let body = |summary: Value| json!({"summary": summary, "content": content, "client_request_id": request_id});
        match document {
            None => {
                planned.citation = citation(&values.document, 1);
                planned.made = Some(body(title));
            }
            Some(document) if document.deleted_at.is_some() => {
                planned.refusal = Err(Refusal::of("DOCUMENT_NOT_FOUND"));
            }
            Some(document) => {
                let newest = document.latest();
                let same = |version: usize| document.sha256(version as u64) == Some(&Value::from(sha256.clone()));
                let of_request = (1..=newest).find(|version| document.has_request(*version, &request_id));
                let of_plan = present["version"].as_u64().and_then(|version| usize::try_from(version).ok());
                let equal = of_plan.into_iter().chain(of_plan.map(|_| newest)).find(|version| same(*version));
                match (equal, of_request) {
                    (Some(version), _) => planned.citation = citation(&document.id, version),
                    (None, Some(version)) if same(version) => planned.citation = citation(&document.id, version),
                    (None, Some(_)) => planned.refusal = Err(Refusal::of("IDEMPOTENCY_CONFLICT")),
                    (None, None) if plan["base"].as_u64().is_some_and(|base| base != newest as u64) => {
                        let refusal = Refusal::naming("ACTION_NOT_ALLOWED", vec![vec!["base".to_owned()]]);
                        planned.refusal = Err(refusal.with("field", "plan.base"));
                    }
                    (None, None) => {
                        let line = said.lines().map(str::trim).find(|line| !line.is_empty()).map(Value::from);
                        let cut = |text: Value| {
                            text.as_str().unwrap_or_default().chars().take(MAX_SUMMARY).collect::<String>()
                        };
                        let given = Some(&plan["summary"]).filter(|summary| !summary.is_null()).cloned();
                        let summary = given.unwrap_or_else(|| cut(line.unwrap_or(title)).into());
                        planned.citation = citation(&document.id, newest + 1);
                        planned.made = Some(body(summary));
                    }
                }
            }
        }
        planned.request.body[text] = composed(&planned.citation, said).into();
        Some(planned)
    }
}

fn composed(citation: &Value, said: &str) -> String {
    let line =
        format!("Plan: doc_id={} v{}", citation["document_id"].as_str().unwrap_or_default(), citation["version"]);
    if said.is_empty() { line } else { format!("{line}\n\n{said}") }
}
