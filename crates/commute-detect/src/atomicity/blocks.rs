//! Atomic blocks: which of them count, and which are outermost.

use std::sync::Arc;

use commute_model::{BlockId, Id, LocationId, Names};

use super::cycle::Position;

/// Decides by its label whether a block counts. The label is the block's name
/// or, if it has none, the location of its begin.
pub type Select = Arc<dyn Fn(&str) -> bool + Send + Sync>;

/// The open blocks of all threads.
#[derive(Clone)]
pub(super) struct Blocks {
    select: Option<Select>,
    /// By slot.
    threads: Vec<Stack>,
    /// Whether there was any block that counts.
    any: bool,
    /// What was decided, by name and by location.
    named: Vec<Option<bool>>,
    bare: Vec<Option<bool>>,
}

#[derive(Clone, Default)]
struct Stack {
    /// Whether each open block counts, the innermost last. Empty if all do.
    counts: Vec<bool>,
    /// How many of them count.
    depth: u32,
    outermost: Option<OpenBlock>,
}

/// The outermost block of a thread.
#[derive(Clone, Copy, Debug)]
pub(super) struct OpenBlock {
    pub(super) block: Option<BlockId>,
    pub(super) begin: Position,
}

/// What an `end` ends.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Ended {
    /// The transaction.
    Outermost,
    /// A block inside it, or one that does not count.
    Other,
    /// Nothing: there is no open block.
    Nothing,
}

impl Blocks {
    pub(super) fn new(select: Option<Select>) -> Blocks {
        Blocks {
            select,
            threads: Vec::new(),
            any: false,
            named: Vec::new(),
            bare: Vec::new(),
        }
    }

    /// A block begins; whether it is the outermost one that counts.
    #[inline]
    pub(super) fn begin(
        &mut self,
        t: u32,
        block: Option<BlockId>,
        begin: Position,
        names: &Names,
    ) -> bool {
        if t as usize >= self.threads.len() {
            self.threads.resize_with(t as usize + 1, Stack::default);
        }
        if self.select.is_some() {
            let counts = self.counts(block, begin.1, names);
            self.threads[t as usize].counts.push(counts);
            if !counts {
                return false;
            }
        }
        let stack = &mut self.threads[t as usize];
        stack.depth += 1;
        if stack.depth == 1 {
            stack.outermost = Some(OpenBlock { block, begin });
            self.any = true;
        }
        stack.depth == 1
    }

    /// The innermost block ends.
    #[inline]
    pub(super) fn end(&mut self, t: u32) -> Ended {
        let Some(stack) = self.threads.get_mut(t as usize) else {
            return Ended::Nothing;
        };
        if self.select.is_some() {
            match stack.counts.pop() {
                None => return Ended::Nothing,
                Some(false) => return Ended::Other,
                Some(true) => {}
            }
        }
        match stack.depth {
            0 => return Ended::Nothing,
            depth => stack.depth = depth - 1,
        }
        match stack.depth {
            0 => Ended::Outermost,
            _ => Ended::Other,
        }
    }

    /// The outermost block of `t`: the open one, or the last.
    pub(super) fn outermost(&self, t: u32) -> Option<OpenBlock> {
        self.threads.get(t as usize)?.outermost
    }

    /// Whether any thread has had a block that counts.
    pub(super) fn any(&self) -> bool {
        self.any
    }

    /// Whether a thread has no open block.
    pub(super) fn is_idle(&self, t: u32) -> bool {
        let stack = self.threads.get(t as usize);
        stack.is_none_or(|stack| stack.depth == 0 && stack.counts.is_empty())
    }

    /// Another thread takes over the slot `t`.
    pub(super) fn clear(&mut self, t: u32) {
        if let Some(stack) = self.threads.get_mut(t as usize) {
            *stack = Stack::default();
        }
    }

    /// The slots of threads with an open block.
    pub(super) fn open(&self) -> Vec<u32> {
        let open = |&t: &usize| self.threads[t].depth > 0;
        let threads = (0..self.threads.len()).filter(open);
        threads.map(|t| t as u32).collect()
    }

    fn counts(&mut self, block: Option<BlockId>, location: LocationId, names: &Names) -> bool {
        let (known, place) = match block {
            Some(block) => (&mut self.named, block.index()),
            None => (&mut self.bare, location.index()),
        };
        if place >= known.len() {
            known.resize(place + 1, None);
        }
        let select = &self.select;
        *known[place].get_or_insert_with(|| {
            let label = match block {
                Some(block) => names.blocks.name(block).to_string(),
                None => names.locations.name(location).to_string(),
            };
            select.as_ref().is_none_or(|select| select(&label))
        })
    }
}

impl std::fmt::Debug for Blocks {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Blocks").finish_non_exhaustive()
    }
}
