//! `GET /search`

use std::sync::Arc;

use poem_openapi::OpenApi;

use super::{ReadResult, ok, search_text};
use crate::{
    app::{App, Error, SearchQuery},
    domain::{SearchKind, SearchWords},
    http::{
        auth::Authenticated,
        contract::SearchResult,
        params::{Count, DEFAULT_LIMIT, Limit, Optional, Repeated, Required},
    },
};

pub struct Search {
    pub app: Arc<App>,
}

#[OpenApi]
impl Search {
    /// Search what was decided and said
    ///
    /// Finds rulings, issues and titles that contain all words of the query, and the texts of other arguments if asked. What stands within a
    /// pair of quotation marks is one word. Letters match in either case in every language (Unicode simple case folding) and however
    /// they are composed (NFC); typographic quotation marks match plain ones. `total` counts the hits on all pages, and `complete` tells
    /// whether all texts were looked at.
    #[oai(path = "/search", method = "get", operation_id = "debate_search")]
    async fn debate_search(
        &self,
        _auth: Authenticated,
        /// The words, at most 8 in 200 characters; without a letter or a digit they find nothing
        q: Required<String>,
        /// Only texts of this kind; may be repeated; `ruling`, `issue` and `title` by default
        kind: Repeated<SearchKind, { SearchKind::ALL.len() }>,
        /// The maximum number of hits; 50 by default
        limit: Optional<Limit>,
        /// How many hits to skip; 0 by default
        offset: Optional<Count>,
    ) -> ReadResult<SearchResult> {
        let query = SearchQuery {
            words: SearchWords::parse(&search_text(q.0)?).map_err(|error| Error::invalid("q", error.to_string()))?,
            kinds: kind.0,
            limit: limit.or(DEFAULT_LIMIT),
            offset: offset.or(0),
        };
        ok(self.app.debate_search(query).await?)
    }
}
