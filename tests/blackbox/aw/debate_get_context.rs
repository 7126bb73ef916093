//! `aw debate get-context`.

use rstest::rstest;
use serde_json::{Value, json};
use tests::{
    cli::Agent,
    debate::{Debate, printed},
    request_bodies::{self, with},
    server::Server,
};

/// A debate whose motion and arguments have a thousand characters each.
async fn long_debate(server: &Server, arguments: usize) -> Debate {
    let text = |number: usize| format!("{number:04}{}", "ệ".repeat(996));
    let creation = with(request_bodies::creation(), "motion_content", text(1));
    let mut debate = Debate::create_with(&server.client(), &creation).await;
    for (number, role) in ["opponent", "proposer"].into_iter().cycle().take(arguments).enumerate() {
        let claim = with(request_bodies::claim(role, debate.newest()), "content", text(number + 2));
        debate.write("arguments", &claim).await;
    }
    debate
}

async fn context(server: &Server, debate: &Debate, args: &[&str]) -> Value {
    let command = ["debate", "get-context", "--debate-id", &debate.id];
    Agent::new(&server.url()).run(&[&command, args].concat()).await.data()
}

fn seqs(data: &Value) -> Vec<u64> {
    data["arguments"].as_array().expect("a list").iter().map(|argument| argument["seq"].as_u64().unwrap()).collect()
}

#[tokio::test]
async fn a_short_debate_is_printed_in_full() {
    let server = Server::shared().await;
    let debate = long_debate(&server, 6).await;
    let (data, stored) = (context(&server, &debate, &[]).await, printed(debate.stored().await));
    assert_eq!((&data["debate"], &data["motion"]), (&stored["debate"], &stored["motion"]));
    assert_eq!(data["arguments"], stored["arguments"]);
    assert!(matches!(data.get("omitted"), None | Some(Value::Null)) || data["omitted"] == 0, "{}", data["omitted"]);
}

#[tokio::test]
async fn ten_arguments_are_printed_by_default() {
    let server = Server::shared().await;
    let debate = long_debate(&server, 12).await;
    assert_eq!(seqs(&context(&server, &debate, &[]).await), (4..=13).collect::<Vec<_>>());
    for flag in ["--limit", "-l", "--argument-limit"] {
        assert_eq!(seqs(&context(&server, &debate, &[flag, "2"]).await), [12, 13], "{flag}");
    }
    let none = context(&server, &debate, &["--limit", "0"]).await;
    assert_eq!((seqs(&none), &none["motion"]["seq"]), (vec![], &json!(1)));
}

#[rstest]
#[case::everything_fits(7_000, 5, 0)]
#[case::all_cut(3_100, 0, 0)]
#[case::one_cut_and_four_left_out(2_300, 0, 4)]
#[case::the_motion_and_the_newest_in_any_case(10, 0, 5)]
#[case::exactly_the_two_that_always_come(2_000, 0, 5)]
#[tokio::test]
async fn max_chars_truncates_older_arguments_first(
    #[case] max_chars: usize,
    #[case] whole: usize,
    #[case] omitted: usize,
) {
    let server = Server::shared().await;
    let debate = long_debate(&server, 6).await;
    let data = context(&server, &debate, &["--max-chars", &max_chars.to_string()]).await;
    let history: Vec<Value> = debate.history().await.into_iter().map(printed).collect();
    assert_eq!(data["motion"], history[0], "the motion is complete");
    let shown = data["arguments"].as_array().expect("a list");
    assert_eq!(shown.last(), history.last(), "the newest argument is complete");
    assert_eq!(data["omitted"].as_u64().unwrap_or(0), omitted as u64, "{max_chars}");
    assert_eq!(seqs(&data), (2 + omitted as u64..=7).collect::<Vec<_>>(), "the oldest arguments are omitted");
    let mut printed = 2_000;
    let mut found_whole = 0;
    for argument in &shown[..shown.len() - 1] {
        let content = argument["content"].as_str().unwrap();
        let original = history[argument["seq"].as_u64().unwrap() as usize - 1]["content"].as_str().unwrap();
        printed += content.chars().count();
        if content == original {
            found_whole += 1;
        } else {
            let cut: String = original.chars().take(200).chain(['…']).collect();
            assert_eq!((content, &argument["content_bytes"]), (cut.as_str(), &json!(original.len())));
        }
    }
    assert_eq!(found_whole, whole, "{max_chars}");
    assert!(printed <= max_chars.max(2_000), "{printed} characters were printed, {max_chars} asked for");
}

#[tokio::test]
async fn twenty_four_thousand_characters_are_printed_by_default() {
    let server = Server::shared().await;
    let debate = long_debate(&server, 30).await;
    let data = context(&server, &debate, &["--limit", "100"]).await;
    let lengths = data["arguments"].as_array().unwrap().iter().chain([&data["motion"]]);
    let printed: usize = lengths.map(|argument| argument["content"].as_str().unwrap().chars().count()).sum();
    assert!(printed <= 24_000, "{printed}");
    assert_eq!(seqs(&data).len() + data["omitted"].as_u64().unwrap_or(0) as usize, 30);
    assert_eq!(seqs(&data).len(), 30, "30 arguments fit if older ones are truncated");
}
