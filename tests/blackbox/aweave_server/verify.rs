//! `aweave-server verify`.

use tests::{
    debate::Debate,
    server::{Server, Settings},
};

#[tokio::test]
async fn verify_accepts_a_valid_database_of_a_running_server() {
    let server = Server::start().await;
    let mut debate = Debate::create(&server.client()).await;
    debate.claim("opponent").await;
    let (fine, said) = server.verify();
    assert!(fine && said.starts_with("in order: 1 debates with 2 arguments, 0 documents with 0 versions\n"), "{said}");
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
