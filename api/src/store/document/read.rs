//! Queries for documents and versions.
//!
//! A document's row has its `latest_version`, and versions never change. So versions up to that one, read after the row, are
//! consistent with it without a transaction.

use entity::{document, document_version};
use sea_orm::{
    ColumnTrait, Condition, ConnectionTrait, EntityTrait, FromQueryResult, PaginatorTrait, QueryFilter, QueryOrder,
    QuerySelect, Select,
    sea_query::{Expr, SimpleExpr},
};

use super::rows::{self, DOCUMENTS, EntryRow};
use crate::{
    domain::{
        CitedVersion, DebateId, Document, DocumentId, DocumentVersion, ListedDocument, Summary, VersionEntry, folded,
    },
    store::{
        Store, backend,
        debate::row_errors::ARGUMENTS,
        decoded::Decoded,
        error::{InconsistentRow, RowName, StoreError},
        fault::{Page, WithId},
        search,
    },
};

impl Store {
    /// The document, deleted or not, if it exists.
    pub async fn document(&self, id: DocumentId) -> Result<Option<Document>, StoreError> {
        let row: Option<WithId<document::Model>> =
            document::Entity::find_by_id(id.0).into_model().one(&self.read).await?;
        Ok(row.map(rows::read_document).transpose()?)
    }

    /// A page of the documents that match `q`, are cited in `debate` and are not deleted, latest `updated_at` first, then latest `created_at`.
    pub async fn documents(
        &self,
        q: Option<&str>,
        debate: Option<DebateId>,
        limit: u64,
        offset: u64,
    ) -> Result<Page<ListedDocument>, StoreError> {
        let matching = match debate {
            Some(id) => matching(q).filter(cited_in(&self.read, id)),
            None => matching(q),
        };
        let page = newest_first(matching.clone())
            .limit(limit)
            .offset(i64::try_from(offset).unwrap_or(i64::MAX).cast_unsigned())
            .expr_as(Expr::cust(CONTENT_BYTES), "content_bytes")
            .into_model::<WithId<ListedRow>>()
            .all(&self.read)
            .await
            .map_err(|error| unreadable_citations(debate, error.into()))?;
        let page_len = page.len() as u64;
        // A page that is not full is the last one, so it gives the total.
        let total = if page_len < limit && (page_len > 0 || offset == 0) {
            offset + page_len
        } else {
            matching.count(&self.read).await?
        };
        Ok(Page::new(page.into_iter().map(|row| row.decoded(DOCUMENTS, RowName::Document)?.document()), total))
    }

    /// One version of the document, which must be between 1 and its `latest_version`.
    pub async fn document_version(&self, document: &Document, version: u64) -> Result<DocumentVersion, StoreError> {
        let key = (document.id.0, version.cast_signed());
        let row: Option<Decoded<document_version::Model>> =
            document_version::Entity::find_by_id(key).into_model().one(&self.read).await?;
        let Decoded(row) = row.ok_or_else(|| rows::missing_version(document, version))?;
        let cited = CitedVersion { document_id: document.id, version };
        Ok(rows::version(row.map_err(|error| rows::undecodable_version(cited, &error))?)?)
    }

    /// The summary of a version, if it exists.
    pub async fn summary_of(&self, cited: CitedVersion) -> Result<Option<Summary>, StoreError> {
        let CitedVersion { document_id, version } = cited;
        let entry = entries(document_id, version.saturating_sub(1), version).into_model::<Decoded<EntryRow>>();
        let Some(Decoded(row)) = entry.one(&self.read).await? else { return Ok(None) };
        let row = row.map_err(|error| rows::undecodable_version(cited, &error))?;
        Ok(Some(rows::entry(row)?.summary))
    }

    /// A page of a document's versions without their contents, newest first.
    ///
    /// Since versions have no gaps, a page is a range of the primary key, which costs the same at any offset.
    pub async fn version_entries(
        &self,
        document: &Document,
        limit: u64,
        offset: u64,
    ) -> Result<Page<VersionEntry>, StoreError> {
        let up_to = document.latest_version.saturating_sub(offset);
        let after = up_to.saturating_sub(limit);
        if after == up_to {
            return Ok(Page::new([], document.latest_version));
        }
        let found: Vec<Decoded<EntryRow>> = entries(document.id, after, up_to).into_model().all(&self.read).await?;
        let missing = (up_to - after).saturating_sub(found.len() as u64);
        // What a version is called that cannot be decoded follows from its place, unless others are missing.
        let entries = (after + 1..=up_to).rev().zip(found).map(|(version, Decoded(row))| {
            let cited = CitedVersion { document_id: document.id, version };
            rows::entry(row.map_err(|error| rows::undecodable_version(cited, &error))?)
        });
        let missing = (0..missing).map(|_| Err(rows::missing_version(document, after + 1)));
        Ok(Page::new(entries.chain(missing), document.latest_version))
    }
}

/// The error of a list of what a debate cites: the database parses the citations of its arguments.
fn unreadable_citations(debate: Option<DebateId>, error: StoreError) -> StoreError {
    match (debate, error) {
        (Some(id), StoreError::Unexpected(error)) => {
            InconsistentRow::undecodable(ARGUMENTS, RowName::Debate(id.0, None), &error).into()
        }
        (_, error) => error,
    }
}

/// A document with the size of its newest version.
#[derive(FromQueryResult)]
struct ListedRow {
    #[sea_orm(nested)]
    document: document::Model,
    content_bytes: Option<i64>,
}

const CONTENT_BYTES: &str = "(SELECT CAST(octet_length(content) AS BIGINT) FROM document_versions \
     WHERE document_id = documents.id AND version = documents.latest_version)";

impl ListedRow {
    fn document(self) -> Result<ListedDocument, InconsistentRow> {
        let document = rows::document(self.document)?;
        let content_bytes = self.content_bytes.map(i64::cast_unsigned);
        let content_bytes = content_bytes.ok_or_else(|| rows::missing_version(&document, document.latest_version))?;
        Ok(ListedDocument { document, content_bytes })
    }
}

/// The documents that match `q` and are not deleted.
pub(super) fn matching(q: Option<&str>) -> Select<document::Entity> {
    let by_q = q.filter(|q| !q.is_empty()).map(|q| {
        let texts = [document::Column::TitleFolded, document::Column::SummaryFolded];
        let folded = folded(q);
        search::matching(q, document::Column::Id, texts.map(|text| search::contains(text, &folded)))
    });
    document::Entity::find().filter(document::Column::DeletedAt.is_null()).filter(Condition::all().add_option(by_q))
}

/// Matches the documents that a debate cites.
fn cited_in(connection: &impl ConnectionTrait, id: DebateId) -> SimpleExpr {
    let condition = format!("documents.id IN ({})", backend::cited_documents(connection));
    Expr::cust_with_values(condition, [id.0])
}

pub(super) fn newest_first(documents: Select<document::Entity>) -> Select<document::Entity> {
    documents
        .order_by_desc(document::Column::UpdatedAt)
        .order_by_desc(document::Column::CreatedAt)
        .order_by_desc(document::Column::Id)
}

/// The versions after `after` up to `up_to`, newest first, without their contents.
pub(super) fn entries(id: DocumentId, after: u64, up_to: u64) -> Select<document_version::Entity> {
    document_version::Entity::find()
        .select_only()
        .columns(EntryRow::COLUMNS)
        .filter(document_version::Column::DocumentId.eq(id.0))
        .filter(document_version::Column::Version.gt(after.cast_signed()))
        .filter(document_version::Column::Version.lte(up_to.cast_signed()))
        .order_by_desc(document_version::Column::Version)
}
