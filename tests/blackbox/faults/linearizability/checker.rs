//! Checks whether a concurrent history is linearizable.
//!
//! This is the algorithm of Wing and Gong with Lowe's cache of visited states: it builds a sequence that respects real
//! time one operation at a time and backtracks where the specification gives another response.

use std::{collections::HashSet, hash::Hash};

/// A sequential specification.
pub trait Specification: Clone + Eq + Hash {
    /// A call
    type Call;
    /// A response
    type Answer: PartialEq;

    /// The response to a call and the next state.
    fn apply(&self, call: &Self::Call) -> (Self::Answer, Self);
}

/// A call of one client.
#[derive(Clone, Debug)]
pub struct Operation<C, A> {
    /// The call
    pub call: C,
    /// The time before the call was sent
    pub began: u64,
    /// The time when the response had arrived, and the response; `None` if the outcome is unknown
    pub ended: Option<(u64, A)>,
}

/// Numbers of operations in sequence.
type Order = Vec<usize>;

/// A bit set of operation numbers.
type Set = u128;

/// Finds a sequence in which the specification gives all recorded responses. Operations of unknown outcome may be left
/// out.
///
/// # Errors
/// The longest sequence that was found if none has all operations.
pub fn of<O: Specification>(start: &O, operations: &[Operation<O::Call, O::Answer>]) -> Result<Order, Order> {
    assert!(operations.len() <= Set::BITS as usize, "a history has at most {} operations", Set::BITS);
    let mut search = Search { operations, visited: HashSet::new(), order: Vec::new(), longest: Vec::new() };
    if search.extends(0, start) { Ok(search.order) } else { Err(search.longest) }
}

struct Search<'h, O: Specification> {
    operations: &'h [Operation<O::Call, O::Answer>],
    /// The completed operations and the state after them
    visited: HashSet<(Set, O)>,
    order: Order,
    longest: Order,
}

impl<O: Specification> Search<'_, O> {
    /// Whether the remaining operations can be appended, once these are `done` and the state is `object`.
    fn extends(&mut self, done: Set, object: &O) -> bool {
        let operations = self.operations;
        let left = || operations.iter().enumerate().filter(|(number, _)| done & (1 << number) == 0);
        // Operations that began after the earliest response cannot come next.
        let Some(until) = left().filter_map(|(_, one)| one.ended.as_ref()).map(|(at, _)| *at).min() else {
            return true;
        };
        for (number, one) in left().filter(|(_, one)| one.began < until) {
            let (answer, next) = object.apply(&one.call);
            let fits = match &one.ended {
                Some((_, recorded)) => *recorded == answer,
                // An operation of unknown outcome that changes nothing can be left out.
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
