//! Without webhooks the server asks the database nothing for them.

use tests::{
    debate::{Debate, Situation},
    server::{Server, Settings},
    webhook_receiver::WebhookReceiver,
};

use super::sending_to;

/// How many statements read or write webhook messages, from the start of a server to the end of a debate. The table is also named
/// where it is created, and where the rights to all tables are checked.
async fn statements(settings: Settings) -> usize {
    let server = Server::with(settings.env("RUST_LOG", "info,sqlx::query=debug")).await;
    let debate = Debate::in_situation(&server.client(), Situation::Closed).await;
    debate.stored().await;
    let log = server.log();
    log.lines().filter(|line| line.contains(r#"\"webhook_deliveries\""#) && !line.contains("CREATE")).count()
}

#[tokio::test]
async fn a_server_without_webhooks_runs_no_statement_about_them() {
    let receiver = WebhookReceiver::start().await;
    assert!(statements(sending_to(&[&receiver])).await > 0, "the log shows them");
    assert_eq!(statements(Settings::new()).await, 0);
}
