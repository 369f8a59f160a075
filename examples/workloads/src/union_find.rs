//! Disjoint sets.

use commute::sync::Mutex;

/// Disjoint sets of the numbers from 0: every number knows one that is nearer to the
/// least of its set, and finding that makes ways shorter.
#[derive(Debug)]
pub struct UnionFind {
    parents: Mutex<Vec<usize>>,
}

fn root(parents: &mut [usize], mut x: usize) -> usize {
    let mut root = x;
    while parents[root] != root {
        root = parents[root];
    }
    while parents[x] != root {
        x = std::mem::replace(&mut parents[x], root);
    }
    root
}

impl UnionFind {
    /// So many numbers, each for itself.
    pub fn new(size: usize) -> UnionFind {
        UnionFind {
            parents: Mutex::new((0..size).collect()),
        }
    }
}

#[commute::object(spec = "union_find")]
impl UnionFind {
    /// Joins two sets; whether they were different.
    pub fn union(&self, a: usize, b: usize) -> bool {
        let mut parents = self.parents.lock().unwrap();
        let (a, b) = (root(&mut parents, a), root(&mut parents, b));
        parents[a.max(b)] = a.min(b);
        a != b
    }

    /// The least of the set of a number.
    pub fn find(&self, x: usize) -> usize {
        root(&mut self.parents.lock().unwrap(), x)
    }
}
