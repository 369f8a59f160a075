//! A region that only sometimes reads both is not whole on the other way.
//@ depends: density
//@ remains: quotient
use std::sync::RwLock;
struct Body {
    mass: u64,
    volume: u64,
}
pub struct Tank {
    body: RwLock<Body>,
}
impl Tank {
    pub fn fill(&self, mass: u64, volume: u64) {
        let mut body = self.body.write().unwrap();
        body.mass = mass;
        body.volume = volume;
    }
    pub fn density(&self, exact: bool) -> u64 {
        let mass = self.body.read().unwrap().mass;
        let body = self.body.read().unwrap();
        if exact {
            return body.mass / body.volume;
        }
        mass / body.volume
    }
    pub fn quotient(&self) -> u64 {
        let mass = self.body.read().unwrap().mass;
        let volume = self.body.read().unwrap().volume;
        mass / volume
    }
}
