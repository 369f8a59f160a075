//! The memory that names take is bounded, in text and in binary traces.
#![allow(missing_docs)]

use std::io::Read;

use commute_model::Names;
use commute_trace::{
    CtrWriter, ErrorKind, Options, Place, ReadAhead, TraceError, TraceReader, TraceWriter, copy,
};

/// Less than the names below take, more than a batch of them.
const MOST: usize = 2 << 20;

/// Text that is made while it is read.
struct Lines<F> {
    line: F,
    number: u64,
    rest: Vec<u8>,
}

impl<F: FnMut(u64) -> String> Read for Lines<F> {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        if self.rest.is_empty() && self.number < 100_000 {
            self.rest = (self.line)(self.number).into_bytes();
            self.number += 1;
        }
        let length = self.rest.len().min(buffer.len());
        buffer[..length].copy_from_slice(&self.rest[..length]);
        self.rest.drain(..length);
        Ok(length)
    }
}

fn lines<F: FnMut(u64) -> String>(line: F) -> Lines<F> {
    Lines {
        line,
        number: 0,
        rest: Vec::new(),
    }
}

/// Reads to the error; how many events there were, and the memory of their names.
fn read(mut reader: TraceReader) -> (u64, usize, TraceError) {
    let mut events = Vec::new();
    let error = loop {
        match reader.read_batch(&mut events) {
            Ok(0) => panic!("there is no limit"),
            Ok(_) => {}
            Err(error) => break error,
        }
    };
    (reader.events_read(), reader.names().bytes(), error)
}

/// Hostile shapes: many names of each kind, long and short, with numbers and without.
#[test]
fn names_of_every_kind_are_bounded() {
    type Line = fn(u64) -> String;
    let shapes: [(&str, Line); 12] = [
        ("threads", |n| format!("{n}t|w(x)|a\n")),
        ("locks", |n| format!("T|acq({n}m)|a\n")),
        ("variables", |n| format!("T|w({n}x)|a\n")),
        ("condition variables", |n| format!("T|notify({n}c)|a\n")),
        ("objects", |n| format!("T|new({n}o:map)|a\n")),
        ("types", |n| format!("T|new(o:t{n}_)|a\n")),
        ("methods", |n| match n {
            0 => "T|new(o:map)|a\n".to_owned(),
            n => format!("T|o.m{n}_()|a\n"),
        }),
        ("blocks", |n| format!("T|begin(b{n}_)|a\n")),
        ("locations", |n| format!("T|w(x)|{n}.rs\n")),
        ("long", |n| format!("T|w({n}{})|a\n", "x".repeat(9000))),
        ("numbers that share nothing", |n| {
            format!("T|w({n}x127)|a\n")
        }),
        ("sparse numbers", |n| format!("T|w(x{})|a\n", n * 9000 + 65)),
    ];
    for (shape, line) in shapes {
        let reader = TraceReader::from_reader(lines(line), Options::default());
        let reader = reader.expect("it begins").with_max_names(MOST);
        let (events, bytes, error) = read(reader);
        assert_eq!(error.kind, ErrorKind::TooLong, "{shape}: {error}");
        assert!(error.message.contains("names"), "{shape}: {error}");
        let Place::Line { line, .. } = error.place else {
            panic!("{shape}: {error}");
        };
        // The events before are delivered, and the place is the last of them.
        assert_eq!(line, events, "{shape}");
        assert!(bytes < 2 * MOST, "{shape}: {bytes}");
    }
}

#[test]
fn binary_traces_are_bounded_and_say_where() {
    let text = lines(|n| format!("T|w({n}x)|a\n"));
    let mut reader = TraceReader::from_reader(text, Options::default()).expect("it begins");
    let mut writer = TraceWriter::new(commute_trace::Format::Ctr, Vec::new()).expect("it begins");
    copy(&mut reader, &mut writer).expect("it can be copied");
    let bytes = writer.finish().expect("written");
    let length = bytes.len() as u64;
    let reader = TraceReader::from_reader(std::io::Cursor::new(bytes), Options::default());
    let (events, memory, error) = read(reader.expect("it begins").with_max_names(MOST));
    assert_eq!(error.kind, ErrorKind::TooLong, "{error}");
    assert!(
        matches!(error.place, Place::Byte(at) if at < length),
        "{error}"
    );
    assert!(events > 0 && memory < 4 * MOST, "{memory}");
}

#[test]
fn a_reader_ahead_delivers_the_events_before() {
    let text = lines(|n| format!("T|w({n}x)|a\n"));
    let reader = TraceReader::from_reader(text, Options::default()).expect("it begins");
    let mut ahead = ReadAhead::live(reader.with_max_names(MOST)).expect("a thread");
    let error = loop {
        match ahead.read_batch() {
            Ok(events) => assert!(!events.is_empty()),
            Err(error) => break error,
        }
    };
    assert_eq!(error.kind, ErrorKind::TooLong);
    assert_eq!(ahead.names().variables.len() as u64, ahead.events_read());
}

/// Many events with few names are within any limit.
#[test]
fn few_names_are_no_problem() {
    let mut names = Names::default();
    let mut writer = CtrWriter::new(Vec::new()).expect("it begins");
    let event = commute_model::Event {
        thread: names.threads.intern("T"),
        location: names.locations.intern("a"),
        op: commute_model::Op::Write(names.variables.intern("x")),
    };
    for _ in 0..100_000 {
        writer.write(&event, &names).expect("written");
    }
    let bytes = writer.finish().expect("written");
    let reader = TraceReader::from_reader(std::io::Cursor::new(bytes), Options::default());
    let mut reader = reader.expect("it begins").with_max_names(4096);
    let mut events = Vec::new();
    while reader.read_batch(&mut events).expect("few names") > 0 {}
    assert_eq!(reader.events_read(), 100_000);
}
