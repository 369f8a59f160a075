//! Who went on in a run, as text that means the same in every process:
//! `0*3 0.1*2 0` are three steps of the first thread, two of the second one that it
//! started, and one of the first. `0.4-2` is the fifth that it started, and the second of
//! threads that may be exchanged.

use std::fmt::Write as _;

use crate::knowledge::Knowledge;
use crate::run::Step;
use crate::words::ThreadId;

/// The text of these steps.
pub(crate) fn write(steps: &[Step], known: &Knowledge) -> String {
    let mut text = String::new();
    for turn in steps.chunk_by(|a, b| a.thread == b.thread) {
        if !text.is_empty() {
            text.push(' ');
        }
        text.push_str(&path(turn[0].thread, known));
        if turn.len() > 1 {
            let _ = write!(text, "*{}", turn.len());
        }
    }
    text
}

/// A thread, by who started it.
pub(crate) fn path(thread: ThreadId, known: &Knowledge) -> String {
    match known.parent(thread) {
        None => "0".to_owned(),
        Some((parent, before)) => {
            let path = path(parent, known);
            match known.rank(thread) {
                0 => format!("{path}.{before}"),
                rank => format!("{path}.{before}-{rank}"),
            }
        }
    }
}

/// Steps of one thread, one after the other.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Turn {
    /// Which child of which child of the first thread, with its rank.
    path: Vec<(u32, u32)>,
    /// How many steps.
    pub(crate) count: usize,
}

impl Turn {
    /// Whose turn it is, if there is such a thread.
    pub(crate) fn thread(&self, known: &Knowledge) -> Option<ThreadId> {
        let child = |parent, name: &(u32, u32)| known.known_thread(parent, *name);
        self.path.iter().try_fold(ThreadId::MAIN, child)
    }
}

/// The turns of a text; none if it is not one.
pub(crate) fn read(text: &str) -> Option<Vec<Turn>> {
    let turn = |turn: &str| {
        let (path, count) = match turn.split_once('*') {
            Some((path, count)) => (path, count.parse().ok()?),
            None => (turn, 1),
        };
        let mut numbers = path.split('.');
        numbers.next().filter(|first| *first == "0")?;
        let name = |name: &str| match name.split_once('-') {
            Some((before, rank)) => Some((before.parse().ok()?, rank.parse().ok()?)),
            None => Some((name.parse().ok()?, 0)),
        };
        let path: Option<Vec<(u32, u32)>> = numbers.map(name).collect();
        Some(Turn { path: path?, count })
    };
    text.split_ascii_whitespace().map(turn).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::code::NodeId;
    use crate::words::{OpId, ResultId};

    #[test]
    fn what_is_written_can_be_read() {
        let mut known = Knowledge::default();
        let second = known.thread(ThreadId::MAIN, 1);
        let third = known.thread_like(second, 0, 0);
        let step = |thread| Step {
            thread,
            node: NodeId(0),
            op: OpId(0),
            result: ResultId(0),
        };
        let threads = [ThreadId::MAIN, ThreadId::MAIN, second, third, second];
        let text = write(&threads.map(step), &known);
        assert_eq!(text, "0*2 0.1 0.1.0-1 0.1");
        let turns = read(&text).unwrap();
        let read = turns
            .iter()
            .map(|turn| (turn.thread(&known).unwrap(), turn.count));
        let read: Vec<_> = read.collect();
        assert_eq!(
            read,
            [(ThreadId::MAIN, 2), (second, 1), (third, 1), (second, 1)]
        );
    }

    #[test]
    fn who_was_not_started_has_no_turn() {
        let turns = read("0.5").unwrap();
        assert_eq!(turns[0].thread(&Knowledge::default()), None);
    }

    #[test]
    fn what_is_no_schedule_is_refused() {
        for text in [
            "1",
            "0*",
            "0*x",
            "0.",
            "0..1",
            "0*-1",
            "0.1-",
            "0*99999999999999999999",
            "x",
        ] {
            assert_eq!(read(text), None, "{text}");
        }
    }
}
