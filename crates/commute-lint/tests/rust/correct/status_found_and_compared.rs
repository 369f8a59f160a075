//! What is found again is looked into before it is changed.
use std::collections::HashMap;
use std::sync::Mutex;

pub struct Task {
    attempts: u32,
    running: bool,
}

#[derive(Default)]
pub struct Tasks {
    tasks: Mutex<HashMap<u64, Task>>,
}

fn prepare(id: u64) -> bool {
    id % 7 != 3
}

impl Tasks {
    pub fn add(&self, id: u64) {
        let task = Task { attempts: 0, running: false };
        self.tasks.lock().unwrap().insert(id, task);
    }
    pub fn start(&self, id: u64) -> bool {
        let idle = {
            let tasks = self.tasks.lock().unwrap();
            tasks.get(&id).is_some_and(|task| !task.running)
        };
        if !idle || !prepare(id) {
            return false;
        }
        let mut tasks = self.tasks.lock().unwrap();
        match tasks.get_mut(&id) {
            Some(task) if !task.running => {
                task.running = true;
                task.attempts += 1;
                true
            }
            _ => false,
        }
    }
    pub fn stop(&self, id: u64) {
        if let Some(task) = self.tasks.lock().unwrap().get_mut(&id) {
            task.running = false;
        }
    }
}
