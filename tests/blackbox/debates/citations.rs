//! What arguments cite: `citations`, `unknown_citations`, `unseen_citations` and the documents of a debate.

use serde_json::{Value, json};
use tests::{
    client::Client,
    debate::{Debate, text},
    document::Document,
    ids,
    request_bodies::{self, with},
    server::Server,
};

use crate::websocket::viewer::Viewer;

/// `printf 'One.\n' | sha256sum`
const SHA256_OF_ONE: &str = "77cff70ea8937d628a3741880862dfc662d1d1c57d6bdcb4a50b7d4e62b4a61e";

fn cited(document: &Document, version: u64) -> Value {
    json!({"document_id": document.id, "version": version})
}

fn citing(document: &Document, versions: impl IntoIterator<Item = u64>) -> String {
    versions.into_iter().map(|version| format!("See doc_id={} v{version}. ", document.id)).collect()
}

fn motion(content: &str) -> Value {
    with(request_bodies::creation(), "motion_content", content)
}

fn claim(debate: &Debate, role: &str, content: &str) -> Value {
    with(request_bodies::claim(role, debate.newest()), "content", content)
}

async fn document(client: &Client, versions: u64) -> Document {
    let document = Document::create(client).await;
    for version in 2..=versions {
        document.submit(&request_bodies::document(&format!("Version {version}.\n"))).await;
    }
    document
}

/// The documents that a debate cites.
async fn documents(client: &Client, query: &str) -> Vec<String> {
    let data = client.get(&format!("/documents?{query}")).await.data(200);
    let documents = data["documents"].as_array().unwrap();
    assert_eq!(data["total"], documents.len());
    documents.iter().map(|document| text(&document["id"])).collect()
}

#[tokio::test]
async fn every_version_has_the_hash_of_its_content() {
    let server = Server::shared().await;
    let document = document(&server.client(), 2).await;
    let first = document.get("version=1").await.data(200)["version"].clone();
    let history = document.history("").await.data(200)["versions"].clone();
    assert_eq!(history[1]["sha256"], first["sha256"]);
    assert_eq!(history[0]["sha256"], document.newest().await["sha256"]);
    assert_ne!(history[0]["sha256"], first["sha256"]);
    let created = server.client().post("/documents", &request_bodies::document("One.\n")).await.data(201);
    assert_eq!(created["version"]["sha256"], first["sha256"]);
    assert_eq!(first["sha256"], SHA256_OF_ONE);
}

#[tokio::test]
async fn an_argument_tells_what_it_cites_in_the_order_of_its_text() {
    let server = Server::shared().await;
    let client = server.client();
    let (plan, other) = (document(&client, 2).await, document(&client, 1).await);
    let spelled = plan.id.replace('-', "").to_uppercase();
    let content = format!(
        "doc_id={} v1, doc_id={spelled}   v2; doc_id={{{}}} v02, doc_id={} v2x, doc_id={} v3",
        other.id, plan.id, plan.id, plan.id
    );
    let opened = client.post("/debates", &motion(&content)).await.data(201);
    let sha256 = async |document: &Document, version| {
        document.get(&format!("version={version}")).await.data(200)["version"]["sha256"].clone()
    };
    let expected = json!([
        {"document_id": other.id, "version": 1, "sha256": sha256(&other, 1).await},
        {"document_id": plan.id, "version": 2, "sha256": sha256(&plan, 2).await},
    ]);
    assert_eq!(opened["argument"]["citations"], expected);
    assert_eq!(opened["unknown_citations"], json!([cited(&plan, 3)]));
    let id = text(&opened["debate"]["id"]);
    assert_eq!(client.get(&format!("/debates/{id}")).await.data(200)["motion"], opened["argument"]);
    assert_eq!(documents(&client, &format!("debate_id={id}")).await, [other.id.as_str(), &plan.id]);
}

#[tokio::test]
async fn every_write_tells_what_does_not_exist_and_is_stored_all_the_same() {
    let server = Server::shared().await;
    let client = server.client();
    let plan = document(&client, 1).await;
    let text_of = citing(&plan, [1, 2]);
    let unknown = json!([cited(&plan, 2)]);
    let mut debate = Debate::create(&client).await;
    let plain = debate.claim("opponent").await;
    assert_eq!((plain.get("unknown_citations"), plain["argument"].get("citations")), (Some(&json!([])), None));
    assert_eq!(plain.get("unseen_citations"), None);

    let claim = claim(&debate, "proposer", &text_of);
    let claimed = debate.write("arguments", &claim).await;
    let replayed = debate.attempt("arguments", &claim).await.data(200);
    for answer in [&claimed, &replayed] {
        assert_eq!(answer["unknown_citations"], unknown, "{answer}");
        assert_eq!(answer["argument"]["citations"][0]["version"], 1, "{answer}");
    }
    debate.claim("opponent").await;
    let bodies = [
        ("appeal", with(request_bodies::answer_to(debate.newest()), "content", text_of.as_str())),
        ("ruling", with(request_bodies::decision(), "content", text_of.as_str())),
        ("intervention", with(request_bodies::decision(), "content", text_of.as_str())),
    ];
    for (verb, body) in bodies {
        let answer = debate.write(verb, &body).await;
        assert_eq!((&answer["unknown_citations"], answer.get("unseen_citations")), (&unknown, None), "{answer}");
    }
    let (mut viewer, _) = Viewer::of_debate(&server, &debate.id).await;
    viewer.act("submit_ruling", json!({"debate_id": debate.id, "content": text_of})).await;
    let [accepted, _, _] = viewer.expect_all(["accepted", "new_argument", "state_changed"]).await;
    assert_eq!(accepted["unknown_citations"], unknown);
    assert_eq!(accepted["argument"]["citations"][0]["document_id"], plan.id);
}

#[tokio::test]
async fn a_resolution_tells_what_the_opponent_cannot_have_agreed_to() {
    let server = Server::shared().await;
    let client = server.client();
    let plan = document(&client, 3).await;
    let mut debate = Debate::create_with(&client, &motion(&citing(&plan, [1]))).await;
    let resolution =
        |debate: &Debate, content: &str| with(request_bodies::answer_to(debate.newest()), "content", content);
    debate.intervene().await;
    debate.rule(false).await;
    let body = resolution(&debate, &citing(&plan, [1, 9]));
    let asked = debate.write("resolution", &body).await;
    assert_eq!(asked["unseen_citations"], json!([cited(&plan, 1)]), "without a CLAIM of the opponent");
    assert_eq!(asked["unknown_citations"], json!([cited(&plan, 9)]));
    debate.rule(false).await;

    debate.write("arguments", &claim(&debate, "proposer", &citing(&plan, [2]))).await;
    debate.claim("opponent").await;
    let body = resolution(&debate, &citing(&plan, [3, 2, 1]));
    let asked = debate.write("resolution", &body).await;
    let replayed = debate.attempt("resolution", &body).await.data(200);
    for answer in [&asked, &replayed] {
        assert_eq!(answer["unseen_citations"], json!([cited(&plan, 3)]), "{answer}");
    }
    debate.rule(false).await;
    assert_eq!(debate.request_completion().await["unseen_citations"], json!([]));
}

#[tokio::test]
async fn documents_can_be_listed_by_the_debate_that_cites_them() {
    let server = Server::shared().await;
    let client = server.client();
    let (plan, notes, unused) = (document(&client, 2).await, document(&client, 1).await, document(&client, 1).await);
    let mut debate = Debate::create_with(&client, &motion(&citing(&plan, [1]))).await;
    let other = Debate::create_with(&client, &motion(&citing(&unused, [1]))).await;
    debate.write("arguments", &claim(&debate, "opponent", &(citing(&plan, [2]) + &citing(&notes, [1, 5])))).await;
    let query = format!("debate_id={}", debate.id);
    assert_eq!(documents(&client, &query).await, [notes.id.as_str(), &plan.id]);
    assert_eq!(documents(&client, &format!("{query}&q={}", plan.id)).await, [plan.id.as_str()]);
    assert_eq!(documents(&client, &format!("debate_id={}", other.id)).await, [unused.id.as_str()]);
    let page = client.get(&format!("/documents?{query}&limit=1&offset=1")).await.data(200);
    assert_eq!((&page["documents"][0]["id"], &page["total"]), (&json!(plan.id), &json!(2)));
    let spelled = debate.id.replace('-', "").to_uppercase();
    assert_eq!(documents(&client, &format!("debate_id={spelled}")).await.len(), 2);
    notes.delete().await.data(200);
    assert_eq!(documents(&client, &query).await, [plan.id.as_str()], "deleted documents are left out");

    let silent = Debate::create(&client).await;
    assert_eq!(documents(&client, &format!("debate_id={}", silent.id)).await, [""; 0]);
    client.get(&format!("/documents?debate_id={}", ids::fresh())).await.refusal("DEBATE_NOT_FOUND");
    let refused = client.get("/documents?debate_id=x").await.refusal("INVALID_INPUT");
    assert!(text(&refused["message"]).contains("debate_id"), "{refused}");
}
