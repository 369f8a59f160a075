//! A coroutine: what it keeps while it waits is a local.

use std::sync::Mutex;

pub async fn load(n: u32) -> u32 {
    n + 1
}

pub async fn refresh(value: &Mutex<u32>) {
    let old = *value.lock().unwrap();
    let new = load(old).await;
    *value.lock().unwrap() = new;
}
