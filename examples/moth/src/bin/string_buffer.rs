//! `append` asks another text for its length and then for that many characters.
//! In between the other may have got shorter, and what is appended ends in blanks
//! that never were in it.

use std::sync::{Arc, Mutex};
use std::thread;

struct Text {
    buffer: Vec<char>,
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

    fn length(&self) -> usize {
        self.text.lock().unwrap().buffer.len()
    }

    fn get_chars(&self, begin: usize, end: usize, to: &mut [char]) {
        let text = self.text.lock().unwrap();
        let found = text.buffer.iter().skip(begin).take(end - begin);
        for (to, from) in to.iter_mut().zip(found) {
            *to = *from;
        }
    }

    fn delete(&self, position: usize) {
        let mut text = self.text.lock().unwrap();
        if position < text.buffer.len() {
            text.buffer.remove(position);
        }
    }

    fn append(&self, other: &MyStringBuffer) -> String {
        let length = other.length();
        let mut chars = vec![' '; length];
        // Here `length` may be more than there is.
        other.get_chars(0, length, &mut chars);
        self.delete(0);
        chars.iter().collect()
    }

    fn run(&self) {
        self.delete(0);
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
