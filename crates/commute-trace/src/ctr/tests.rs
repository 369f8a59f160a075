//! Frames that are whole but say what no writer says. The checksums do not help
//! against those; the decoder must.

use std::time::{Duration, Instant};

use super::FILE_HEADER;
use super::frame::{self, Frame, MAX_EVENTS};
use crate::error::{ErrorKind, Place, TraceError};
use crate::reader::{Options, TraceReader};

/// Reads a file with one frame of events.
fn read(payload: &[u8], events: u32) -> Result<usize, TraceError> {
    let mut bytes = FILE_HEADER.to_vec();
    let frame = Frame {
        kind: frame::EVENTS,
        events,
        first: 0,
    };
    frame::write(&mut bytes, &frame, payload, true);
    let mut reader = TraceReader::from_reader(std::io::Cursor::new(bytes), Options::default())?;
    let (mut batch, mut total) = (Vec::new(), 0);
    loop {
        match reader.read_batch(&mut batch)? {
            0 => return Ok(total),
            n => total += n,
        }
    }
}

/// The parts of a payload with one thread `T`, one variable `x`, one location
/// and the site `w`.
struct Parts {
    names: Vec<u8>,
    sites: Vec<u8>,
    widths: Vec<u8>,
    columns: Vec<u8>,
    rest: Vec<u8>,
}

impl Parts {
    fn new() -> Parts {
        Parts {
            names: vec![1, 1, b'T', 0, 1, 1, b'x', 0, 0, 0, 0, 0, 1, 1, b'l'],
            sites: vec![1, 1, 0],
            widths: vec![1, 1, 1],
            columns: vec![0, 0, 0],
            rest: vec![0],
        }
    }

    fn payload(&self) -> Vec<u8> {
        [
            &self.names[..],
            &self.sites,
            &self.widths,
            &self.columns,
            &self.rest,
        ]
        .concat()
    }
}

fn message(change: impl FnOnce(&mut Parts)) -> String {
    let mut parts = Parts::new();
    change(&mut parts);
    let error = read(&parts.payload(), 1).expect_err("a mistake");
    assert_eq!(error.kind, ErrorKind::Corrupt, "{error}");
    assert_eq!(error.place, Place::Byte(8));
    error.message
}

#[test]
fn the_unchanged_frame_is_fine() {
    let error = read(&Parts::new().payload(), 1).unwrap_err();
    assert_eq!(
        error.kind,
        ErrorKind::Truncated,
        "only the end is missing: {error}"
    );
    assert!(error.lost.unwrap().contains("1 event before it was read"));
}

#[test]
fn every_number_is_checked() {
    type Change = fn(&mut Parts);
    let cases: [(Change, &str); 16] = [
        (
            |p| p.names[0] = 200,
            "a count that is larger than what follows",
        ),
        (
            |p| p.names[1] = 99,
            "a count that is larger than what follows",
        ),
        (
            |p| p.names[2] = b'|',
            "a name that cannot be written as text",
        ),
        (|p| p.names[2] = 0xff, "a name that is not UTF-8"),
        (|p| p.names[1] = 0, "a name that cannot be written as text"),
        (|p| p.sites[1] = 23, "an unknown operation"),
        (|p| p.sites[2] = 1, "an unknown location"),
        (|p| p.widths[0] = 5, "a column that is too wide"),
        (|p| p.widths[2] = 4, "columns that do not fit"),
        (|p| p.columns[0] = 1, "an unknown name"),
        (|p| p.columns[1] = 1, "an unknown site"),
        (|p| p.columns[2] = 1, "an unknown name"),
        (|p| p.rest = vec![0, 7], "bytes after its last value"),
        (|p| p.rest = vec![1, b'x'], "bytes after its last value"),
        (|p| p.rest = vec![1, 0xff], "text that is not UTF-8"),
        (|p| p.rest = vec![], "an item that it ends in the middle of"),
    ];
    for (change, expected) in cases {
        assert_eq!(message(change), format!("this frame has {expected}"));
    }
}

#[test]
fn a_short_frame_cannot_claim_many_events() {
    let mut parts = Parts::new();
    parts.widths = vec![0, 0, 0];
    parts.columns = vec![];
    for (events, fine) in [
        (1, true),
        (MAX_EVENTS, true),
        (MAX_EVENTS + 1, false),
        (u32::MAX, false),
        (0, false),
    ] {
        let error = read(&parts.payload(), events).unwrap_err();
        let expected = if fine {
            ErrorKind::Truncated
        } else {
            ErrorKind::Corrupt
        };
        assert_eq!(error.kind, expected, "{events}: {error}");
    }
}

#[test]
fn a_frame_of_unknown_kind_is_skipped_if_it_may_be() {
    for (kind, fine) in [(3, false), (127, false), (129, true), (255, true)] {
        let mut bytes = FILE_HEADER.to_vec();
        let other = Frame {
            kind,
            events: 7,
            first: 99,
        };
        frame::write(&mut bytes, &other, b"something new", true);
        let events = Frame {
            kind: frame::EVENTS,
            events: 1,
            first: 0,
        };
        frame::write(&mut bytes, &events, &Parts::new().payload(), true);
        let reader = TraceReader::from_reader(std::io::Cursor::new(bytes), Options::default());
        let result = reader.unwrap().read_batch(&mut Vec::new());
        assert_eq!(result.is_ok(), fine, "kind {kind}: {result:?}");
    }
}

#[test]
fn missed_operations_are_a_number_and_nothing_else() {
    let largest = [&[0xff; 9][..], &[1]].concat();
    let cases: [(&[&[u8]], Option<u64>); 7] = [
        (&[], Some(0)),
        (&[&[5]], Some(5)),
        (&[&[5], &[0x80, 1]], Some(133)),
        (&[&largest, &[1]], Some(u64::MAX)),
        (&[&[]], None),
        (&[&[0x80]], None),
        (&[&[5, 0]], None),
    ];
    for (payloads, expected) in cases {
        let mut bytes = FILE_HEADER.to_vec();
        for payload in payloads {
            let missed = Frame {
                kind: frame::MISSED,
                events: 0,
                first: 0,
            };
            frame::write(&mut bytes, &missed, payload, true);
        }
        let events = Frame {
            kind: frame::EVENTS,
            events: 1,
            first: 0,
        };
        frame::write(&mut bytes, &events, &Parts::new().payload(), true);
        let reader = TraceReader::from_reader(std::io::Cursor::new(bytes), Options::default());
        let mut reader = reader.unwrap();
        match (reader.read_batch(&mut Vec::new()), expected) {
            (Ok(1), Some(missed)) => assert_eq!(reader.notes().missed, missed),
            (Err(error), None) => assert_eq!(error.kind, ErrorKind::Corrupt),
            other => panic!("{payloads:?}: {other:?}"),
        }
    }
}

#[test]
fn totals_at_the_end_must_fit() {
    for (totals, fine) in [
        ([1, 0, 1, 0, 0, 0, 0, 0, 1, 1], true),
        ([2, 0, 1, 0, 0, 0, 0, 0, 1, 1], false),
        ([1, 0, 1, 0, 0, 0, 0, 0, 1, 0], false),
    ] {
        let mut bytes = FILE_HEADER.to_vec();
        let events = Frame {
            kind: frame::EVENTS,
            events: 1,
            first: 0,
        };
        frame::write(&mut bytes, &events, &Parts::new().payload(), true);
        let end = Frame {
            kind: frame::END,
            events: 0,
            first: 1,
        };
        frame::write(&mut bytes, &end, &totals, true);
        let reader = TraceReader::from_reader(std::io::Cursor::new(bytes), Options::default());
        let mut reader = reader.unwrap();
        assert_eq!(reader.read_batch(&mut Vec::new()), Ok(1));
        assert_eq!(
            reader.read_batch(&mut Vec::new()).is_ok(),
            fine,
            "{totals:?}"
        );
    }
}

/// Payloads of real traces, changed and framed again with good checksums.
#[test]
fn changed_payloads_are_errors_or_events_but_never_panics() {
    let seconds = std::env::var("COMMUTE_FUZZ_SECONDS")
        .ok()
        .and_then(|s| s.parse().ok());
    let end = Instant::now() + Duration::from_secs_f64(seconds.unwrap_or(0.0));
    let text = "T0|new(o:map)|1\nT0|o.put('key',(1,-2,300,nil,true,?,sym,'é'))/nil|2\nT1|w(x)|3\n\
                T1|wait(c,m)|4\nT1|wake(c,m)|4\nT1|begin(b)|5\nT1|end|5\nT0|o.size()/1|6\nT0|drop(o)|7\n";
    let mut reader = TraceReader::from_reader(text.as_bytes(), Options::default()).unwrap();
    let mut batch = Vec::new();
    reader.read_batch(&mut batch).unwrap();
    let mut writer = super::CtrWriter::new(Vec::new()).unwrap();
    for event in &batch {
        writer.write(event, reader.names()).unwrap();
    }
    let original = writer.finish().unwrap();
    let payload = payload_of(&original);
    assert!(
        read(&payload, 9)
            .unwrap_err()
            .to_string()
            .contains("no end")
    );
    let mut state = 1u64;
    let mut random = move |bound: usize| {
        state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) as usize % bound
    };
    let mut round = 0;
    while round < 20_000 || Instant::now() < end {
        round += 1;
        let mut changed = payload.clone();
        for _ in 0..1 + random(3) {
            let at = random(changed.len());
            match random(4) {
                0 => changed[at] = random(256) as u8,
                1 => changed[at] ^= 1 << random(8),
                2 => _ = changed.remove(at),
                _ => changed.insert(at, random(256) as u8),
            }
        }
        let events = if random(4) == 0 { random(20) as u32 } else { 9 };
        let start = Instant::now();
        let result = read(&changed, events);
        assert!(result.is_err(), "the end is missing");
        // Far longer than it takes to read some bytes.
        assert!(start.elapsed() < Duration::from_secs(60));
    }
}

/// The payload of the first frame.
fn payload_of(bytes: &[u8]) -> Vec<u8> {
    let frame = &bytes[FILE_HEADER.len()..];
    let number = |at: usize| u32::from_le_bytes(frame[at..at + 4].try_into().unwrap()) as usize;
    let stored = &frame[frame::HEADER..frame::HEADER + number(12)];
    match frame[5] {
        0 => stored.to_vec(),
        _ => lz4_flex::block::decompress(stored, number(8)).unwrap(),
    }
}

#[test]
fn an_action_of_numbers_and_bytes_is_the_action_of_its_event() {
    use super::encode::{CtrWriter, Numbers};
    use super::value_bytes::{put_integer, put_nil, put_number, put_string};
    use commute_model::{Action, Event, Names, Op, Value};

    let mut names = Names::default();
    let object = names.objects.intern("m");
    let new = Event {
        thread: names.threads.intern("T"),
        location: names.locations.intern("a.rs:1"),
        op: Op::New(object, names.types.intern("map")),
    };
    let action = Action {
        object,
        method: names.methods.intern("insert"),
        args: [Value::Int(-70_000), Value::str("é")].into_iter().collect(),
        result: Some(Value::Nil),
    };
    let op = Op::Action(action.into());
    let (thread, location) = (new.thread, new.location);
    let event = Event {
        thread,
        location,
        op,
    };
    for compress in [true, false] {
        let mut writer = CtrWriter::new(Vec::new()).unwrap();
        writer.compress(compress);
        writer.write(&new, &names).unwrap();
        let numbers = writer.numbers(&event, &names).unwrap();
        let [thread, site, operand] = [0, 1, 0];
        let expected = Numbers {
            thread,
            site,
            operand,
        };
        assert_eq!(numbers, expected);
        let mut bytes = Vec::new();
        let Op::Action(action) = &event.op else {
            unreachable!()
        };
        put_number(
            &mut bytes,
            writer.method(action.method, &names).unwrap().into(),
        );
        put_number(&mut bytes, 2);
        put_integer(&mut bytes, -70_000);
        put_string(&mut bytes, "é".len());
        put_nil(&mut bytes);
        let lengths = [bytes.len(), "é".len()];
        bytes.extend("é".bytes());
        for more in 0..40_000 {
            // Whatever follows is not part of it.
            bytes.resize(bytes.len() + usize::from(more % 1000 == 0), b'x');
            writer.write_action(numbers, &bytes, lengths).unwrap();
        }
        let file = writer.finish().unwrap();
        let reader = TraceReader::from_reader(std::io::Cursor::new(file), Options::default());
        let (mut reader, mut batch, mut total) = (reader.unwrap(), Vec::new(), 0);
        while reader.read_batch(&mut batch).unwrap() > 0 {
            let first = usize::from(total == 0);
            assert!(batch[first..].iter().all(|read| *read == event));
            total += batch.len();
        }
        assert_eq!(total, 40_001);
    }
}
