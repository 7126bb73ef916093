//! The documents that a batch of writes touches: loaded together, changed in memory by one write after another, and stored
//! together.

use std::{
    collections::{BTreeSet, HashMap, HashSet},
    sync::Arc,
};

use chrono::{DateTime, SubsecRound, Utc};
use sea_orm::{ConnectionTrait, DatabaseTransaction};

use super::{
    batch_statements, hashes,
    rows::{self, DOCUMENTS},
};
use crate::{
    domain::{
        Citation, CitedVersion, Content, Document, DocumentError, DocumentId, DocumentText, DocumentVersion, Hash,
        NewDocument, NewPlan, NewVersion, Plan, PlanPlace, PlanRefusal, PlanVersion, RequestId, Title,
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
    /// The hash of the newest version of each document that may be a plan
    newest: HashMap<DocumentId, Hash>,
    /// The versions that requests of plans stored earlier
    plan_versions: HashMap<RequestId, Vec<Citation>>,
    changed: BTreeSet<DocumentId>,
    added: Vec<(Arc<DocumentVersion>, Option<RequestId>)>,
}

/// A request that stores a plan together with an argument.
pub(in crate::store) struct PlanRequest {
    /// The request id of the version
    pub request_id: RequestId,
    /// The documents of which the plan may become a version
    pub documents: Vec<DocumentId>,
}

/// The debate that a plan belongs to.
pub(in crate::store) struct PlanOfDebate<'d> {
    /// Its title
    pub title: &'d Title,
    /// The text of the argument that the plan comes with
    pub argument: &'d Content,
    /// Its plan so far
    pub plan: Option<Plan>,
    /// When the argument is stored
    pub now: DateTime<Utc>,
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
            newest: HashMap::new(),
            plan_versions: HashMap::new(),
            changed: BTreeSet::new(),
            added: Vec::new(),
        }
    }

    /// Starts from the database, and locks the documents until the transaction ends. `plans` come with arguments of the batch.
    pub async fn from_db(
        transaction: &DatabaseTransaction,
        clock_and_ids: ClockAndIds,
        batch: &[QueuedWrite],
        plans: Vec<PlanRequest>,
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
        ids.extend(plans.iter().flat_map(|plan| &plan.documents).map(|id| id.0));
        ids.sort_unstable();
        ids.dedup();
        let mut loaded = Self::empty(clock_and_ids);

        let creation_ids: Vec<_> = new_documents.iter().filter_map(|new| new.request_id.clone()).collect();
        let plan_ids: HashSet<&RequestId> = plans.iter().map(|plan| &plan.request_id).collect();
        let mut versions_of_plans: Vec<(RequestId, CitedVersion)> = Vec::new();
        let requests = creation_ids.iter().chain(plan_ids.iter().copied()).map(|id| id.as_str().to_owned()).collect();
        for row in batch_statements::lock_documents(transaction, ids, requests).await? {
            let row = row.decoded(DOCUMENTS, RowName::Document)?;
            let request = rows::creation_request(&row)?;
            let document = rows::document(row)?;
            if let Some(request) = request.as_ref().filter(|request| plan_ids.contains(request)) {
                versions_of_plans.push((request.clone(), CitedVersion { document_id: document.id, version: 1 }));
            }
            if let Some(request) = request.filter(|request| creation_ids.contains(request)) {
                let same_request = new_documents.iter().filter(|new| new.request_id.as_ref() == Some(&request));
                let earlier = earlier(transaction, document.id.0, 1, same_request.map(|new| &new.text)).await?;
                loaded.creations.insert(request, earlier);
            }
            loaded.loaded.insert(document.id, document.latest_version);
            loaded.documents.insert(document.id, document);
        }

        let of_plan = |plan: &PlanRequest| {
            let request = plan.request_id.as_str().to_owned();
            plan.documents.iter().map(move |id| (id.0, request.clone())).collect::<Vec<_>>()
        };
        let requests = new_versions
            .iter()
            .filter_map(|new| Some((new.document_id.0, new.request_id.as_ref()?.as_str().to_owned())))
            .chain(plans.iter().flat_map(of_plan))
            .collect();
        for row in batch_statements::find_by_request_ids(transaction, requests).await? {
            let (document, request) = (DocumentId(row.document_id), rows::submission_request(&row)?);
            if plan_ids.contains(&request) {
                let version = CitedVersion { document_id: document, version: row.version.cast_unsigned() };
                versions_of_plans.push((request.clone(), version));
            }
            let key = (document, request.clone());
            let same_request = new_versions
                .iter()
                .filter(|new| new.document_id == document && new.request_id.as_ref() == Some(&request));
            let texts: Vec<_> = same_request.map(|new| &new.text).collect();
            if loaded.submissions.contains_key(&key) || texts.is_empty() {
                continue;
            }
            loaded
                .submissions
                .insert(key, earlier(transaction, row.document_id, row.version, texts.into_iter()).await?);
        }
        loaded.load_plans(transaction, versions_of_plans, plans).await?;
        Ok(loaded)
    }

    /// Reads the hashes on which it depends whether plans are new versions.
    async fn load_plans(
        &mut self,
        transaction: &DatabaseTransaction,
        stored: Vec<(RequestId, CitedVersion)>,
        plans: Vec<PlanRequest>,
    ) -> Result<(), StoreError> {
        let documents = plans.into_iter().flat_map(|plan| plan.documents);
        let documents: BTreeSet<DocumentId> =
            documents.chain(stored.iter().map(|(_, version)| version.document_id)).collect();
        let newest = documents
            .iter()
            .filter_map(|id| Some(CitedVersion { document_id: *id, version: self.documents.get(id)?.latest_version }));
        let newest: Vec<_> = newest.collect();
        let versions = newest.iter().copied().chain(stored.iter().map(|(_, version)| *version)).collect();
        let hashes = hashes(transaction, versions).await?;
        self.newest.extend(newest.iter().filter_map(|version| Some((version.document_id, *hashes.get(version)?))));
        for (request, CitedVersion { document_id, version }) in stored {
            let Some(sha256) = hashes.get(&CitedVersion { document_id, version }).copied() else { continue };
            self.plan_versions.entry(request).or_default().push(Citation { document_id, version, sha256 });
        }
        Ok(())
    }

    /// The version that a plan of a debate is, on top of the writes decided before it. Nothing is stored yet.
    pub fn plan_version(
        &self,
        plan: &NewPlan,
        PlanOfDebate { title, argument, plan: present, now }: PlanOfDebate<'_>,
    ) -> Result<PlanVersion, PlanRefusal> {
        let mut stored = self.plan_versions.get(&plan.request_id).into_iter().flatten();
        let earlier = match present {
            Some(present) => stored.find(|version| version.document_id == present.citation.document_id),
            // Only a document that this request created can be the first plan of the debate.
            None => stored.find(|version| version.version == 1),
        };
        let document = match present {
            Some(present) => Some(present.citation.document_id),
            None => earlier.map(|version| version.document_id),
        };
        plan.version(PlanPlace {
            title,
            argument,
            plan: present,
            document: document.and_then(|id| Some((self.documents.get(&id)?, *self.newest.get(&id)?))),
            earlier: earlier.copied(),
            new_id: DocumentId((self.random_id)()),
            now,
        })
    }

    /// Stores the version that a plan is, if it is new, under its request id.
    pub fn store_plan(&mut self, version: PlanVersion, request_id: RequestId) {
        let citation = version.citation();
        let PlanVersion::New(document, version) = version else { return };
        let (id, version) = (document.id, Arc::new(version));
        self.plan_versions.entry(request_id.clone()).or_default().push(citation);
        if citation.version == 1 {
            self.creations.insert(request_id.clone(), Some(version.clone()));
        } else {
            self.submissions.insert((id, request_id.clone()), Some(version.clone()));
        }
        self.add(document, version, Some(request_id));
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
        self.newest.insert(document.id, version.text.sha256);
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
