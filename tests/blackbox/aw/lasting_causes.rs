//! Causes that no wait can mend end it at once.

use std::{net::ToSocketAddrs, path::Path, process::Stdio};

use tests::{
    binaries,
    cli::{Agent, Run},
    debate::text,
    ids,
    stub_server::{Reply, StubServer},
};
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::TcpListener,
    process::Command,
};

/// Longer than any test waits for a command.
const WAIT: [&str; 6] = ["debate", "wait", "--role", "opponent", "--timeout", "3000"];

/// Checks that a wait ends with a cause and what to do about it.
#[track_caller]
fn assert_ended(run: &Run, cause: &str) {
    let document = run.failure(3, "CONNECTION_ERROR");
    let message = text(&document["error"]["message"]);
    assert!(message.contains(cause), "{message}");
    assert!(!text(&document["error"]["suggestion"]).is_empty(), "{document}");
    assert!(!run.stderr.contains("trying again"), "{}", run.stderr);
}

async fn wait(agent: &Agent) -> Run {
    agent.run(&[&WAIT[..], &["--debate-id", &ids::fresh()]].concat()).await
}

#[tokio::test]
async fn another_program_on_the_port_ends_a_wait() {
    for says in
        ["SSH-2.0-OpenSSH_9.6\r\n", "-ERR unknown command\r\n", "HTTP/1.1 404 Not Found\r\ncontent-length: 2\r\n\r\nno"]
    {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let agent = Agent::new(&format!("http://{}", listener.local_addr().unwrap()));
        let program = tokio::spawn(async move {
            while let Ok((mut connection, _)) = listener.accept().await {
                let _ = connection.read(&mut [0; 1024]).await;
                let _ = connection.write_all(says.as_bytes()).await;
            }
        });
        let cause = if says.starts_with("HTTP") { "is not an aweave server" } else { "another program uses its port" };
        assert_ended(&wait(&agent).await, cause);
        assert_ended(&agent.run(&["debate", "watch", "--debate-id", &ids::fresh(), "--role", "opponent"]).await, cause);
        program.abort();
    }
}

#[tokio::test]
async fn a_missing_network_ends_a_wait_for_a_server_on_this_machine() {
    // There is no way to this address, as to all others of a machine without any network.
    assert_ended(&wait(&Agent::new("http://127.255.255.255:3456")).await, "no network");
    let sandboxed = Agent::new("http://127.0.0.1:1").env("CODEX_SANDBOX_NETWORK_DISABLED", "1");
    assert_ended(&wait(&sandboxed).await, "no network");
    assert_ended(&sandboxed.run(&["debate", "list"]).await, "no network");
}

#[tokio::test]
async fn a_sandbox_without_network_ends_a_wait() {
    let unshare = |program: &Path| {
        let mut command = Command::new("unshare");
        command.args(["--map-root-user", "--net"]).arg(program).stdin(Stdio::null()).kill_on_drop(true);
        command
    };
    if !unshare(Path::new("true")).status().await.is_ok_and(|status| status.success()) {
        tests::report::report_skipped("a sandbox without network", "this machine does not allow it");
        return;
    }
    let home = tempfile::TempDir::new().unwrap();
    let mut command = unshare(binaries::aw());
    command.args(WAIT).args(["--debate-id", &ids::fresh()]).env("HOME", home.path());
    command.env("DEBATE_SERVER_URL", "http://127.0.0.1:3456");
    let output =
        tokio::time::timeout(tests::polling::DEADLINE, command.output()).await.expect("it ends at once").unwrap();
    let stdout = String::from_utf8(output.stdout).unwrap();
    assert!(output.status.code() == Some(3) && stdout.contains("no network, as in a sandbox"), "{stdout}");
}

#[tokio::test]
async fn a_name_that_does_not_exist_ends_a_wait() {
    let name = "no-such-machine.invalid:3456";
    match name.to_socket_addrs() {
        Err(error) if !error.to_string().contains("Temporary") => {
            assert_ended(&wait(&Agent::new(&format!("http://{name}"))).await, "no machine has this name");
        }
        found => tests::report::report_skipped("a name that does not exist", &format!("{found:?}")),
    }
}

#[tokio::test]
async fn a_server_that_was_reached_is_away_whatever_a_sandbox_says() {
    let stub = StubServer::start(vec![Reply::HangUp]).await;
    let agent = Agent::new(&stub.url()).env("CODEX_SANDBOX_NETWORK_DISABLED", "1");
    let id = ids::fresh();
    let wait = agent.spawn(&["debate", "wait", "--role", "opponent", "--timeout", "4", "--debate-id", &id]);
    stub.wait_for_requests(1).await;
    stub.stop().await;
    let run = wait.finish().await;
    assert!(run.stdout.contains("Connection refused") && run.stderr.contains("trying again"), "{run:?}");
    assert!(!run.stdout.contains("no network"), "{run:?}");
}
