//! The tokens that the server accepts, and the sign-in link that it prints when it starts.

use std::{
    sync::{Mutex, OnceLock, PoisonError},
    time::{Duration, Instant},
};

use data_encoding::BASE64URL_NOPAD;
use sha2::{Digest, Sha256};
use subtle::ConstantTimeEq;

use super::wrong_tokens::WrongTokens;
use crate::http::error_response::Rejection;

/// How long the code of a sign-in link is valid.
const CODE_LIFETIME: Duration = Duration::from_secs(10 * 60);

/// The number of random bytes in a sign-in code or a session token.
const RANDOM_BYTES: usize = 32;

/// The SHA-256 digest of a secret. The secret itself is not kept in memory.
#[derive(Debug)]
pub struct Secret([u8; 32]);

impl Secret {
    /// Computes the digest of `text`.
    pub fn new(text: &str) -> Self {
        Self(Sha256::digest(text).into())
    }

    /// Compares the digests in constant time.
    fn matches(&self, given: &str) -> bool {
        self.0.ct_eq(&Self::new(given).0).into()
    }
}

/// The tokens that the server accepts.
#[derive(Debug, Default)]
pub struct Tokens {
    auth: Option<Secret>,
    arbitrator: Option<Secret>,
    /// The code of the sign-in link with its expiry, until it is used
    sign_in_code: Mutex<Option<(Secret, Instant)>>,
    /// The token of the session that the sign-in code started
    session: OnceLock<Secret>,
    wrong: WrongTokens,
}

/// What a caller may do.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::http) enum Access {
    /// Everything except rulings and interventions; the caller needs no token for that
    Anonymous,
    /// Everything except rulings and interventions; the caller has the agents' token
    Agent,
    /// Everything
    Full,
}

impl Tokens {
    /// `auth` is the agents' token; without an `arbitrator` token it also allows rulings and interventions. The `arbitrator`
    /// token allows everything.
    pub fn new(auth: Option<Secret>, arbitrator: Option<Secret>) -> Self {
        Self { auth, arbitrator, ..Self::default() }
    }

    /// Whether all requests require a token.
    pub fn always_required(&self) -> bool {
        self.auth.is_some()
    }

    /// Whether rulings and interventions need the arbitrator's token.
    pub fn required_to_rule(&self) -> bool {
        self.arbitrator.is_some()
    }

    /// Whether any requests require a token.
    pub fn ever_required(&self) -> bool {
        self.auth.is_some() || self.arbitrator.is_some()
    }

    /// What wrong tokens cost.
    pub(super) fn wrong(&self) -> &WrongTokens {
        &self.wrong
    }

    /// Creates the code of a sign-in link. It works once within ten minutes.
    ///
    /// # Errors
    /// If the operating system returns no random numbers.
    pub fn create_sign_in_code(&self) -> Result<String, getrandom::Error> {
        let code = random()?;
        let expires_at = Instant::now() + CODE_LIFETIME;
        *self.sign_in_code.lock().unwrap_or_else(PoisonError::into_inner) = Some((Secret::new(&code), expires_at));
        Ok(code)
    }

    /// Exchanges the code of a sign-in link for a token that allows everything until the server stops.
    pub(in crate::http) fn sign_in(&self, code: &str) -> Result<String, Rejection> {
        let mut current = self.sign_in_code.lock().unwrap_or_else(PoisonError::into_inner);
        let is_valid =
            current.as_ref().is_some_and(|(secret, expires_at)| secret.matches(code) && Instant::now() < *expires_at);
        if !is_valid {
            return Err(Rejection::InvalidSignInCode);
        }
        let token = random().map_err(|error| {
            tracing::error!(%error, "the operating system returned no random numbers for a session token");
            Rejection::InvalidSignInCode
        })?;
        *current = None;
        match self.session.set(Secret::new(&token)) {
            Ok(()) => Ok(token),
            Err(_) => Err(Rejection::InvalidSignInCode),
        }
    }

    /// What a caller with this token may do.
    pub(in crate::http) fn access(&self, token: Option<&str>) -> Result<Access, Rejection> {
        // The token is always compared with all three, so that the time does not tell which one matches.
        let matches = |secret: Option<&Secret>| secret.zip(token).is_some_and(|(secret, token)| secret.matches(token));
        let is_auth = matches(self.auth.as_ref());
        let is_arbitrator = matches(self.arbitrator.as_ref());
        let is_session = matches(self.session.get());
        match (&self.auth, &self.arbitrator) {
            (None, None) => Ok(Access::Full),
            _ if is_arbitrator || is_session => Ok(Access::Full),
            (Some(_), None) if is_auth => Ok(Access::Full),
            (Some(_), Some(_)) if is_auth => Ok(Access::Agent),
            (Some(_), _) if token.is_none() => Err(Rejection::AuthFailed("this server requires a token")),
            (Some(_), _) => Err(Rejection::AuthFailed("this server does not accept this token")),
            (None, Some(_)) => Ok(Access::Anonymous),
        }
    }
}

fn random() -> Result<String, getrandom::Error> {
    let mut bytes = [0; RANDOM_BYTES];
    getrandom::fill(&mut bytes)?;
    Ok(BASE64URL_NOPAD.encode(&bytes))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tokens_with(auth: Option<&str>, arbitrator: Option<&str>) -> Tokens {
        Tokens::new(auth.map(Secret::new), arbitrator.map(Secret::new))
    }

    #[test]
    fn every_combination_of_tokens_gives_the_right_access() {
        use Access::{Agent, Anonymous, Full};
        let (a, j) = (Some("agents"), Some("judge"));
        // The tokens of the server, and the access with no token, a wrong one, the agents' one and the arbitrator's one.
        for (tokens, expected) in [
            (tokens_with(None, None), [Some(Full), Some(Full), Some(Full), Some(Full)]),
            (tokens_with(a, None), [None, None, Some(Full), None]),
            (tokens_with(None, j), [Some(Anonymous), Some(Anonymous), Some(Anonymous), Some(Full)]),
            (tokens_with(a, j), [None, None, Some(Agent), Some(Full)]),
        ] {
            let given = [None, Some("wrong"), a, j].map(|token| tokens.access(token).ok());
            assert_eq!(given, expected, "{tokens:?}");
        }
    }

    #[test]
    fn a_sign_in_code_works_once() {
        let tokens = tokens_with(Some("agents"), Some("judge"));
        assert!(tokens.sign_in("").is_err(), "there is no code yet");
        let code = tokens.create_sign_in_code().unwrap();
        assert!(tokens.sign_in("wrong").is_err());
        let session = tokens.sign_in(&code).unwrap();
        assert_ne!(session, code);
        assert_eq!(tokens.access(Some(&session)).ok(), Some(Access::Full));
        assert_eq!(tokens.access(Some(&code)).ok(), None, "the code itself is not a token");
        assert!(tokens.sign_in(&code).is_err(), "used twice");
        assert_eq!(tokens.access(Some(&session)).ok(), Some(Access::Full));
    }

    #[test]
    fn a_sign_in_code_expires() {
        let tokens = tokens_with(None, Some("judge"));
        let code = tokens.create_sign_in_code().unwrap();
        tokens.sign_in_code.lock().unwrap().as_mut().unwrap().1 = Instant::now();
        assert!(tokens.sign_in(&code).is_err());
    }
}
