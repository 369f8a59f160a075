//! A search server numbers its tasks: the next identifier is one more than the
//! greatest that is stored. It is asked for first, and the task is stored
//! later; two requests get the same one, and one task replaces the other.
//@ finding: TaskStore::register
use std::collections::BTreeMap;
use std::sync::{Arc, RwLock};

#[derive(Clone)]
pub struct Task {
    pub id: u32,
    pub index: String,
    pub kind: Kind,
}

#[derive(Clone, Copy)]
pub enum Kind {
    Add,
    Delete,
}

#[derive(Clone, Default)]
pub struct TaskStore {
    tasks: Arc<RwLock<BTreeMap<u32, Task>>>,
}

impl TaskStore {
    #[cfg(not(fixed))]
    fn next_id(&self) -> u32 {
        let tasks = self.tasks.read().unwrap();
        tasks.last_key_value().map_or(0, |(id, _)| id + 1)
    }

    #[cfg(not(fixed))]
    fn put(&self, task: &Task) {
        self.tasks.write().unwrap().insert(task.id, task.clone());
    }

    #[cfg(not(fixed))]
    pub fn register(&self, index: &str, kind: Kind) -> Task {
        let task = Task {
            id: self.next_id(),
            index: index.to_owned(),
            kind,
        };
        self.put(&task);
        task
    }

    #[cfg(fixed)]
    pub fn register(&self, index: &str, kind: Kind) -> Task {
        let mut tasks = self.tasks.write().unwrap();
        let task = Task {
            id: tasks.last_key_value().map_or(0, |(id, _)| id + 1),
            index: index.to_owned(),
            kind,
        };
        tasks.insert(task.id, task.clone());
        task
    }

    pub fn pending(&self) -> usize {
        self.tasks.read().unwrap().len()
    }
}
