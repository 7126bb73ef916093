//! A cache of arguments that were stored or read recently, and checked then. An argument never changes, so a cached one is
//! valid, whichever server wrote it.

use std::{mem::size_of, sync::Arc, time::Instant};

use quick_cache::{Weighter, sync::Cache};

use super::debate_cache::FRESH_FOR;
use crate::domain::{Agent, Argument, Citation, Debate, DebateId, Hash};

/// The most that the cache holds, in bytes.
const CAPACITY: u64 = 32 * 1024 * 1024;

/// The size of an argument without its texts, citations and agents, in bytes.
const BYTES_BESIDES_CONTENT: u64 = 512;

/// The number of arguments that the cache allocates room for.
const EXPECTED_ARGUMENTS: usize = 16 * 1024;

/// A cache of arguments by debate and `seq`.
#[derive(Debug)]
pub(in crate::store) struct ArgumentCache(Cache<(DebateId, u64), CheckedArgument, ArgumentSize>);

/// An argument whose hash was worked out.
#[derive(Debug, Clone)]
struct CheckedArgument {
    argument: Arc<Argument>,
    /// Of a MOTION: the hash before it, which covers the title and the other fixed fields of the debate
    of_debate: Option<Hash>,
    at: Instant,
}

impl CheckedArgument {
    /// Whether it can be served as one of `debate`.
    fn is_of(&self, debate: &Debate, now: Instant) -> bool {
        now.saturating_duration_since(self.at) < FRESH_FOR
            && self.of_debate.is_none_or(|hash| hash == Hash::of_debate(debate))
            && debate.head_agrees_with(&self.argument)
    }
}

#[derive(Debug, Clone)]
struct ArgumentSize;

impl Weighter<(DebateId, u64), CheckedArgument> for ArgumentSize {
    fn weight(&self, _key: &(DebateId, u64), CheckedArgument { argument, .. }: &CheckedArgument) -> u64 {
        let citations = argument.citations.len() * size_of::<Citation>();
        let agents = argument.agents.len() * size_of::<Agent>();
        BYTES_BESIDES_CONTENT + (argument.text_bytes() + citations + agents) as u64
    }
}

impl Default for ArgumentCache {
    fn default() -> Self {
        Self(Cache::with_weighter(EXPECTED_ARGUMENTS, CAPACITY, ArgumentSize))
    }
}

impl ArgumentCache {
    /// Keeps an argument of `debate` that was checked or stored now.
    pub fn insert(&self, debate: &Debate, argument: &Arc<Argument>) {
        let of_debate = (argument.seq == 1).then(|| Hash::of_debate(debate));
        let checked = CheckedArgument { argument: argument.clone(), of_debate, at: Instant::now() };
        self.0.insert((debate.id, argument.seq), checked);
    }

    /// The arguments of `debate` with `seq` from `first` to `last`, if all of them are cached, fresh and fit the debate.
    pub fn get_range(&self, debate: &Debate, first: u64, last: u64) -> Option<Vec<Arc<Argument>>> {
        self.get_range_at(debate, first, last, Instant::now())
    }

    fn get_range_at(&self, debate: &Debate, first: u64, last: u64, now: Instant) -> Option<Vec<Arc<Argument>>> {
        let cached = |seq| self.0.get(&(debate.id, seq)).filter(|cached| cached.is_of(debate, now));
        (first..=last).map(|seq| Some(cached(seq)?.argument)).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        domain::{ArgumentId, Title},
        store::tests::new_debate,
    };

    #[test]
    fn a_cached_argument_is_served_while_it_is_fresh_and_fits_the_debate() {
        let (debate, motion) =
            new_debate(1).create(Vec::new(), ArgumentId(uuid::Uuid::nil()), chrono::DateTime::UNIX_EPOCH);
        let (cache, motion) = (ArgumentCache::default(), Arc::new(motion));
        cache.insert(&debate, &motion);
        let now = Instant::now();
        let cached = |debate: &Debate, now| cache.get_range_at(debate, 1, 1, now);
        assert_eq!(cached(&debate, now), Some(vec![motion.clone()]));
        assert_eq!(cached(&debate, now + FRESH_FOR), None, "a change of its row is not hidden for ever");
        let renamed = Debate { title: Title::parse("Another".into()).unwrap(), ..debate.clone() };
        assert_eq!(cached(&renamed, now), None);
        let beheaded = Debate { head: Hash::of_content(""), ..debate.clone() };
        assert_eq!(cached(&beheaded, now), None);
        assert_eq!(cached(&Debate { last_seq: 2, head: Hash::of_content(""), ..debate }, now), Some(vec![motion]));
    }
}
