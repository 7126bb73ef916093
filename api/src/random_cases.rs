//! How many random cases the tests of the rules try.

use std::env;

use proptest::prelude::ProptestConfig;

/// So many cases; `PROPTEST_CASES` sets another number.
pub(crate) fn cases(usual: u32) -> ProptestConfig {
    let given = env::var("PROPTEST_CASES").ok().and_then(|number| number.parse().ok());
    ProptestConfig { cases: given.unwrap_or(usual), failure_persistence: None, ..ProptestConfig::default() }
}
