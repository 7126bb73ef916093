//! Scripts that read the answers of `aw` with `jq`.

use tests::{cli::Agent, server::Server};

/// What `jq -r PATH` prints, for those paths that the script has.
const JQ: &str = r#"#!/bin/sh
exec node -e '
const value = JSON.parse(require("fs").readFileSync(0, "utf8"));
console.log(process.argv[1].split(/[.\[\]]/).filter(Boolean).reduce((part, key) => part[key], value));
' "$2"
"#;

const SCRIPT: &str = r#"
DEBATE_ID=$(aw debate generate-id | jq -r '.content[0].data.id')

RESULT=$(aw debate create \
  --debate-id $DEBATE_ID \
  --title "Test Debate" \
  --debate-type general_debate \
  --file ./motion.md)

MOTION_ID=$(echo $RESULT | jq -r '.content[0].data.argument_id')
CLIENT_REQ=$(echo $RESULT | jq -r '.content[0].data.client_request_id')

echo "Debate created: $DEBATE_ID"
echo "Motion ID: $MOTION_ID"
echo "Client Request ID: $CLIENT_REQ"
echo "Run in Terminal 2: aw debate get-context --debate-id $DEBATE_ID"
"#;

#[tokio::test]
async fn a_script_reads_the_ids_of_what_it_wrote() {
    let server = Server::shared().await;
    let agent = Agent::new(&server.url());
    agent.file("motion.md", "One line.\n");
    let node = std::env::var_os("PATH").into_iter().flat_map(|path| std::env::split_paths(&path).collect::<Vec<_>>());
    let node = node.map(|folder| folder.join("node")).find(|path| path.is_file()).expect("node is installed");
    let script = agent.file("debate.sh", SCRIPT);
    agent.file("jq", JQ.replace("exec node", &format!("exec {}", node.display())));
    let run = agent.shell(&format!("chmod +x jq && PATH=\"$PWD:$PATH\" bash {script}")).await;
    assert_eq!(run.exit, 0, "{run:?}");
    let value = |name: &str| {
        let line = run.stdout.lines().find_map(|line| line.strip_prefix(&format!("{name}: ")));
        line.unwrap_or_else(|| panic!("no {name}: {run:?}")).to_owned()
    };
    let stored = server.client().get(&format!("/debates/{}", value("Debate created"))).await.data(200);
    assert_eq!(stored["motion"]["id"], value("Motion ID"));
    assert!(!value("Client Request ID").is_empty() && value("Client Request ID") != "undefined", "{run:?}");
}
