//! The receiver in docs/webhooks.md, which is a shell script.

use std::{
    fs,
    net::TcpListener,
    os::fd::OwnedFd,
    process::{Command, Stdio},
    thread,
};

use tempfile::TempDir;
use tests::{
    binaries,
    debate::{Debate, Situation},
    polling,
    server::{Server, Settings},
    webhook_receiver::SECRET,
};

/// The script in the documentation.
fn script() -> String {
    let page = fs::read_to_string(binaries::workspace().join("docs/webhooks.md")).unwrap();
    let (_, after) = page.split_once("```sh\n").expect("the page has a script");
    after.split_once("```").expect("the script ends").0.to_owned()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_documented_shell_script_takes_messages_and_prints_where_a_ruling_is_due() {
    let folder = TempDir::new().unwrap();
    let (path, printed) = (folder.path().join("receive.sh"), folder.path().join("printed"));
    fs::write(&path, script()).unwrap();
    fs::write(&printed, "").unwrap();
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("http://{}/", listener.local_addr().unwrap());
    let output = printed.clone();
    // As systemd-socket-activate and socat do: the connection is standard input and output of the script.
    thread::spawn(move || {
        for connection in listener.incoming() {
            let connection: OwnedFd = connection.unwrap().into();
            let stdin = Stdio::from(connection.try_clone().unwrap());
            let stderr = fs::File::options().append(true).open(&output).unwrap();
            let mut command = Command::new("sh");
            command.arg(&path).stdin(stdin).stdout(Stdio::from(connection)).stderr(stderr).status().unwrap();
        }
    });
    let settings = Settings::new().args(&["--webhook-url", &url]).env("DEBATE_WEBHOOK_SECRET", SECRET);
    let server = Server::with(settings.env("RUST_LOG", "debug")).await;
    let debate = Debate::in_situation(&server.client(), Situation::Closed).await;
    let title = debate.stored().await["debate"]["title"].as_str().unwrap().to_owned();
    polling::until("all messages were delivered", || {
        let delivered = server.log().matches("a webhook message was delivered").count();
        (delivered == 3).then_some(())
    })
    .await;
    let expected = format!("{title}: {}/d/{}\n", server.url(), debate.id);
    assert_eq!(fs::read_to_string(&printed).unwrap(), expected);
    assert!(!server.log().contains("does not take messages"));

    fs::write(&printed, "").unwrap();
    let mut command = Command::new(binaries::server());
    command.args(["--webhook-url", &url, "webhook-test"]).env_clear().env("DEBATE_WEBHOOK_SECRET", SECRET);
    assert!(command.output().unwrap().status.success());
    let test = polling::until("the test message", || {
        fs::read_to_string(&printed).ok().filter(|printed| printed.ends_with('\n'))
    });
    assert!(test.await.starts_with("Test of the webhook: http://"));
}
