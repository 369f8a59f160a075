//! Two subscribers of a new topic make it twice; one gets no messages.
//@ finding: Hub::topic
use std::collections::HashMap;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex};

#[derive(Default)]
pub struct Topic {
    subscribers: Mutex<Vec<Sender<String>>>,
}

#[derive(Default)]
pub struct Hub {
    topics: Mutex<HashMap<String, Arc<Topic>>>,
}

impl Hub {
    #[cfg(not(fixed))]
    fn topic(&self, name: &str) -> Arc<Topic> {
        let known = match self.topics.lock().unwrap().get(name) {
            Some(topic) => Some(Arc::clone(topic)),
            None => None,
        };
        match known {
            Some(topic) => topic,
            None => {
                let topic = Arc::new(Topic::default());
                let mut topics = self.topics.lock().unwrap();
                topics.insert(name.to_owned(), Arc::clone(&topic));
                topic
            }
        }
    }
    #[cfg(fixed)]
    fn topic(&self, name: &str) -> Arc<Topic> {
        let mut topics = self.topics.lock().unwrap();
        match topics.get(name) {
            Some(topic) => Arc::clone(topic),
            None => {
                let topic = Arc::new(Topic::default());
                topics.insert(name.to_owned(), Arc::clone(&topic));
                topic
            }
        }
    }
    pub fn subscribe(&self, name: &str) -> Receiver<String> {
        let (sender, receiver) = channel();
        let topic = self.topic(name);
        topic.subscribers.lock().unwrap().push(sender);
        receiver
    }
    pub fn publish(&self, name: &str, text: &str) -> usize {
        let topic = self.topic(name);
        let mut subscribers = topic.subscribers.lock().unwrap();
        subscribers.retain(|subscriber| subscriber.send(text.to_owned()).is_ok());
        subscribers.len()
    }
}
