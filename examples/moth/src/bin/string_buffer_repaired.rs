//! `string_buffer` repaired: `append` holds the other's lock from the length to the
//! characters. Its own it takes afterwards: nothing connects the two texts.

use std::sync::{Arc, Mutex};
use std::thread;

struct Text {
    buffer: Vec<char>,
}

impl Text {
    fn length(&self) -> usize {
        self.buffer.len()
    }

    fn get_chars(&self, begin: usize, end: usize, to: &mut [char]) {
        let found = self.buffer.iter().skip(begin).take(end - begin);
        for (to, from) in to.iter_mut().zip(found) {
            *to = *from;
        }
    }

    fn delete(&mut self, position: usize) {
        if position < self.buffer.len() {
            self.buffer.remove(position);
        }
    }
}

struct MyStringBuffer {
    text: Mutex<Text>,
}

impl MyStringBuffer {
    fn new(text: &str) -> MyStringBuffer {
        let buffer = text.chars().collect();
        MyStringBuffer {
            text: Mutex::new(Text { buffer }),
        }
    }

    fn append(&self, other: &MyStringBuffer) -> String {
        let text = other.text.lock().unwrap();
        let length = text.length();
        let mut chars = vec![' '; length];
        text.get_chars(0, length, &mut chars);
        drop(text);
        self.text.lock().unwrap().delete(0);
        chars.iter().collect()
    }

    fn run(&self) {
        self.text.lock().unwrap().delete(0);
    }
}

fn main() {
    let text = Arc::new(MyStringBuffer::new("abc"));
    let other = Arc::new(MyStringBuffer::new("defg"));
    let shrunk = Arc::clone(&other);
    let shrinks = thread::spawn(move || shrunk.run());
    println!("{}", text.append(&other));
    shrinks.join().unwrap();
}
