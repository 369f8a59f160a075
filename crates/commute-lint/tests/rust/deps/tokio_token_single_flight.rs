//! Tokens of a service account are cached by scope. Tasks that find an expired
//! one all fetch a new one, and the metadata server refuses. A mutex is now
//! held while one fetches, and the cache is looked at again under it.
//@ finding: Manager::get_token
use std::collections::HashMap;
use std::time::{Duration, Instant};
use tokio::sync::{Mutex, RwLock};

#[derive(Clone)]
pub struct Token {
    value: String,
    expires: Instant,
}

impl Token {
    fn has_expired(&self) -> bool {
        Instant::now() >= self.expires
    }
}

#[derive(Default)]
pub struct Manager {
    tokens: RwLock<HashMap<String, Token>>,
    refresh: Mutex<()>,
}

async fn fetch(scope: &str) -> Result<Token, String> {
    tokio::task::yield_now().await;
    Ok(Token {
        value: scope.to_owned(),
        expires: Instant::now() + Duration::from_secs(60),
    })
}

impl Manager {
    async fn cached(&self, scope: &str) -> Option<Token> {
        self.tokens.read().await.get(scope).cloned()
    }

    pub async fn get_token(&self, scope: &str) -> Result<Token, String> {
        #[cfg(fixed)]
        let _refresh = self.refresh.lock().await;
        if let Some(token) = self.cached(scope).await {
            if !token.has_expired() {
                return Ok(token);
            }
        }
        let token = fetch(scope).await?;
        let mut tokens = self.tokens.write().await;
        tokens.insert(scope.to_owned(), token.clone());
        Ok(token)
    }
}
