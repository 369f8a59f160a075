//! Nothing is lost between events, text and binary.
#![allow(missing_docs)]

mod support;

use std::io::Write;

use commute_model::{Event, Names, Op};
use commute_trace::{Compression, Format, Options, TraceReader, TraceWriter, copy};
use support::{Random, events, read, write};

/// Events and the lines they should be.
fn random_trace(seed: u64, count: usize) -> (Vec<Event>, Names, Vec<String>) {
    let mut random = Random(seed);
    let mut names = Names::default();
    let events = events(&mut random, count, &mut names);
    let lines = events
        .iter()
        .map(|e| e.display(&names).to_string())
        .collect();
    (events, names, lines)
}

#[test]
fn text_is_what_events_display_and_reads_back() {
    for seed in 0..300 {
        let (events, names, lines) = random_trace(seed, 60);
        let text = write(Format::Std, &events, &names);
        let expected: String = lines.iter().map(|line| format!("{line}\n")).collect();
        assert_eq!(
            String::from_utf8(text.clone()).unwrap(),
            expected,
            "seed {seed}"
        );
        let outcome = read(&text);
        assert_eq!(outcome.error, None, "seed {seed}");
        assert_eq!(outcome.text, lines, "seed {seed}");
        let numbers: Vec<u64> = (1..=lines.len() as u64).collect();
        assert_eq!(outcome.lines, numbers, "seed {seed}");
    }
}

#[test]
fn binary_reads_back_and_gives_the_ids_that_text_gives() {
    for seed in 0..300 {
        let (events, names, lines) = random_trace(seed, 60);
        let from_binary = read(&write(Format::Ctr, &events, &names));
        assert_eq!(from_binary.error, None, "seed {seed}");
        assert_eq!(from_binary.text, lines, "seed {seed}");
        let from_text = read(&write(Format::Std, &events, &names));
        assert_eq!(from_binary.events, from_text.events, "seed {seed}");
    }
}

#[test]
fn long_traces_cross_frames_and_buffers() {
    let (events, names, lines) = random_trace(7, 60_000);
    for format in [Format::Std, Format::Ctr] {
        let outcome = read(&write(format, &events, &names));
        assert_eq!(outcome.error, None);
        assert_eq!(outcome.text, lines, "{format:?}");
    }
}

/// Actions of a thread, at a place, on an object, one after the other: with the values of
/// others in turn, and some of them kept by whoever reads.
#[test]
fn rows_of_actions_read_back_and_what_is_kept_stays() {
    let (some, names, _) = random_trace(5, 4000);
    let actions = Vec::from_iter(some.iter().filter_map(|event| match &event.op {
        Op::Action(action) => Some(action.clone()),
        _ => None,
    }));
    let (mut random, mut events) = (Random(6), Vec::new());
    for event in some {
        let rows = random.below(12);
        events.push(event.clone());
        let Op::Action(first) = &event.op else {
            continue;
        };
        for _ in 0..rows {
            let mut action = (*actions[random.below(actions.len())]).clone();
            action.object = first.object;
            let op = Op::Action(action.into());
            events.push(Event {
                op,
                ..event.clone()
            });
        }
    }
    let bytes = write(Format::Ctr, &events, &names);
    let reader = TraceReader::from_reader(std::io::Cursor::new(bytes), Options::default());
    let (mut reader, mut batch, mut kept) = (reader.unwrap(), Vec::new(), Vec::new());
    while reader.read_batch(&mut batch).unwrap() > 0 {
        for (i, event) in batch.iter().enumerate() {
            let place = reader.index(i) as usize - 1;
            let line = event.display(reader.names()).to_string();
            assert_eq!(line, events[place].display(&names).to_string());
            if place.is_multiple_of(3) {
                kept.push((line, event.clone()));
            }
        }
    }
    assert_eq!(reader.events_read(), events.len() as u64);
    for (line, event) in kept {
        assert_eq!(event.display(reader.names()).to_string(), line);
    }
}

fn convert(bytes: Vec<u8>, format: Format) -> Vec<u8> {
    let reader = TraceReader::from_reader(std::io::Cursor::new(bytes), Options::default());
    let mut writer = TraceWriter::new(format, Vec::new()).unwrap();
    copy(&mut reader.unwrap(), &mut writer).unwrap();
    writer.finish().unwrap()
}

#[test]
fn conversion_there_and_back_is_the_same_file() {
    for seed in 0..50 {
        let (events, names, _) = random_trace(seed, 300);
        let text = write(Format::Std, &events, &names);
        let binary = convert(text.clone(), Format::Ctr);
        assert_eq!(convert(binary.clone(), Format::Std), text, "seed {seed}");
        assert_eq!(convert(binary.clone(), Format::Ctr), binary, "seed {seed}");
        assert_eq!(binary, write(Format::Ctr, &events, &names), "seed {seed}");
    }
}

#[test]
fn missed_operations_are_said_in_both_formats() {
    let (events, names, _) = random_trace(3, 40_000);
    for format in [Format::Std, Format::Ctr] {
        let mut writer = TraceWriter::new(format, Vec::new()).unwrap();
        for (i, event) in events.iter().enumerate() {
            writer.missed(u64::from(i % 10_000 == 0));
            writer.write(event, &names).unwrap();
        }
        writer.missed(3);
        let written = writer.finish().unwrap();
        let there = convert(written.clone(), Format::Ctr);
        let back = convert(there.clone(), Format::Std);
        for bytes in [written, there, back] {
            let reader = TraceReader::from_reader(std::io::Cursor::new(bytes), Options::default());
            let (mut reader, mut batch, mut read) = (reader.unwrap(), Vec::new(), Vec::new());
            while reader.read_batch(&mut batch).unwrap() > 0 {
                read.append(&mut batch);
            }
            assert_eq!(reader.notes().missed, 7);
            assert_eq!(read.len(), events.len());
        }
    }
}

#[test]
fn names_that_the_caller_had_before_change_nothing() {
    let (events, names, lines) = random_trace(3, 400);
    for format in [Format::Std, Format::Ctr] {
        let bytes = std::io::Cursor::new(write(format, &events, &names));
        let declared = vec!["elsewhere".to_owned(), "pool.o3".to_owned()];
        let mut reader = TraceReader::from_reader(bytes, Options { declared }).unwrap();
        for i in 0..5 {
            reader.names_mut().threads.intern(&format!("T{i}"));
            reader.names_mut().variables.intern(&format!("other{i}"));
            reader.names_mut().locations.intern("src/a.rs:12");
            reader.names_mut().methods.intern("get");
            reader.names_mut().types.intern("map");
            reader.names_mut().blocks.intern("B2");
            reader.names_mut().condvars.intern("c3");
            reader.names_mut().locks.intern("L9");
        }
        let outcome = support::read_all(reader);
        assert_eq!(outcome.error, None);
        assert_eq!(outcome.text, lines, "{format:?}");
    }
}

#[test]
fn compressed_files_are_recognised() {
    let (events, names, lines) = random_trace(5, 3000);
    for format in [Format::Std, Format::Ctr] {
        let plain = write(format, &events, &names);
        let mut gzip = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
        gzip.write_all(&plain).unwrap();
        let gzip = gzip.finish().unwrap();
        let zstd = zstd::encode_all(&plain[..], 1).unwrap();
        for (bytes, compression) in [(gzip, Compression::Gzip), (zstd, Compression::Zstd)] {
            let length = bytes.len() as u64;
            let bytes = std::io::Cursor::new(bytes);
            let reader = TraceReader::from_reader(bytes, Options::default()).unwrap();
            assert_eq!(
                (reader.format(), reader.compression()),
                (format, compression)
            );
            let mut reader = reader;
            let mut batch = Vec::new();
            let mut text = Vec::new();
            while reader.read_batch(&mut batch).unwrap() > 0 {
                text.extend(batch.iter().map(|e| e.display(reader.names()).to_string()));
            }
            assert_eq!(text, lines);
            assert_eq!(reader.bytes_read(), length, "progress is of the file");
        }
    }
}

#[test]
fn several_gzip_members_and_zstd_frames_are_one_trace() {
    let parts = ["T1|w(x)|1\nT1|r(", "x)|2\n"];
    let mut gzip = Vec::new();
    let mut zstd = Vec::new();
    for part in parts {
        let mut encoder = flate2::write::GzEncoder::new(&mut gzip, flate2::Compression::fast());
        encoder.write_all(part.as_bytes()).unwrap();
        encoder.finish().unwrap();
        zstd.extend(zstd::encode_all(part.as_bytes(), 1).unwrap());
    }
    for bytes in [gzip, zstd] {
        assert_eq!(read(&bytes).text, ["T1|w(x)|1", "T1|r(x)|2"]);
    }
}
