//! The files that a run writes at its end.

use std::{fs, os::unix::fs::MetadataExt};

use serde_json::{Value, json};
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
    // The same with the record, and with PLAN and all names beside it.
    user.agent.shell("mkdir out").await;
    let run = user.run("removes-out", &[&plan, "--quick", "--record", "out/record.md"]).await;
    let failure = run.failure(3, "FILE_NOT_WRITTEN");
    let id = text(&failure["content"][0]["data"]["debate_id"]);
    let next = text(&failure["metadata"]["next"]);
    assert!(next.starts_with(&format!("aw debate record --debate-id {id} ")), "{next}");
    assert!(text(&failure["error"]["message"]).contains("out/record.md"), "{failure}");
    user.agent.shell("mkdir out && cp plan.md out/plan.md").await;
    let failure = user.run("removes-out", &["out/plan.md", "--quick", "--in-place"]).await;
    let failure = failure.failure(3, "FILE_NOT_WRITTEN");
    let id = text(&failure["content"][0]["data"]["debate_id"]);
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

#[tokio::test]
async fn what_somebody_wrote_to_a_file_that_the_run_was_asked_for_is_left() {
    let user = User::new().await;
    let read = |name: &str| fs::read_to_string(user.agent.home().join(name)).unwrap();
    let file = |name: &str| json!([user.agent.home().join(name)]);
    let run = user.run("writes-output", &["--quick", "--output", "better.md", "--record", "record.md"]).await;
    assert_eq!(run.data()["files"], json!([file("better.md.new")[0], file("record.md.new")[0]]));
    assert_eq!((read("better.md").as_str(), read("better.md.new").contains("Step one")), ("mine\n", true));
    assert_eq!((read("record.md").as_str(), read("record.md.new").contains("# Make it fast")), ("mine\n", true));
    // Nobody else wrote to this one until it was closed.
    let data = user.run("plain", &["--quick", "--output", "again.md", "--record", "again.json"]).await.data();
    let id = text(&data["debate_id"]);
    let both = |plan: &str| json!([file(plan)[0], file("again.json")[0]]);
    assert_eq!(data["files"], both("again.md"));
    user.agent.shell("echo mine >> again.md").await;
    for id in [&id, &id[..13]] {
        let data = user.run("plain", &["--debate-id", id]).await.data();
        assert_eq!((data["files"].clone(), read("again.md").ends_with("mine\n")), (both("again.md.new"), true));
    }
    let data = user.run("plain", &["--debate-id", &id, "--output", "again.md", "--force"]).await.data();
    assert_eq!((data["files"].clone(), read("again.md").ends_with("mine\n")), (both("again.md"), false));
}

#[tokio::test]
async fn an_empty_plan_is_refused_before_anything_starts() {
    let user = User::new().await;
    for empty in ["", " \n\t\n", "\u{feff}\u{200b}\n"] {
        let plan = user.agent.file("empty.md", empty);
        let failure = user.run("plain", &[&plan]).await.failure(4, "INVALID_INPUT");
        assert!(text(&failure["error"]["message"]).contains("PLAN is empty"), "{failure}");
    }
    assert_eq!(user.starts(), Vec::<String>::new());
}

/// What editors and other systems leave in a file, all at once.
fn unusual_document() -> String {
    let begin = "\u{feff}---\r\ntitle: Prices\r\n---\r\n\r\nThe cache\r\n=========\r\n\r\n";
    let rest = "Cafe\u{301} and caf\u{e9}\rof another system  \n\t\n\u{202e}hidden\u{200b}\n\n\n";
    format!("{begin}{rest}{}no final newline", "One of many lines.\r\n".repeat(10_000))
}

#[tokio::test]
async fn a_plan_is_stored_and_written_byte_for_byte_and_not_written_where_it_stays_as_it_was() {
    let user = User::new().await;
    let bytes = unusual_document();
    let plan = user.agent.file("plan.md", &bytes);
    let identity = || fs::metadata(&plan).map(|file| (file.ino(), file.mtime(), file.mtime_nsec())).unwrap();
    let content = async |data: &Value, version: &Value| {
        let path = format!("/documents/{}?version={version}", text(&data["plan"]["document_id"]));
        text(&user.client.get(&path).await.data(200)["version"]["content"])
    };
    let before = identity();
    let data = user.run("sound", &[&plan, "--quick", "--in-place", "--output", "same.md"]).await.data();
    let read = |name: &str| fs::read_to_string(user.agent.home().join(name)).unwrap();
    assert!(identity() == before && read("plan.md") == bytes && read("same.md") == bytes);
    assert!(data["plan"]["version"] == 1 && content(&data, &json!(1)).await == bytes);
    let data = user.run("plain", &[&plan, "--quick", "--in-place"]).await.data();
    assert!(data["plan"]["version"] == 2 && content(&data, &json!(1)).await == bytes);
    let changed = format!("{bytes}Step 2.\n");
    assert!(read("plan.md") == changed && content(&data, &json!(2)).await == changed);
}

#[tokio::test]
async fn a_path_of_an_earlier_start_that_cannot_be_used_any_more_is_told_as_that() {
    let user = User::new().await;
    let plan = user.agent.file("plan.md", "# Cache\n\nKeep them.\n");
    user.agent.shell("mkdir code out").await;
    let paths = ["--output", "better.md", "--record", "out/r.md", "--folder", "code", "--in-place"];
    let words = [&[plan.as_str(), "--max-tokens", "100"], &paths[..]].concat();
    let reached = user.run("plain", &words).await.failure(7, "LIMIT_REACHED");
    let id = text(&reached["content"][0]["data"]["debate_id"]);
    let before = user.starts();
    for (broken, mended, option, named) in [
        ("rm better.md; mkdir better.md", "rmdir better.md", "--output", "better.md"),
        ("rm -r out", "mkdir out", "--record", "out/r.md"),
        ("rmdir code", "mkdir code", "--folder", "code"),
        ("mv plan.md p; mkdir plan.md", "rmdir plan.md; mv p plan.md", "PLAN", "plan.md"),
    ] {
        user.agent.shell(broken).await;
        let failure = user.agent.run(&["debate", "run", "--debate-id", &id]).await.failure(4, "INVALID_INPUT");
        let (message, how) = (text(&failure["error"]["message"]), text(&failure["error"]["suggestion"]));
        let is_told = message.contains(named) && message.contains(&format!("{option} of the earlier run"));
        assert!(is_told && how.contains(&format!("{option} another path")), "{message}: {how}");
        user.agent.shell(mended).await;
    }
    // One that is given now is no earlier one's.
    user.agent.shell("mkdir other.md").await;
    let words = ["debate", "run", "--debate-id", &id, "--output", "other.md"];
    let failure = user.agent.run(&words).await.failure(4, "INVALID_INPUT");
    assert!(!failure["error"].to_string().contains("earlier"), "{failure}");
    assert_eq!(user.starts(), before);
}
