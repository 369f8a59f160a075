//! Plain variables, and who read and wrote them last.

use commute_model::{Id, VariableId};

use super::{Order, Touch, record};

/// All variables, in pieces of [`PIECE`] each, which never move.
#[derive(Clone, Debug)]
pub(super) struct Variables<S>(Vec<Box<[Variable<S>]>>);

/// Variables per piece of memory.
const PIECE: usize = 1 << 12;

/// So that a variable with small stamps is in one line of the cache.
#[derive(Clone, Debug)]
#[repr(align(32))]
struct Variable<S> {
    write: Option<Touch<S>>,
    /// Since the last write.
    reads: Reads<S>,
}

#[derive(Clone, Debug)]
enum Reads<S> {
    None,
    One(Touch<S>),
    Some(Box<ReadList<S>>),
}

/// In the order of the threads.
#[derive(Clone, Debug)]
struct ReadList<S>(Vec<Touch<S>>);

impl<S> Default for Variables<S> {
    fn default() -> Variables<S> {
        Variables(Vec::new())
    }
}

impl<S: Clone> Variables<S> {
    #[inline]
    pub(super) fn read(&mut self, t: u32, x: VariableId, order: &mut impl Order<Stamp = S>) {
        let variable = self.variable(x);
        if let Some(write) = &variable.write {
            order.after(t, write.thread, &write.stamp);
        }
        let stamp = order.stamp(t);
        match &mut variable.reads {
            Reads::One(read) if read.thread == t || order.knows(t, read.thread, &read.stamp) => {
                *read = Touch { thread: t, stamp };
            }
            Reads::Some(list) => record(&mut list.0, t, stamp, order),
            reads => reads.add(Touch { thread: t, stamp }),
        }
    }

    #[inline]
    pub(super) fn write(&mut self, t: u32, x: VariableId, order: &mut impl Order<Stamp = S>) {
        let variable = self.variable(x);
        if let Some(write) = &variable.write {
            order.after(t, write.thread, &write.stamp);
        }
        for read in variable.reads.as_slice() {
            order.after(t, read.thread, &read.stamp);
        }
        let stamp = order.stamp(t);
        variable.reads.clear();
        variable.write = Some(Touch { thread: t, stamp });
    }

    pub(super) fn forget(&mut self, x: VariableId) {
        let variable = self.variable(x);
        variable.write = None;
        variable.reads.clear();
    }

    pub(super) fn for_each(&mut self, visit: &mut impl FnMut(&mut S)) {
        for variable in self.0.iter_mut().flat_map(|piece| piece.iter_mut()) {
            let touches = variable.write.iter_mut();
            let touches = touches.chain(variable.reads.as_mut_slice());
            touches.for_each(|touch| visit(&mut touch.stamp));
        }
    }

    pub(super) fn written(&mut self, x: VariableId) -> Option<&S> {
        self.variable(x).write.as_ref().map(|touch| &touch.stamp)
    }

    #[inline]
    pub(super) fn prefetch(&self, variables: impl Iterator<Item = VariableId>) -> usize {
        let known = variables.filter_map(|x| self.0.get(x.index() / PIECE)?.get(x.index() % PIECE));
        let never_read = known.filter(|variable| matches!(variable.reads, Reads::None));
        never_read.count()
    }

    pub(super) fn is_large(&self) -> bool {
        self.0.len() > 4
    }

    #[inline(always)]
    fn variable(&mut self, x: VariableId) -> &mut Variable<S> {
        let (piece, place) = (x.index() / PIECE, x.index() % PIECE);
        if piece >= self.0.len() {
            self.grow(piece);
        }
        &mut self.0[piece][place]
    }

    #[cold]
    fn grow(&mut self, piece: usize) {
        let unused = || Variable {
            write: None,
            reads: Reads::None,
        };
        let new = || std::iter::repeat_with(unused).take(PIECE).collect();
        self.0.resize_with(piece + 1, new);
    }
}

impl<S> Reads<S> {
    fn as_slice(&self) -> &[Touch<S>] {
        match self {
            Reads::None => &[],
            Reads::One(read) => std::slice::from_ref(read),
            Reads::Some(list) => &list.0,
        }
    }

    fn as_mut_slice(&mut self) -> &mut [Touch<S>] {
        match self {
            Reads::None => &mut [],
            Reads::One(read) => std::slice::from_mut(read),
            Reads::Some(list) => &mut list.0,
        }
    }

    /// A list stays: who needed it once will need it again.
    #[inline]
    fn clear(&mut self) {
        match self {
            Reads::Some(list) => list.0.clear(),
            _ => *self = Reads::None,
        }
    }

    /// A read by a thread that is not among them.
    fn add(&mut self, new: Touch<S>) {
        *self = match std::mem::replace(self, Reads::None) {
            Reads::None => Reads::One(new),
            Reads::One(old) if old.thread < new.thread => Reads::list(vec![old, new]),
            Reads::One(old) => Reads::list(vec![new, old]),
            Reads::Some(mut list) => {
                let place = list.0.partition_point(|read| read.thread < new.thread);
                list.0.insert(place, new);
                Reads::Some(list)
            }
        };
    }

    fn list(reads: Vec<Touch<S>>) -> Reads<S> {
        Reads::Some(Box::new(ReadList(reads)))
    }
}
