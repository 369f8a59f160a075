//! A client of a stream of data sends a request for a topic unless it has sent
//! one already: it asks the set, and inserts. Two callers both find the topic
//! new and send the request twice. The result of the insertion decides now.
//@ finding: Manager::subscribe
use dashmap::DashSet;
use std::sync::Mutex;

#[derive(Default)]
pub struct Manager {
    topics: DashSet<String>,
    requests: Mutex<Vec<String>>,
}

impl Manager {
    fn send(&self, topic: &str) {
        self.requests.lock().unwrap().push(topic.to_owned());
    }

    #[cfg(not(fixed))]
    pub fn subscribe(&self, topic: &str) {
        let new = !self.topics.contains(topic);
        if new {
            self.topics.insert(topic.to_owned());
            self.send(topic);
        }
    }

    #[cfg(fixed)]
    pub fn subscribe(&self, topic: &str) {
        if self.topics.insert(topic.to_owned()) {
            self.send(topic);
        }
    }

    pub fn unsubscribe(&self, topic: &str) {
        self.topics.remove(topic);
    }
}
