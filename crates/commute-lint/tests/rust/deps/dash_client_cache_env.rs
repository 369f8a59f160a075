//! Clients of a runtime are kept by name (baml #4641): it is asked whether one is
//! there, then it is fetched with `unwrap`, and removed if the environment has
//! changed. With another removing, it panics. One `get` is used, and what is
//! removed is tested once more.
//@ finding: InternalRuntime::get_client
use dashmap::DashMap;
use std::collections::HashMap;
use std::sync::Arc;

pub struct Provider {
    pub name: String,
    pub key: Option<String>,
}

#[derive(Clone)]
pub struct CachedClient {
    provider: Arc<Provider>,
    env_vars: HashMap<String, String>,
}

impl CachedClient {
    fn has_env_vars_changed(&self, now: &HashMap<String, String>) -> bool {
        self.env_vars
            .iter()
            .any(|(key, value)| now.get(key) != Some(value))
    }
}

pub struct Context {
    pub env_vars: HashMap<String, String>,
}

#[derive(Default)]
pub struct InternalRuntime {
    clients: DashMap<String, CachedClient>,
}

impl InternalRuntime {
    fn make(name: &str, context: &Context) -> Result<CachedClient, String> {
        if name.is_empty() {
            return Err("a client needs a name".to_owned());
        }
        let provider = Arc::new(Provider {
            name: name.to_owned(),
            key: context.env_vars.get("API_KEY").cloned(),
        });
        Ok(CachedClient {
            provider,
            env_vars: context.env_vars.clone(),
        })
    }

    #[cfg(not(fixed))]
    pub fn get_client(&self, name: &str, context: &Context) -> Result<Arc<Provider>, String> {
        if self.clients.contains_key(name) {
            let client = self.clients.get(name).map(|client| client.clone()).unwrap();
            if !client.has_env_vars_changed(&context.env_vars) {
                return Ok(client.provider.clone());
            }
            self.clients.remove(name);
        }
        let made = Self::make(name, context)?;
        let provider = made.provider.clone();
        self.clients.insert(name.to_owned(), made);
        Ok(provider)
    }

    #[cfg(fixed)]
    pub fn get_client(&self, name: &str, context: &Context) -> Result<Arc<Provider>, String> {
        let mut entry = match self.clients.entry(name.to_owned()) {
            dashmap::mapref::entry::Entry::Occupied(entry) => entry,
            dashmap::mapref::entry::Entry::Vacant(entry) => {
                let made = Self::make(name, context)?;
                let provider = made.provider.clone();
                entry.insert(made);
                return Ok(provider);
            }
        };
        if entry.get().has_env_vars_changed(&context.env_vars) {
            *entry.get_mut() = Self::make(name, context)?;
        }
        Ok(entry.get().provider.clone())
    }
}
