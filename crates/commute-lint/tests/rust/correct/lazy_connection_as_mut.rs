//! `as_ref` decides under the lock that is still held.
use std::sync::Mutex;

pub struct Link {
    sent: u64,
}

#[derive(Default)]
pub struct Sender {
    link: Mutex<Option<Link>>,
}

impl Sender {
    fn connect(&self) -> std::io::Result<Link> {
        Ok(Link { sent: 0 })
    }
    pub fn send(&self, bytes: u64) -> std::io::Result<u64> {
        if self.link.lock().unwrap().is_none() {
            let fresh = self.connect()?;
            let mut link = self.link.lock().unwrap();
            if link.as_ref().is_none() {
                *link = Some(fresh);
            }
        }
        match self.link.lock().unwrap().as_mut() {
            Some(link) => {
                link.sent += bytes;
                Ok(link.sent)
            }
            None => Err(std::io::ErrorKind::NotConnected.into()),
        }
    }
    pub fn close(&self) {
        *self.link.lock().unwrap() = None;
    }
}
