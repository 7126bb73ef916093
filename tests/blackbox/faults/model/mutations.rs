//! What becomes of a request that is odd in some way.

use serde_json::{Value, json};

use super::{
    fields::{self, Field, Kind, Param, Unit},
    moves::Twist,
    request::Asked,
};

/// Characters that no text may have: C0, DEL, C1 and the tag block.
const FORBIDDEN: [char; 6] = ['\0', '\u{1b}', '\u{7f}', '\u{85}', '\u{e0041}', '\u{b}'];

/// What is no request id.
const NO_REQUEST_IDS: [&str; 5] = ["", "a b", "é", "a/b", "a\n"];

/// The request with that twist; the same where it has no such place.
pub fn twist(mut asked: Asked, twist: Twist) -> Asked {
    match twist {
        Twist::Spelling(how) => spell(&mut asked, how),
        Twist::Edge(edge) => asked.edges.push(edge),
        Twist::Id => {
            if asked.verb.has_id() {
                asked.id = "no-id".to_owned();
            }
        }
        Twist::Query(nth, value) => bend_query(&mut asked, nth, value),
        Twist::Long(nth) => set(&mut asked, nth, is_limited, |kind, _| match kind {
            Kind::Text(limit, Unit::Bytes, _) => format!("é{}", "x".repeat(limit - 1)).into(),
            Kind::Text(limit, Unit::Characters, _) => "é".repeat(limit + 1).into(),
            Kind::Object(limit) => json!({"long": "x".repeat(limit)}),
            Kind::Id | Kind::Name(_) | Kind::RequestId | Kind::Flag | Kind::Index | Kind::Options => Value::Null,
        }),
        Twist::Empty(nth) => set(&mut asked, nth, is_text, |_, _| "".into()),
        Twist::Control(nth, which) => set(&mut asked, nth, is_text, |_, given| {
            let text = given.as_str().unwrap_or_default().chars().take(4).collect::<String>();
            format!("{text}{}", FORBIDDEN[which % FORBIDDEN.len()]).into()
        }),
        Twist::Absent(nth) => set(&mut asked, nth, |_| true, |_, _| Value::Null),
        Twist::Mistyped(nth) => set(&mut asked, nth, |_| true, |_, _| json!(-7)),
        Twist::RequestId(which) => {
            let is_one = |kind: &Kind| matches!(kind, Kind::RequestId);
            set(&mut asked, 0, is_one, |_, _| NO_REQUEST_IDS[which % NO_REQUEST_IDS.len()].into());
        }
    }
    asked
}

fn is_text(kind: &Kind) -> bool {
    matches!(kind, Kind::Text(..))
}

fn is_limited(kind: &Kind) -> bool {
    is_text(kind) || matches!(kind, Kind::Object(_))
}

/// Gives the nth field of those that fit another value; null leaves it out.
fn set(asked: &mut Asked, nth: usize, fits: impl Fn(&Kind) -> bool, value: impl Fn(Kind, &Value) -> Value) {
    let fields: Vec<&Field> = fields::fields(asked.verb).iter().filter(|(_, kind, _)| fits(kind)).collect();
    if fields.is_empty() {
        return;
    }
    let (name, kind, _) = fields[nth % fields.len()];
    let value = value(*kind, asked.field(name));
    let body = asked.body.as_object_mut().expect("a body is an object");
    body.retain(|other, _| other != name);
    if !value.is_null() {
        body.insert((*name).to_owned(), value);
    }
}

fn bend_query(asked: &mut Asked, nth: usize, value: usize) {
    let params = fields::params(asked.verb);
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
    };
    let odd = odd.get(value % (odd.len() + 1)).map(|odd| (*odd).to_owned());
    // Without these a list would tell of other stories, and a wait be held.
    if odd.is_none() && matches!(name, "q" | "timeout") {
        return;
    }
    asked.query.retain(|(other, _)| *other != name);
    asked.query.extend(odd.map(|odd| (name, odd)));
}

fn spell(asked: &mut Asked, how: usize) {
    let spelled = |id: &str| match how % 3 {
        0 => id.to_uppercase(),
        1 => id.replace('-', ""),
        _ => format!("{{{id}}}"),
    };
    // A path has no braces.
    asked.id = if how % 3 == 1 { spelled(&asked.id) } else { asked.id.to_uppercase() };
    for field in ["debate_id", "target_id"] {
        if let Some(id) = asked.body.get(field).and_then(Value::as_str) {
            asked.body[field] = spelled(id).into();
        }
    }
    for (_, value) in asked.query.iter_mut().filter(|(name, value)| *name == "argument_id" && !value.is_empty()) {
        *value = spelled(value);
    }
}
