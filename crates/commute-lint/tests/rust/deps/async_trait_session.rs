//! A web framework keeps sessions in a store that is an object with boxed
//! futures, as `async_trait` makes them. A request loads its session, changes
//! it and saves it: of two requests of one user one is lost. The store now
//! changes a session itself.
//@ finding: Sessions::add_to_cart
use std::collections::HashMap;
use std::pin::Pin;
use std::sync::Arc;
use tokio::sync::RwLock;

#[derive(Clone, Default)]
pub struct Session {
    cart: Vec<u64>,
}

pub trait SessionStore: Send + Sync {
    fn load<'life0, 'life1, 'async_trait>(
        &'life0 self,
        id: &'life1 str,
    ) -> Pin<Box<dyn Future<Output = Result<Option<Session>, String>> + Send + 'async_trait>>
    where
        'life0: 'async_trait,
        'life1: 'async_trait,
        Self: 'async_trait;

    fn save<'life0, 'async_trait>(
        &'life0 self,
        id: String,
        session: Session,
    ) -> Pin<Box<dyn Future<Output = Result<(), String>> + Send + 'async_trait>>
    where
        'life0: 'async_trait,
        Self: 'async_trait;

    fn add<'life0, 'async_trait>(
        &'life0 self,
        id: String,
        article: u64,
    ) -> Pin<Box<dyn Future<Output = Result<(), String>> + Send + 'async_trait>>
    where
        'life0: 'async_trait,
        Self: 'async_trait;
}

#[derive(Default)]
pub struct MemoryStore {
    sessions: RwLock<HashMap<String, Session>>,
}

impl SessionStore for MemoryStore {
    fn load<'life0, 'life1, 'async_trait>(
        &'life0 self,
        id: &'life1 str,
    ) -> Pin<Box<dyn Future<Output = Result<Option<Session>, String>> + Send + 'async_trait>>
    where
        'life0: 'async_trait,
        'life1: 'async_trait,
        Self: 'async_trait,
    {
        Box::pin(async move {
            let __self = self;
            let id = id;
            let __ret: Result<Option<Session>, String> =
                { Ok(__self.sessions.read().await.get(id).cloned()) };
            __ret
        })
    }

    fn save<'life0, 'async_trait>(
        &'life0 self,
        id: String,
        session: Session,
    ) -> Pin<Box<dyn Future<Output = Result<(), String>> + Send + 'async_trait>>
    where
        'life0: 'async_trait,
        Self: 'async_trait,
    {
        Box::pin(async move {
            let __self = self;
            let id = id;
            let session = session;
            let __ret: Result<(), String> = {
                __self.sessions.write().await.insert(id, session);
                Ok(())
            };
            __ret
        })
    }

    fn add<'life0, 'async_trait>(
        &'life0 self,
        id: String,
        article: u64,
    ) -> Pin<Box<dyn Future<Output = Result<(), String>> + Send + 'async_trait>>
    where
        'life0: 'async_trait,
        Self: 'async_trait,
    {
        Box::pin(async move {
            let __self = self;
            let mut sessions = __self.sessions.write().await;
            sessions.entry(id).or_default().cart.push(article);
            Ok(())
        })
    }
}

pub struct Sessions {
    store: Arc<dyn SessionStore>,
}

impl Sessions {
    #[cfg(not(fixed))]
    pub async fn add_to_cart(&self, id: &str, article: u64) -> Result<(), String> {
        let mut session = self.store.load(id).await?.unwrap_or_default();
        session.cart.push(article);
        self.store.save(id.to_owned(), session).await
    }

    #[cfg(fixed)]
    pub async fn add_to_cart(&self, id: &str, article: u64) -> Result<(), String> {
        self.store.add(id.to_owned(), article).await
    }
}
