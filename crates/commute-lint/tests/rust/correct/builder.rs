//! Builder, as far as the cases use it.
use std::sync::{Arc, Mutex};
#[derive(Default)]
pub struct Builder {
    names: Vec<String>,
    limit: Option<usize>,
}
pub struct Built {
    names: Mutex<Vec<String>>,
    limit: usize,
}
impl Builder {
    pub fn name(mut self, name: &str) -> Builder {
        if !self.names.iter().any(|n| n == name) {
            self.names.push(name.to_owned());
        }
        self
    }
    pub fn limit(&mut self, limit: usize) -> &mut Builder {
        if self.limit.is_none() {
            self.limit = Some(limit);
        }
        self
    }
    pub fn build(self) -> Arc<Built> {
        Arc::new(Built {
            names: Mutex::new(self.names),
            limit: self.limit.unwrap_or(8),
        })
    }
}
impl Built {
    pub fn len(&self) -> usize {
        self.names.lock().unwrap().len().min(self.limit)
    }
}
