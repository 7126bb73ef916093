//! The answer to every write that adds a version to a document.

use serde::Deserialize;
use serde_json::{Value, json};
use uuid::Uuid;

use super::next;
use crate::{api::types, envelope::Answer, markdown::Page, server::Told};

/// Tells what was stored under `request_id`. Whoever wrote the text has it, so it is not repeated.
pub fn answer(told: Told<types::DocumentSubmitted>, request_id: String) -> Answer {
    let types::DocumentVersion { document_id, version, .. } = told.view.version;
    let replayed = told.view.replayed.unwrap_or_default();
    let mut data = json!({"document_id": document_id, "version": version});
    if replayed {
        data["replayed"] = replayed.into();
    }
    let stored = if replayed { "was stored before" } else { "is stored" };
    let message = format!("Version {version} {stored}. Arguments cite it as doc_id={document_id} v{version}");
    let mut answer = Answer::new(data, message, show).go_on(next::changed_by(document_id, version));
    answer.metadata.insert("client_request_id".to_owned(), request_id.into());
    answer
}

#[derive(Deserialize)]
struct Written {
    document_id: Uuid,
    version: u64,
}

fn show(data: &Value, page: &mut Page) -> serde_json::Result<()> {
    let written = Written::deserialize(data)?;
    page.heading(1, &format!("Version {} of document {}", written.version, written.document_id));
    Ok(())
}
