//! What a batch decides about documents: their rows are loaded in sets, the domain decides one write after another in
//! memory, and what came of it is stored in sets.

use std::{
    collections::{BTreeSet, HashMap},
    sync::Arc,
};

use chrono::{DateTime, SubsecRound, Utc};
use sea_orm::{DatabaseTransaction, DbErr};

use super::{
    rows,
    statements::{self, Moved},
};
use crate::{
    domain::{Document, DocumentError, DocumentId, DocumentText, DocumentVersion, NewDocument, NewVersion, RequestId},
    store::{
        DocumentWrite, DocumentWritten, STORED_DIGITS, Sources,
        error::{StoreError, WriteError},
        sets,
    },
};

/// What a request stored before: the version, where it said the same as now, and none where it said something else.
type Earlier = Option<Arc<DocumentVersion>>;

/// What a batch needs to know, as it changes from one write to the next.
pub(in crate::store) struct Desk {
    now: DateTime<Utc>,
    random_id: fn() -> uuid::Uuid,
    documents: HashMap<DocumentId, Document>,
    /// What creations stored before: the scope of their request ids is all of them
    creations: HashMap<RequestId, Earlier>,
    /// What was added to a document before, each of which is a scope of its own
    submissions: HashMap<(DocumentId, RequestId), Earlier>,
    /// Documents that are in the store, with the `latest_version` that they have there
    stored: HashMap<DocumentId, u64>,
    changed: BTreeSet<DocumentId>,
    added: Vec<(Arc<DocumentVersion>, Option<RequestId>)>,
}

impl Desk {
    pub async fn load(
        transaction: &DatabaseTransaction,
        sources: Sources,
        writes: &[DocumentWrite],
        deletions: &[DocumentId],
    ) -> Result<Self, StoreError> {
        let (mut ids, mut creating) = (deletions.iter().map(|id| id.0).collect::<Vec<_>>(), Vec::new());
        for write in writes {
            match write {
                DocumentWrite::Create(new) => creating.extend(new.request_id.clone()),
                DocumentWrite::Submit(new) => ids.push(new.document_id.0),
            }
        }
        ids.sort_unstable();
        ids.dedup();
        let mut documents = HashMap::with_capacity(ids.len());
        let mut created_by = HashMap::new();
        let requests = creating.iter().map(|id| id.as_str().to_owned()).collect();
        for row in statements::lock_documents(transaction, ids, requests).await? {
            let request = rows::creation_request(&row)?;
            let document = rows::document(row)?;
            created_by.extend(request.filter(|id| creating.contains(id)).map(|id| (document.id, id)));
            documents.insert(document.id, document);
        }

        let mut creations = HashMap::new();
        for (document, request) in created_by {
            let texts = writes.iter().filter_map(|write| match write {
                DocumentWrite::Create(new) => (new.request_id.as_ref() == Some(&request)).then_some(&new.text),
                DocumentWrite::Submit(_) => None,
            });
            let earlier = earlier(transaction, document.0, 1, texts).await?;
            creations.insert(request, earlier);
        }

        let mut submissions = HashMap::new();
        let asked = writes.iter().filter_map(|write| match write {
            DocumentWrite::Create(_) => None,
            DocumentWrite::Submit(new) => Some((new.document_id.0, new.request_id.as_ref()?.as_str().to_owned())),
        });
        for row in statements::find_requests(transaction, asked.collect()).await? {
            let key = (DocumentId(row.document_id), rows::submission_request(&row)?);
            if submissions.contains_key(&key) {
                continue;
            }
            let texts = writes.iter().filter_map(|write| match write {
                DocumentWrite::Create(_) => None,
                DocumentWrite::Submit(new) => {
                    (new.document_id == key.0 && new.request_id.as_ref() == Some(&key.1)).then_some(&new.text)
                }
            });
            let earlier = earlier(transaction, row.document_id, row.version, texts).await?;
            submissions.insert(key, earlier);
        }

        let stored = documents.values().map(|document| (document.id, document.latest_version)).collect();
        Ok(Self {
            now: (sources.now)().trunc_subsecs(STORED_DIGITS),
            random_id: sources.random_id,
            documents,
            creations,
            submissions,
            stored,
            changed: BTreeSet::new(),
            added: Vec::new(),
        })
    }

    pub fn decide(&mut self, write: &DocumentWrite) -> Result<DocumentWritten, WriteError> {
        match write {
            DocumentWrite::Create(new) => self.create(new),
            DocumentWrite::Submit(new) => self.submit(new),
        }
    }

    fn create(&mut self, new: &NewDocument) -> Result<DocumentWritten, WriteError> {
        if let Some(request) = &new.request_id
            && let Some(first) = self.creations.get(request)
        {
            return self.repeat(first, &new.text, request);
        }
        let id = DocumentId((self.random_id)());
        let (document, version) = Document::create(id, new.text.clone(), self.now);
        let version = Arc::new(version);
        self.creations.extend(new.request_id.clone().map(|request| (request, Some(version.clone()))));
        Ok(self.add(document, version, new.request_id.clone()))
    }

    fn submit(&mut self, new: &NewVersion) -> Result<DocumentWritten, WriteError> {
        let id = new.document_id;
        let document = self.documents.get(&id).ok_or(DocumentError::NotFound(id))?;
        if let Some(request) = &new.request_id
            && let Some(first) = self.submissions.get(&(id, request.clone()))
        {
            return self.repeat(first, &new.text, request);
        }
        let (document, version) = document.submit(new.text.clone(), self.now)?;
        let version = Arc::new(version);
        self.submissions.extend(new.request_id.clone().map(|request| ((id, request), Some(version.clone()))));
        Ok(self.add(document, version, new.request_id.clone()))
    }

    /// What the same request stored before, where it was the same.
    fn repeat(
        &self,
        earlier: &Earlier,
        text: &DocumentText,
        request: &RequestId,
    ) -> Result<DocumentWritten, WriteError> {
        let Some(version) = earlier.as_ref().filter(|version| *version.text == *text) else {
            return Err(WriteError::IdempotencyConflict(request.clone()));
        };
        let id = version.document_id;
        let document = self.documents.get(&id).ok_or(DocumentError::NotFound(id))?.clone();
        Ok(DocumentWritten { document, version: version.clone(), replayed: true })
    }

    pub fn delete(&mut self, id: DocumentId) -> Result<Document, WriteError> {
        let document = self.documents.get_mut(&id).ok_or(DocumentError::NotFound(id))?;
        if document.deleted_at.is_none() {
            *document = document.delete(self.now);
            self.changed.insert(id);
        }
        Ok(document.clone())
    }

    fn add(
        &mut self,
        document: Document,
        version: Arc<DocumentVersion>,
        request: Option<RequestId>,
    ) -> DocumentWritten {
        self.changed.insert(document.id);
        self.documents.insert(document.id, document.clone());
        self.added.push((version.clone(), request));
        DocumentWritten { document, version, replayed: false }
    }

    pub fn is_unchanged(&self) -> bool {
        self.changed.is_empty()
    }

    pub async fn store(self, transaction: &DatabaseTransaction) -> Result<(), StoreError> {
        let (mut creations, mut versions) = (HashMap::new(), Vec::with_capacity(self.added.len()));
        for (version, request) in &self.added {
            // A creation's request id is unique among documents, any other's among the versions of one.
            let request = request.as_ref();
            if version.version == 1 {
                creations.insert(version.document_id, request);
            }
            versions.push(rows::version_row(version, request.filter(|_| version.version > 1)));
        }
        let (mut created, mut moved) = (Vec::new(), Vec::new());
        for document in self.changed.iter().filter_map(|id| self.documents.get(id)) {
            match self.stored.get(&document.id) {
                None => {
                    let request = creations.get(&document.id).copied().flatten();
                    created.push(rows::document_row(document, request));
                }
                Some(from_version) => moved.push(moved_row(document, *from_version)),
            }
        }
        let expected = moved.len() as u64;
        sets::insert(transaction, created).await?;
        sets::insert(transaction, versions).await?;
        let changed = statements::update_documents(transaction, moved).await?;
        if changed != expected {
            // Held since they were read, the rows cannot have moved; were it otherwise, nothing must be stored.
            return Err(StoreError::Unexpected(DbErr::RecordNotUpdated));
        }
        Ok(())
    }
}

/// What a request stored before, held against what is said now. Of a text that is the same one copy is kept, of another one
/// none: texts may be long, and many may be repeated at once.
async fn earlier(
    transaction: &DatabaseTransaction,
    document: uuid::Uuid,
    version: i64,
    mut texts: impl Iterator<Item = &Arc<DocumentText>>,
) -> Result<Earlier, StoreError> {
    let Some(row) = statements::find_version(transaction, document, version).await? else { return Ok(None) };
    let stored = rows::version(row)?;
    let same = texts.find(|text| ***text == *stored.text);
    Ok(same.map(|text| Arc::new(DocumentVersion { text: text.clone(), ..stored })))
}

fn moved_row(document: &Document, from_version: u64) -> Moved {
    Moved {
        id: document.id.0,
        from_version: from_version.cast_signed(),
        latest_version: document.latest_version.cast_signed(),
        summary: document.summary.as_str().to_owned(),
        summary_folded: document.summary.as_str().to_ascii_lowercase(),
        updated_at: document.updated_at.timestamp_micros(),
        deleted_at: document.deleted_at.map(|time| time.timestamp_micros()),
    }
}
