//! `allocate_vector` repaired: `run` holds the lock from the first block found to
//! the last one freed.

use std::sync::{Arc, Mutex};
use std::thread;

const BLOCKS: usize = 20;
const WANTED: usize = 5;

struct Blocks {
    vector: [char; BLOCKS],
}

impl Blocks {
    /// A free block; the search begins somewhere.
    fn get_free_block_index(&self, somewhere: usize) -> Option<usize> {
        for step in 0..BLOCKS {
            let index = (somewhere + step) % BLOCKS;
            if self.vector[index] == 'F' {
                return Some(index);
            }
        }
        None
    }

    fn mark_as_allocated_block(&mut self, index: usize) {
        self.vector[index] = 'A';
    }

    fn mark_as_free_block(&mut self, index: usize) {
        self.vector[index] = 'F';
    }
}

struct AllocationVector {
    blocks: Mutex<Blocks>,
}

impl AllocationVector {
    fn run(&self) {
        let mut blocks = self.blocks.lock().unwrap();
        let mut result_buf = [None; WANTED];
        for (i, result) in result_buf.iter_mut().enumerate() {
            *result = blocks.get_free_block_index(7 * i);
            if let Some(index) = *result {
                blocks.mark_as_allocated_block(index);
            }
        }
        for index in result_buf.into_iter().flatten() {
            blocks.mark_as_free_block(index);
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
