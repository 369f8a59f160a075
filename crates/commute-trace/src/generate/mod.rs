//! Traces made to measure, to try things out and to measure speed with.
//!
//! A generated trace is well-formed (the validator has nothing to say about it),
//! has exactly as many events as asked for, and depends on its options alone.
//! It is produced piece by piece: memory depends on the number of names.
//!
//! The first thread, `T0`, prepares what there is to prepare, forks the others,
//! works with them, and joins them at the end. Threads take turns of a few events
//! each.

mod dictionary;
mod jigsaw;
mod racy;
mod random;
mod schedule;
mod transactions;

use std::fmt;
use std::str::FromStr;

use commute_model::{Event, Names};

use self::dictionary::Dictionary;
use self::jigsaw::Jigsaw;
use self::racy::Racy;
use self::transactions::Transactions;
use crate::limits::BATCH;

/// What the threads of a generated trace do.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Shape {
    /// Variables that belong to locks; blocks that hold one lock.
    Locked,
    /// Variables that belong to threads; no locks.
    Local,
    /// Variables that are written before the other threads start.
    SharedRead,
    /// Like `Locked` with a single lock.
    OneLock,
    /// Actions on one dictionary; a share of them in conflict.
    Dictionary,
    /// Like `Locked`; now and then a race or an order violation that did not
    /// happen, but could have.
    Racy,
    /// Requests to a web server that a pool of threads serves, with many races that
    /// mostly did not happen, but could have.
    Jigsaw,
}

impl Shape {
    /// All shapes.
    pub const ALL: [Shape; 7] = [
        Shape::Locked,
        Shape::Local,
        Shape::SharedRead,
        Shape::OneLock,
        Shape::Dictionary,
        Shape::Racy,
        Shape::Jigsaw,
    ];

    /// The word for it on the command line.
    pub fn word(self) -> &'static str {
        match self {
            Shape::Locked => "locked",
            Shape::Local => "local",
            Shape::SharedRead => "shared-read",
            Shape::OneLock => "one-lock",
            Shape::Dictionary => "dictionary",
            Shape::Racy => "racy",
            Shape::Jigsaw => "jigsaw",
        }
    }
}

impl fmt::Display for Shape {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.word())
    }
}

impl FromStr for Shape {
    type Err = String;

    fn from_str(text: &str) -> Result<Shape, String> {
        let found = Shape::ALL.into_iter().find(|shape| shape.word() == text);
        found.ok_or_else(|| format!("unknown shape `{text}`"))
    }
}

/// What to generate. What is `None` is the shape's own choice:
///
/// | shape | threads | locks | variables or keys |
/// |---|---|---|---|
/// | locked | 8 | 64 | 20,000 |
/// | local | 4 | – | 1,000,000 |
/// | shared-read | 16 | – | 2,000 |
/// | one-lock | 4 | 1 | 5,000 |
/// | dictionary | 8 | – | 10,000 |
/// | racy | 8 | 64 | 20,000 |
/// | jigsaw | 154 | 100 of resources | 2,000 of resources |
#[derive(Clone, PartialEq, Debug)]
pub struct Recipe {
    /// What the threads do.
    pub shape: Shape,
    /// How many events the trace has.
    pub events: u64,
    /// How many threads take part, the first included.
    pub threads: Option<u32>,
    /// How many locks there are.
    pub locks: Option<u32>,
    /// How many variables there are.
    pub variables: Option<u32>,
    /// How many keys of the dictionary belong to one thread each.
    pub keys: Option<u32>,
    /// The share of the workers' actions on the dictionary that use keys of all
    /// threads, without synchronisation: from 0 to 1. With 0 there is no race.
    pub conflicts: f64,
    /// Same seed, same trace.
    pub seed: u64,
}

impl Recipe {
    /// A trace of this shape and length.
    pub fn new(shape: Shape, events: u64) -> Recipe {
        Recipe {
            shape,
            events,
            threads: None,
            locks: None,
            variables: None,
            keys: None,
            conflicts: 0.0,
            seed: 1,
        }
    }

    /// Says what is wrong with the recipe, if something is.
    ///
    /// # Errors
    /// A message that names the option.
    pub fn check(&self) -> Result<(), String> {
        if self.events == 0 {
            return Err("a trace has at least one event".into());
        }
        if !(0.0..=1.0).contains(&self.conflicts) {
            return Err(format!(
                "conflicts is a share from 0 to 1, not {}",
                self.conflicts
            ));
        }
        for (what, number) in [
            ("threads", self.threads),
            ("locks", self.locks),
            ("variables", self.variables),
            ("keys", self.keys),
        ] {
            if let Some(number) = number
                && !(1..=100_000_000).contains(&number)
            {
                return Err(format!("{what} is from 1 to 100000000, not {number}"));
            }
        }
        let uses = |what: &str, given: bool, fits: bool| match given && !fits {
            true => Err(format!("shape {} has no {what}", self.shape)),
            false => Ok(()),
        };
        let dictionary = self.shape == Shape::Dictionary;
        let locks = !matches!(
            self.shape,
            Shape::Local | Shape::SharedRead | Shape::Dictionary
        );
        uses("locks", self.locks.is_some(), locks)?;
        uses("variables", self.variables.is_some(), !dictionary)?;
        uses("keys", self.keys.is_some(), dictionary)?;
        uses("conflicts", self.conflicts > 0.0, dictionary)
    }
}

/// Produces the trace of a recipe.
///
/// ```
/// use commute_trace::{Generator, Recipe, Shape};
///
/// let mut generator = Generator::new(&Recipe::new(Shape::Locked, 1000))?;
/// let mut events = Vec::new();
/// let mut total = 0;
/// while generator.read_batch(&mut events) > 0 {
///     total += events.len();
/// }
/// assert_eq!(total, 1000);
/// # Ok::<(), String>(())
/// ```
#[derive(Debug)]
pub struct Generator {
    names: Names,
    work: Work,
}

#[derive(Debug)]
enum Work {
    Transactions(Transactions),
    Dictionary(Dictionary),
    Racy(Racy),
    Jigsaw(Jigsaw),
}

impl Generator {
    /// Starts a trace.
    ///
    /// # Errors
    /// If the recipe makes no sense.
    pub fn new(recipe: &Recipe) -> Result<Generator, String> {
        recipe.check()?;
        let mut names = Names::default();
        let work = match recipe.shape {
            Shape::Dictionary => Work::Dictionary(Dictionary::new(recipe, &mut names)),
            Shape::Racy => Work::Racy(Racy::new(recipe, &mut names)),
            Shape::Jigsaw => Work::Jigsaw(Jigsaw::new(recipe, &mut names)),
            _ => Work::Transactions(Transactions::new(recipe, &mut names)),
        };
        Ok(Generator { names, work })
    }

    /// Replaces the contents of `events` by the next few thousand events and
    /// says how many there are; 0 at the end of the trace.
    pub fn read_batch(&mut self, events: &mut Vec<Event>) -> usize {
        events.clear();
        while events.len() < BATCH {
            let event = match &mut self.work {
                Work::Transactions(work) => work.next(&mut self.names),
                Work::Dictionary(work) => work.next(&mut self.names),
                Work::Racy(work) => work.next(&mut self.names),
                Work::Jigsaw(work) => work.next(&mut self.names),
            };
            match event {
                Some(event) => events.push(event),
                None => break,
            }
        }
        events.len()
    }

    /// The names of the events produced so far.
    pub fn names(&self) -> &Names {
        &self.names
    }
}
