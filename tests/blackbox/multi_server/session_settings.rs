//! Settings that a role or a database has for its sessions: a server works as with none, or says why it does not start.

use std::time::Duration;

use rstest::rstest;
use tempfile::TempDir;
use tests::{
    debate::Debate,
    ids,
    postgres::{Database, Postgres},
    request_bodies::{self, with},
    server::{Server, Settings},
    store::{Backend, Store},
};
use tokio::time::sleep;

/// Settings that change nothing for a server.
const SETTINGS: [(&str, &str); 25] = [
    ("client_encoding", "LATIN1"),
    ("search_path", "of_others, public"),
    ("statement_timeout", "1"),
    ("lock_timeout", "1"),
    ("idle_in_transaction_session_timeout", "1"),
    ("idle_session_timeout", "100"),
    ("transaction_timeout", "20"),
    ("standard_conforming_strings", "off"),
    ("escape_string_warning", "on"),
    ("backslash_quote", "off"),
    ("quote_all_identifiers", "on"),
    ("transform_null_equals", "on"),
    ("array_nulls", "off"),
    ("timezone", "Asia/Kathmandu"),
    ("DateStyle", "German"),
    ("IntervalStyle", "sql_standard"),
    ("bytea_output", "escape"),
    ("extra_float_digits", "-15"),
    ("synchronous_commit", "off"),
    ("default_transaction_isolation", "serializable"),
    ("default_transaction_deferrable", "on"),
    ("gin_fuzzy_search_limit", "1"),
    ("plan_cache_mode", "force_generic_plan"),
    ("enable_indexscan", "off"),
    ("row_security", "off"),
];

fn fresh_role(database: &Database) -> String {
    let role = format!("role_{}", ids::fresh().replace('-', ""));
    let name = database.name();
    database.run(&format!(
        "CREATE ROLE {role} LOGIN PASSWORD 'short'; GRANT ALL ON DATABASE {name} TO {role}; \
         GRANT ALL ON SCHEMA public TO {role}"
    ));
    role
}

fn drop_role(database: &Database, role: &str) {
    Postgres::shared().run("postgres", &format!("ALTER DATABASE {} RESET ALL", database.name()));
    database.run(&format!("DROP OWNED BY {role}; DROP ROLE {role}"));
}

fn url_as(database: &Database, role: &str) -> String {
    let url = database.url();
    let (_, rest) = url.split_once('@').expect("a user");
    format!("postgres://{role}:short@{rest}")
}

/// Sets something for the sessions of the role or of the database.
fn set(database: &Database, role: Option<&str>, name: &str, value: &str) {
    let whose = role.map_or_else(|| format!("DATABASE {}", database.name()), |role| format!("ROLE {role}"));
    let value = if name == "search_path" { value.to_owned() } else { format!("'{value}'") };
    // Not over a connection to that database, whose own sessions have a millisecond for a statement then.
    Postgres::shared().run("postgres", &format!("ALTER {whose} SET {name} = {value}"));
}

/// Stores texts of many kinds of characters over both servers of a database, and finds them.
async fn store_and_find(servers: &[Server; 2]) {
    let (client, other) = (servers[0].client(), servers[1].client());
    let said = "Năm: \u{1f980} \\'; -- \"x\" \\u0041";
    let body = with(with(request_bodies::creation(), "title", said), "motion_content", said);
    let mut debate = Debate::create_with(&client, &body).await;
    for role in ["opponent", "proposer", "opponent"] {
        let claim = with(request_bodies::claim(role, debate.newest()), "content", format!("{said} by {role}"));
        debate.write("arguments", &claim).await;
        // Longer than a session may be idle, and shorter than a connection is trusted.
        sleep(Duration::from_millis(300)).await;
    }
    assert_eq!(debate.by(&other).history().await, debate.history().await);
    sleep(Duration::from_secs(2)).await;
    let wait = {
        let path = debate.path(&format!("/wait?role=opponent&argument_id={}&timeout=10", debate.newest()));
        let other = other.clone();
        tokio::spawn(async move { other.get(&path).await.data(200) })
    };
    servers[1].wait_for_connections(1).await;
    debate.claim("proposer").await;
    assert_eq!(wait.await.unwrap()["next_argument_id_to_wait"], debate.newest());
    let listed = client.get("/debates").await.data(200);
    assert_eq!((&listed["total"], &listed["debates"][0]["title"]), (&1.into(), &said.into()));
    let document = request_bodies::document(said);
    client.post("/documents", &document).await.data(201);
    for q in ["%F0%9F%A6%80%20n%C4%83m", "%C4%83", "%C4%83m"] {
        let found = other.get(&format!("/search?q={q}&kind=argument&kind=title")).await.data(200);
        assert_eq!(found["total"], 5, "{found}");
    }
    // Another letter whose first byte is the same.
    let found = other.get("/search?q=%C4%84&kind=argument&kind=title").await.data(200);
    assert_eq!(found["total"], 0, "{found}");
}

#[rstest]
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn settings_of_a_role_or_a_database_change_nothing(#[values(false, true)] of_role: bool) {
    let database = Postgres::shared().create();
    let role = fresh_role(&database);
    for (name, value) in SETTINGS {
        set(&database, of_role.then_some(&*role), name, value);
    }
    let folder = TempDir::new().unwrap();
    let settings = Settings::new().args(&["--database-url", &url_as(&database, &role)]).unset("DATABASE_URL");
    let store = Store::fresh_on(Backend::Sqlite, folder.path());
    let servers = [Server::on_store(settings.clone(), &store).await, Server::on_store(settings, &store).await];
    store_and_find(&servers).await;
    drop(servers);
    drop_role(&database, &role);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_database_without_an_encoding_stores_every_text() {
    let database = Postgres::shared().create_with("ENCODING 'SQL_ASCII' LOCALE 'C' TEMPLATE template0");
    let folder = TempDir::new().unwrap();
    let settings = Settings::new().args(&["--database-url", &database.url()]).unset("DATABASE_URL");
    let store = Store::fresh_on(Backend::Sqlite, folder.path());
    let servers = [Server::on_store(settings.clone(), &store).await, Server::on_store(settings, &store).await];
    store_and_find(&servers).await;
    // It may hold what is no text in any encoding, which is no hit and ends no search.
    Postgres::shared().run(
        database.name(),
        "UPDATE search_texts SET argument_text = E'\\xff' WHERE id = (SELECT min(id) FROM search_texts WHERE kind = 'argument')",
    );
    let found = servers[0].client().get("/search?q=%C4%83&kind=argument&kind=title").await.data(200);
    assert_eq!(found["total"], 4, "{found}");
}

#[rstest]
#[case::read_only("default_transaction_read_only", "on", "may not write to the database")]
#[case::no_schema("search_path", "nowhere", "search_path")]
#[tokio::test]
async fn settings_with_which_nothing_can_be_stored_are_told(
    #[case] name: &str,
    #[case] value: &str,
    #[case] told: &str,
    #[values(false, true)] of_role: bool,
) {
    let database = Postgres::shared().create();
    let role = fresh_role(&database);
    set(&database, of_role.then_some(&*role), name, value);
    let folder = TempDir::new().unwrap();
    let settings = Settings::new().args(&["--database-url", &url_as(&database, &role)]).unset("DATABASE_URL");
    let (status, said) = Server::start_refused(&settings, &Store::fresh_on(Backend::Sqlite, folder.path())).await;
    drop_role(&database, &role);
    assert!(status.code().is_some_and(|code| code != 0), "it ended with {status}: {said}");
    let last: Vec<&str> = said.lines().filter(|line| line.starts_with("aweave-server: ")).collect();
    assert!(matches!(last[..], [line] if line.contains(told)), "{said}");
}
