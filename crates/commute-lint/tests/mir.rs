//! The parser of MIR against the compiler: what it prints is understood
//! without rest, says the same when it is printed again, and does no harm when
//! it is damaged.

use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant};

use commute_lint::rust::CrateInfo;
use commute_lint::rust::mir::parse::parse;
use commute_lint::rust::mir::syntax::{Body, Mir, Statement, Terminator};
use commute_lint::{Algorithm, Options};
use commute_testkit::fuzz;
use expect_test::{Expect, expect};

/// The sample as the release that is named printed it, with spans.
const SAMPLE: &str = include_str!("mir/sample-1.95.mir");

const SPANS: [&str; 3] = [
    "-Zunpretty=mir",
    "-Zmir-include-spans=on",
    "-Ztrim-diagnostic-paths=no",
];

fn rustc() -> Command {
    let mut rustc = Command::new(std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into()));
    rustc.current_dir(env!("CARGO_MANIFEST_DIR"));
    rustc
}

/// What the compiler in use prints for the sample.
fn compiled(arguments: &[&str]) -> String {
    let output = rustc()
        .env("RUSTC_BOOTSTRAP", "1")
        .args(["--edition=2024", "--crate-type=lib", "-Awarnings"])
        .args(arguments)
        .args(["-o", "-", "tests/mir/sample.rs"])
        .output()
        .expect("rustc runs");
    assert!(
        output.status.success(),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
    String::from_utf8(output.stdout).expect("MIR is UTF-8")
}

fn summary(mir: &Mir) -> String {
    let blocks = || mir.bodies.iter().flat_map(|body| &body.blocks);
    let calls = blocks().filter(|block| matches!(block.terminator, Terminator::Call { .. }));
    let statements = blocks().map(|block| block.statements.len());
    let mut text = format!(
        "{} bodies, {} blocks, {} statements, {} calls\n",
        mir.bodies.len(),
        blocks().count(),
        statements.sum::<usize>(),
        calls.count(),
    );
    for (_, path) in &mir.statics {
        text += &format!("static {path}\n");
    }
    for unknown in &mir.unknown {
        text += &format!("{unknown:?}\n");
    }
    text
}

fn printed(body: &Body) -> String {
    let parameters = body.parameters.join(", ");
    let mut text = format!("{}({parameters}) -> {}\n", body.name, body.result);
    for local in &body.locals {
        text += &format!("    {}: {}\n", local.local, local.ty);
    }
    for (name, place) in &body.names {
        text += &format!("    {name} => {place}\n");
    }
    for (index, block) in body.blocks.iter().enumerate() {
        text += &format!(
            "bb{index}{}\n",
            if block.cleanup { " (cleanup)" } else { "" }
        );
        let statements = block.statements.iter();
        let lines = statements.map(|(statement, span)| (statement.to_string(), span));
        for (line, span) in lines.chain([(block.terminator.to_string(), &block.span)]) {
            let place = span.as_ref().map_or(String::new(), |span| {
                format!(" // {}:{}:{}", span.file, span.line, span.column)
            });
            text += &format!("    {line}{place}\n");
        }
    }
    text
}

fn check(text: String, expect: Expect) {
    expect.assert_eq(&text);
}

#[test]
fn sample() {
    let mir = parse(SAMPLE);
    check(
        summary(&mir),
        expect![[r#"
        49 bodies, 255 blocks, 321 statements, 89 calls
        static environ
        static RAW
        static COUNTER
    "#]],
    );
    let add = mir.bodies.iter().find(|body| body.name.ends_with("::get"));
    check(
        printed(add.expect("the function is there")),
        expect![[r#"
            <impl at tests/mir/sample.rs:57:1: 57:12>::get(&Shared, &str) -> std::option::Option<i64>
                _0: std::option::Option<i64>
                _3: std::option::Option<&i64>
                _4: &std::collections::HashMap<std::string::String, i64>
                _5: &std::sync::MutexGuard<'_, std::collections::HashMap<std::string::String, i64>>
                _6: std::sync::MutexGuard<'_, std::collections::HashMap<std::string::String, i64>>
                _7: std::result::Result<std::sync::MutexGuard<'_, std::collections::HashMap<std::string::String, i64>>, std::sync::PoisonError<std::sync::MutexGuard<'_, std::collections::HashMap<std::string::String, i64>>>>
                _8: &std::sync::Mutex<std::collections::HashMap<std::string::String, i64>>
                self => _1
                key => _2
            bb0
                _8 = &…((*_1).1: std::sync::Mutex<std::collections::HashMap<std::string::String, i64>>); // tests/mir/sample.rs:59:9
                _7 = std::sync::Mutex::<std::collections::HashMap<std::string::String, i64>>::lock(move _8) -> [return: bb1, …]; // tests/mir/sample.rs:59:9
            bb1
                _6 = std::result::Result::<std::sync::MutexGuard<'_, std::collections::HashMap<std::string::String, i64>>, std::sync::PoisonError<std::sync::MutexGuard<'_, std::collections::HashMap<std::string::String, i64>>>>::unwrap(move _7) -> [return: bb2, …]; // tests/mir/sample.rs:59:9
            bb2
                _5 = &…_6; // tests/mir/sample.rs:59:9
                _4 = <std::sync::MutexGuard<'_, std::collections::HashMap<std::string::String, i64>> as std::ops::Deref>::deref(move _5) -> [return: bb3, …]; // tests/mir/sample.rs:59:9
            bb3
                _3 = std::collections::HashMap::<std::string::String, i64>::get::<str>(copy _4, copy _2) -> [return: bb4, …]; // tests/mir/sample.rs:59:9
            bb4
                _0 = std::option::Option::<&i64>::copied(move _3) -> [return: bb5, …]; // tests/mir/sample.rs:59:9
            bb5
                drop(_6) -> [return: bb6…]; // tests/mir/sample.rs:59:52
            bb6
                return; // tests/mir/sample.rs:60:6
            bb7 (cleanup)
                drop(_6) -> [return: bb8…]; // tests/mir/sample.rs:59:52
            bb8 (cleanup)
                …; // tests/mir/sample.rs:58:5
        "#]],
    );
    assert_same(SAMPLE, &mir).unwrap();
}

/// Whatever release it is.
#[test]
fn compiler_in_use() {
    for arguments in [
        &SPANS[..],
        &["--emit=mir"],
        &["--emit=mir", "-O"],
        &["--emit=mir", "-Cpanic=abort"],
    ] {
        let text = compiled(arguments);
        let mir = parse(&text);
        assert_eq!(mir.unknown, [], "{arguments:?}");
        assert_same(&text, &mir).unwrap();
    }
    let version = rustc().arg("--version").output().expect("rustc runs");
    if version.stdout.starts_with(b"rustc 1.95.") {
        assert_eq!(summary(&parse(&compiled(&SPANS))), summary(&parse(SAMPLE)));
    }
}

/// Files of other crates: `COMMUTE_MIR` is a directory of them.
#[test]
fn other_crates() {
    // MIR of other crates, where somebody has some.
    let Some(directory) = std::env::var_os("COMMUTE_MIR") else {
        return;
    };
    for entry in Path::new(&directory).read_dir().expect("a directory") {
        let path = entry.expect("an entry").path();
        if path.extension().is_some_and(|extension| extension == "mir") {
            let text = std::fs::read_to_string(&path).expect("MIR");
            let mir = parse(&text);
            assert_eq!(mir.unknown, [], "{}", path.display());
            assert_same(&text, &mir).unwrap_or_else(|why| panic!("{}: {why}", path.display()));
        }
    }
}

/// The lines of all blocks as they are in the text. Written without the parser.
fn block_lines(text: &str) -> Vec<String> {
    let mut found: Vec<String> = Vec::new();
    let (mut in_block, mut again, mut unfinished) = (false, false, false);
    for line in text.lines() {
        let start = line.trim_start();
        if unfinished {
            let last = found.last_mut().expect("assembly has begun");
            *last += line;
            unfinished = !line.contains(", options(");
        } else if line == "// MIR FOR CTFE" {
            again = true;
        } else if line == "}" {
            (in_block, again) = (false, false);
        } else if line == "    }" {
            in_block = false;
        } else if line.starts_with("    bb") {
            in_block = !again;
        } else if in_block && !start.is_empty() && !start.starts_with("//") {
            found.push(start.to_owned());
            unfinished = start.starts_with("asm!(") && !start.contains(", options(");
        }
    }
    for line in &mut found {
        if let Some(comment) = line.find("// scope ") {
            line.truncate(comment);
        }
        line.retain(|character| !character.is_whitespace());
    }
    found
}

/// Whether the text says what was read from it.
fn assert_same(text: &str, mir: &Mir) -> Result<(), String> {
    let lines = block_lines(text);
    let mut lines = lines.iter();
    let all: Vec<&str> = text.lines().collect();
    for body in &mir.bodies {
        // The value of a simple constant is in the line with its name.
        if all[body.line as usize - 1].ends_with(';') {
            continue;
        }
        for block in &body.blocks {
            for (statement, _) in &block.statements {
                let line = lines.next().ok_or("a line too few")?;
                let inert = ["Storage", "nop", "Const", "Place", "Retag", "Coverage"];
                if *statement == Statement::Inert
                    && !inert.iter().any(|word| line.starts_with(word))
                {
                    return Err(format!("not inert: {line}"));
                }
                same(&statement.to_string(), line)?;
            }
            same(
                &block.terminator.to_string(),
                lines.next().ok_or("a line too few")?,
            )?;
        }
    }
    match lines.next() {
        Some(line) => Err(format!("a line too many: {line}")),
        None => Ok(()),
    }
}

/// Whether a line is as it was printed, but for spaces and what is `…`.
fn same(printed: &str, line: &str) -> Result<(), String> {
    let different = || format!("printed {printed}\nfrom    {line}");
    let printed: String = printed.chars().filter(|c| !c.is_whitespace()).collect();
    let mut parts = printed.split('…');
    let first = parts.next().unwrap_or_default();
    let mut rest = line.strip_prefix(first).ok_or_else(different)?;
    let mut parts: Vec<&str> = parts.collect();
    match parts.pop() {
        None if rest.is_empty() => return Ok(()),
        None => return Err(different()),
        Some(last) => rest = rest.strip_suffix(last).ok_or_else(different)?,
    }
    for part in parts {
        let at = rest.find(part).ok_or_else(different)?;
        rest = &rest[at + part.len()..];
    }
    Ok(())
}

/// Numbers that are always the same (Marsaglia: Xorshift RNGs, 2003).
struct Random(u64);

impl Random {
    fn below(&mut self, bound: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % bound.max(1) as u64) as usize
    }
}

fn damaged(text: &str, random: &mut Random) -> String {
    let mut bytes = text.as_bytes().to_vec();
    let at = random.below(bytes.len());
    let end = (at + random.below(40)).min(bytes.len());
    match random.below(7) {
        0 => bytes.truncate(at),
        1 => drop(bytes.drain(at..end)),
        2 => bytes.extend_from_within(at..end),
        3 => bytes[at] = b"()[]{}<>\"'\\;:,-=_&*/ \n09az"[random.below(26)],
        4 => {
            let other = random.below(bytes.len());
            bytes.swap(at, other);
        }
        5 => {
            let copy = bytes[at..end].to_vec();
            let to = random.below(bytes.len());
            bytes.splice(to..to, copy);
        }
        _ => {
            let mut lines: Vec<&str> = text.lines().collect();
            let (one, other) = (random.below(lines.len()), random.below(lines.len()));
            match random.below(3) {
                0 => lines.swap(one, other),
                1 => lines.insert(one, lines[other]),
                _ => drop(lines.remove(one)),
            }
            bytes = lines.join("\n").into_bytes();
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

/// Damage is reported, or what is read is still what the text says.
#[test]
fn damage() {
    let bodies: Vec<&str> = SAMPLE.split_inclusive("\n}\n").collect();
    let mut random = Random(0x5eed);
    let mut reported = 0;
    for round in 0..4000 {
        let first = random.below(bodies.len());
        let mut text = bodies[first..(first + 2).min(bodies.len())].concat();
        for _ in 0..=random.below(3) {
            text = damaged(&text, &mut random);
        }
        let mir = parse(&text);
        reported += usize::from(!mir.unknown.is_empty());
        for unknown in &mir.unknown {
            assert!(unknown.line as usize <= text.lines().count(), "{unknown:?}");
        }
        for block in mir.bodies.iter().flat_map(|body| &body.blocks) {
            assert!(block.statements.len() <= text.lines().count());
        }
        if mir.unknown.is_empty()
            && let Err(why) = assert_same(&text, &mir)
        {
            panic!("round {round}: {why}\n{text}");
        }
    }
    assert!(reported > 2000, "only {reported} were reported");
}

/// What takes a second or two if it takes linear time, and for ever if it does not.
const LONG: Duration = Duration::from_secs(60);

#[test]
fn noise() {
    let mut random = Random(0xbad);
    let begin = Instant::now();
    for _ in 0..2000 {
        let bytes: Vec<u8> = (0..random.below(400))
            .map(|_| random.below(256) as u8)
            .collect();
        parse(&String::from_utf8_lossy(&bytes));
        let words = [
            "fn ", "bb0", ": {", "\n", "    ", "}", "(", "*", "_1", " = ", "\"", "'", "\\", "é",
            "<", "->", "asm!(", "alloc1 (",
        ];
        let text: String = (0..random.below(80))
            .map(|_| words[random.below(words.len())])
            .collect();
        parse(&text);
    }
    assert!(begin.elapsed() < LONG);
}

/// Nesting takes neither stack nor more than linear time.
#[test]
fn deep() {
    let begin = Instant::now();
    for opening in [
        "(", "(*", "<", "[", "{", "&", "'\\", "asm!(\n", "Box<", "'", "\"\\",
    ] {
        let deep = opening.repeat(200_000);
        for (before, behind) in [
            ("fn f() -> ", " {"),
            ("fn f(_1: ", ") -> () {"),
            (
                "fn f() -> () {\n    let mut _0: ();\n\n    bb0: {\n        ",
                ";\n",
            ),
            (
                "fn f() -> () {\n    let mut _0: ();\n\n    bb0: {\n        _0 = const ",
                ";\n    }\n}\n",
            ),
            ("", ""),
        ] {
            let mir = parse(&format!("{before}{deep}{behind}"));
            assert!(!mir.unknown.is_empty());
        }
    }
    assert!(begin.elapsed() < LONG);
}

/// A function with a declaration and a statement that may be hostile.
fn hostile(declaration: &str, statement: &str) -> String {
    format!(
        "fn f(_1: u8) -> () {{\n    debug x => _1;\n    let mut _0: ();\n    {declaration}\n\n    bb0: {{\n        {statement}\n        return;\n    }}\n}}\n"
    )
}

fn lower(mir: Mir) -> commute_lint::ir::Program {
    let info = CrateInfo {
        name: "c".to_owned(),
        root: String::new(),
        edition: "2024".to_owned(),
        library: true,
    };
    commute_lint::rust::program(vec![(info, mir)], &|_| None)
}

/// A number in the text neither decides how much is allocated nor names what is not
/// there.
#[test]
fn numbers_are_bounded() {
    let numbers = ["3", "63", "66", "100", "65535", "2147483648", "4294967295"];
    let numbers = numbers
        .iter()
        .copied()
        .chain(["4294967296", "18446744073709551615"]);
    for n in numbers {
        let texts = [
            hostile(&format!("let _{n}: u8;"), "nop;"),
            hostile("", &format!("_{n} = const 1_u8;")),
            hostile("", &format!("_0 = copy _{n};")),
            hostile("", &format!("_0 = copy _1[_{n}];")),
            hostile("", &format!("StorageLive(_{n});")),
            hostile(&format!("debug y => _{n};"), "nop;"),
            hostile(&format!("debug y => (_{n}.0: u8);"), "nop;"),
            hostile("", &format!("goto -> bb{n};")),
            hostile("", &format!("    }}\n\n    bb{n}: {{\n")),
            format!(
                "fn f(_{n}: u8) -> () {{\n    let mut _0: ();\n    bb0: {{\n        return;\n    }}\n}}\n"
            ),
            format!("fn f() -> () {{\n    let mut _{n}: ();\n}}\n"),
            format!(
                "fn f() -> () {{\n    let mut _{n}: ();\n    bb{n}: {{\n        return;\n    }}\n}}\n"
            ),
            format!("const C: u8 = copy _{n};\n"),
        ];
        for text in texts {
            let mir = parse(&text);
            assert!(!mir.unknown.is_empty(), "{text}");
            for body in &mir.bodies {
                assert!(body.locals.len() < 70 && body.blocks.len() < 70, "{text}");
            }
            let program = lower(mir);
            assert!(!program.gaps.is_empty(), "{text}");
            for function in &program.functions {
                assert!(function.locals.len() < 70 && function.blocks.len() < 70);
            }
            commute_lint::lint(&program, &Options::default());
        }
        // These are names to us, and nothing is allocated by them.
        for statement in [
            format!("_0 = copy (_1.{n}: u8);"),
            format!("_0 = copy ((_1 as variant#{n}).0: u8);"),
            format!("_0 = copy _1[{n} of {n}];"),
            format!("_0 = [const 0_u8; {n}];"),
            format!("discriminant(_1) = {n};"),
            format!("_0 = const f::promoted[{n}];"),
            format!("switchInt(copy _1) -> [{n}: bb0, otherwise: bb0];"),
        ] {
            let program = lower(parse(&hostile("", &statement)));
            commute_lint::lint(&program, &Options::default());
            assert!(program.fields.len() < 3 && program.types.len() < 10);
        }
        lower(parse(&hostile(&format!("scope {n} {{\n    }}"), "nop;")));
    }
    // Many bodies that lack a little are bounded, too.
    let many = "fn f() -> () {\n    let _60: u8;\n    bb60: {\n    }\n}\n".repeat(2000);
    let mir = parse(&many);
    let all = mir.bodies.iter();
    let all: usize = all.map(|body| body.locals.len() + body.blocks.len()).sum();
    assert!(all < 20_000, "{all}");
}

/// Pieces of MIR that mean something.
const PIECES: [&[u8]; 40] = [
    b"(",
    b")",
    b"<",
    b">",
    b"[",
    b"]",
    b"{",
    b"}",
    b"\"",
    b"'",
    b"\\",
    b"::",
    b" as ",
    b" -> ",
    b" = ",
    b", ",
    b";\n",
    b"\n}\n",
    b"    }\n",
    b"    bb0: {\n",
    b"    bb9 (cleanup): {\n",
    b"_0",
    b"_1",
    b"(*_1)",
    b"copy ",
    b"move ",
    b"const ",
    b"&mut ",
    b"dyn ",
    b"impl ",
    b"Pin<&mut {",
    b"{closure@a.rs:1:2: 3:4}",
    b"{async fn body of f()}",
    b"::{closure#0}",
    b"<impl at a.rs:1:1: 2:2>",
    b"std::sync::Mutex",
    b"    let mut _9: u8;\n",
    b"promoted[0]",
    "é".as_bytes(),
    b"\xff",
];

/// Damaged MIR goes through the whole analysis: it may end in gaps, and in nothing
/// else.
#[test]
fn damaged_mir_is_analysed() {
    let bodies: Vec<&str> = SAMPLE.split_inclusive("\n}\n").collect();
    fuzz::each(
        "mir",
        600,
        |random| {
            let first = random.below(bodies.len());
            let last = (first + 1 + random.below(4)).min(bodies.len());
            let mut bytes = bodies[first..last].concat().into_bytes();
            fuzz::damage(random, &mut bytes, &PIECES);
            bytes
        },
        |bytes| {
            let text = String::from_utf8_lossy(bytes);
            let mir = parse(&text);
            let sizes = mir.bodies.iter();
            let size: usize = sizes
                .map(|body| body.locals.len() + body.blocks.len())
                .sum();
            assert!(size <= text.lines().count() + 5000, "{size}");
            let is_damaged = !mir.unknown.is_empty();
            let program = lower(mir);
            assert!(!is_damaged || !program.gaps.is_empty());
            for algorithm in [Algorithm::Commute, Algorithm::Moth, Algorithm::MothExtended] {
                let options = Options {
                    algorithm,
                    ..Options::default()
                };
                commute_lint::lint(&program, &options);
            }
        },
    );
}
