//! What is between the braces of a body: scopes, locals, names and blocks.

use super::cursor::{Cursor, Miss, Read, Stops};
use super::parse::Parser;
use super::place::place;
use super::span::{comment, location};
use super::statement::{Line, line as block_line};
use super::syntax::{Block, BlockId, Body, Local, LocalDecl, Terminator};
use super::terminator::targets;

/// How many blocks, or locals, may be missing in a damaged body before one that
/// is there. A number from a hostile file must not decide how much is allocated.
const MISSING: u32 = 64;

/// The block that is being read.
struct Open {
    block: Block,
    terminated: bool,
    /// Whether a line of it was not understood.
    damaged: bool,
}

/// Reads up to the brace that closes the body.
pub(super) fn body(parser: &mut Parser<'_>, body: &mut Body) {
    let mut reader = Reader {
        scopes: 0,
        locals: u32::MAX,
        open: None,
    };
    let gaps_before = parser.mir.unknown.len();
    loop {
        let Some(line) = parser.lines.next() else {
            parser.unknown("", 0, "}", Some(body));
            break;
        };
        if line == "}" {
            break;
        }
        if !line.starts_with(' ') {
            parser.unknown(line, 0, "}", Some(body));
            parser.lines.back();
            break;
        }
        if let Err(miss) = reader.line(parser, body, line) {
            parser.unknown(line, miss.at, miss.expected, Some(body));
            if let Some(open) = &mut reader.open {
                open.damaged = true;
            }
        }
    }
    if let Some(open) = reader.open.take() {
        parser.unknown("}", 0, "the end of a block", Some(body));
        body.blocks.push(open.block);
    }
    if body.blocks.is_empty() {
        if parser.mir.unknown.len() == gaps_before {
            parser.unknown("}", 0, "a block", Some(body));
        }
        // A damaged body without blocks does not get as far as to check its locals.
        let _ = reader.complete_locals(parser, body);
    }
    check_targets(parser, body);
}

struct Reader {
    scopes: u32,
    /// How many locals are declared, once all are.
    locals: u32,
    open: Option<Open>,
}

impl Reader {
    fn line<'a>(&mut self, parser: &mut Parser<'a>, body: &mut Body, line: &'a str) -> Read<()> {
        if self.open.is_some() && line.starts_with("        ") {
            return self.in_block(parser, line);
        }
        let mut cursor = Cursor::indented(line, u32::MAX);
        if cursor.sees("}") {
            return self.close(body, &mut cursor);
        }
        if self.open.is_some() {
            return cursor.miss("a line of a block");
        }
        if cursor.sees("bb") && cursor.at() == 4 {
            return self.block(parser, body, &mut cursor);
        }
        if body.blocks.is_empty() {
            return self.declaration(parser, body, &mut cursor);
        }
        cursor.miss("a block")
    }

    fn in_block<'a>(&mut self, parser: &mut Parser<'a>, text: &'a str) -> Read<()> {
        let Some(open) = &mut self.open else {
            return Ok(());
        };
        // The template of assembly is printed with its line ends.
        let text = if text.trim_start().starts_with("asm!(") {
            parser.lines.assembly(text)
        } else {
            text
        };
        let mut cursor = Cursor::indented(text, self.locals);
        if open.terminated || cursor.at() != 8 {
            return cursor.miss("the end of a block");
        }
        let line = block_line(&mut cursor)?;
        let span = comment(&mut cursor, "", &mut parser.files)?;
        match line {
            Line::Statement(statement) => open.block.statements.push((statement, span)),
            Line::Terminator(terminator) => {
                open.block.terminator = terminator;
                open.block.span = span;
                open.terminated = true;
            }
        }
        Ok(())
    }

    /// `}` of a block or of a scope.
    fn close(&mut self, body: &mut Body, cursor: &mut Cursor<'_>) -> Read<()> {
        let at = cursor.at();
        cursor.expect("}")?;
        if !cursor.at_end() {
            return cursor.miss("the end of the line");
        }
        if let Some(open) = self.open.take() {
            body.blocks.push(open.block);
            if at != 4 {
                return Err(Miss {
                    at,
                    expected: "the end of a block",
                });
            }
            // One report per block is enough.
            if !open.terminated && !open.damaged {
                return Err(Miss {
                    at,
                    expected: "a terminator",
                });
            }
            return Ok(());
        }
        if self.scopes == 0 || !body.blocks.is_empty() {
            return Err(Miss {
                at,
                expected: "no closing brace",
            });
        }
        self.scopes -= 1;
        Ok(())
    }

    /// `bb3: {`, `bb3 (cleanup): {`.
    fn block(
        &mut self,
        parser: &mut Parser<'_>,
        body: &mut Body,
        cursor: &mut Cursor<'_>,
    ) -> Read<()> {
        let mut first_miss = None;
        if body.blocks.is_empty() {
            let complete = self.complete_locals(parser, body);
            first_miss = complete.or_else(|expected| cursor.miss(expected)).err();
        }
        let at = cursor.at();
        let header = block_header(cursor);
        let next = u32::try_from(body.blocks.len()).unwrap_or(u32::MAX);
        let (id, cleanup) = header.unwrap_or((BlockId(next), false));
        if let Err(miss) = header {
            first_miss = Some(miss);
        } else if id.0 != next {
            first_miss = Some(Miss {
                at,
                expected: "the next block",
            });
        }
        // Missing blocks are made up, so that the others keep their numbers.
        if id.0 > next && parser.make_up(id.0 - next, MISSING) {
            body.blocks.extend((next..id.0).map(|_| stopped(false)));
        }
        self.open = Some(Open {
            block: stopped(cleanup),
            terminated: false,
            damaged: first_miss.is_some(),
        });
        first_miss.map_or(Ok(()), Err)
    }

    /// Makes the locals `_0` to the highest one, without a gap: a missing local is
    /// made up with an unknown type, one with a number far beyond the others is
    /// dropped. Later lines can only use these.
    ///
    /// # Errors
    /// What was expected, if they were not complete.
    fn complete_locals(
        &mut self,
        parser: &mut Parser<'_>,
        body: &mut Body,
    ) -> Result<(), &'static str> {
        let parameters = 1..=body.parameters.len();
        let declared = body.locals.len() + body.parameters.len();
        let size = |limit: usize| u32::try_from(limit).unwrap_or(u32::MAX);
        let highest = |body: &Body| {
            let numbers = body.locals.iter().map(|decl| decl.local.0 as usize);
            numbers.chain([body.parameters.len()]).max().unwrap_or(0) + 1
        };
        let missing = highest(body).saturating_sub(declared);
        if missing > 0 && !parser.make_up(size(missing), MISSING) {
            body.locals
                .retain(|decl| (decl.local.0 as usize) < declared.max(1));
        }
        let count = highest(body);
        let mut seen = vec![false; count];
        seen[parameters].fill(true);
        for decl in &body.locals {
            seen[decl.local.0 as usize] = true;
        }
        let unseen = (0..count).filter(|local| !seen[*local]);
        body.locals.extend(unseen.map(|local| LocalDecl {
            local: Local(size(local)),
            ty: if local == 0 {
                body.result.clone()
            } else {
                String::new()
            },
            span: None,
        }));
        self.locals = size(count);
        let names = body.names.len();
        body.names
            .retain(|(_, place)| (place.local.0 as usize) < count);
        if self.scopes != 0 {
            self.scopes = 0;
            return Err("the end of a scope");
        }
        let is_complete =
            missing == 0 && declared == count && body.locals.len() + body.parameters.len() == count;
        if is_complete && body.names.len() == names {
            return Ok(());
        }
        Err("declarations of all locals")
    }

    /// `debug x => _1;`, `let mut _2: T;`, `scope 1 {`.
    fn declaration(
        &mut self,
        parser: &mut Parser<'_>,
        body: &mut Body,
        cursor: &mut Cursor<'_>,
    ) -> Read<()> {
        if cursor.eat("let ") {
            let decl = local(parser, cursor)?;
            body.locals.push(decl);
            return Ok(());
        }
        if cursor.eat("debug ") {
            return debug(parser, body, cursor);
        }
        if cursor.eat("scope ") {
            scope(parser, cursor)?;
            self.scopes += 1;
            return Ok(());
        }
        if cursor.eat("coverage ") {
            return Ok(());
        }
        cursor.miss("a declaration or a block")
    }
}

fn stopped(cleanup: bool) -> Block {
    Block {
        cleanup,
        statements: Vec::new(),
        terminator: Terminator::Stop,
        span: None,
    }
}

fn block_header(cursor: &mut Cursor<'_>) -> Read<(BlockId, bool)> {
    let id = cursor.block()?;
    let cleanup = cursor.eat(" (cleanup)");
    cursor.expect(": {")?;
    if cursor.at_end() {
        Ok((id, cleanup))
    } else {
        cursor.miss("the end of the line")
    }
}

/// Behind `let `.
fn local(parser: &mut Parser<'_>, cursor: &mut Cursor<'_>) -> Read<LocalDecl> {
    let _ = cursor.eat("mut ");
    let local = cursor.local()?;
    cursor.expect(": ")?;
    let ty = cursor.ty(Stops::SEMICOLON.and(Stops::AS))?.to_owned();
    // Before borrows are checked, what the user wrote is printed too.
    if cursor.eat(" as ") {
        cursor.text(Stops::SEMICOLON, "a type")?;
    }
    cursor.expect(";")?;
    let words = if local.0 == 0 {
        " return place in"
    } else {
        " in"
    };
    let span = comment(cursor, words, &mut parser.files)?;
    Ok(LocalDecl { local, ty, span })
}

/// Behind `debug `: `x => _1;`, `x => const 1_u8;`, `((x: T).0: U) => _1;`.
fn debug(parser: &mut Parser<'_>, body: &mut Body, cursor: &mut Cursor<'_>) -> Read<()> {
    let name = cursor.text(Stops::SPACE, "a name")?.text;
    cursor.expect(" => ")?;
    if cursor.eat("const ") {
        cursor.text(Stops::SEMICOLON, "a constant")?;
    } else if matches!(cursor.peek(), Some(b'_' | b'(')) {
        let place = place(cursor)?;
        body.names.push((name.to_owned(), place));
    } else {
        // A variable that is a function.
        cursor.path()?;
    }
    cursor.expect(";")?;
    comment(cursor, " in", &mut parser.files)?;
    Ok(())
}

/// Behind `scope `: `1 {`, `1 (inlined f) { // at src/main.rs:1:2: 3:4`.
fn scope(parser: &mut Parser<'_>, cursor: &mut Cursor<'_>) -> Read<()> {
    cursor.digits()?;
    if cursor.eat(" (inlined ") {
        cursor.text(Stops::NONE, "a function")?;
        cursor.expect(")")?;
    }
    cursor.expect(" {")?;
    if cursor.at_end() {
        return Ok(());
    }
    while cursor.eat(" ") {}
    cursor.expect("// at ")?;
    location(cursor, &mut parser.files)?;
    Ok(())
}

/// Terminators lead to blocks that exist.
fn check_targets(parser: &mut Parser<'_>, body: &mut Body) {
    let blocks = body.blocks.len();
    let exists = |block: BlockId| (block.0 as usize) < blocks;
    let mut wrong = false;
    for block in &mut body.blocks {
        if !targets(&block.terminator).all(exists) {
            block.terminator = Terminator::Stop;
            wrong = true;
        }
    }
    if wrong {
        parser.unknown("", 0, "blocks that exist", Some(body));
    }
}
