//! A planner sends the next version through a channel to who applies it.
//@ finding: start
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex};
use std::thread;

#[derive(Default)]
pub struct Document {
    version: u64,
    text: String,
}

pub struct Edit {
    version: u64,
    insert: String,
}

fn apply(document: &Mutex<Document>, edits: Receiver<Edit>) {
    for edit in edits {
        let mut document = document.lock().unwrap();
        #[cfg(not(fixed))]
        {
            document.version = edit.version;
        }
        #[cfg(fixed)]
        {
            document.version += 1;
        }
        document.text.push_str(&edit.insert);
    }
}

fn plan(document: &Mutex<Document>, edits: Sender<Edit>, words: Vec<String>) {
    for insert in words {
        #[cfg(not(fixed))]
        let version = document.lock().unwrap().version + 1;
        #[cfg(fixed)]
        let version = 0;
        if edits.send(Edit { version, insert }).is_err() {
            break;
        }
    }
}

pub fn start(document: Arc<Mutex<Document>>, words: Vec<String>) {
    let (sender, receiver) = channel();
    let applied = Arc::clone(&document);
    thread::spawn(move || apply(&applied, receiver));
    thread::spawn(move || plan(&document, sender, words));
}

pub fn revert(document: &Mutex<Document>) {
    let mut document = document.lock().unwrap();
    document.version += 1;
    document.text.clear();
}
