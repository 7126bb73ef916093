//! Sparing the reader what it does not need: whoever writes a text has it already, and a long history does not fit
//! into an agent's head.

use serde_json::{Map, Value};

/// How many characters of a text that is cut remain.
const KEPT: usize = 200;

/// Cuts the content of an argument, and tells its full size beside it. A short one stays as it is.
pub fn cut(argument: &mut Value) {
    let Some(argument) = argument.as_object_mut() else { return };
    let Some(position) = argument.keys().position(|field| field == "content") else { return };
    let Some(content) = argument.get("content").and_then(Value::as_str) else { return };
    let Some((end, _)) = content.char_indices().nth(KEPT) else { return };
    let bytes = content.len();
    let short = format!("{}…", &content[..end]);
    argument.insert("content".to_owned(), short.into());
    argument.shift_insert(position + 1, "content_bytes".to_owned(), bytes.into());
}

/// Cuts a debate's contents to `most` characters in all and counts in `omitted` the arguments that had to go.
///
/// The motion and the newest argument stay whole in any case: nobody can answer without them. Of the others the oldest
/// are cut first; when all are cut and it is still too much, the oldest go. Gives how many characters all would take.
pub fn fit(context: &mut Map<String, Value>, most: usize) -> usize {
    let motion = context.get("motion").map_or(0, length);
    let mut whole = motion;
    let mut omitted = 0;
    if let Some(arguments) = context.get_mut("arguments").and_then(Value::as_array_mut) {
        let mut total = motion + arguments.iter().map(length).sum::<usize>();
        whole = total;
        let older = arguments.len().saturating_sub(1);
        for argument in &mut arguments[..older] {
            if total <= most {
                break;
            }
            total -= length(argument);
            cut(argument);
            total += length(argument);
        }
        while total > most && omitted < older {
            total -= length(&arguments[omitted]);
            omitted += 1;
        }
        arguments.drain(..omitted);
    }
    context.insert("omitted".to_owned(), omitted.into());
    whole
}

/// The characters of an argument's content.
fn length(argument: &Value) -> usize {
    argument.get("content").and_then(Value::as_str).map_or(0, |content| content.chars().count())
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn argument(content: &str) -> Value {
        json!({"id": "a", "content": content, "seq": 2})
    }

    fn context(lengths: &[usize]) -> Map<String, Value> {
        let arguments: Vec<Value> = lengths.iter().map(|length| argument(&"ä".repeat(*length))).collect();
        json!({"motion": argument(&"m".repeat(1000)), "arguments": arguments}).as_object().unwrap().clone()
    }

    fn lengths(context: &Map<String, Value>) -> Vec<usize> {
        context["arguments"].as_array().unwrap().iter().map(length).collect()
    }

    #[test]
    fn two_hundred_characters_stay_whole() {
        let whole = argument(&"ä".repeat(200));
        let mut kept = whole.clone();
        cut(&mut kept);
        assert_eq!(kept, whole);
    }

    #[test]
    fn more_are_cut_and_their_size_in_bytes_is_told() {
        let mut long = argument(&"ä".repeat(201));
        cut(&mut long);
        assert_eq!(long["content"], format!("{}…", "ä".repeat(200)));
        assert_eq!(long["content_bytes"], 402);
        assert_eq!(long.as_object().unwrap().keys().collect::<Vec<_>>(), ["id", "content", "content_bytes", "seq"]);
    }

    #[test]
    fn what_fits_is_left_alone() {
        let mut all = context(&[500, 500]);
        fit(&mut all, 2000);
        assert_eq!(lengths(&all), [500, 500]);
        assert_eq!(all["omitted"], 0);
    }

    #[test]
    fn the_oldest_are_cut_first_and_only_as_many_as_needed() {
        let mut some = context(&[500, 500, 500]);
        assert_eq!(fit(&mut some, 2250), 2500);
        assert_eq!(lengths(&some), [201, 500, 500]);
        assert_eq!(some["omitted"], 0);
    }

    #[test]
    fn when_cutting_is_not_enough_the_oldest_go() {
        let mut some = context(&[500, 500, 500]);
        fit(&mut some, 1800);
        assert_eq!(lengths(&some), [201, 500]);
        assert_eq!(some["omitted"], 1);
    }

    #[test]
    fn motion_and_newest_stay_whole_whatever_is_asked() {
        let mut least = context(&[500, 500, 9000]);
        fit(&mut least, 0);
        assert_eq!(lengths(&least), [9000]);
        assert_eq!(length(&least["motion"]), 1000);
        assert_eq!(least["omitted"], 2);

        let mut none = context(&[]);
        fit(&mut none, 0);
        assert_eq!(none["omitted"], 0);
    }
}
