//! A bot counts how often it was greeted and answers with the number. It adds
//! one and loads: two greetings get the same number, and one number is never
//! said. What the addition returns is used now.
//@ finding: on_message
use std::collections::HashMap;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU32, Ordering};

#[derive(Default)]
pub struct Data {
    mentions: AtomicU32,
    replies: Mutex<HashMap<u32, String>>,
}

#[cfg(not(fixed))]
pub fn on_message(data: &Data, author: &str, text: &str) {
    if text.contains("hello") {
        data.mentions.fetch_add(1, Ordering::SeqCst);
        let number = data.mentions.load(Ordering::SeqCst);
        let reply = format!("{author} is number {number}");
        data.replies.lock().unwrap().insert(number, reply);
    }
}

#[cfg(fixed)]
pub fn on_message(data: &Data, author: &str, text: &str) {
    if text.contains("hello") {
        let number = data.mentions.fetch_add(1, Ordering::SeqCst) + 1;
        let reply = format!("{author} is number {number}");
        data.replies.lock().unwrap().insert(number, reply);
    }
}
