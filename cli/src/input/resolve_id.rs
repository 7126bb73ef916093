//! Resolves id prefixes and argument numbers to ids. A whole id needs no request.

use std::fmt::Display;

use serde_json::Value;
use uuid::Uuid;

use super::ids::IdRef;
use crate::{
    client::{Client, Response, types},
    output::{Code, Failure},
};

/// Number of entries requested at once while searching.
const PAGE_SIZE: u64 = 100;

/// Number of candidates listed for an ambiguous prefix.
const MAX_CANDIDATES: usize = 10;

/// Resolves a reference to a debate, given with `--debate-id`.
pub async fn debate(client: &Client, id: &IdRef) -> Result<Uuid, Failure> {
    let page = async |prefix: &str, offset| {
        let response = client
            .send::<types::DebateList, _>(|| {
                client.api.debate_list(None, Some(PAGE_SIZE), Some(offset), Some(prefix), None)
            })
            .await?;
        let debates = response.parsed.debates.into_iter();
        let debates = debates.map(|debate| (debate.id, format!("{}, {}", debate.title, debate.state)));
        Ok((debates.collect(), response.parsed.total))
    };
    let not_found = Failure::new(Code::DebateNotFound, format!("no debate has an id that starts with {id}"))
        .with_suggestion("aw debate list lists the debates");
    in_list(id, "--debate-id", page, not_found).await
}

/// Resolves a reference to a document, given with `option`.
pub async fn document(client: &Client, option: &str, id: &IdRef) -> Result<Uuid, Failure> {
    let page = async |prefix: &str, offset| {
        let response = client
            .send::<types::DocumentList, _>(|| {
                client.api.document_list(None, Some(PAGE_SIZE), Some(offset), Some(prefix))
            })
            .await?;
        let documents = response.parsed.documents.into_iter().map(|document| {
            let summary = if document.summary.is_empty() { "no summary" } else { &document.summary };
            (document.id, format!("{summary}, v{}", document.latest_version))
        });
        Ok((documents.collect(), response.parsed.total))
    };
    let not_found = Failure::new(Code::DocumentNotFound, format!("no document has an id that starts with {id}"))
        .with_suggestion("aw docs list lists the documents; a deleted one needs its whole id");
    in_list(id, option, page, not_found).await
}

/// Searches a list for an id until more have its prefix than can be listed. `page` returns the entries that match the prefix,
/// from an offset on, each with a description, and the number of all entries.
async fn in_list(
    id: &IdRef,
    option: &str,
    page: impl AsyncFn(&str, u64) -> Result<(Vec<(Uuid, String)>, u64), Failure>,
    not_found: Failure,
) -> Result<Uuid, Failure> {
    if let IdRef::Full(id) = id {
        return Ok(*id);
    }
    let prefix = id.to_string();
    let mut found = Vec::new();
    let mut offset = 0;
    while found.len() <= MAX_CANDIDATES {
        let (entries, total) = page(&prefix, offset).await?;
        // The query also matches titles and summaries.
        found.extend(entries.into_iter().filter(|(id, _)| id.to_string().starts_with(&prefix)));
        offset += PAGE_SIZE;
        if offset >= total {
            break;
        }
    }
    only_candidate(found, option, &prefix, || not_found)
}

/// Resolves a reference to an argument of `debate`, given with `option`.
pub async fn argument(client: &Client, debate: Uuid, option: &str, id: &IdRef) -> Result<Uuid, Failure> {
    match id {
        IdRef::Full(id) => Ok(*id),
        IdRef::Prefix(_) | IdRef::Seq(_) => Ok(fetch_argument(client, debate, option, id).await?.parsed.id),
    }
}

/// Fetches the argument that a reference names.
pub async fn fetch_argument(
    client: &Client,
    debate: Uuid,
    option: &str,
    id: &IdRef,
) -> Result<Response<types::Argument>, Failure> {
    let prefix = match id {
        IdRef::Full(id) => id.to_string(),
        IdRef::Prefix(prefix) => prefix.clone(),
        IdRef::Seq(seq) => {
            let not_found = || argument_not_found(debate, &format!("the number {seq}"));
            // The server refuses numbers beyond 63 bits.
            let after = seq.checked_sub(1).filter(|after| *after < u64::MAX / 4).ok_or_else(not_found)?;
            let page = arguments(client, debate, Some(after), Some(after + 2), 1).await?;
            return page.into_iter().find(|response| response.parsed.seq == *seq).ok_or_else(not_found);
        }
    };
    let mut found: Vec<Response<types::Argument>> = Vec::new();
    let mut before = None;
    while before != Some(1) && found.len() <= MAX_CANDIDATES {
        let page = arguments(client, debate, None, before, PAGE_SIZE).await?;
        before = Some(page.get(1).map_or(1, |oldest| oldest.parsed.seq));
        for argument in page {
            // Every page starts with the motion.
            let is_new = !found.iter().any(|other| other.parsed.id == argument.parsed.id);
            if is_new && argument.parsed.id.to_string().starts_with(&prefix) {
                if matches!(id, IdRef::Full(_)) {
                    return Ok(argument);
                }
                found.push(argument);
            }
        }
    }
    let describe =
        |argument: &types::Argument| format!("#{} {} by the {}", argument.seq, argument.type_, argument.role);
    let candidates = found.iter().map(|argument| (argument.parsed.id, describe(&argument.parsed))).collect();
    let not_found = || argument_not_found(debate, &format!("an id that starts with {prefix}"));
    let id = only_candidate(candidates, option, &prefix, not_found)?;
    found.into_iter().find(|argument| argument.parsed.id == id).ok_or_else(not_found)
}

/// The motion, followed by the newest `limit` arguments between the numbers `after` and `before` (both exclusive).
async fn arguments(
    client: &Client,
    debate: Uuid,
    after: Option<u64>,
    before: Option<u64>,
    limit: u64,
) -> Result<Vec<Response<types::Argument>>, Failure> {
    let Response { mut data, parsed } = client
        .send::<types::DebateContext, _>(|| client.api.debate_get_context(&debate, after, before, Some(limit)))
        .await?;
    let motion = Response { data: data["motion"].take(), parsed: parsed.motion };
    let rest = if let Value::Array(arguments) = data["arguments"].take() { arguments } else { Vec::new() };
    let rest = rest.into_iter().zip(parsed.arguments).map(|(data, parsed)| Response { data, parsed });
    Ok([motion].into_iter().chain(rest).collect())
}

fn argument_not_found(debate: Uuid, what: &str) -> Failure {
    Failure::new(Code::ArgumentNotFound, format!("no argument of debate {debate} has {what}"))
        .with_suggestion(format!("aw debate get-context --debate-id {debate} shows the arguments"))
}

/// The only candidate. Several candidates are an error that lists them.
fn only_candidate<Description: Display>(
    mut candidates: Vec<(Uuid, Description)>,
    option: &str,
    prefix: &str,
    not_found: impl FnOnce() -> Failure,
) -> Result<Uuid, Failure> {
    match candidates.len() {
        0 => return Err(not_found()),
        1 => return Ok(candidates.remove(0).0),
        _ => {}
    }
    let listed: Vec<String> =
        candidates.iter().take(MAX_CANDIDATES).map(|(id, description)| format!("{id} ({description})")).collect();
    let more = if candidates.len() > MAX_CANDIDATES { ", and more" } else { "" };
    let message = format!("{option} {prefix} is ambiguous, it may be {}{more}", listed.join(", "));
    Err(Failure::new(Code::InvalidInput, message).with_suggestion(format!("Give {option} a longer prefix of the id")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_ambiguous_prefix_lists_at_most_ten_candidates() {
        let ids: Vec<_> = (1..=12).map(|n| (Uuid::from_u128(n), format!("title {n}"))).collect();
        let not_found = || Failure::new(Code::DebateNotFound, "none");
        assert_eq!(
            only_candidate(Vec::<(Uuid, String)>::new(), "--debate-id", "0", not_found).unwrap_err().code,
            "DEBATE_NOT_FOUND"
        );
        assert_eq!(only_candidate(ids[..1].to_vec(), "--debate-id", "0", not_found).unwrap(), Uuid::from_u128(1));
        let failure = only_candidate(ids.clone(), "--debate-id", "0", not_found).unwrap_err();
        assert_eq!(failure.code, "INVALID_INPUT");
        assert!(failure.message.contains("000a (title 10), and more"), "{}", failure.message);
        assert!(!failure.message.contains("title 11"), "{}", failure.message);
        assert!(
            !only_candidate(ids[..2].to_vec(), "--debate-id", "0", not_found).unwrap_err().message.contains("more")
        );
    }
}
