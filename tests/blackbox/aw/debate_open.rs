//! `aw debate open`.

use rstest::rstest;
use tests::{cli::Agent, ids};

#[rstest]
#[case::no_display(&[])]
#[case::no_browser(&[("DISPLAY", ":99")])]
#[tokio::test]
async fn open_prints_the_url_without_a_server_or_browser(#[case] env: &[(&str, &str)]) {
    // Nothing listens on port 1, and there is no browser in an empty PATH.
    let agent = Agent::new("http://127.0.0.1:1").env("PATH", "/nowhere");
    let agent = env.iter().fold(agent, |agent, (name, value)| agent.env(name, value));
    let list = agent.run(&["debate", "open"]).await;
    assert_eq!(list.data()["url"], "http://127.0.0.1:1/");
    assert!(list.document()["metadata"]["message"].as_str().unwrap().contains("in a browser") || !env.is_empty());
    let id = ids::fresh();
    let debate = agent.run(&["debate", "open", "--debate-id", &id.to_uppercase()]).await;
    assert_eq!(debate.data()["url"], format!("http://127.0.0.1:1/d/{id}"));
    let markdown = agent.run(&["debate", "open", "--format", "markdown"]).await;
    assert!(markdown.stdout.contains("<http://127.0.0.1:1/>"), "{markdown:?}");
    agent.run(&["debate", "open", "--debate-id", "nonsense"]).await.failure(4, "INVALID_INPUT");
}

#[tokio::test]
async fn open_starts_the_browser_with_the_url_and_hides_its_output() {
    let agent = Agent::new("http://127.0.0.1:1");
    let bin = agent.home().join("bin");
    std::fs::create_dir(&bin).unwrap();
    let script = "#!/bin/sh\necho noise; echo \"$1\" > seen.new; /bin/mv seen.new seen\n";
    let path = agent.file("bin/xdg-open", script);
    std::fs::set_permissions(&path, std::os::unix::fs::PermissionsExt::from_mode(0o755)).unwrap();
    let agent = agent.env("DISPLAY", ":99").env("PATH", bin.to_str().unwrap());
    let run = agent.run(&["debate", "open"]).await;
    assert_eq!(run.data()["url"], "http://127.0.0.1:1/");
    let seen = agent.home().join("seen");
    let seen = tests::polling::until("the browser is started", || std::fs::read_to_string(&seen).ok()).await;
    assert_eq!(seen, "http://127.0.0.1:1/\n");
}

#[tokio::test]
async fn the_browser_keeps_nothing_open_that_the_command_inherited() {
    let agent = Agent::new("http://127.0.0.1:1").env("DISPLAY", ":99");
    std::fs::create_dir(agent.home().join("bin")).unwrap();
    let script =
        "#!/bin/sh\ncd \"$HOME\"; n=0; while [ ! -e go ] && [ $n -lt 3000 ]; do sleep 0.02; n=$((n+1)); done\n";
    let path = agent.file("bin/xdg-open", script);
    std::fs::set_permissions(&path, std::os::unix::fs::PermissionsExt::from_mode(0o755)).unwrap();
    // A substitution ends when all have closed its pipe.
    let line = "PATH=\"$HOME/bin:$PATH\"; x=$(exec 3>&1; aw debate open >/dev/null 2>&1) && echo ended";
    let run = agent.shell(line).await;
    agent.file("go", "");
    assert_eq!(run.stdout, "ended\n", "{run:?}");
}
