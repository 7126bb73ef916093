//! What the sides say besides their arguments: decisions that the user would want to know, and notes that nobody has to settle.

use std::collections::{BTreeMap, HashSet};

use serde::{Deserialize, Serialize};

use super::{answer::Answer, clean_text::is_refused, prompt::Prompt};
use crate::client::{
    contract_limits::MAX_ISSUE_CHANGES,
    types::{ChangeName, Role, Severity},
};

/// The headings in a RESOLUTION, which the guides and the web app know.
pub const DECISIONS: &str = "Decided for you";
/// See [`DECISIONS`].
pub const NOTES: &str = "Notes for whoever implements it";

/// How many decisions, and how many notes, an answer may have.
const MAX_DECISIONS: usize = 10;
const MAX_NOTES: usize = 30;

/// How many characters one of them has at most.
const MAX_CHARS: usize = 300;

/// The lists as they are now.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Notes {
    /// The last list of each side
    decisions: BTreeMap<String, Vec<String>>,
    /// The last list of each side
    notes: BTreeMap<String, Vec<String>>,
    /// What the run made of issues that came too late to be raised
    of_issues: Vec<String>,
}

/// Issues that came too late to be raised.
#[derive(Debug, Default)]
pub struct LateIssues {
    /// The title of each, for which it is kept as a note
    pub titles: Vec<String>,
    /// How many more there were
    pub left_out: usize,
}

/// Whether an issue of this severity will block. The server tells it of those that are stored; what the opponent is asked names the
/// same severities (`guides/first-claim.md`, `later-claim.md`).
pub fn blocks(severity: Severity) -> bool {
    match severity {
        Severity::Critical | Severity::High => true,
        Severity::Medium | Severity::Low => false,
    }
}

/// Takes the issues out of an answer that do not block: they are notes.
pub fn take_late_issues(answer: &mut Answer) -> LateIssues {
    // What has another severity, or none, is for the server to judge.
    let is_late = |severity: &String| severity.to_lowercase().parse().is_ok_and(|severity| !blocks(severity));
    let Some(changes) = answer.issue_changes.take() else { return LateIssues::default() };
    let (late, kept): (Vec<_>, Vec<_>) = changes.into_iter().partition(|change| {
        change.change == ChangeName::Raise.to_string() && change.severity.as_ref().is_some_and(is_late)
    });
    answer.issue_changes = Some(kept);
    // As many notes as an argument may have changes.
    let left_out = late.len().saturating_sub(MAX_ISSUE_CHANGES);
    let late = late.into_iter().take(MAX_ISSUE_CHANGES);
    LateIssues { titles: late.filter_map(|issue| line(issue.title.as_deref()?)).collect(), left_out }
}

/// Makes the lists of an answer such as are kept. Says what was left out of them.
pub fn bound(answer: &mut Answer) -> Vec<String> {
    let lists = [("decisions", &mut answer.decisions, MAX_DECISIONS), ("notes", &mut answer.notes, MAX_NOTES)];
    let bounded = lists.map(|(name, list, most)| {
        let list = list.as_mut()?;
        let given = list.len();
        *list = list.iter().filter_map(|text| line(text)).take(most).collect();
        (given > most).then(|| format!("{given} {name} were given; the first {most} are kept"))
    });
    bounded.into_iter().flatten().collect()
}

/// A text on one line, without the characters that no argument may have; none if nothing is left.
fn line(text: &str) -> Option<String> {
    let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
    let line: String = line.chars().filter(|c| !is_refused(*c)).take(MAX_CHARS).collect();
    (!line.is_empty()).then_some(line)
}

impl Notes {
    /// Keeps the lists of an answer in place of the side's last, and adds what the run made of its issues.
    pub fn take(&mut self, role: &str, answer: &Answer, late_issues: &[String]) {
        for (lists, list) in [(&mut self.decisions, &answer.decisions), (&mut self.notes, &answer.notes)] {
            if let Some(list) = list {
                lists.insert(role.to_owned(), list.clone());
            }
        }
        self.of_issues.extend_from_slice(late_issues);
    }

    /// The decisions of both sides, each once.
    pub fn decisions(&self) -> Vec<&str> {
        each_once(self.decisions.values().flatten())
    }

    /// The notes of both sides and those that the run made, each once.
    pub fn notes(&self) -> Vec<&str> {
        each_once(self.of_issues.iter().chain(self.notes.values().flatten()))
    }

    /// The decisions and the notes that a text does not list.
    pub fn missing_in(&self, content: &str) -> [Vec<&str>; 2] {
        let listed: HashSet<_> = content.lines().map(item_of).collect();
        let missing = |lines: Vec<_>| lines.into_iter().filter(|line| !listed.contains(*line)).collect();
        [missing(self.decisions()), missing(self.notes())]
    }

    /// What `content` does not list of both lists, below their headings, in at most so many bytes; what does not fit is counted. Empty
    /// without any.
    pub fn sections(&self, content: &str, room: usize) -> String {
        let [decisions, notes] = self.missing_in(content);
        let whole = section(DECISIONS, &decisions, decisions.len()) + &section(NOTES, &notes, notes.len());
        if whole.len() <= room {
            return whole;
        }
        let for_notes = section(NOTES, &notes, 0).len();
        let mut sections = fitting(DECISIONS, &decisions, room.saturating_sub(for_notes));
        sections += &fitting(NOTES, &notes, room.saturating_sub(sections.len()));
        sections
    }

    /// Adds the lists to what a role is asked.
    pub fn say(&self, prompt: &mut Prompt, role: Role) {
        for (name, lists) in [("decisions", &self.decisions), ("notes", &self.notes)] {
            for (side, list) in lists {
                let what = if *side == role.to_string() {
                    format!("your {name} so far, which a list in your answer replaces")
                } else {
                    format!("the {name} of the {side} so far")
                };
                prompt.material(&what, &items(list));
            }
        }
        prompt.material("notes that were made of issues, and stay", &items(&self.of_issues));
    }
}

fn each_once<'a>(lines: impl Iterator<Item = &'a String>) -> Vec<&'a str> {
    let mut seen = HashSet::new();
    lines.map(String::as_str).filter(|line| seen.insert(*line)).collect()
}

/// The text of a line that may be an item of a list.
fn item_of(line: &str) -> &str {
    let line = line.trim();
    let number = line.trim_start_matches(|c: char| c.is_ascii_digit());
    let numbered = [". ", ") "].iter().find_map(|mark| number.strip_prefix(mark)).filter(|_| number != line);
    let marked = || ["- ", "* ", "+ "].iter().find_map(|mark| line.strip_prefix(mark));
    numbered.or_else(marked).unwrap_or(line).trim()
}

fn items(lines: &[impl AsRef<str>]) -> String {
    lines.iter().map(|line| format!("- {}\n", line.as_ref())).collect()
}

/// The section with the first `count` lines.
fn section(heading: &str, lines: &[&str], count: usize) -> String {
    if lines.is_empty() {
        return String::new();
    }
    let mut text = format!("\n\n## {heading}\n\n{}", items(&lines[..count]));
    let left_out = lines.len() - count;
    if left_out > 0 {
        let gap = if count > 0 { "\n" } else { "" };
        text += &format!("{gap}Left out, since an argument has no room for more: {left_out}.\n");
    }
    text.truncate(text.trim_end().len());
    text
}

/// The section with as many lines as fit.
fn fitting(heading: &str, lines: &[&str], room: usize) -> String {
    // Each line takes more than its text, so that no more than these can fit.
    let mut taken = 0;
    let most = lines.iter().take_while(|line| {
        taken += line.len();
        taken <= room
    });
    let mut counts = (0..=most.count()).rev();
    counts.find_map(|count| Some(section(heading, lines, count)).filter(|text| text.len() <= room)).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn answer(fields: serde_json::Value) -> Answer {
        Answer::deserialize(fields).unwrap()
    }

    #[test]
    fn only_what_blocks_is_still_raised() {
        let mut late = answer(json!({"issue_changes": [
            {"change": "raise", "severity": "low", "title": "Name it"},
            {"change": "raise", "severity": "high", "title": "Lost on restart"},
            {"change": "resolve", "issue": "I1"},
            {"change": "raise", "severity": "Medium", "title": " Two\nlines "},
            {"change": "regrade", "issue": "I2", "severity": "low"},
            {"change": "raise", "severity": "critical", "title": "Never"},
            {"change": "raise", "title": "Without one"},
        ]}));
        assert_eq!(take_late_issues(&mut late).titles, ["Name it", "Two lines"]);
        let kept: Vec<_> = late.issue_changes.iter().flatten().map(|change| change.change.as_str()).collect();
        assert_eq!(kept, ["raise", "resolve", "regrade", "raise", "raise"]);
        let raised = |number| json!({"change": "raise", "severity": "low", "title": format!("{number}")});
        let mut many = answer(json!({"issue_changes": (0..60).map(raised).collect::<Vec<_>>()}));
        let late = take_late_issues(&mut many);
        assert_eq!((late.titles.len(), late.left_out, many.issue_changes.unwrap().len()), (50, 10, 0));
    }

    #[test]
    fn lists_have_at_most_so_many_lines_of_so_many_characters() {
        let many = |count: usize| (0..count).map(|number| format!("{number}")).collect::<Vec<_>>();
        let mut given = answer(json!({"decisions": many(12), "notes": many(31)}));
        assert_eq!(bound(&mut given).len(), 2);
        assert_eq!((given.decisions.unwrap().len(), given.notes.unwrap().len()), (10, 30));
        let mut given = answer(json!({"notes": ["é".repeat(400), " a\n\u{1b}[31m b\u{e0041} ", "\n", "x"]}));
        assert!(bound(&mut given).is_empty() && given.decisions.is_none());
        assert_eq!(given.notes.unwrap(), ["é".repeat(300), "a [31m b".to_owned(), "x".to_owned()]);
    }

    #[test]
    fn a_list_replaces_the_last_of_its_side_and_nothing_else() {
        let mut notes = Notes::default();
        notes.take("opponent", &answer(json!({"notes": ["a", "b"]})), &["late".to_owned()]);
        notes.take("proposer", &answer(json!({"decisions": ["d"], "notes": ["b", "c"]})), &[]);
        assert_eq!((notes.decisions(), notes.notes()), (vec!["d"], vec!["late", "a", "b", "c"]));
        notes.take("opponent", &answer(json!({"notes": ["z"], "decisions": []})), &[]);
        notes.take("proposer", &answer(json!({"notes": null})), &[]);
        assert_eq!((notes.decisions(), notes.notes()), (vec!["d"], vec!["late", "z", "b", "c"]));
        let mut prompt = Prompt::new("");
        notes.say(&mut prompt, Role::Proposer);
        for text in ["your decisions so far", "the notes of the opponent so far", "- late\n", "- z\n"] {
            assert!(prompt.text.contains(text), "{text}");
        }
    }

    #[test]
    fn what_does_not_fit_is_left_out_and_counted() {
        let mut notes = Notes::default();
        assert_eq!(notes.sections("", 1000), "");
        let lists = json!({"decisions": ["keep it", "drop it"], "notes": ["one", "two", "three"]});
        notes.take("opponent", &answer(lists), &[]);
        let whole = "\n\n## Decided for you\n\n- keep it\n- drop it\n\n## Notes for whoever implements it\n\n- one\n- two\n- three";
        assert_eq!(notes.sections("", whole.len()), whole);
        for room in 0..=whole.len() + 100 {
            let text = notes.sections("", room);
            assert!(text.len() <= room);
            let shown = text.matches("\n- ").count();
            let left: usize = text.split("for more: ").skip(1).map(|rest| rest[..1].parse::<usize>().unwrap()).sum();
            let all = 2 * usize::from(text.contains(DECISIONS)) + 3 * usize::from(text.contains(NOTES));
            assert_eq!(shown + left, all, "{text}");
            assert!(room < 150 || all == 5, "{room}: {text}");
        }
    }

    #[test]
    fn a_text_gets_what_it_does_not_list_itself_whatever_it_mentions() {
        let mut notes = Notes::default();
        notes.take("opponent", &answer(json!({"decisions": ["keep it"], "notes": ["one"]})), &[]);
        notes.take("proposer", &answer(json!({"decisions": ["drop it"]})), &[]);
        let all = notes.sections("", 1000);
        assert_eq!(
            notes.sections("See `Decided for you` and Notes for whoever implements it; keep it one.", 1000),
            all
        );
        let own = "Done.\n\n## Decided for you\n\n1. drop it\n";
        let missing = "\n\n## Decided for you\n\n- keep it\n\n## Notes for whoever implements it\n\n- one";
        assert_eq!(notes.sections(own, 1000), missing);
        assert_eq!(notes.sections(&format!("Done.{all}"), 1000), "");
    }

    #[test]
    fn many_long_lists_take_no_time() {
        let mut notes = Notes::default();
        let late: Vec<_> = (0..20_000).map(|number| format!("{number}")).collect();
        notes.take("opponent", &Answer::default(), &late);
        let text = notes.sections("", 10_000);
        assert!(text.len() <= 10_000 && text.matches("\n- ").count() > 1_000, "{}", text.len());
    }
}
