//! A server in a few lines: the contract, kept in memory. It was written from the contract alone.
//!
//! What only a server can make up, ids and times, it takes from the answer of a real one.

use serde_json::{Value, json};

use super::{
    debate::Debate,
    document::Document,
    fields::{id_in, misshapen, oversize, plain},
    reply::{Refusal, Reply, Told},
    request::{Asked, Edge, Verb},
};

/// What a real server made up.
#[derive(Debug, Default)]
pub struct Made {
    /// The id of what it stored; empty where it stored nothing
    pub id: String,
    /// When
    pub at: String,
}

impl Made {
    /// What an answer tells of it.
    pub fn of(answer: &Value) -> Self {
        let data = &answer["data"];
        let told = |value: &Value| value.as_str().unwrap_or_default().to_owned();
        match (data.get("argument"), data.get("version")) {
            (Some(argument), _) => Self { id: told(&argument["id"]), at: told(&argument["created_at"]) },
            (None, Some(version)) => Self { id: told(&version["document_id"]), at: told(&version["created_at"]) },
            (None, None) => Self { id: String::new(), at: told(&data["document"]["deleted_at"]) },
        }
    }
}

/// What can be wrong with the contract here, for a control.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mistake {
    ForgetsRequests,
    KeepsTheDeletedListed,
    LetsTheOpponentGoOn,
    TakesSeveralLate,
    TellsOwnArguments,
}

/// All debates and documents.
#[derive(Debug, Default)]
pub struct Contract {
    /// In the order in which they were opened
    pub debates: Vec<Debate>,
    /// In the order in which they were created
    pub documents: Vec<Document>,
    mistake: Option<Mistake>,
}

impl Contract {
    /// One that knows nothing yet, and makes that mistake.
    pub fn new(mistake: Option<Mistake>) -> Self {
        Self { mistake, ..Self::default() }
    }

    /// What is answered, by a server that made that up.
    ///
    /// # Errors
    /// The first fault of the request.
    pub fn answer(&mut self, asked: &Asked, made: &Made) -> Reply {
        admit(asked)?;
        let id = plain(&asked.id).unwrap_or_default();
        match asked.verb {
            Verb::Create => self.open(asked, made),
            Verb::List => {
                let listed = self.debates.iter().map(Debate::told);
                let listed = listed.filter(|debate| asked.param("state").is_none_or(|state| debate["state"] == state));
                Ok(Told::found(list(asked, "debates", "title", listed)))
            }
            Verb::Keep => match self.documents.iter().find(|document| document.is_of(asked)) {
                Some(document) if self.mistake != Some(Mistake::ForgetsRequests) => document.create_again(asked),
                Some(_) | None => {
                    let document = Document::create(asked, made);
                    let data = document.read(&Asked::new(Verb::Read))?.data;
                    self.documents.push(document);
                    Ok(Told::stored(data))
                }
            },
            Verb::Documents => {
                let deleted_too = self.mistake == Some(Mistake::KeepsTheDeletedListed);
                let listed = self.documents.iter().filter(|document| deleted_too || document.deleted_at.is_none());
                Ok(Told::found(list(asked, "documents", "summary", listed.map(Document::told))))
            }
            Verb::Context => Ok(Told::found(self.debate(&id)?.context(asked))),
            Verb::Wait => {
                let mistake = self.mistake;
                self.debate(&id)?.wait(asked, mistake)
            }
            Verb::Submit | Verb::Appeal | Verb::Resolution | Verb::Ruling | Verb::Intervention => {
                let mistake = self.mistake;
                self.debate(&id)?.argue(asked, made, mistake)
            }
            Verb::Revise => self.document(&id)?.revise(asked, made),
            Verb::Read => self.document(&id)?.read(asked),
            Verb::History => Ok(Told::found(self.document(&id)?.history(|versions| page(asked, versions)))),
            Verb::Delete => {
                let document = self.document(&id)?;
                document.delete(made);
                Ok(Told::found(json!({"document": document.told()})))
            }
        }
    }

    fn debate(&mut self, id: &str) -> Result<&mut Debate, Refusal> {
        self.debates.iter_mut().find(|debate| debate.id == id).ok_or_else(|| Refusal::of("DEBATE_NOT_FOUND"))
    }

    fn document(&mut self, id: &str) -> Result<&mut Document, Refusal> {
        let mut documents = self.documents.iter_mut();
        documents.find(|document| document.id == id).ok_or_else(|| Refusal::of("DOCUMENT_NOT_FOUND"))
    }

    fn open(&mut self, asked: &Asked, made: &Made) -> Reply {
        let id = id_in(asked.field("debate_id")).unwrap_or_default();
        if let Some(debate) = self.debates.iter().find(|debate| debate.id == id) {
            return match self.mistake {
                Some(Mistake::ForgetsRequests) => Err(Refusal::of("DEBATE_EXISTS")),
                _ => debate.open_again(asked),
            };
        }
        let debate = Debate::open(id, asked, made);
        let data = debate.opened();
        self.debates.push(debate);
        Ok(Told::stored(data))
    }
}

/// Lets a request in, or tells its first fault.
fn admit(asked: &Asked) -> Result<(), Refusal> {
    let edges = [
        (Edge::Host, "FORBIDDEN"),
        (Edge::Path, "NOT_FOUND"),
        (Edge::Method, "METHOD_NOT_ALLOWED"),
        (Edge::Token, "AUTH_FAILED"),
        (Edge::Media, "UNSUPPORTED_MEDIA_TYPE"),
    ];
    let of_bodies = |edge| edge == Edge::Media && !asked.verb.has_body();
    if let Some((_, code)) = edges.iter().find(|(edge, _)| asked.has(*edge) && !of_bodies(*edge)) {
        return Err(Refusal::of(code));
    }
    if let Some(refusal) = oversize(asked).or_else(|| misshapen(asked)) {
        return Err(refusal);
    }
    let wrong = asked.has(Edge::Right) && asked.verb.is_the_arbitrators();
    if wrong { Err(Refusal::of("FORBIDDEN")) } else { Ok(()) }
}

/// A page of what is found, and how much there is in all.
fn list(asked: &Asked, name: &str, text: &str, all: impl Iterator<Item = Value>) -> Value {
    let q = asked.param("q").unwrap_or_default().to_ascii_lowercase();
    let holds = |value: &Value| value.as_str().unwrap_or_default().to_ascii_lowercase().contains(&q);
    let begins = |value: &Value| value.as_str().unwrap_or_default().starts_with(&q);
    let mut found: Vec<Value> = all.filter(|item| begins(&item["id"]) || holds(&item[text])).collect();
    // Times are always told to the same digit, so they sort as texts do.
    let age = |item: &Value| (item["updated_at"].to_string(), item["created_at"].to_string());
    found.sort_by_key(|item| std::cmp::Reverse(age(item)));
    let total = found.len();
    json!({name: page(asked, found), "total": total})
}

fn page(asked: &Asked, all: Vec<Value>) -> Vec<Value> {
    let number = |name| asked.param(name).and_then(|number| number.parse().ok());
    all.into_iter().skip(number("offset").unwrap_or(0)).take(number("limit").unwrap_or(50)).collect()
}
