//! Access paths: names of memory as a function sees it.
//!
//! `self.inner.lock().unwrap().names` is the path `parameter 1 . inner .
//! content . names`. Pointers are not steps: an `Arc`, a reference and what
//! they point to have one path.

use rustc_hash::FxHashMap;
use smallvec::SmallVec;

use crate::ir::{FieldId, FunctionId, Local};

/// A statement of a function.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) struct Spot {
    pub(crate) function: FunctionId,
    pub(crate) block: u32,
    pub(crate) statement: u32,
}

/// Where a path begins.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) enum Root {
    /// What the function was given.
    Parameter(Local),
    /// A variable of the function itself.
    Local(Local),
    /// A static, by the number of its name.
    Static(u32),
    /// A constant, by the number of its text.
    Constant(u32),
    /// What was made by a statement.
    New(Spot),
}

/// How a path goes on.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) enum Hop {
    Field(FieldId),
    /// From a lock to what it guards.
    Content,
    Element,
}

/// Some hops, one after the other: mostly few.
pub(crate) type Hops = SmallVec<[Hop; 4]>;

/// A path, by its number.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) struct PathId(u32);

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
enum Node {
    Root(Root),
    Hop(PathId, Hop),
}

/// Longer paths are cut: what is behind the cut has one name.
const LONGEST: u8 = 9;

/// All paths that were seen.
#[derive(Default, Debug)]
pub(crate) struct Paths {
    nodes: Vec<(Node, u8)>,
    numbers: FxHashMap<Node, PathId>,
    texts: Vec<String>,
    text_numbers: FxHashMap<String, u32>,
}

impl Paths {
    fn number(&mut self, node: Node, length: u8) -> PathId {
        *self.numbers.entry(node).or_insert_with(|| {
            self.nodes.push((node, length));
            PathId(self.nodes.len() as u32 - 1)
        })
    }

    pub(crate) fn root(&mut self, root: Root) -> PathId {
        self.number(Node::Root(root), 0)
    }

    /// The number of a text, for roots that have a name.
    pub(crate) fn text(&mut self, text: &str) -> u32 {
        if let Some(number) = self.text_numbers.get(text) {
            return *number;
        }
        let number = self.texts.len() as u32;
        self.texts.push(text.to_owned());
        self.text_numbers.insert(text.to_owned(), number);
        number
    }

    pub(crate) fn name(&self, text: u32) -> &str {
        &self.texts[text as usize]
    }

    pub(crate) fn hop(&mut self, path: PathId, hop: Hop) -> PathId {
        let length = self.nodes[path.0 as usize].1;
        // A list's `next` of `next` is the list again.
        if length >= LONGEST || self.hops_back(path).filter(|other| *other == hop).count() >= 2 {
            return path;
        }
        if hop == Hop::Element && self.last(path) == Some(Hop::Element) {
            return path;
        }
        self.number(Node::Hop(path, hop), length + 1)
    }

    fn hops_back(&self, path: PathId) -> impl Iterator<Item = Hop> {
        let mut at = path;
        std::iter::from_fn(move || match self.nodes[at.0 as usize].0 {
            Node::Root(_) => None,
            Node::Hop(before, hop) => {
                at = before;
                Some(hop)
            }
        })
    }

    pub(crate) fn last(&self, path: PathId) -> Option<Hop> {
        self.hops_back(path).next()
    }

    pub(crate) fn before(&self, path: PathId) -> Option<PathId> {
        match self.nodes[path.0 as usize].0 {
            Node::Root(_) => None,
            Node::Hop(before, _) => Some(before),
        }
    }

    /// Whether a path leads into what another leads to.
    pub(crate) fn is_inside(&self, path: PathId, other: PathId) -> bool {
        let mut at = self.before(path);
        std::iter::from_fn(|| {
            let path = at?;
            at = self.before(path);
            Some(path)
        })
        .any(|path| path == other)
    }

    pub(crate) fn split(&self, path: PathId) -> (Root, Hops) {
        let mut hops: Hops = self.hops_back(path).collect();
        hops.reverse();
        (self.root_of(path), hops)
    }

    /// The last hops of a path, after its beginning up to another.
    pub(crate) fn after(&self, path: PathId, beginning: PathId) -> Hops {
        let length = |path: PathId| self.nodes[path.0 as usize].1 as usize;
        let behind = length(path) - length(beginning);
        let mut hops: Hops = self.hops_back(path).take(behind).collect();
        hops.reverse();
        hops
    }

    pub(crate) fn root_of(&self, path: PathId) -> Root {
        let mut at = path;
        loop {
            match self.nodes[at.0 as usize].0 {
                Node::Root(root) => return root,
                Node::Hop(before, _) => at = before,
            }
        }
    }

    /// The lock of guarded memory: the path up to the last content.
    pub(crate) fn lock_of(&self, path: PathId) -> Option<PathId> {
        let mut at = path;
        loop {
            match self.nodes[at.0 as usize].0 {
                Node::Root(_) => return None,
                Node::Hop(before, Hop::Content) => return Some(before),
                Node::Hop(before, _) => at = before,
            }
        }
    }
}
