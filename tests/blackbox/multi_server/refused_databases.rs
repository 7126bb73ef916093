//! Databases that a server cannot use: it says why in one line without a password, and exits with a failure.

use std::net::TcpListener;

use rstest::rstest;
use tempfile::TempDir;
use tests::{
    debate::Debate,
    ids,
    postgres::{Database, Postgres},
    server::{Server, Settings},
    store::Store,
};

const SECRET: &str = "s3cret-w0rd";

async fn refused(url: &str) -> String {
    let folder = TempDir::new().unwrap();
    let settings = Settings::new().args(&["--database-url", url]).unset("DATABASE_URL");
    let (status, said) =
        Server::start_refused(&settings, &Store::fresh_on(tests::store::Backend::Sqlite, folder.path())).await;
    assert!(status.code().is_some_and(|code| code != 0), "it ended with {status}: {said}");
    let words: Vec<&str> = said.lines().filter(|line| line.starts_with("aweave-server: ")).collect();
    assert_eq!(words.len(), 1, "not one line: {said}");
    assert!(!said.contains(SECRET) && !said.contains("panicked"), "{said}");
    words[0].to_owned()
}

/// The database's URL with another role.
fn url_as(database: &Database, role: &str) -> String {
    let url = database.url();
    let (_, rest) = url.split_once('@').expect("a user");
    format!("postgres://{role}:{SECRET}@{rest}")
}

fn fresh_role() -> String {
    format!("role_{}", ids::fresh().replace('-', ""))
}

#[tokio::test]
async fn an_unreachable_host_is_refused() {
    let nobody = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
    let said = refused(&format!("postgres://me:{SECRET}@127.0.0.1:{nobody}/debates")).await;
    assert!(said.contains(&format!("127.0.0.1:{nobody}/debates cannot be reached")), "{said}");
    let said = refused(&format!("postgres://me:{SECRET}@no-such-host.invalid/debates")).await;
    assert!(said.contains("no-such-host.invalid:5432/debates cannot be reached"), "{said}");
}

#[tokio::test]
async fn a_wrong_password_is_refused() {
    let database = Postgres::shared().create();
    let said = refused(&url_as(&database, "tester")).await;
    assert!(said.contains("refuses user tester"), "{said}");
}

#[tokio::test]
async fn a_missing_database_is_refused_with_the_sql_to_create_it() {
    let said = refused(&Postgres::shared().url("nowhere_to_be_found")).await;
    assert!(said.contains("CREATE DATABASE \"nowhere_to_be_found\""), "{said}");
}

#[rstest]
#[tokio::test]
async fn a_read_only_role_is_refused(#[values(false, true)] schema_is_there: bool) {
    let (database, role) = (Postgres::shared().create(), fresh_role());
    if schema_is_there {
        let folder = TempDir::new().unwrap();
        let settings = Settings::new().args(&["--database-url", &database.url()]);
        let store = Store::fresh_on(tests::store::Backend::Sqlite, folder.path());
        let mut server = Server::on_store(settings, &store).await;
        server.terminate();
        server.wait_for_exit().await;
    }
    database.run(&format!("CREATE ROLE {role} LOGIN PASSWORD '{SECRET}'; GRANT pg_read_all_data TO {role}"));
    let said = refused(&url_as(&database, &role)).await;
    database.run(&format!("DROP ROLE {role}"));
    assert!(said.contains(&format!("{role} may not write to the database")), "{said}");
}

#[tokio::test]
async fn a_role_with_read_only_transactions_is_refused() {
    let (database, role) = (Postgres::shared().create(), fresh_role());
    database.run(&format!(
        "CREATE ROLE {role} LOGIN PASSWORD '{SECRET}'; ALTER ROLE {role} SET default_transaction_read_only = on"
    ));
    let said = refused(&url_as(&database, &role)).await;
    database.run(&format!("DROP ROLE {role}"));
    assert!(said.contains(&format!("{role} may not write to the database")), "{said}");
}

#[rstest]
#[tokio::test]
async fn a_database_whose_encoding_cannot_store_every_text_is_refused_with_what_to_do(
    #[values("LATIN1", "EUC_KR", "WIN1252")] encoding: &str,
) {
    let options = format!("ENCODING '{encoding}' LOCALE 'C' TEMPLATE template0");
    let said = refused(&Postgres::shared().create_with(&options).url()).await;
    assert!(said.contains(&format!("its encoding is {encoding}")) && said.contains("ENCODING 'UTF8'"), "{said}");
}

#[rstest]
#[case::debates("CREATE TABLE debates (id integer)", "debates")]
#[case::arguments("CREATE TABLE arguments (id integer)", "arguments")]
#[case::somebody_elses_steps(
    "CREATE TABLE seaql_migrations (version text PRIMARY KEY, applied_at bigint NOT NULL); \
     INSERT INTO seaql_migrations VALUES ('m20200101_000001_create_users', 0)",
    "seaql_migrations"
)]
#[tokio::test]
async fn tables_of_another_application_are_refused(#[case] sql: &str, #[case] table: &str) {
    let database = Postgres::shared().create();
    database.run(sql);
    let said = refused(&database.url()).await;
    assert!(said.contains(&format!("a table {table} of another program")), "{said}");
}

#[tokio::test]
async fn a_newer_schema_is_refused() {
    let mut server = Server::start().await;
    server.terminate();
    server.wait_for_exit().await;
    let database = server.store().database();
    database.run("INSERT INTO seaql_migrations (version, applied_at) VALUES ('m9999_from_the_future', 0)");
    let said = refused(&database.url()).await;
    assert!(said.contains("m9999_from_the_future"), "{said}");
}

#[rstest]
#[case::no_port(&format!("postgres://me:{SECRET}/debates"))]
#[case::an_at_sign_too_many(&format!("postgres://me:x@{SECRET}@host:port/debates"))]
#[case::no_such_parameter_value(&format!("postgres://me:{SECRET}@host/debates?sslmode=perhaps"))]
#[tokio::test]
async fn a_malformed_url_is_refused(#[case] url: &str) {
    let said = refused(url).await;
    assert!(said.contains("postgres://USER:PASSWORD@HOST"), "{said}");
}

#[tokio::test]
async fn search_works_without_the_right_to_create_extensions() {
    const TOLD: &str = "searches scan all titles";
    let (database, role) = (Postgres::shared().create(), fresh_role());
    database
        .run(&format!("CREATE ROLE {role} LOGIN PASSWORD '{SECRET}'; GRANT CREATE, USAGE ON SCHEMA public TO {role}"));
    let folder = TempDir::new().unwrap();
    let settings = Settings::new().args(&["--database-url", &url_as(&database, &role)]).unset("DATABASE_URL");
    let store = Store::fresh_on(tests::store::Backend::Sqlite, folder.path());
    let mut server = Server::on_store(settings.restartable(), &store).await;
    Debate::create(&server.client()).await;
    assert!(server.log().contains(TOLD), "{}", server.log());
    // A part of the title, in another case.
    let search = "/debates?q=BUDGET";
    assert_eq!(server.client().get(search).await.data(200)["total"], 1);
    server.terminate();
    server.wait_for_exit().await;
    database.run("CREATE EXTENSION pg_trgm");
    server.restart().await;
    assert_eq!(server.log().matches(TOLD).count(), 1, "{}", server.log());
    assert_eq!(server.client().get(search).await.data(200)["total"], 1);
    server.terminate();
    server.wait_for_exit().await;
    database.run(&format!("DROP OWNED BY {role}; DROP ROLE {role}"));
}
