//! What wrong tokens cost: the more came from an address, the later the next one is answered, and one after another.
//!
//! This makes whoever tries tokens slow and visible. What keeps a token from being found is its length: right ones are never
//! delayed, so that nobody has to wait for what others behind the same address do.

use std::{
    convert::Infallible,
    net::{IpAddr, Ipv6Addr},
    sync::{Arc, Mutex, PoisonError},
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

/// How many answers to an address wait for the one that is delayed now. Further connections are closed.
const MAX_WAITING: usize = 10;

/// The addresses that sent wrong tokens lately.
#[derive(Debug)]
pub(super) struct WrongTokens {
    addresses: Cache<IpAddr, Arc<Sender>>,
}

/// An address that sent wrong tokens lately.
#[derive(Debug)]
struct Sender {
    /// How many, and when the last one came
    count: Mutex<(u32, Option<Instant>)>,
    /// A permit for each answer that is delayed or waits
    held: Semaphore,
    /// The permit of the answer that is delayed now; others get it in their order
    turn: Semaphore,
}

/// Too many answers wait for this address.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct TooManyWait;

impl Default for WrongTokens {
    fn default() -> Self {
        Self { addresses: Cache::new(MAX_ADDRESSES) }
    }
}

impl Default for Sender {
    fn default() -> Self {
        Self { count: Mutex::default(), held: Semaphore::new(1 + MAX_WAITING), turn: Semaphore::new(1) }
    }
}

impl Sender {
    /// Counts a wrong token.
    fn count(&self) -> u32 {
        // Nothing can fail while it is locked.
        let mut last = self.count.lock().unwrap_or_else(PoisonError::into_inner);
        let (count, at) = *last;
        let count = if at.is_some_and(|at| at.elapsed() < FORGOTTEN_AFTER) { count } else { 0 };
        *last = (count.saturating_add(1), Some(Instant::now()));
        last.0
    }
}

impl WrongTokens {
    /// Counts and logs a wrong token from this address, and returns when it may be answered: after those before it, and after
    /// its own delay.
    ///
    /// # Errors
    /// If so many wait already that it should not be answered at all.
    pub async fn hold_back(&self, address: IpAddr, request_id: &CorrelationId) -> Result<(), TooManyWait> {
        let address = network(address);
        let Ok(sender) = self.addresses.get_or_insert_with(&address, || Ok::<_, Infallible>(Arc::default()));
        let count = sender.count();
        // A line each time that the number has doubled, so that nobody fills the log.
        if count.is_power_of_two() {
            tracing::warn!(target: "audit", %address, count, %request_id, "wrong token");
        }
        let doubled = FIRST_DELAY.saturating_mul(2_u32.saturating_pow(count - 1));
        let _held = sender.held.try_acquire().map_err(|_| TooManyWait)?;
        // The semaphore is never closed.
        let _turn = sender.turn.acquire().await.map_err(|_| TooManyWait)?;
        sleep(doubled.min(MAX_DELAY)).await;
        Ok(())
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

    fn id() -> CorrelationId {
        CorrelationId::given_or(Some("test"), uuid::Uuid::nil)
    }

    #[tokio::test(start_paused = true)]
    async fn the_delay_doubles_to_two_seconds_for_one_address() {
        let wrong = WrongTokens::default();
        let delay = async |address: &str| {
            let start = tokio::time::Instant::now();
            wrong.hold_back(address.parse().unwrap(), &id()).await.unwrap();
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
    async fn of_one_address_each_waits_for_those_before_it_and_few_may_wait() {
        let wrong = WrongTokens::default();
        let start = tokio::time::Instant::now();
        let address = "192.0.2.1".parse().unwrap();
        let id = id();
        let all = (0..100).map(|_| async { wrong.hold_back(address, &id).await.map(|()| start.elapsed().as_millis()) });
        let answered: Vec<_> = futures_util::future::join_all(all).await;
        let expected = [10, 30, 70, 150, 310, 630, 1270, 2550, 4550, 6550, 8550].map(Ok);
        assert_eq!(answered[..11], expected);
        assert!(answered[11..].iter().all(Result::is_err), "{answered:?}");
        assert_eq!(wrong.hold_back(address, &id).await, Ok(()), "there is room again");
    }

    #[tokio::test(start_paused = true)]
    async fn who_goes_away_makes_room_for_others() {
        let wrong = WrongTokens::default();
        let (address, id) = ("192.0.2.1".parse().unwrap(), id());
        for _ in 0..100 {
            let gone = tokio::time::timeout(Duration::from_millis(1), wrong.hold_back(address, &id));
            assert!(gone.await.is_err(), "it waits");
        }
    }

    #[tokio::test(start_paused = true)]
    async fn addresses_are_bounded_and_do_not_wait_for_each_other() {
        let wrong = WrongTokens::default();
        let from = |number: u32| IpAddr::from(number.to_be_bytes());
        let start = tokio::time::Instant::now();
        let id = id();
        let all = (0..).take(4 * MAX_ADDRESSES).map(|number| wrong.hold_back(from(number), &id));
        assert!(futures_util::future::join_all(all).await.iter().all(Result::is_ok));
        assert!(wrong.addresses.len() <= MAX_ADDRESSES);
        assert_eq!(start.elapsed(), FIRST_DELAY);
    }
}
