//! A service answers with boxed futures. It looks up a session for the token
//! of a request and makes one if there is none: two requests that come together
//! make two. The entry decides now.
//@ finding: call
use std::collections::HashMap;
use std::pin::Pin;
use std::sync::{Arc, Mutex};

pub trait Service<R> {
    type Response;
    type Future: Future<Output = Self::Response>;
    fn call(&mut self, request: R) -> Self::Future;
}

pub struct Request {
    token: String,
}

#[derive(Clone, Default)]
pub struct Login {
    sessions: Arc<Mutex<HashMap<String, u64>>>,
}

async fn session_id() -> u64 {
    tokio::task::yield_now().await;
    7
}

impl Service<Request> for Login {
    type Response = u64;
    type Future = Pin<Box<dyn Future<Output = u64> + Send>>;

    #[cfg(not(fixed))]
    fn call(&mut self, request: Request) -> Self::Future {
        let sessions = self.sessions.clone();
        Box::pin(async move {
            let known = sessions.lock().unwrap().get(&request.token).copied();
            if let Some(id) = known {
                return id;
            }
            let id = session_id().await;
            sessions.lock().unwrap().insert(request.token, id);
            id
        })
    }

    #[cfg(fixed)]
    fn call(&mut self, request: Request) -> Self::Future {
        let sessions = self.sessions.clone();
        Box::pin(async move {
            let id = session_id().await;
            let mut sessions = sessions.lock().unwrap();
            *sessions.entry(request.token).or_insert(id)
        })
    }
}
