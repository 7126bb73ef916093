//! Creates the table of issues, and adds to arguments the changes of issues that they carry, to debates the limit of rounds,
//! the rounds so far and the number of issues in each status.

use sea_orm_migration::prelude::*;

#[derive(DeriveMigrationName)]
pub(crate) struct Migration;

#[derive(DeriveIden)]
enum Debates {
    Table,
    Id,
    MaxRounds,
    Rounds,
    IssueCounts,
}

#[derive(DeriveIden)]
enum Arguments {
    Table,
    IssueChanges,
    ChangedIssues,
}

#[derive(DeriveIden)]
enum Issues {
    Table,
    DebateId,
    Number,
    Severity,
    Title,
    Location,
    Status,
    Note,
    RaisedBy,
    RaisedSeq,
    ChangedSeq,
    Upheld,
    Referred,
    Reopened,
}

#[async_trait::async_trait]
impl MigrationTrait for Migration {
    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        // SQLite adds one column with each statement.
        for mut column in [
            ColumnDef::new(Debates::MaxRounds).integer().to_owned(),
            ColumnDef::new(Debates::Rounds).big_integer().not_null().default(0).to_owned(),
            ColumnDef::new(Debates::IssueCounts).text().to_owned(),
        ] {
            manager.alter_table(Table::alter().table(Debates::Table).add_column(&mut column).to_owned()).await?;
        }
        for mut column in [
            ColumnDef::new(Arguments::IssueChanges).text().to_owned(),
            ColumnDef::new(Arguments::ChangedIssues).text().to_owned(),
        ] {
            manager.alter_table(Table::alter().table(Arguments::Table).add_column(&mut column).to_owned()).await?;
        }
        // The rounds of the debates that are there: the CLAIMs of the opponent after the last RULING.
        let rounds = "UPDATE debates SET rounds = (SELECT COUNT(*) FROM arguments WHERE arguments.debate_id = debates.id \
             AND argument_type = 'CLAIM' AND role = 'opponent' AND seq > COALESCE((SELECT MAX(seq) FROM arguments AS rulings \
             WHERE rulings.debate_id = debates.id AND rulings.argument_type = 'RULING'), 0))";
        manager.get_connection().execute_unprepared(rounds).await?;

        let issues = Table::create()
            .table(Issues::Table)
            .col(ColumnDef::new(Issues::DebateId).uuid().not_null())
            .col(ColumnDef::new(Issues::Number).integer().not_null())
            .col(ColumnDef::new(Issues::Severity).text().not_null())
            .col(ColumnDef::new(Issues::Title).text().not_null())
            .col(ColumnDef::new(Issues::Location).text())
            .col(ColumnDef::new(Issues::Status).text().not_null())
            .col(ColumnDef::new(Issues::Note).text())
            .col(ColumnDef::new(Issues::RaisedBy).text().not_null())
            .col(ColumnDef::new(Issues::RaisedSeq).big_integer().not_null())
            .col(ColumnDef::new(Issues::ChangedSeq).big_integer().not_null())
            .col(ColumnDef::new(Issues::Upheld).boolean().not_null())
            .col(ColumnDef::new(Issues::Referred).boolean().not_null())
            .col(ColumnDef::new(Issues::Reopened).integer().not_null())
            .primary_key(Index::create().col(Issues::DebateId).col(Issues::Number))
            .foreign_key(ForeignKey::create().from(Issues::Table, Issues::DebateId).to(Debates::Table, Debates::Id))
            .to_owned();
        manager.create_table(issues).await?;

        // For the histories of issues. sea-query has no partial indexes; the text is the same for both databases.
        let changes =
            "CREATE INDEX arguments_issue_changes ON arguments (debate_id, seq) WHERE issue_changes IS NOT NULL";
        manager.get_connection().execute_unprepared(changes).await.map(drop)
    }
}
