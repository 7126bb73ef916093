//! The question for a ruling, and what is typed in answer to it.

use std::{fmt::Write, iter};

use super::{
    answer::Answer,
    arbitrator::asks_to_finish,
    clean_text::without_refused,
    debate_snapshot::DebateSnapshot,
    happened::titled,
    notes::{DECISIONS, NOTES, Notes},
    person::{MAX_LINE_BYTES, Typed},
};
use crate::{
    client::types::{AppealOption, ArgumentType, Issue, IssueChange, Role},
    commands::debate::next_command,
    output::sanitize,
};

/// What stands before each line that others wrote, so that none of them looks like a line of ours.
const QUOTED: &str = "| ";

/// A line that ends a text.
const END_OF_TEXT: &str = ".";

/// How many lines are shown of what the opponent said.
const MAX_SAID_LINES: usize = 8;

/// How to answer, in lines. `url` is where it may be answered, too, if a person is told that.
pub fn how(now: &DebateSnapshot, url: Option<&str>, screen: Screen) -> String {
    let has_options = !options(now).is_empty() || asks_to_finish(now);
    let words = if has_options {
        "Give a number, or your ruling in your own words; words end"
    } else {
        "There are no options: give your ruling in your own words, which end"
    };
    let how = screen.own(&format!(
        "{words} with a line that is a single dot, or with Ctrl-D. What will be sent is shown first. Ctrl-C, or Ctrl-D alone, leaves the \
         question to the web app."
    ));
    how + &url.map(|url| format!("It is also at {url}\n")).unwrap_or_default()
}

/// How to send what is shown.
const HOW_TO_SEND: &str = "An empty line sends this. Anything else does not, and you are asked again.";

/// The options of the APPEAL that waits, which is the newest argument.
fn options(now: &DebateSnapshot) -> &[AppealOption] {
    &now.newest().options
}

/// A screen of so many columns, where that is known.
#[derive(Debug, Clone, Copy, Default)]
pub struct Screen {
    pub columns: Option<usize>,
}

impl Screen {
    /// The lines of a text of ours.
    fn own(self, text: &str) -> String {
        self.lines(text, "", "")
    }

    /// The lines of a text by others.
    fn quoted(self, text: &str) -> String {
        self.lines(&sanitize::text(text.trim_end()), QUOTED, QUOTED)
    }

    /// The lines of a text, the first behind `first` and the others behind `rest`. What the terminal breaks would begin like a line
    /// of ours, so that long lines are broken here.
    fn lines(self, text: &str, first: &str, rest: &str) -> String {
        let room =
            self.columns.map_or(usize::MAX, |columns| columns.saturating_sub(first.len().max(rest.len())).max(1));
        let lines = text.lines().flat_map(|line| broken(line, room));
        let before = [first].into_iter().chain(iter::repeat(rest));
        before.zip(lines).map(|(before, line)| format!("{before}{line}\n")).collect()
    }
}

/// A line in parts that have room, broken at spaces where there are any.
fn broken(line: &str, room: usize) -> Vec<String> {
    if line.len() <= room {
        return vec![line.to_owned()];
    }
    let width_of = |text: &str| -> usize {
        let width = |c: char| if c == '\t' { 8 } else { 1 + usize::from(!c.is_ascii()) };
        text.chars().map(width).sum()
    };
    let (mut parts, mut part) = (Vec::new(), String::new());
    for c in line.chars() {
        part.push(c);
        if width_of(&part) > room && part.chars().count() > 1 {
            let at = part.rfind(' ').filter(|at| *at > 0).unwrap_or(part.len() - c.len_utf8());
            let rest = part.split_off(at);
            parts.push(std::mem::replace(&mut part, rest.trim_start_matches(' ').to_owned()));
        }
    }
    parts.push(part);
    parts
}

/// What the person is asked. Without `url` nobody answers it, as in a dry run for a program, which has from other commands what a
/// person is shown besides.
pub fn question(now: &DebateSnapshot, notes: &Notes, url: Option<&str>, screen: Screen) -> String {
    let is_for_a_person = url.is_some();
    let newest = now.newest();
    let content = newest.content.as_str();
    let argument_type = sanitize::line(&newest.type_);
    let mut text =
        format!("\nA ruling is due on argument {} ({argument_type}):\n\n{}", newest.seq, screen.quoted(content));
    text.push('\n');
    for (number, option) in options(now).iter().enumerate() {
        let label = sanitize::line(&option.label);
        let detail = sanitize::text(option.detail.as_deref().unwrap_or_default().trim());
        let detail = if detail.is_empty() { detail } else { format!(": {detail}") };
        text += &screen.lines(&format!("{label}{detail}"), &format!("  {}. ", number + 1), &format!("     {QUOTED}"));
        decided_by(now, option).iter().for_each(|line| text += &screen.lines(line, "     ", &format!("     {QUOTED}")));
    }
    if is_for_a_person {
        text += &numbers_of_commands(options(now).len(), screen);
    }
    if asks_to_finish(now) {
        text += "  1. Close the debate\n";
    }
    if is_for_a_person {
        text += &said_by_opponent(now, screen);
    }
    text += &issues(now, is_for_a_person, screen);
    // A RESOLUTION that the run sends has them already.
    for (heading, lines) in [DECISIONS, NOTES].into_iter().zip(notes.missing_in(content)) {
        if !lines.is_empty() {
            let _ = write!(text, "\n{heading}:\n\n");
            lines.iter().for_each(|line| text += &screen.quoted(&format!("- {line}")));
        }
    }
    format!("{text}\n{}", how(now, url, screen))
}

/// The numbers by which commands know the options, which count from 0.
fn numbers_of_commands(count: usize, screen: Screen) -> String {
    let numbers: Vec<_> = (0..count).map(|number| format!("{}. is --choose {number}", number + 1)).collect();
    if numbers.is_empty() {
        String::new()
    } else {
        screen.own(&format!("For `aw debate ruling` {}.", numbers.join(", ")))
    }
}

/// The beginning of what the opponent said last, which an appeal answers; nothing where that is what the ruling is on.
fn said_by_opponent(now: &DebateSnapshot, screen: Screen) -> String {
    let said = now.newest_of(Role::Opponent).filter(|said| said.seq != now.newest_seq());
    let Some(said) = said else { return String::new() };
    let quoted = screen.quoted(&said.content);
    let lines: Vec<_> = quoted.lines().collect();
    let shown: String = lines.iter().take(MAX_SAID_LINES).map(|line| format!("{line}\n")).collect();
    let more = match lines.len().saturating_sub(MAX_SAID_LINES) {
        0 => String::new(),
        more => {
            let command = next_command::show(now.context.debate.id, said.seq);
            format!("{} more: {command}\n", next_command::count(more as u64, "line"))
        }
    };
    format!("\nThe opponent said last, in argument {}:\n\n{shown}{more}", said.seq)
}

/// The issues that the ruling is about: those that are not settled, and where it may be the last one all others, too. Of those that
/// are referred it says to a person where they are, and what was said of them.
fn issues(now: &DebateSnapshot, is_for_a_person: bool, screen: Screen) -> String {
    let is_shown = |issue: &&Issue| asks_to_finish(now) || !issue.settled;
    let line = |issue: &Issue| {
        let known = [("place", &issue.location), ("note", &issue.note)];
        let known = known.into_iter().filter(|_| issue.referred && is_for_a_person);
        let known = known.filter_map(|(what, text)| Some(format!("  {what}: {}", on_one_line(text.as_deref()?))));
        let titled = format!("{} ({})", sanitize::line(&titled(issue)), sanitize::line(&issue.status));
        [titled].into_iter().chain(known).map(|line| screen.quoted(&line)).collect::<String>()
    };
    let lines: String = now.issues.iter().filter(is_shown).map(line).collect();
    if lines.is_empty() { lines } else { format!("\nThe issues:\n\n{lines}") }
}

/// A text by others that may have several lines.
fn on_one_line(text: &str) -> String {
    sanitize::line(&text.split_whitespace().collect::<Vec<_>>().join(" "))
}

/// What an option decides, a line for each issue.
fn decided_by(now: &DebateSnapshot, option: &AppealOption) -> Vec<String> {
    let line = |change: &IssueChange| {
        let issue = now.issues.iter().find(|issue| issue.id == change.issue);
        let title = issue.map(|issue| format!("({})", issue.title));
        let words = [Some(&change.change), Some(&change.issue), title.as_ref(), change.severity.as_ref()];
        let words = words.into_iter().flatten().map(|word| sanitize::line(word)).filter(|word| !word.is_empty());
        let note = change.note.as_deref().map(on_one_line).filter(|note| !note.is_empty());
        words.collect::<Vec<_>>().join(" ") + &note.map(|note| format!(": {note}")).unwrap_or_default()
    };
    option.issue_changes.iter().map(|change| format!("decides: {}", line(change))).collect()
}

/// What will be sent.
pub fn preview(now: &DebateSnapshot, answer: &Answer, screen: Screen) -> String {
    let mut text = format!("\nYour ruling:\n\n{}\n", screen.quoted(&answer.content));
    if let Some(option) = answer.chosen_option.and_then(|chosen| options(now).get(chosen as usize)) {
        text += &screen.own(&format!("It chooses the option {}.", sanitize::line(&option.label)));
        decided_by(now, option).iter().for_each(|line| text += &screen.own(&format!("It {line}.")));
    }
    if answer.issue_changes.iter().flatten().next().is_none() && answer.chosen_option.is_none() && !asks_to_finish(now)
    {
        text += &screen.own("It decides no issue: the proposer goes on with your words.");
    }
    if asks_to_finish(now) {
        text += &screen.own(match answer.close {
            Some(true) => "It closes the debate.",
            Some(false) | None => {
                "It does NOT close the debate: the proposer goes on with it. To close it, give 1 when you are asked again."
            }
        });
    }
    format!("{text}\n{}", screen.own(HOW_TO_SEND))
}

/// What is said below the first line of words, since an empty line does not end them.
pub const GOES_ON: &str = "(words go on until a line that is a single dot, or Ctrl-D)";

/// An answer that is typed line by line.
#[derive(Debug, Default)]
pub struct Draft {
    lines: Vec<String>,
}

/// What is known of an answer after a line.
#[derive(Debug)]
pub enum Step {
    /// It goes on
    More,
    /// It is this ruling
    Ruling(Answer),
    /// It is none, which says why, and the person is asked again
    Refused(String),
    /// The same, and what is still being pasted belongs to it
    Lost(String),
    /// There is none: the question is left to the web app
    None,
}

impl Draft {
    /// Whether nothing was typed yet.
    pub fn is_empty(&self) -> bool {
        self.lines.is_empty()
    }

    /// Takes what is typed next. `command` is the one that takes a text from a file.
    pub fn take(&mut self, now: &DebateSnapshot, typed: Typed, command: &str) -> Step {
        let (bytes, is_last) = match typed {
            Typed::Line(bytes) => (bytes, false),
            Typed::LastLine(bytes) => (bytes, true),
            Typed::End if self.lines.is_empty() => return Step::None,
            Typed::End => return self.in_words(),
        };
        if bytes.len() >= MAX_LINE_BYTES {
            return Step::Lost(format!(
                "the terminal takes {MAX_LINE_BYTES} bytes of a line and drops the others: nothing of it is kept. Break the line, or \
                 rule with `{command}`"
            ));
        }
        let Ok(line) = String::from_utf8(bytes) else {
            return Step::Lost("that is no text in UTF-8: nothing of it is kept".to_owned());
        };
        // Such as the keys that move the cursor, which the server does not take.
        let line = without_refused(&line);
        let is_first = self.lines.is_empty();
        if is_first && let Some(number) = number(&line) {
            return ruling_of(now, number).map_or_else(Step::Refused, Step::Ruling);
        }
        if line.trim_end() == END_OF_TEXT {
            return if is_first {
                Step::Refused("there is no text before the dot".to_owned())
            } else {
                self.in_words()
            };
        }
        if !(is_first && line.trim().is_empty()) {
            self.lines.push(line);
        }
        match is_last {
            true if self.lines.is_empty() => Step::None,
            true => self.in_words(),
            false => Step::More,
        }
    }

    fn in_words(&mut self) -> Step {
        Step::Ruling(Answer::new(ArgumentType::Ruling, std::mem::take(&mut self.lines).join("\n").trim_end()))
    }
}

/// The number that a line is, as it may be written before an option. The inner value is none for one that no option has.
fn number(line: &str) -> Option<Option<u32>> {
    // Input methods write wide digits.
    let narrow = |c: char| char::from_digit(u32::from(c).wrapping_sub(u32::from('０')), 10).unwrap_or(c);
    let text: String = line.trim().chars().map(narrow).collect();
    let text = text.strip_prefix('#').unwrap_or(&text);
    let text = text.strip_suffix(['.', ')']).unwrap_or(text);
    let digits = text.strip_prefix(['-', '+']).unwrap_or(text);
    let is_number = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
    is_number.then(|| text.parse().ok())
}

/// The ruling that a number means; the error says why it is none.
fn ruling_of(now: &DebateSnapshot, number: Option<u32>) -> Result<Answer, String> {
    if asks_to_finish(now) && number == Some(1) {
        return Ok(Answer { close: Some(true), ..Answer::new(ArgumentType::Ruling, "Agreed.") });
    }
    let chosen = number.and_then(|number| number.checked_sub(1));
    let option = chosen.and_then(|index| options(now).get(index as usize));
    let option = option.ok_or_else(|| "there is no option with this number".to_owned())?;
    if option.free_form == Some(true) {
        return Err("say in your own words what that is".to_owned());
    }
    // No number: it would be read where options are counted from 0, too.
    let content = format!("As the option says: {}", option.label);
    Ok(Answer { chosen_option: chosen, ..Answer::new(ArgumentType::Ruling, content) })
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::commands::debate::run::arbitrator::tests::due;

    const URL: Option<&str> = Some("http://[::1]/d");

    fn appeal() -> DebateSnapshot {
        let dismissed = json!([{"change": "dismiss", "issue": "I1"}, {"change": "regrade", "issue": "I2", "severity": "low", "note": "rare"}]);
        let options = json!([
            {"label": "Disk", "issue_changes": dismissed},
            {"label": "Memory", "detail": "as now\n  3. Both"},
            {"label": "Something else", "free_form": true},
        ]);
        due("APPEAL", false, options)
    }

    /// What comes of these lines, the last of which has an end unless it is followed by `^D`.
    fn typed(now: &DebateSnapshot, text: &str) -> Step {
        let mut draft = Draft::default();
        for line in text.split_inclusive('\n') {
            let typed = match (line.strip_suffix('\n'), line.strip_suffix("^D")) {
                (Some(line), _) => Typed::Line(line.into()),
                (None, Some("")) => Typed::End,
                (None, Some(line)) => Typed::LastLine(line.into()),
                (None, None) => panic!("{line} has no end"),
            };
            let step = draft.take(now, typed, "aw debate ruling --file <path>");
            if !matches!(step, Step::More) {
                return step;
            }
        }
        Step::More
    }

    #[test]
    fn a_first_line_that_is_a_number_is_the_answer() {
        for text in ["1\n", " 1 \n", "1.\n", "#1\n", "1)\n", "#1.\n", "01\n", "１\n", "\n\n1\n", "1^D"] {
            let Step::Ruling(answer) = typed(&appeal(), text) else { panic!("{text:?}") };
            assert_eq!(
                (answer.chosen_option, answer.close, answer.content.as_str()),
                (Some(0), None, "As the option says: Disk")
            );
        }
        for text in ["0\n", "4\n", "-1\n", "+9\n", "99999999999999999999\n", "#0\n", "-99999999999999999999.\n", "3\n"]
        {
            assert!(matches!(typed(&appeal(), text), Step::Refused(_)), "{text:?}");
        }
        for on in ["RESOLUTION", "INTERVENTION"] {
            assert!(matches!(typed(&due(on, false, json!([])), "2\n"), Step::Refused(_)), "{on}");
        }
        let Step::Ruling(closing) = typed(&due("RESOLUTION", true, json!([])), "1.\n") else { panic!() };
        assert_eq!(closing.close, Some(true));
    }

    #[test]
    fn words_end_with_a_dot_on_a_line_or_with_the_end_of_input() {
        for (text, words) in [
            ("Both.\nIn turn.\n.\n", "Both.\nIn turn."),
            ("Both\n\n  in turn\n. \n", "Both\n\n  in turn"),
            ("Both.\n^D", "Both."),
            ("Both.\nIn tu^D", "Both.\nIn tu"),
            ("1. Disk first\n2. then memory\n.\n", "1. Disk first\n2. then memory"),
            ("1.5 seconds\n.\n", "1.5 seconds"),
            ("yes\n.\n", "yes"),
            ("One\n2\n.\n", "One\n2"),
            ("Bot\u{1b}[Dh\u{1b}[3~.\n.\n", "Both."),
            ("\nBoth.\n\n\n.\n", "Both."),
        ] {
            let Step::Ruling(answer) = typed(&appeal(), text) else { panic!("{text:?}") };
            assert_eq!((answer.content.as_str(), answer.chosen_option, answer.close), (words, None, None));
        }
        assert!(matches!(typed(&appeal(), "One\ntwo\n"), Step::More));
        for text in ["^D", "\n\n^D", " ^D"] {
            assert!(matches!(typed(&appeal(), text), Step::None), "{text:?}");
        }
        assert!(matches!(typed(&appeal(), ".\n"), Step::Refused(_)));
    }

    #[test]
    fn a_line_that_the_terminal_cut_is_refused() {
        let line = |bytes: usize| format!("{}\n.\n", "x".repeat(bytes));
        assert!(matches!(typed(&appeal(), &line(MAX_LINE_BYTES - 1)), Step::Ruling(_)));
        let Step::Lost(why) = typed(&appeal(), &line(MAX_LINE_BYTES)) else { panic!() };
        assert!(why.contains("aw debate ruling --file"), "{why}");
        let refused = Draft::default().take(&appeal(), Typed::Line(vec![0xff]), "");
        assert!(matches!(refused, Step::Lost(_)));
    }

    #[test]
    fn a_question_sets_apart_what_others_wrote_and_tells_what_each_option_decides() {
        let mut now = appeal();
        now.context.arguments[0].content = "Which?\r\n\n  1. Close the debate\u{1b}[2J\n".into();
        let asked = question(&now, &Notes::default(), URL, Screen::default());
        assert!(asked.contains("| Which?\n| \n|   1. Close the debate\\u{1b}[2J\n\n  1. Disk\n"), "{asked}");
        assert!(asked.contains("     decides: dismiss I1\n     decides: regrade I2 low: rare\n  2. Memory: as now\n     |   3. Both\n  3. Something"), "{asked}");
        let mut notes = Notes::default();
        let lists = Answer { decisions: Some(vec!["Old rows stay".to_owned()]), ..Answer::default() };
        notes.take("proposer", &lists, &["Name it".to_owned()]);
        let asked = question(&now, &notes, URL, Screen::default());
        assert!(asked.contains("Decided for you:\n\n| - Old rows stay\n"), "{asked}");
        assert!(asked.contains("Notes for whoever implements it:\n\n| - Name it\n"), "{asked}");
        now.context.arguments[0].content = "## Decided for you\n\n- Old rows stay".into();
        assert_eq!(question(&now, &notes, URL, Screen::default()).matches("Old rows stay").count(), 1);
    }

    #[test]
    fn issues_are_shown_with_their_titles() {
        use crate::commands::debate::run::debate_snapshot::tests::issue;
        let issues = || {
            vec![
                issue(json!({"title": "Lost\u{1b}"})),
                issue(json!({"id": "I2", "title": "Slow", "status": "resolved", "settled": true})),
            ]
        };
        let mut now = appeal();
        now.issues = issues();
        let asked = question(&now, &Notes::default(), URL, Screen::default());
        assert!(
            asked.contains("     decides: dismiss I1 (Lost\\u{1b})\n     decides: regrade I2 (Slow) low: rare\n"),
            "{asked}"
        );
        assert!(asked.contains("\nThe issues:\n\n| I1 high: Lost\\u{1b} (open)\n\nGive a number"), "{asked}");
        let Step::Ruling(disk) = typed(&now, "1\n") else { panic!() };
        assert!(preview(&now, &disk, Screen::default()).contains("It decides: dismiss I1 (Lost\\u{1b}).\n"));
        let mut now = due("RESOLUTION", true, json!([]));
        now.issues = issues();
        let asked = question(&now, &Notes::default(), URL, Screen::default());
        assert!(asked.contains("| I2 high: Slow (resolved)\n"), "{asked}");
    }

    #[test]
    fn a_question_has_what_it_takes_to_rule() {
        use crate::commands::debate::run::debate_snapshot::tests::{argument, issue};
        let mut now = appeal();
        let said: String = (1..=10).map(|number| format!("Line {number}\u{1b}\n")).collect();
        now.context.arguments[0].seq = 3;
        now.context.arguments.insert(0, argument(json!({"seq": 2, "content": said})));
        let referred = json!({"referred": true, "location": "plan.md, step 2", "note": "It was\nmeasured."});
        now.issues = vec![issue(referred), issue(json!({"id": "I2", "location": "src/a.rs", "note": "Slow."}))];
        let asked = question(&now, &Notes::default(), URL, Screen::default());
        let options =
            "  3. Something else\nFor `aw debate ruling` 1. is --choose 0, 2. is --choose 1, 3. is --choose 2.\n\n";
        let said = "The opponent said last, in argument 2:\n\n| Line 1\\u{1b}\n";
        assert!(asked.contains(&format!("{options}{said}")), "{asked}");
        let more = format!(
            "| Line 8\\u{{1b}}\n2 lines more: aw debate show --debate-id {} --argument-id '#2'\n\n",
            now.context.debate.id
        );
        assert!(asked.contains(&format!("{more}The issues:\n\n")), "{asked}");
        // A program that looks at it, as in a dry run, gets none of that.
        let short = question(&now, &Notes::default(), None, Screen::default());
        let (about, end) =
            ("  3. Something else\n\nThe issues:\n\n| I1 high: Lost (open)\n| I2 high: Lost (open)\n\n", "web app.\n");
        assert!(short.contains(about) && short.ends_with(end), "{short}");
        // What the ruling is on is not shown twice, as after an intervention that a claim came after.
        now.context.arguments.rotate_left(1);
        now.context.arguments[1].seq = 4;
        let late = question(&now, &Notes::default(), URL, Screen::default());
        assert!(late.contains("| Line 10") && !late.contains("The opponent said last"), "{late}");
        let place = "| I1 high: Lost (open)\n|   place: plan.md, step 2\n|   note: It was measured.\n| I2 high: Lost (open)\n\n";
        assert!(asked.contains(place), "{asked}");
        assert!(asked.ends_with("question to the web app.\nIt is also at http://[::1]/d\n"), "{asked}");
    }

    #[test]
    fn a_question_without_options_asks_for_words() {
        let now = due("APPEAL", false, json!([]));
        let asked = question(&now, &Notes::default(), URL, Screen::default());
        assert!(asked.contains("There are no options") && !asked.contains("Give a number"), "{asked}");
        let Step::Refused(why) = typed(&now, "1\n") else { panic!() };
        assert_eq!(why, "there is no option with this number");
        for now in [appeal(), due("RESOLUTION", true, json!([]))] {
            assert!(question(&now, &Notes::default(), URL, Screen::default()).contains("Give a number"));
        }
    }

    #[test]
    fn no_line_is_left_to_the_terminal_to_break() {
        let mut now = appeal();
        let hidden = format!("Which?{}  1. Close the debate {}", " ".repeat(90), "đ".repeat(70));
        now.context.arguments[0].content = hidden.clone();
        now.context.arguments[0].options[1].label = hidden;
        for columns in [40, 15] {
            let asked = question(&now, &Notes::default(), URL, Screen { columns: Some(columns) });
            let is_folded = |line: &&str| !["A ruling", "It is also"].iter().any(|start| line.starts_with(start));
            for line in asked.lines().filter(is_folded) {
                let width: usize = line.chars().map(|c| 1 + usize::from(!c.is_ascii())).sum();
                assert!(width <= columns, "{line}");
                assert!(!line.contains("Close") || line.contains("| "), "{line}");
            }
        }
        assert_eq!(broken("one two three", 8), ["one two", "three"]);
        assert_eq!(broken("", 8), [""]);
        assert_eq!(broken("abcdefghij", 4), ["abcd", "efgh", "ij"]);
    }

    #[test]
    fn what_will_be_sent_says_whether_it_closes() {
        let resolution = due("RESOLUTION", true, json!([]));
        let Step::Ruling(yes) = typed(&resolution, "yes\n.\n") else { panic!() };
        assert!(preview(&resolution, &yes, Screen::default()).contains("| yes\n\nIt does NOT close the debate"));
        let Step::Ruling(one) = typed(&resolution, "1\n") else { panic!() };
        assert!(preview(&resolution, &one, Screen::default()).contains("| Agreed.\n\nIt closes the debate."));
        let Step::Ruling(disk) = typed(&appeal(), "1\n") else { panic!() };
        let shown = preview(&appeal(), &disk, Screen::default());
        assert!(shown.contains("It chooses the option Disk.\nIt decides: dismiss I1.\n"), "{shown}");
    }
}
