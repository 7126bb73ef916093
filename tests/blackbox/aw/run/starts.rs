//! How starts of programs end, with all that they started.

use std::{
    fs,
    os::unix::fs::PermissionsExt,
    time::{Duration, Instant},
};

use serde_json::Value;
use tests::{binaries, debate::text, os, polling, pty::Person};
use tokio::time::timeout;

use super::User;

/// Whether a process is there and not only unreaped.
fn is_alive(pid: &str) -> bool {
    fs::read_to_string(format!("/proc/{pid}/stat")).is_ok_and(|stat| !stat.contains(") Z "))
}

#[tokio::test]
async fn what_a_program_leaves_in_any_session_is_ended_and_it_has_no_terminal() {
    let user = User::new().await;
    let (_person, terminal) = Person::at_a_terminal();
    user.agent.spawn_on(&user.words("leaves", &[]), &terminal).finish().await.data();
    let read = |name: &str| fs::read_to_string(user.log.path().join(name)).unwrap();
    let left = read("left");
    assert_eq!(left.lines().count(), 2, "{left}");
    // It was ended before the run went on.
    assert!(left.lines().all(|pid| !is_alive(pid)), "{left}");
    assert!(!read("tty").contains("opened") && !read("tty").is_empty(), "{}", read("tty"));
    let descriptors = read("descriptors");
    let own = descriptors.lines().filter(|line| line.contains("->")).count();
    assert!(own <= 4, "{descriptors}");
}

#[tokio::test]
async fn what_a_program_started_ends_with_the_run_however_that_ends() {
    for (signal, exit) in
        [("KILL", None), ("HUP", Some(129)), ("INT", Some(130)), ("QUIT", Some(131)), ("TERM", Some(143))]
    {
        let user = User::new().await;
        let running = user.agent.spawn(&user.words("leaves-and-thinks", &[]));
        polling::until("it thinks", || user.log.path().join("thinks").exists().then_some(())).await;
        let left = fs::read_to_string(user.log.path().join("left")).unwrap();
        assert_eq!(left.lines().filter(|pid| is_alive(pid)).count(), 3, "{left}");
        user.agent.shell(&format!("kill -{signal} {}", running.pid())).await;
        match exit {
            Some(exit) => {
                let failure = running.finish().await.failure(exit, "INTERRUPTED");
                assert!(text(&failure["metadata"]["next"]).starts_with("aw debate run"), "{failure}");
                assert!(left.lines().all(|pid| !is_alive(pid)), "{signal}: {left}");
            }
            None => {
                drop(running);
                let is_over = || left.lines().all(|pid| !is_alive(pid)).then_some(());
                polling::until("everything is ended", is_over).await;
            }
        }
    }
}

#[tokio::test]
async fn a_hang_up_that_was_ignored_at_the_start_ends_nothing() {
    let user = User::new().await;
    let words = user.words("slow", &[]);
    let quoted: Vec<_> = words.iter().map(|word| format!("'{word}'")).collect();
    let (pid, out) = (user.log.path().join("pid"), user.log.path().join("out"));
    let line = format!(
        "trap '' HUP; {} {} > {} & echo $! > {}; wait",
        binaries::aw().display(),
        quoted.join(" "),
        out.display(),
        pid.display()
    );
    let shell = async { user.agent.shell(&line).await };
    let signals = async {
        polling::until("the opponent thinks", || user.starts().contains(&"opponent-1".to_owned()).then_some(())).await;
        let pid = fs::read_to_string(&pid).unwrap();
        // Of two signals at once it would tell the other one even if it listened to this one.
        let status = fs::read_to_string(format!("/proc/{}/status", pid.trim())).unwrap();
        let ignored = status.lines().find_map(|line| line.strip_prefix("SigIgn:")).unwrap().trim();
        assert_eq!(u64::from_str_radix(ignored, 16).unwrap() & 1, 1, "SIGHUP is listened to");
        user.agent.shell(&format!("kill -HUP {0}; kill -TERM {0}", pid.trim())).await;
    };
    tokio::join!(shell, signals);
    let document: Value = serde_json::from_str(&fs::read_to_string(&out).unwrap()).unwrap();
    assert_eq!(document["content"][0]["data"]["signal"], "SIGTERM", "{document}");
}

#[tokio::test]
async fn a_program_that_ends_by_a_signal_or_cannot_be_started_is_told() {
    for (mode, told) in [("aborts", "signal 6"), ("missing", "status 127")] {
        let user = User::new().await;
        let failure = user.run(mode, &[]).await.failure(3, "AGENT_FAILED");
        assert!(text(&failure["error"]["message"]).contains(told), "{failure}");
    }
    let user = User::new().await;
    let script = user.agent.file("agent", "#!/no/such/interpreter\n");
    fs::set_permissions(&script, fs::Permissions::from_mode(0o755)).unwrap();
    let failure = user.run("plain", &["--opponent", &format!("command:{script}")]).await.failure(3, "AGENT_FAILED");
    assert!(text(&failure["error"]["message"]).contains("cannot be started"), "{failure}");
}

#[tokio::test]
async fn no_folder_of_a_start_stays_whatever_the_program_left_in_it_and_however_long_it_writes() {
    let user = User::new().await;
    user.run("leaves-locked", &["--quick"]).await.data();
    assert_eq!(user.work_folders(), Vec::<String>::new());
    // It does not end at SIGTERM, and makes its folder again while that is removed.
    let running = user.agent.spawn(&user.words("writes-on", &["--quick"]));
    let thinks = user.log.path().join("thinks");
    polling::until("the program writes", || thinks.exists().then_some(())).await;
    os::terminate(running.pid());
    running.finish().await.failure(143, "INTERRUPTED");
    assert_eq!(user.work_folders(), Vec::<String>::new());
}

#[tokio::test]
async fn what_a_program_left_is_ended_although_it_killed_or_stopped_what_ends_it() {
    for (mode, more, outcome) in
        [("kills-its-parent", &[][..], Some("agreed")), ("stops-its-parent", &["--turn-minutes", "0.05"], None)]
    {
        let user = User::new().await;
        let run = user.run(mode, &[&["--quick"], more].concat()).await;
        match outcome {
            Some(outcome) => assert_eq!(run.data()["outcome"], outcome),
            None => drop(run.failure(3, "AGENT_FAILED")),
        }
        let left = fs::read_to_string(user.log.path().join("left")).unwrap();
        assert!(left.lines().all(|pid| !is_alive(pid)), "{mode}: {left}");
    }
}

#[tokio::test]
async fn the_time_in_which_a_run_is_stopped_is_no_minutes_and_an_answer_that_came_meanwhile_counts() {
    let user = User::new().await;
    let running = user.agent.spawn(&user.words("answers-while-stopped", &["--quick", "--turn-minutes", "0.05"]));
    let exists = |name: &str| user.log.path().join(name).exists().then_some(());
    polling::until("it thinks", || exists("thinks")).await;
    let signal = async |name: &str| user.agent.shell(&format!("kill -{name} {}", running.pid())).await;
    let stopped = Instant::now();
    signal("STOP").await;
    fs::write(user.log.path().join("stopped"), "").unwrap();
    polling::until("it has answered", || exists("answered")).await;
    // Longer than a turn may take.
    let turn = Duration::from_millis(4500);
    polling::until("a turn is over", || (stopped.elapsed() > turn).then_some(())).await;
    signal("CONT").await;
    let data = running.finish().await.data();
    assert_eq!((&data["outcome"], user.count("opponent-1")), (&"agreed".into(), 1));
}

#[tokio::test]
async fn a_run_that_may_open_too_few_files_for_a_start_says_so_at_once() {
    let user = User::new().await;
    let mut told = 0;
    for limit in 14..=19 {
        // A second start would come after a minute.
        let words: Vec<_> = user.words("plain", &["--quick"]).into_iter().map(|word| format!("'{word}'")).collect();
        let line = words.join(" ").replace("'--retry-seconds' '0' ", "");
        let line = format!("ulimit -n {limit}; exec aw {line}");
        let run = timeout(Duration::from_secs(30), user.agent.shell(&line)).await.expect("it ends at once");
        told += usize::from(run.stdout.contains("Too many open files (os error 24), which `ulimit -n` raises"));
        assert!(!run.stderr.contains("it is started once more"), "{limit}: {}", run.stderr);
    }
    assert!(told > 0);
}
