//! Files that misbehave.
#![allow(missing_docs)]

mod support;

use std::fs::File;
use std::io::{self, Read, Write};
use std::path::PathBuf;

use commute_trace::{ErrorKind, Format, Options, Place, TraceReader, TraceWriter, copy};
use support::{read, read_all};

/// A file that is removed when the test is over.
struct Temporary(PathBuf);

impl Temporary {
    fn new(name: &str, contents: &[u8]) -> Temporary {
        let name = format!("commute-trace-{}-{name}", std::process::id());
        let path = std::env::temp_dir().join(name);
        std::fs::write(&path, contents).unwrap();
        Temporary(path)
    }
}

impl Drop for Temporary {
    fn drop(&mut self) {
        let _ = std::fs::remove_file(&self.0);
    }
}

fn long_text() -> Vec<u8> {
    (0..100_000)
        .flat_map(|i| format!("T{}|w(V{i})|a.rs:7\n", i % 4).into_bytes())
        .collect()
}

#[test]
fn a_file_that_shrinks_gives_an_error_and_no_signal() {
    let text = long_text();
    for keep in [300_000, 700_001] {
        let file = Temporary::new(&format!("shrinks-{keep}.std"), &text);
        let mut reader = TraceReader::open(&file.0, Options::default()).unwrap();
        let mut batch = Vec::new();
        assert!(reader.read_batch(&mut batch).unwrap() > 0);
        File::options()
            .write(true)
            .open(&file.0)
            .unwrap()
            .set_len(keep)
            .unwrap();
        let error = loop {
            match reader.read_batch(&mut batch) {
                Ok(0) => panic!("the loss was not noticed"),
                Ok(_) => {}
                Err(error) => break error,
            }
        };
        assert_eq!(error.kind, ErrorKind::Truncated);
        assert_eq!(error.place, Place::Byte(keep));
        assert!(error.to_string().contains("shrank"), "{error}");
        let whole_lines = text[..keep as usize]
            .iter()
            .filter(|b| **b == b'\n')
            .count();
        assert_eq!(reader.events_read(), whole_lines as u64);
    }
}

#[test]
fn a_file_that_grows_is_read_to_its_new_end() {
    let file = Temporary::new("grows.std", b"T1|w(x)|1\n");
    let mut reader = TraceReader::open(&file.0, Options::default()).unwrap();
    File::options()
        .append(true)
        .open(&file.0)
        .unwrap()
        .write_all(b"T1|w(y)|2\n")
        .unwrap();
    let mut batch = Vec::new();
    let mut total = 0;
    while reader.read_batch(&mut batch).unwrap() > 0 {
        total += batch.len();
    }
    assert_eq!(total, 2);
}

#[test]
fn files_that_are_not_there_and_directories_are_errors() {
    let missing = TraceReader::open("no/such/file.std", Options::default()).unwrap_err();
    assert_eq!(missing.kind, ErrorKind::Io);
    assert!(
        missing.to_string().starts_with("cannot open the trace: "),
        "{missing}"
    );
    let directory = std::env::temp_dir();
    let error = match TraceReader::open(directory, Options::default()) {
        Ok(reader) => read_all(reader).error.unwrap(),
        Err(error) => error,
    };
    assert_eq!(error.kind, ErrorKind::Io);
}

/// Gives a few bytes at a time, then fails.
struct Trickle {
    bytes: Vec<u8>,
    at: usize,
    step: usize,
    interrupted: bool,
    fails: bool,
}

impl Read for Trickle {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.interrupted = !self.interrupted;
        if self.interrupted {
            return Err(io::ErrorKind::Interrupted.into());
        }
        if self.at == self.bytes.len() && self.fails {
            return Err(io::Error::from_raw_os_error(5));
        }
        let n = self.step.min(buffer.len()).min(self.bytes.len() - self.at);
        buffer[..n].copy_from_slice(&self.bytes[self.at..self.at + n]);
        self.at += n;
        Ok(n)
    }
}

#[test]
fn how_bytes_arrive_does_not_matter() {
    let text = long_text()[..40_000].to_vec();
    let whole = read(&text);
    for step in [1, 7, 64, 4096] {
        let bytes = text.clone();
        let trickle = Trickle {
            bytes,
            at: 0,
            step,
            interrupted: false,
            fails: false,
        };
        let reader = TraceReader::from_reader(trickle, Options::default()).unwrap();
        assert_eq!(read_all(reader), whole, "{step} bytes at a time");
    }
}

#[test]
fn events_before_a_failure_are_delivered() {
    let bytes = b"T1|w(x)|1\nT1|w(y)|2\nT1|w(z".to_vec();
    let trickle = Trickle {
        bytes,
        at: 0,
        step: 13,
        interrupted: false,
        fails: true,
    };
    let outcome = read_all(TraceReader::from_reader(trickle, Options::default()).unwrap());
    assert_eq!(outcome.text, ["T1|w(x)|1", "T1|w(y)|2"]);
    let error = outcome.error.unwrap();
    assert_eq!((error.kind, error.place), (ErrorKind::Io, Place::Byte(26)));
}

#[test]
fn cut_and_damaged_compressed_files_are_errors() {
    let text = &long_text()[..60_000];
    let whole = read(text);
    let mut gzip = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    gzip.write_all(text).unwrap();
    let gzip = gzip.finish().unwrap();
    let zstd = zstd::encode_all(text, 1).unwrap();
    for bytes in [gzip, zstd] {
        for cut in [5, 9, 20, bytes.len() / 2, bytes.len() - 1] {
            let outcome = read(&bytes[..cut]);
            let error = outcome.error.unwrap_or_else(|| panic!("cut after {cut}"));
            assert!(whole.text.starts_with(&outcome.text), "nothing is invented");
            assert_eq!(error.kind, ErrorKind::Truncated, "cut after {cut}: {error}");
        }
        for at in (10..bytes.len()).step_by(97) {
            let mut damaged = bytes.clone();
            damaged[at] ^= 0x10;
            // Damage in a header (such as the time of a gzip file) may do no harm.
            let outcome = read(&damaged);
            assert!(
                outcome.error.is_some() || outcome == whole,
                "damage at {at}"
            );
        }
    }
}

#[test]
fn a_file_that_is_compressed_twice_is_refused() {
    let once = zstd::encode_all(&b"T1|w(x)|1\n"[..], 1).unwrap();
    let twice = zstd::encode_all(&once[..], 1).unwrap();
    assert_eq!(read(&twice).error.unwrap().kind, ErrorKind::Unsupported);
}

#[test]
fn files_of_all_kinds_are_opened() {
    let text = b"T1|acq(m)|1\nT1|w(x)|2\nT1|rel(m)|3\n".repeat(500);
    let whole = read(&text);
    let binary = {
        let bytes = io::Cursor::new(text.clone());
        let mut reader = TraceReader::from_reader(bytes, Options::default()).unwrap();
        let mut writer = TraceWriter::new(Format::Ctr, Vec::new()).unwrap();
        copy(&mut reader, &mut writer).unwrap();
        writer.finish().unwrap()
    };
    for (name, plain) in [("all.std", text), ("all.ctr", binary)] {
        let mut gzip = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
        gzip.write_all(&plain).unwrap();
        let zstd = zstd::encode_all(&plain[..], 1).unwrap();
        for (i, contents) in [plain, gzip.finish().unwrap(), zstd].iter().enumerate() {
            let file = Temporary::new(&format!("{i}-{name}"), contents);
            let outcome = read_all(TraceReader::open(&file.0, Options::default()).unwrap());
            assert_eq!(
                (outcome.text, outcome.error),
                (whole.text.clone(), None),
                "{name} {i}"
            );
        }
    }
}
