//! Credentials of a cloud service are cached until they expire. Whoever sees
//! under the read lock that they are, fetches new ones under the write lock:
//! everybody who waited for it fetches again, and the service refuses.
//@ finding: Credentials::token
use std::sync::RwLock;
use std::time::{Duration, Instant};

#[derive(Clone)]
pub struct Token {
    text: String,
    expires: Instant,
}

impl Token {
    fn expired(&self) -> bool {
        self.expires <= Instant::now()
    }
}

pub trait Provider {
    fn fetch(&self) -> Result<String, String>;
}

pub struct Credentials<P> {
    provider: P,
    cached: RwLock<Option<Token>>,
}

impl<P: Provider> Credentials<P> {
    pub fn token(&self) -> Result<String, String> {
        if let Some(token) = &*self.cached.read().unwrap() {
            if !token.expired() {
                return Ok(token.text.clone());
            }
        }
        let mut cached = self.cached.write().unwrap();
        #[cfg(fixed)]
        if let Some(token) = &*cached {
            if !token.expired() {
                return Ok(token.text.clone());
            }
        }
        let text = self.provider.fetch()?;
        *cached = Some(Token {
            text: text.clone(),
            expires: Instant::now() + Duration::from_secs(3600),
        });
        Ok(text)
    }

    pub fn forget(&self) {
        *self.cached.write().unwrap() = None;
    }
}
