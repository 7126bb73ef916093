//! `make demo`: a debate of two scripted agents in which the user rules.

use std::{
    fs,
    path::Path,
    process::{ExitStatus, Stdio},
};

use serde_json::json;
use tempfile::TempDir;
use tests::{binaries, client::Client, os, polling};
use tokio::process::{Child, Command};

/// A running demo and its temporary folder.
struct Demo {
    child: Child,
    home: TempDir,
}

impl Demo {
    fn start(speed: u32) -> Self {
        let home = TempDir::new().unwrap();
        let kept = home.path().join("kept");
        fs::create_dir(&kept).unwrap();
        let stdout = fs::File::create(home.path().join("stdout")).unwrap();
        let stderr = fs::File::create(home.path().join("stderr")).unwrap();
        let mut command = Command::new("node");
        command.arg(binaries::workspace().join("demo/demo.mjs"));
        // The demo must ignore the user's settings.
        command.env("DEBATE_SERVER_URL", "http://127.0.0.1:1").env("DEBATE_AUTH_TOKEN", "another");
        command
            .env("DEMO_BIN", binaries::aw().parent().unwrap())
            .env("DEMO_SPEED", speed.to_string())
            .env("DEMO_BROWSER", "no");
        command
            .env("HOME", &kept)
            .env("TMPDIR", &kept)
            .stdin(Stdio::null())
            .stdout(stdout)
            .stderr(stderr)
            .kill_on_drop(true);
        Self { child: command.spawn().expect("node runs"), home }
    }

    fn printed(&self) -> String {
        let read = |name: &str| fs::read_to_string(self.home.path().join(name)).unwrap();
        read("stdout") + &read("stderr")
    }

    async fn prints(&self, what: &str) {
        let message = format!("the demo prints {what:?}");
        polling::until(&message, || self.printed().contains(what).then_some(())).await;
    }

    /// A client of the demo's server and the path of its debate, from the printed address.
    async fn address(&self) -> (Client, String) {
        let url = polling::until("the demo tells where to look", || {
            let printed = self.printed();
            let (_, rest) = printed.split_once("Open http://")?;
            Some(rest.split_once('\n')?.0.to_owned())
        })
        .await;
        let (server, id) = url.split_once("/d/").expect("the address of a debate");
        (Client::new(server.parse().unwrap()), format!("/debates/{id}"))
    }

    /// Waits for the demo to exit and checks that no files and no server are left.
    async fn wait_for_exit(mut self, client: &Client) -> (ExitStatus, String) {
        let child = &mut self.child;
        let status = polling::until("the demo ends", || child.try_wait().expect("the demo is a child process")).await;
        let kept: Vec<_> = Path::new(&self.home.path().join("kept")).read_dir().unwrap().collect();
        assert!(kept.is_empty(), "left behind: {kept:?}");
        assert!(client.response(&client.request("GET", "/health")).await.is_err(), "the server still answers");
        (status, self.printed())
    }
}

async fn wait_for_ruling_due(client: &Client, debate: &str) -> serde_json::Value {
    client.get(&format!("{debate}/wait?role=arbitrator&timeout=60")).await.data(200)
}

#[tokio::test]
async fn the_demo_appeals_follows_the_rulings_and_ends_when_closed() {
    let demo = Demo::start(200);
    let (client, debate) = demo.address().await;
    let ruling = format!("{debate}/ruling");
    let appeal = wait_for_ruling_due(&client, &debate).await["argument"].clone();
    let records = |record: serde_json::Value| record["record"]["plan"]["version"].as_u64();
    assert_eq!(records(client.get(&format!("{debate}/record")).await.data(200)), Some(2));
    assert_eq!((&appeal["type"], appeal["options"].as_array().map(Vec::len)), (&json!("APPEAL"), Some(3)), "{appeal}");
    demo.prints("Your turn. The two cannot agree").await;
    client.post(&ruling, &json!({"content": "Customers come first.", "chosen_option": 1})).await.data(201);
    assert_eq!(wait_for_ruling_due(&client, &debate).await["argument"]["type"], "RESOLUTION");
    demo.prints("Your turn. They agree").await;
    // After a ruling that does not close the debate they request completion again.
    client.post(&ruling, &json!({"content": "Say who is woken by the alarm."})).await.data(201);
    assert_eq!(wait_for_ruling_due(&client, &debate).await["argument"]["type"], "RESOLUTION");
    let history = client.get(&debate).await.data(200);
    let aligned = |words: &str| {
        let arguments = history["arguments"].as_array().unwrap().iter();
        arguments.filter(|one| one["type"] == "CLAIM").any(|one| one["content"].as_str().unwrap().contains(words))
    };
    assert!(
        aligned("> **At once.** Customers come first.") && aligned("> Say who is woken by the alarm."),
        "{history}"
    );
    client.post(&ruling, &json!({"content": "Go ahead.", "close": true})).await.data(201);
    let (status, printed) = demo.wait_for_exit(&client).await;
    assert!(status.success() && printed.contains("The debate is closed."), "{status}: {printed}");
}

#[tokio::test]
async fn the_demo_can_be_stopped_by_an_intervention() {
    // Slow enough to intervene before the appeal.
    let demo = Demo::start(5);
    let (client, debate) = demo.address().await;
    client.post(&format!("{debate}/intervention"), &json!({})).await.data(201);
    demo.prints("Your turn. You have stopped the debate").await;
    let ruling = format!("{debate}/ruling");
    client.post(&ruling, &json!({"content": "Keep it short."})).await.data(201);
    assert_eq!(wait_for_ruling_due(&client, &debate).await["argument"]["type"], "APPEAL");
    client.post(&ruling, &json!({"content": "Enough.", "close": true})).await.data(201);
    let (status, printed) = demo.wait_for_exit(&client).await;
    assert!(status.success() && printed.contains("The debate is closed."), "{status}: {printed}");
}

#[tokio::test]
async fn an_interrupted_demo_leaves_nothing_behind() {
    let demo = Demo::start(200);
    let (client, debate) = demo.address().await;
    wait_for_ruling_due(&client, &debate).await;
    os::interrupt(demo.child.id().expect("it runs"));
    let (status, printed) = demo.wait_for_exit(&client).await;
    assert!(status.success() && printed.contains("Ending the demo."), "{status}: {printed}");
}
