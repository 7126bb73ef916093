//! The plan of debates that are written as short scripts, and of the same arguments replayed.

use uuid::Uuid;

use super::*;
use crate::domain::{ArgumentId, Hash};

/// `A3` is version 3 of document A.
fn citation(name: &str) -> Citation {
    let (document, version) = name.split_at(1);
    let document_id = DocumentId(Uuid::from_u128(u128::from(document.as_bytes()[0])));
    Citation { document_id, version: version.parse().unwrap(), sha256: Hash::of_content(name) }
}

/// The plan after a script: each word is an argument. `m` is the MOTION, `o` and `p` are CLAIMs, `a` APPEALs, `q` RESOLUTIONs,
/// `i` INTERVENTIONs and `r` RULINGs; after a colon follow the versions that it cites.
fn plan_after(script: &str) -> Option<String> {
    let parent_id = ArgumentId(Uuid::nil());
    let mut citations = PlanCitations::default();
    for word in script.split_whitespace() {
        let (kind, cited) = word.split_once(':').unwrap_or((word, ""));
        let kind = match kind {
            "m" => ArgumentKind::Motion,
            "o" => ArgumentKind::Claim { by: Side::Opponent, parent_id },
            "p" => ArgumentKind::Claim { by: Side::Proposer, parent_id },
            "a" => ArgumentKind::Appeal { parent_id, options: Vec::new() },
            "q" => ArgumentKind::Resolution { parent_id },
            "i" => ArgumentKind::Intervention,
            _ => ArgumentKind::Ruling { close: false, chosen_option: None },
        };
        let cited: Vec<_> = cited.split(',').filter(|name| !name.is_empty()).map(citation).collect();
        citations = citations.after(&kind, &cited);
    }
    citations.plan().map(|Plan { citation, first_version, seen_version, seen: is_seen }| {
        let Citation { document_id, version, sha256 } = citation;
        let document = u8::try_from(document_id.0.as_u128()).unwrap() as char;
        assert_eq!(sha256, Hash::of_content(&format!("{document}{version}")), "{script}");
        let seen = seen_version.map_or_else(|| "none".to_owned(), |version| version.to_string());
        let agrees = seen_version == Some(version);
        let is_seen = match (is_seen, agrees) {
            (true, true) | (false, false) => "",
            (true, false) => ", and this one",
            (false, true) => ", but not this one",
        };
        format!("{document}{version}, first {first_version}, seen {seen}{is_seen}")
    })
}

#[test]
fn the_plan_is_what_the_proposer_cites_first_in_the_version_that_it_cites_last() {
    for (script, plan) in [
        ("m", None),
        ("m o:A1 i:B1 r:B2", None),
        ("m:A1", Some("A1, first 1, seen none")),
        ("m:A1 o", Some("A1, first 1, seen 1")),
        ("m:A1 o p:A2", Some("A2, first 1, seen 1")),
        ("m:A1 o p:A2 o", Some("A2, first 1, seen 2")),
        // Late deliveries count as well, and so do APPEALs and RESOLUTIONs.
        ("m:A1 i o", Some("A1, first 1, seen 1")),
        ("m:A1 o a:A2 r", Some("A2, first 1, seen 1")),
        ("m:A1 o q:A2 r p o", Some("A2, first 1, seen 2")),
        // Another document never becomes the plan.
        ("m:A1 o p:B7 o", Some("A1, first 1, seen 1")),
        ("m o p:B2,A9 o q:A1", Some("B2, first 2, seen 2")),
        ("m:A1 o q:B1 r p:A2,B2", Some("A2, first 1, seen 1")),
        // A plan may go back to an earlier version.
        ("m:A1 o p:A3 o p:A2", Some("A2, first 1, seen 3")),
        ("m:A1 o p:A3 o p:A2 o", Some("A2, first 1, seen 3, and this one")),
        ("m:A1 o p:A2 o p:A3 o p:A1", Some("A1, first 1, seen 3, and this one")),
        // Of several versions the highest counts, wherever it stands.
        ("m:A2,A3,A1", Some("A3, first 3, seen none")),
        ("m:A2 o p:A4,A3", Some("A4, first 2, seen 2")),
        ("m:A2 o p:A4,A3 o p:A1", Some("A1, first 2, seen 4")),
        ("m:A2 o p:A4,A3 o p:A3", Some("A3, first 2, seen 4, and this one")),
        ("m:A1 o p:B1,A2", Some("A2, first 1, seen 1")),
        // What others cite is no version of the plan, but may be one that the opponent has seen.
        ("m:A1 o:A3", Some("A1, first 1, seen 3, and this one")),
        ("m:A1 i:A3 r o", Some("A1, first 1, seen 3, and this one")),
        ("m:A1 o:A3 p:A2 i:A4 r", Some("A2, first 1, seen 3")),
        ("m:A1 o:A2,A3 p:A2", Some("A2, first 1, seen 3, and this one")),
        // So is what they cited before the proposer did.
        ("m o:A2 p:A1", Some("A1, first 1, seen 2")),
        ("m o:A2,A1 p:A1", Some("A1, first 1, seen 2, and this one")),
        ("m o:A2,B1 p:B1,A1", Some("B1, first 1, seen 1")),
        ("m o i:A5 r p:A1", Some("A1, first 1, seen none")),
        ("m o i:A5 r p:A1 o", Some("A1, first 1, seen 5, and this one")),
        ("m o:A2 p o:A1 p:A1", Some("A1, first 1, seen 2, and this one")),
    ] {
        assert_eq!(plan_after(script).as_deref(), plan, "{script}");
    }
}
