//! Handlers of a web server get the state of the application from an extractor.
//! One looks whether a name is taken, hashes the password, and adds the user:
//! two that register at once both have the name. The entry is now looked at
//! again under the lock that adds.
//@ finding: register
use std::collections::HashMap;
use std::sync::Arc;
use tokio::sync::RwLock;

pub struct State<S>(pub S);
pub struct Json<T>(pub T);

pub struct App {
    users: RwLock<HashMap<String, String>>,
}

pub struct Registration {
    name: String,
    password: String,
}

async fn hash(password: String) -> String {
    tokio::task::yield_now().await;
    password
}

#[cfg(not(fixed))]
async fn register(
    State(app): State<Arc<App>>,
    Json(registration): Json<Registration>,
) -> Result<u16, u16> {
    if app.users.read().await.contains_key(&registration.name) {
        return Err(409);
    }
    let hashed = hash(registration.password).await;
    let mut users = app.users.write().await;
    users.insert(registration.name, hashed);
    Ok(201)
}

#[cfg(fixed)]
async fn register(
    State(app): State<Arc<App>>,
    Json(registration): Json<Registration>,
) -> Result<u16, u16> {
    if app.users.read().await.contains_key(&registration.name) {
        return Err(409);
    }
    let hashed = hash(registration.password).await;
    let mut users = app.users.write().await;
    if users.contains_key(&registration.name) {
        return Err(409);
    }
    users.insert(registration.name, hashed);
    Ok(201)
}

pub struct Router;

impl Router {
    pub fn post<F, R>(self, _: &str, _: F) -> Router
    where
        F: Fn(State<Arc<App>>, Json<Registration>) -> R + Send + Sync + 'static,
        R: Future<Output = Result<u16, u16>> + Send,
    {
        self
    }
}

pub fn routes() -> Router {
    Router.post("/users", register)
}
