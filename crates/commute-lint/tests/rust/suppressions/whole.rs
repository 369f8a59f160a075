//! Who reads both at once may look at one of them before, just to see whether it
//! is worth it. Who only sometimes reads both may not.
//@ suppression: Whole
//@ finding: area
use std::sync::RwLock;
struct Size {
    width: u64,
    height: u64,
}
pub struct Canvas {
    size: RwLock<Size>,
}
impl Canvas {
    pub fn resize(&self, width: u64, height: u64) {
        let mut size = self.size.write().unwrap();
        size.width = width;
        size.height = height;
    }
    pub fn area(&self, exact: bool) -> u64 {
        let hint = self.size.read().unwrap().width;
        let size = self.size.read().unwrap();
        #[cfg(not(fixed))]
        {
            if exact {
                return size.width * size.height;
            }
            hint * size.height
        }
        #[cfg(fixed)]
        {
            size.width.max(hint) * size.height
        }
    }
}
