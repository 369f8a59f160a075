//! Config reload, as far as the cases use it.
use std::sync::{Arc, RwLock};
#[derive(Default)]
pub struct Config {
    pub limit: usize,
    pub name: String,
}
pub struct Live {
    config: RwLock<Arc<Config>>,
}
impl Live {
    pub fn current(&self) -> Arc<Config> {
        self.config.read().unwrap().clone()
    }
    pub fn reload(&self, text: &str) -> Result<(), std::num::ParseIntError> {
        let limit = text.trim().parse()?;
        let config = Arc::new(Config {
            limit,
            name: text.to_owned(),
        });
        *self.config.write().unwrap() = config;
        Ok(())
    }
    pub fn allowed(&self, n: usize) -> bool {
        let config = self.current();
        n < config.limit && !config.name.is_empty()
    }
}
