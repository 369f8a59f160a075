//! The session is found, then somebody logs out, then it is written back.
//@ finding: Sessions::touch
use std::collections::HashMap;
use std::sync::RwLock;
#[derive(Clone)]
pub struct Session {
    user: String,
    last_seen: u64,
    hits: u32,
}
pub struct Sessions {
    map: RwLock<HashMap<u64, Session>>,
}
impl Sessions {
    #[cfg(not(fixed))]
    pub fn touch(&self, id: u64, now: u64) -> bool {
        let session = self.map.read().unwrap().get(&id).cloned();
        match session {
            Some(mut session) => {
                session.last_seen = now;
                session.hits += 1;
                self.map.write().unwrap().insert(id, session);
                true
            }
            None => false,
        }
    }
    #[cfg(fixed)]
    pub fn touch(&self, id: u64, now: u64) -> bool {
        match self.map.write().unwrap().get_mut(&id) {
            Some(session) => {
                session.last_seen = now;
                session.hits += 1;
                true
            }
            None => false,
        }
    }
    pub fn login(&self, id: u64, user: String) {
        self.map.write().unwrap().insert(
            id,
            Session {
                user,
                last_seen: 0,
                hits: 0,
            },
        );
    }
    pub fn logout(&self, id: u64) -> Option<String> {
        self.map
            .write()
            .unwrap()
            .remove(&id)
            .map(|session| session.user)
    }
}
