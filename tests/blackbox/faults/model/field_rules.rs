//! The fields and query parameters of each request and their allowed values.

use serde_json::Value;
use uuid::Uuid;

use super::{
    agent_rules,
    expected_response::Refusal,
    issue_rules,
    model_issues::STATUSES,
    model_plan,
    model_request::{ModelRequest, Verb},
};

/// The content limit that the servers are set to, in bytes. It is small to keep oversized requests cheap.
pub const MAX_CONTENT: usize = 300;

/// The document limit that the servers are set to, in bytes.
pub const MAX_DOCUMENT: usize = 700;

/// The longest title, in characters.
pub const MAX_TITLE: usize = 200;

/// The longest summary, in characters.
pub const MAX_SUMMARY: usize = 500;

/// The unit of a length limit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unit {
    Bytes,
    Characters,
}

/// The type of a field.
#[derive(Clone, Copy, Debug)]
pub enum Kind {
    Id,
    Name(&'static [&'static str]),
    /// The maximum length and whether it may be empty
    Text(usize, Unit, bool),
    RequestId,
    Flag,
    Index,
    Options,
    Object(usize),
    /// The limit of rounds
    Rounds,
    /// Changes of issues, and whether there may be any
    Changes(bool),
    /// The programs that were started
    Agents,
    /// The plan that comes with an argument, and whether there may be one
    Plan(bool),
}

/// A field of a body: its name, type and whether it is required.
pub type Field = (&'static str, Kind, bool);

const TITLE: Kind = Kind::Text(MAX_TITLE, Unit::Characters, false);
const CONTENT: Kind = Kind::Text(MAX_CONTENT, Unit::Bytes, false);
const TYPES: Kind = Kind::Name(&["coding_plan_debate", "general_debate"]);

/// The fields of a request's body.
pub fn fields(verb: Verb) -> &'static [Field] {
    const REQUEST: Field = ("client_request_id", Kind::RequestId, true);
    const MAYBE_REQUEST: Field = ("client_request_id", Kind::RequestId, false);
    const TARGET: Field = ("target_id", Kind::Id, true);
    const SAID: Field = ("content", CONTENT, true);
    const AGENTS: Field = ("agents", Kind::Agents, false);
    const CHANGES: Field = ("issue_changes", Kind::Changes(true), false);
    const PLAN: Field = ("plan", Kind::Plan(true), false);
    const NO_PLAN: Field = ("plan", Kind::Plan(false), false);
    const NO_CHANGES: Field = ("issue_changes", Kind::Changes(false), false);
    const VERSION: &[Field] = &[
        ("summary", Kind::Text(MAX_SUMMARY, Unit::Characters, true), true),
        ("content", Kind::Text(MAX_DOCUMENT, Unit::Bytes, true), true),
        ("metadata", Kind::Object(65_536), false),
        MAYBE_REQUEST,
    ];
    match verb {
        Verb::Create => &[
            ("debate_id", Kind::Id, true),
            ("title", TITLE, true),
            ("debate_type", TYPES, true),
            ("motion_content", CONTENT, true),
            REQUEST,
            ("max_rounds", Kind::Rounds, false),
            AGENTS,
            NO_CHANGES,
            PLAN,
        ],
        Verb::Submit => {
            &[("role", Kind::Name(&["proposer", "opponent"]), true), TARGET, SAID, REQUEST, AGENTS, CHANGES, PLAN]
        }
        Verb::Appeal => &[TARGET, SAID, REQUEST, ("options", Kind::Options, false), AGENTS, CHANGES, PLAN],
        Verb::Resolution => &[TARGET, SAID, REQUEST, AGENTS, NO_CHANGES, PLAN],
        Verb::Ruling => &[
            SAID,
            ("close", Kind::Flag, false),
            ("chosen_option", Kind::Index, false),
            MAYBE_REQUEST,
            AGENTS,
            CHANGES,
            NO_PLAN,
        ],
        Verb::Intervention => &[
            ("content", Kind::Text(MAX_CONTENT, Unit::Bytes, true), false),
            MAYBE_REQUEST,
            AGENTS,
            NO_CHANGES,
            NO_PLAN,
        ],
        Verb::DocumentCreate | Verb::DocumentSubmit => VERSION,
        Verb::List
        | Verb::Search
        | Verb::Context
        | Verb::Issues
        | Verb::Wait
        | Verb::DocumentList
        | Verb::DocumentGet
        | Verb::DocumentHistory
        | Verb::DocumentDelete => &[],
    }
}

/// The kinds of texts that are searched.
pub const SEARCH_KINDS: [&str; 4] = ["ruling", "issue", "title", "argument"];

/// The type of a query parameter.
#[derive(Clone, Copy, Debug)]
pub enum Param {
    /// An integer in this range
    Number(u64, u64),
    Name(&'static [&'static str]),
    /// An id or an empty value
    Seen,
    Search,
    /// A text that is not empty
    Text,
}

/// The query parameters of a request and whether they are required.
pub fn params(verb: Verb) -> &'static [(&'static str, Param, bool)] {
    const STATES: &[&str] =
        &["AWAITING_OPPONENT", "AWAITING_PROPOSER", "AWAITING_ARBITRATOR", "INTERVENTION_PENDING", "CLOSED"];
    const Q: (&str, Param, bool) = ("q", Param::Search, false);
    const PAGE: (&str, Param, bool) = ("limit", Param::Number(1, 200), false);
    const OFFSET: (&str, Param, bool) = ("offset", COUNT, false);
    const COUNT: Param = Param::Number(0, i64::MAX as u64);
    match verb {
        Verb::List => &[("state", Param::Name(STATES), false), Q, PAGE, OFFSET],
        Verb::Search => &[("q", Param::Text, true), ("kind", Param::Name(&SEARCH_KINDS), false), PAGE, OFFSET],
        Verb::Context => &[("limit", COUNT, false), ("before_seq", COUNT, false), ("after_seq", COUNT, false)],
        Verb::Issues => {
            &[("status", Param::Name(&STATUSES), false), ("history", Param::Name(&["true", "false"]), false)]
        }
        Verb::Wait => &[
            ("role", Param::Name(&["proposer", "opponent", "arbitrator"]), true),
            ("argument_id", Param::Seen, false),
            ("timeout", Param::Number(0, 60), false),
        ],
        Verb::DocumentList => &[Q, PAGE, OFFSET],
        Verb::DocumentHistory => &[PAGE, OFFSET],
        Verb::DocumentGet => &[("version", Param::Number(1, i64::MAX as u64), false)],
        Verb::Create
        | Verb::Submit
        | Verb::Appeal
        | Verb::Resolution
        | Verb::Ruling
        | Verb::Intervention
        | Verb::DocumentCreate
        | Verb::DocumentSubmit
        | Verb::DocumentDelete => &[],
    }
}

/// The canonical spelling of an id; `None` if it is invalid.
pub fn canonical_id(id: &str) -> Option<String> {
    Uuid::parse_str(id).ok().map(|id| id.to_string())
}

/// The canonical spelling of the id in a field.
pub fn id_in(value: &Value) -> Option<String> {
    canonical_id(value.as_str()?)
}

/// The refusal of the first field that is too long.
pub fn too_large(request: &ModelRequest) -> Option<Refusal> {
    fields(request.verb).iter().find_map(|(name, kind, _)| {
        let given = request.field(name);
        if let Kind::Changes(true) = kind {
            return issue_rules::too_large(name, given);
        }
        if let Kind::Options = kind {
            let mut options = issue_rules::list(given).iter().enumerate();
            return options.find_map(|(number, option)| {
                issue_rules::too_large(&issue_rules::field_of_option(number), &option["issue_changes"])
            });
        }
        if let Kind::Plan(true) = kind {
            return model_plan::too_large(given);
        }
        if let Kind::Agents = kind {
            return agent_rules::too_large(given);
        }
        let (limit, actual) = match (kind, given.as_str()) {
            (Kind::Text(limit, Unit::Bytes, _), Some(text)) => (*limit, text.len() + model_plan::line_bytes(request)),
            (Kind::Text(limit, Unit::Characters, _), Some(text)) => (*limit, text.chars().count()),
            (Kind::Object(limit), None) if given.is_object() => (*limit, given.to_string().len()),
            _ => return None,
        };
        let refusal = Refusal::of("CONTENT_TOO_LARGE").with("limit", limit).with("actual", actual);
        (actual > limit).then(|| refusal.with("field", *name))
    })
}

/// The refusal of fields and parameters with invalid values, if there are any.
pub fn invalid_input(request: &ModelRequest) -> Option<Refusal> {
    let mut faults = Vec::new();
    if request.verb.has_id() && canonical_id(&request.id).is_none() {
        faults.push(vec!["id".to_owned()]);
    }
    for (name, param, is_required) in params(request.verb) {
        let fault = match request.param(name) {
            None => is_required.then(Vec::new),
            Some(given) => invalid_param(*param, given),
        };
        faults.extend(fault.map(|details| [vec![(*name).to_owned()], details].concat()));
    }
    for (name, kind, is_required) in fields(request.verb) {
        let given = request.field(name);
        if let Kind::Changes(may_have_some) = kind {
            let is_wrong = !may_have_some && !given.is_null() && *given != Value::Array(Vec::new());
            faults.extend(is_wrong.then(|| vec![(*name).to_owned()]));
            faults.extend(if *may_have_some { issue_rules::faults(name, given) } else { Vec::new() });
            continue;
        }
        if let Kind::Options = kind {
            faults.extend(issue_rules::faults_of_options(given));
        }
        if let Kind::Plan(may_be_there) = kind {
            faults.extend(model_plan::faults(given, *may_be_there && request.field("role") != "opponent"));
            continue;
        }
        let is_required = *is_required && !(name.ends_with("content") && model_plan::line_bytes(request) > 0);
        let fault = match given.as_str() {
            _ if given.is_null() => is_required.then(Vec::new),
            Some("") if !is_required && name.ends_with("content") => None,
            Some(_) | None => invalid_field(*kind, given),
        };
        faults.extend(fault.map(|details| [vec![(*name).to_owned()], details].concat()));
    }
    (!faults.is_empty()).then(|| Refusal::naming("INVALID_INPUT", faults))
}

/// What the refusal names besides the parameter; `None` if the value is valid.
fn invalid_param(param: Param, given: &str) -> Option<Vec<String>> {
    let fits = match param {
        Param::Number(from, to) => given.parse().is_ok_and(|number: u64| (from..=to).contains(&number)),
        Param::Name(names) => names.contains(&given),
        Param::Seen => given.is_empty() || canonical_id(given).is_some(),
        Param::Search => return forbidden(given),
        Param::Text if given.is_empty() => false,
        Param::Text => return forbidden(given),
    };
    (!fits).then(Vec::new)
}

/// What the refusal names besides the field; `None` if the value is valid.
fn invalid_field(kind: Kind, given: &Value) -> Option<Vec<String>> {
    let text = given.as_str();
    let fits = match kind {
        Kind::Id => id_in(given).is_some(),
        Kind::Name(names) => text.is_some_and(|text| names.contains(&text)),
        Kind::Text(_, _, may_be_empty) => match text {
            Some("") => may_be_empty,
            Some(text) => return forbidden(text),
            None => false,
        },
        Kind::RequestId => text.is_some_and(|text| {
            let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"._:-".contains(&byte);
            (1..=128).contains(&text.len()) && text.bytes().all(plain)
        }),
        Kind::Flag => given.is_boolean(),
        Kind::Index => given.is_u64(),
        Kind::Options => given.as_array().is_some_and(|options| options.iter().all(|option| option["label"] != "")),
        Kind::Object(_) => given.is_object(),
        Kind::Rounds => given.as_u64().is_some_and(|rounds| (1..=100).contains(&rounds)),
        Kind::Agents => agent_rules::fit(given),
        Kind::Changes(_) | Kind::Plan(_) => unreachable!("they have several faults"),
    };
    (!fits).then(Vec::new)
}

/// The code point and position of the first forbidden character.
pub fn forbidden(text: &str) -> Option<Vec<String>> {
    let taken = |c: char| match c {
        '\t' | '\n' | '\r' => true,
        '\0'..=' ' => c == ' ',
        _ => !matches!(c, '\u{7f}'..='\u{9f}' | '\u{e0000}'..='\u{e007f}'),
    };
    let (place, character) = text.chars().enumerate().find(|(_, c)| !taken(*c))?;
    Some(vec![format!("U+{:04X}", u32::from(character)), place.to_string()])
}
