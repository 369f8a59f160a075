//! A session is copied, changed, and put back over what others wrote.
//@ finding: Sessions::rotate
use std::collections::HashMap;
use std::sync::RwLock;
use std::time::{Duration, Instant};

#[derive(Clone)]
pub struct Session {
    user: u64,
    token: String,
    hits: u32,
    expires: Instant,
}

#[derive(Default)]
pub struct Sessions {
    by_id: RwLock<HashMap<String, Session>>,
}

fn fresh_token(user: u64) -> String {
    format!("{user:x}-{:?}", Instant::now())
}

impl Sessions {
    pub fn create(&self, id: &str, user: u64) {
        let session = Session {
            user,
            token: fresh_token(user),
            hits: 0,
            expires: Instant::now() + Duration::from_secs(600),
        };
        self.by_id.write().unwrap().insert(id.to_owned(), session);
    }
    pub fn hit(&self, id: &str) -> bool {
        let mut by_id = self.by_id.write().unwrap();
        match by_id.get_mut(id) {
            Some(session) => {
                session.hits += 1;
                true
            }
            None => false,
        }
    }
    pub fn logout(&self, id: &str) {
        self.by_id.write().unwrap().remove(id);
    }
    #[cfg(not(fixed))]
    pub fn rotate(&self, id: &str) -> Option<String> {
        let mut session = self.by_id.read().unwrap().get(id).cloned()?;
        if session.expires < Instant::now() {
            return None;
        }
        session.token = fresh_token(session.user);
        let token = session.token.clone();
        self.by_id.write().unwrap().insert(id.to_owned(), session);
        Some(token)
    }
    #[cfg(fixed)]
    pub fn rotate(&self, id: &str) -> Option<String> {
        let mut by_id = self.by_id.write().unwrap();
        let session = by_id.get_mut(id)?;
        if session.expires < Instant::now() {
            return None;
        }
        session.token = fresh_token(session.user);
        Some(session.token.clone())
    }
}
