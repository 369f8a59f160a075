//! The length of a queue is told to people before something is added.
use std::collections::VecDeque;
use std::sync::Mutex;
use std::time::Instant;

pub struct Mail {
    to: String,
    queued: Instant,
}

#[derive(Default)]
pub struct Outbox {
    mails: Mutex<VecDeque<Mail>>,
}

impl Outbox {
    fn backlog(&self) -> usize {
        self.mails.lock().unwrap().len()
    }
    pub fn send(&self, to: &str) {
        let backlog = self.backlog();
        if backlog > 100 {
            eprintln!("warning: {backlog} mails wait");
        } else {
            println!("{backlog} mails wait");
        }
        let mail = Mail {
            to: to.to_owned(),
            queued: Instant::now(),
        };
        self.mails.lock().unwrap().push_back(mail);
    }
    pub fn next(&self) -> Option<String> {
        let mail = self.mails.lock().unwrap().pop_front()?;
        println!("waited {:?}", mail.queued.elapsed());
        Some(mail.to)
    }
}
