//! A whole debate with the official SDK's clients.

use std::process::Stdio;

use serde_json::Value;
use tests::{binaries, cli::Agent, polling::DEADLINE, server::Server};
use tokio::{process::Command, time::timeout};

#[tokio::test]
async fn two_clients_of_the_official_sdk_debate_to_the_end() {
    let server = Server::shared().await;
    let agent = Agent::new(&server.url());
    let script = binaries::workspace().join("tests/mcp/whole_debate.mjs");
    let mut command = Command::new("node");
    command.arg(script).args([binaries::aw().to_str().unwrap(), &server.url(), agent.home().to_str().unwrap()]);
    command.stdin(Stdio::null()).kill_on_drop(true);
    let output = timeout(DEADLINE, command.output()).await.expect("it ends in time").expect("node runs");
    let (stdout, stderr) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert!(output.status.success(), "{stdout}{stderr}");
    let report: Value = serde_json::from_str(&stdout).unwrap_or_else(|error| panic!("{error}: {stdout}{stderr}"));
    assert_eq!(report["state"], "CLOSED");
    assert!(report["list_bytes"].as_u64().is_some_and(|bytes| bytes <= 17_500), "{report}");
    tests::report::report(&format!(
        "tools/list {} bytes, a round {} bytes",
        report["list_bytes"], report["round_bytes"]
    ));
}
