//! Turns the moves of a scenario into requests, given what has been stored so far.

use fastrand::Rng;
use serde_json::{Value, json};
use uuid::Builder;

use super::{
    agent_rules,
    change_builder::{changes, many_raises},
    field_rules::{MAX_CONTENT, MAX_DOCUMENT, MAX_SUMMARY, MAX_TITLE, SEARCH_KINDS},
    model_debate::{Debate, State, kind_and_role},
    model_issues::STATUSES,
    model_request::{ARGUMENTS, ModelRequest, Verb},
    model_server::ModelServer,
    mutations::mutate,
    scenario_steps::{Change, Move, Page, RequestId, Search, Step, Target, Which},
};

/// The suffixes of titles and summaries.
const ENDINGS: [&str; 10] = [
    "",
    " Retry Budget",
    " retry loop",
    " 100%",
    " 1000",
    " a_b",
    " aXb",
    " Đề xuất",
    " cafe\u{301} CAFÉ",
    r" it's \ 🚦",
];

/// The contents of arguments and documents.
const TEXTS: [&str; 10] = [
    "Agreed.",
    " leading, trailing and\r\n\tother white space ",
    "Ngân sách thử lại là cho mỗi shard.",
    "\"quoted\" \\ and \\u0000 'apostrophes' -- ; DROP TABLE debates",
    "🦀👩‍👩‍👧 e\u{301} é \u{202e}abc\u{feff}",
    "<script>alert(1)</script> & &amp;",
    " ",
    "null",
    "{\"json\": [1, 2.50, true]}",
    "%_?[a]*",
];

/// The options that rulings choose. Most choose none, since most debates have none.
const CHOICES: [Option<usize>; 8] = [None, None, None, None, Some(0), Some(1), None, Some(5)];

const STATES: [&str; 5] =
    ["CLOSED", "AWAITING_OPPONENT", "AWAITING_PROPOSER", "AWAITING_ARBITRATOR", "INTERVENTION_PENDING"];

/// The ids and titles of a scenario. They are the same at each server and differ from those of other scenarios.
#[derive(Clone, Debug)]
pub struct Names {
    scenario: String,
    random: Rng,
    given: usize,
}

impl Names {
    /// The names that follow from this seed.
    pub fn new(seed: u64) -> Self {
        let mut random = Rng::with_seed(seed);
        // No character of the prefix can occur in an id.
        let scenario = (0..14).map(|_| random.char('g'..='z')).collect();
        Self { scenario, random, given: 0 }
    }

    fn id(&mut self) -> String {
        Builder::from_random_bytes(self.random.u128(..).to_be_bytes()).into_uuid().to_string()
    }

    fn request_id(&mut self) -> String {
        self.given += 1;
        format!("{}:{}", self.scenario, self.given)
    }
}

/// The state of a scenario.
pub struct RequestBuilder {
    /// The model's state
    pub model: ModelServer,
    names: Names,
    /// The writes that were stored and those that were refused
    stored: Vec<ModelRequest>,
    refused: Vec<ModelRequest>,
}

impl RequestBuilder {
    /// The start of a scenario.
    pub fn new(names: Names, model: ModelServer) -> Self {
        Self { model, names, stored: Vec::new(), refused: Vec::new() }
    }

    /// The next request.
    pub fn next_request(&mut self, step: &Step) -> ModelRequest {
        step.mutations.iter().fold(self.request_for(&step.what), |request, mutation| mutate(request, *mutation))
    }

    /// Keeps a write for later repetition.
    pub fn keep(&mut self, request: ModelRequest, is_stored: bool) {
        if request.verb.has_body() {
            let writes = if is_stored { &mut self.stored } else { &mut self.refused };
            writes.push(request);
        }
    }

    /// Requests that together read everything stored.
    pub fn requests_for_all_data(&self) -> Vec<ModelRequest> {
        let about = |verb, id: &str| ModelRequest { id: id.to_owned(), ..ModelRequest::new(verb) };
        let debates = self.model.debates.iter().flat_map(|debate| {
            let issues = about(Verb::Issues, &debate.id);
            let issues = ModelRequest { query: vec![("history", "true".to_owned())], ..issues };
            [about(Verb::Context, &debate.id), issues]
        });
        let documents = self.model.documents.iter();
        let documents = documents
            .flat_map(|document| [Verb::DocumentGet, Verb::DocumentHistory].map(|verb| about(verb, &document.id)));
        debates.chain(documents).collect()
    }

    fn request_for(&mut self, what: &Move) -> ModelRequest {
        match *what {
            Move::Create { taken, words, general, max_rounds, request_id } => {
                let id = match taken {
                    Some(which) => self.debate(which),
                    None => self.names.id(),
                };
                let kind = if general { "general_debate" } else { "coding_plan_debate" };
                let mut body = json!({
                    "debate_id": id, "title": self.titled(words, MAX_TITLE), "debate_type": kind,
                    "motion_content": self.citing(words),
                });
                if let Some(rounds) = max_rounds {
                    body["max_rounds"] = rounds.into();
                }
                add_agents(&mut body, words);
                add_plan(&mut body, "motion_content", words + 2 * usize::from(general));
                self.write(Verb::Create, String::new(), body, request_id)
            }
            Move::Argue { verb, debate, on_turn, target, words, request_id, extra, changes: ref steps } => {
                let id = self.debate(debate);
                let state = self.found(&id).map_or(State::AwaitingOpponent, |debate| debate.state);
                let fits = |verb: &Verb| *verb != Verb::Intervention && state.allows(*verb);
                let mut fitting = ARGUMENTS.into_iter().filter(fits).cycle();
                let verb = verb.or_else(|| fitting.nth(words)).unwrap_or(Verb::Submit);
                let mut body = json!({"content": self.citing(words)});
                if verb == Verb::Ruling {
                    body["close"] = [None, Some(false), Some(true), Some(true)][extra % 4].into();
                    body["chosen_option"] = CHOICES[extra % CHOICES.len()].into();
                }
                if verb == Verb::Intervention && extra == 0 {
                    body["content"] = Value::Null;
                }
                if !verb.is_the_arbitrators() {
                    body["target_id"] = self.target(target, &id).into();
                }
                if verb == Verb::Submit {
                    let side = state.side();
                    let other = if side == "opponent" { "proposer" } else { "opponent" };
                    body["role"] = (if on_turn { side } else { other }).into();
                }
                if verb == Verb::Appeal {
                    body["options"] = options(extra);
                    if extra % 2 == 0
                        && let Some(option) = body["options"].get_mut(0)
                    {
                        // Mostly what a ruling may change; an option raises nothing.
                        option["issue_changes"] = changes(self.found(&id), "RULING", "arbitrator", steps).into();
                    }
                }
                let (kind, role) = kind_and_role(&ModelRequest { body: body.clone(), ..ModelRequest::new(verb) });
                let carried = changes(self.found(&id), kind, role, steps);
                if !carried.is_empty() {
                    body["issue_changes"] = carried.into();
                }
                if verb == Verb::Ruling && carried_nothing(&body) && extra % 8 == 4 && words % 3 == 0 {
                    body["issue_changes"] = json!([]);
                }
                add_agents(&mut body, words + 3 * extra);
                if !verb.is_the_arbitrators() && (role == "proposer" || extra == 7) {
                    add_plan(&mut body, "content", words + extra);
                }
                body.as_object_mut().expect("it is one").retain(|_, value| !value.is_null());
                self.write(verb, id, body, request_id)
            }
            Move::RaiseMany { request_id } => {
                let Some(debate) = self.model.debates.last() else {
                    let body = json!({
                        "debate_id": self.names.id(), "title": self.titled(0, MAX_TITLE),
                        "debate_type": "general_debate", "motion_content": text(0, MAX_CONTENT),
                    });
                    return self.write(Verb::Create, String::new(), body, request_id);
                };
                let (id, role, target) = (debate.id.clone(), debate.state.side(), debate.newest_target());
                let mut body = json!({"content": text(0, MAX_CONTENT), "target_id": target, "role": role});
                if role == "opponent" {
                    body["issue_changes"] = many_raises().into();
                }
                self.write(Verb::Submit, id, body, request_id)
            }
            Move::Repeat { verb, refused, which, change } => self.again(verb, refused, which, change),
            Move::Wait { debate, role, seen } => {
                let id = self.debate(debate);
                let role = ["proposer", "opponent", "arbitrator"][role % 3];
                let seen = seen.map(|seen| ("argument_id", self.target(seen, &id)));
                let query = [("role", role.to_owned())].into_iter().chain(seen);
                let query = query.chain([("timeout", "0".to_owned())]).collect();
                ModelRequest { id, query, ..ModelRequest::new(Verb::Wait) }
            }
            Move::Context { debate, limit, before, after } => {
                let query = [("limit", limit), ("before_seq", before), ("after_seq", after)];
                ModelRequest { id: self.debate(debate), query: numbers(query), ..ModelRequest::new(Verb::Context) }
            }
            Move::Issues { debate, status, history } => {
                let status = status.map(|status| ("status", STATUSES[status % STATUSES.len()].to_owned()));
                let history = history.map(|history| ("history", history.to_string()));
                let query = status.into_iter().chain(history).collect();
                ModelRequest { id: self.debate(debate), query, ..ModelRequest::new(Verb::Issues) }
            }
            Move::List { search, state, page } => {
                let state = state.map(|state| ("state", STATES[state % STATES.len()].to_owned()));
                let query = self.query(search, page, |which| pick(self.debates(), which));
                let query = state.into_iter().chain(query).collect();
                ModelRequest { query, ..ModelRequest::new(Verb::List) }
            }
            Move::Search { search, kind, page } => {
                let kind = kind.map(|kind| ("kind", SEARCH_KINDS[kind % SEARCH_KINDS.len()].to_owned()));
                // Arguments cite documents by their ids.
                let query = self.query(search, page, |which| pick(self.documents(), which));
                // In quotation marks the whole is one word, which other scenarios do not have.
                let one_word = |(name, value)| if name == "q" { (name, format!("\"{value}\"")) } else { (name, value) };
                let query = kind.into_iter().chain(query.into_iter().map(one_word)).collect();
                ModelRequest { query, ..ModelRequest::new(Verb::Search) }
            }
            Move::DocumentCreate { words, metadata, request_id } => {
                let body = self.version(words, metadata);
                self.write(Verb::DocumentCreate, String::new(), body, request_id)
            }
            Move::DocumentSubmit { document, words, metadata, request_id } => {
                let (id, body) = (self.document(document), self.version(words, metadata));
                self.write(Verb::DocumentSubmit, id, body, request_id)
            }
            Move::DocumentGet { document, version } => {
                let version = version.map(|version| version + 1);
                let query = numbers([("version", version)]);
                ModelRequest { id: self.document(document), query, ..ModelRequest::new(Verb::DocumentGet) }
            }
            Move::DocumentHistory { document, page } => ModelRequest {
                id: self.document(document),
                query: paged(page),
                ..ModelRequest::new(Verb::DocumentHistory)
            },
            Move::DocumentList { search, page } => {
                let query = self.query(search, page, |which| pick(self.documents(), which));
                ModelRequest { query, ..ModelRequest::new(Verb::DocumentList) }
            }
            Move::DocumentDelete { document } => {
                ModelRequest { id: self.document(document), ..ModelRequest::new(Verb::DocumentDelete) }
            }
        }
    }

    fn write(&mut self, verb: Verb, id: String, mut body: Value, request_id: RequestId) -> ModelRequest {
        let used = |verb| {
            let mut writes = self.stored.iter().rev().filter(|write| write.verb == verb);
            writes.find_map(|write| write.body.get("client_request_id").cloned())
        };
        match request_id {
            RequestId::Absent => {}
            RequestId::Fresh => body["client_request_id"] = self.names.request_id().into(),
            RequestId::Used(verb) => {
                body["client_request_id"] = used(verb).unwrap_or_else(|| self.names.request_id().into());
            }
        }
        ModelRequest { id, body, ..ModelRequest::new(verb) }
    }

    /// An earlier write without its common faults.
    fn again(&mut self, verb: Verb, refused: bool, which: usize, change: Change) -> ModelRequest {
        let writes = if refused { &self.refused } else { &self.stored };
        let writes = writes.iter().rev().filter(|write| write.verb == verb);
        let Some(write) = writes.cycle().nth(which).cloned() else {
            return self.write(Verb::DocumentCreate, String::new(), self.version(which, 0), RequestId::Fresh);
        };
        let mut request = ModelRequest { common_faults: Vec::new(), ..write };
        match change {
            Change::Nothing => {}
            Change::Blanks => {
                let fields = request.body.as_object_mut().expect("a body is an object");
                let changes = fields.entry("issue_changes").or_insert_with(|| json!([]));
                for change in changes.as_array_mut().into_iter().flatten().filter(|change| change.is_object()) {
                    for (name, blank) in [("location", Value::Null), ("note", json!("")), ("title", Value::Null)] {
                        if change.get(name).is_none() {
                            change[name] = blank;
                        }
                    }
                }
            }
            Change::Verb(verb) if ARGUMENTS.contains(&request.verb) => request.verb = verb,
            Change::Verb(_) => {}
            Change::Field(nth) => {
                let fields = request.body.as_object_mut().expect("a body is an object");
                let place = nth % fields.len().max(1);
                let (id, first) = (self.names.id(), self.model.debates.last().and_then(|debate| debate.ids().next()));
                if let Some((name, value)) = fields.iter_mut().nth(place) {
                    *value = match name.as_str() {
                        "role" => (if *value == "opponent" { "proposer" } else { "opponent" }).into(),
                        "debate_type" => "general_debate".into(),
                        "debate_id" => id.into(),
                        "target_id" => first.unwrap_or(&id).into(),
                        "close" => (*value != true).into(),
                        "chosen_option" => 0.into(),
                        "options" => json!([{"label": "Another"}]),
                        "max_rounds" => 7.into(),
                        "issue_changes" => {
                            let mut changes = value.as_array().cloned().unwrap_or_default();
                            changes.reverse();
                            if changes.len() < 2 { Value::Null } else { changes.into() }
                        }
                        "agents" => agent_rules::examples(nth % 2),
                        "metadata" => json!({"another": true}),
                        "client_request_id" => self.names.request_id().into(),
                        _ => format!("{}!", value.as_str().unwrap_or_default()).into(),
                    };
                }
            }
        }
        request
    }

    fn found(&self, id: &str) -> Option<&Debate> {
        self.model.debates.iter().find(|debate| debate.id == id)
    }

    fn debate(&mut self, which: Which) -> String {
        pick(self.debates(), which).unwrap_or_else(|| self.names.id())
    }

    fn document(&mut self, which: Which) -> String {
        pick(self.documents(), which).unwrap_or_else(|| self.names.id())
    }

    /// All debates and whether they are open.
    fn debates(&self) -> impl DoubleEndedIterator<Item = (&str, bool)> + Clone {
        self.model.debates.iter().map(|debate| (debate.id.as_str(), debate.state != State::Closed))
    }

    /// All documents and whether they are not deleted.
    fn documents(&self) -> impl DoubleEndedIterator<Item = (&str, bool)> + Clone {
        self.model.documents.iter().map(|document| (document.id.as_str(), document.deleted_at.is_none()))
    }

    fn target(&mut self, target: Target, debate: &str) -> String {
        let stored = self.found(debate);
        let found = match target {
            Target::Said => stored.and_then(Debate::newest_target),
            Target::Newest => stored.and_then(|debate| debate.ids().next_back()),
            Target::Nth(nth) => stored.and_then(|debate| debate.ids().nth(nth % debate.ids().len())),
            Target::OfAnotherDebate => {
                let other = self.model.debates.iter().find(|other| other.id != debate);
                other.and_then(|other| other.ids().next_back())
            }
            Target::Unknown => None,
        };
        found.map(str::to_owned).unwrap_or_else(|| self.names.id())
    }

    /// The content of an argument. Some cite versions that exist, and others that do not.
    fn citing(&self, words: usize) -> String {
        let text = text(words, MAX_CONTENT);
        let documents = &self.model.documents;
        match documents.len().checked_sub(1 + words / 2) {
            Some(index) if words < TEXTS.len() && words.is_multiple_of(2) => {
                let (id, version) = (&documents[index].id, words % 3 + 1);
                let spelled = id.replace('-', "").to_uppercase();
                format!(
                    "{text} doc_id={id} v{version}, doc_id={spelled}  v1; doc_id={} v1 doc_id={id} v1x",
                    documents[0].id
                )
            }
            Some(_) | None => text,
        }
    }

    fn titled(&self, words: usize, longest: usize) -> String {
        let title = format!("{}{}", self.names.scenario, ENDINGS[words % ENDINGS.len()]);
        // Some titles have the maximum length.
        let missing = if words == ENDINGS.len() { longest - title.chars().count() } else { 0 };
        title + &"🦀".repeat(missing)
    }

    fn version(&self, words: usize, metadata: usize) -> Value {
        let mut body = json!({"summary": self.titled(words, MAX_SUMMARY), "content": text(words, MAX_DOCUMENT)});
        match metadata {
            0 => {}
            1 => body["metadata"] = json!({}),
            2 => body["metadata"] = json!({"authors": [{"name": "Ngọc \"N\""}], "n": -1.5, "nothing": null}),
            _ => body["metadata"] = json!({"z": 1, "a": {"é": [true, 18_446_744_073_709_551_615_u64]}}),
        }
        body
    }

    fn query(
        &self,
        search: Search,
        page: Page,
        found: impl Fn(Which) -> Option<String>,
    ) -> Vec<(&'static str, String)> {
        let scenario = || self.names.scenario.clone();
        let q = match search {
            Search::Story => scenario(),
            Search::Ending(words) => format!("{}{}", scenario().to_uppercase(), ENDINGS[words % ENDINGS.len()]),
            // The beginning is long enough to be unique.
            Search::Id(which, whole) => found(which).map_or_else(scenario, |id| {
                let end = if whole { id.len() } else { 18 };
                id[..end].to_owned()
            }),
        };
        [("q", q)].into_iter().chain(paged(page)).collect()
    }
}

fn pick<'a>(all: impl DoubleEndedIterator<Item = (&'a str, bool)> + Clone, which: Which) -> Option<String> {
    let mut newest = all.rev();
    let found = match which {
        Which::Open => newest.clone().find(|(_, is_open)| *is_open).or_else(|| newest.next()),
        Which::Newest(nth) => newest.cycle().nth(nth),
        Which::Unknown => None,
    };
    found.map(|(id, _)| id.to_owned())
}

/// A text. Some have the maximum length.
fn text(words: usize, longest: usize) -> String {
    match TEXTS.get(words) {
        Some(text) => (*text).to_owned(),
        None if words.is_multiple_of(2) => "x".repeat(longest),
        None => "ế".repeat(longest / 3),
    }
}

fn options(which: usize) -> Value {
    match which {
        0 | 1 => Value::Null,
        2 => json!([]),
        3 => json!([{"label": "Per shard", "detail": "as now"}, {"label": "Global"}]),
        4 => json!([{"label": "Another", "free_form": true}, {"label": "Global"}]),
        5 => json!([{"label": "Global"}, {"label": ""}]),
        _ => json!([{"label": "Chỉ một"}]),
    }
}

fn carried_nothing(body: &Value) -> bool {
    body.get("issue_changes").is_none()
}

/// Adds a plan in every fourth request. Few texts and bases, so that some are equal and some outdated.
fn add_plan(body: &mut Value, text: &str, which: usize) {
    if !which.is_multiple_of(4) {
        return;
    }
    let mut plan = json!({"content": format!("Plan {}", which / 4 % 3)});
    match which / 4 {
        0 => {}
        1 => plan["base"] = 1.into(),
        2 => plan["summary"] = "Said".into(),
        3 => body[text] = "".into(),
        _ => body[text] = Value::Null,
    }
    body["plan"] = plan;
}

/// Names the programs that were started in every third request.
fn add_agents(body: &mut Value, which: usize) {
    if which.is_multiple_of(3) {
        body["agents"] = agent_rules::examples(which / 3 % 24 / 2);
    }
}

fn numbers<const N: usize>(given: [(&'static str, Option<usize>); N]) -> Vec<(&'static str, String)> {
    given.into_iter().filter_map(|(name, number)| Some((name, number?.to_string()))).collect()
}

fn paged(page: Page) -> Vec<(&'static str, String)> {
    numbers([("limit", page.limit), ("offset", page.offset)])
}
