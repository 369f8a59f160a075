//! `?`, and a function that is not known.

use std::sync::Mutex;

pub fn parse(text: &str, last: &Mutex<u32>) -> Result<u32, std::num::ParseIntError> {
    let n: u32 = text.parse()?;
    *last.lock().unwrap() = n;
    Ok(n)
}
