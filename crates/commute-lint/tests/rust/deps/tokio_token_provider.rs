//! A client asks a provider for its token. The provider, an object, gives the
//! one it has if it is still good, or fetches one and keeps it. Two that find
//! it expired both fetch, and the later one replaces a newer token.
//@ finding: Cached
use std::pin::Pin;
use std::sync::Arc;
use std::time::Instant;
use tokio::sync::RwLock;

type Boxed<'a, T> = Pin<Box<dyn Future<Output = T> + Send + 'a>>;

#[derive(Clone)]
pub struct Token {
    text: String,
    until: Instant,
}

pub trait Provider: Send + Sync {
    fn token<'a>(&'a self) -> Boxed<'a, Result<Token, String>>;
}

pub struct Cached<P> {
    inner: P,
    token: RwLock<Option<Token>>,
}

impl<P: Provider> Cached<P> {
    async fn good(&self) -> Option<Token> {
        let token = self.token.read().await;
        token
            .as_ref()
            .filter(|token| token.until > Instant::now())
            .cloned()
    }

    async fn keep(&self, token: Token) {
        *self.token.write().await = Some(token);
    }
}

impl<P: Provider> Provider for Cached<P> {
    #[cfg(not(fixed))]
    fn token<'a>(&'a self) -> Boxed<'a, Result<Token, String>> {
        Box::pin(async move {
            if let Some(token) = self.good().await {
                return Ok(token);
            }
            let token = self.inner.token().await?;
            self.keep(token.clone()).await;
            Ok(token)
        })
    }

    #[cfg(fixed)]
    fn token<'a>(&'a self) -> Boxed<'a, Result<Token, String>> {
        Box::pin(async move {
            let mut kept = self.token.write().await;
            if let Some(token) = kept.as_ref().filter(|token| token.until > Instant::now()) {
                return Ok(token.clone());
            }
            let token = self.inner.token().await?;
            *kept = Some(token.clone());
            Ok(token)
        })
    }
}

pub struct Client {
    provider: Arc<dyn Provider>,
}

impl Client {
    pub async fn header(&self) -> Result<String, String> {
        Ok(self.provider.token().await?.text)
    }
}
