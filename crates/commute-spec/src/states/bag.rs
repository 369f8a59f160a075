//! Elements without an order: priority queues and the messages of an `mpsc`.

use commute_model::Value;

use super::answer::Answer;
use super::tree::Tree;
use crate::models::domain::elements;

/// What the bag is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Kind {
    PriorityQueue,
    Mpsc { closed: bool, disconnected: bool },
}

/// A bag: each element, and how many of it there are.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Bag {
    kind: Kind,
    items: Tree<Value, usize>,
    len: usize,
}

impl Bag {
    /// A state of one of these models.
    pub(super) fn of(model: &str, state: &Value) -> Option<Bag> {
        let (kind, items) = match (model, elements(state)?) {
            ("priority_queue", items) => (Kind::PriorityQueue, items),
            ("mpsc", [items, Value::Bool(closed), Value::Bool(disconnected)]) => {
                let (closed, disconnected) = (*closed, *disconnected);
                let kind = Kind::Mpsc {
                    closed,
                    disconnected,
                };
                (kind, elements(items)?)
            }
            _ => return None,
        };
        let empty = Bag {
            kind,
            items: Tree::default(),
            len: 0,
        };
        Some(items.iter().fold(empty, |bag, item| bag.with(item)))
    }

    pub(super) fn value(&self) -> Value {
        let each = |(item, count): (&Value, &usize)| std::iter::repeat_n(item.clone(), *count);
        let items = Value::tuple(self.items.iter().flat_map(each));
        match self.kind {
            Kind::PriorityQueue => items,
            Kind::Mpsc {
                closed,
                disconnected,
            } => Value::tuple([items, closed.into(), disconnected.into()]),
        }
    }

    pub(super) fn fingerprint(&self) -> u64 {
        let flags = match self.kind {
            Kind::PriorityQueue => 0,
            Kind::Mpsc {
                closed,
                disconnected,
            } => u64::from(closed) | u64::from(disconnected) << 1,
        };
        self.items.fingerprint() ^ flags
    }

    /// A call that returns `wanted`, if that is known.
    pub(super) fn step(
        &self,
        method: &str,
        args: &[Value],
        wanted: Option<&[Value]>,
    ) -> Answer<Bag> {
        match self.kind {
            Kind::PriorityQueue => self.step_priority_queue(method, args),
            Kind::Mpsc {
                closed,
                disconnected,
            } => self.step_mpsc(method, args, wanted, (closed, disconnected)),
        }
    }

    fn step_priority_queue(&self, method: &str, args: &[Value]) -> Answer<Bag> {
        let first = self.items.first().map(|(item, _)| item);
        match (method, args, first) {
            ("push", [v], _) => Answer::to(self.with(v), []),
            ("pop_min", [], Some(item)) => Answer::to(self.without(item), [item.clone()]),
            ("peek", [], Some(item)) => Answer::to(self.clone(), [item.clone()]),
            ("pop_min" | "peek", [], None) => Answer::to(self.clone(), [Value::Nil]),
            ("len", [], _) => Answer::to(self.clone(), [self.len.into()]),
            _ => Answer::Impossible,
        }
    }

    fn step_mpsc(
        &self,
        method: &str,
        args: &[Value],
        wanted: Option<&[Value]>,
        (closed, disconnected): (bool, bool),
    ) -> Answer<Bag> {
        let same = || self.clone();
        let ends = |closed, disconnected| Bag {
            kind: Kind::Mpsc {
                closed,
                disconnected,
            },
            ..self.clone()
        };
        match (method, args) {
            ("send", [_]) if closed && !disconnected => Answer::to(same(), [false.into()]),
            ("send", [v]) if !disconnected => Answer::to(self.with(v), [true.into()]),
            ("recv" | "try_recv", []) if closed => Answer::Impossible,
            ("recv" | "try_recv", []) if self.len > 0 => self.receive(wanted),
            ("recv", []) if disconnected => Answer::to(same(), [Value::Nil]),
            ("try_recv", []) if disconnected => Answer::to(same(), ["closed".into()]),
            ("try_recv", []) => Answer::to(same(), ["empty".into()]),
            ("close", []) if closed => Answer::to(same(), [false.into()]),
            ("close", []) => Answer::to(ends(true, disconnected), [true.into()]),
            ("disconnect", []) if !disconnected => Answer::to(ends(closed, true), []),
            _ => Answer::Impossible,
        }
    }

    /// Any message can come, but only one is what came.
    fn receive(&self, wanted: Option<&[Value]>) -> Answer<Bag> {
        match wanted {
            None => Answer::Unclear,
            Some([item]) if self.items.get(item).is_some() => {
                Answer::to(self.without(item), [item.clone()])
            }
            Some(_) => Answer::Impossible,
        }
    }

    fn with(&self, item: &Value) -> Bag {
        let count = self.items.get(item).copied().unwrap_or(0);
        Bag {
            kind: self.kind,
            items: self.items.with(item.clone(), count + 1),
            len: self.len + 1,
        }
    }

    /// Without one of an element that is there.
    fn without(&self, item: &Value) -> Bag {
        let items = match self.items.get(item) {
            Some(&count) if count > 1 => self.items.with(item.clone(), count - 1),
            _ => self.items.without(item),
        };
        Bag {
            kind: self.kind,
            items,
            len: self.len - 1,
        }
    }
}
