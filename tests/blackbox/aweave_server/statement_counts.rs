//! How many statements a write costs on SQLite, where nothing else sends any: seats and texts without citations cost none.

use tests::{
    debate::{Debate, text},
    document::Document,
    request_bodies::{self, with},
    server::{Server, Settings},
};

/// The key of a side's seat.
fn key(role: &str) -> String {
    role[..1].repeat(43)
}

/// What a write sends to the database.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Sent {
    /// How many times it sends something
    texts: usize,
    /// How many statements and subqueries that has
    statements: usize,
}

/// Writes a claim and returns what it sends to the database.
async fn sent_by_claim(server: &Server, debate: &mut Debate, role: &str, content: &str, has_key: bool) -> Sent {
    let client = server.client();
    let body = with(request_bodies::claim(role, debate.newest()), "content", content);
    let before = server.log().len();
    let mut request = client.write(&debate.path("/arguments"), body.to_string());
    let key = key(role);
    if has_key {
        request = request.header("X-Debate-Seat", &[key.as_str()]);
    }
    debate.arguments.push(text(&client.send(&request).await.data(201)["argument"]["id"]));
    // The texts to search are stored in the background, on connections that may have to be opened first.
    let in_background = ["search_", "indexed_seq", "total_changes", "PRAGMA"];
    let is_of_search = |line: &str| in_background.iter().any(|part| line.contains(part));
    let is_of_write = |line: &&str| line.contains("sqlx::query") && !is_of_search(line);
    let log = server.log();
    let texts: Vec<&str> = log[before..].lines().filter(is_of_write).collect();
    let verbs = ["BEGIN", "SELECT", "INSERT INTO", "UPDATE ", "DELETE", "COMMIT"];
    let statements = texts.iter().flat_map(|text| verbs.map(|verb| text.matches(verb).count())).sum();
    Sent { texts: texts.len(), statements }
}

#[tokio::test]
async fn seats_and_texts_without_citations_cost_no_statement() {
    let server = Server::with(Settings::new().env("RUST_LOG", "info,sqlx=debug")).await;
    let document = Document::create(&server.client()).await;
    let mut debate = Debate::create(&server.client()).await;
    let plain = sent_by_claim(&server, &mut debate, "opponent", "Plain.", false).await;
    assert!(plain.texts > 0 && plain.statements > 1, "a write left no statement in the log, so the log proves nothing");
    for (role, content, has_key) in [
        ("proposer", "This one takes the seat.", true),
        ("opponent", "So does this one.", true),
        ("proposer", "Both are held.", true),
        ("opponent", "No citation: doc_id=x v1, and the word doc_id.", true),
    ] {
        let more = sent_by_claim(&server, &mut debate, role, content, has_key).await;
        assert_eq!(more, plain, "{content}");
    }
    for _ in 0..2 {
        let cites = format!("doc_id={0} v1 and doc_id={0} v2", document.id);
        let citing = sent_by_claim(&server, &mut debate, "proposer", &cites, true).await;
        assert_eq!(citing.texts, plain.texts + 1, "all citations are looked up with one statement");
        sent_by_claim(&server, &mut debate, "opponent", "Plain.", true).await;
    }
}
