//! Values that no server writes, in every column of every table of a SQLite file, which takes any. No answer is a failure of the server:
//! what is asked for by its id is `HISTORY_INVALID`, or served where the column does not matter to it; lists leave it out and
//! say so; and everything else is as before.

use serde_json::{Value, json};
use tests::{
    api_response::ApiResponse,
    client::Client,
    debate::Debate,
    document::Document,
    issue_changes::raise,
    request_bodies::{self, with},
    server::{Server, Settings},
    sql::Sql,
    store::Backend,
};

use crate::websocket::viewer::Viewer;

/// Values that some columns may not have.
const VALUES: [&str; 5] = ["'x'", "X'00FF'", "NULL", "9223372036854775807", "1.5"];

/// The tables of which a row is changed for each column and value.
const TABLES: [&str; 5] = ["debates", "arguments", "issues", "documents", "document_versions"];

/// A debate in which a ruling is due, with an issue, and the document that it cites.
struct Unit {
    debate: Debate,
    document: Document,
}

impl Unit {
    async fn create(client: &Client) -> Self {
        let document = Document::create(client).await;
        document.submit(&request_bodies::document("Two.")).await;
        let creation = with(request_bodies::creation(), "motion_content", format!("Of doc_id={} v2", document.id));
        let mut debate = Debate::create_with(client, &creation).await;
        debate.claim_with("opponent", json!([raise("low", "No limit")])).await;
        debate.write("appeal", &request_bodies::answer_to(debate.newest())).await;
        Self { debate, document }
    }

    /// What an UPDATE changes that has a row of this table as its target.
    fn rows(&self, table: &str) -> String {
        let hex = |id: &str| format!("X'{}'", id.replace('-', ""));
        let (debate, document) = (hex(&self.debate.id), hex(&self.document.id));
        match table {
            "debates" => format!("id = {debate}"),
            "arguments" => format!("debate_id = {debate} AND seq = 2"),
            "issues" => format!("debate_id = {debate}"),
            "documents" => format!("id = {document}"),
            _ => format!("document_id = {document} AND version = 2"),
        }
    }

    /// All that is asked for by an id.
    async fn answers(&self, client: &Client) -> Vec<ApiResponse> {
        let mut answers = Vec::new();
        for path in [
            self.debate.path(""),
            self.debate.path("/issues?history=true"),
            self.debate.path("/record"),
            self.debate.path("/wait?role=proposer&timeout=0"),
            self.debate.path(&format!("/wait?role=proposer&timeout=0&argument_id={}", self.debate.arguments[1])),
            format!("/wait?role=arbitrator&timeout=0&debate_id={}", self.debate.id),
            format!("/documents?debate_id={}", self.debate.id),
            format!("/documents/{}", self.document.id),
            format!("/documents/{}/versions", self.document.id),
        ] {
            answers.push(client.get(&path).await);
        }
        let ruling = with(request_bodies::decision(), "content", format!("As doc_id={} v2 says", self.document.id));
        answers.push(self.debate.attempt("ruling", &ruling).await);
        let version = format!("/documents/{}/versions", self.document.id);
        answers.push(client.post(&version, &request_bodies::document("Three.")).await);
        answers
    }
}

/// The ids in a list, and those in its faults.
fn listed(list: &Value, rows: &str, id: &str) -> (Vec<String>, Vec<String>) {
    let texts = |values: &Value, name: &str| {
        let values = values.as_array().cloned().unwrap_or_default();
        values.iter().filter_map(|one| one[name].as_str().map(str::to_owned)).collect()
    };
    (texts(&list[rows], "id"), texts(&list["faults"], id))
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_value_that_no_server_writes_fails_nothing_but_what_it_is_of() {
    let mut server = Server::on_backend(Backend::Sqlite, Settings::new().restartable()).await;
    let client = server.client();
    let untouched = Unit::create(&client).await;
    let before = untouched.debate.stored().await;
    let mut columns = Vec::new();
    let mut sql = Sql::connect(server.store()).await;
    for table in TABLES {
        for column in sql.texts(&format!("SELECT name FROM pragma_table_info('{table}')")).await {
            columns.extend(VALUES.map(|value| (table, column.clone(), value)));
        }
    }
    sql.close().await;
    let mut units = Vec::new();
    for _ in &columns {
        units.push(Unit::create(&client).await);
    }
    server.terminate();
    server.wait_for_exit().await;
    let mut sql = Sql::connect(server.store()).await;
    let mut changed = Vec::new();
    for (unit, (table, column, value)) in units.into_iter().zip(columns) {
        let rows = unit.rows(table);
        let update = format!("UPDATE {table} SET {column} = {value} WHERE {rows} AND {column} IS NOT {value}");
        // The database refuses some, and some change nothing.
        if sql.execute(&update).await == Ok(1) {
            changed.push((unit, format!("{table}.{column} = {value}")));
        }
    }
    sql.close().await;
    assert!(changed.len() > 100, "only {} rows were changed", changed.len());
    server.restart().await;

    let all = async |path: &str, rows: &str, id: &str| {
        let (mut ids, mut faults) = (Vec::new(), Vec::new());
        loop {
            let page = client.get(&format!("{path}&limit=200&offset={}", ids.len() + faults.len())).await.data(200);
            let (more, left_out) = listed(&page, rows, id);
            if more.is_empty() && page.get("faults").is_none() {
                return (ids, faults);
            }
            // Of some rows nothing can be told, not even the id.
            let unknown = page["faults"].as_array().map_or(0, Vec::len) - left_out.len();
            ids.extend(more);
            faults.extend(left_out);
            faults.extend((0..unknown).map(|_| "unknown".to_owned()));
        }
    };
    let (debates, debate_faults) = all("/debates?", "debates", "debate_id").await;
    let (documents, document_faults) = all("/documents?", "documents", "document_id").await;
    assert!(debates.contains(&untouched.debate.id) && documents.contains(&untouched.document.id));
    assert!(debate_faults.len() > 10 && document_faults.len() > 5, "{debate_faults:?} {document_faults:?}");
    for q in ["/debates?q=retry", "/debates?state=AWAITING_ARBITRATOR", "/wait?role=arbitrator&timeout=0"] {
        client.get(q).await.data(200);
    }
    let (_viewer, list) = Viewer::of_list(&server).await;
    assert!(list["debates"].is_array(), "{list}");

    let (fine, said) = server.verify();
    assert!(!fine, "{said}");
    for (unit, change) in &changed {
        for answer in unit.answers(&client).await {
            let code = answer.code();
            let is_told = code != "INTERNAL_ERROR" && code != "STORE_UNAVAILABLE";
            assert!(is_told, "{change}: {answer}");
        }
        let of_debate = !debate_faults.contains(&unit.debate.id) || !debates.contains(&unit.debate.id);
        assert!(of_debate, "{change}: listed and left out");
    }
    assert_eq!(untouched.debate.stored().await, before, "what was not changed is served as before");
    let metrics = client.response(&client.request("GET", "/metrics")).await.unwrap();
    let metrics = String::from_utf8(metrics.body).unwrap();
    let counted = metrics.lines().find_map(|line| line.strip_prefix("aweave_unreadable_rows_total ")).unwrap();
    assert!(counted.parse::<f64>().unwrap() >= (debate_faults.len() + document_faults.len()) as f64, "{counted}");
}

#[tokio::test]
async fn an_unreadable_document_is_told_by_its_id_and_in_lists() {
    let mut server = Server::on_backend(Backend::Sqlite, Settings::new().restartable()).await;
    let client = server.client();
    let (changed, other) = (Document::create(&client).await, Document::create(&client).await);
    changed.submit(&request_bodies::document("Two.")).await;
    server.terminate();
    server.wait_for_exit().await;
    let hex = changed.id.replace('-', "");
    server.store().run(&format!(
        "UPDATE documents SET updated_at = 'x' WHERE id = X'{hex}'; \
         UPDATE document_versions SET sha256 = 7 WHERE version = 1 AND document_id = X'{hex}'"
    ));
    server.restart().await;
    let list = client.get("/documents").await.data(200);
    assert_eq!((&list["total"], &list["documents"][0]["id"]), (&json!(1), &json!(other.id)), "{list}");
    assert_eq!(list["faults"], json!([{"document_id": changed.id}]));
    let told = client.get(&format!("/documents/{}", changed.id)).await.refusal("HISTORY_INVALID");
    assert_eq!((&told["document_id"], told.get("debate_id")), (&json!(changed.id), None), "{told}");
    server.terminate();
    server.wait_for_exit().await;
    server.store().run(&format!("UPDATE documents SET updated_at = created_at WHERE id = X'{hex}'"));
    server.restart().await;
    let versions = client.get(&format!("/documents/{}/versions", changed.id)).await.data(200);
    assert_eq!((&versions["total"], &versions["versions"][0]["version"]), (&json!(1), &json!(2)), "{versions}");
    assert_eq!(versions["faults"], json!([{"document_id": changed.id}]));
    client.get(&format!("/documents/{}", changed.id)).await.data(200);
    let told = client.get(&format!("/documents/{}?version=1", changed.id)).await.refusal("HISTORY_INVALID");
    assert_eq!((&told["document_id"], &told["version"]), (&json!(changed.id), &json!(1)), "{told}");
    let (fine, said) = server.verify();
    assert!(!fine && said.contains(&changed.id), "{said}");
}
