//! `aweave-server verify`.

use tests::{
    debate::Debate,
    document::Document,
    request_bodies::{self, with},
    server::{Server, Settings},
};

#[tokio::test]
async fn verify_accepts_a_valid_database_of_a_running_server() {
    let server = Server::start().await;
    let mut debate = Debate::create(&server.client()).await;
    debate.claim("opponent").await;
    let (fine, said) = server.verify();
    assert!(fine && said.starts_with("in order: 1 debate with 2 arguments, 0 documents with 0 versions\n"), "{said}");
}

#[tokio::test]
async fn verify_detects_a_changed_content_and_names_its_row() {
    let mut server = Server::with(Settings::new().restartable()).await;
    let mut debate = Debate::create(&server.client()).await;
    let claim = debate.claim("opponent").await["argument"].clone();
    let content = claim["content"].as_str().expect("a text").to_owned();
    server.terminate();
    server.wait_for_exit().await;
    server.store().corrupt(&content, &content.to_uppercase());
    let (fine, said) = server.verify();
    assert!(!fine && said.contains("hash") && said.contains(claim["id"].as_str().unwrap()), "{said}");
    assert!(!said.contains(&content.to_uppercase()), "{said}");
}

/// Damage to a document with two versions and a debate whose second argument cites version 2, and what names it.
const DAMAGE: [(&str, &[&str]); 12] = [
    ("UPDATE document_versions SET content = 'two.' WHERE version = 2", &["DOCUMENT v2"]),
    ("UPDATE document_versions SET content = 'one.' WHERE version = 1", &["DOCUMENT v1"]),
    (
        "UPDATE document_versions SET content = (SELECT content FROM document_versions WHERE version = 1), \
         sha256 = (SELECT sha256 FROM document_versions WHERE version = 1) WHERE version = 2",
        &["debate DEBATE, seq 2", "doc_id=DOCUMENT v2"],
    ),
    (
        "DELETE FROM document_versions WHERE version = 2; UPDATE documents SET latest_version = 1",
        &["debate DEBATE, seq 2", "doc_id=DOCUMENT v2"],
    ),
    ("UPDATE document_versions SET summary = 'other' WHERE version = 2", &["DOCUMENT v2"]),
    ("UPDATE arguments SET citations = NULL WHERE seq = 2", &["debate DEBATE, seq 2"]),
    ("UPDATE arguments SET citations = '[' WHERE seq = 2", &["debate DEBATE, seq 2", "citations"]),
    ("UPDATE arguments SET role = 'nobody' WHERE seq = 2", &["debate DEBATE, seq 2", "role"]),
    ("UPDATE debates SET rounds = 7", &["DEBATE (seq 2)", "rounds"]),
    ("UPDATE debates SET title = 'other'", &["DEBATE (seq 2)", "title"]),
    ("UPDATE debates SET state = 'OPEN'", &["DEBATE (seq 2)", "state"]),
    ("UPDATE debates SET issue_counts = '[]'", &["DEBATE (seq 2)", "issue_counts"]),
];

#[tokio::test]
async fn verify_names_the_debate_and_seq_or_the_document_and_version_of_what_is_wrong() {
    for (sql, named) in DAMAGE {
        let mut server = Server::with(Settings::new().restartable()).await;
        let client = server.client();
        let document = Document::create(&client).await;
        document.submit(&request_bodies::document("Two.")).await;
        let mut debate = Debate::create(&client).await;
        let cites = format!("See doc_id={} v2 and doc_id={} v3", document.id, document.id);
        debate.write("arguments", &with(request_bodies::claim("opponent", debate.newest()), "content", cites)).await;
        let (fine, said) = server.verify();
        assert!(fine, "{said}");
        server.terminate();
        server.wait_for_exit().await;
        server.store().run(sql);
        let (fine, said) = server.verify();
        assert!(!fine, "{sql}: {said}");
        for name in named {
            let name = name.replace("DOCUMENT", &document.id).replace("DEBATE", &debate.id);
            assert!(said.contains(&name), "{sql}: {said}");
        }
    }
}
