//! `aweave-server verify`.

use tests::{
    debate::Debate,
    document::Document,
    polling,
    request_bodies::{self, with},
    server::{Server, Settings},
    store::Backend,
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
const DAMAGE: [(&str, &[&str]); 18] = [
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
    ("UPDATE document_versions SET metadata = '{\"a\": 1}' WHERE version = 1", &["DOCUMENT v1", "metadata_sha256"]),
    ("UPDATE document_versions SET metadata_sha256 = sha256 WHERE version = 1", &["DOCUMENT v1", "metadata_sha256"]),
    ("UPDATE document_versions SET metadata_sha256 = NULL WHERE version = 2", &["DOCUMENT v2", "metadata_sha256"]),
    ("UPDATE documents SET created_at = created_at - 1", &["DOCUMENT v2", "created_at"]),
    ("UPDATE documents SET updated_at = updated_at + 1", &["DOCUMENT v2", "updated_at"]),
    ("UPDATE debates SET updated_at = updated_at + 1", &["DEBATE (seq 2)", "updated_at"]),
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

#[tokio::test]
async fn verify_tells_every_fault_by_debate_and_document() {
    let mut server = Server::with(Settings::new().restartable()).await;
    let client = server.client();
    let (first, second, untouched) =
        (Debate::with_issues(&client).await, Debate::with_issues(&client).await, Debate::with_issues(&client).await);
    let document = Document::create(&client).await;
    document.submit(&request_bodies::document("Two.")).await;
    server.wait_until_searchable(polling::DEADLINE).await;
    server.terminate();
    server.wait_for_exit().await;
    let of = |debate: &Debate, seq: u64| {
        format!("WHERE id = (SELECT id FROM arguments AS a WHERE {} AND seq = {seq})", is(&server, debate))
    };
    let changes = [
        format!("UPDATE arguments SET content = 'Other.' {}", of(&first, 2)),
        format!("UPDATE arguments SET content = 'Other.' {}", of(&first, 5)),
        // Since when a ruling is due is kept where none is any more, and changed in the other one.
        format!(
            "UPDATE debates SET state = 'CLOSED', state_detail = NULL, option_count = NULL WHERE {}",
            is_id(&server, &first)
        ),
        format!("UPDATE debates SET ruling_since = 7 WHERE {}", is_id(&server, &second)),
        format!("UPDATE issues SET title = 'Other' WHERE {} AND number IN (1, 3)", is(&server, &first)),
        format!("UPDATE arguments SET created_at = created_at - 1 {}", of(&second, 3)),
        "UPDATE document_versions SET content = 'Other.' WHERE version = 1".to_owned(),
        "UPDATE document_versions SET metadata = '{ }' WHERE version = 2".to_owned(),
        "UPDATE documents SET title_folded = 'other'".to_owned(),
    ];
    server.store().run(&changes.join(";"));
    let (fine, said) = server.verify();
    assert!(!fine);
    let groups: Vec<&str> = said.lines().filter(|line| line.ends_with(':') && !line.starts_with(' ')).collect();
    let mut debates = [&first.id, &second.id];
    debates.sort_unstable();
    let expected =
        [format!("debate {}:", debates[0]), format!("debate {}:", debates[1]), format!("document {}:", document.id)];
    // A changed state also makes a counter wrong.
    assert_eq!(groups[..3], expected, "{said}");
    assert!(!said.contains(&untouched.id), "{said}");
    for named in [
        format!("(debate {}, seq 2): does not match", first.id),
        format!("(debate {}, seq 5): does not match", first.id),
        format!("column state, row {}", first.id),
        format!("row I1 (debate {}", first.id),
        format!("row I3 (debate {}", first.id),
        format!("(debate {}, seq 3): does not match", second.id),
        format!("column ruling_since, row {}", second.id),
        format!("column sha256, row {} v1", document.id),
        format!("column metadata_sha256, row {} v2", document.id),
        format!("column title_folded, row {} v2", document.id),
        "table debate_totals".to_owned(),
    ] {
        assert!(said.contains(&named), "{named}: {said}");
    }
    assert!(
        said.contains("15 faults"),
        "two counters, the texts to search of three arguments, and each change once: {said}"
    );
}

/// Changes of the schema that are faults, by store, and what names them.
fn changed_schemas(backend: Backend) -> Vec<(&'static str, &'static str)> {
    let mut changes = vec![
        ("DROP INDEX debates_updated_at_idx", "the index debates_updated_at_idx of debates is missing"),
        ("ALTER TABLE issues DROP COLUMN note", "the column note of issues is missing"),
    ];
    changes.extend(match backend {
        Backend::Sqlite => vec![
            ("DROP TRIGGER debate_titles_insert", "the trigger debate_titles_insert of debates is missing"),
            (
                "CREATE TRIGGER loses BEFORE INSERT ON arguments BEGIN SELECT RAISE(IGNORE); END",
                "the trigger loses of arguments is not the server's",
            ),
        ],
        Backend::Postgres => vec![
            (
                "CREATE FUNCTION loses() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NULL; END'; \
                 CREATE TRIGGER loses BEFORE INSERT ON arguments FOR EACH ROW EXECUTE FUNCTION loses()",
                "the trigger loses of arguments is not the server's",
            ),
            (
                "CREATE RULE loses AS ON INSERT TO arguments DO INSTEAD NOTHING",
                "the rule loses of arguments is not the server's",
            ),
        ],
    });
    changes
}

#[tokio::test]
async fn verify_names_what_is_missing_from_the_schema_and_what_may_change_rows() {
    for (sql, named) in changed_schemas(Backend::of_this_binary()) {
        let mut server = Server::with(Settings::new().restartable()).await;
        Debate::create(&server.client()).await.claim("opponent").await;
        server.terminate();
        server.wait_for_exit().await;
        server.store().run(sql);
        let (fine, said) = server.verify();
        assert!(!fine && said.contains(named), "{sql}: {said}");
    }
}

#[tokio::test]
async fn verify_tells_what_is_only_foreign_and_accepts_it() {
    let mut server = Server::with(Settings::new().restartable()).await;
    Debate::create(&server.client()).await.claim("opponent").await;
    server.terminate();
    server.wait_for_exit().await;
    server.store().run(
        "CREATE TABLE notes (id INTEGER PRIMARY KEY); CREATE INDEX quick ON debates (created_at); \
         ALTER TABLE issues ADD COLUMN label TEXT",
    );
    let (fine, said) = server.verify();
    assert!(fine, "{said}");
    for note in [
        "note: the index quick of debates is not the server's",
        "note: the column label of issues is not the server's",
        "note: the table notes is not the server's",
    ] {
        assert!(said.contains(note), "{note}: {said}");
    }
    server.restart().await;
}

/// SQL that finds the rows of a debate.
fn is(server: &Server, debate: &Debate) -> String {
    format!("debate_{}", is_id(server, debate))
}

/// SQL that finds a debate.
fn is_id(server: &Server, debate: &Debate) -> String {
    match server.store().backend() {
        Backend::Sqlite => format!("id = X'{}'", debate.id.replace('-', "")),
        Backend::Postgres => format!("id = '{}'", debate.id),
    }
}
