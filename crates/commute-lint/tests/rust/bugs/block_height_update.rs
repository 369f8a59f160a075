//! block height update.
//@ finding: Chain::set_head
use std::sync::RwLock;
#[derive(Clone, Debug)]
pub struct Header {
    pub height: u64,
    pub hash: [u8; 32],
}
pub struct Chain {
    head: RwLock<Header>,
}
impl Chain {
    pub fn head(&self) -> Header {
        self.head.read().unwrap().clone()
    }
    #[cfg(not(fixed))]
    pub fn set_head(&self, header: Header) -> bool {
        if self.head().height >= header.height {
            return false;
        }
        *self.head.write().unwrap() = header;
        true
    }
    #[cfg(fixed)]
    pub fn set_head(&self, header: Header) -> bool {
        let mut head = self.head.write().unwrap();
        if head.height >= header.height {
            return false;
        }
        *head = header;
        true
    }
}
