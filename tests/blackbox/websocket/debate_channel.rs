//! `/ws?debate_id=`: the events of one debate.

use rstest::rstest;
use serde_json::{Value, json};
use tests::{
    debate::{Debate, SITUATIONS, Situation},
    server::Server,
};

use super::viewer::Viewer;

/// The number of arguments that are written while viewers watch.
const ARGUMENTS: usize = 200;

fn seqs(arguments: &Value) -> Vec<u64> {
    arguments.as_array().expect("a list").iter().map(|argument| argument["seq"].as_u64().expect("a number")).collect()
}

#[tokio::test]
async fn the_initial_state_equals_the_rest_response() {
    let server = Server::shared().await;
    for situation in SITUATIONS {
        let debate = Debate::in_situation(&server.client(), situation).await;
        let (_viewer, state) = Viewer::of_debate(&server, &debate.id).await;
        assert_eq!(state["debate"], debate.stored().await["debate"], "{situation:?}");
        assert_eq!(state["arguments"], Value::from(debate.history().await), "{situation:?}");
    }
}

#[rstest]
#[case("", &[1, 2, 3, 4, 5, 6])]
#[case("&limit=2", &[1, 5, 6])]
#[case("&limit=0", &[1])]
#[case("&limit=100", &[1, 2, 3, 4, 5, 6])]
#[case("&after_seq=4", &[1, 5, 6])]
#[case("&after_seq=6", &[1])]
#[case("&after_seq=0", &[1, 2, 3, 4, 5, 6])]
#[case("&after_seq=2&limit=1", &[1, 6])]
#[tokio::test]
async fn the_initial_state_can_be_limited_and_always_has_the_motion(#[case] query: &str, #[case] seen: &[u64]) {
    let server = Server::shared().await;
    let mut debate = Debate::create(&server.client()).await;
    for turn in 0..5 {
        debate.claim(["opponent", "proposer"][turn % 2]).await;
    }
    let (mut viewer, state) = Viewer::at(&server, &format!("/ws?debate_id={}{query}", debate.id)).await;
    assert_eq!(seqs(&state["arguments"]), seen);
    assert_eq!((&state["arguments"][0]["type"], &state["debate"]["last_seq"]), (&json!("MOTION"), &json!(6)));
    // Later events are not filtered.
    debate.claim("proposer").await;
    assert_eq!(viewer.expect("new_argument").await["seq"], 7);
}

#[tokio::test]
async fn any_spelling_of_the_id_is_accepted() {
    let server = Server::shared().await;
    let debate = Debate::create(&server.client()).await;
    for spelling in [debate.id.to_uppercase(), debate.id.replace('-', "")] {
        let (_viewer, state) = Viewer::of_debate(&server, &spelling).await;
        assert_eq!(state["debate"]["id"], debate.id, "{spelling}");
    }
}

#[tokio::test]
async fn every_argument_is_followed_by_the_new_state() {
    let server = Server::shared().await;
    let mut debate = Debate::create(&server.client()).await;
    let (mut viewer, _) = Viewer::of_debate(&server, &debate.id).await;
    for (turn, state, on) in [
        ("opponent", "AWAITING_PROPOSER", None),
        ("proposer", "AWAITING_OPPONENT", None),
        ("stop", "INTERVENTION_PENDING", Some("INTERVENTION")),
        ("rule", "AWAITING_PROPOSER", None),
        ("appeal", "AWAITING_ARBITRATOR", Some("APPEAL")),
        ("rule", "AWAITING_PROPOSER", None),
        ("finish", "AWAITING_ARBITRATOR", Some("RESOLUTION")),
        ("close", "CLOSED", None),
    ] {
        let answer = match turn {
            "stop" => debate.intervene().await,
            "rule" => debate.rule(false).await,
            "close" => debate.rule(true).await,
            "appeal" => debate.appeal().await,
            "finish" => debate.request_completion().await,
            role => debate.claim(role).await,
        };
        assert_eq!(viewer.expect("new_argument").await, answer["argument"]);
        let changed = viewer.expect("state_changed").await;
        let stored = debate.stored().await;
        let request = on.map(|on| {
            let asking = &answer["argument"];
            json!({"on": on, "seq": asking["seq"], "since": asking["created_at"], "agreed": on == "RESOLUTION"})
        });
        assert_eq!(stored["debate"]["ruling_request"], json!(request));
        let expected = json!({
            "debate_id": debate.id, "state": state, "updated_at": stored["debate"]["updated_at"],
            "ruling_request": request, "seats": {"proposer": false, "opponent": false}, "plan": null, "turns": stored["turns"],
        });
        assert_eq!(changed, expected);
    }
}

#[tokio::test]
async fn refused_and_replayed_writes_cause_no_events() {
    let server = Server::shared().await;
    let mut debate = Debate::create(&server.client()).await;
    let claim = tests::request_bodies::claim("opponent", debate.newest());
    debate.write("arguments", &claim).await;
    let (mut viewer, _) = Viewer::of_debate(&server, &debate.id).await;
    assert_eq!(debate.attempt("arguments", &claim).await.data(200)["replayed"], true);
    let refused = tests::request_bodies::claim("opponent", debate.newest());
    debate.attempt("arguments", &refused).await.refusal("ACTION_NOT_ALLOWED");
    Debate::in_situation(&server.client(), Situation::Closed).await;
    debate.claim("proposer").await;
    assert_eq!(viewer.expect("new_argument").await["seq"], 3);
}

/// Follows the events until the argument `last` and checks each of them.
async fn follow(viewer: &mut Viewer, state: Value, last: u64) -> Vec<Value> {
    let mut arguments = state["arguments"].as_array().expect("a list").clone();
    assert_eq!(state["debate"]["last_seq"], arguments.len(), "the first look is of one moment");
    let mut untold = false;
    loop {
        let event = viewer.next().await;
        match event.name.as_str() {
            "new_argument" => {
                assert_eq!(event.data["seq"], arguments.len() + 1, "a gap, or one that came twice");
                arguments.push(event.data);
                untold = true;
            }
            "state_changed" => {
                assert!(untold, "a state without an argument that led to it: {event:?}");
                untold = false;
                let turn = ["AWAITING_PROPOSER", "AWAITING_OPPONENT"][arguments.len() % 2];
                assert_eq!(event.data["state"], turn, "after {} arguments", arguments.len());
                assert_eq!(event.data["updated_at"], arguments.last().unwrap()["created_at"]);
                if arguments.len() as u64 == last {
                    return arguments;
                }
            }
            other => panic!("{other} is none of this debate's events"),
        }
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn all_viewers_get_200_arguments_once_and_in_order_whenever_they_join() {
    let server = std::sync::Arc::new(Server::start().await);
    let mut debate = Debate::create(&server.client()).await;
    let last = 1 + ARGUMENTS as u64;
    let mut viewers = Vec::new();
    for turn in 0..ARGUMENTS {
        if turn % 10 == 0 {
            let (server, id) = (server.clone(), debate.id.clone());
            viewers.push(tokio::spawn(async move {
                let (mut viewer, state) = Viewer::of_debate(&server, &id).await;
                let joined = state["debate"]["last_seq"].as_u64().unwrap();
                // A viewer that joins after the last argument gets no events.
                let arguments = match joined {
                    joined if joined == last => state["arguments"].as_array().unwrap().clone(),
                    _ => follow(&mut viewer, state, last).await,
                };
                (viewer, joined, arguments)
            }));
        }
        debate.claim(["opponent", "proposer"][turn % 2]).await;
    }
    let history = debate.history().await;
    let mut watching = Vec::new();
    let mut joined_at = Vec::new();
    for viewer in viewers {
        let (viewer, joined, arguments) = viewer.await.unwrap();
        assert_eq!(arguments, history, "as seen by one who joined at {joined}");
        watching.push(viewer);
        joined_at.push(joined);
    }
    assert!(joined_at.iter().filter(|joined| (2..last).contains(joined)).count() > 10, "joined at {joined_at:?}");
    // No duplicate event was still under way.
    debate.intervene().await;
    for viewer in &mut watching {
        assert_eq!(viewer.expect("new_argument").await["seq"], last + 1);
        assert_eq!(viewer.expect("state_changed").await["state"], "INTERVENTION_PENDING");
    }
}

#[tokio::test]
async fn a_viewer_can_catch_up_from_a_seq() {
    let server = Server::shared().await;
    let mut debate = Debate::create(&server.client()).await;
    let (mut viewer, _) = Viewer::of_debate(&server, &debate.id).await;
    debate.claim("opponent").await;
    assert_eq!(viewer.expect("new_argument").await["seq"], 2);
    drop(viewer);
    debate.claim("proposer").await;
    debate.claim("opponent").await;
    let path = format!("/ws?debate_id={}&after_seq=2", debate.id);
    let (mut viewer, state) = Viewer::at(&server, &path).await;
    assert_eq!(seqs(&state["arguments"]), [1, 3, 4]);
    debate.claim("proposer").await;
    assert_eq!(viewer.expect("new_argument").await["seq"], 5);
}
