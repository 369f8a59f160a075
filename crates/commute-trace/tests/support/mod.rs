//! Random traces, and short ways to read and write them.
#![allow(dead_code, missing_docs, unreachable_pub)]

use std::io::Cursor;

use commute_model::{Action, Event, Names, Op, SharedAction, Value};
use commute_trace::{Format, Options, TraceError, TraceReader, TraceWriter};

/// A small generator of pseudo-random numbers (SplitMix64).
pub struct Random(pub u64);

impl Random {
    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    pub fn below(&mut self, bound: usize) -> usize {
        (self.next() % bound as u64) as usize
    }

    pub fn pick<'a, T: ?Sized>(&mut self, items: &[&'a T]) -> &'a T {
        items[self.below(items.len())]
    }

    pub fn chance(&mut self, one_in: usize) -> bool {
        self.below(one_in) == 0
    }
}

/// A legal name: most often like `V12`, sometimes odd.
fn name(random: &mut Random, stem: &str) -> String {
    const ODD: [&str; 12] = [
        "x",
        "a.b.c",
        "f(i32)",
        "été7",
        "{closure#0}",
        "Vec<(u8,u8)>",
        "x 1",
        "x007",
        "123456789012",
        "a::b:3",
        "q'\"\\",
        "a-name-that-is-longer-than-sixteen-bytes7",
    ];
    match random.below(10) {
        0 => random.pick(&ODD).to_owned(),
        1 => format!("{stem}{}", random.below(100_000)),
        _ => format!("{stem}{}", random.below(12)),
    }
}

/// A name without the characters that some kinds of names must not have.
fn plain(random: &mut Random, stem: &str) -> String {
    name(random, stem).replace(['(', ')', ',', ':'], "_")
}

fn location(random: &mut Random) -> String {
    match random.below(8) {
        0 => String::new(),
        1 => random.below(10_000).to_string(),
        2 => format!(
            "crates/a-rather-long-name/src/lib.rs:{}:7",
            random.below(99)
        ),
        3 => "a) b (c".into(),
        _ => format!("src/a.rs:{}", random.below(40)),
    }
}

pub fn value(random: &mut Random, depth: usize) -> Value {
    const STRINGS: [&str; 9] = [
        "",
        "a.com",
        "it's",
        "a|b",
        "tab\there",
        "line\nfeed\r",
        "\\x41",
        "nul\0\x7f",
        "été, (x)/y",
    ];
    match random.below(if depth < 3 { 12 } else { 10 }) {
        0 => Value::Nil,
        1 => Value::Bool(random.chance(2)),
        2 => Value::Opaque,
        3 => Value::Int(random.below(2_000_000_000) as i128 - 1_000_000_000),
        4 => Value::Int(
            *[i128::MIN, i128::MAX, i64::MIN as i128, u64::MAX as i128, -1]
                .get(random.below(5))
                .unwrap(),
        ),
        5 => Value::symbol(random.pick(&["c1", "a/b", "<init>", "x.y", "é", "*", "nilly"])),
        6 => Value::str(random.pick(&STRINGS)),
        7 => Value::str(&"long".repeat(random.below(30))),
        8 => Value::Int(random.below(300) as i128),
        9 => Value::str(&format!("key{}", random.below(50))),
        _ => {
            let count = random.below(4);
            Value::tuple(
                (0..count)
                    .map(|_| value(random, depth + 1))
                    .collect::<Vec<_>>(),
            )
        }
    }
}

/// Random events: every kind of operation, no regard for lock discipline, but
/// objects are declared before they are used.
pub fn events(random: &mut Random, count: usize, names: &mut Names) -> Vec<Event> {
    let mut events = Vec::new();
    let mut objects = Vec::new();
    while events.len() < count {
        let thread = names.threads.intern(&name(random, "T"));
        let op = match random.below(24) {
            0..=3 => Op::Read(names.variables.intern(&name(random, "V"))),
            4..=5 => Op::Write(names.variables.intern(&name(random, "V"))),
            6 => Op::Acquire(names.locks.intern(&name(random, "L"))),
            7 => Op::Release(names.locks.intern(&name(random, "L"))),
            8 => Op::ReadAcquire(names.locks.intern(&name(random, "L"))),
            9 => Op::ReadRelease(names.locks.intern(&name(random, "L"))),
            10 => Op::Fork(names.threads.intern(&name(random, "T"))),
            11 => Op::Join(names.threads.intern(&name(random, "T"))),
            12 => {
                let named = random.chance(2);
                Op::Begin(named.then(|| names.blocks.intern(&name(random, "B"))))
            }
            13 => {
                let named = random.chance(2);
                Op::End(named.then(|| names.blocks.intern(&name(random, "B"))))
            }
            14 => {
                let condvar = names.condvars.intern(&plain(random, "c"));
                let lock = names.locks.intern(&name(random, "L"));
                match random.chance(2) {
                    true => Op::Wait(condvar, lock),
                    false => Op::Wake(condvar, lock),
                }
            }
            15 => Op::Notify(names.condvars.intern(&plain(random, "c"))),
            16 => Op::NotifyAll(names.condvars.intern(&plain(random, "c"))),
            17 => Op::Alloc(names.variables.intern(&name(random, "V"))),
            18 => Op::Free(names.variables.intern(&name(random, "V"))),
            19 => match random.chance(2) {
                true => Op::Dummy,
                false => Op::Branch,
            },
            20 => {
                let object = names.objects.intern(&plain(random, "pool.o"));
                objects.push(object);
                Op::New(object, names.types.intern(&plain(random, "type")))
            }
            21 if !objects.is_empty() => Op::Drop(objects[random.below(objects.len())]),
            _ if !objects.is_empty() => {
                let args = (0..random.below(4)).map(|_| value(random, 0)).collect();
                let with_result = !random.chance(4);
                Op::Action(SharedAction::new(Action {
                    object: objects[random.below(objects.len())],
                    method: names
                        .methods
                        .intern(&plain(random, "put").replace('.', "_")),
                    args,
                    result: with_result.then(|| value(random, 0)),
                }))
            }
            _ => continue,
        };
        events.push(Event {
            thread,
            location: names.locations.intern(&location(random)),
            op,
        });
    }
    events
}

pub fn write(format: Format, events: &[Event], names: &Names) -> Vec<u8> {
    let mut writer = TraceWriter::new(format, Vec::new()).expect("memory");
    for event in events {
        writer.write(event, names).expect("memory");
    }
    writer.finish().expect("memory")
}

/// What reading gives: the events as lines with their line numbers, the names,
/// and the error at the end.
#[derive(PartialEq, Debug)]
pub struct Outcome {
    pub events: Vec<Event>,
    pub text: Vec<String>,
    pub lines: Vec<u64>,
    pub error: Option<TraceError>,
}

pub fn read(bytes: &[u8]) -> Outcome {
    match TraceReader::from_reader(Cursor::new(bytes.to_vec()), Options::default()) {
        Ok(reader) => read_all(reader),
        Err(error) => failed(error),
    }
}

pub fn read_carefully(bytes: &[u8]) -> Outcome {
    match TraceReader::from_reader(Cursor::new(bytes.to_vec()), Options::default()) {
        Ok(reader) => read_all(reader.careful()),
        Err(error) => failed(error),
    }
}

pub fn failed(error: TraceError) -> Outcome {
    Outcome {
        events: Vec::new(),
        text: Vec::new(),
        lines: Vec::new(),
        error: Some(error),
    }
}

pub fn read_all(mut reader: TraceReader) -> Outcome {
    let mut outcome = Outcome {
        events: Vec::new(),
        text: Vec::new(),
        lines: Vec::new(),
        error: None,
    };
    let mut batch = Vec::new();
    loop {
        match reader.read_batch(&mut batch) {
            Ok(0) => {
                assert_eq!(
                    reader.read_batch(&mut batch),
                    Ok(0),
                    "the end stays the end"
                );
                break;
            }
            Ok(n) => {
                assert_eq!(n, batch.len());
                for (i, event) in batch.iter().enumerate() {
                    assert_eq!(reader.index(i), outcome.events.len() as u64 + 1);
                    outcome.text.push(event.display(reader.names()).to_string());
                    outcome.lines.push(reader.line(i));
                    outcome.events.push(event.clone());
                }
            }
            Err(error) => {
                assert!(batch.is_empty());
                assert_eq!(
                    reader.read_batch(&mut batch),
                    Err(error.clone()),
                    "errors stay"
                );
                outcome.error = Some(error);
                break;
            }
        }
    }
    assert_eq!(reader.events_read(), outcome.events.len() as u64);
    outcome
}
