//! Globs: the patterns of suppressions, of `--atomic`, and of `commute.toml`.
//!
//! `?` is any character, `*` any number of them, also of `/`; `[a-z]` and `[!a-z]` are
//! classes, `{a,b}` alternatives; `\` takes a character as it is. `**/` is any folder or none,
//! `/**` all that a folder contains. The syntax is that of the crate `globset` without
//! options, which the tests compare with; `?` and classes are of characters here, not of bytes.
//!
//! # Algorithm
//!
//! A pattern is a nondeterministic automaton that is simulated by bits: Shift-And
//! (Baeza-Yates, Gonnet: A New Approach to Text Searching, CACM 1992) with the loops and jumps
//! of extended patterns (Navarro, Raffinot: Fast and Simple Character Classes and Bounded Gaps
//! Pattern Matching, JCB 2003). State `i` leads to state `i + 1` by one character, `*` is a
//! loop at a state, and alternatives are jumps, all of them forwards.
//!
//! A match takes at most one step for each character of the text, and a step looks at all
//! states, 64 at a time, and at all jumps: O(text × pattern) for every pattern. A
//! pattern has at most [`LONGEST`] bytes and [`DEEPEST`] braces inside of each other, so that
//! this is a constant time for each character.

mod parse;
mod set;
#[cfg(test)]
mod tests;

use std::collections::BTreeSet;
use std::fmt;

use self::parse::{Class, Token, is_empty};
pub(crate) use self::set::GlobSet;

/// A longer pattern is refused.
pub(crate) const LONGEST: usize = 1000;
/// More braces inside of each other are refused.
pub(crate) const DEEPEST: usize = 10;

/// Words of a set of states. A byte of a pattern makes at most one state.
const WORDS: usize = LONGEST / 64 + 1;

/// A set of states of an automaton.
type States = [u64; WORDS];

/// A compiled pattern.
#[derive(Clone, Debug)]
pub(crate) struct Glob {
    /// The first characters of the intervals that the pattern tells from each other.
    starts: Vec<char>,
    /// For each interval, and the one before all, the states that such a character leaves for
    /// the next state: `words` words each.
    advancing: Vec<u64>,
    /// The states that every character leaves for the next one.
    any: States,
    /// The states that every character also stays in.
    loops: States,
    /// Transitions without a character, sorted. They lead forwards.
    jumps: Vec<(u16, u16)>,
    /// The states before the first character.
    initial: States,
    /// The accepting state.
    last: usize,
    words: usize,
    /// The longest text that is part of every match.
    needle: String,
}

/// Why a text is no pattern, and where.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct GlobError {
    /// The place in the pattern, in characters, from 1.
    pub column: usize,
    /// The problem.
    pub message: String,
}

impl fmt::Display for GlobError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for GlobError {}

impl Glob {
    /// Compiles a pattern.
    ///
    /// # Errors
    /// If it is none, is too long, or has too many braces inside of each other.
    pub(crate) fn new(pattern: &str) -> Result<Glob, GlobError> {
        if pattern.len() > LONGEST {
            return Err(GlobError {
                column: 1,
                message: format!(
                    "a pattern has at most {LONGEST} bytes, and this one has {}",
                    pattern.len()
                ),
            });
        }
        let tokens = parse::parse(pattern)?;
        let mut line = Line::default();
        // `**` alone is everything.
        match tokens[..] {
            [Token::Folders] => line.repeat(),
            _ => line.add(&tokens),
        }
        Ok(Glob {
            needle: parse::needle(&tokens),
            ..line.compile()
        })
    }

    /// Whether the pattern matches all of a text.
    pub(crate) fn is_match(&self, text: &str) -> bool {
        let mut states = self.initial;
        for c in text.chars() {
            let interval = self.starts.partition_point(|start| *start <= c);
            let advancing = &self.advancing[interval * self.words..][..self.words];
            let (mut carry, mut left) = (0, 0);
            for (i, advancing) in advancing.iter().enumerate() {
                let moved = states[i] & (advancing | self.any[i]);
                states[i] = (moved << 1) | carry | (states[i] & self.loops[i]);
                carry = moved >> 63;
                left |= states[i];
            }
            if left == 0 {
                return false;
            }
            self.jump(&mut states);
            if contains(&states, self.last) && contains(&self.loops, self.last) {
                return true;
            }
        }
        contains(&states, self.last)
    }

    /// Adds the states that jumps lead to.
    fn jump(&self, states: &mut States) {
        for (from, to) in &self.jumps {
            if contains(states, usize::from(*from)) {
                insert(states, usize::from(*to));
            }
        }
    }
}

fn contains(states: &States, state: usize) -> bool {
    states[state / 64] >> (state % 64) & 1 == 1
}

fn insert(states: &mut States, state: usize) {
    states[state / 64] |= 1 << (state % 64);
}

/// How a state is left for the next one.
#[derive(Debug)]
enum Step {
    /// Not at all.
    None,
    Any,
    By(Class),
}

/// An automaton that is being made: its states in a line.
struct Line {
    /// How each state is left for the next one.
    steps: Vec<Step>,
    loops: States,
    jumps: Vec<(u16, u16)>,
}

impl Default for Line {
    fn default() -> Line {
        Line {
            steps: vec![Step::None],
            loops: [0; WORDS],
            jumps: Vec::new(),
        }
    }
}

impl Line {
    /// The last state.
    fn end(&self) -> usize {
        self.steps.len() - 1
    }

    /// Leaves the last state for a new one.
    fn step(&mut self, step: Step) {
        let end = self.end();
        self.steps[end] = step;
        self.steps.push(Step::None);
    }

    /// Adds a state that no step leads to.
    fn apart(&mut self) -> usize {
        self.steps.push(Step::None);
        self.end()
    }

    fn repeat(&mut self) {
        let end = self.end();
        insert(&mut self.loops, end);
    }

    fn jump(&mut self, from: usize, to: usize) {
        let state = |state: usize| u16::try_from(state).expect("a pattern has few states");
        self.jumps.push((state(from), state(to)));
    }

    /// Any number of characters and a separator, or nothing.
    fn folders(&mut self) {
        let before = self.end();
        let inside = self.apart();
        self.jump(before, inside);
        self.repeat();
        self.step(Step::By(Class::one('/')));
        let after = self.end();
        self.jump(before, after);
    }

    fn add(&mut self, tokens: &[Token]) {
        for token in tokens {
            match token {
                Token::Any => self.step(Step::Any),
                Token::Many => self.repeat(),
                Token::Char(c) => self.step(Step::By(Class::one(*c))),
                Token::Class(class) => self.step(Step::By(class.clone())),
                Token::Folders => self.folders(),
                Token::Below => {
                    self.step(Step::By(Class::one('/')));
                    self.repeat();
                }
                Token::Between => {
                    self.step(Step::By(Class::one('/')));
                    self.folders();
                }
                Token::Alternatives(all) => self.alternatives(all),
            }
        }
    }

    /// Each alternative has states of its own; an empty one is none.
    fn alternatives(&mut self, all: &[Vec<Token>]) {
        let before = self.end();
        let mut ends = Vec::new();
        for tokens in all.iter().filter(|tokens| !is_empty(tokens)) {
            let start = self.apart();
            self.jump(before, start);
            self.add(tokens);
            ends.push(self.end());
        }
        if !ends.is_empty() {
            let after = self.apart();
            for end in ends {
                self.jump(end, after);
            }
        }
    }

    fn compile(mut self) -> Glob {
        let mut starts: Vec<char> = { self.steps.iter() }
            .flat_map(|step| match step {
                Step::By(class) => &class.ranges[..],
                Step::None | Step::Any => &[],
            })
            .flat_map(|(low, high)| [Some(*low), after(*high)])
            .flatten()
            .collect();
        starts.sort_unstable();
        starts.dedup();
        self.jumps.sort_unstable();
        let words = self.steps.len().div_ceil(64);
        let mut glob = Glob {
            advancing: vec![0; words * (starts.len() + 1)],
            any: [0; WORDS],
            loops: self.loops,
            jumps: self.jumps,
            initial: [0; WORDS],
            last: self.steps.len() - 1,
            words,
            starts,
            needle: String::new(),
        };
        for (state, step) in self.steps.iter().enumerate() {
            match step {
                Step::None => {}
                Step::Any => insert(&mut glob.any, state),
                Step::By(class) => glob.advance(state, class),
            }
        }
        let mut initial = [0; WORDS];
        insert(&mut initial, 0);
        glob.jump(&mut initial);
        glob.initial = initial;
        glob
    }
}

impl Glob {
    /// Characters of this class lead from this state to the next one.
    fn advance(&mut self, state: usize, class: &Class) {
        let of = |c: char| self.starts.partition_point(|start| *start <= c);
        let ranges = class.ranges.iter();
        let inside: BTreeSet<usize> = ranges
            .flat_map(|(low, high)| of(*low)..=of(*high))
            .collect();
        let leading = if class.is_negated {
            (0..=self.starts.len())
                .filter(|interval| !inside.contains(interval))
                .collect()
        } else {
            inside
        };
        for interval in leading {
            self.advancing[interval * self.words + state / 64] |= 1 << (state % 64);
        }
    }
}

/// The character after this one.
fn after(c: char) -> Option<char> {
    (c..=char::MAX).nth(1)
}
