//! From text to the bodies of a crate.
//!
//! The format is for people and changes with every release of the compiler, so
//! this is strict: a line is either understood to its end, or it is in
//! [`Mir::unknown`]. What is not looked at, for example types and constants, is
//! at least read by its brackets and strings.
//!
//! It takes time in proportion to the text, and nothing in it recurses.
//!
//! ```
//! let mir = commute_lint::rust::mir::parse::parse(
//!     "fn main() -> () {\n    let mut _0: ();\n\n    bb0: {\n        return;\n    }\n}\n",
//! );
//! assert_eq!(mir.bodies[0].name, "main");
//! assert!(mir.unknown.is_empty());
//! ```

use rustc_hash::FxHashSet;

use super::allocation::allocation;
use super::body::body;
use super::header::{Follows, header};
use super::lines::Lines;
use super::span::Files;
use super::syntax::{Body, Mir, Unknown};

/// How much of a line is kept that is not understood.
const SHOWN: usize = 200;

/// How many blocks and locals are made up in a whole file, so that a small file
/// does not become a large program.
const MADE_UP: u32 = 4096;

/// Reads what `rustc -Zunpretty=mir` or `rustc --emit=mir` prints.
pub fn parse(text: &str) -> Mir {
    let mut parser = Parser {
        lines: Lines::new(text),
        files: Files::default(),
        mir: Mir::default(),
        made_up: 0,
    };
    let mut statics = FxHashSet::default();
    // A `const fn` is printed a second time as compile-time evaluation sees it.
    let mut again = false;
    while let Some(line) = parser.lines.next() {
        if line.starts_with("//") {
            again |= line == "// MIR FOR CTFE";
        } else if line.starts_with("alloc") && line[5..].starts_with(|c: char| c.is_ascii_digit()) {
            allocation(&mut parser, line, &mut statics);
        } else if let Some(body) = parser.body(line) {
            if !again {
                parser.mir.bodies.push(body);
            }
            again = false;
        }
    }
    parser.mir
}

/// What is needed everywhere.
pub(super) struct Parser<'a> {
    pub(super) lines: Lines<'a>,
    pub(super) files: Files,
    pub(super) mir: Mir,
    /// How many blocks and locals were made up.
    made_up: u32,
}

impl Parser<'_> {
    /// Whether so many missing blocks or locals of a body, of `most`, may be made up.
    pub(super) fn make_up(&mut self, missing: u32, most: u32) -> bool {
        let may = missing <= most && self.made_up <= MADE_UP;
        if may {
            self.made_up += missing;
        }
        may
    }

    /// Notes that the last line was not understood.
    pub(super) fn unknown(
        &mut self,
        line: &str,
        at: usize,
        expected: &'static str,
        body: Option<&Body>,
    ) {
        let column = u32::try_from(at).unwrap_or(u32::MAX).saturating_add(1);
        self.mir.unknown.push(Unknown {
            line: self.lines.number(),
            column,
            expected,
            text: line.chars().take(SHOWN).collect(),
            body: body.map(|body| body.name.clone()),
        });
    }

    /// The body that begins in this line.
    fn body(&mut self, line: &str) -> Option<Body> {
        match header(line, self.lines.number()) {
            Ok((mut found, follows)) => {
                if follows == Follows::Yields {
                    self.yields(&found);
                }
                if follows != Follows::Nothing {
                    body(self, &mut found);
                }
                Some(found)
            }
            Err(miss) => {
                self.unknown(line, miss.at, miss.expected, None);
                // Nothing can be said of a body whose name is not known.
                if line.ends_with('{') && !line.starts_with(' ') {
                    while self.lines.next().is_some_and(|line| line != "}") {}
                }
                None
            }
        }
    }

    /// `yields T` and ` {`, on lines of their own.
    fn yields(&mut self, body: &Body) {
        for (is_there, expected) in [
            (is_yields as fn(&str) -> bool, "{ or yields"),
            (|line| line == " {", "{"),
        ] {
            match self.lines.next() {
                Some(line) if is_there(line) => {}
                Some(line) => {
                    self.unknown(line, 0, expected, Some(body));
                    self.lines.back();
                    return;
                }
                None => return,
            }
        }
    }
}

fn is_yields(line: &str) -> bool {
    line.starts_with("yields ")
}
