//! One request works with one configuration, whatever is loaded meanwhile.
use std::sync::{Arc, Mutex, RwLock};

pub struct Config {
    pub greeting: String,
    pub limit: usize,
}

pub struct Server {
    config: RwLock<Arc<Config>>,
    answers: Mutex<Vec<String>>,
}

impl Server {
    pub fn new(config: Config) -> Server {
        Server {
            config: RwLock::new(Arc::new(config)),
            answers: Mutex::new(Vec::new()),
        }
    }
    fn config(&self) -> Arc<Config> {
        Arc::clone(&self.config.read().unwrap())
    }
    pub fn reload(&self, config: Config) {
        *self.config.write().unwrap() = Arc::new(config);
    }
    pub fn handle(&self, name: &str) -> String {
        let config = self.config();
        let mut answer = format!("{} {name}", config.greeting);
        answer.truncate(config.limit);
        self.answers.lock().unwrap().push(answer.clone());
        answer
    }
    pub fn answers(&self) -> usize {
        self.answers.lock().unwrap().len()
    }
}
