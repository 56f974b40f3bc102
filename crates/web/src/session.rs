//! Who may ask: whoever holds the printed address, from a page that this server sent.
//!
//! The address carries a token in its fragment, which browsers do not send; the page exchanges it, once, for a key, and
//! keeps that for its tabs. Every other request carries the key in a header, which pages of other origins cannot add.
//! Cookies are not used: they are shared among all ports of a host.

use std::sync::{Mutex, PoisonError};

use axum::http::header::{AUTHORIZATION, HOST, ORIGIN};
use axum::http::{HeaderMap, HeaderValue};

/// The secrets of a server.
pub struct Session {
    port: u16,
    key: String,
    /// Tokens that were printed and not used.
    tokens: Mutex<Vec<String>>,
}

/// Why a request is refused.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Refusal {
    /// The name in the address is not this machine's: another name may have been made to point here.
    Host,
    /// Another site's page asks.
    Origin,
    /// The key is missing or wrong.
    Key,
}

impl Session {
    /// New secrets for a server on a port.
    pub fn new(port: u16) -> Result<Session, String> {
        let session = Session {
            port,
            key: secret()?,
            tokens: Mutex::new(vec![secret()?]),
        };
        Ok(session)
    }

    /// The address with a token that serves once.
    pub fn address(&self) -> String {
        let tokens = self.tokens.lock().unwrap_or_else(PoisonError::into_inner);
        let token = tokens.last().cloned().unwrap_or_default();
        format!("http://127.0.0.1:{}/#token={token}", self.port)
    }

    /// The key for a token, which is spent then.
    pub fn exchange(&self, token: &str) -> Option<String> {
        let mut tokens = self.tokens.lock().unwrap_or_else(PoisonError::into_inner);
        let place = tokens.iter().position(|one| same(one, token))?;
        tokens.remove(place);
        Some(self.key.clone())
    }

    /// Makes a new token and tells the address: for another browser.
    pub fn another(&self) -> Result<String, String> {
        let mut tokens = self.tokens.lock().unwrap_or_else(PoisonError::into_inner);
        tokens.clear();
        tokens.push(secret()?);
        drop(tokens);
        Ok(self.address())
    }

    /// Whether a request names this server and comes from nowhere else.
    pub fn at_home(&self, headers: &HeaderMap) -> Result<(), Refusal> {
        let names = ["127.0.0.1", "localhost", "[::1]"];
        let host = headers.get(HOST).and_then(|value| value.to_str().ok());
        let is_ours = |text: &str| {
            let own = |name: &&str| text == format!("{name}:{}", self.port);
            names.iter().any(own)
        };
        if !host.is_some_and(is_ours) {
            return Err(Refusal::Host);
        }
        let Some(origin) = headers.get(ORIGIN) else {
            return Ok(());
        };
        let origin = origin
            .to_str()
            .ok()
            .and_then(|one| one.strip_prefix("http://"));
        match origin.is_some_and(is_ours) {
            true => Ok(()),
            false => Err(Refusal::Origin),
        }
    }

    /// Whether a request carries the key.
    pub fn has_key(&self, headers: &HeaderMap) -> Result<(), Refusal> {
        let given = headers.get(AUTHORIZATION).map(HeaderValue::as_bytes);
        let given = given.and_then(|value| value.strip_prefix(b"Bearer "));
        match given.is_some_and(|key| same_bytes(key, self.key.as_bytes())) {
            true => Ok(()),
            false => Err(Refusal::Key),
        }
    }
}

/// 128 random bits.
fn secret() -> Result<String, String> {
    let mut bytes = [0; 16];
    getrandom::fill(&mut bytes).map_err(|error| format!("no random numbers: {error}"))?;
    Ok(bytes.iter().map(|byte| format!("{byte:02x}")).collect())
}

fn same(one: &str, other: &str) -> bool {
    same_bytes(one.as_bytes(), other.as_bytes())
}

/// Compares in a time that does not tell how much is right.
fn same_bytes(one: &[u8], other: &[u8]) -> bool {
    let differ = one.iter().zip(other).fold(0, |sum, (a, b)| sum | (a ^ b));
    one.len() == other.len() && differ == 0
}

#[cfg(test)]
mod tests {
    use super::{Refusal, Session};
    use axum::http::HeaderMap;

    fn headers(pairs: &[(&'static str, &str)]) -> HeaderMap {
        let parse =
            |(name, value): &(&'static str, &str)| (name.parse().unwrap(), value.parse().unwrap());
        pairs.iter().map(parse).collect()
    }

    #[test]
    fn a_token_serves_once() {
        let session = Session::new(4000).unwrap();
        let address = session.address();
        let (_, token) = address.split_once("#token=").unwrap();
        assert_eq!(session.exchange("0"), None);
        let key = session.exchange(token).unwrap();
        assert_eq!(session.exchange(token), None);
        assert_eq!(
            session.has_key(&headers(&[("authorization", &format!("Bearer {key}"))])),
            Ok(())
        );
        let wrong = format!("Bearer {}", &key[1..]);
        assert_eq!(
            session.has_key(&headers(&[("authorization", &wrong)])),
            Err(Refusal::Key)
        );
        assert_eq!(session.has_key(&headers(&[])), Err(Refusal::Key));
    }

    #[test]
    fn other_names_and_other_sites_are_refused() {
        let session = Session::new(4000).unwrap();
        let check = |pairs: &[(&'static str, &str)]| session.at_home(&headers(pairs));
        assert_eq!(check(&[("host", "127.0.0.1:4000")]), Ok(()));
        assert_eq!(
            check(&[
                ("host", "localhost:4000"),
                ("origin", "http://localhost:4000")
            ]),
            Ok(())
        );
        assert_eq!(check(&[("host", "evil.example:4000")]), Err(Refusal::Host));
        assert_eq!(check(&[("host", "127.0.0.1:4001")]), Err(Refusal::Host));
        assert_eq!(check(&[]), Err(Refusal::Host));
        let foreign = [
            ("host", "127.0.0.1:4000"),
            ("origin", "https://evil.example"),
        ];
        assert_eq!(check(&foreign), Err(Refusal::Origin));
        let opaque = [("host", "127.0.0.1:4000"), ("origin", "null")];
        assert_eq!(check(&opaque), Err(Refusal::Origin));
    }
}
