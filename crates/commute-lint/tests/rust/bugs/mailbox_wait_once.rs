//! Who is woken takes for granted that there is a message, by `if`.
//@ finding: Mailbox::receive
use std::collections::VecDeque;
use std::sync::{Condvar, Mutex};

pub struct Message {
    pub from: u32,
    pub body: String,
}

#[derive(Default)]
pub struct Mailbox {
    messages: Mutex<VecDeque<Message>>,
    arrived: Condvar,
}

impl Mailbox {
    pub fn deliver(&self, from: u32, body: &str) {
        let message = Message {
            from,
            body: body.to_owned(),
        };
        self.messages.lock().unwrap().push_back(message);
        self.arrived.notify_all();
    }
    #[cfg(not(fixed))]
    pub fn receive(&self) -> Message {
        let mut messages = self.messages.lock().unwrap();
        if messages.is_empty() {
            messages = self.arrived.wait(messages).unwrap();
        }
        messages.pop_front().expect("there is one now")
    }
    #[cfg(fixed)]
    pub fn receive(&self) -> Message {
        let mut messages = self.messages.lock().unwrap();
        while messages.is_empty() {
            messages = self.arrived.wait(messages).unwrap();
        }
        messages.pop_front().expect("there is one now")
    }
    pub fn pending(&self) -> usize {
        self.messages.lock().unwrap().len()
    }
}
