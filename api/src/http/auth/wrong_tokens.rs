//! What wrong tokens cost: the more came from an address, the later the next one is answered.
//!
//! This makes whoever tries tokens slow and visible. What keeps a token from being found is its length: right ones are never
//! delayed, so that nobody has to wait for what others behind the same address do.

use std::{
    net::{IpAddr, Ipv6Addr},
    time::{Duration, Instant},
};

use quick_cache::sync::Cache;
use tokio::{sync::Semaphore, time::sleep};

use crate::app::CorrelationId;

/// The delay of the first answer to an address. It doubles with each further wrong token.
const FIRST_DELAY: Duration = Duration::from_millis(10);

/// The longest delay.
const MAX_DELAY: Duration = Duration::from_secs(2);

/// How long after its last wrong token an address is forgotten.
const FORGOTTEN_AFTER: Duration = Duration::from_secs(5 * 60);

/// How many addresses are remembered. Of more, those that were seen least lately are forgotten.
const MAX_ADDRESSES: usize = 4096;

/// How many answers are held back at the same time, each with its connection; further ones are not.
const MAX_HELD: usize = 1024;

/// The addresses that sent wrong tokens lately.
#[derive(Debug)]
pub(super) struct WrongTokens {
    addresses: Cache<IpAddr, (u32, Instant)>,
    held: Semaphore,
}

impl Default for WrongTokens {
    fn default() -> Self {
        Self { addresses: Cache::new(MAX_ADDRESSES), held: Semaphore::new(MAX_HELD) }
    }
}

impl WrongTokens {
    /// Counts and logs a wrong token from this address, and returns when it may be answered.
    pub async fn hold_back(&self, address: IpAddr, request_id: &CorrelationId) {
        let address = network(address);
        let former = self.addresses.get(&address).filter(|(_, at)| at.elapsed() < FORGOTTEN_AFTER);
        let count = former.map_or(0, |(count, _)| count).saturating_add(1);
        self.addresses.insert(address, (count, Instant::now()));
        // A line each time that the number has doubled, so that nobody fills the log.
        if count.is_power_of_two() {
            tracing::warn!(target: "audit", %address, count, %request_id, "wrong token");
        }
        let doubled = FIRST_DELAY.saturating_mul(2_u32.saturating_pow(count - 1));
        if let Ok(_held) = self.held.try_acquire() {
            sleep(doubled.min(MAX_DELAY)).await;
        }
    }
}

/// What one client is taken for. With IPv6 that is a network of 64 bits, in which it can choose its address.
fn network(address: IpAddr) -> IpAddr {
    match address.to_canonical() {
        IpAddr::V4(address) => address.into(),
        IpAddr::V6(address) => Ipv6Addr::from_bits(address.to_bits() & (u128::MAX << 64)).into(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test(start_paused = true)]
    async fn the_delay_doubles_to_two_seconds_for_one_address() {
        let wrong = WrongTokens::default();
        let id = CorrelationId::given_or(Some("test"), uuid::Uuid::nil);
        let delay = async |address: &str| {
            let start = tokio::time::Instant::now();
            wrong.hold_back(address.parse().unwrap(), &id).await;
            start.elapsed().as_millis()
        };
        let mut delays = Vec::new();
        for _ in 0..10 {
            delays.push(delay("192.0.2.1").await);
        }
        assert_eq!(delays, [10, 20, 40, 80, 160, 320, 640, 1280, 2000, 2000]);
        assert_eq!(delay("192.0.2.2").await, 10, "another address");
        assert_eq!(delay("2001:db8::1").await, 10);
        assert_eq!(delay("2001:db8::ffff:1").await, 20, "the same network");
        assert_eq!(delay("::ffff:192.0.2.2").await, 20, "the same address");
    }

    #[tokio::test(start_paused = true)]
    async fn addresses_and_held_answers_are_bounded() {
        let wrong = WrongTokens::default();
        let id = CorrelationId::given_or(Some("test"), uuid::Uuid::nil);
        let from = |number: u32| IpAddr::from(number.to_be_bytes());
        let start = tokio::time::Instant::now();
        let all = (0..100_000).map(|number| wrong.hold_back(from(number), &id));
        futures_util::future::join_all(all).await;
        assert!(wrong.addresses.len() <= MAX_ADDRESSES);
        assert_eq!(start.elapsed(), FIRST_DELAY);
        assert_eq!(wrong.held.available_permits(), MAX_HELD);
    }
}
