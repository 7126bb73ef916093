//! Adds the title of each document: the summary of its first version.

use sea_orm_migration::prelude::*;

#[derive(DeriveMigrationName)]
pub(crate) struct Migration;

#[derive(DeriveIden)]
enum Documents {
    Table,
    Title,
    TitleFolded,
}

#[async_trait::async_trait]
impl MigrationTrait for Migration {
    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        for column in [Documents::Title, Documents::TitleFolded] {
            let add = Table::alter()
                .table(Documents::Table)
                .add_column(ColumnDef::new(column).text().not_null().default(""))
                .to_owned();
            manager.alter_table(add).await?;
        }
        let fill = format!(
            "UPDATE documents SET title = versions.summary, title_folded = {} \
             FROM document_versions AS versions WHERE versions.document_id = documents.id AND versions.version = 1",
            folded("versions.summary")
        );
        manager.get_connection().execute_unprepared(&fill).await.map(drop)
    }
}

/// SQL for the text with ASCII letters in lower case. The databases' own `lower` differ in other letters.
fn folded(text: &str) -> String {
    let folded = |text, letter: char| format!("replace({text}, '{letter}', '{}')", letter.to_ascii_lowercase());
    ('A'..='Z').fold(text.to_owned(), folded)
}
