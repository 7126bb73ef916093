//! Resolves id prefixes and argument numbers to ids. A whole id needs no request.

use serde_json::Value;
use uuid::Uuid;

use super::ids::IdRef;
use crate::{
    client::{Client, Response, types},
    output::{Code, Failure, Invocation, reader},
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
        .with_suggestion(format!("{} lists the debates", reader::command("debate list")));
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
        .with_suggestion(format!(
            "{}; a deleted one needs its whole id",
            // There is no tool for it.
            if reader::has_tools() {
                "Give the id as an argument cites it"
            } else {
                "aw docs list lists the documents"
            }
        ));
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
    let describe = |(id, description): &(Uuid, String)| format!("{id} ({description})");
    Ok(only_candidate(found, describe, option, &prefix, || not_found)?.0)
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
    // The server refuses numbers beyond 63 bits.
    let after = if let IdRef::Seq(seq) = id { Some(seq.saturating_sub(1).min(u64::MAX / 4)) } else { None };
    let given = id.to_string();
    let is_meant = |argument: &types::Argument| match id {
        IdRef::Seq(seq) => argument.seq == *seq,
        IdRef::Full(_) | IdRef::Prefix(_) => argument.id.to_string().starts_with(&given),
    };
    let (mut found, mut before) = (Vec::new(), after.map(|after| after + 2));
    // Newest pages first. Only a prefix may name several arguments.
    loop {
        let page = || client.api.debate_get_context(&debate, after, before, Some(PAGE_SIZE), None, None);
        let Response { mut data, parsed } = client.send::<types::DebateContext, _>(page).await?;
        let mut printed: Vec<Value> = data["arguments"].as_array_mut().into_iter().flatten().map(Value::take).collect();
        let mut arguments = parsed.arguments;
        let oldest = arguments.first().map_or(1, |oldest| oldest.seq);
        // Every page has the motion.
        if before.is_none() || after.is_some() {
            printed.push(data["motion"].take());
            arguments.push(parsed.motion);
        }
        let page = printed.into_iter().zip(arguments).map(|(data, parsed)| Response { data, parsed });
        found.extend(page.filter(|argument| is_meant(&argument.parsed)));
        let is_enough = matches!(id, IdRef::Full(_)) && !found.is_empty() || found.len() > MAX_CANDIDATES;
        if is_enough || oldest <= 2 || after.is_some() {
            break;
        }
        before = Some(oldest);
    }
    let describe = |Response { parsed: argument, .. }: &Response<types::Argument>| {
        format!("{} (#{} {} by the {})", argument.id, argument.seq, argument.type_, argument.role)
    };
    only_candidate(found, describe, option, &given, || {
        let what = if after.is_some() { "the number" } else { "an id that starts with" };
        Failure::new(
            Code::ArgumentNotFound,
            format!("no argument of debate {debate} has {what} {}", given.trim_start_matches('#')),
        )
        .with_suggestion(format!(
            "{} shows the arguments; number 3 is '#3'{}",
            Invocation::new("debate get-context").text_option("debate-id", debate).shown(),
            reader::in_a_shell(", with the quotes in a shell")
        ))
    })
}

/// The only candidate. Several candidates are an error that lists them.
fn only_candidate<T>(
    mut candidates: Vec<T>,
    describe: impl Fn(&T) -> String,
    option: &str,
    given: &str,
    not_found: impl FnOnce() -> Failure,
) -> Result<T, Failure> {
    match candidates.len() {
        0 => return Err(not_found()),
        1 => return Ok(candidates.remove(0)),
        _ => {}
    }
    let listed: Vec<String> = candidates.iter().take(MAX_CANDIDATES).map(describe).collect();
    let more = if candidates.len() > MAX_CANDIDATES { ", and more" } else { "" };
    let option = reader::option(option);
    let message = format!("{option} {given} is ambiguous, it may be {}{more}", listed.join(", "));
    Err(Failure::new(Code::InvalidInput, message).with_suggestion(format!("Give {option} a longer prefix of the id")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_ambiguous_prefix_lists_at_most_ten_candidates() {
        let ids: Vec<_> = (1..=12).map(|n| (Uuid::from_u128(n), format!("title {n}"))).collect();
        let candidate = |count: usize| {
            let describe = |(id, title): &(Uuid, String)| format!("{id} ({title})");
            let not_found = || Failure::new(Code::DebateNotFound, "none");
            only_candidate(ids[..count].to_vec(), describe, "--debate-id", "0", not_found)
        };
        assert_eq!(candidate(0).unwrap_err().code, "DEBATE_NOT_FOUND");
        assert_eq!(candidate(1).unwrap().0, Uuid::from_u128(1));
        let failure = candidate(12).unwrap_err();
        assert_eq!(failure.code, "INVALID_INPUT");
        assert!(failure.message.contains("000a (title 10), and more"), "{}", failure.message);
        assert!(!failure.message.contains("title 11"), "{}", failure.message);
        assert!(!candidate(2).unwrap_err().message.contains("more"));
    }
}
