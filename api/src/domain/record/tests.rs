//! What the record tells of debates that are written as short scripts.

use chrono::TimeDelta;
use uuid::Uuid;

use super::*;
use crate::domain::{
    AppealOption, Argument, ArgumentId, ArgumentKind, AtStoring, ChangeName, ChosenOption, Citation, DebateId,
    DebateType, DocumentId, Hash, IssueCounts, Ledger, Limits, NewDebate, Replay, RequestId, RequestedChange, Role,
    Severity, Side, Submission, Summary, Title,
};

/// A debate that is held by the rules.
struct Story {
    debate: Debate,
    ledger: Ledger,
    arguments: Vec<Argument>,
}

fn at(millis: i64) -> DateTime<Utc> {
    DateTime::<Utc>::UNIX_EPOCH + TimeDelta::milliseconds(millis)
}

fn text(text: &str) -> Content {
    Content::parse(text.into(), Limits::default().intervention()).unwrap()
}

/// `A3` is version 3 of document A.
fn citation(name: &str) -> Citation {
    let (document, version) = name.split_at(1);
    let document_id = DocumentId(Uuid::from_u128(u128::from(document.as_bytes()[0])));
    Citation { document_id, version: version.parse().unwrap(), sha256: Hash::of_content(name) }
}

impl Story {
    fn open(citations: &[&str]) -> Self {
        let new = NewDebate::new(
            DebateId(Uuid::from_u128(1)),
            Title::parse("What is decided".into()).unwrap(),
            DebateType::GeneralDebate,
            text("motion"),
            "first".parse::<RequestId>().unwrap(),
        );
        let cited = citations.iter().map(|name| citation(name)).collect();
        let (debate, motion) = new.create(cited, ArgumentId(Uuid::from_u128(1)), at(0));
        Self { debate, arguments: vec![motion], ledger: Ledger::default() }
    }

    fn add(&mut self, kind: ArgumentKind, content: &str, cited: &[&str], changes: Vec<RequestedChange>, millis: i64) {
        let seq_of = |id| self.arguments.iter().find(|argument| argument.id == id).map(|argument| argument.seq);
        let id = ArgumentId(Uuid::from_u128(self.arguments.len() as u128 + 1));
        let (debate_id, content) = (self.debate.id, text(content));
        let submission = Submission { issue_changes: Some(changes), ..Submission::new(debate_id, kind, content) };
        let citations = cited.iter().map(|name| citation(name)).collect();
        let options = self.arguments.last().map_or(&[][..], Argument::options);
        let stored = AtStoring { id, now: at(millis), citations, options, plan: Ok(()) };
        let (debate, argument) = self.debate.submit(submission, &mut self.ledger, seq_of, stored).unwrap();
        self.debate = debate;
        self.arguments.push(argument);
    }

    /// Plays a script: each word is an argument, written one second after the one before it. `o` and `p` are CLAIMs, `a`
    /// APPEALs, `q` RESOLUTIONs, `i` INTERVENTIONs, `r` RULINGs and `R` RULINGs that close; after a colon follow the versions
    /// that it cites.
    fn play(script: &str) -> Self {
        let mut words = script.split_whitespace();
        let cited = |word: &str| -> Vec<String> {
            word.split_once(':').map_or_else(Vec::new, |(_, list)| list.split(',').map(str::to_owned).collect())
        };
        let motion = cited(words.next().unwrap());
        let mut story = Self::open(&motion.iter().map(String::as_str).collect::<Vec<_>>());
        for word in words {
            let parent_id = story.arguments[0].id;
            let kind = match word.as_bytes()[0] {
                b'o' => ArgumentKind::Claim { by: Side::Opponent, parent_id },
                b'p' => ArgumentKind::Claim { by: Side::Proposer, parent_id },
                b'a' => ArgumentKind::Appeal { parent_id, options: vec![option("One"), option("Two")] },
                b'e' => ArgumentKind::Appeal { parent_id, options: Vec::new() },
                b'q' => ArgumentKind::Resolution { parent_id },
                b'i' => ArgumentKind::Intervention,
                b'r' => ArgumentKind::Ruling { close: false, chosen_option: None },
                _ => ArgumentKind::Ruling { close: true, chosen_option: None },
            };
            let cited = cited(word);
            let millis = story.arguments.len() as i64 * 1000;
            story.add(kind, word, &cited.iter().map(String::as_str).collect::<Vec<_>>(), Vec::new(), millis);
        }
        story
    }

    fn record(&self) -> Record {
        let summary = Summary::parse("The summary".to_owned()).unwrap();
        let mut replay = Replay::new(&self.debate);
        let entry = |argument: &Argument| Entry::new(argument.clone(), replay.add(argument).unwrap());
        let entries = self.arguments.iter().map(entry).collect();
        Record::of(self.debate.clone(), &self.ledger, entries, Some(summary))
    }
}

fn option(label: &str) -> AppealOption {
    AppealOption { label: label.to_owned(), detail: None, free_form: false, issue_changes: Vec::new() }
}

#[test]
fn a_debate_is_agreed_if_it_was_closed_on_a_resolution() {
    for (script, outcome, decision) in [
        ("m", Outcome::Open, None),
        ("m o q", Outcome::Open, None),
        ("m o q r", Outcome::Open, None),
        ("m o q R", Outcome::Agreed, Some(4)),
        ("m o a R", Outcome::Ruled, Some(4)),
        ("m i R", Outcome::Ruled, Some(3)),
        ("m o i q R", Outcome::Ruled, Some(5)),
        ("m o q r p o q R", Outcome::Agreed, Some(8)),
        ("m o q r p i R", Outcome::Ruled, Some(7)),
    ] {
        let record = Story::play(script).record();
        assert_eq!(record.outcome, outcome, "{script}");
        assert_eq!(record.decision.as_ref().map(|decision| decision.seq), decision, "{script}");
        if let Some(decision) = record.decision {
            assert_eq!((decision.content.as_str(), decision.created_at), ("R", at((decision.seq as i64 - 1) * 1000)));
        }
    }
}

#[test]
fn a_ruling_names_what_made_it_due_and_the_options_of_the_appeal() {
    let told = |script: &str| {
        let rulings = Story::play(script).record().rulings;
        let told = rulings.iter().map(|ruling| {
            let options = if ruling.options.is_none() { "" } else { " options" };
            format!("{} on {} {}{options}", ruling.seq, ruling.on, ruling.on_seq)
        });
        told.collect::<Vec<_>>().join(", ")
    };
    for (script, expected) in [
        ("m o p", ""),
        ("m o a r", "4 on APPEAL 3 options"),
        ("m o e r", "4 on APPEAL 3"),
        ("m o q r", "4 on RESOLUTION 3"),
        ("m i r", "3 on INTERVENTION 2"),
        ("m i o r", "4 on INTERVENTION 2"),
        ("m o i a r", "5 on INTERVENTION 3 options"),
        ("m o i q R", "5 on INTERVENTION 3"),
        ("m o a r q r i r", "4 on APPEAL 3 options, 6 on RESOLUTION 5, 8 on INTERVENTION 7"),
    ] {
        assert_eq!(told(script), expected, "{script}");
    }
}

#[test]
fn a_ruling_has_its_choice_its_text_and_its_changes() {
    let mut story = Story::play("m o a");
    let changes = vec![RequestedChange::raise(Severity::High, "Missing")];
    story.add(ArgumentKind::Ruling { close: false, chosen_option: Some(1) }, "Take two", &[], changes, 3000);
    let record = story.record();
    let ruling = &record.rulings[0];
    assert_eq!((ruling.chosen_option, ruling.content.as_str(), ruling.close), (Some(1), "Take two", false));
    assert_eq!(ruling.options, Some(vec![option("One"), option("Two")]));
    assert_eq!(ruling.chosen, Some(ChosenOption { seq: 3, number: 1, label: "Two".to_owned() }));
    assert_eq!(ruling.issue_changes, story.arguments[3].issue_changes);
    assert_eq!(record.histories[&record.issues[0].number][0].seq, 4);
}

#[test]
fn the_opponent_has_seen_what_arguments_up_to_its_newest_claim_cite() {
    for (script, seen) in [
        ("m:A1", false),
        ("m:A1 o", true),
        ("m:A1 o p:A2", false),
        ("m:A1 o p:A2 o", true),
        ("m o:A1 q:A1", true),
        ("m o q:A1", false),
        ("m o q:A1 r", false),
        ("m o q:A1 r p o", true),
        ("m o i q:A1 r", false),
        ("m:A1 i o r", true),
        // It has seen an earlier and a later version only.
        ("m:A1,A3 o p:A2", false),
    ] {
        let story = Story::play(script);
        let plan = story.record().plan.unwrap();
        assert_eq!(plan.plan.seen, seen, "{script}");
        assert_eq!((Some(plan.plan), plan.summary.as_str()), (story.debate.plan(), "The summary"), "{script}");
    }
    assert_eq!(Story::play("m o:A1").record().plan, None);
}

#[test]
fn the_debate_waits_for_the_role_whose_turn_it_is() {
    for (script, [proposer, opponent, arbitrator]) in [
        ("m", [0, 0, 0]),
        ("m o", [0, 1, 0]),
        ("m o p", [1, 1, 0]),
        ("m o a", [1, 1, 0]),
        ("m o a r", [1, 1, 1]),
        ("m o q R", [1, 1, 1]),
        ("m i r", [0, 1, 1]),
        // After an INTERVENTION a late delivery does not change that the arbitrator is waited for.
        ("m i o r p", [1, 1, 2]),
        ("m o i q r p", [2, 1, 2]),
    ] {
        let statistics = Story::play(script).record().statistics;
        let seconds = [statistics.proposer.seconds, statistics.opponent.seconds, statistics.arbitrator.seconds];
        assert_eq!(seconds, [proposer, opponent, arbitrator], "{script}");
        assert_eq!(statistics.seconds, proposer + opponent + arbitrator, "{script}");
    }
}

#[test]
fn seconds_are_rounded_down_once_and_a_clock_that_is_set_back_takes_no_time() {
    let mut story = Story::open(&[]);
    let parent_id = story.arguments[0].id;
    for (by, millis) in [
        (Side::Opponent, 700),
        (Side::Proposer, 800),
        (Side::Opponent, 1500),
        (Side::Proposer, 500),
        (Side::Opponent, 1600),
    ] {
        story.add(ArgumentKind::Claim { by, parent_id }, "é", &[], Vec::new(), millis);
    }
    let statistics = story.record().statistics;
    // 700 + 700 + 100 ms, of which 1,500 to 1,600 count after the clock was set back.
    assert_eq!((statistics.opponent.seconds, statistics.proposer.seconds, statistics.seconds), (1, 0, 1));
    assert_eq!((statistics.opponent.bytes, statistics.opponent.arguments), (6, 3));
}

#[test]
fn the_figures_count_arguments_and_what_became_of_issues() {
    let mut story = Story::play("m");
    let parent_id = story.arguments[0].id;
    let raise = || RequestedChange::raise(Severity::Low, "Title");
    let of = |number: usize, change| RequestedChange::of(change, IssueNumber::at(number));
    let claim = |by| ArgumentKind::Claim { by, parent_id };
    story.add(claim(Side::Opponent), "four", &[], vec![raise(), raise(), raise(), raise(), raise()], 1000);
    story.add(claim(Side::Proposer), "x", &[], vec![of(0, ChangeName::Fix)], 2000);
    let settled = vec![of(0, ChangeName::Resolve), of(1, ChangeName::Withdraw)];
    story.add(claim(Side::Opponent), "five5", &[], settled, 3000);
    story.add(ArgumentKind::Appeal { parent_id, options: vec![] }, "y", &[], vec![], 4000);
    let ruling = ArgumentKind::Ruling { close: false, chosen_option: None };
    story.add(ruling, "no", &[], vec![of(2, ChangeName::Dismiss), of(3, ChangeName::Defer)], 5000);
    story.add(ArgumentKind::Intervention, "", &[], vec![], 6000);

    let record = story.record();
    let statistics = &record.statistics;
    assert_eq!((statistics.arguments, statistics.rounds), (7, 2));
    assert_eq!((statistics.appeals, statistics.interventions), (1, 1));
    assert_eq!(statistics.proposer, RoleStatistics { arguments: 3, bytes: 8, seconds: 3, ..RoleStatistics::default() });
    assert_eq!(statistics.opponent, RoleStatistics { arguments: 2, bytes: 9, seconds: 2, ..RoleStatistics::default() });
    assert_eq!(
        statistics.arbitrator,
        RoleStatistics { arguments: 2, bytes: 2, seconds: 1, ..RoleStatistics::default() }
    );
    let issues =
        IssueCounts { open: 1, resolved: 1, withdrawn: 1, dismissed: 1, deferred: 1, ..IssueCounts::default() };
    assert_eq!((statistics.issues, issues.all(), issues.unsettled()), (issues, 5, 1));
    let changes = record.issues.iter().map(|issue| record.histories[&issue.number].len());
    assert_eq!(changes.collect::<Vec<_>>(), [3, 2, 2, 2, 1]);
    assert_eq!(record.entries.iter().filter(|entry| entry.role() == Role::Opponent).count(), 2);
}
