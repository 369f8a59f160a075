//! Elements in a line: queues, stacks, vectors and channels.

use commute_model::Value;

use super::answer::Answer;
use super::tree::Tree;
use crate::models::domain::{elements, pair};

/// What the line is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Kind {
    Queue,
    Stack,
    Vector,
    Channel { closed: bool },
}

/// A line of elements. Their places are numbered on: an element keeps its number.
#[derive(Clone, Debug)]
pub(super) struct Line {
    kind: Kind,
    items: Tree<i64, Value>,
    /// The number of the next one.
    next: i64,
}

impl Line {
    /// A state of one of these models.
    pub(super) fn of(model: &str, state: &Value) -> Option<Line> {
        let (kind, items) = match model {
            "queue" => (Kind::Queue, elements(state)?),
            "stack" => (Kind::Stack, elements(state)?),
            "vec" => (Kind::Vector, elements(state)?),
            "channel" => match pair(state)? {
                (items, &Value::Bool(closed)) => (Kind::Channel { closed }, elements(items)?),
                _ => return None,
            },
            _ => return None,
        };
        let empty = Line {
            kind,
            items: Tree::default(),
            next: 0,
        };
        Some(items.iter().fold(empty, |line, item| line.pushed(item)))
    }

    pub(super) fn value(&self) -> Value {
        let items = Value::tuple(self.elements().cloned());
        match self.kind {
            Kind::Channel { closed } => Value::tuple([items, closed.into()]),
            _ => items,
        }
    }

    pub(super) fn fingerprint(&self) -> u64 {
        let closed = matches!(self.kind, Kind::Channel { closed: true });
        self.items.fingerprint() ^ u64::from(closed)
    }

    pub(super) fn step(&self, method: &str, args: &[Value]) -> Answer<Line> {
        let is_newest = matches!(self.kind, Kind::Stack | Kind::Vector);
        let taken = match is_newest {
            false => self.items.first().map(|(place, item)| (*place, item)),
            true => self.items.get(&(self.next - 1)).map(|i| (self.next - 1, i)),
        };
        match self.kind {
            Kind::Queue | Kind::Stack => self.step_sequence(method, args, taken),
            Kind::Vector => self.step_vector(method, args, taken),
            Kind::Channel { closed } => self.step_channel(method, args, taken, closed),
        }
    }

    fn step_sequence(
        &self,
        method: &str,
        args: &[Value],
        taken: Option<(i64, &Value)>,
    ) -> Answer<Line> {
        match (method, args, taken) {
            ("push", [v], _) => Answer::to(self.pushed(v), []),
            ("pop", [], Some((place, item))) => Answer::to(self.without(place), [item.clone()]),
            ("peek", [], Some((_, item))) => Answer::to(self.clone(), [item.clone()]),
            ("pop" | "peek", [], None) => Answer::to(self.clone(), [Value::Nil]),
            ("len", [], _) => Answer::to(self.clone(), [self.items.len().into()]),
            ("is_empty", [], _) => Answer::to(self.clone(), [taken.is_none().into()]),
            _ => Answer::Impossible,
        }
    }

    fn step_vector(
        &self,
        method: &str,
        args: &[Value],
        taken: Option<(i64, &Value)>,
    ) -> Answer<Line> {
        let len = || Value::from(self.items.len());
        let place = |i: &Value| i64::try_from(i.as_int()?).ok();
        let find = |i: &Value| place(i).and_then(|i| Some((i, self.items.get(&i)?)));
        match (method, args, taken) {
            ("push", [v], _) => Answer::to(self.pushed(v), [len()]),
            ("pop", [], Some((place, item))) => {
                let at = Value::Int(place.into());
                Answer::to(self.without(place), [item.clone(), at])
            }
            ("pop", [], None) => Answer::to(self.clone(), [Value::Nil, Value::Nil]),
            ("get", [i], _) => {
                let found = find(i).map_or(Value::Nil, |(_, item)| item.clone());
                Answer::to(self.clone(), [found])
            }
            ("set", [i, v], _) => match find(i) {
                None => Answer::to(self.clone(), [Value::Nil]),
                Some((place, item)) => {
                    let items = self.items.with(place, v.clone());
                    let after = Line { items, ..*self };
                    Answer::to(after, [item.clone()])
                }
            },
            ("len", [], _) => Answer::to(self.clone(), [len()]),
            _ => Answer::Impossible,
        }
    }

    fn step_channel(
        &self,
        method: &str,
        args: &[Value],
        taken: Option<(i64, &Value)>,
        closed: bool,
    ) -> Answer<Line> {
        let same = || self.clone();
        match (method, args, taken) {
            ("send", [_], _) if closed => Answer::to(same(), [false.into()]),
            ("send", [v], _) => Answer::to(self.pushed(v), [true.into()]),
            ("recv" | "try_recv", [], Some((place, item))) => {
                Answer::to(self.without(place), [item.clone()])
            }
            ("recv", [], None) if closed => Answer::to(same(), [Value::Nil]),
            ("try_recv", [], None) => {
                let why = if closed { "closed" } else { "empty" };
                Answer::to(same(), [why.into()])
            }
            ("close", [], _) => {
                let kind = Kind::Channel { closed: true };
                Answer::to(Line { kind, ..same() }, [(!closed).into()])
            }
            ("is_closed", [], _) => Answer::to(same(), [closed.into()]),
            ("len", [], _) => Answer::to(same(), [self.items.len().into()]),
            _ => Answer::Impossible,
        }
    }

    fn elements(&self) -> impl Iterator<Item = &Value> {
        self.items.iter().map(|(_, item)| item)
    }

    fn pushed(&self, item: &Value) -> Line {
        Line {
            kind: self.kind,
            items: self.items.with(self.next, item.clone()),
            next: self.next + 1,
        }
    }

    /// Without an element at one of the ends.
    fn without(&self, place: i64) -> Line {
        let is_last = place == self.next - 1;
        let is_newest = matches!(self.kind, Kind::Stack | Kind::Vector);
        Line {
            kind: self.kind,
            items: self.items.without(&place),
            // In the others a number is not used twice.
            next: self.next - i64::from(is_last && is_newest),
        }
    }
}

impl PartialEq for Line {
    /// The same elements, wherever their numbers begin.
    fn eq(&self, other: &Line) -> bool {
        self.kind == other.kind
            && self.items.len() == other.items.len()
            && (self.items == other.items || self.elements().eq(other.elements()))
    }
}
