//! The time is written now and then; which of two that are new stays does not
//! matter to anybody.
use std::collections::HashMap;
use std::sync::RwLock;
pub struct Session {
    last_seen: u64,
    user: String,
}
#[derive(Default)]
pub struct Sessions {
    all: RwLock<HashMap<u64, Session>>,
}
impl Sessions {
    pub fn start(&self, id: u64, user: &str) {
        self.all.write().unwrap().insert(
            id,
            Session {
                last_seen: 0,
                user: user.to_owned(),
            },
        );
    }
    pub fn seen(&self, id: u64, now: u64) -> bool {
        let old = match self.all.read().unwrap().get(&id) {
            Some(session) => now - session.last_seen > 60,
            None => return false,
        };
        if old {
            if let Some(session) = self.all.write().unwrap().get_mut(&id) {
                session.last_seen = now;
            }
        }
        true
    }
    pub fn user(&self, id: u64) -> Option<String> {
        self.all.read().unwrap().get(&id).map(|s| s.user.clone())
    }
}
