//! `GET /debates/{id}`.

use rstest::rstest;
use tests::{debate::Debate, ids, server::Server};

#[rstest]
#[tokio::test]
async fn a_number_out_of_range_is_refused_and_never_clamped(
    #[values("limit", "before_seq", "after_seq")] field: &str,
    #[values("-1", "18446744073709551616", "abc", "1.5", "1e2", "%20")] value: &str,
) {
    let server = Server::shared().await;
    let debate = Debate::create(&server.client()).await;
    let error = server.client().get(&debate.path(&format!("?{field}={value}"))).await.refusal("INVALID_INPUT");
    assert!(error.to_string().contains(field), "{field} is not named: {error}");
}

#[tokio::test]
async fn any_spelling_of_the_id_finds_the_debate() {
    let server = Server::shared().await;
    let debate = Debate::create(&server.client()).await;
    for spelling in [debate.id.to_uppercase(), format!("%7B{}%7D", debate.id), debate.id.replace('-', "")] {
        let data = server.client().get(&format!("/debates/{spelling}")).await.data(200);
        assert_eq!(data["debate"]["id"], debate.id, "{spelling}");
    }
}

#[tokio::test]
async fn an_unknown_debate_and_a_malformed_id_have_different_codes() {
    let server = Server::shared().await;
    server.client().get(&format!("/debates/{}", ids::fresh())).await.refusal("DEBATE_NOT_FOUND");
    for malformed in ["nonsense", "7", "00000000-0000-0000-0000-00000000000g", "%00", "%ff"] {
        server.client().get(&format!("/debates/{malformed}")).await.refusal("INVALID_INPUT");
    }
}
