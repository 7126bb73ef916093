//! What a short id stands for. A whole one stands for itself and costs no request.

use std::fmt::Display;

use serde_json::Value;
use uuid::Uuid;

use crate::{
    api::types,
    error::{Code, Failure},
    ids::Named,
    server::{Server, Told},
};

/// How much is asked for at once where a debate or a list is searched.
const PAGE: u64 = 100;

/// How many candidates are named where an id is ambiguous.
const MOST_CANDIDATES: usize = 10;

/// The debate that is meant.
pub async fn debate(server: &Server, named: &Named) -> Result<Uuid, Failure> {
    if let Named::Whole(id) = named {
        return Ok(*id);
    }
    let beginning = named.to_string();
    let page = async |offset| {
        let told = server
            .call::<types::DebateList, _>(|| server.api.debate_list(Some(PAGE), Some(offset), Some(&beginning), None))
            .await?;
        let debates = told.view.debates.into_iter();
        let debates = debates.map(|debate| (debate.id, format!("{}, {}", debate.title, debate.state)));
        Ok((debates.collect(), told.view.total))
    };
    let missing = || {
        Failure::new(Code::DebateNotFound, format!("no debate has an id that starts with {beginning}"))
            .suggest("aw debate list shows those there are")
    };
    one(listed(&beginning, page).await?, "--debate-id", &beginning, missing)
}

/// The document that is meant, which `argument` of the command names.
pub async fn document(server: &Server, argument: &str, named: &Named) -> Result<Uuid, Failure> {
    if let Named::Whole(id) = named {
        return Ok(*id);
    }
    let beginning = named.to_string();
    let page = async |offset| {
        let told = server
            .call::<types::DocumentList, _>(|| server.api.document_list(Some(PAGE), Some(offset), Some(&beginning)))
            .await?;
        let documents = told.view.documents.into_iter();
        let documents = documents.map(|document| {
            let summary = if document.summary.is_empty() { "no summary" } else { &document.summary };
            (document.id, format!("{summary}, v{}", document.latest_version))
        });
        Ok((documents.collect(), told.view.total))
    };
    let missing = || {
        Failure::new(Code::DocumentNotFound, format!("no document has an id that starts with {beginning}"))
            .suggest("aw docs list shows those there are; of a deleted one the whole id is needed")
    };
    one(listed(&beginning, page).await?, argument, &beginning, missing)
}

/// What a list has under ids that begin so, at most a few more than are named. `page` gives what comes after an offset,
/// and how much there is in all.
async fn listed(
    beginning: &str,
    page: impl AsyncFn(u64) -> Result<(Vec<(Uuid, String)>, u64), Failure>,
) -> Result<Vec<(Uuid, String)>, Failure> {
    let mut found = Vec::new();
    let mut offset = 0;
    while found.len() <= MOST_CANDIDATES {
        let (some, total) = page(offset).await?;
        // The query finds texts that hold the beginning, too.
        found.extend(some.into_iter().filter(|(id, _)| id.to_string().starts_with(beginning)));
        offset += PAGE;
        if offset >= total {
            break;
        }
    }
    Ok(found)
}

/// The argument of that debate that is meant.
pub async fn argument(server: &Server, debate: Uuid, option: &str, named: &Named) -> Result<Uuid, Failure> {
    match named {
        Named::Whole(id) => Ok(*id),
        Named::Beginning(_) | Named::Number(_) => Ok(whole_argument(server, debate, option, named).await?.view.id),
    }
}

/// The same with all that it says.
pub async fn whole_argument(
    server: &Server,
    debate: Uuid,
    option: &str,
    named: &Named,
) -> Result<Told<types::Argument>, Failure> {
    let beginning = match named {
        Named::Whole(id) => id.to_string(),
        Named::Beginning(beginning) => beginning.clone(),
        Named::Number(number) => {
            let missing = || missing(debate, &format!("the number {number}"));
            // The server counts as far as its store does.
            let after = number.checked_sub(1).filter(|after| *after < u64::MAX / 4).ok_or_else(missing)?;
            let page = page(server, debate, Some(after), Some(after + 2), 1).await?;
            return page.into_iter().find(|told| told.view.seq == *number).ok_or_else(missing);
        }
    };
    let mut found: Vec<Told<types::Argument>> = Vec::new();
    let mut before = None;
    while before != Some(1) && found.len() <= MOST_CANDIDATES {
        let page = page(server, debate, None, before, PAGE).await?;
        before = Some(page.get(1).map_or(1, |oldest| oldest.view.seq));
        let known = |told: &Told<types::Argument>| found.iter().any(|other| other.view.id == told.view.id);
        let mut fitting: Vec<_> =
            page.into_iter().filter(|told| told.view.id.to_string().starts_with(&beginning) && !known(told)).collect();
        if matches!(named, Named::Whole(_)) && !fitting.is_empty() {
            return Ok(fitting.remove(0));
        }
        found.append(&mut fitting);
    }
    let candidates = found
        .iter()
        .map(|told| (told.view.id, format!("#{} {} by the {}", told.view.seq, told.view.type_, told.view.role)));
    let id = one(candidates.collect(), option, &beginning, || {
        missing(debate, &format!("an id that starts with {beginning}"))
    })?;
    found.into_iter().find(|told| told.view.id == id).ok_or_else(|| missing(debate, &beginning))
}

/// The motion, and after it the newest of the arguments between two numbers, which are not among them.
async fn page(
    server: &Server,
    debate: Uuid,
    after: Option<u64>,
    before: Option<u64>,
    limit: u64,
) -> Result<Vec<Told<types::Argument>>, Failure> {
    let Told { mut data, view } = server
        .call::<types::DebateContext, _>(|| server.api.debate_get_context(&debate, after, before, Some(limit)))
        .await?;
    let motion = Told { data: data["motion"].take(), view: view.motion };
    let written = if let Value::Array(written) = data["arguments"].take() { written } else { Vec::new() };
    let rest = written.into_iter().zip(view.arguments).map(|(data, view)| Told { data, view });
    Ok([motion].into_iter().chain(rest).collect())
}

fn missing(debate: Uuid, what: &str) -> Failure {
    Failure::new(Code::ArgumentNotFound, format!("no argument of debate {debate} has {what}"))
        .suggest(format!("aw debate get-context --debate-id {debate} shows those there are"))
}

/// The only candidate; a failure that names them where there are several.
fn one<What: Display>(
    mut candidates: Vec<(Uuid, What)>,
    option: &str,
    beginning: &str,
    missing: impl FnOnce() -> Failure,
) -> Result<Uuid, Failure> {
    match candidates.len() {
        0 => return Err(missing()),
        1 => return Ok(candidates.remove(0).0),
        _ => {}
    }
    let named: Vec<String> =
        candidates.iter().take(MOST_CANDIDATES).map(|(id, what)| format!("{id} ({what})")).collect();
    let more = if candidates.len() > MOST_CANDIDATES { ", and more" } else { "" };
    Err(Failure::new(
        Code::InvalidInput,
        format!("{option} {beginning} is ambiguous, it may be {}{more}", named.join(", ")),
    )
    .suggest(format!("Give {option} more of the id that you mean")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_ambiguous_id_lists_its_candidates_and_not_all_the_world() {
        let ids: Vec<_> = (1..=12).map(|n| (Uuid::from_u128(n), format!("title {n}"))).collect();
        let gone = || Failure::new(Code::DebateNotFound, "none");
        assert_eq!(one(Vec::<(Uuid, String)>::new(), "--debate-id", "0", gone).unwrap_err().code, "DEBATE_NOT_FOUND");
        assert_eq!(one(ids[..1].to_vec(), "--debate-id", "0", gone).unwrap(), Uuid::from_u128(1));
        let failure = one(ids.clone(), "--debate-id", "0", gone).unwrap_err();
        assert_eq!(failure.code, "INVALID_INPUT");
        assert!(failure.message.contains("000a (title 10), and more"), "{}", failure.message);
        assert!(!failure.message.contains("title 11"), "{}", failure.message);
        assert!(!one(ids[..2].to_vec(), "--debate-id", "0", gone).unwrap_err().message.contains("more"));
    }
}
