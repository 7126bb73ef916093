//! Applies mutations to requests.

use serde_json::{Value, json};

use super::{
    change_mutations::add_fault,
    field_rules::{self, Field, Kind, Param, Unit},
    model_request::ModelRequest,
    scenario_steps::Mutation,
};

/// Characters that no text may contain: C0, DEL, C1 and the tag block.
const FORBIDDEN: [char; 6] = ['\0', '\u{1b}', '\u{7f}', '\u{85}', '\u{e0041}', '\u{b}'];

/// Invalid request ids.
const NO_REQUEST_IDS: [&str; 5] = ["", "a b", "é", "a/b", "a\n"];

/// Invalid limits of rounds.
fn no_limits() -> [Value; 5] {
    [json!(0), json!(101), json!(1.5), json!("3"), json!(4_294_967_297_u64)]
}

/// Applies a mutation. The request is unchanged if it has nothing that the mutation applies to.
pub fn mutate(mut request: ModelRequest, mutation: Mutation) -> ModelRequest {
    match mutation {
        Mutation::Spelling(how) => spell(&mut request, how),
        Mutation::CommonFault(fault) => request.common_faults.push(fault),
        Mutation::Id => {
            if request.verb.has_id() {
                request.id = "no-id".to_owned();
            }
        }
        Mutation::Query(nth, value) => bend_query(&mut request, nth, value),
        Mutation::Long(nth) => set(&mut request, nth, is_limited, |kind, _| match kind {
            Kind::Text(limit, Unit::Bytes, _) => format!("é{}", "x".repeat(limit - 1)).into(),
            Kind::Text(limit, Unit::Characters, _) => "é".repeat(limit + 1).into(),
            Kind::Object(limit) => json!({"long": "x".repeat(limit)}),
            Kind::Id
            | Kind::Name(_)
            | Kind::RequestId
            | Kind::Flag
            | Kind::Index
            | Kind::Options
            | Kind::Rounds
            | Kind::Agents
            | Kind::Plan(_)
            | Kind::Changes(_) => Value::Null,
        }),
        Mutation::Empty(nth) => set(&mut request, nth, is_text, |_, _| "".into()),
        Mutation::Control(nth, which) => set(&mut request, nth, is_text, |_, given| {
            let text = given.as_str().unwrap_or_default().chars().take(4).collect::<String>();
            format!("{text}{}", FORBIDDEN[which % FORBIDDEN.len()]).into()
        }),
        Mutation::Absent(nth) => set(&mut request, nth, |_| true, |_, _| Value::Null),
        Mutation::Mistyped(nth) => set(&mut request, nth, |_| true, |_, _| json!(-7)),
        Mutation::RequestId(which) => {
            let is_one = |kind: &Kind| matches!(kind, Kind::RequestId);
            set(&mut request, 0, is_one, |_, _| NO_REQUEST_IDS[which % NO_REQUEST_IDS.len()].into());
        }
        Mutation::Rounds(which) => {
            let is_one = |kind: &Kind| matches!(kind, Kind::Rounds);
            set(&mut request, 0, is_one, |_, _| no_limits()[which % no_limits().len()].clone());
        }
        Mutation::Change(fault, which) => add_fault(&mut request, fault, which),
    }
    request
}

fn is_text(kind: &Kind) -> bool {
    matches!(kind, Kind::Text(..))
}

fn is_limited(kind: &Kind) -> bool {
    is_text(kind) || matches!(kind, Kind::Object(_))
}

/// Sets the n-th field that `fits` to another value; null removes it.
fn set(request: &mut ModelRequest, nth: usize, fits: impl Fn(&Kind) -> bool, value: impl Fn(Kind, &Value) -> Value) {
    let fields: Vec<&Field> = field_rules::fields(request.verb).iter().filter(|(_, kind, _)| fits(kind)).collect();
    if fields.is_empty() {
        return;
    }
    let (name, kind, _) = fields[nth % fields.len()];
    let value = value(*kind, request.field(name));
    let body = request.body.as_object_mut().expect("a body is an object");
    body.retain(|other, _| other != name);
    if !value.is_null() {
        body.insert((*name).to_owned(), value);
    }
}

fn bend_query(request: &mut ModelRequest, nth: usize, value: usize) {
    let params = field_rules::params(request.verb);
    if params.is_empty() {
        return;
    }
    let (name, param, _) = params[nth % params.len()];
    let over;
    let odd: &[&str] = match param {
        Param::Number(_, to) => {
            over = to.saturating_add(1).to_string();
            &["-1", "abc", "1.5", "18446744073709551616", "", &over]
        }
        Param::Name(_) => &["", "nobody", "closed"],
        Param::Seen => &["no-id", "", "{}"],
        Param::Search => &["a\0", "\u{85}"],
        Param::Text => &["", "a\0", "\u{85}"],
    };
    let odd = odd.get(value % (odd.len() + 1)).map(|odd| (*odd).to_owned());
    // Without these a list would include other scenarios, and a wait would be held.
    if odd.is_none() && matches!(name, "q" | "timeout") {
        return;
    }
    request.query.retain(|(other, _)| *other != name);
    request.query.extend(odd.map(|odd| (name, odd)));
}

fn spell(request: &mut ModelRequest, how: usize) {
    let spelled = |id: &str| match how % 3 {
        0 => id.to_uppercase(),
        1 => id.replace('-', ""),
        _ => format!("{{{id}}}"),
    };
    // Braces are not allowed in a path.
    request.id = if how % 3 == 1 { spelled(&request.id) } else { request.id.to_uppercase() };
    for field in ["debate_id", "target_id"] {
        if let Some(id) = request.body.get(field).and_then(Value::as_str) {
            request.body[field] = spelled(id).into();
        }
    }
    for (_, value) in request.query.iter_mut().filter(|(name, value)| *name == "argument_id" && !value.is_empty()) {
        *value = spelled(value);
    }
}
