//! A history that is changed behind the server's back is noticed by `aweave-server verify`.

use tests::{
    debate::Debate,
    server::{Server, Settings},
};

#[tokio::test]
async fn a_database_in_order_is_told_to_be_so_while_its_server_is_at_work() {
    let server = Server::start().await;
    let mut debate = Debate::create(&server.client()).await;
    debate.claim("opponent").await;
    let (fine, said) = server.verify();
    assert!(fine && said.starts_with("in order: 1 debates with 2 arguments, 0 documents with 0 versions\n"), "{said}");
}

#[tokio::test]
async fn a_changed_word_is_found_and_its_row_named() {
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
