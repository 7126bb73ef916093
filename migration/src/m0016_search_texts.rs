//! Creates the table of the texts that are searched, and adds to debates up to which argument it has theirs: of none yet.

use sea_orm_migration::prelude::*;

#[derive(DeriveMigrationName)]
pub(crate) struct Migration;

#[derive(DeriveIden)]
enum Debates {
    Table,
    Id,
    IndexedSeq,
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
        let mut indexed = ColumnDef::new(Debates::IndexedSeq).big_integer().not_null().default(0).to_owned();
        manager.alter_table(Table::alter().table(Debates::Table).add_column(&mut indexed).to_owned()).await?;
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
        let unique = Index::create()
            .name("search_texts_debate_id_seq_issue_kind_key")
            .table(SearchTexts::Table)
            .col(SearchTexts::DebateId)
            .col(SearchTexts::Seq)
            .col(SearchTexts::Issue)
            .col(SearchTexts::Kind)
            .unique()
            .to_owned();
        manager.create_index(unique).await?;
        // For the debates that the table lacks arguments of. The index of titles is made anew with the server's start, since case is
        // folded otherwise from now on.
        for sql in [
            "CREATE INDEX debates_indexed_seq_idx ON debates (id) WHERE indexed_seq < last_seq",
            "DROP TABLE IF EXISTS debate_titles",
        ] {
            manager.get_connection().execute_unprepared(sql).await?;
        }
        Ok(())
    }
}
