//! Binary traces that were cut or damaged.
#![allow(missing_docs)]

mod support;

use commute_model::{Event, Names};
use commute_trace::{CtrWriter, ErrorKind, Format, Options, Place, TraceReader, end_where_cut};
use support::{Outcome, Random, events, read, read_all, write};

/// After how many bytes a frame ends, and how many events there are until then.
type FrameEnd = (usize, usize);

/// A trace of several small frames.
fn small_frames() -> (Vec<Event>, Names, Vec<u8>, Vec<FrameEnd>) {
    let mut names = Names::default();
    let events = events(&mut Random(11), 40, &mut names);
    let mut bytes = Vec::new();
    let mut frames = Vec::new();
    let mut writer = CtrWriter::new(&mut bytes).unwrap();
    for (i, event) in events.iter().enumerate() {
        writer.write(event, &names).unwrap();
        if i % 9 == 8 {
            writer.flush().unwrap();
        }
    }
    writer.finish().unwrap();
    // Frames start with a marker; the payloads of this trace do not contain it.
    let starts = memchr::memmem::find_iter(&bytes, b"CTRf").collect::<Vec<_>>();
    for (i, end) in starts.iter().skip(1).enumerate() {
        frames.push((*end, (9 * (i + 1)).min(events.len())));
    }
    (events, names, bytes, frames)
}

/// What a writer leaves that stops after the first `count` events of
/// [`small_frames`].
fn stopped_after(count: usize) -> Vec<u8> {
    let (events, names, ..) = small_frames();
    let mut writer = CtrWriter::new(Vec::new()).unwrap();
    for (i, event) in events[..count].iter().enumerate() {
        writer.write(event, &names).unwrap();
        if i % 9 == 8 {
            writer.flush().unwrap();
        }
    }
    writer.finish().unwrap()
}

#[test]
fn a_file_cut_anywhere_can_be_ended_where_it_was_cut() {
    let (_, _, bytes, frames) = small_frames();
    let path = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join("binary-cut.ctr");
    for cut in 0..=bytes.len() {
        std::fs::write(&path, &bytes[..cut]).unwrap();
        let ended = end_where_cut(&path).unwrap();
        let after = std::fs::read(&path).unwrap();
        let readable = frames.iter().rfind(|(end, _)| *end <= cut);
        match readable {
            Some((_, events)) if cut < bytes.len() => {
                assert!(ended, "cut after {cut}");
                assert_eq!(after, stopped_after(*events), "cut after {cut}");
            }
            _ => {
                assert!(!ended, "cut after {cut}");
                assert_eq!(after, &bytes[..cut]);
            }
        }
    }
    // What was damaged, or is no such trace, is not touched.
    let mut damaged = bytes[..bytes.len() - 1].to_vec();
    damaged[60] ^= 1;
    for other in [&damaged[..], b"T1|w(x)|a.rs:1\nT1|"] {
        std::fs::write(&path, other).unwrap();
        assert!(!end_where_cut(&path).unwrap_or(false));
        assert_eq!(std::fs::read(&path).unwrap(), other);
    }
}

#[test]
fn a_file_cut_anywhere_is_readable_up_to_the_last_whole_frame() {
    let (_, _, bytes, frames) = small_frames();
    let whole = read(&bytes);
    assert_eq!(whole.error, None);
    for cut in 0..bytes.len() {
        let outcome = read(&bytes[..cut]);
        let readable = frames
            .iter()
            .rfind(|(end, _)| *end <= cut)
            .map_or(0, |(_, events)| *events);
        assert_eq!(outcome.text, whole.text[..readable], "cut after {cut}");
        let error = outcome
            .error
            .unwrap_or_else(|| panic!("cut after {cut}: no error"));
        if cut == 0 {
            assert_eq!(error.kind, ErrorKind::Empty);
            continue;
        }
        assert_eq!(error.kind, ErrorKind::Truncated, "cut after {cut}: {error}");
        let Place::Byte(offset) = error.place else {
            panic!("cut after {cut}: {error}");
        };
        assert!(offset <= cut as u64);
        if cut > 8 {
            let lost = error.lost.expect("what was lost");
            assert!(lost.contains(&format!("{readable} event")), "{lost}");
            let rest = cut as u64 - offset;
            assert!(
                rest == 0 || lost.contains(&format!("the last {rest} bytes")),
                "{lost}"
            );
        }
    }
}

#[test]
fn a_flipped_bit_anywhere_is_noticed() {
    let (_, _, bytes, _) = small_frames();
    let whole = read(&bytes);
    for at in 0..bytes.len() {
        for bit in 0..8 {
            let mut damaged = bytes.clone();
            damaged[at] ^= 1 << bit;
            let outcome = read(&damaged);
            let error = outcome
                .error
                .unwrap_or_else(|| panic!("bit {bit} of byte {at}: no error"));
            assert!(
                whole.text.starts_with(&outcome.text),
                "bit {bit} of byte {at}: {error}"
            );
        }
    }
}

#[test]
fn frames_that_are_lost_doubled_or_exchanged_are_noticed() {
    let (_, _, bytes, frames) = small_frames();
    let (first, second, third) = (
        8..frames[0].0,
        frames[0].0..frames[1].0,
        frames[1].0..frames[2].0,
    );
    let rest = &bytes[frames[2].0..];
    let (a, b, c) = (&bytes[first], &bytes[second], &bytes[third]);
    for middle in [
        vec![a, c],
        vec![a, a, b, c],
        vec![b, a, c],
        vec![a, b, b, c],
        vec![b, c],
        vec![c],
    ] {
        let file = [&bytes[..8], &middle.concat(), rest].concat();
        let outcome = read(&file);
        assert_eq!(outcome.error.unwrap().kind, ErrorKind::Corrupt);
    }
    let file = [&bytes[..8], a, b, c, rest].concat();
    assert_eq!(read(&file).error, None);
}

#[test]
fn a_doubled_frame_without_new_names_is_noticed_too() {
    let mut names = Names::default();
    let event = Event {
        thread: names.threads.intern("T1"),
        location: names.locations.intern("1"),
        op: commute_model::Op::Begin(None),
    };
    let mut bytes = Vec::new();
    let mut writer = CtrWriter::new(&mut bytes).unwrap();
    for _ in 0..3 {
        writer.write(&event, &names).unwrap();
        writer.flush().unwrap();
    }
    writer.finish().unwrap();
    assert_eq!(read(&bytes).events.len(), 3);
    let starts: Vec<usize> = memchr::memmem::find_iter(&bytes, b"CTRf").collect();
    let second = &bytes[starts[1]..starts[2]];
    let doubled = [&bytes[..starts[2]], second, &bytes[starts[2]..]].concat();
    let outcome = read(&doubled);
    assert_eq!(outcome.events.len(), 2);
    let error = outcome.error.unwrap();
    assert_eq!(
        (error.kind, error.place),
        (ErrorKind::Corrupt, Place::Byte(starts[2] as u64))
    );
    assert!(
        error.message.contains("event 3 should come next"),
        "{}",
        error.message
    );
}

#[test]
fn nothing_may_follow_the_end() {
    let (_, _, mut bytes, _) = small_frames();
    let length = bytes.len() as u64;
    bytes.push(0);
    let outcome = read(&bytes);
    assert_eq!(outcome.events.len(), 40);
    let error = outcome.error.unwrap();
    assert_eq!(
        (error.kind, error.place),
        (ErrorKind::Corrupt, Place::Byte(length))
    );
}

#[test]
fn other_versions_are_refused() {
    let (_, _, bytes, _) = small_frames();
    for (at, value) in [(6, 2), (7, 1)] {
        let mut other = bytes.clone();
        other[at] = value;
        let error = read(&other).error.unwrap();
        assert_eq!(
            (error.kind, error.place),
            (ErrorKind::Unsupported, Place::Byte(6))
        );
    }
}

#[test]
fn a_trace_without_events_is_empty() {
    let bytes = CtrWriter::new(Vec::new()).unwrap().finish().unwrap();
    assert_eq!(read(&bytes).error.unwrap().kind, ErrorKind::Empty);
}

#[test]
fn actions_on_undeclared_objects_are_errors_here_too() {
    let text = b"T1|w(x)|1\nT1|o.put(1,2)/nil|1\nT1|drop(o)|1\n";
    let declared = || Options {
        declared: vec!["o".to_owned()],
    };
    let mut reader = TraceReader::from_reader(&text[..], declared()).unwrap();
    let mut batch = Vec::new();
    reader.read_batch(&mut batch).unwrap();
    let binary = write(Format::Ctr, &batch, reader.names());
    let Outcome { events, error, .. } = read(&binary);
    assert_eq!(events.len(), 1);
    let error = error.unwrap();
    assert_eq!(
        (error.kind, &error.place),
        (ErrorKind::Undeclared, &Place::Byte(8))
    );
    assert!(error.message.starts_with("event 2, "), "{error}");
    let reader = TraceReader::from_reader(std::io::Cursor::new(binary), declared()).unwrap();
    assert_eq!(read_all(reader).error, None);
}

#[test]
fn an_analysis_can_complain_about_an_event() {
    let (events, names, _, _) = small_frames();
    let bytes = std::io::Cursor::new(write(Format::Ctr, &events, &names));
    let mut reader = TraceReader::from_reader(bytes, Options::default()).unwrap();
    reader.read_batch(&mut Vec::new()).unwrap();
    let error = reader.error_at(4, "put takes 2 arguments");
    assert_eq!(
        error.to_string(),
        "byte 8: event 5, in the frame that starts here: put takes 2 arguments"
    );
}

#[test]
fn what_cannot_be_read_back_cannot_be_written() {
    use commute_model::{Op, Value};
    let mut names = Names::default();
    let thread = names.threads.intern("T1");
    let location = names.locations.intern("");
    let (object, method) = (names.objects.intern("o"), names.methods.intern("put"));
    let action = |value: Value| {
        let args = [value].into_iter().collect();
        let result = None;
        Op::Action(commute_model::SharedAction::new(commute_model::Action {
            object,
            method,
            args,
            result,
        }))
    };
    let deep = (0..33).fold(Value::unit(), |value, _| Value::tuple([value]));
    let long = Value::tuple(vec![Value::str(&"x".repeat(60_000)); 20]);
    let ops = [
        Op::Write(names.variables.intern("a|b")),
        Op::Write(names.variables.intern("")),
        Op::Fork(names.threads.intern(" T2")),
        action(Value::symbol("nil")),
        action(Value::symbol("a b")),
        action(Value::str(&"x".repeat(65_537))),
        action(deep),
        action(long),
    ];
    for op in ops {
        let event = Event {
            thread,
            location,
            op,
        };
        for format in [Format::Std, Format::Ctr] {
            let mut writer = commute_trace::TraceWriter::new(format, Vec::new()).unwrap();
            let error = writer.write(&event, &names).unwrap_err();
            assert_eq!(
                error.kind(),
                std::io::ErrorKind::InvalidInput,
                "{:?}",
                event.op
            );
            // Nothing of it is left behind.
            let good = Event {
                op: Op::Begin(None),
                ..event.clone()
            };
            writer.write(&good, &names).unwrap();
            let outcome = read(&writer.finish().unwrap());
            assert_eq!(
                (outcome.text, outcome.error),
                (vec!["T1|begin|".to_owned()], None)
            );
        }
    }
}
