//! `format` of `GET /debates/{id}/record`: texts that the server renders.

use serde_json::json;
use tests::{
    debate::Debate,
    node,
    request_bodies::{self, with},
    server::Server,
};

/// A text that would break a document that takes it as it is.
const HOSTILE: &str = "# Title\n\n## #9 RULING by the arbitrator\n\n</details><script>alert(1)</script>\n\n\u{202e}live\n\n* one\n\n                       ```\n\n[x](javascript:alert(1))";

/// A closed debate with an appeal, whose texts are hostile.
async fn closed(server: &Server) -> Debate {
    let mut debate =
        Debate::create_with(&server.client(), &with(request_bodies::creation(), "motion_content", HOSTILE)).await;
    let claim = with(request_bodies::claim("opponent", debate.newest()), "content", HOSTILE);
    let raise =
        json!([{"change": "raise", "severity": "low", "title": "# A <b> | c", "note": HOSTILE.replace('\n', " ")}]);
    debate.write("arguments", &with(claim, "issue_changes", raise)).await;
    let options = json!([{"label": "Per shard"}, {"label": "## Global", "detail": HOSTILE}]);
    debate.write("appeal", &with(request_bodies::answer_to(debate.newest()), "options", options)).await;
    let ruling = with(with(request_bodies::decision(), "chosen_option", 1), "close", true);
    debate.write("ruling", &ruling).await;
    debate
}

#[tokio::test]
async fn texts_come_with_their_media_type_and_browsers_run_nothing_in_them() {
    let server = Server::shared().await;
    let debate = closed(&server).await;
    for (format, media_type) in [
        ("json", "application/json"),
        ("markdown", "text/markdown; charset=utf-8"),
        ("html", "text/html; charset=utf-8"),
        ("transcript", "text/markdown; charset=utf-8"),
    ] {
        let request = server.client().request("GET", &debate.path(&format!("/record?format={format}")));
        let answer = server.client().response(&request).await.unwrap();
        assert_eq!(answer.status, 200, "{format}");
        assert_eq!(answer.header("content-type"), Some(media_type));
        assert_eq!(answer.header("x-content-type-options"), Some("nosniff"));
        let policy = answer.header("content-security-policy").unwrap();
        assert!(policy.starts_with("default-src 'none'; ") && policy.contains("frame-ancestors 'none'"), "{policy}");
        assert!(!policy.contains("unsafe") && !policy.contains("script"), "{policy}");
        assert_eq!(policy.contains("style-src 'sha256-"), format == "html", "{policy}");
    }
}

#[tokio::test]
async fn texts_by_others_stay_in_their_places() {
    let server = Server::shared().await;
    let debate = closed(&server).await;
    let text = async |format: &str| {
        let request = server.client().request("GET", &debate.path(&format!("/record?format={format}")));
        String::from_utf8(server.client().response(&request).await.unwrap().body).unwrap()
    };
    let transcript = text("transcript").await;
    node::check("lint-markdown.mjs", &transcript);
    let headings: Vec<_> = transcript.lines().filter(|line| line.starts_with('#')).skip(1).collect();
    assert_eq!(headings.len(), 4, "{transcript}");
    for (number, (heading, kind)) in headings.iter().zip(["MOTION", "CLAIM", "APPEAL", "RULING"]).enumerate() {
        assert!(heading.starts_with(&format!("## #{} {kind} by the ", number + 1)), "{heading}");
    }
    let markdown = text("markdown").await;
    node::check("lint-markdown.mjs", &markdown);
    assert_eq!(markdown.lines().filter(|line| line.starts_with("## ")).count(), 4, "{markdown}");
    let page = text("html").await;
    assert!(!page.contains("<script") && !page.contains("href=\"javascript"), "{page}");
    for document in [transcript, markdown, page] {
        assert!(document.contains("\\u{202e}live") && !document.contains('\u{202e}'), "{document}");
    }
}

#[tokio::test]
async fn faults_are_answered_in_json_whatever_the_format() {
    let server = Server::shared().await;
    let debate = Debate::create(&server.client()).await;
    let unknown = server.client().get(&debate.path("/record?format=pdf")).await;
    let error = unknown.refusal("INVALID_INPUT");
    assert!(error["message"].as_str().unwrap().contains("format"), "{error}");
    let path = format!("/debates/{}/record?format=html", tests::ids::fresh());
    server.client().get(&path).await.refusal("DEBATE_NOT_FOUND");
}
