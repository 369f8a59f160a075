//! Sessions with helper processes are kept by name. A call that fails removes
//! the session of that name and kills it; it may be a newer one that another
//! call has opened meanwhile. It is now removed only if it is the same.
//@ finding: Sessions::call
use std::collections::HashMap;
use std::sync::Arc;
use tokio::sync::Mutex;

#[derive(Default)]
pub struct Session {
    alive: bool,
    sent: u64,
}

impl Session {
    async fn exchange(&mut self) -> Result<u64, String> {
        tokio::task::yield_now().await;
        self.sent += 1;
        if self.alive {
            Ok(self.sent)
        } else {
            Err("the pipe is broken".to_owned())
        }
    }
}

#[derive(Default)]
pub struct Sessions {
    sessions: Mutex<HashMap<String, Arc<Mutex<Session>>>>,
}

impl Sessions {
    async fn get_or_open(&self, id: &str) -> Arc<Mutex<Session>> {
        let mut sessions = self.sessions.lock().await;
        sessions.entry(id.to_owned()).or_default().clone()
    }

    pub async fn call(&self, id: &str) -> Result<u64, String> {
        let session = self.get_or_open(id).await;
        let response = session.lock().await.exchange().await;
        if response.is_err() {
            let mut sessions = self.sessions.lock().await;
            #[cfg(not(fixed))]
            sessions.remove(id);
            #[cfg(fixed)]
            if sessions
                .get(id)
                .is_some_and(|current| Arc::ptr_eq(current, &session))
            {
                sessions.remove(id);
            }
        }
        response
    }
}
