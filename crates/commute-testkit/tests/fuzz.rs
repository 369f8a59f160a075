//! Damaged specifications: diagnostics with a place, and no panic, whatever comes after
//! the parser.

use commute_spec::{CompiledSpecification, format, parse};
use commute_testkit::fuzz;

const PIECES: [&[u8]; 24] = [
    b"(",
    b")",
    b"{",
    b"}",
    b"!",
    b"&&",
    b"||",
    b" ~ ",
    b" : ",
    b"==",
    b"<=",
    b"-",
    b"+",
    b"nil",
    b"MIN",
    b"'",
    b"\\",
    b"type ",
    b"model ",
    b"orders ",
    b"mutates ",
    b"->",
    b"/",
    b"\xc3\xa9",
];

#[test]
fn damaged_specifications() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../specs");
    let mut files: Vec<_> = std::fs::read_dir(folder)
        .expect("the specifications are there")
        .map(|entry| entry.expect("an entry").path())
        .collect();
    files.sort();
    let texts: Vec<Vec<u8>> = { files.iter() }
        .map(|path| std::fs::read(path).expect("text"))
        .collect();
    fuzz::each(
        "specifications",
        300,
        |random| {
            let mut bytes = random.pick(&texts).clone();
            fuzz::damage(random, &mut bytes, &PIECES);
            bytes
        },
        |bytes| {
            let text = String::from_utf8_lossy(bytes);
            let parsed = parse(&text);
            for diagnostic in &parsed.diagnostics {
                assert!(diagnostic.span.end <= text.len(), "{diagnostic:?}");
            }
            for specification in parsed.specifications {
                format(&specification);
                CompiledSpecification::new(specification).points();
            }
        },
    );
}
