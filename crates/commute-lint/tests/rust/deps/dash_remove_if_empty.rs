//! dash remove if empty.
//@ finding: Topics::unsubscribe
use dashmap::DashMap;
pub struct Topics {
    topics: DashMap<String, Vec<u64>>,
}
impl Topics {
    pub fn subscribe(&self, topic: &str, id: u64) {
        self.topics.entry(topic.to_owned()).or_default().push(id);
    }
    #[cfg(not(fixed))]
    pub fn unsubscribe(&self, topic: &str, id: u64) {
        let mut empty = false;
        if let Some(mut list) = self.topics.get_mut(topic) {
            list.retain(|other| *other != id);
            empty = list.is_empty();
        }
        if empty {
            self.topics.remove(topic);
        }
    }
    #[cfg(fixed)]
    pub fn unsubscribe(&self, topic: &str, id: u64) {
        if let Some(mut list) = self.topics.get_mut(topic) {
            list.retain(|other| *other != id);
        }
        self.topics.remove_if(topic, |_, list| list.is_empty());
    }
}
