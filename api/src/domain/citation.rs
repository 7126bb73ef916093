//! Citations: texts refer to versions of documents as `doc_id=<uuid> v<number>`.

use std::collections::HashSet;

use serde::{Deserialize, Serialize};

use super::{hash::Hash, id::DocumentId};

/// What precedes the id of the document.
const PREFIX: &str = "doc_id=";

/// The length of the longest spelling of a UUID, `urn:uuid:` and the hyphenated form.
const MAX_ID_LENGTH: usize = 45;

/// The most digits that the number of a version has in a citation.
const MAX_DIGITS: usize = 9;

/// A version of a document that a text cites, whether it exists or not.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
pub struct CitedVersion {
    /// The document
    pub document_id: DocumentId,
    /// The number of the version
    pub version: u64,
}

/// A citation of a version that existed when the argument was stored.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Citation {
    /// The document
    pub document_id: DocumentId,
    /// The number of the version
    pub version: u64,
    /// The hash of the content of the version
    pub sha256: Hash,
}

impl Citation {
    /// What it cites, without the hash.
    pub fn cited(&self) -> CitedVersion {
        CitedVersion { document_id: self.document_id, version: self.version }
    }
}

/// The citations of an argument to be stored.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Citations {
    /// Of versions that exist, in the order of the text
    pub known: Vec<Citation>,
    /// What else the text cites, in its order
    pub unknown: Vec<CitedVersion>,
}

impl Citations {
    /// Looks up what a text cites. `sha256_of` returns the hash of a version, or `None` if there is no such version.
    pub fn look_up(text: &str, sha256_of: impl Fn(CitedVersion) -> Option<Hash>) -> Self {
        let mut citations = Self::default();
        for cited in cited_versions(text) {
            let CitedVersion { document_id, version } = cited;
            match sha256_of(cited) {
                Some(sha256) => citations.known.push(Citation { document_id, version, sha256 }),
                None => citations.unknown.push(cited),
            }
        }
        citations
    }
}

/// The versions among `cited` that are not among `seen`: what the arguments up to and including the opponent's newest CLAIM
/// cite. The opponent cannot have agreed to them.
pub fn unseen_citations(cited: &[Citation], seen: &HashSet<CitedVersion>) -> Vec<CitedVersion> {
    cited.iter().map(Citation::cited).filter(|cited| !seen.contains(cited)).collect()
}

/// Whether a text cites all these versions, in their order.
pub fn are_all_in_text(citations: &[Citation], text: &str) -> bool {
    let stored: HashSet<_> = citations.iter().map(Citation::cited).collect();
    let mut cited = cited_versions(text);
    cited.retain(|cited| stored.contains(cited));
    cited.iter().copied().eq(citations.iter().map(Citation::cited))
}

/// The versions that a text cites, each once, in the order in which it mentions them first.
///
/// A citation is `doc_id=`, a UUID in any spelling that requests may have, one or more spaces, `v` and 1 to 9 digits that no
/// letter or digit follows.
pub fn cited_versions(text: &str) -> Vec<CitedVersion> {
    let mut seen = HashSet::new();
    text.match_indices(PREFIX)
        .filter_map(|(at, _)| citation_after_prefix(&text[at + PREFIX.len()..]))
        .filter(|cited| seen.insert(*cited))
        .collect()
}

fn citation_after_prefix(text: &str) -> Option<CitedVersion> {
    // Searching no further keeps the time linear in the text, whatever it is.
    let id_length = text.bytes().take(MAX_ID_LENGTH + 1).position(|byte| byte == b' ')?;
    let (id, rest) = text.split_at(id_length);
    let document_id = id.parse().ok()?;
    let rest = rest.trim_start_matches(' ').strip_prefix('v')?;
    let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
    let (number, rest) = rest.split_at(digits);
    if digits > MAX_DIGITS || rest.starts_with(char::is_alphanumeric) {
        return None;
    }
    Some(CitedVersion { document_id, version: number.parse().ok()? })
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::random_cases::cases;

    const ID: &str = "5f0c2a6e-9b1d-4c38-8a57-3d2e1f4b6a90";
    const OTHER: &str = "00000000-0000-0000-0000-00000000000a";

    fn cited(id: &str, version: u64) -> CitedVersion {
        CitedVersion { document_id: id.parse().unwrap(), version }
    }

    #[test]
    fn what_counts_as_a_citation() {
        let simple = ID.replace('-', "");
        let yes = [
            format!("doc_id={ID} v2"),
            format!("see doc_id={ID} v2."),
            format!("(doc_id={ID} v2)"),
            format!("`doc_id={ID} v2`"),
            format!("doc_id={ID} v2_"),
            format!("doc_id={ID} v2, lines 12-18"),
            format!("doc_id={ID} v2-draft"),
            format!("doc_id={ID}    v2\n"),
            format!("doc_id={ID} v000000002"),
            format!("xdoc_id={ID} v2"),
            format!("doc_id=doc_id={ID} v2"),
            format!("doc_id={} v2", ID.to_uppercase()),
            format!("doc_id={simple} v2"),
            format!("doc_id={} v2", simple.to_uppercase()),
            format!("doc_id={{{ID}}} v2"),
            format!("doc_id=urn:uuid:{ID} v2"),
        ];
        for text in yes {
            assert_eq!(cited_versions(&text), [cited(ID, 2)], "{text}");
        }
        let no = [
            String::new(),
            "doc_id=".to_owned(),
            format!("doc_id={ID}"),
            format!("doc_id={ID} "),
            format!("doc_id={ID} v"),
            format!("doc_id={ID} 2"),
            format!("doc_id={ID}v2"),
            format!("doc_id={ID}\tv2"),
            format!("doc_id={ID}\nv2"),
            format!("doc_id={ID}\u{a0}v2"),
            format!("doc_id={ID} V2"),
            format!("DOC_ID={ID} v2"),
            format!("doc_id: {ID} v2"),
            format!("doc_id= {ID} v2"),
            format!("doc_id={ID} v2a"),
            format!("doc_id={ID} v2é"),
            format!("doc_id={ID} v2ß"),
            format!("doc_id={ID} v1234567890"),
            format!("doc_id={ID} v0000000002"),
            format!("doc_id={ID} v-2"),
            format!("doc_id={ID} v٢"),
            format!("doc_id={ID} v2٢"),
            format!("doc_id={} v2", &ID[1..]),
            format!("doc_id={ID}0 v2"),
            format!("doc_id={ID}, v2"),
            format!("{ID} v2"),
        ];
        for text in no {
            assert_eq!(cited_versions(&text), [], "{text}");
        }
    }

    #[test]
    fn each_version_comes_once_in_the_order_of_first_mention() {
        let simple = ID.replace('-', "");
        let text =
            format!("doc_id={ID} v3 doc_id={OTHER} v1, doc_id={simple} v03;doc_id={ID} v999999999 doc_id={ID} v0");
        assert_eq!(cited_versions(&text), [cited(ID, 3), cited(OTHER, 1), cited(ID, 999_999_999), cited(ID, 0)]);
    }

    #[test]
    fn versions_that_exist_and_others_are_told_apart() {
        let text = format!("doc_id={OTHER} v1 doc_id={ID} v2 doc_id={ID} v1");
        let sha256 = Hash::of_content("a plan");
        let citations = Citations::look_up(&text, |cited| (cited.version == 1).then_some(sha256));
        let known: Vec<_> = citations.known.iter().map(|known| (known.cited(), known.sha256)).collect();
        assert_eq!(known, [(cited(OTHER, 1), sha256), (cited(ID, 1), sha256)]);
        assert_eq!(citations.unknown, [cited(ID, 2)]);
    }

    proptest! {
        #![proptest_config(cases(256))]

        #[test]
        fn any_text_is_read_without_a_panic(text in "(doc_id=|[0-9a-f]{8}|-|v| |[0-9]|\\PC){0,40}") {
            let cited = cited_versions(&text);
            prop_assert!(cited.len() <= text.matches(PREFIX).count());
        }

        #[test]
        fn a_citation_is_found_whatever_surrounds_it(before in "[^=]{0,20}", after in "([ -/:-@\\[-`\\n].{0,20})?") {
            let text = format!("{before}doc_id={ID} v7{after}");
            prop_assert!(cited_versions(&text).contains(&cited(ID, 7)), "{text}");
        }
    }
}
