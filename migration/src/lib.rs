//! The migrations, one file each. The behaviour of a released migration never changes, nor its name.

pub use sea_orm_migration::prelude::MigratorTrait;
use sea_orm_migration::prelude::*;

mod m0001_debates_and_arguments;
mod m0002_documents;
mod m0003_hash_chain;
mod m0004_unsealed_debates;
mod m0005_debate_totals;
mod m0006_rulings_index;
mod m0007_issues;
mod m0008_document_titles;
mod m0009_citations;
mod m0010_seats;
mod m0011_webhook_deliveries;
mod m0012_plan;
mod m0013_agents;
mod m0014_metadata_hashes;
mod m0015_deferred_issues;
mod m0016_search_texts;
mod m0017_search_in_normal_form;
mod m0018_seen_versions;
mod m0019_ruling_since;
mod m0020_chosen_labels;

/// All migrations, oldest first.
#[derive(Debug)]
pub struct Migrator;

#[async_trait::async_trait]
impl MigratorTrait for Migrator {
    fn migrations() -> Vec<Box<dyn MigrationTrait>> {
        vec![
            Box::new(m0001_debates_and_arguments::Migration),
            Box::new(m0002_documents::Migration),
            Box::new(m0003_hash_chain::Migration),
            Box::new(m0004_unsealed_debates::Migration),
            Box::new(m0005_debate_totals::Migration),
            Box::new(m0006_rulings_index::Migration),
            Box::new(m0007_issues::Migration),
            Box::new(m0008_document_titles::Migration),
            Box::new(m0009_citations::Migration),
            Box::new(m0010_seats::Migration),
            Box::new(m0011_webhook_deliveries::Migration),
            Box::new(m0012_plan::Migration),
            Box::new(m0013_agents::Migration),
            Box::new(m0014_metadata_hashes::Migration),
            Box::new(m0015_deferred_issues::Migration),
            Box::new(m0016_search_texts::Migration),
            Box::new(m0017_search_in_normal_form::Migration),
            Box::new(m0018_seen_versions::Migration),
            Box::new(m0019_ruling_since::Migration),
            Box::new(m0020_chosen_labels::Migration),
        ]
    }
}
