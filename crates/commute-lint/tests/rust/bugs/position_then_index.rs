//! position then index.
//@ finding: Subscribers::notify
use std::sync::RwLock;
pub struct Subscriber {
    pub id: u32,
    pub count: u64,
}
pub struct Subscribers {
    list: RwLock<Vec<Subscriber>>,
}
impl Subscribers {
    pub fn subscribe(&self, id: u32) {
        self.list.write().unwrap().push(Subscriber { id, count: 0 });
    }
    pub fn unsubscribe(&self, id: u32) {
        self.list.write().unwrap().retain(|s| s.id != id);
    }
    #[cfg(not(fixed))]
    pub fn notify(&self, id: u32) {
        let found = self.list.read().unwrap().iter().position(|s| s.id == id);
        if let Some(index) = found {
            self.list.write().unwrap()[index].count += 1;
        }
    }
    #[cfg(fixed)]
    pub fn notify(&self, id: u32) {
        let mut list = self.list.write().unwrap();
        if let Some(subscriber) = list.iter_mut().find(|s| s.id == id) {
            subscriber.count += 1;
        }
    }
}
