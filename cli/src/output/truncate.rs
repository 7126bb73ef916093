//! Truncates contents: whoever wrote a text has it already, and a long history does not fit into an agent's context.

use std::mem;

use serde_json::{Map, Value};

use crate::client::types::ArgumentType;

/// Number of characters that remain of a truncated content.
const TRUNCATED_CHARS: usize = 200;

/// Truncates the content of the argument of an answer, and adds its full size as `content_bytes`.
pub fn argument_of(answer: &mut Value) {
    if let Some(one) = answer.get_mut("argument") {
        argument(one);
    }
}

/// Truncates the content of an argument and adds its full size as `content_bytes`. Leaves a short content unchanged.
fn argument(argument: &mut Value) {
    let Some(argument) = argument.as_object_mut() else { return };
    let Some(position) = argument.keys().position(|field| field == "content") else { return };
    let Some(content) = argument.get("content").and_then(Value::as_str) else { return };
    let Some((end, _)) = content.char_indices().nth(TRUNCATED_CHARS) else { return };
    let bytes = content.len();
    let short = format!("{}…", &content[..end]);
    argument.insert("content".to_owned(), short.into());
    argument.shift_insert(position + 1, "content_bytes".to_owned(), bytes.into());
}

/// Truncates the contents of a debate to `max_chars` characters in all.
///
/// The motion and the newest argument stay whole: nobody can answer without them. Of the others, the oldest are truncated
/// first, and then `earlier_rulings`; if that is not enough, the oldest are removed and counted in the field `omitted`. A
/// removed RULING moves to `earlier_rulings`, since rulings bind. Returns how many are left out.
pub fn context(context: &mut Map<String, Value>, max_chars: usize) -> u64 {
    let motion = context.get("motion").map_or(0, content_chars);
    let mut taken = |name| context.get_mut(name).and_then(Value::as_array_mut).map(mem::take);
    let Some(mut arguments) = taken("arguments") else { return 0 };
    let mut rulings = taken("earlier_rulings");
    let mut total = motion + arguments.iter().chain(rulings.iter().flatten()).map(content_chars).sum::<usize>();
    let older = arguments.len().saturating_sub(1);
    total = oldest_first(&mut arguments[..older], total, max_chars);
    total = oldest_first(rulings.as_deref_mut().unwrap_or_default(), total, max_chars);
    let mut omitted = 0;
    while total > max_chars && omitted < older {
        if !is_ruling(&arguments[omitted]) {
            total -= content_chars(&arguments[omitted]);
        }
        omitted += 1;
    }
    let removed: Vec<_> = arguments.drain(..omitted).filter(is_ruling).collect();
    context.insert("arguments".to_owned(), arguments.into());
    if let Some(mut rulings) = rulings {
        rulings.extend(removed);
        context.insert("earlier_rulings".to_owned(), rulings.into());
    }
    let left_out_by_the_server = context.get("omitted").and_then(Value::as_u64).unwrap_or_default();
    let omitted = left_out_by_the_server + omitted as u64;
    context.insert("omitted".to_owned(), omitted.into());
    omitted
}

/// Truncates the contents of an answer of a wait to `max_chars` characters in all. `argument` stays whole; the oldest of
/// `earlier` are truncated first; if that is not enough, the oldest but RULINGs are removed and counted in the field
/// `omitted`.
pub fn earlier(news: &mut Map<String, Value>, max_chars: usize) {
    let newest = news.get("argument").map_or(0, content_chars);
    let Some(earlier) = news.get_mut("earlier").and_then(Value::as_array_mut) else { return };
    let mut total = newest + earlier.iter().map(content_chars).sum::<usize>();
    total = oldest_first(earlier, total, max_chars);
    let before = earlier.len();
    earlier.retain(|older| {
        let is_removed = total > max_chars && !is_ruling(older);
        if is_removed {
            total -= content_chars(older);
        }
        !is_removed
    });
    let omitted = before - earlier.len();
    if omitted > 0 {
        news.insert("omitted".to_owned(), omitted.into());
    }
}

fn is_ruling(argument: &Value) -> bool {
    argument["type"] == ArgumentType::Ruling.to_string()
}

/// Truncates contents from the first on until all that is printed has `max_chars` characters instead of `total`, and returns
/// how many it has.
fn oldest_first(arguments: &mut [Value], mut total: usize, max_chars: usize) -> usize {
    for older in arguments {
        if total <= max_chars {
            break;
        }
        total = total.saturating_sub(content_chars(older));
        argument(older);
        total += content_chars(older);
    }
    total
}

fn content_chars(argument: &Value) -> usize {
    argument.get("content").and_then(Value::as_str).map_or(0, |content| content.chars().count())
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::{argument as truncate, context as truncate_context, earlier as truncate_earlier, *};

    fn argument(content: &str) -> Value {
        json!({"id": "a", "content": content, "seq": 2})
    }

    fn context(lengths: &[usize]) -> Map<String, Value> {
        let arguments: Vec<Value> = lengths.iter().map(|length| argument(&"ä".repeat(*length))).collect();
        json!({"motion": argument(&"m".repeat(1000)), "arguments": arguments}).as_object().unwrap().clone()
    }

    fn lengths(context: &Map<String, Value>) -> Vec<usize> {
        context["arguments"].as_array().unwrap().iter().map(content_chars).collect()
    }

    #[test]
    fn two_hundred_characters_are_kept() {
        let whole = argument(&"ä".repeat(200));
        let mut kept = whole.clone();
        truncate(&mut kept);
        assert_eq!(kept, whole);
    }

    #[test]
    fn a_longer_content_is_truncated_and_its_size_in_bytes_added() {
        let mut long = argument(&"ä".repeat(201));
        truncate(&mut long);
        assert_eq!(long["content"], format!("{}…", "ä".repeat(200)));
        assert_eq!(long["content_bytes"], 402);
        assert_eq!(long.as_object().unwrap().keys().collect::<Vec<_>>(), ["id", "content", "content_bytes", "seq"]);
    }

    #[test]
    fn a_context_that_fits_is_unchanged() {
        let mut all = context(&[500, 500]);
        truncate_context(&mut all, 2000);
        assert_eq!(lengths(&all), [500, 500]);
        assert_eq!(all["omitted"], 0);
    }

    #[test]
    fn the_oldest_are_truncated_first_and_only_as_many_as_needed() {
        let mut some = context(&[500, 500, 500]);
        truncate_context(&mut some, 2250);
        assert_eq!(lengths(&some), [201, 500, 500]);
        assert_eq!(some["omitted"], 0);
    }

    #[test]
    fn if_truncating_is_not_enough_the_oldest_are_omitted() {
        let mut some = context(&[500, 500, 500]);
        truncate_context(&mut some, 1800);
        assert_eq!(lengths(&some), [201, 500]);
        assert_eq!(some["omitted"], 1);
    }

    #[test]
    fn a_ruling_that_is_left_out_moves_to_the_earlier_rulings() {
        let mut some = context(&[500, 500, 500]);
        some["arguments"][0]["type"] = "RULING".into();
        some.insert("earlier_rulings".to_owned(), json!([]));
        truncate_context(&mut some, 1700);
        assert_eq!(lengths(&some), [500]);
        assert_eq!(some["earlier_rulings"][0]["type"], "RULING");
        assert_eq!(some["omitted"], 2);
    }

    #[test]
    fn nothing_is_lost_of_an_answer_without_arguments() {
        let whole = json!({"motion": argument("m"), "earlier_rulings": [argument(&"r".repeat(500))]});
        let mut some = whole.as_object().unwrap().clone();
        assert_eq!(truncate_context(&mut some, 0), 0);
        assert_eq!(Value::from(some), whole);
    }

    #[test]
    fn earlier_rulings_take_their_part_of_the_characters() {
        let texts = |context: &Map<String, Value>| (lengths(context), context["omitted"].clone());
        let with_rulings = |lengths: &[usize], ruling: usize| {
            let mut context = context(lengths);
            context.insert("earlier_rulings".to_owned(), json!([argument(&"r".repeat(ruling))]));
            context
        };
        let mut some = with_rulings(&[100, 500], 500);
        truncate_context(&mut some, 1810);
        assert_eq!((texts(&some), content_chars(&some["earlier_rulings"][0])), ((vec![100, 500], json!(0)), 201));
        let mut fewer = with_rulings(&[100, 500], 500);
        truncate_context(&mut fewer, 1800);
        assert_eq!(texts(&fewer), (vec![500], json!(1)));
        // One that is left out still is printed.
        let mut moved = context(&[100, 100, 500]);
        moved["arguments"][0]["type"] = "RULING".into();
        moved.insert("earlier_rulings".to_owned(), json!([]));
        truncate_context(&mut moved, 1650);
        assert_eq!(texts(&moved), (vec![500], json!(2)));
        assert_eq!(moved["earlier_rulings"].as_array().unwrap().len(), 1);
    }

    #[test]
    fn of_what_came_earlier_the_oldest_is_truncated_first_and_rulings_stay() {
        let earlier = || (0..3).map(|_| argument(&"ä".repeat(500))).collect::<Vec<_>>();
        let news = |max_chars| {
            let mut news = json!({"argument": argument("newest"), "earlier": earlier()}).as_object().unwrap().clone();
            news["earlier"][1]["type"] = "RULING".into();
            truncate_earlier(&mut news, max_chars);
            let lengths: Vec<_> = news["earlier"].as_array().unwrap().iter().map(content_chars).collect();
            (lengths, news.get("omitted").and_then(Value::as_u64))
        };
        assert_eq!(news(1506), (vec![500, 500, 500], None));
        assert_eq!(news(1300), (vec![201, 500, 500], None));
        assert_eq!(news(500), (vec![201, 201], Some(1)));
        assert_eq!(news(0), (vec![201], Some(2)));
    }

    #[test]
    fn motion_and_newest_argument_are_never_truncated() {
        let mut least = context(&[500, 500, 9000]);
        truncate_context(&mut least, 0);
        assert_eq!(lengths(&least), [9000]);
        assert_eq!(content_chars(&least["motion"]), 1000);
        assert_eq!(least["omitted"], 2);

        let mut none = context(&[]);
        truncate_context(&mut none, 0);
        assert_eq!(none["omitted"], 0);
    }
}
