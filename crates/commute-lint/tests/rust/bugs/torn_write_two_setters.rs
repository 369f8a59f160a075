//! torn write two setters.
//@ finding: Window::resize
use std::sync::RwLock;
struct Size {
    width: u32,
    height: u32,
}
pub struct Window {
    size: RwLock<Size>,
}
impl Window {
    fn set_width(&self, width: u32) {
        self.size.write().unwrap().width = width;
    }
    fn set_height(&self, height: u32) {
        self.size.write().unwrap().height = height;
    }
    #[cfg(not(fixed))]
    pub fn resize(&self, width: u32, height: u32) {
        self.set_width(width);
        self.set_height(height);
    }
    #[cfg(fixed)]
    pub fn resize(&self, width: u32, height: u32) {
        let mut size = self.size.write().unwrap();
        size.width = width;
        size.height = height;
    }
    pub fn area(&self) -> u64 {
        let size = self.size.read().unwrap();
        u64::from(size.width) * u64::from(size.height)
    }
    pub fn transpose(&self) {
        let mut size = self.size.write().unwrap();
        let width = size.width;
        size.width = size.height;
        size.height = width;
    }
}
