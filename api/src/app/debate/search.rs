//! `debate_search`: where a text occurs in rulings, issues, titles and arguments.

use crate::{
    app::{App, Error},
    domain::SearchKind,
    store::Hit,
};

/// What to search for.
#[derive(Debug, Clone)]
pub struct SearchQuery {
    /// The text; letters match in either case
    pub q: String,
    /// Only texts of these kinds; all but the texts of arguments if there are none
    pub kinds: Vec<SearchKind>,
    /// The maximum number of hits
    pub limit: u64,
    /// How many hits to skip
    pub offset: u64,
}

/// A page of what was found.
#[derive(Debug, Clone)]
pub struct SearchResult {
    /// Newest first
    pub hits: Vec<Hit>,
    /// How many there are on all pages
    pub total: u64,
}

impl App {
    /// Searches all debates.
    pub async fn debate_search(&self, query: SearchQuery) -> Result<SearchResult, Error> {
        let SearchQuery { q, mut kinds, limit, offset } = query;
        if kinds.is_empty() {
            kinds = vec![SearchKind::Ruling, SearchKind::Issue, SearchKind::Title];
        }
        let (hits, total) = self.store.search(&q, &kinds, limit, offset).await?;
        Ok(SearchResult { hits, total })
    }
}
