//! Whether what several clients did at once could have been done one after another.
//!
//! The search is that of Wing and Gong with Lowe's memory of where it has visited: one operation after another is put into
//! an order that respects real time, as long as the object would have answered so, and taken back where it would not.

use std::{collections::HashSet, hash::Hash};

/// Something that clients use, by its rules for one at a time.
pub trait Specification: Clone + Eq + Hash {
    /// What is asked of it
    type Call;
    /// What it answers
    type Answer: PartialEq;

    /// What it answers, and what becomes of it.
    fn apply(&self, call: &Self::Call) -> (Self::Answer, Self);
}

/// What one client asked.
#[derive(Clone, Debug)]
pub struct Operation<C, A> {
    /// What was asked
    pub call: C,
    /// When it was about to be asked
    pub began: u64,
    /// When the answer was there, and which; none where nobody was told whether it happened at all
    pub ended: Option<(u64, A)>,
}

/// The numbers of operations, as many as have a place in a [`Set`].
type Order = Vec<usize>;

/// Operations by number.
type Set = u128;

/// An order in which an object that stands at `start` would have answered all of these as it did. Those of unknown
/// outcome may be missing in it.
///
/// # Errors
/// The longest order that was found where there is none for all.
pub fn of<O: Specification>(start: &O, operations: &[Operation<O::Call, O::Answer>]) -> Result<Order, Order> {
    assert!(operations.len() <= Set::BITS as usize, "a history has at most {} operations", Set::BITS);
    let mut search = Search { operations, visited: HashSet::new(), order: Vec::new(), longest: Vec::new() };
    if search.extends(0, start) { Ok(search.order) } else { Err(search.longest) }
}

struct Search<'h, O: Specification> {
    operations: &'h [Operation<O::Call, O::Answer>],
    /// What was done, and how the object states then
    visited: HashSet<(Set, O)>,
    order: Order,
    longest: Order,
}

impl<O: Specification> Search<'_, O> {
    /// Whether the rest can be put into an order once these are `done` and the object stands like this.
    fn extends(&mut self, done: Set, object: &O) -> bool {
        let operations = self.operations;
        let left = || operations.iter().enumerate().filter(|(number, _)| done & (1 << number) == 0);
        // Whatever began later comes after that answer.
        let Some(until) = left().filter_map(|(_, one)| one.ended.as_ref()).map(|(at, _)| *at).min() else {
            return true;
        };
        for (number, one) in left().filter(|(_, one)| one.began < until) {
            let (answer, next) = object.apply(&one.call);
            let fits = match &one.ended {
                Some((_, told)) => *told == answer,
                // One that changes nothing need not have happened.
                None => next != *object,
            };
            let done = done | (1 << number);
            if !fits || !self.visited.insert((done, next.clone())) {
                continue;
            }
            self.order.push(number);
            if self.order.len() > self.longest.len() {
                self.longest.clone_from(&self.order);
            }
            if self.extends(done, &next) {
                return true;
            }
            self.order.pop();
        }
        false
    }
}
