//! The table of allowed changes as a snapshot, and properties of every sequence of arguments with changes.

use chrono::{DateTime, Utc};
use proptest::prelude::*;
use uuid::Uuid;

use super::{transitions::allowed_changes, *};
use crate::{
    domain::{
        AppealOption, Argument, ArgumentId, ArgumentKind, ArgumentType, AtStoring, Content, Debate, DebateId,
        DebateType, Hash, Limits, NewDebate, Replay, RequestId, Role, Side, Submission, SubmitError, Title,
    },
    random_cases::cases,
};

const WRITERS: [(ArgumentType, Role); 4] = [
    (ArgumentType::Claim, Role::Opponent),
    (ArgumentType::Claim, Role::Proposer),
    (ArgumentType::Appeal, Role::Proposer),
    (ArgumentType::Ruling, Role::Arbitrator),
];

fn issue(status: IssueStatus, severity: Severity, upheld: bool) -> Issue {
    Issue {
        number: IssueNumber::at(0).unwrap(),
        severity,
        title: "Title".to_owned(),
        location: None,
        status,
        note: None,
        raised_by: Role::Opponent,
        raised_seq: 2,
        changed_seq: 2,
        upheld,
        referred: false,
        deferred_by: None,
        reopened: 0,
    }
}

/// A change of the first issue, or the raising of one.
fn change(name: ChangeName) -> RequestedChange {
    let first = IssueNumber::at(0);
    if name == ChangeName::Raise {
        RequestedChange::raise(Severity::High, "Title")
    } else if name == ChangeName::Regrade {
        RequestedChange::regrade(first, Severity::Low)
    } else {
        RequestedChange::of(name, first)
    }
}

/// How issues in a status may stand: what blocks, what does not, what is upheld, and who deferred it.
fn standings(status: IssueStatus) -> Vec<(Severity, bool, Option<Role>)> {
    let is_deferred = status == IssueStatus::Deferred;
    let deferred_by = if is_deferred { vec![Some(Role::Opponent), Some(Role::Arbitrator)] } else { vec![None] };
    let standings = [(Severity::High, false), (Severity::Medium, false), (Severity::Medium, true)];
    let with = |(severity, upheld)| deferred_by.iter().map(move |role| (severity, upheld, *role));
    standings.into_iter().flat_map(with).collect()
}

#[test]
fn the_table_of_allowed_changes() {
    let mut table = String::new();
    for (argument_type, role) in WRITERS {
        table.push_str(&format!("\n{argument_type} by the {role}\n    {:<38}", "from"));
        let carried: Vec<_> =
            ChangeName::ALL.iter().filter(|change| may_carry(argument_type, role, **change)).collect();
        carried.iter().for_each(|change| table.push_str(&format!("{:<16}", change.as_str())));
        table.truncate(table.trim_end().len());
        table.push('\n');
        for status in IssueStatus::ALL {
            for (severity, upheld, deferred_by) in standings(*status) {
                let before = Issue { deferred_by, ..issue(*status, severity, upheld) };
                let name = deferred_by.map_or_else(|| status.to_string(), |role| format!("{status} by {role}"));
                let name = format!("{severity} {name}{}", if upheld { ", upheld" } else { "" });
                table.push_str(&format!("    {name:<38}"));
                for name in &carried {
                    let allowed = allowed_changes(argument_type, role, &before).contains(name);
                    let after = transitions::changed(&before, &change(**name), role, 3);
                    let referred = if after.referred { ", referred" } else { "" };
                    let upheld = if after.upheld && !upheld { ", upheld" } else { "" };
                    let cell = match allowed {
                        true => format!("{}{referred}{upheld}", after.status),
                        false => "–".to_owned(),
                    };
                    table.push_str(&format!("{cell:<16}"));
                }
                table.truncate(table.trim_end().len());
                table.push('\n');
            }
        }
    }
    insta::assert_snapshot!(table);
}

#[test]
fn no_other_argument_carries_changes() {
    for argument_type in ArgumentType::ALL {
        for role in Role::ALL {
            let carries = ChangeName::ALL.iter().any(|change| may_carry(*argument_type, *role, *change));
            assert_eq!(carries, WRITERS.contains(&(*argument_type, *role)), "{argument_type} by the {role}");
        }
    }
}

/// A debate with its arguments and issues, as the server keeps them.
#[derive(Clone)]
struct Story {
    debate: Debate,
    arguments: Vec<Argument>,
    ledger: Ledger,
}

fn text(text: &str) -> Content {
    Content::parse(text.into(), Limits::default().content()).unwrap()
}

impl Story {
    fn open() -> Self {
        let new = NewDebate::new(
            DebateId(Uuid::from_u128(1)),
            Title::parse("Any sequence of changes".into()).unwrap(),
            DebateType::GeneralDebate,
            text("motion"),
            "first".parse::<RequestId>().unwrap(),
        );
        let (debate, motion) = new.create(Vec::new(), ArgumentId(Uuid::from_u128(1)), DateTime::<Utc>::UNIX_EPOCH);
        Self { debate, arguments: vec![motion], ledger: Ledger::default() }
    }

    fn submit(&mut self, kind: ArgumentKind, issue_changes: Vec<RequestedChange>) -> Result<(), SubmitError> {
        self.submit_with(kind, Some(issue_changes))
    }

    fn submit_with(
        &mut self,
        kind: ArgumentKind,
        issue_changes: Option<Vec<RequestedChange>>,
    ) -> Result<(), SubmitError> {
        let seq_of = |id| self.arguments.iter().find(|argument| argument.id == id).map(|argument| argument.seq);
        let id = ArgumentId(Uuid::from_u128(self.arguments.len() as u128 + 1));
        let submission = Submission { issue_changes, ..Submission::new(self.debate.id, kind, text("because")) };
        let options = self.arguments.last().map_or(&[][..], Argument::options);
        let stored = AtStoring { id, now: DateTime::<Utc>::UNIX_EPOCH, citations: Vec::new(), options, plan: Ok(()) };
        let (debate, argument) = self.debate.submit(submission, &mut self.ledger, seq_of, stored)?;
        self.debate = debate;
        self.arguments.push(argument);
        Ok(())
    }

    fn claim(&mut self, by: Side, changes: Vec<RequestedChange>) -> Result<(), SubmitError> {
        self.submit(ArgumentKind::Claim { by, parent_id: self.debate.last_argument_id }, changes)
    }

    fn newest_options(&self) -> &[AppealOption] {
        self.arguments.last().map_or(&[], Argument::options)
    }

    fn issue(&self, number: usize) -> &Issue {
        self.ledger.get(IssueNumber::at(number - 1).unwrap()).unwrap()
    }
}

fn option_deciding(issue_changes: Vec<IssueChange>) -> AppealOption {
    AppealOption { label: "A".to_owned(), detail: None, free_form: false, issue_changes }
}

fn raise(severity: Severity) -> RequestedChange {
    RequestedChange::raise(severity, "Title")
}

fn of(number: usize, change: ChangeName) -> RequestedChange {
    RequestedChange { note: Some("why".to_owned()), ..RequestedChange::of(change, IssueNumber::at(number - 1)) }
}

#[test]
fn a_ruling_ends_that_issues_are_referred_and_counts_reopenings_of_those_that_it_changes_anew() {
    let mut story = Story::open();
    story.claim(Side::Opponent, vec![raise(Severity::High), raise(Severity::Low)]).unwrap();
    for _ in 0..2 {
        story.claim(Side::Proposer, vec![of(1, ChangeName::Fix), of(2, ChangeName::Fix)]).unwrap();
        story.claim(Side::Opponent, vec![of(1, ChangeName::Reopen), of(2, ChangeName::Reopen)]).unwrap();
    }
    assert!(story.issue(1).is_stalled() && story.issue(2).is_stalled());
    let appeal = ArgumentKind::Appeal { parent_id: story.debate.last_argument_id, options: Vec::new() };
    story.submit(appeal, vec![of(1, ChangeName::Refer), of(2, ChangeName::Refer)]).unwrap();
    assert!(story.issue(1).referred && story.issue(2).referred);
    story.submit(ArgumentKind::Ruling { close: false, chosen_option: None }, vec![of(1, ChangeName::Uphold)]).unwrap();
    let (upheld, other) = (story.issue(1), story.issue(2));
    assert!(upheld.upheld && !upheld.referred && !upheld.is_stalled() && upheld.changed_seq == 8);
    assert!(!other.referred && other.is_stalled() && other.changed_seq == 7 && other.note.as_deref() == Some("why"));
    let changed: Vec<_> = story.arguments[7].changed_issues.iter().map(ToString::to_string).collect();
    assert_eq!(changed, ["I1", "I2"]);
}

#[test]
fn completion_can_be_requested_once_nothing_critical_or_high_is_unsettled() {
    let mut story = Story::open();
    story.claim(Side::Opponent, vec![raise(Severity::Critical), raise(Severity::Medium)]).unwrap();
    let resolution = |story: &Story| ArgumentKind::Resolution { parent_id: story.debate.last_argument_id };
    let refused = story.submit(resolution(&story), Vec::new());
    assert_eq!(refused, Err(SubmitError::IssuesOpen(vec![story.issue(1).clone().into()])));
    story.claim(Side::Proposer, vec![of(1, ChangeName::Fix)]).unwrap();
    story.claim(Side::Opponent, vec![of(1, ChangeName::Resolve)]).unwrap();
    story.submit(resolution(&story), Vec::new()).unwrap();
}

#[test]
fn what_the_opponent_deferred_it_opens_again_and_what_a_ruling_deferred_only_a_ruling_does() {
    let mut story = Story::open();
    let raised = [Severity::Medium, Severity::High, Severity::Low].map(raise).to_vec();
    story.claim(Side::Opponent, raised).unwrap();
    let ruling = ArgumentKind::Ruling { close: false, chosen_option: None };
    story.claim(Side::Proposer, Vec::new()).unwrap();
    story.claim(Side::Opponent, vec![of(1, ChangeName::Defer)]).unwrap();
    story.submit(ArgumentKind::Intervention, Vec::new()).unwrap();
    story.submit(ruling.clone(), vec![of(2, ChangeName::Defer), of(3, ChangeName::Defer)]).unwrap();
    assert_eq!((story.ledger.counts().deferred, story.ledger.blocking()), (3, Vec::new()));
    story.claim(Side::Proposer, Vec::new()).unwrap();
    story.claim(Side::Opponent, vec![of(3, ChangeName::Reopen)]).unwrap_err();
    story.claim(Side::Opponent, vec![of(1, ChangeName::Reopen)]).unwrap();
    assert_eq!((story.issue(1).status, story.issue(1).deferred_by), (IssueStatus::Open, None));
    story.submit(ArgumentKind::Intervention, Vec::new()).unwrap();
    story.submit(ruling, vec![of(2, ChangeName::Reopen)]).unwrap();
    assert!(story.issue(2).status == IssueStatus::Open && story.issue(2).is_blocking() && !story.issue(2).upheld);
}

#[test]
fn a_debate_has_at_most_500_issues() {
    let mut story = Story::open();
    for _ in 0..10 {
        story.claim(Side::Opponent, vec![raise(Severity::Low); 50]).unwrap();
        story.claim(Side::Proposer, Vec::new()).unwrap();
    }
    let refused = story.claim(Side::Opponent, vec![raise(Severity::Low)]);
    assert!(matches!(refused, Err(SubmitError::Change { error: ChangeError::TooManyIssues { index: 0 }, .. })));
    assert_eq!(story.ledger.issues().len(), 500);
}

#[test]
fn an_issue_that_the_same_argument_raises_cannot_be_changed_in_it() {
    let mut story = Story::open();
    let refused = story.claim(Side::Opponent, vec![raise(Severity::Low), of(1, ChangeName::Resolve)]);
    assert!(matches!(refused, Err(SubmitError::Change { error: ChangeError::IssueNotFound { index: 1, .. }, .. })));
    assert_eq!(story.ledger, Ledger::default());
}

#[test]
fn the_hash_covers_every_field_of_a_change() {
    let mut story = Story::open();
    story.claim(Side::Opponent, vec![raise(Severity::High)]).unwrap();
    let stored = story.arguments[1].clone();
    let previous = story.arguments[0].hash;
    assert_eq!(Hash::of_argument(&stored, previous), stored.hash);
    let first = stored.issue_changes[0].clone();
    let others = [
        IssueChange { issue: IssueNumber::at(1).unwrap(), ..first.clone() },
        IssueChange { note: Some(String::new()), ..first.clone() },
        IssueChange { severity: Some(Severity::Low), ..first.clone() },
        IssueChange { severity: None, ..first.clone() },
        IssueChange { title: Some("Titel".to_owned()), ..first.clone() },
        IssueChange { title: None, ..first.clone() },
        IssueChange { location: Some(String::new()), ..first.clone() },
        IssueChange { change: ChangeName::Fix, ..first },
    ];
    for other in others {
        let changed = Argument { issue_changes: vec![other.clone()], ..stored.clone() };
        assert_ne!(Hash::of_argument(&changed, previous), stored.hash, "{other:?}");
    }
    let without = Argument { issue_changes: Vec::new(), ..stored.clone() };
    assert_ne!(Hash::of_argument(&without, previous), stored.hash);
}

/// An argument of a random sequence, with changes that may not be allowed.
#[derive(Debug, Clone)]
struct Step {
    argument: usize,
    close: bool,
    changes: Vec<(usize, ChangeName, Severity)>,
}

fn decided(number: usize, change: ChangeName) -> IssueChange {
    IssueChange::of(change, IssueNumber::at(number - 1).unwrap())
}

/// A debate with two issues, the first of which is high, and an APPEAL with these options, of which the first refers I1.
fn appealed(options: &[&[IssueChange]]) -> Result<Story, SubmitError> {
    let mut story = Story::open();
    story.claim(Side::Opponent, vec![raise(Severity::High), raise(Severity::Low)]).unwrap();
    let options = options.iter().map(|changes| option_deciding(changes.to_vec())).collect();
    let appeal = ArgumentKind::Appeal { parent_id: story.debate.last_argument_id, options };
    let before = story.ledger.clone();
    let result = story.submit(appeal, vec![of(1, ChangeName::Refer)]);
    assert!(result.is_ok() || story.ledger == before, "a refusal changes nothing");
    result.map(|()| story)
}

#[test]
fn a_ruling_that_chooses_an_option_and_has_no_list_makes_the_changes_of_the_option() {
    let regrade = IssueChange::regrade(IssueNumber::at(1).unwrap(), Severity::High);
    let options = [&[decided(1, ChangeName::Dismiss), regrade][..], &[]];
    let ruling = |chosen_option| ArgumentKind::Ruling { close: false, chosen_option };
    let ruled = |chosen, changes| {
        let mut story = appealed(&options).unwrap();
        story.submit_with(ruling(chosen), changes).unwrap();
        (story.issue(1).status, story.issue(2).severity, story)
    };
    let (dismissed, regraded, story) = ruled(Some(0), None);
    assert_eq!((dismissed, regraded), (IssueStatus::Dismissed, Severity::High));
    let stored = story.arguments.last().unwrap();
    assert_eq!(stored.issue_changes, options[0]);
    let own = Some(vec![of(1, ChangeName::Uphold)]);
    for (chosen, changes) in [(Some(0), Some(Vec::new())), (Some(0), own), (Some(1), None), (None, None)] {
        let (status, severity, _) = ruled(chosen, changes);
        assert_eq!((status, severity), (IssueStatus::Open, Severity::Low));
    }
    // What would be stored is what is compared.
    let again = |changes| Submission {
        issue_changes: changes,
        ..Submission::new(story.debate.id, ruling(Some(0)), text("because"))
    };
    let appeal = &story.arguments[story.arguments.len() - 2];
    let as_stored = options[0].iter().map(Into::into).collect();
    assert!(again(None).is_repeated_by(&story.debate, stored, appeal.options()));
    assert!(again(Some(as_stored)).is_repeated_by(&story.debate, stored, &[]));
    assert!(!again(Some(Vec::new())).is_repeated_by(&story.debate, stored, appeal.options()));
}

#[test]
fn an_option_decides_what_a_ruling_right_after_the_appeal_may_change() {
    let refused = |changes: &[IssueChange]| match appealed(&[&[decided(1, ChangeName::Uphold)], changes]).map(drop) {
        Err(SubmitError::Change { error, option, .. }) => (option, error),
        other => panic!("{other:?}"),
    };
    for change in [
        ChangeName::Fix,
        ChangeName::Dispute,
        ChangeName::Refer,
        ChangeName::Resolve,
        ChangeName::Withdraw,
        ChangeName::Reopen,
    ] {
        let (option, error) = refused(&[decided(2, ChangeName::Uphold), decided(1, change)]);
        let ChangeError::NotAllowed(refusal) = error else { panic!("{error:?}") };
        assert_eq!((option, refusal.index, refusal.change), (Some(1), 1, change));
        assert_eq!((refusal.role, refusal.argument_type), (Role::Arbitrator, ArgumentType::Ruling));
        assert_eq!(refusal.allowed_changes.len(), 4, "{:?}", refusal.allowed_changes);
    }
    let (option, error) = refused(&[decided(3, ChangeName::Uphold)]);
    assert!(matches!(error, ChangeError::IssueNotFound { index: 0, .. }), "{error:?}");
    assert_eq!(option, Some(1));
}

fn steps() -> impl Strategy<Value = Vec<Step>> {
    let change = (1..6_usize, prop::sample::select(ChangeName::ALL), prop::sample::select(Severity::ALL));
    let step = (0..6_usize, prop::bool::weighted(0.03), prop::collection::vec(change, 0..3));
    prop::collection::vec(step.prop_map(|(argument, close, changes)| Step { argument, close, changes }), 1..80)
}

proptest! {
    #![proptest_config(cases(512))]

    #[test]
    fn any_sequence_of_changes_replays_to_the_stored_issues_and_a_refusal_changes_nothing(steps in steps()) {
        let mut story = Story::open();
        for step in &steps {
            let parent_id = story.debate.last_argument_id;
            let carried = |(number, name, severity): &(usize, ChangeName, Severity)| {
                if *name == ChangeName::Raise {
                    raise(*severity)
                } else if *name == ChangeName::Regrade {
                    RequestedChange::regrade(IssueNumber::at(*number - 1), *severity)
                } else {
                    of(*number, *name)
                }
            };
            let changes = step.changes.iter().map(carried);
            // What an APPEAL has is what its option decides, and a RULING without a list chooses that.
            let decided = changes.clone().filter_map(|change| {
                let issue = change.issue?;
                Some(change.with_issue(issue))
            });
            let option = option_deciding(decided.collect());
            let is_choice = step.changes.is_empty() && !story.newest_options().is_empty();
            let kind = match step.argument {
                0 => ArgumentKind::Claim { by: Side::Opponent, parent_id },
                1 => ArgumentKind::Claim { by: Side::Proposer, parent_id },
                2 => ArgumentKind::Appeal { parent_id, options: vec![option] },
                3 => ArgumentKind::Resolution { parent_id },
                4 => ArgumentKind::Intervention,
                _ => ArgumentKind::Ruling { close: step.close, chosen_option: is_choice.then_some(0) },
            };
            let carries = !matches!(step.argument, 2..=4);
            let changes = carries.then(|| changes.collect()).filter(|_| !is_choice);
            let before = (story.debate.clone(), story.ledger.clone());
            if story.submit_with(kind, changes).is_err() {
                prop_assert_eq!((story.debate.clone(), story.ledger.clone()), before);
            }
            prop_assert_eq!(story.debate.issue_counts, story.ledger.counts());
        }
        let mut replay = Replay::new(&story.debate);
        for argument in &story.arguments {
            prop_assert!(replay.add(argument).is_ok());
        }
        let replayed = replay.debate().unwrap();
        prop_assert_eq!((replayed.state, replayed.rounds), (story.debate.state, story.debate.rounds));
        prop_assert_eq!(replayed.issue_counts, story.debate.issue_counts);
        prop_assert_eq!(replay.into_ledger(), story.ledger);
    }
}
