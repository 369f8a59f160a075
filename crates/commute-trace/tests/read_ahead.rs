//! Reading in another thread delivers what reading in this one does.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use commute_trace::{
    CtrWriter, Generator, Options, ReadAhead, Recipe, Shape, StdWriter, TraceError, TraceReader,
    Waited,
};

fn path(name: &str) -> PathBuf {
    Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("read_ahead-{name}"))
}

/// Every event as text, and how the trace ended.
type Told = (Vec<String>, Result<(), TraceError>);

fn here(path: &Path) -> Told {
    let mut reader = TraceReader::open(path, Options::default()).expect("it has a beginning");
    let (mut events, mut told) = (Vec::new(), Vec::new());
    loop {
        match reader.read_batch(&mut events) {
            Ok(0) => return (told, Ok(())),
            Ok(_) => told.extend(events.iter().map(|e| e.display(reader.names()).to_string())),
            Err(error) => return (told, Err(error)),
        }
    }
}

fn ahead(path: &Path) -> Told {
    let reader = TraceReader::open(path, Options::default()).expect("it has a beginning");
    let mut ahead = ReadAhead::start(reader, path, Options::default()).expect("a thread");
    let mut told = Vec::new();
    loop {
        match ahead.read_batch() {
            Ok([]) => {
                assert_eq!(ahead.events_read(), told.len() as u64);
                assert!(ahead.read_batch().is_ok_and(<[_]>::is_empty));
                return (told, Ok(()));
            }
            Ok(_) => {
                let (events, names) = ahead.last_batch();
                told.extend(events.iter().map(|e| e.display(names).to_string()));
            }
            Err(error) => return (told, Err(error)),
        }
    }
}

fn generate(shape: Shape, events: u64) -> (Vec<u8>, Vec<u8>) {
    let mut generator = Generator::new(&Recipe::new(shape, events)).expect("a good recipe");
    let (mut text, mut binary) = (
        StdWriter::new(Vec::new()),
        CtrWriter::new(Vec::new()).expect("a vector takes all"),
    );
    let mut events = Vec::new();
    while generator.read_batch(&mut events) > 0 {
        for event in &events {
            text.write(event, generator.names())
                .expect("a vector takes all");
            binary
                .write(event, generator.names())
                .expect("a vector takes all");
        }
    }
    (
        text.finish().expect("a vector takes all"),
        binary.finish().expect("a vector takes all"),
    )
}

/// Gives what it is sent, and waits for more.
struct Slow(std::sync::mpsc::Receiver<Vec<u8>>, std::io::Cursor<Vec<u8>>);

impl std::io::Read for Slow {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        let n = self.1.read(buffer)?;
        if n == 0
            && let Ok(more) = self.0.recv()
        {
            self.1 = std::io::Cursor::new(more);
            return self.1.read(buffer);
        }
        Ok(n)
    }
}

#[test]
fn who_waits_can_be_woken() {
    let (_, binary) = generate(Shape::Locked, 50_000);
    let (send, bytes) = std::sync::mpsc::channel();
    let (first, rest) = binary.split_at(binary.len() / 2);
    send.send(first.to_vec()).expect("somebody reads");
    let slow = Slow(bytes, std::io::Cursor::default());
    let reader = TraceReader::from_reader(slow, Options::default()).expect("a trace");
    let mut ahead = ReadAhead::live(reader).expect("a thread");
    let bell = ahead.bell();
    // At work: it is heard before the next batch, once.
    bell.ring();
    bell.ring();
    assert_eq!(ahead.wait(), Ok(Waited::Rung));
    assert_eq!(ahead.wait(), Ok(Waited::Batch));
    let rest = rest.to_vec();
    let other = std::thread::spawn({
        let bell = bell.clone();
        move || {
            // Most likely the other one waits by now for what is not sent yet.
            std::thread::sleep(std::time::Duration::from_millis(100));
            bell.ring();
            std::thread::sleep(std::time::Duration::from_millis(100));
            send.send(rest).expect("somebody reads");
        }
    });
    let (mut events, mut rung) = (ahead.last_batch().0.len(), 0);
    loop {
        match ahead.wait().expect("a good trace") {
            Waited::Rung => rung += 1,
            Waited::Batch if ahead.last_batch().0.is_empty() => break,
            Waited::Batch => events += ahead.last_batch().0.len(),
        }
    }
    other.join().expect("it rang");
    assert_eq!((events, rung), (50_000, 1));
    // Nobody is there any more.
    bell.ring();
    assert!(ahead.read_batch().is_ok_and(<[_]>::is_empty));
}

#[test]
fn both_ways_to_read_tell_the_same() {
    let path = path("both");
    for shape in [Shape::Locked, Shape::Local, Shape::Dictionary] {
        let (text, binary) = generate(shape, 50_000);
        for file in [&text, &binary] {
            fs::write(&path, file).expect("it can be written");
            let (events, end) = ahead(&path);
            assert_eq!((events.len(), &end), (50_000, &Ok(())));
            assert_eq!((events, end), here(&path));
        }
        for file in [&text[..text.len() - 5], &binary[..binary.len() / 2]] {
            fs::write(&path, file).expect("it can be written");
            let (events, end) = ahead(&path);
            assert_eq!((events, end), here(&path));
        }
        let garbled = [&text[..], b"T1|nonsense\nT1|w(x)|1\n"].concat();
        fs::write(&path, garbled).expect("it can be written");
        let (events, end) = ahead(&path);
        assert!(end.is_err() && events.len() == 50_000, "{end:?}");
        assert_eq!((events, end), here(&path));
    }
}

#[test]
fn an_error_about_an_event_names_its_line() {
    let path = path("error");
    let (text, binary) = generate(Shape::Locked, 20_000);
    for file in [text, binary] {
        fs::write(&path, file).expect("it can be written");
        let reader = TraceReader::open(&path, Options::default()).expect("it opens");
        let mut ahead = ReadAhead::start(reader, &path, Options::default()).expect("a thread");
        let mut reader = TraceReader::open(&path, Options::default()).expect("it opens");
        let mut events = Vec::new();
        while reader.read_batch(&mut events).expect("it is whole") > 0 {
            while ahead.events_read() < reader.events_read() {
                ahead.read_batch().expect("it is whole");
            }
            let last = events.len() - 1;
            let there = (reader.events_read() - ahead.events_read()) as usize;
            let place = ahead.last_batch().0.len() - 1 - there;
            let error = ahead.error_at(place, "odd");
            assert_eq!(error, reader.error_at(last, "odd"));
        }
        // The file is gone, the index is still known.
        fs::remove_file(&path).expect("it was there");
        let error = ahead.error_at(0, "odd");
        assert!(error.to_string().contains("event"), "{error}");
    }
}

#[test]
fn nobody_has_to_read_to_the_end() {
    let path = path("partly");
    fs::write(&path, generate(Shape::Locked, 100_000).0).expect("it can be written");
    let reader = TraceReader::open(&path, Options::default()).expect("it opens");
    let mut ahead = ReadAhead::start(reader, &path, Options::default()).expect("a thread");
    assert!(!ahead.read_batch().expect("it is whole").is_empty());
}

/// A descriptor for each trace that was ever read would be too many.
#[test]
fn the_source_is_closed_when_the_end_is_heard() {
    struct Source(std::io::Cursor<Vec<u8>>, #[expect(dead_code)] Arc<()>);
    impl std::io::Read for Source {
        fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
            self.0.read(buffer)
        }
    }
    for text in ["T1|w(x)|3\n", "T1|w(x)|3\nno event\n", ""] {
        let open = Arc::new(());
        let source = Source(std::io::Cursor::new(text.into()), open.clone());
        let reader = TraceReader::from_reader(source, Options::default()).expect("a trace");
        let mut ahead = ReadAhead::live(reader).expect("a thread");
        while ahead.read_batch().is_ok_and(|events| !events.is_empty()) {}
        assert_eq!(Arc::strong_count(&open), 1, "{text}");
    }
}
