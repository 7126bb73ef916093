//! The model of a server: the API contract in memory, written independently of the product's code.
//!
//! Ids and times, which only a server can choose, are taken from the response of a real one.

use serde_json::{Value, json};

use super::{
    expected_response::{Expected, Refusal, Success},
    field_rules::{canonical_id, id_in, invalid_input, too_large},
    model_citations::Cited,
    model_debate::Debate,
    model_document::Document,
    model_plan::Planned,
    model_request::{CommonFault, ModelRequest, Verb},
};

/// The values that a real server chose.
#[derive(Debug, Default)]
pub struct ServerValues {
    /// The id of what was stored; empty if nothing was
    pub id: String,
    /// The id of the plan's document; empty if there is none
    pub document: String,
    /// The time
    pub at: String,
}

impl ServerValues {
    /// The values in a response.
    pub fn of(answer: &Value) -> Self {
        let data = &answer["data"];
        let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
        match (data.get("argument"), data.get("version")) {
            (Some(argument), _) => {
                let document = text(&data["plan"]["document_id"]);
                Self { id: text(&argument["id"]), document, at: text(&argument["created_at"]) }
            }
            (None, Some(version)) => {
                Self { id: text(&version["document_id"]), at: text(&version["created_at"]), ..Self::default() }
            }
            (None, None) => Self { at: text(&data["document"]["deleted_at"]), ..Self::default() },
        }
    }
}

/// A deliberate deviation from the contract, for the control tests.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mistake {
    ForgetsRequests,
    IgnoresBlockingIssues,
    KeepsReferred,
    KeepsTheDeletedListed,
    LetsTheOpponentGoOn,
    TakesSeveralLate,
    TellsOwnArguments,
}

/// All debates and documents.
#[derive(Debug, Default)]
pub struct ModelServer {
    /// In the order of their creation
    pub debates: Vec<Debate>,
    /// In the order of their creation
    pub documents: Vec<Document>,
    mistake: Option<Mistake>,
}

impl ModelServer {
    /// A model without debates and documents.
    pub fn new(mistake: Option<Mistake>) -> Self {
        Self { mistake, ..Self::default() }
    }

    /// The response to a request, with the values that a real server chose.
    ///
    /// # Errors
    /// The first fault of the request.
    pub fn answer(&mut self, request: &ModelRequest, values: &ServerValues) -> Expected {
        admit(request)?;
        let id = canonical_id(&request.id).unwrap_or_default();
        match request.verb {
            Verb::Create => self.open(request, values),
            Verb::List => {
                let listed = self.debates.iter().map(Debate::view);
                let listed =
                    listed.filter(|debate| request.param("state").is_none_or(|state| debate["state"] == state));
                Ok(Success::found(list(request, "debates", &["title"], listed)))
            }
            Verb::Search => {
                // The whole is one word, as it stands in quotation marks.
                let q = request.param("q").unwrap_or_default().trim_matches('"').to_lowercase();
                let mut hits: Vec<Value> = self.debates.iter().flat_map(|debate| debate.hits(&q)).collect();
                hits.retain(|hit| match request.param("kind") {
                    Some(kind) => hit["kind"] == kind,
                    None => hit["kind"] != "argument",
                });
                // Those of one argument come by issue and kind.
                let place = |hit: &Value| {
                    let [at, debate, issue, kind] =
                        ["created_at", "debate_id", "issue", "kind"].map(|name| hit[name].to_string());
                    let issue = issue.trim_matches(|c: char| !c.is_ascii_digit()).parse::<usize>().unwrap_or_default();
                    (at, debate, hit["seq"].as_u64(), issue, kind)
                };
                hits.sort_by_key(|hit| std::cmp::Reverse(place(hit)));
                let total = hits.len();
                Ok(Success::found(json!({"hits": page(request, hits), "total": total, "complete": true})))
            }
            Verb::DocumentCreate => match self.documents.iter().find(|document| document.was_created_by(request)) {
                Some(document) if self.mistake != Some(Mistake::ForgetsRequests) => document.create_again(request),
                Some(_) | None => {
                    let document = Document::create(request, values);
                    let data = document.read(&ModelRequest::new(Verb::DocumentGet))?.data;
                    self.documents.push(document);
                    Ok(Success::stored(data))
                }
            },
            Verb::DocumentList => {
                let deleted_too = self.mistake == Some(Mistake::KeepsTheDeletedListed);
                let listed = self.documents.iter().filter(|document| deleted_too || document.deleted_at.is_none());
                Ok(Success::found(list(request, "documents", &["title", "summary"], listed.map(Document::listed))))
            }
            Verb::Context => Ok(Success::found(self.debate(&id)?.context(request))),
            Verb::Issues => Ok(Success::found(self.debate(&id)?.issues(request))),
            Verb::Wait => {
                let mistake = self.mistake;
                self.debate(&id)?.wait(request, mistake)
            }
            Verb::Submit | Verb::Appeal | Verb::Resolution | Verb::Ruling | Verb::Intervention => {
                let mistake = self.mistake;
                let debate = self.debates.iter().find(|debate| debate.id == id);
                let planned = debate.and_then(|debate| Planned::of(request, Some(debate), &self.documents, values));
                let Some(planned) = planned else {
                    let cited = Cited::look_up(request.field("content"), &self.documents);
                    return self.debate(&id)?.submit(request, values, &cited, Ok(()), mistake);
                };
                let cited = self.cited(planned.request.field("content"), &planned);
                let refusal = planned.refusal.clone();
                let answer = self.debate(&id)?.submit(&planned.request, values, &cited, refusal, mistake);
                self.make(planned, values, &answer);
                answer
            }
            Verb::DocumentSubmit => self.document(&id)?.revise(request, values),
            Verb::DocumentGet => self.document(&id)?.read(request),
            Verb::DocumentHistory => {
                Ok(Success::found(self.document(&id)?.history(|versions| page(request, versions))))
            }
            Verb::DocumentDelete => {
                let document = self.document(&id)?;
                document.delete(values);
                Ok(Success::found(json!({"document": document.view()})))
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

    fn open(&mut self, request: &ModelRequest, values: &ServerValues) -> Expected {
        let id = id_in(request.field("debate_id")).unwrap_or_default();
        let debate = self.debates.iter().find(|debate| debate.id == id);
        let planned = Planned::of(request, debate, &self.documents, values);
        let request = planned.as_ref().map_or(request, |planned| &planned.request);
        let cited = match &planned {
            Some(planned) => self.cited(request.field("motion_content"), planned),
            None => Cited::look_up(request.field("motion_content"), &self.documents),
        };
        if let Some(debate) = debate {
            return match self.mistake {
                Some(Mistake::ForgetsRequests) => Err(Refusal::of("DEBATE_EXISTS")),
                _ => debate.open_again(request, &cited),
            };
        }
        if let Some(planned) = &planned {
            planned.refusal.clone()?;
        }
        let debate = Debate::open(id, request, values, &cited);
        let data = debate.opened(&cited);
        self.debates.push(debate);
        let answer = Ok(Success::stored(data));
        if let Some(planned) = planned {
            self.make(planned, values, &answer);
        }
        answer
    }

    /// What a text cites that begins with the citation of a plan, which may not be stored yet.
    fn cited(&self, text: &Value, planned: &Planned) -> Cited {
        let mut cited = Cited::look_up(text, &self.documents);
        let is_it =
            |other: &Value| ["document_id", "version"].iter().all(|name| other[*name] == planned.citation[*name]);
        if planned.made.is_some() {
            cited.unknown.retain(|other| !is_it(other));
            cited.known.insert(0, planned.citation.clone());
        }
        cited
    }

    /// Makes the version that a plan is, if its argument is stored.
    fn make(&mut self, planned: Planned, values: &ServerValues, answer: &Expected) {
        let (Some(body), Ok(Success { status: 201, .. })) = (planned.made, answer) else { return };
        let request = ModelRequest { body, ..ModelRequest::new(Verb::DocumentSubmit) };
        let id = planned.citation["document_id"].as_str().unwrap_or_default();
        match self.documents.iter_mut().find(|document| document.id == id) {
            Some(document) => document.add(&request, values),
            None => {
                let values = ServerValues { id: id.to_owned(), document: String::new(), at: values.at.clone() };
                self.documents.push(Document::create(&request, &values));
            }
        }
    }
}

/// Checks a request for faults other than those of debates and documents.
fn admit(request: &ModelRequest) -> Result<(), Refusal> {
    let common_faults = [
        (CommonFault::Host, "FORBIDDEN"),
        (CommonFault::Path, "NOT_FOUND"),
        (CommonFault::Method, "METHOD_NOT_ALLOWED"),
        (CommonFault::Token, "AUTH_FAILED"),
        (CommonFault::Media, "UNSUPPORTED_MEDIA_TYPE"),
    ];
    let of_bodies = |fault| fault == CommonFault::Media && !request.verb.has_body();
    if let Some((_, code)) = common_faults.iter().find(|(fault, _)| request.has(*fault) && !of_bodies(*fault)) {
        return Err(Refusal::of(code));
    }
    if let Some(refusal) = too_large(request).or_else(|| invalid_input(request)) {
        return Err(refusal);
    }
    let wrong = request.has(CommonFault::Right) && request.verb.is_the_arbitrators();
    if wrong { Err(Refusal::of("FORBIDDEN")) } else { Ok(()) }
}

/// One page of the items that match the query, and their total.
fn list(request: &ModelRequest, name: &str, texts: &[&str], all: impl Iterator<Item = Value>) -> Value {
    let q = request.param("q").unwrap_or_default().to_lowercase();
    let holds = |value: &Value| value.as_str().unwrap_or_default().to_lowercase().contains(&q);
    let begins = |value: &Value| value.as_str().unwrap_or_default().starts_with(&q);
    let mut found: Vec<Value> =
        all.filter(|item| begins(&item["id"]) || texts.iter().any(|text| holds(&item[*text]))).collect();
    // All times have the same number of digits, so they sort as texts.
    let age = |item: &Value| (item["updated_at"].to_string(), item["created_at"].to_string());
    found.sort_by_key(|item| std::cmp::Reverse(age(item)));
    let total = found.len();
    json!({name: page(request, found), "total": total})
}

fn page(request: &ModelRequest, all: Vec<Value>) -> Vec<Value> {
    let number = |name| request.param(name).and_then(|number| number.parse().ok());
    all.into_iter().skip(number("offset").unwrap_or(0)).take(number("limit").unwrap_or(50)).collect()
}
