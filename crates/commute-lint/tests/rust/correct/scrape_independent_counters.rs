//! Counters that have nothing to do with each other are read for a report.
use std::collections::BTreeMap;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};

#[derive(Default)]
pub struct Metrics {
    requests: AtomicU64,
    errors: AtomicU64,
    by_route: Mutex<BTreeMap<String, u64>>,
}

impl Metrics {
    pub fn request(&self, route: &str) {
        self.requests.fetch_add(1, Ordering::Relaxed);
        let mut by_route = self.by_route.lock().unwrap();
        *by_route.entry(route.to_owned()).or_insert(0) += 1;
    }
    pub fn error(&self) {
        self.errors.fetch_add(1, Ordering::Relaxed);
    }
    fn routes(&self) -> Vec<(String, u64)> {
        let by_route = self.by_route.lock().unwrap();
        by_route.iter().map(|(route, count)| (route.clone(), *count)).collect()
    }
    pub fn render(&self) -> String {
        let mut text = String::new();
        let requests = self.requests.load(Ordering::Relaxed);
        let errors = self.errors.load(Ordering::Relaxed);
        text.push_str(&format!("requests {requests}\nerrors {errors}\n"));
        for (route, count) in self.routes() {
            text.push_str(&format!("requests{{route={route:?}}} {count}\n"));
        }
        text
    }
}
