//! `debate_search`: where a text occurs in rulings, issues, titles and arguments.

use crate::{
    app::{App, Error},
    domain::{SearchKind, SearchWords},
    store::Found,
};

/// What to search for.
#[derive(Debug, Clone)]
pub struct SearchQuery {
    /// The words that a text must have
    pub words: SearchWords,
    /// Only texts of these kinds; all but the texts of arguments if there are none
    pub kinds: Vec<SearchKind>,
    /// The maximum number of hits
    pub limit: u64,
    /// How many hits to skip
    pub offset: u64,
}

impl App {
    /// Searches all debates.
    pub async fn debate_search(&self, query: SearchQuery) -> Result<Found, Error> {
        let SearchQuery { words, mut kinds, limit, offset } = query;
        if kinds.is_empty() {
            kinds = vec![SearchKind::Ruling, SearchKind::Issue, SearchKind::Title];
        }
        Ok(self.store.search(&words, &kinds, limit, offset).await?)
    }
}
