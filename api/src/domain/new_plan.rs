//! The plan that comes with an argument: which version of which document it becomes, and how the argument's text cites it.

use std::sync::Arc;

use chrono::{DateTime, Utc};

use super::{
    argument::Argument,
    citation::Citation,
    document::{Document, DocumentError, DocumentText, DocumentVersion},
    hash::Hash,
    id::{DebateId, DocumentId, RequestId},
    metadata::Metadata,
    plan::Plan,
    text::{Content, Summary, Title},
};

/// The most bytes that the line takes with which the text of an argument begins, with the line breaks after it: a version has at
/// most nine digits in a citation.
pub const PLAN_LINE_BYTES: usize = 62;

/// A plan that comes with an argument of the proposer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewPlan {
    /// The text
    pub content: Content,
    /// The hash of the text
    pub sha256: Hash,
    /// The request id under which its version is stored, which follows from debate, request and text
    pub request_id: RequestId,
    /// What the version changes; none for the first line of the argument's text
    pub summary: Option<Summary>,
    /// The version that it was made from, if the author says so
    pub base: Option<u64>,
}

/// Where a plan belongs.
#[derive(Debug)]
pub struct PlanPlace<'p> {
    /// The title of the debate
    pub title: &'p Title,
    /// The text of the argument, without the line that cites the plan
    pub argument: &'p Content,
    /// The plan of the debate so far
    pub plan: Option<Plan>,
    /// The document of that plan, or where there is none, the one that this request created earlier; and the hash of its newest
    /// version
    pub document: Option<(&'p Document, Hash)>,
    /// The version of the document that this request stored earlier
    pub earlier: Option<Citation>,
    /// The id of the document, if it is created
    pub new_id: DocumentId,
    /// When it is stored
    pub now: DateTime<Utc>,
}

/// The version that a plan is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum PlanVersion {
    /// It is there already
    Stored(Citation),
    /// It is made: the document as it is then, and the version
    New(Document, DocumentVersion),
}

/// Why a plan cannot be stored. Nothing of its argument is stored, either.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum PlanRefusal {
    /// The document is missing or was deleted
    Document(DocumentError),
    /// The document has a newer version than the one that the plan was made from
    Outdated {
        /// The version that it was made from
        base: u64,
        /// The newest version
        newest: u64,
    },
    /// The request id of the version was used for another text
    RequestIdTaken(RequestId),
}

impl PlanVersion {
    /// How arguments cite it.
    pub fn citation(&self) -> Citation {
        match self {
            Self::Stored(citation) => *citation,
            Self::New(_, version) => {
                Citation { document_id: version.document_id, version: version.version, sha256: version.text.sha256 }
            }
        }
    }
}

impl NewPlan {
    /// The plan that comes with the argument of this request in this debate.
    pub fn new(
        content: Content,
        summary: Option<Summary>,
        base: Option<u64>,
        debate: DebateId,
        request: &RequestId,
    ) -> Self {
        let lines = [&debate.to_string(), request.as_str(), content.as_str()];
        let request_id = RequestId::of_hash(Hash::of_lines(lines));
        Self { sha256: Hash::of_content(content.as_str()), request_id, content, summary, base }
    }

    /// The version that it is: the present one or the document's newest one if they have the same text, else the one that the same
    /// request stored earlier, else a new one.
    ///
    /// # Errors
    /// If the document takes no versions, if it has a newer version than the one that the plan was made from, or if the request id
    /// was used for another text.
    pub fn version(&self, place: PlanPlace<'_>) -> Result<PlanVersion, PlanRefusal> {
        let PlanPlace { plan, document, earlier, new_id, now, .. } = place;
        let Some((document, newest)) = document else {
            return match plan {
                Some(plan) => Err(PlanRefusal::Document(DocumentError::NotFound(plan.citation.document_id))),
                None => {
                    let summary = Summary::from_store(place.title.as_str().to_owned());
                    let (document, version) = Document::create(new_id, self.document_text(summary), now);
                    Ok(PlanVersion::New(document, version))
                }
            };
        };
        if document.deleted_at.is_some() {
            return Err(PlanRefusal::Document(DocumentError::Deleted(document.id)));
        }
        if let Some(plan) = plan {
            let latest = Citation { document_id: document.id, version: document.latest_version, sha256: newest };
            if let Some(same) = [plan.citation, latest].into_iter().find(|one| one.sha256 == self.sha256) {
                return Ok(PlanVersion::Stored(same));
            }
        }
        if let Some(earlier) = earlier {
            let is_same = earlier.sha256 == self.sha256;
            let taken = || PlanRefusal::RequestIdTaken(self.request_id.clone());
            return is_same.then_some(PlanVersion::Stored(earlier)).ok_or_else(taken);
        }
        if let Some(base) = self.base.filter(|base| *base != document.latest_version) {
            return Err(PlanRefusal::Outdated { base, newest: document.latest_version });
        }
        let text = self.document_text(self.summary(place.title, place.argument));
        let (document, version) = document.submit(text, now).map_err(PlanRefusal::Document)?;
        Ok(PlanVersion::New(document, version))
    }

    /// What a version after the first one changes: what its author says, else the first line of the argument, else the title.
    fn summary(&self, title: &Title, argument: &Content) -> Summary {
        if let Some(summary) = &self.summary {
            return summary.clone();
        }
        let line = argument.as_str().split(['\n', '\r']).map(str::trim).find(|line| !line.is_empty());
        Summary::from_store(line.unwrap_or(title.as_str()).chars().take(Summary::RULE.limit).collect())
    }

    fn document_text(&self, summary: Summary) -> Arc<DocumentText> {
        let metadata = Metadata::default();
        Arc::new(DocumentText {
            sha256: self.sha256,
            metadata_sha256: Some(Hash::of_content(metadata.as_str())),
            summary,
            content: self.content.clone(),
            metadata,
        })
    }

    /// Whether an argument has the text that `content` has with a citation of a version of `document` with this plan's text.
    pub fn is_cited_by(&self, argument: &Argument, document: Option<DocumentId>, content: &Content) -> bool {
        let is_it = |cited: &&Citation| Some(cited.document_id) == document && cited.sha256 == self.sha256;
        argument.citations.iter().filter(is_it).any(|cited| content.citing_plan(cited) == argument.content)
    }
}

impl Content {
    /// The text of an argument with the line before it that cites the plan's version; an empty text is that line alone.
    pub fn citing_plan(&self, Citation { document_id, version, .. }: &Citation) -> Self {
        let line = format!("Plan: doc_id={document_id} v{version}");
        Self::from_store(if self.as_str().is_empty() { line } else { format!("{line}\n\n{}", self.as_str()) })
    }
}

#[cfg(test)]
mod tests {
    use uuid::Uuid;

    use super::*;
    use crate::domain::Limits;

    const NEW_ID: DocumentId = DocumentId(Uuid::from_u128(7));

    fn content(text: &str) -> Content {
        Content::parse(text.to_owned(), Limits::default().document()).unwrap()
    }

    fn plan(text: &str) -> NewPlan {
        NewPlan::new(content(text), None, None, DebateId(Uuid::from_u128(1)), &"r".parse().unwrap())
    }

    fn citation(version: u64, text: &str) -> Citation {
        Citation { document_id: NEW_ID, version, sha256: Hash::of_content(text) }
    }

    /// What becomes of a plan in a debate whose plan is version 1, `one`, of a document with a version 2, `two`.
    fn in_debate(plan: &NewPlan, deleted: bool, earlier: Option<Citation>) -> Result<PlanVersion, PlanRefusal> {
        let title = Title::parse("Title".to_owned()).unwrap();
        let text = |text: &str| self::plan(text).document_text(Summary::from_store(String::new()));
        let (document, _) = Document::create(NEW_ID, text("one"), DateTime::UNIX_EPOCH);
        let (mut document, _) = document.submit(text("two"), DateTime::UNIX_EPOCH).unwrap();
        document.deleted_at = deleted.then_some(DateTime::UNIX_EPOCH);
        let present = Plan { citation: citation(1, "one"), first_version: 1, seen_version: None, seen: false };
        plan.version(PlanPlace {
            title: &title,
            argument: &content("\n  \n One.\nTwo."),
            plan: Some(present),
            document: Some((&document, Hash::of_content("two"))),
            earlier,
            new_id: DocumentId(Uuid::nil()),
            now: DateTime::UNIX_EPOCH,
        })
    }

    #[test]
    fn a_plan_is_the_version_with_its_text_or_else_a_new_one() {
        let stored = |text, earlier| in_debate(&plan(text), false, earlier);
        assert_eq!(stored("one", None), Ok(PlanVersion::Stored(citation(1, "one"))));
        assert_eq!(stored("two", None), Ok(PlanVersion::Stored(citation(2, "two"))));
        assert_eq!(stored("three", Some(citation(1, "three"))), Ok(PlanVersion::Stored(citation(1, "three"))));
        let taken = PlanRefusal::RequestIdTaken(plan("three").request_id);
        assert_eq!(stored("three", Some(citation(1, "other"))), Err(taken));
        let Ok(PlanVersion::New(document, version)) = stored("three", None) else { panic!() };
        assert_eq!((version.version, version.text.summary.as_str()), (3, "One."));
        assert_eq!((document.latest_version, document.title.as_str()), (3, ""));
    }

    #[test]
    fn a_version_is_made_from_the_newest_one_if_its_author_says_from_which() {
        let from = |base, text| in_debate(&NewPlan { base: Some(base), ..plan(text) }, false, None);
        assert_eq!(from(1, "three"), Err(PlanRefusal::Outdated { base: 1, newest: 2 }));
        assert_eq!(from(3, "three"), Err(PlanRefusal::Outdated { base: 3, newest: 2 }));
        assert!(matches!(from(2, "three"), Ok(PlanVersion::New(..))));
        assert!(matches!(from(1, "one"), Ok(PlanVersion::Stored(_))), "none is made");
    }

    #[test]
    fn a_deleted_document_is_no_plan() {
        for text in ["one", "two", "three"] {
            let refused = in_debate(&plan(text), true, None);
            assert_eq!(refused, Err(PlanRefusal::Document(DocumentError::Deleted(NEW_ID))), "{text}");
        }
    }

    #[test]
    fn a_version_is_summed_up_by_its_author_or_by_the_first_line_of_the_text() {
        let title = Title::parse("Title".to_owned()).unwrap();
        let summary = |plan: NewPlan, text: &str| plan.summary(&title, &content(text)).into_string();
        let said = NewPlan { summary: Some(Summary::from_store(String::new())), ..plan("p") };
        assert_eq!(summary(said, "One."), "");
        assert_eq!(summary(plan("p"), " \n"), "Title");
        assert_eq!(summary(plan("p"), &"ệ".repeat(600)).chars().count(), 500);
    }

    #[test]
    fn the_line_that_cites_the_plan_has_at_most_62_bytes() {
        let longest = content("x").citing_plan(&citation(999_999_999, "p"));
        assert_eq!(longest.as_str().len(), PLAN_LINE_BYTES + 1);
        assert_eq!(content("").citing_plan(&citation(2, "p")).as_str(), format!("Plan: doc_id={NEW_ID} v2"));
    }

    #[test]
    fn the_request_id_of_a_version_follows_from_debate_request_and_bytes() {
        // printf '00000000-0000-0000-0000-000000000001\nr\np\n' | sha256sum
        assert_eq!(plan("p").request_id.as_str(), "225fca7052636ee73aca350fbfe6b8e7932f67b6475f1df2b66360e65fb6cda7");
    }
}
