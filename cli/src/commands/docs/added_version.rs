//! The output of every command that adds a version to a document.

use serde_json::{Value, json};

use super::next_command;
use crate::{
    client::types::{DocumentSubmitted, DocumentVersion},
    output::{envelope::Output, invocation::Next, markdown::Markdown},
};

/// Reports the stored version. Its text is left out, since the author has it.
pub fn output(submitted: DocumentSubmitted, request_id: String) -> Output {
    let DocumentVersion { document_id, version, sha256, .. } = submitted.version;
    let mut data = json!({"document_id": document_id, "version": version, "sha256": sha256});
    let stored = if submitted.replayed.unwrap_or_default() {
        data["replayed"] = true.into();
        "was stored before"
    } else {
        "is stored"
    };
    // The first version is often stored before there is a debate.
    let place = if version == 1 { "Cite it in the motion or" } else { "Go on in the debate, and cite it" };
    let message = format!("Version {version} {stored}. {place} in your argument as `doc_id={document_id} v{version}`");
    Output::new(data, message)
        .with_markdown(render)
        .with_next(Next::Citation(format!("doc_id={document_id} v{version}")))
        .with_also([next_command::changes_of(document_id, version)])
        .with_metadata("client_request_id", request_id)
}

fn render(data: &Value, md: &mut Markdown) -> serde_json::Result<()> {
    let document_id = data["document_id"].as_str().unwrap_or_default();
    md.heading(1, &format!("Version {} of document {document_id}", data["version"]));
    Ok(())
}
