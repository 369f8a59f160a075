//! A stack of nodes that are made and freed.
#![expect(unsafe_code, reason = "nodes that several threads have")]

use std::ptr;

use commute::sync::Arc;
use commute::sync::atomic::{AtomicPtr, Ordering::SeqCst};
use commute::thread;

use crate::seen::seen;

struct Node {
    value: u32,
    next: *mut Node,
}

struct Stack {
    head: AtomicPtr<Node>,
}

impl Stack {
    fn push(&self, value: u32) {
        let node = Box::into_raw(Box::new(Node {
            value,
            next: ptr::null_mut(),
        }));
        let mut head = self.head.load(SeqCst);
        loop {
            // SAFETY: nobody else knows it yet.
            unsafe { (*node).next = head };
            match self.head.compare_exchange(head, node, SeqCst, SeqCst) {
                Ok(_) => return,
                Err(other) => head = other,
            }
        }
    }
}

impl Drop for Stack {
    fn drop(&mut self) {
        let mut node = *self.head.get_mut();
        while !node.is_null() {
            // SAFETY: nobody else has the stack.
            let next = unsafe { Box::from_raw(node) }.next;
            node = next;
        }
    }
}

#[test]
fn two_push() {
    let seen = seen(|| {
        let stack = Arc::new(Stack {
            head: AtomicPtr::new(ptr::null_mut()),
        });
        let other = Arc::clone(&stack);
        let thread = thread::spawn(move || other.push(1));
        stack.push(2);
        thread.join().unwrap();
        // SAFETY: nobody frees a node before the end.
        let last = unsafe { (*stack.head.load(SeqCst)).value };
        assert!([1, 2].contains(&last));
    });
    assert_eq!(seen.because, None);
    // Who is first, and whether the other has looked before.
    assert_eq!(seen.outcomes, 4);
}
