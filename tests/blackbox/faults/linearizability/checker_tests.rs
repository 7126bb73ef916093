//! Tests of the checker on a single register, by examples and against a search through all sequences.

use std::iter;

use fastrand::Rng;
use rstest::rstest;
use tests::random::seed;

use super::checker::{self, Operation, Specification};
use Call::{Read, Swap, Write};

/// A register with the initial value 0.
#[derive(Clone, Default, PartialEq, Eq, Hash)]
struct Register(u8);

#[derive(Clone, Copy, Debug)]
enum Call {
    Read,
    Write(u8),
    /// Writes the second value if the register has the first
    Swap(u8, u8),
}

impl Specification for Register {
    type Call = Call;
    type Answer = u8;

    /// Every call returns the value before it.
    fn apply(&self, call: &Call) -> (u8, Self) {
        let next = match *call {
            Read => self.0,
            Write(value) => value,
            Swap(from, to) => {
                if self.0 == from {
                    to
                } else {
                    self.0
                }
            }
        };
        (self.0, Self(next))
    }
}

type History = Vec<Operation<Call, u8>>;

fn completed(call: Call, began: u64, ended: u64, answer: u8) -> Operation<Call, u8> {
    Operation { call, began, ended: Some((ended, answer)) }
}

fn pending(call: Call, began: u64) -> Operation<Call, u8> {
    Operation { call, began, ended: None }
}

#[rstest]
#[case::nothing(vec![], true)]
#[case::one_after_another(vec![completed(Write(1), 0, 1, 0), completed(Read, 2, 3, 1)], true)]
#[case::a_stale_read(vec![completed(Write(1), 0, 1, 0), completed(Read, 2, 3, 0)], false)]
#[case::a_read_at_the_same_time_as_a_write(vec![completed(Write(1), 0, 3, 0), completed(Read, 1, 2, 0)], true)]
#[case::another_such_read(vec![completed(Write(1), 0, 3, 0), completed(Read, 1, 2, 1)], true)]
#[case::two_reads_that_go_back(vec![completed(Write(1), 0, 9, 0), completed(Read, 1, 2, 1), completed(Read, 3, 4, 0)], false)]
#[case::a_read_of_what_nobody_wrote(vec![completed(Write(1), 0, 1, 0), completed(Read, 2, 3, 2)], false)]
#[case::a_read_before_the_write(vec![completed(Read, 0, 1, 1), completed(Write(1), 2, 3, 0)], false)]
#[case::two_writes_to_the_same(vec![completed(Write(1), 0, 5, 0), completed(Write(2), 1, 4, 0)], false)]
#[case::one_who_may_have_written(vec![pending(Write(1), 0), completed(Read, 1, 2, 1)], true)]
#[case::one_who_may_not_have(vec![pending(Write(1), 0), completed(Read, 1, 2, 0)], true)]
#[case::one_who_wrote_late(vec![pending(Write(1), 0), completed(Read, 1, 2, 0), completed(Read, 3, 4, 1)], true)]
#[case::one_who_wrote_and_took_it_back(
    vec![pending(Write(1), 0), completed(Read, 1, 2, 1), completed(Read, 3, 4, 0)],
    false
)]
#[case::one_who_wrote_before_being_asked_to(vec![completed(Read, 0, 1, 1), pending(Write(1), 2)], false)]
#[case::one_who_may_have_written_once_only(
    vec![pending(Write(1), 0), completed(Read, 1, 2, 1), completed(Write(2), 3, 4, 1), completed(Read, 5, 6, 1)],
    false
)]
#[case::two_of_whom_one_was_first(
    vec![pending(Swap(0, 1), 0), pending(Swap(0, 2), 1), completed(Read, 2, 3, 2), completed(Read, 4, 5, 1)],
    false
)]
#[case::two_of_whom_the_later_built_on_the_first(
    vec![pending(Swap(2, 1), 0), pending(Swap(0, 2), 1), completed(Read, 2, 3, 2), completed(Read, 4, 5, 1)],
    true
)]
fn the_checker_decides_these_histories(#[case] history: History, #[case] is_there: bool) {
    assert_eq!(checker::of(&Register::default(), &history).is_ok(), is_there);
}

/// Tries every sequence of the remaining operations.
fn try_all_orders(object: &Register, done: &mut Vec<usize>, history: &History) -> bool {
    if history.iter().enumerate().all(|(number, one)| one.ended.is_none() || done.contains(&number)) {
        return true;
    }
    (0..history.len()).any(|number| {
        let (one, is_late) = (&history[number], |other: usize| is_before(&history[number], &history[other]));
        let (answer, next) = object.apply(&one.call);
        if done.contains(&number)
            || done.iter().any(|other| is_late(*other))
            || one.ended.as_ref().is_some_and(|(_, recorded)| *recorded != answer)
        {
            return false;
        }
        done.push(number);
        let found = try_all_orders(&next, done, history);
        done.pop();
        found
    })
}

/// Whether one operation ended before the other began.
fn is_before(one: &Operation<Call, u8>, other: &Operation<Call, u8>) -> bool {
    one.ended.as_ref().is_some_and(|(ended, _)| *ended < other.began)
}

/// A short random history.
fn any(random: &mut Rng) -> History {
    let mut times: Vec<u64> = (0..12).collect();
    random.shuffle(&mut times);
    let one = |times: &[u64]| {
        let (began, ended) = (times[0].min(times[1]), times[0].max(times[1]));
        let (value, answer) = (random.u8(0..3), random.u8(0..3));
        let call = [Read, Write(value), Swap(answer, value)][random.usize(..3)];
        if random.u8(..4) == 0 { pending(call, began) } else { completed(call, began, ended, answer) }
    };
    let mut history: History = times.chunks(2).map(one).collect();
    history.truncate(random.usize(1..=6));
    history
}

#[test]
fn the_checker_agrees_with_a_search_through_all_sequences() {
    let mut random = Rng::with_seed(seed());
    let (mut found, mut none) = (0, 0);
    for history in iter::repeat_with(|| any(&mut random)).take(3_000) {
        let is_there = try_all_orders(&Register::default(), &mut Vec::new(), &history);
        match checker::of(&Register::default(), &history) {
            Ok(order) => {
                assert!(is_there, "{order:?} is not a valid sequence of {history:?}");
                found += 1;
            }
            Err(longest) => {
                assert!(!is_there, "the checker found only {longest:?} of {history:?}");
                none += 1;
            }
        }
    }
    assert!(found > 300 && none > 300, "{found} histories are linearizable and {none} are not: too few of one kind");
}
