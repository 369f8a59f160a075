//! A count that has become zero is acted on after somebody may have raised it.
//@ finding: Textures::release
use std::collections::HashMap;
use std::sync::Mutex;

struct Loaded {
    users: usize,
    pixels: Vec<u8>,
}

#[derive(Default)]
pub struct Textures {
    loaded: Mutex<HashMap<String, Loaded>>,
}

impl Textures {
    pub fn acquire(&self, path: &str) -> usize {
        let mut loaded = self.loaded.lock().unwrap();
        let texture = loaded.entry(path.to_owned()).or_insert_with(|| Loaded {
            users: 0,
            pixels: vec![0; 64],
        });
        texture.users += 1;
        texture.pixels.len()
    }
    #[cfg(not(fixed))]
    fn decrement(&self, path: &str) -> Option<usize> {
        let mut loaded = self.loaded.lock().unwrap();
        let texture = loaded.get_mut(path)?;
        texture.users -= 1;
        Some(texture.users)
    }
    #[cfg(not(fixed))]
    pub fn release(&self, path: &str) {
        if let Some(0) = self.decrement(path) {
            self.loaded.lock().unwrap().remove(path);
        }
    }
    #[cfg(fixed)]
    pub fn release(&self, path: &str) {
        let mut loaded = self.loaded.lock().unwrap();
        let Some(texture) = loaded.get_mut(path) else {
            return;
        };
        texture.users -= 1;
        if texture.users == 0 {
            loaded.remove(path);
        }
    }
}
