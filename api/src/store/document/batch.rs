//! The documents that a batch of writes touches: loaded together, changed in memory by one write after another, and stored
//! together.

use std::{
    collections::{BTreeSet, HashMap},
    sync::Arc,
};

use chrono::{DateTime, SubsecRound, Utc};
use sea_orm::{ConnectionTrait, DatabaseTransaction};

use super::{
    batch_statements,
    rows::{self, DOCUMENTS},
};
use crate::{
    domain::{
        CitedVersion, Document, DocumentError, DocumentId, DocumentText, DocumentVersion, NewDocument, NewVersion,
        RequestId,
    },
    store::{
        ClockAndIds, DocumentDeleted, DocumentWrite, DocumentWritten, STORED_DIGITS,
        batch_queue::{Pending, QueuedWrite},
        decoded::Decoded,
        error::{RowName, StoreError, WriteError},
        guarded_statement::GuardedStatement,
        insert_rows,
    },
};

/// The version that a request stored earlier; none if its text differs from that of the write now.
type Earlier = Option<Arc<DocumentVersion>>;

/// The documents of a batch, as its writes change them.
pub(in crate::store) struct DocumentBatch {
    now: DateTime<Utc>,
    random_id: fn() -> uuid::Uuid,
    documents: HashMap<DocumentId, Document>,
    /// Earlier creations: their request ids are unique among all documents
    creations: HashMap<RequestId, Earlier>,
    /// Earlier submissions: their request ids are unique within a document
    submissions: HashMap<(DocumentId, RequestId), Earlier>,
    /// The `latest_version` of each loaded document before the batch
    loaded: HashMap<DocumentId, u64>,
    changed: BTreeSet<DocumentId>,
    added: Vec<(Arc<DocumentVersion>, Option<RequestId>)>,
}

impl DocumentBatch {
    /// A batch without documents.
    pub fn empty(clock_and_ids: ClockAndIds) -> Self {
        Self {
            now: (clock_and_ids.now)().trunc_subsecs(STORED_DIGITS),
            random_id: clock_and_ids.random_id,
            documents: HashMap::new(),
            creations: HashMap::new(),
            submissions: HashMap::new(),
            loaded: HashMap::new(),
            changed: BTreeSet::new(),
            added: Vec::new(),
        }
    }

    /// Starts from the database, and locks the documents until the transaction ends.
    pub async fn from_db(
        transaction: &DatabaseTransaction,
        clock_and_ids: ClockAndIds,
        batch: &[QueuedWrite],
    ) -> Result<Self, StoreError> {
        let (mut ids, mut new_documents, mut new_versions) = (Vec::new(), Vec::new(), Vec::new());
        for write in batch {
            match write {
                QueuedWrite::Document(Pending { write: DocumentWrite::Create(new), .. }) => new_documents.push(new),
                QueuedWrite::Document(Pending { write: DocumentWrite::Submit(new), .. }) => {
                    ids.push(new.document_id.0);
                    new_versions.push(new);
                }
                QueuedWrite::DocumentDeletion(Pending { write: id, .. }) => ids.push(id.0),
                QueuedWrite::Debate(_) | QueuedWrite::SeatFreeing(_) => {}
            }
        }
        ids.sort_unstable();
        ids.dedup();
        let mut loaded = Self::empty(clock_and_ids);

        let creation_ids: Vec<_> = new_documents.iter().filter_map(|new| new.request_id.clone()).collect();
        let requests = creation_ids.iter().map(|id| id.as_str().to_owned()).collect();
        for row in batch_statements::lock_documents(transaction, ids, requests).await? {
            let row = row.decoded(DOCUMENTS, RowName::Document)?;
            let request = rows::creation_request(&row)?.filter(|id| creation_ids.contains(id));
            let document = rows::document(row)?;
            if let Some(request) = request {
                let same_request = new_documents.iter().filter(|new| new.request_id.as_ref() == Some(&request));
                let earlier = earlier(transaction, document.id.0, 1, same_request.map(|new| &new.text)).await?;
                loaded.creations.insert(request, earlier);
            }
            loaded.loaded.insert(document.id, document.latest_version);
            loaded.documents.insert(document.id, document);
        }

        let requests = new_versions
            .iter()
            .filter_map(|new| Some((new.document_id.0, new.request_id.as_ref()?.as_str().to_owned())))
            .collect();
        for row in batch_statements::find_by_request_ids(transaction, requests).await? {
            let (document, request) = (DocumentId(row.document_id), rows::submission_request(&row)?);
            let key = (document, request.clone());
            if loaded.submissions.contains_key(&key) {
                continue;
            }
            let same_request = new_versions
                .iter()
                .filter(|new| new.document_id == document && new.request_id.as_ref() == Some(&request));
            let texts = same_request.map(|new| &new.text);
            loaded.submissions.insert(key, earlier(transaction, row.document_id, row.version, texts).await?);
        }
        Ok(loaded)
    }

    /// Decides a write, on top of the writes decided before it.
    pub fn decide(&mut self, write: &DocumentWrite) -> Result<DocumentWritten, WriteError> {
        match write {
            DocumentWrite::Create(new) => self.create(new),
            DocumentWrite::Submit(new) => self.submit(new),
        }
    }

    fn create(&mut self, new: &NewDocument) -> Result<DocumentWritten, WriteError> {
        if let Some(request) = &new.request_id
            && let Some(earlier) = self.creations.get(request)
        {
            return self.replay(earlier, &new.text, request);
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
            && let Some(earlier) = self.submissions.get(&(id, request.clone()))
        {
            return self.replay(earlier, &new.text, request);
        }
        let (document, version) = document.submit(new.text.clone(), self.now)?;
        let version = Arc::new(version);
        self.submissions.extend(new.request_id.clone().map(|request| ((id, request), Some(version.clone()))));
        Ok(self.add(document, version, new.request_id.clone()))
    }

    /// The version that the same request stored earlier, if it had the same text.
    fn replay(
        &self,
        earlier: &Earlier,
        text: &DocumentText,
        request: &RequestId,
    ) -> Result<DocumentWritten, WriteError> {
        let Some(version) = earlier.as_ref().filter(|version| version.text.is_same(text)) else {
            return Err(WriteError::IdempotencyConflict(request.clone()));
        };
        let id = version.document_id;
        let document = self.documents.get(&id).ok_or(DocumentError::NotFound(id))?.clone();
        Ok(DocumentWritten { document, version: version.clone(), replayed: true })
    }

    /// Decides a deletion. Deleting a deleted document changes nothing.
    pub fn delete(&mut self, id: DocumentId) -> Result<DocumentDeleted, WriteError> {
        let document = self.documents.get_mut(&id).ok_or(DocumentError::NotFound(id))?;
        let replayed = document.deleted_at.is_some();
        if !replayed {
            *document = document.delete(self.now);
            self.changed.insert(id);
        }
        Ok(DocumentDeleted { document: document.clone(), replayed })
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

    /// The statements that store the accepted writes.
    pub fn into_statements(self, connection: &impl ConnectionTrait) -> Vec<GuardedStatement> {
        let (mut creation_requests, mut versions) = (HashMap::new(), Vec::new());
        for (version, request) in &self.added {
            // The request id of a creation is stored with the document, any other with its version.
            let request = request.as_ref();
            if version.version == 1 {
                creation_requests.insert(version.document_id, request);
            }
            versions.push(rows::version_row(version, request.filter(|_| version.version > 1)));
        }
        let (mut created, mut updated) = (Vec::new(), Vec::new());
        for document in self.changed.iter().filter_map(|id| self.documents.get(id)) {
            let request = creation_requests.get(&document.id).copied().flatten();
            let row = rows::document_row(document, request);
            match self.loaded.get(&document.id) {
                None => created.push(row),
                Some(from_version) => updated.push((row, from_version.cast_signed())),
            }
        }
        let mut statements = insert_rows::insert(connection, created);
        statements.extend(insert_rows::insert(connection, versions));
        statements.extend(batch_statements::update_documents(connection, updated));
        statements
    }
}

/// Compares the version that a request stored earlier with the texts that came with the same request now. Texts may be
/// long: of equal ones a single copy is kept, of the stored one none if it differs.
async fn earlier(
    transaction: &DatabaseTransaction,
    document: uuid::Uuid,
    version: i64,
    mut texts: impl Iterator<Item = &Arc<DocumentText>>,
) -> Result<Earlier, StoreError> {
    let Some(Decoded(row)) = batch_statements::find_version(transaction, document, version).await? else {
        return Ok(None);
    };
    let cited = CitedVersion { document_id: DocumentId(document), version: version.cast_unsigned() };
    let stored = rows::version(row.map_err(|error| rows::undecodable_version(cited, &error))?)?;
    let same = texts.find(|text| text.is_same(&stored.text));
    let shared = |text: &Arc<DocumentText>| if **text == *stored.text { text.clone() } else { stored.text.clone() };
    Ok(same.map(shared).map(|text| Arc::new(DocumentVersion { text, ..stored })))
}
