//! Text traces: what is understood, and what is said about the rest.
#![allow(missing_docs)]

mod support;

use commute_trace::{ErrorKind, MAX_LINE, MAX_TEXT, Options, Place, TraceReader};
use support::{read, read_carefully};

fn lines_of(text: &str) -> Vec<String> {
    let outcome = read(text.as_bytes());
    assert_eq!(outcome.error, None, "{text:?}");
    assert_eq!(outcome, read_carefully(text.as_bytes()));
    outcome.text
}

/// The one line of a trace, after the object `o` has been declared.
fn line_of(line: &str) -> String {
    lines_of(&format!("T0|new(o:map)|\n{line}\n")).remove(1)
}

#[test]
fn every_operation_is_understood() {
    for line in [
        "T1|r(x)|3",
        "T1|w(x)|3",
        "T1|acq(l)|3",
        "T1|rel(l)|3",
        "T1|racq(l)|3",
        "T1|rrel(l)|3",
        "T1|fork(T2)|3",
        "T1|join(T2)|3",
        "T1|begin|3",
        "T1|end|3",
        "T1|begin(b)|3",
        "T1|end(b)|3",
        "T1|wait(c,m)|3",
        "T1|wake(c,m)|3",
        "T1|notify(c)|3",
        "T1|notify_all(c)|3",
        "T1|alloc(x)|3",
        "T1|free(x)|3",
        "T1|new(p:set)|3",
        "T1|drop(o)|3",
        "T1|dummy|3",
        "T1|branch|3",
        "T1|o.put('a.com','c1')/nil|pool.rs:12",
        "T1|o.size()/1|",
        "T1|o.clear()|3",
        "T1|o.get(k)/(v,true)|3",
        "T1|r(f(a,(b)))|3",
        "T1|w(a.b.c)|3",
        "main thread|r(x y)|a b",
    ] {
        assert_eq!(line_of(line), line);
    }
}

#[test]
fn aliases_blanks_and_line_ends_are_understood() {
    for (written, meant) in [
        ("T1|wait_begin(c,m)|3", "T1|wait(c,m)|3"),
        ("T1|signal(c)|3", "T1|notify(c)|3"),
        ("T1|broadcast(c)|3", "T1|notify_all(c)|3"),
        ("T1|dummy(anything, (at all|3", "T1|dummy|3"),
        ("T1|branch(V12)|3", "T1|branch|3"),
        ("T1|begin()|3", "T1|begin|3"),
        ("  T1 |\tr( x ) |  a b \t", "T1|r(x)|a b"),
        ("T1|r(x)|3\r", "T1|r(x)|3"),
        ("T1|wait( c , m )|3", "T1|wait(c,m)|3"),
        ("T1|new( p : set )|3", "T1|new(p:set)|3"),
        ("T1|o.put( 'a' , 2 ) / nil |3", "T1|o.put('a',2)/nil|3"),
        ("T1|acq (l)|3", "T1|acq(l)|3"),
    ] {
        assert_eq!(line_of(written), meant);
    }
    let text =
        "\u{feff}T1|r(x)|3\r\n\r\n  \t\r\n# comment | with | bars\r\n  # another\r\nT2|w(x)|4";
    let outcome = read(text.as_bytes());
    assert_eq!(outcome.error, None);
    assert_eq!(outcome.text, ["T1|r(x)|3", "T2|w(x)|4"]);
    assert_eq!(outcome.lines, [1, 6]);
    assert_eq!(outcome, read_carefully(text.as_bytes()));
}

#[test]
fn the_method_is_what_follows_the_last_dot() {
    let text = "T0|new(pool.conns:map)|1\nT0|new(r:set)|1\nT0|pool.conns.put(1,'a.b(')/nil|2\nT0|r.add(1)|2\n";
    let outcome = read(text.as_bytes());
    assert_eq!(outcome.error, None);
    let expected: Vec<&str> = text.lines().collect();
    assert_eq!(outcome.text, expected);
}

#[test]
fn name_spaces_are_separate() {
    let mut reader = TraceReader::from_reader(
        &b"x|acq(x)|x\nx|w(x)|x\nx|fork(y)|x\n"[..],
        Options::default(),
    )
    .unwrap();
    let mut events = Vec::new();
    reader.read_batch(&mut events).unwrap();
    let names = reader.names();
    assert_eq!(
        (
            names.threads.len(),
            names.locks.len(),
            names.variables.len()
        ),
        (2, 1, 1)
    );
}

/// The problem of the last line of a trace: line, column and message.
fn problem(text: &[u8]) -> (u64, u64, ErrorKind, String) {
    let outcome = read(text);
    assert_eq!(outcome, read_carefully(text));
    let error = outcome.error.expect("an error");
    let Place::Line {
        line,
        column,
        excerpt,
    } = error.place
    else {
        panic!("{error}");
    };
    assert!(excerpt.text.chars().count() <= 120);
    assert!(!excerpt.text.chars().any(char::is_control));
    (line, column, error.kind, error.message)
}

#[test]
fn every_mistake_has_its_own_message_at_its_own_column() {
    for (line, column, message) in [
        ("T1", 3, "found no `|`"),
        ("T1|w(x)", 8, "only two fields"),
        ("T1|w(x)|3|4", 10, "a fourth field"),
        ("|w(x)|3", 1, "empty thread name"),
        ("  |w(x)|3", 3, "empty thread name"),
        ("T1||3", 4, "empty operation"),
        ("T1|w()|3", 6, "empty variable name"),
        ("T1|acq( )|3", 9, "empty lock name"),
        ("T1|w|3", 5, "expected an argument, as in `w(x)`"),
        ("T1|w(x|3", 7, "missing `)`"),
        ("T1|w(f(x)|3", 10, "missing `)`"),
        ("T1|w(x)y|3", 8, "unexpected `y` after `)`"),
        ("T1|w(x))|3", 8, "unexpected `)` after `)`"),
        ("T1|foo(x)|3", 4, "unknown operation `foo`"),
        ("T1|write x|3", 4, "unknown operation `write x`"),
        ("T1|o.put|3", 4, "unknown operation `o.put`"),
        ("T1|wait(c)|3", 10, "a condition variable and a lock"),
        ("T1|wait(,m)|3", 9, "empty condition variable name"),
        ("T1|wait(c,)|3", 11, "empty lock name"),
        ("T1|notify(c,d)|3", 12, "`,` in a condition variable name"),
        ("T1|new(o)|3", 9, "an object and its type"),
        ("T1|new(:t)|3", 8, "empty object name"),
        ("T1|new(p:)|3", 10, "empty type name"),
        ("T1|new(f(x):t)|3", 9, "`(` in an object name"),
        ("T1|fork()|3", 9, "empty thread name"),
        ("T1|fork(#1)|3", 9, "`#` in a thread name"),
        ("T)|w(x)|3", 2, "`)` without `(` in a thread name"),
        ("T1|.put(1)|3", 4, "empty object name"),
        ("T1|o.(1)|3", 6, "empty method name"),
        ("T1|o.put(1|3", 9, "no closing `)`"),
        ("T1|o.put(1,|3", 9, "no closing `)`"),
        ("T1|o.put(,1)|3", 10, "expected a value"),
        ("T1|o.put(1,)|3", 12, "expected a value"),
        ("T1|o.put(1 2)|3", 12, "expected `,` or `)`"),
        ("T1|o.put(1)x|3", 12, "unexpected `x` after the action"),
        ("T1|o.put(1)/|3", 13, "expected a value"),
        ("T1|o.put(1)/2 3|3", 15, "unexpected `3` after the action"),
        ("T1|o.put(12ab)|3", 10, "`12ab` is not an integer"),
        ("T1|o.put('abc)|3", 10, "unterminated string"),
        (r"T1|o.put('a\q')|3", 12, "unknown escape `\\q`"),
        ("T1|o.put(\"a\")|3", 10, "single quotes"),
        (
            "T1|o.put(99999999999999999999999999999999999999999)|3",
            10,
            "128 bits",
        ),
        ("T1|o.put((1,(2))|3", 13, "one value in parentheses"),
        ("T1|p.put(1)|3", 4, "the type of object `p` is not declared"),
        ("T1|drop(p)|3", 4, "the type of object `p` is not declared"),
        (
            "T1|w(x\x07y)|3",
            7,
            "control character \\x07 in a variable name",
        ),
        (
            "T1|w(x)|a\x1bb",
            10,
            "control character \\x1b in a location name",
        ),
        ("Té|wé(x)|3", 4, "unknown operation `wé`"),
    ] {
        let text = format!("T0|new(o:map)|1\n\n# comment\n{line}\nT0|w(x)|2\n");
        let (line_number, at, _, said) = problem(text.as_bytes());
        assert!(said.contains(message), "{line:?}: {said}");
        assert_eq!((line_number, at), (4, column), "{line:?}: {said}");
    }
}

#[test]
fn a_carriage_return_is_not_shown() {
    let error = read(b"T1|oops|1\r\n").error.unwrap();
    let Place::Line { excerpt, .. } = error.place else {
        panic!("{}", error.message);
    };
    assert_eq!(excerpt.text, "T1|oops|1");
}

#[test]
fn bytes_that_are_not_utf8_are_found() {
    for (line, column) in [
        (&b"T\xff|w(x)|3"[..], 2),
        (b"T1|w(x\xc3)|3", 7),
        (b"T1|w(x)|\xe9\xe9", 9),
        (b"T1|o.p\xff(1)|3", 7),
        (b"T1|o.put('\xff')|3", 11),
        (b"T1|o.put('\\n\xff')|3", 13),
        (b"T1|o.put(a\xff)|3", 11),
        (b"T1|o.put('twenty-four bytes long..\xff')|3", 35),
    ] {
        let text = [b"T0|new(o:map)|1\n", line, b"\n"].concat();
        let (number, at, kind, message) = problem(&text);
        assert_eq!(
            (number, at, kind),
            (2, column, ErrorKind::Syntax),
            "{message}"
        );
        assert!(message.contains("not UTF-8"), "{message}");
    }
    // Comments are not looked at.
    assert_eq!(read(b"# caf\xe9\nT1|w(x)|3\n").error, None);
}

#[test]
fn what_is_too_long_is_refused() {
    let long = "x".repeat(MAX_TEXT + 1);
    for (line, column) in [
        (format!("{long}|w(x)|3"), 1),
        (format!("T1|w({long})|3"), 6),
        (format!("T1|w(x)|{long}"), 9),
        (format!("T1|o.put('{long}')|3"), 10),
        (format!("T1|o.put({long})|3"), 10),
        (
            format!("T1|o.put({}{})|3", "(".repeat(33), ",)".repeat(33)),
            42,
        ),
    ] {
        let text = format!("T0|new(o:map)|1\n{line}\n");
        let (number, at, kind, message) = problem(text.as_bytes());
        assert_eq!(
            (number, at, kind),
            (2, column, ErrorKind::TooLong),
            "{message}"
        );
    }
    let line = |length: usize| {
        let mut line = "T1|o.put('a'".to_owned();
        while line.len() + 5 < length {
            line.push_str(",1");
        }
        line.push_str(&" ".repeat(length - line.len() - 3));
        line.push_str(")|3");
        assert_eq!(line.len(), length);
        format!("T0|new(o:map)|1\n{line}\n")
    };
    assert_eq!(read(line(MAX_LINE).as_bytes()).error, None);
    let (number, column, kind, _) = problem(line(MAX_LINE + 1).as_bytes());
    assert_eq!((number, column, kind), (2, 1, ErrorKind::TooLong));
}

#[test]
fn a_line_of_a_gigabyte_is_refused_at_once() {
    struct Endless {
        start: &'static [u8],
        given: usize,
    }
    impl std::io::Read for Endless {
        fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
            self.given += buffer.len();
            assert!(self.given < 8 << 20, "most of the line is never read");
            buffer.fill(b'x');
            let n = self.start.len().min(buffer.len());
            buffer[..n].copy_from_slice(&self.start[..n]);
            self.start = &self.start[n..];
            Ok(buffer.len())
        }
    }
    let start = b"T1|w(x)|1\nT1|w(";
    let reader = TraceReader::from_reader(Endless { start, given: 0 }, Options::default());
    let outcome = support::read_all(reader.unwrap());
    assert_eq!(outcome.text, ["T1|w(x)|1"]);
    let error = outcome.error.unwrap();
    assert_eq!(error.kind, ErrorKind::TooLong);
    assert!(matches!(
        error.place,
        Place::Line {
            line: 2,
            column: 1,
            ..
        }
    ));
}

#[test]
fn traces_without_events_are_empty() {
    for text in ["", "\n", "  \n\t\n", "# nothing\n# here", "\u{feff}"] {
        let outcome = read(text.as_bytes());
        assert_eq!(outcome.error.unwrap().kind, ErrorKind::Empty, "{text:?}");
    }
}

#[test]
fn other_kinds_of_files_are_named() {
    let elf = b"\x7fELF\x02\x01\x01\0\0\0\0\0\0\0\0\0\x03\0>\0";
    let (line, column, _, message) = problem(elf);
    assert!(line == 1 && column >= 1);
    assert!(message.contains("looks like a binary file"), "{message}");
    let utf16: Vec<u8> = "\u{feff}T1|w(x)|1\n"
        .encode_utf16()
        .flat_map(u16::to_le_bytes)
        .collect();
    let (_, _, _, message) = problem(&utf16);
    assert!(message.contains("UTF-16"), "{message}");
}

#[test]
fn inert_events_are_counted() {
    let text = b"T1|dummy|1\nT1|branch(x)|1\nT1|branch|1\nT1|w(x)|1\n";
    for format in [commute_trace::Format::Std, commute_trace::Format::Ctr] {
        let events = read(text).events;
        let mut reader = TraceReader::from_reader(&text[..], Options::default()).unwrap();
        reader.read_batch(&mut Vec::new()).unwrap();
        let bytes = support::write(format, &events, reader.names());
        let bytes = std::io::Cursor::new(bytes);
        let mut reader = TraceReader::from_reader(bytes, Options::default()).unwrap();
        reader.read_batch(&mut Vec::new()).unwrap();
        assert_eq!((reader.notes().dummies, reader.notes().branches), (1, 2));
    }
}

#[test]
fn missed_operations_are_said_by_a_comment() {
    let text = "# missed: 2\nT|w(x)|1\n# missed: 40\r\n#missed: 1\n# missed: many\n## missed: 1\n";
    let mut reader = TraceReader::from_reader(text.as_bytes(), Options::default()).unwrap();
    let mut events = Vec::new();
    while reader.read_batch(&mut events).unwrap() > 0 {}
    assert_eq!(reader.notes().missed, 42);
    assert_eq!(reader.events_read(), 1);
}

#[test]
fn objects_can_be_declared_from_outside() {
    let text = &b"T1|o.put(1,2)/nil|1\nT1|drop(o)|1\n"[..];
    let declared = vec!["o".to_owned()];
    let reader = TraceReader::from_reader(text, Options { declared }).unwrap();
    assert_eq!(support::read_all(reader).error, None);
    let (line, column, kind, message) = problem(text);
    assert_eq!((line, column, kind), (1, 4, ErrorKind::Undeclared));
    assert!(message.contains("--object o=type"), "{message}");
}

#[test]
fn an_analysis_can_complain_about_an_event() {
    let text = b"T0|new(o:map)|1\n\n# x\nT1| o.put(1)|2\r\nT1|w(x)|3\n";
    let mut reader = TraceReader::from_reader(&text[..], Options::default()).unwrap();
    reader.read_batch(&mut Vec::new()).unwrap();
    let error = reader.error_at(1, "put takes 2 arguments");
    assert_eq!(error.to_string(), "line 4, column 5: put takes 2 arguments");
    assert_eq!(error.kind, ErrorKind::Invalid);
    let Place::Line { excerpt, .. } = error.place else {
        panic!()
    };
    assert_eq!(
        (excerpt.text.as_str(), excerpt.column),
        ("T1| o.put(1)|2", 5)
    );
    assert_eq!(reader.error_at(2, "no").to_string(), "line 5, column 4: no");
}

#[test]
fn lines_are_counted_across_batches() {
    let mut text = String::new();
    let mut expected = Vec::new();
    let mut line = 0;
    for i in 0..20_000 {
        for _ in 0..i % 7 % 3 {
            text.push_str("# comment\n");
            line += 1;
        }
        text.push_str(&format!("T1|w(V{})|{}\n", i % 50, i % 9));
        line += 1;
        expected.push(line);
    }
    assert_eq!(read(text.as_bytes()).lines, expected);
}

#[test]
fn lines_of_all_lengths_cross_the_ends_of_buffers() {
    let mut text = String::new();
    let mut expected = Vec::new();
    for i in 0..3000 {
        let line = format!("T1|w(V{})|{}", i % 77, "x".repeat(i * 37 % 9001));
        text.push_str(&line);
        text.push('\n');
        expected.push(line);
    }
    assert!(read(text.as_bytes()).text == expected);
}

#[test]
fn a_name_with_a_zero_byte_is_not_the_name_without() {
    let (line, column, _, message) = problem(b"T1|w(5)|1\nT1|w(\x005)|1\n");
    assert_eq!((line, column), (2, 6), "{message}");
    let (line, column, _, message) = problem(b"T1|w(5)|1\nT1\0|w(5)|1\n");
    assert_eq!((line, column), (2, 3), "{message}");
}

#[test]
fn actions_that_somebody_keeps_stay_as_they_are() {
    let mut text = "T0|new(o:map)|1\n".to_owned();
    for i in 0..10_000 {
        text.push_str(&format!("T{}|o.put('key{i}',{i})/{}|7\n", i % 3, i / 2));
    }
    let mut reader =
        TraceReader::from_reader(std::io::Cursor::new(text.clone()), Options::default()).unwrap();
    let (mut kept, mut batch) = (Vec::new(), Vec::new());
    while reader.read_batch(&mut batch).unwrap() > 0 {
        // Every other one.
        kept.extend(batch.iter().enumerate().map(|(i, event)| {
            let event = (i % 2 == 0).then(|| event.clone());
            (reader.index(i), event)
        }));
    }
    let lines: Vec<&str> = text.lines().collect();
    for (index, event) in kept {
        if let Some(event) = event {
            let line = event.display(reader.names()).to_string();
            assert_eq!(line, lines[index as usize - 1]);
        }
    }
}
