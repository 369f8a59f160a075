//! A point that is moved in two steps is seen where it never was.
//@ depends: glide
//@ remains: distance
use std::sync::Mutex;
struct Point {
    x: i64,
    y: i64,
}
pub struct Cursor {
    point: Mutex<Point>,
}
impl Cursor {
    pub fn jump(&self, x: i64, y: i64) {
        let mut point = self.point.lock().unwrap();
        point.x = x;
        point.y = y;
    }
    pub fn place(&self) -> (i64, i64) {
        let point = self.point.lock().unwrap();
        (point.x, point.y)
    }
    pub fn glide(&self, x: i64, y: i64) {
        self.point.lock().unwrap().x = x;
        self.point.lock().unwrap().y = y;
    }
    pub fn distance(&self) -> i64 {
        let x = self.point.lock().unwrap().x;
        let y = self.point.lock().unwrap().y;
        x.abs() + y.abs()
    }
}
