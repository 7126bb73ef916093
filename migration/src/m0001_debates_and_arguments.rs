//! Creates the tables of debates and arguments.

use sea_orm_migration::prelude::*;

#[derive(DeriveMigrationName)]
pub(crate) struct Migration;

#[derive(DeriveIden)]
enum Debates {
    Table,
    Id,
    Title,
    TitleFolded,
    DebateType,
    State,
    StateDetail,
    OptionCount,
    LastSeq,
    LastArgumentId,
    CreatedAt,
    UpdatedAt,
}

#[derive(DeriveIden)]
enum Arguments {
    Table,
    Id,
    DebateId,
    Seq,
    ParentId,
    ArgumentType,
    Role,
    Content,
    Options,
    Close,
    ChosenOption,
    LateFor,
    ClientRequestId,
    CreatedAt,
}

#[async_trait::async_trait]
impl MigrationTrait for Migration {
    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        let debates = Table::create()
            .table(Debates::Table)
            .col(ColumnDef::new(Debates::Id).uuid().not_null().primary_key())
            .col(ColumnDef::new(Debates::Title).text().not_null())
            .col(ColumnDef::new(Debates::TitleFolded).text().not_null())
            .col(ColumnDef::new(Debates::DebateType).text().not_null())
            .col(ColumnDef::new(Debates::State).text().not_null())
            .col(ColumnDef::new(Debates::StateDetail).text())
            .col(ColumnDef::new(Debates::OptionCount).integer())
            .col(ColumnDef::new(Debates::LastSeq).big_integer().not_null())
            .col(ColumnDef::new(Debates::LastArgumentId).uuid().not_null())
            .col(ColumnDef::new(Debates::CreatedAt).big_integer().not_null())
            .col(ColumnDef::new(Debates::UpdatedAt).big_integer().not_null())
            .to_owned();
        manager.create_table(debates).await?;

        let arguments = Table::create()
            .table(Arguments::Table)
            .col(ColumnDef::new(Arguments::Id).uuid().not_null().primary_key())
            .col(ColumnDef::new(Arguments::DebateId).uuid().not_null())
            .col(ColumnDef::new(Arguments::Seq).big_integer().not_null())
            .col(ColumnDef::new(Arguments::ParentId).uuid())
            .col(ColumnDef::new(Arguments::ArgumentType).text().not_null())
            .col(ColumnDef::new(Arguments::Role).text().not_null())
            .col(ColumnDef::new(Arguments::Content).text().not_null())
            .col(ColumnDef::new(Arguments::Options).text())
            .col(ColumnDef::new(Arguments::Close).boolean())
            .col(ColumnDef::new(Arguments::ChosenOption).integer())
            .col(ColumnDef::new(Arguments::LateFor).uuid())
            .col(ColumnDef::new(Arguments::ClientRequestId).text())
            .col(ColumnDef::new(Arguments::CreatedAt).big_integer().not_null())
            .foreign_key(
                ForeignKey::create()
                    .name("arguments_debate_id_fkey")
                    .from(Arguments::Table, Arguments::DebateId)
                    .to(Debates::Table, Debates::Id),
            )
            .to_owned();
        manager.create_table(arguments).await?;

        for index in [
            // The `seq` of an argument is unique in its debate.
            Index::create()
                .name("arguments_debate_id_seq_key")
                .table(Arguments::Table)
                .col(Arguments::DebateId)
                .col(Arguments::Seq)
                .unique()
                .to_owned(),
            // A request id stores one argument.
            Index::create()
                .name("arguments_debate_id_client_request_id_key")
                .table(Arguments::Table)
                .col(Arguments::DebateId)
                .col(Arguments::ClientRequestId)
                .unique()
                .to_owned(),
            // For the list of debates, and the list of one state.
            Index::create()
                .name("debates_updated_at_idx")
                .table(Debates::Table)
                .col(Debates::UpdatedAt)
                .col(Debates::CreatedAt)
                .col(Debates::Id)
                .to_owned(),
            Index::create()
                .name("debates_state_updated_at_idx")
                .table(Debates::Table)
                .col(Debates::State)
                .col(Debates::UpdatedAt)
                .col(Debates::CreatedAt)
                .col(Debates::Id)
                .to_owned(),
        ] {
            manager.create_index(index).await?;
        }
        Ok(())
    }
}
