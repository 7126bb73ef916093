//! Empties the table of the texts that are searched, since they are compared in another form from now on: the server fills it again.

use sea_orm_migration::prelude::*;

#[derive(DeriveMigrationName)]
pub(crate) struct Migration;

/// The indices of the texts and of titles are made anew with the server's start. What is dropped and made again takes less time than
/// what is deleted.
const STATEMENTS: [&str; 2] =
    ["DROP TABLE IF EXISTS debate_titles", "UPDATE debates SET indexed_seq = 0 WHERE indexed_seq <> 0"];

#[derive(DeriveIden)]
enum Debates {
    Table,
    Id,
}

#[derive(DeriveIden)]
enum SearchIndex {
    Table,
}

#[derive(DeriveIden)]
enum SearchTexts {
    Table,
    Id,
    DebateId,
    Seq,
    Issue,
    Kind,
    ArgumentId,
    CreatedAt,
    Text,
    ArgumentText,
}

#[async_trait::async_trait]
impl MigrationTrait for Migration {
    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        for sql in STATEMENTS {
            manager.get_connection().execute_unprepared(sql).await?;
        }
        manager.drop_table(Table::drop().table(SearchIndex::Table).if_exists().to_owned()).await?;
        manager.drop_table(Table::drop().table(SearchTexts::Table).to_owned()).await?;
        let texts = Table::create()
            .table(SearchTexts::Table)
            .col(ColumnDef::new(SearchTexts::Id).big_integer().not_null().auto_increment().primary_key())
            .col(ColumnDef::new(SearchTexts::DebateId).uuid().not_null())
            .col(ColumnDef::new(SearchTexts::Seq).big_integer().not_null())
            .col(ColumnDef::new(SearchTexts::Issue).integer().not_null())
            .col(ColumnDef::new(SearchTexts::Kind).text().not_null())
            .col(ColumnDef::new(SearchTexts::ArgumentId).uuid().not_null())
            .col(ColumnDef::new(SearchTexts::CreatedAt).big_integer().not_null())
            .col(ColumnDef::new(SearchTexts::Text).text())
            .col(ColumnDef::new(SearchTexts::ArgumentText).text())
            .foreign_key(
                ForeignKey::create()
                    .name("search_texts_debate_id_fkey")
                    .from(SearchTexts::Table, SearchTexts::DebateId)
                    .to(Debates::Table, Debates::Id),
            )
            .to_owned();
        manager.create_table(texts).await?;
        let mut unique = Index::create();
        unique.name("search_texts_debate_id_seq_issue_kind_key").table(SearchTexts::Table).unique();
        for column in [SearchTexts::DebateId, SearchTexts::Seq, SearchTexts::Issue, SearchTexts::Kind] {
            unique.col(column);
        }
        manager.create_index(unique).await?;
        // The newest texts, in the order of hits.
        let mut newest = Index::create();
        newest.name("search_texts_newest_idx").table(SearchTexts::Table);
        for column in
            [SearchTexts::CreatedAt, SearchTexts::DebateId, SearchTexts::Seq, SearchTexts::Issue, SearchTexts::Kind]
        {
            newest.col(column);
        }
        manager.create_index(newest).await
    }
}
