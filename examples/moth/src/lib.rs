//! The programs of MoTH (Dias, Pessanha, Lourenço: Precise Detection of Atomicity
//! Violations, HVC 2012), written again in Rust and in Java, and what is known of
//! each. `src/bin/NAME.rs` and `java/NAME` have the violations, `NAME_repaired` has
//! none. README.md says how to run them.

mod programs;

pub use programs::PROGRAMS;

/// Two atomic methods. What the first read is old when it comes to the second.
pub type Stale = (&'static str, &'static str);

/// A high-level data race.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Race {
    /// The two atomic methods that access one by one …
    pub split: (&'static str, &'static str),
    /// … what this one accesses at once.
    pub whole: &'static str,
}

/// What an analysis may find in a program.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Findings {
    /// Stale values.
    pub stale: &'static [Stale],
    /// High-level data races.
    pub races: &'static [Race],
}

impl Findings {
    /// None.
    pub const NONE: Findings = Findings {
        stale: &[],
        races: &[],
    };

    /// How many there are.
    pub fn count(&self) -> usize {
        self.stale.len() + self.races.len()
    }
}

/// How often an algorithm was wrong, as the paper counted it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Wrong {
    /// Known violations that it did not find.
    pub missed: usize,
    /// What it found that is no violation.
    pub false_alarms: usize,
}

/// The paper's numbers of a program.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Numbers {
    /// The table they are in, 1 or 2.
    pub table: u8,
    /// Known violations.
    pub violations: usize,
    /// The paper's own algorithm.
    pub moth: Wrong,
    /// View consistency, as Artho, Havelund and Biere have it.
    pub artho: Wrong,
}

/// A program, and what is known of it. Methods have their Rust names.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Known {
    /// The binary, and the folder of the Java program.
    pub name: &'static str,
    /// The paper's name of it.
    pub title: &'static str,
    /// Where the paper has it from.
    pub source: &'static str,
    /// The violations it has.
    pub violations: Findings,
    /// What the paper's algorithm reports that is no violation, as far as it is
    /// known which pairs these are.
    pub false_alarms: Findings,
    /// What the paper's definitions give by the letter, though the paper's tables
    /// do not count it: neither a violation to be found nor one to be proud of.
    pub uncounted: Findings,
    /// The paper's numbers, if it has any.
    pub numbers: Option<Numbers>,
}

impl Known {
    /// The binary, and the folder of the Java program, without the violations.
    pub fn repaired(&self) -> String {
        format!("{}_repaired", self.name)
    }

    /// All methods that are named, each once, in order.
    pub fn methods(&self) -> Vec<&'static str> {
        let mut methods = Vec::new();
        for findings in [self.violations, self.false_alarms, self.uncounted] {
            for &(first, second) in findings.stale {
                methods.extend([first, second]);
            }
            for race in findings.races {
                methods.extend([race.split.0, race.split.1, race.whole]);
            }
        }
        methods.sort_unstable();
        methods.dedup();
        methods
    }
}

/// The program with this name.
pub fn program(name: &str) -> Option<&'static Known> {
    PROGRAMS.iter().find(|program| program.name == name)
}

/// The Java name of a method: `is_connected` is `isConnected`.
///
/// ```
/// assert_eq!(commute_moth::java_name("mark_as_free_block"), "markAsFreeBlock");
/// assert_eq!(commute_moth::java_name("claim_up2"), "claimUp2");
/// ```
pub fn java_name(method: &str) -> String {
    let mut words = method.split('_');
    let mut name = words.next().unwrap_or_default().to_owned();
    for word in words {
        let mut letters = word.chars();
        name.extend(letters.next().map(|letter| letter.to_ascii_uppercase()));
        name.push_str(letters.as_str());
    }
    name
}
