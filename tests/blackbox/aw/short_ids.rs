//! Abbreviated ids.

use tests::{
    cli::Agent,
    debate::{Debate, Situation, text},
    document::Document,
    request_bodies::{self, with},
    server::Server,
    stub_server::{Reply, StubServer},
};

const ONE: &str = "93d81b1a-0e66-4510-abfd-aa33b26cb82e";
const OTHER: &str = "93d81b1b-7a6e-4b62-9d0d-0c6a7a4a5a11";

async fn two_debates(server: &Server) -> Debate {
    let creation = |id: &str, title: &str| with(with(request_bodies::creation(), "debate_id", id), "title", title);
    // The server's search finds this title, but its id does not match.
    Debate::create_with(&server.client(), &with(request_bodies::creation(), "title", "All about 93d81b1a")).await;
    Debate::create_with(&server.client(), &creation(OTHER, "The other")).await;
    Debate::create_with(&server.client(), &creation(ONE, "The one")).await
}

#[tokio::test]
async fn a_unique_prefix_of_an_id_is_enough() {
    let server = Server::start().await;
    let mut debate = two_debates(&server).await;
    let agent = Agent::new(&server.url());
    for short in ["93d81b1a", "93D81B1A0e66", "93d81b1a-0e66-4510-abfd-aa33b26cb82"] {
        let data = agent.run(&["debate", "get-context", "--debate-id", short]).await.data();
        assert_eq!(data["debate"]["id"], ONE, "{short}");
    }
    // Commands that go on have whole ids.
    let wait = ["debate", "wait", "--role", "arbitrator", "--timeout", "0"];
    for ids in [&["--debate-id", "93d81b1a"][..], &["--debate-id", "93d81b1a", "--debate-id", "93d81b1b"]] {
        let document = agent.run(&[&wait[..], ids].concat()).await.document();
        for next in [&document["metadata"]["next"], &document["content"][0]["data"]["retry_command"]] {
            let whole: Vec<_> =
                ids.iter().skip(1).step_by(2).map(|id| if *id == &ONE[..8] { ONE } else { OTHER }).collect();
            assert!(whole.iter().all(|id| text(next).contains(&format!("--debate-id {id}"))), "{document}");
        }
    }
    let claim = text(&debate.claim("opponent").await["argument"]["id"]);
    for target in ["#2", &claim[..35]] {
        // The request id makes the second command a replay, so both must name the same target.
        let args = ["debate", "appeal", "--debate-id", "93d81b1a", "--target-id", target, "--content", "Which?"];
        let data = agent.run(&[&args[..], &["--client-request-id", "once"]].concat()).await.data();
        assert_eq!(data["argument"]["parent_id"], claim, "{target}");
    }
    let wait = ["debate", "wait", "--debate-id", "93d81b1a", "--role", "opponent", "--argument-id", "#2"];
    assert_eq!(agent.run(&wait).await.data()["argument"]["seq"], 3);
}

#[tokio::test]
async fn an_ambiguous_id_lists_the_candidates() {
    let server = Server::start().await;
    let debate = two_debates(&server).await;
    let agent = Agent::new(&server.url());
    let document = agent.run(&["debate", "get-context", "--debate-id", "93d81b1"]).await.failure(4, "INVALID_INPUT");
    let message = text(&document["error"]["message"]);
    for part in [ONE, OTHER, "The one", "The other"] {
        assert!(message.contains(part), "{part} is missing: {message}");
    }
    assert!(!message.contains("All about"), "{message}");

    let long = long_debate(&server).await;
    // Ids of arguments that were created at the same time start with the same digits.
    let common = &long.arguments[0][..1];
    let args = ["debate", "show", "--debate-id", &long.id, "--argument-id", common];
    let message = text(&agent.run(&args).await.failure(4, "INVALID_INPUT")["error"]["message"]);
    assert!(message.contains(&long.arguments[2]) && message.contains("#3 CLAIM by the proposer"), "{message}");
    let args = ["debate", "show", "--debate-id", &debate.id, "--argument-id", "#1"];
    assert_eq!(agent.run(&args).await.data()["argument"]["id"], debate.arguments[0]);
}

async fn long_debate(server: &Server) -> Debate {
    let mut debate = Debate::create(&server.client()).await;
    for role in ["opponent", "proposer"].into_iter().cycle().take(4) {
        debate.claim(role).await;
    }
    debate
}

#[tokio::test]
async fn a_unique_prefix_of_a_document_id_is_enough() {
    let server = Server::start().await;
    let agent = Agent::new(&server.url());
    let titled = |summary: &str| with(request_bodies::document("One.\n"), "summary", summary);
    // With more documents than hexadecimal digits, two ids must start with the same digit.
    let mut documents = Vec::new();
    for n in 0..17 {
        documents.push(Document::create_with(&server.client(), &titled(&format!("Plan {n}"))).await);
    }
    let begins = |digit: &str| documents.iter().filter(|one| one.id.starts_with(digit)).collect::<Vec<_>>();
    let alike = documents.iter().map(|one| begins(&one.id[..1])).find(|alike| alike.len() > 1).unwrap();
    let document = agent.run(&["docs", "delete", &alike[0].id[..1]]).await.failure(4, "INVALID_INPUT");
    let message = text(&document["error"]["message"]);
    for one in &alike {
        let summary = text(&one.newest().await["summary"]);
        assert!(message.contains(&format!("{} ({summary}, v1)", one.id)), "{message}");
    }
    let (one, other) = (&documents[3].id, &documents[4].id);
    // The server's search finds this summary, but the document's id does not match.
    Document::create_with(&server.client(), &titled(&format!("All about {}", &one[..13]))).await;
    let short = one[..13].to_uppercase();
    let submit = ["docs", "submit", &short, "--summary", "s", "--content", "Two."];
    assert_eq!(agent.run(&submit).await.data()["document_id"], **one);
    assert_eq!(agent.run(&["docs", "get", &short]).await.stdout, "Two.");
    assert!(
        agent.run(&["docs", "diff", &short]).await.stdout.ends_with("-One.\n+Two.\n\\ No newline at end of file\n")
    );
    assert_eq!(agent.run(&["docs", "history", &short]).await.data()["document"]["id"], **one);
    agent.run(&["docs", "export", &other[..13], "--output", "out.md"]).await.data();
    assert_eq!(agent.run(&["docs", "delete", &short]).await.data()["document"]["id"], **one);
    // A deleted document is in no list. It is found by its whole id only.
    let gone = agent.run(&["docs", "get", &short, "--format", "json"]).await.failure(2, "DOCUMENT_NOT_FOUND");
    assert!(text(&gone["error"]["suggestion"]).contains("whole id"), "{gone}");
    assert_eq!(agent.run(&["docs", "get", one]).await.stdout, "Two.");
}

#[tokio::test]
async fn an_unknown_prefix_is_not_found() {
    let server = Server::start().await;
    let debate = Debate::in_situation(&server.client(), Situation::AwaitingProposer).await;
    let agent = Agent::new(&server.url());
    let unlike = |id: &str| format!("{}0000000", if id.starts_with('f') { 'e' } else { 'f' });
    let args = ["debate", "get-context", "--debate-id", &unlike(&debate.id)];
    agent.run(&args).await.failure(2, "DEBATE_NOT_FOUND");
    for wrong in [unlike(debate.newest()), "#3".to_owned(), "#18446744073709551615".to_owned()] {
        let args = ["debate", "show", "--debate-id", &debate.id, "--argument-id", &wrong];
        agent.run(&args).await.failure(2, "ARGUMENT_NOT_FOUND");
    }
    for wrong in ["nonsense", "#", "#0", "#x", ""] {
        let args = ["debate", "show", "--debate-id", &debate.id, "--argument-id", wrong];
        agent.run(&args).await.failure(4, "INVALID_INPUT");
    }
}

#[tokio::test]
async fn a_complete_id_needs_no_lookup() {
    let stub = StubServer::start(vec![Reply::Fail(404, "DEBATE_NOT_FOUND")]).await;
    let agent = Agent::new(&stub.url());
    for (asked, spelling) in [ONE, "93D81B1A0E664510ABFDAA33B26CB82E"].into_iter().enumerate() {
        let args = ["debate", "submit", "--debate-id", spelling, "--role", "opponent", "--target-id", OTHER];
        agent.run(&[&args[..], &["--content", "No."]].concat()).await.failure(2, "DEBATE_NOT_FOUND");
        assert_eq!(stub.requests().len(), asked + 1, "{spelling}");
    }
}
