//! The settings of webhooks, and `aweave-server webhook-test`.

use std::{
    fs,
    net::Ipv6Addr,
    os::unix::fs::PermissionsExt,
    process::{Command, Output},
};

use rstest::rstest;
use tempfile::TempDir;
use tests::{
    binaries,
    debate::Debate,
    server::{Server, Settings},
    store::Store,
    webhook_receiver::{Reception, SECRET, WebhookReceiver},
};

use super::sending_to;

async fn refused(settings: &Settings) -> String {
    let folder = TempDir::new().unwrap();
    let (status, said) = Server::start_refused(settings, &Store::fresh(folder.path())).await;
    assert!(status.code().is_some_and(|code| code != 0), "it ended with {status}: {said}");
    assert!(!said.contains("panicked") && !said.contains("KEEP"), "{said}");
    said
}

#[rstest]
#[case::not_http("ftp://chat.example/KEEP")]
#[case::no_scheme("chat.example/KEEP")]
#[case::no_host("http://")]
#[case::a_path("/hook")]
#[tokio::test]
async fn a_url_that_is_not_http_is_refused(#[case] url: &str, #[values(true, false)] by_flag: bool) {
    let settings = Settings::new().env("DEBATE_WEBHOOK_SECRET", SECRET);
    let settings = match by_flag {
        true => settings.args(&["--webhook-url", "http://127.0.0.1:9/", "--webhook-url", url]),
        false => settings.env("DEBATE_WEBHOOK_URLS", &format!("http://127.0.0.1:9/,{url}")),
    };
    let said = refused(&settings).await;
    assert!(said.contains("--webhook-url") && said.contains("http://"), "{said}");
}

#[tokio::test]
async fn a_url_without_a_secret_is_refused() {
    let settings = Settings::new().args(&["--webhook-url", "http://127.0.0.1:9/"]);
    let said = refused(&settings).await;
    assert!(said.contains("DEBATE_WEBHOOK_SECRET") && said.contains("whsec_"), "{said}");
    refused(&settings.env("DEBATE_WEBHOOK_SECRET", "")).await;
}

#[rstest]
#[case::no_prefix("S0VFUEtFRVBLRUVQS0VFUEtFRVBLRUVQS0VFUA==")]
#[case::too_short("whsec_S0VFUEtFRVBLRUVQS0VFUA==")]
#[case::too_long(&format!("whsec_{}", "S0VF".repeat(22)))]
#[case::not_base64("whsec_KEEP-KEEP-KEEP-KEEP-KEEP-KEEP-KEEP")]
#[tokio::test]
async fn a_malformed_secret_is_refused(#[case] secret: &str) {
    let settings = Settings::new().args(&["--webhook-url", "http://127.0.0.1:9/"]);
    let said = refused(&settings.env("DEBATE_WEBHOOK_SECRET", secret)).await;
    assert!(said.contains("DEBATE_WEBHOOK_SECRET") && !said.contains("S0VF"), "{said}");
}

#[rstest]
#[case("debates.example")]
#[case("http://debates.example/?q=1")]
#[case("http://debates.example/#x")]
#[case("http:\\\\debates.example\\x")]
#[case("http://debates.example/a b")]
#[tokio::test]
async fn a_public_url_that_no_link_can_begin_with_is_refused(#[case] url: &str) {
    let said = refused(&Settings::new().args(&["--public-url", url])).await;
    assert!(said.contains("--public-url"), "{said}");
}

/// A folder with the secret in a file.
fn secret_file() -> (TempDir, String) {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("secret");
    fs::write(&path, format!("{SECRET}\n")).unwrap();
    fs::set_permissions(&path, fs::Permissions::from_mode(0o600)).unwrap();
    let path = path.to_str().unwrap().to_owned();
    (folder, path)
}

#[tokio::test]
async fn secrets_from_a_file_and_in_urls_are_never_printed_logged_or_stored() {
    let mut receiver = WebhookReceiver::with(|number| match number {
        0 => Reception::Answer(500),
        _ => Reception::Answer(200),
    })
    .await;
    let (_folder, file) = secret_file();
    let settings = Settings::new()
        .env("DEBATE_WEBHOOK_URLS", &receiver.url().replace("http://", "http://user:secret-password@"))
        .env("DEBATE_WEBHOOK_SECRET_FILE", &file)
        .env("RUST_LOG", "trace");
    let server = Server::with(settings).await;
    Debate::create(&server.client()).await;
    let taken = receiver.taken(1).await.remove(0);
    assert!(taken.header("authorization").starts_with("Basic "), "user and password of the URL are sent");
    receiver.stop().await;
    Debate::create(&server.client()).await;
    tests::polling::until("the log tells of the failure", || server.log().contains("does not take").then_some(()))
        .await;
    let encoded = SECRET.trim_start_matches("whsec_");
    let mut texts = vec![server.log(), server.printed()];
    if let tests::store::Backend::Sqlite = server.store().backend() {
        let folder = server.store().path().parent().unwrap();
        let files = fs::read_dir(folder).unwrap().map(|file| fs::read(file.unwrap().path()).unwrap());
        texts.extend(files.map(|bytes| String::from_utf8_lossy(&bytes).into_owned()));
    }
    for text in texts {
        for secret in [encoded, "secret-path", "secret-password"] {
            assert!(!text.contains(secret), "{secret} leaks");
        }
    }
}

#[tokio::test]
async fn two_secrets_are_refused() {
    let (_folder, file) = secret_file();
    let settings =
        sending_to(&[]).args(&["--webhook-url", "http://127.0.0.1:9/"]).env("DEBATE_WEBHOOK_SECRET_FILE", &file);
    assert!(refused(&settings).await.contains("both set"));
}

fn webhook_test(receivers: &[&WebhookReceiver]) -> Output {
    let mut command = Command::new(binaries::server());
    for receiver in receivers {
        command.args(["--webhook-url", &receiver.url()]);
    }
    // It listens nowhere, so any port will do.
    command.args(["--port", "0", "--public-url", "https://debates.example", "webhook-test"]);
    command.env_clear().env("DEBATE_WEBHOOK_SECRET", SECRET).output().expect("the server's binary runs")
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn webhook_test_tells_which_receivers_take_messages() {
    let working = WebhookReceiver::start().await;
    let failing = WebhookReceiver::with(|_| Reception::Answer(404)).await;
    let output = webhook_test(&[&working]);
    let printed = String::from_utf8(output.stdout).unwrap();
    assert!(output.status.success(), "{printed}");
    assert_eq!(printed, format!("http://127.0.0.1:{}: took the message\n", working.port()));
    let message = working.taken(1).await[0].message();
    assert_eq!(message["type"], "webhook.test");
    assert!(message["data"]["url"].as_str().unwrap().starts_with("https://debates.example/d/"), "{message}");

    let output = webhook_test(&[&working, &failing]);
    assert_eq!(output.status.code(), Some(1));
    let (printed, said) = (String::from_utf8(output.stdout).unwrap(), String::from_utf8(output.stderr).unwrap());
    assert!(printed.contains("took the message\n") && printed.contains("404"), "{printed}");
    assert!(said.contains("1 of 2 receivers"), "{said}");
    assert!(!(printed + &said).contains("secret-path"));

    let over_ipv6 = WebhookReceiver::at(Ipv6Addr::LOCALHOST.into(), |_| Reception::Answer(204)).await;
    let output = webhook_test(&[&over_ipv6]);
    let printed = String::from_utf8(output.stdout).unwrap();
    assert_eq!(printed, format!("http://[::1]:{}: took the message\n", over_ipv6.port()));

    let none = webhook_test(&[]);
    assert_eq!(none.status.code(), Some(1));
    assert!(String::from_utf8(none.stderr).unwrap().contains("--webhook-url"));
}
