//! Blocks of memory, free or allocated. Between `get_free_block_index` and
//! `mark_as_allocated_block` another thread may find the same block free: it is
//! allocated twice.

use std::sync::{Arc, Mutex};
use std::thread;

const BLOCKS: usize = 20;
const WANTED: usize = 5;

struct Blocks {
    vector: [char; BLOCKS],
}

struct AllocationVector {
    blocks: Mutex<Blocks>,
}

impl AllocationVector {
    /// A free block; the search begins somewhere.
    fn get_free_block_index(&self, somewhere: usize) -> Option<usize> {
        let blocks = self.blocks.lock().unwrap();
        for step in 0..BLOCKS {
            let index = (somewhere + step) % BLOCKS;
            if blocks.vector[index] == 'F' {
                return Some(index);
            }
        }
        None
    }

    fn mark_as_allocated_block(&self, index: usize) {
        self.blocks.lock().unwrap().vector[index] = 'A';
    }

    fn mark_as_free_block(&self, index: usize) {
        self.blocks.lock().unwrap().vector[index] = 'F';
    }

    fn run(&self) {
        let mut result_buf = [None; WANTED];
        for (i, result) in result_buf.iter_mut().enumerate() {
            *result = self.get_free_block_index(7 * i);
            if let Some(index) = *result {
                // Here the block may be somebody else's.
                self.mark_as_allocated_block(index);
            }
        }
        for index in result_buf.into_iter().flatten() {
            self.mark_as_free_block(index);
        }
    }
}

fn main() {
    let blocks = Mutex::new(Blocks {
        vector: ['F'; BLOCKS],
    });
    let vector = Arc::new(AllocationVector { blocks });
    let mut threads = Vec::new();
    for _ in 0..2 {
        let vector = Arc::clone(&vector);
        threads.push(thread::spawn(move || vector.run()));
    }
    for thread in threads {
        thread.join().unwrap();
    }
}
