//! async std mutex across await.
//@ finding: Fetcher::fetch
use std::collections::HashMap;
use std::sync::{Arc, Mutex};
#[derive(Clone, Default)]
pub struct Fetcher {
    cache: Arc<Mutex<HashMap<String, Vec<u8>>>>,
}
async fn download(url: &str) -> Vec<u8> {
    url.as_bytes().to_vec()
}
impl Fetcher {
    #[cfg(not(fixed))]
    pub async fn fetch(&self, url: &str) -> usize {
        let known = self.cache.lock().unwrap().contains_key(url);
        if !known {
            let body = download(url).await;
            self.cache.lock().unwrap().insert(url.to_owned(), body);
        }
        self.cache.lock().unwrap().get(url).unwrap().len()
    }
    #[cfg(fixed)]
    pub async fn fetch(&self, url: &str) -> usize {
        if let Some(body) = self.cache.lock().unwrap().get(url) {
            return body.len();
        }
        let body = download(url).await;
        let mut cache = self.cache.lock().unwrap();
        cache.entry(url.to_owned()).or_insert(body).len()
    }
    pub fn purge(&self, url: &str) {
        self.cache.lock().unwrap().remove(url);
    }
}
