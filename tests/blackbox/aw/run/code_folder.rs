//! What changes in the folder of the code, and what that folder names.

use std::{fs, os::unix::fs::symlink};

use serde_json::json;
use tests::{binaries, debate::text, os, polling};

use super::{User, scripted};

#[tokio::test]
async fn what_changes_in_the_code_is_told_once_and_the_run_goes_on() {
    let user = User::new().await;
    let git = "mkdir code && cd code && git init -q && git -c user.name=a -c user.email=a@example.invalid commit -q --allow-empty -m one";
    assert_eq!(user.agent.shell(git).await.exit, 0);
    let run = user.run("writes", &["--folder", "code"]).await;
    let data = run.data();
    let of_opponent = json!([{"during": {"role": "opponent", "turn": 1}, "paths": ["changed.txt"]}]);
    assert_eq!((&data["debate_state"], &data["code_changes"]), (&json!("CLOSED"), &of_opponent));
    assert_eq!(run.stderr.matches("changed.txt").count(), 1, "{}", run.stderr);
    let history = user.history(&text(&data["debate_id"])).await;
    let counts = |seq: usize| history[seq - 1]["agents"][0]["changed_paths"].clone();
    assert_eq!([counts(1), counts(2), counts(3)], [json!(0), json!(1), json!(0)]);
    let plain = user.run("plain", &["--folder", "code"]).await.data();
    assert_eq!((&plain["code_changes"], plain.get("code_unchecked")), (&json!([]), None), "it was checked");
}

#[tokio::test]
async fn settings_and_hooks_of_git_are_warned_of_and_the_plan_is_no_change() {
    let user = User::new().await;
    assert_eq!(user.agent.shell("git init -q code").await.exit, 0);
    let plan = user.agent.file("code/plan.md", "# Cache the prices\n\nKeep them.\n");
    let run = user.run("hooks", &[&plan, "--folder", "code"]).await;
    let data = run.data();
    let paths = &data["code_changes"][0]["paths"];
    assert_eq!(*paths, json!([".git/config", ".git/hooks/pre-commit"]), "{data}");
    let warning = text(&run.document()["metadata"]["warning"]);
    assert!(warning.contains(".git/config, .git/hooks/pre-commit changed during turn 1 of the opponent"), "{warning}");
}

#[tokio::test]
async fn a_reviewer_that_changes_the_code_fails_nobody() {
    let user = User::new().await;
    assert_eq!(user.agent.shell("git init -q code").await.exit, 0);
    let opponents = ["ada", "bob"].map(|name| scripted("reviewers-write", name));
    let more = ["--folder", "code", "--opponent", &opponents[0], "--opponent", &opponents[1]];
    let run = user.run("plain", &more).await;
    let data = run.data();
    let changes = data["code_changes"].as_array().unwrap();
    assert_eq!((changes.len(), &changes[0]["during"]), (1, &json!({"role": "reviewer", "turn": 1})));
    let mut paths: Vec<_> = changes[0]["paths"].as_array().unwrap().iter().map(text).collect();
    paths.sort();
    assert_eq!(paths, ["of-ada.txt", "of-bob.txt"]);
    assert!(!run.stderr.contains("left out"), "{}", run.stderr);
}

#[tokio::test]
async fn a_reader_that_changes_the_code_fails_nobody() {
    let user = User::new().await;
    assert_eq!(user.agent.shell("git init -q code").await.exit, 0);
    let run = user.run("reader-writes", &["--folder", "code"]).await;
    let of_reader = json!([{"during": {"role": "reader", "turn": 2}, "paths": ["of-reader.txt"]}]);
    assert_eq!(run.data()["code_changes"], of_reader);
    assert!(!run.stderr.contains("left out"), "{}", run.stderr);
}

#[tokio::test]
async fn more_files_than_are_looked_at_are_not_checked_which_is_said_once() {
    let user = User::new().await;
    let folder = os::folder_in_memory();
    for number in 0..200_001 {
        symlink("x", folder.path().join(number.to_string())).unwrap();
    }
    let run = user.run("writes", &["--quick", "--folder", folder.path().to_str().unwrap()]).await;
    let (data, document) = (run.data(), run.document());
    // On a busy machine the walk may end by its time first, which is said in other words.
    let said = "whether an agent changes its files is not checked";
    assert_eq!(text(&document["metadata"]["warning"]).matches(said).count(), 1, "{document}");
    assert!(folder.path().join("changed.txt").exists() && data["code_changes"] == json!([]), "{data}");
    assert_eq!(data["code_unchecked"], json!(true), "{data}");
    let history = user.history(&text(&data["debate_id"])).await;
    assert_eq!(history[1]["agents"][0].get("changed_paths"), None, "{history:?}");
}

#[tokio::test]
async fn two_runs_and_a_person_share_a_checkout() {
    let (one, other) = (User::new().await, User::new().await);
    let git = "git -c user.name=a -c user.email=a@example.invalid -C code";
    let made = one
        .agent
        .shell(&format!(
            "git init -q code && echo '*.log' > code/.gitignore && echo a > code/edited && echo a > code/gone &&
             {git} add -A && {git} commit -qm one && {git} branch other"
        ))
        .await;
    assert_eq!(made.exit, 0, "{made:?}");
    let folder = one.agent.home().join("code");
    let more = ["--folder", folder.to_str().unwrap()];
    let running = [&one, &other].map(|user| user.agent.spawn(&user.words("waits", &more)));
    for user in [&one, &other] {
        let thinks = || user.starts().contains(&"proposer-2".to_owned()).then_some(());
        polling::until("the proposer thinks", thinks).await;
    }
    let line = "cd code && echo b >> edited && echo new > added && echo x > some.log && rm gone";
    let work = one
        .agent
        .shell(&format!(
            "{line} && cd .. && {git} add -A && {git} commit -qm two && {git} switch -q other && {git} switch -q -"
        ))
        .await;
    assert_eq!(work.exit, 0, "{work:?}");
    let seen = async || {
        one.agent
            .shell(&format!(
                "{git} --no-optional-locks status --porcelain; {git} log --format=%H; ls -lA --time-style=full-iso code code/.git"
            ))
            .await
            .stdout
    };
    let before = seen().await;
    for (user, running) in [&one, &other].into_iter().zip(running) {
        fs::write(user.log.path().join("go-on"), "").unwrap();
        let run = running.finish().await;
        let data = run.data();
        assert_eq!(data["debate_state"], "CLOSED");
        let changes = data["code_changes"].as_array().unwrap();
        assert_eq!(changes.len(), 1, "{data}");
        assert_eq!(changes[0]["during"], json!({"role": "proposer", "turn": 2}));
        let paths: Vec<_> = changes[0]["paths"].as_array().unwrap().iter().map(text).collect();
        let branch = paths.iter().filter(|path| path.starts_with(".git/refs/heads/")).count();
        let files: Vec<_> = paths.iter().map(String::as_str).filter(|path| !path.starts_with(".git/")).collect();
        assert_eq!((branch, files), (1, vec!["added", "edited", "gone"]), "{data}");
        assert_eq!(run.stderr.matches("changed in the code").count(), 1, "{}", run.stderr);
    }
    assert_eq!(seen().await, before);
}

/// A repository whose settings name a program in every way that git has. Each writes a mark when it is run.
const HOSTILE: &str = r#"
set -e
mkdir inner bin
mark() { printf '#!/bin/sh\necho "%s $*" >> "%s/marks"\ncat\n' "$1" "$AGENT_LOG" > "$2"; chmod +x "$2"; }
for name in git claude codex xdg-open bwrap ps sh; do mark "$name" "$PWD/$name"; mark "$name" "$PWD/bin/$name"; done
mark configured run.sh
run="$PWD/run.sh"
git init -q .
hostile() {
  git -C "$1" config filter.x.clean "$run"; git -C "$1" config filter.x.smudge "$run"
  git -C "$1" config filter.x.process "$run"; git -C "$1" config filter.x.required true
  git -C "$1" config diff.external "$run"; git -C "$1" config diff.x.textconv "$run"; git -C "$1" config diff.x.command "$run"
  git -C "$1" config core.pager "$run"; git -C "$1" config core.editor "$run"; git -C "$1" config core.sshCommand "$run"
  git -C "$1" config core.askPass "$run"; git -C "$1" config credential.helper "$run"; git -C "$1" config alias.status "!$run"
  git -C "$1" config alias.rev-parse "!$run"; git -C "$1" config gpg.program "$run"; git -C "$1" config merge.x.driver "$run"
  git -C "$1" config core.fsmonitor "$run"; git -C "$1" config core.hooksPath "$PWD/hooks"
  git -C "$1" config core.alternateRefsCommand "$run"; git -C "$1" config uploadpack.packObjectsHook "$run"
  git -C "$1" config submodule.inner.update "!$run"; git -C "$1" config core.gitProxy "$run"
  git -C "$1" config gpg.ssh.program "$run"; git -C "$1" config gpg.x509.program "$run"; git -C "$1" config commit.gpgSign true
  git -C "$1" config sequence.editor "$run"; git -C "$1" config interactive.diffFilter "$run"
  git -C "$1" config trailer.x.command "$run"; git -C "$1" config browser.x.cmd "$run"; git -C "$1" config difftool.x.cmd "$run"
  git -C "$1" config mergetool.x.cmd "$run"; git -C "$1" config man.x.cmd "$run"; git -C "$1" config help.browser x
  git -C "$1" config protocol.ext.allow always; git -C "$1" config remote.origin.url "ext::$run"
  git -C "$1" config remote.origin.promisor true; git -C "$1" config remote.origin.uploadpack "$run"
  git -C "$1" config extensions.partialClone origin; git -C "$1" config maintenance.auto true
  git -C "$1" config include.path "$included"; git -C "$1" config includeIf.gitdir:/.path "$included"
}
included="$PWD/included"
git config -f "$included" filter.y.clean "$run"; git config -f "$included" core.attributesFile "$PWD/attributes"
printf '* filter=y\n' > attributes
mkdir hooks
for hook in post-index-change post-checkout pre-commit reference-transaction fsmonitor-watchman; do
  mark "hook $hook" "hooks/$hook"; mark "hook $hook" ".git/hooks/$hook"
done
printf '* filter=x diff=x merge=x\n' > .gitattributes
printf '[submodule "inner"]\n\tpath = inner\n\turl = ./inner\n' > .gitmodules
printf '* filter=x diff=x\n' > inner/.gitattributes
git init -q inner
echo text > inner/file; echo text > file
git -c user.name=a -c user.email=a@example.invalid add file
# A bare repository whose files are part of the clone.
git init -q --bare bare; git -C bare config core.worktree ..; git -C bare config core.bare false
# Objects and settings elsewhere.
git init -q --bare elsewhere; hostile elsewhere
echo "$PWD/elsewhere/objects" > .git/objects/info/alternates; printf '* filter=x\n' > .git/info/attributes
mkdir gitfile; echo "gitdir: $PWD/elsewhere" > gitfile/.git; echo text > gitfile/file
hostile .; hostile inner; hostile bare
touch file inner/file
"#;

#[tokio::test]
async fn no_program_that_a_repository_names_is_started() {
    let user = User::new().await;
    let code = user.agent.home().join("code");
    fs::create_dir(&code).unwrap();
    let made = user.agent.shell(&format!("cd code && {HOSTILE}")).await;
    assert_eq!(made.exit, 0, "{made:?}");
    let marks = user.log.path().join("marks");
    // What git would start is started, so that the repository is as hostile as it is meant to be.
    user.agent.shell("cd code && touch file && git status; cd bare && git status").await;
    assert!(fs::read_to_string(&marks).is_ok_and(|marks| marks.contains("configured")), "git starts nothing");
    fs::remove_file(&marks).unwrap();
    for folder in ["code", "code/inner", "code/bare", "code/.git", "code/gitfile"] {
        // The agents themselves look at nothing; git's and this program's variables are those of a hook.
        let words = user.words("plain", &["--quick"]);
        let quoted: Vec<_> = words.iter().map(|word| format!("'{word}'")).collect();
        let path = ":.:bin:/usr/local/bin:/usr/bin:/bin";
        let line = format!(
            "cd {folder} && PATH={path} GIT_DIR=$PWD GIT_INDEX_FILE=$PWD/x {} {}",
            binaries::aw().display(),
            quoted.join(" ")
        );
        user.agent.shell(&line).await.data();
        // Those that are looked for without being named.
        let aw = binaries::aw();
        let found = format!(
            "cd {folder} && PATH=:.:bin:/usr/bin:/bin {0} debate run --task x; PATH=:.:bin:/usr/bin:/bin {0} doctor",
            aw.display()
        );
        user.agent.shell(&found).await;
        let env = fs::read_to_string(user.log.path().join("opponent-1-agent.env")).unwrap();
        assert!(!env.contains("GIT_") && env.contains("PATH=/usr/local/bin:/usr/bin:/bin\n"), "{env}");
    }
    assert!(!marks.exists(), "{}", fs::read_to_string(&marks).unwrap_or_default());
}
