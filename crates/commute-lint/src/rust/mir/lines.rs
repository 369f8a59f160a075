//! The lines of a MIR file, without those that say nothing.

use memchr::memchr;

/// The lines of a MIR file. Empty lines and indented comments are passed over.
pub(super) struct Lines<'a> {
    text: &'a str,
    /// Where the next line begins.
    next: usize,
    /// Where the last line that was given begins.
    begin: usize,
    /// Its number, from 1.
    number: u32,
    /// Lines before `next`.
    passed: u32,
}

impl<'a> Lines<'a> {
    pub(super) fn new(text: &'a str) -> Lines<'a> {
        Lines {
            text,
            next: 0,
            begin: 0,
            number: 0,
            passed: 0,
        }
    }

    /// The number of the line that was given last, from 1.
    pub(super) fn number(&self) -> u32 {
        self.number
    }

    /// Gives the last line again.
    pub(super) fn back(&mut self) {
        self.next = self.begin;
        self.passed = self.number.saturating_sub(1);
    }

    /// The last line and those behind it up to the options of its assembly, but
    /// not beyond its block.
    pub(super) fn assembly(&mut self, first: &'a str) -> &'a str {
        let mut last = first;
        let mut end = self.begin + first.len();
        while !last.contains(", options(") && self.next < self.text.len() {
            let begin = self.next;
            let passed = self.passed;
            end = self.pass();
            last = self.text.get(begin..end).unwrap_or_default();
            if last == "    }" {
                self.next = begin;
                self.passed = passed;
                return first;
            }
        }
        &self.text[self.begin..end]
    }

    /// Goes behind the next line, and says where it ends.
    fn pass(&mut self) -> usize {
        let rest = &self.text.as_bytes()[self.next..];
        self.passed = self.passed.saturating_add(1);
        let mut end = match memchr(b'\n', rest) {
            Some(length) => {
                let end = self.next + length;
                self.next = end + 1;
                end
            }
            None => {
                self.next = self.text.len();
                self.next
            }
        };
        if end > self.begin && self.text.as_bytes()[end - 1] == b'\r' {
            end -= 1;
        }
        end
    }
}

impl<'a> Iterator for Lines<'a> {
    type Item = &'a str;

    fn next(&mut self) -> Option<&'a str> {
        let bytes = self.text.as_bytes();
        while self.next < bytes.len() {
            let begin = self.next;
            let rest = &bytes[begin..];
            let spaces = rest.iter().take_while(|byte| **byte == b' ').count();
            let is_comment = spaces > 0 && rest[spaces..].starts_with(b"//");
            self.begin = begin;
            let end = self.pass();
            if is_comment || end <= begin + spaces {
                continue;
            }
            self.number = self.passed;
            return Some(&self.text[begin..end]);
        }
        None
    }
}
