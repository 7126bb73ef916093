//! The files that a run writes at its end.

use tests::debate::text;

use super::User;

#[tokio::test]
async fn a_file_that_cannot_be_written_is_told_with_the_command_that_prints_it() {
    let user = User::new().await;
    let plan = user.agent.file("plan.md", "# Cache the prices\n\nKeep them.\n");
    user.agent.shell("mkdir out").await;
    // The folder is there when the run starts, and gone when it ends.
    let run = user.run("removes-out", &[&plan, "--output", "out/plan.md"]).await;
    let failure = run.failure(3, "FILE_NOT_WRITTEN");
    let data = &failure["content"][0]["data"];
    assert_eq!(data["debate_state"], "CLOSED", "{failure}");
    let id = text(&data["debate_id"]);
    assert_eq!(failure["metadata"]["next"], format!("aw debate plan --debate-id {id}"));
    assert!(text(&failure["error"]["message"]).contains("out/plan.md"), "{failure}");
    user.agent.shell("mkdir out").await;
    let open = ["--output", "out/plan.md", "--max-tokens", "200", "--task", "x"];
    let failure = user.run("removes-out", &open).await.failure(7, "LIMIT_REACHED");
    assert!(text(&failure["metadata"]["warning"]).contains("out/plan.md"), "{failure}");
}

#[tokio::test]
async fn two_files_that_are_one_are_refused_before_anything_starts() {
    let user = User::new().await;
    let plan = user.agent.file("plan.md", "# Cache\n");
    user.agent.shell("ln -s plan.md link.md; ln -s new.md dangling.md; mkdir real; ln -s real folder").await;
    for more in [
        vec!["--output", "x", "--record", "./x"],
        vec!["--output", "new.md", "--record", "dangling.md", "--force"],
        vec!["--output", "real/x", "--record", "folder/x"],
        vec![&plan, "--in-place", "--output", "link.md", "--force"],
        vec![&plan, "--in-place", "--record", "plan.md", "--force"],
    ] {
        let failure = user.run("plain", &more).await.failure(4, "INVALID_INPUT");
        assert!(text(&failure["error"]["message"]).contains("are one file"), "{failure}");
    }
    assert_eq!(user.starts(), Vec::<String>::new());
}
