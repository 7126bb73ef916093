//! What is read. A document's row tells how far its versions go; those never change, so what is read after it is of one
//! moment with it.

use entity::{document, document_version};
use sea_orm::{ColumnTrait, Condition, EntityTrait, PaginatorTrait, QueryFilter, QueryOrder, QuerySelect, Select};

use super::rows::{self, EntryRow};
use crate::{
    domain::{Document, DocumentId, DocumentVersion, VersionEntry},
    store::{Store, error::StoreError, search},
};

impl Store {
    /// The document, if there is or was one.
    pub async fn document(&self, id: DocumentId) -> Result<Option<Document>, StoreError> {
        let row = document::Entity::find_by_id(id.0).one(&self.read).await?;
        Ok(row.map(rows::document).transpose()?)
    }

    /// A page of the documents that match `q` and are not deleted, newest `updated_at` first, then newest created, with
    /// the number of all that do.
    pub async fn documents(
        &self,
        q: Option<&str>,
        limit: u64,
        offset: u64,
    ) -> Result<(Vec<Document>, u64), StoreError> {
        let matching = listed(q);
        let page = in_order(matching.clone())
            .limit(limit)
            .offset(i64::try_from(offset).unwrap_or(i64::MAX).cast_unsigned())
            .all(&self.read)
            .await?;
        let here = page.len() as u64;
        // A page that is not full is the last one and tells the total by itself.
        let total =
            if here < limit && (here > 0 || offset == 0) { offset + here } else { matching.count(&self.read).await? };
        let documents = page.into_iter().map(rows::document).collect::<Result<_, _>>()?;
        Ok((documents, total))
    }

    /// One of the versions that `document` counts.
    pub async fn document_version(&self, document: &Document, version: u64) -> Result<DocumentVersion, StoreError> {
        let key = (document.id.0, version.cast_signed());
        let row = document_version::Entity::find_by_id(key).one(&self.read).await?;
        let row = row.ok_or_else(|| rows::missing_version(document, version))?;
        Ok(rows::version(row)?)
    }

    /// A page of a document's versions without their contents, newest first.
    ///
    /// As there are no gaps, the page is a stretch of the key: it costs the same however many versions there are.
    pub async fn version_entries(
        &self,
        document: &Document,
        limit: u64,
        offset: u64,
    ) -> Result<Vec<VersionEntry>, StoreError> {
        let up_to = document.latest_version.saturating_sub(offset);
        let after = up_to.saturating_sub(limit);
        if after == up_to {
            return Ok(Vec::new());
        }
        let rows: Vec<EntryRow> = entries(document.id, after, up_to).into_model().all(&self.read).await?;
        if rows.len() as u64 != up_to - after {
            return Err(rows::missing_version(document, up_to - rows.len() as u64).into());
        }
        Ok(rows.into_iter().map(rows::entry).collect::<Result<_, _>>()?)
    }
}

/// The documents that match `q` and are not deleted.
pub(super) fn listed(q: Option<&str>) -> Select<document::Entity> {
    let by_q =
        q.filter(|q| !q.is_empty()).map(|q| search::matching(q, document::Column::Id, document::Column::SummaryFolded));
    document::Entity::find().filter(document::Column::DeletedAt.is_null()).filter(Condition::all().add_option(by_q))
}

pub(super) fn in_order(documents: Select<document::Entity>) -> Select<document::Entity> {
    documents
        .order_by_desc(document::Column::UpdatedAt)
        .order_by_desc(document::Column::CreatedAt)
        .order_by_desc(document::Column::Id)
}

/// The versions after `after` up to `up_to`, newest first, as far as a list shows them.
pub(super) fn entries(id: DocumentId, after: u64, up_to: u64) -> Select<document_version::Entity> {
    document_version::Entity::find()
        .select_only()
        .columns(EntryRow::COLUMNS)
        .filter(document_version::Column::DocumentId.eq(id.0))
        .filter(document_version::Column::Version.gt(after.cast_signed()))
        .filter(document_version::Column::Version.lte(up_to.cast_signed()))
        .order_by_desc(document_version::Column::Version)
}
