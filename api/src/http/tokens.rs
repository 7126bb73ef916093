//! The tokens that a server knows, and the link by which its own terminal signs somebody in without one.

use std::{
    sync::{Mutex, OnceLock, PoisonError},
    time::{Duration, Instant},
};

use base64::{Engine, engine::general_purpose::URL_SAFE_NO_PAD};
use sha2::{Digest, Sha256};
use subtle::ConstantTimeEq;

use super::failure::Refused;

/// How long the code of a sign-in link is good for.
const CODE_LIFETIME: Duration = Duration::from_secs(10 * 60);

/// Random bytes in a code or a session's token: beyond any guessing.
const RANDOM: usize = 32;

/// As much of a secret as it takes to recognise it: neither its text nor its length stays in memory.
#[derive(Debug)]
pub struct Secret([u8; 32]);

impl Secret {
    /// Of that text.
    pub fn new(text: &str) -> Self {
        Self(Sha256::digest(text).into())
    }

    /// Whether it is the same, which takes equally long whatever is shown.
    fn is(&self, shown: &str) -> bool {
        self.0.ct_eq(&Self::new(shown).0).into()
    }
}

/// The tokens that a server is set to ask for.
#[derive(Debug, Default)]
pub struct Tokens {
    auth: Option<Secret>,
    arbitrator: Option<Secret>,
    /// What signs somebody in, until it has or is too old
    code: Mutex<Option<(Secret, Instant)>>,
    /// What whoever was signed in by it shows from then on
    session: OnceLock<Secret>,
}

/// What a caller has shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Access {
    /// No token, and none was asked for
    Anonymous,
    /// The agents' token
    Agent,
    /// The arbitrator's token, or whatever opens everything on this server
    Full,
}

impl Tokens {
    /// `auth` opens everything but the arbitrator's actions, and those too where the arbitrator has no token of its own;
    /// `arbitrator` opens everything.
    pub fn new(auth: Option<Secret>, arbitrator: Option<Secret>) -> Self {
        Self { auth, arbitrator, ..Self::default() }
    }

    /// Whether everybody has to show one.
    pub fn all_need_one(&self) -> bool {
        self.auth.is_some()
    }

    /// Whether anybody has to show one.
    pub fn some_need_one(&self) -> bool {
        self.auth.is_some() || self.arbitrator.is_some()
    }

    /// Makes the code of a sign-in link, which opens everything for the first who uses it within ten minutes.
    ///
    /// # Errors
    /// Where the operating system has no random numbers to give.
    pub fn offer_code(&self) -> Result<String, getrandom::Error> {
        let code = random()?;
        let lasts_until = Instant::now() + CODE_LIFETIME;
        *self.code.lock().unwrap_or_else(PoisonError::into_inner) = Some((Secret::new(&code), lasts_until));
        Ok(code)
    }

    /// A token that opens everything as long as the server runs, in return for the code of a sign-in link.
    pub(super) fn exchange(&self, code: &str) -> Result<String, Refused> {
        let mut offered = self.code.lock().unwrap_or_else(PoisonError::into_inner);
        let is_good = offered.as_ref().is_some_and(|(own, until)| own.is(code) && Instant::now() < *until);
        if !is_good {
            return Err(Refused::StaleLink);
        }
        let token = random().map_err(|error| {
            tracing::error!(%error, "there are no random numbers to sign somebody in with");
            Refused::StaleLink
        })?;
        *offered = None;
        match self.session.set(Secret::new(&token)) {
            Ok(()) => Ok(token),
            Err(_) => Err(Refused::StaleLink),
        }
    }

    /// What `shown` gives access to.
    pub(super) fn access(&self, shown: Option<&str>) -> Result<Access, Refused> {
        // All are compared whichever is the one.
        let is = |own: Option<&Secret>| own.zip(shown).is_some_and(|(own, shown)| own.is(shown));
        let is_auth = is(self.auth.as_ref());
        let is_arbitrator = is(self.arbitrator.as_ref());
        let is_session = is(self.session.get());
        match (&self.auth, &self.arbitrator) {
            (None, None) => Ok(Access::Full),
            _ if is_arbitrator || is_session => Ok(Access::Full),
            (Some(_), None) if is_auth => Ok(Access::Full),
            (Some(_), Some(_)) if is_auth => Ok(Access::Agent),
            (Some(_), _) if shown.is_none() => Err(Refused::NoToken("this server asks for a token")),
            (Some(_), _) => Err(Refused::NoToken("this token is not one of this server's")),
            (None, Some(_)) => Ok(Access::Anonymous),
        }
    }
}

fn random() -> Result<String, getrandom::Error> {
    let mut bytes = [0; RANDOM];
    getrandom::fill(&mut bytes)?;
    Ok(URL_SAFE_NO_PAD.encode(bytes))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn with(auth: Option<&str>, arbitrator: Option<&str>) -> Tokens {
        Tokens::new(auth.map(Secret::new), arbitrator.map(Secret::new))
    }

    #[test]
    fn every_combination_of_tokens_gives_what_it_should() {
        use Access::{Agent, Anonymous, Full};
        let (a, j) = (Some("agents"), Some("judge"));
        // What is set, and what is given to who shows nothing, something else, the agents' token, the arbitrator's.
        for (tokens, expected) in [
            (with(None, None), [Some(Full), Some(Full), Some(Full), Some(Full)]),
            (with(a, None), [None, None, Some(Full), None]),
            (with(None, j), [Some(Anonymous), Some(Anonymous), Some(Anonymous), Some(Full)]),
            (with(a, j), [None, None, Some(Agent), Some(Full)]),
        ] {
            let given = [None, Some("wrong"), a, j].map(|shown| tokens.access(shown).ok());
            assert_eq!(given, expected, "{tokens:?}");
        }
    }

    #[test]
    fn a_code_signs_in_once() {
        let tokens = with(Some("agents"), Some("judge"));
        assert!(tokens.exchange("").is_err(), "nothing was offered");
        let code = tokens.offer_code().unwrap();
        assert!(tokens.exchange("wrong").is_err());
        let session = tokens.exchange(&code).unwrap();
        assert_ne!(session, code);
        assert_eq!(tokens.access(Some(&session)).ok(), Some(Access::Full));
        assert_eq!(tokens.access(Some(&code)).ok(), None, "the code itself is no token");
        assert!(tokens.exchange(&code).is_err(), "a second time");
        assert_eq!(tokens.access(Some(&session)).ok(), Some(Access::Full));
    }

    #[test]
    fn a_code_grows_old() {
        let tokens = with(None, Some("judge"));
        let code = tokens.offer_code().unwrap();
        tokens.code.lock().unwrap().as_mut().unwrap().1 = Instant::now();
        assert!(tokens.exchange(&code).is_err());
    }

    #[test]
    fn nothing_of_a_secret_can_be_printed() {
        assert!(!format!("{:?}", with(Some("agents"), Some("judge"))).contains("agents"));
    }
}
