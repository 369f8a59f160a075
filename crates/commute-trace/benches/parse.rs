//! What reading and writing cost per event, for every shape of generated trace.
//!
//! `cargo bench -p commute-trace --bench parse -- [EVENTS] [ROUNDS] [SHAPE…]`: best
//! of a few rounds, in nanoseconds per event, with the bytes per event of both
//! formats.
#![allow(clippy::print_stdout, missing_docs)]

use std::time::{Duration, Instant};

use commute_trace::{CtrWriter, Generator, Options, Recipe, Shape, StdWriter, TraceReader};

fn main() {
    let numbers: Vec<u64> = std::env::args()
        .filter_map(|arg| arg.parse().ok())
        .collect();
    let events = numbers.first().copied().unwrap_or(3_000_000);
    let rounds = numbers.get(1).copied().unwrap_or(5);
    println!("{events} events, best of {rounds}, ns per event (bytes per event)");
    println!(
        "{:12} {:>8} {:>8} {:>8} {:>8} {:>8}",
        "shape", "generate", "std out", "std in", "ctr out", "ctr in"
    );
    let mut shapes: Vec<Shape> = std::env::args()
        .filter_map(|arg| arg.parse().ok())
        .collect();
    if shapes.is_empty() {
        shapes = Shape::ALL.to_vec();
    }
    for shape in shapes {
        measure(shape, events, rounds);
    }
}

fn measure(shape: Shape, events: u64, rounds: u64) {
    let recipe = Recipe::new(shape, events);
    let best = |run: &mut dyn FnMut()| {
        let time = |run: &mut dyn FnMut()| {
            let start = Instant::now();
            run();
            start.elapsed()
        };
        let best = (0..rounds)
            .map(|_| time(run))
            .min()
            .unwrap_or(Duration::ZERO);
        best.as_secs_f64() * 1e9 / events as f64
    };
    let generate = best(&mut || {
        let mut generator = Generator::new(&recipe).expect("a good recipe");
        let mut batch = Vec::new();
        while generator.read_batch(&mut batch) > 0 {}
    });
    let std = write_std(&recipe);
    let ctr = write_ctr(&recipe);
    let std_out = best(&mut || {
        write_std(&recipe);
    }) - generate;
    let ctr_out = best(&mut || {
        write_ctr(&recipe);
    }) - generate;
    let std_path = std::env::temp_dir().join(format!("commute-bench-{}.std", std::process::id()));
    let ctr_path = std::env::temp_dir().join(format!("commute-bench-{}.ctr", std::process::id()));
    std::fs::write(&std_path, &std).expect("a temporary file");
    std::fs::write(&ctr_path, &ctr).expect("a temporary file");
    let std_in = best(&mut || assert_eq!(read(&std_path), events));
    let ctr_in = best(&mut || assert_eq!(read(&ctr_path), events));
    println!(
        "{:12} {generate:8.1} {std_out:8.1} {std_in:8.1} {ctr_out:8.1} {ctr_in:8.1}   ({:.1}, {:.1})",
        shape.word(),
        std.len() as f64 / events as f64,
        ctr.len() as f64 / events as f64,
    );
    for path in [std_path, ctr_path] {
        std::fs::remove_file(path).expect("the temporary file is there");
    }
}

fn write_std(recipe: &Recipe) -> Vec<u8> {
    let mut generator = Generator::new(recipe).expect("a good recipe");
    let mut writer = StdWriter::new(Vec::with_capacity(1 << 20));
    let mut batch = Vec::new();
    while generator.read_batch(&mut batch) > 0 {
        for event in &batch {
            writer.write(event, generator.names()).expect("memory");
        }
    }
    writer.finish().expect("memory")
}

fn write_ctr(recipe: &Recipe) -> Vec<u8> {
    let mut generator = Generator::new(recipe).expect("a good recipe");
    let mut writer = CtrWriter::new(Vec::with_capacity(1 << 20)).expect("memory");
    let mut batch = Vec::new();
    while generator.read_batch(&mut batch) > 0 {
        for event in &batch {
            writer.write(event, generator.names()).expect("memory");
        }
    }
    writer.finish().expect("memory")
}

fn read(path: &std::path::Path) -> u64 {
    let mut reader = TraceReader::open(path, Options::default()).expect("the file is there");
    let mut batch = Vec::new();
    while reader.read_batch(&mut batch).expect("a good trace") > 0 {}
    reader.events_read()
}
