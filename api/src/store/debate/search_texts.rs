//! The texts that are searched, in a table of their own that follows the arguments.

use entity::search_text;

use crate::domain::{Argument, SearchKind, Title, searchable, searched_texts};

/// The table's name, for error messages.
pub(in crate::store) const SEARCH_TEXTS: &str = "search_texts";

/// The rows of an argument.
pub(in crate::store) fn rows_of(title: &Title, argument: &Argument) -> impl Iterator<Item = search_text::Model> {
    let (argument_id, debate_id) = (argument.id.0, argument.debate_id.0);
    let (seq, created_at) = (argument.seq.cast_signed(), argument.created_at.timestamp_micros());
    searched_texts(title, argument).into_iter().map(move |searched| {
        let text = searchable(&searched.text);
        let (text, argument_text) =
            if searched.kind == SearchKind::Argument { (None, Some(text)) } else { (Some(text), None) };
        search_text::Model {
            id: 0,
            debate_id,
            seq,
            issue: searched.issue.map_or(0, |issue| issue.get().cast_signed()),
            kind: searched.kind.as_str().to_owned(),
            argument_id,
            created_at,
            text,
            argument_text,
        }
    })
}
