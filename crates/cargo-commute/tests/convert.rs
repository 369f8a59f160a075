//! `commute trace convert` to what other tools draw, with the real program.

use std::collections::BTreeMap;
use std::io::Write;
use std::process::{Command, Output, Stdio};
use std::sync::Arc;

use commute_spec::Library;
use commute_testkit::oracle;
use commute_testkit::traces::{self, Mix, Trace};
use expect_test::expect;
use serde_json::Value;

/// Converts what is on standard input.
fn convert(format: &str, trace: &str) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_commute"));
    command.args(["trace", "convert", "-", "--to", format]);
    command.stdin(Stdio::piped()).stdout(Stdio::piped());
    let mut child = command.stderr(Stdio::piped()).spawn().expect("it runs");
    let mut stdin = child.stdin.take().expect("piped");
    let text = trace.to_owned();
    let writer = std::thread::spawn(move || stdin.write_all(text.as_bytes()));
    let output = child.wait_with_output().expect("it ends");
    writer.join().expect("written").expect("it reads all");
    output
}

fn converted(format: &str, trace: &str) -> String {
    let output = convert(format, trace);
    let errors = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(0), "{errors}\n{trace}");
    String::from_utf8(output.stdout).expect("UTF-8")
}

/// The random trace of this seed, with everything that orders threads.
fn random(seed: u64, library: &Library) -> Trace {
    let mix = Mix {
        threads: 5,
        events: 60,
        variables: 2,
        locks: 3,
        types: vec!["atomic", "channel", "dictionary"],
        synchronisation: 50,
        blocks: 20,
    };
    traces::random(seed, &mix, library)
}

/// A slice of a track, and how deep it is inside of others.
struct Slice {
    name: String,
    track: u64,
    from: f64,
    to: f64,
}

fn number(line: &Value, key: &str) -> f64 {
    line[key]
        .as_f64()
        .unwrap_or_else(|| panic!("{key} of {line}"))
}

/// The slices of a document that follows all rules: times of a track grow in the order
/// in which they are written, slices are nested, and all end.
fn slices(lines: &[Value]) -> Vec<Slice> {
    let mut slices = Vec::new();
    let mut open: BTreeMap<u64, Vec<(String, f64, f64)>> = BTreeMap::new();
    let mut now: BTreeMap<u64, f64> = BTreeMap::new();
    for line in lines {
        let ph = line["ph"].as_str().expect("a phase");
        if !["B", "E", "X"].contains(&ph) {
            continue;
        }
        let track = line["tid"].as_u64().expect("a track");
        let (name, at) = (line["name"].as_str().expect("a name"), number(line, "ts"));
        let before = now.insert(track, at).unwrap_or(0.0);
        assert!(before <= at, "{line} is written after {before}");
        let stack = open.entry(track).or_default();
        match ph {
            "B" => stack.push((name.to_owned(), at, at)),
            "X" => {
                let to = at + number(line, "dur");
                if let Some((_, from, inner)) = stack.last_mut() {
                    assert!(*from <= at && *inner <= at, "{line}");
                    *inner = to;
                }
                let name = name.to_owned();
                slices.push(Slice {
                    name,
                    track,
                    from: at,
                    to,
                });
            }
            _ => {
                let (opened, from, inner) = stack.pop().expect("it was open");
                assert_eq!(opened, name);
                assert!(inner <= at, "{line} ends before what is in it");
                if let Some((_, _, outer)) = stack.last_mut() {
                    *outer = at;
                }
                slices.push(Slice {
                    name: opened,
                    track,
                    from,
                    to: at,
                });
            }
        }
    }
    assert!(open.values().all(Vec::is_empty), "something never ends");
    slices
}

/// The arrows, as pairs of indices; each begins and ends in the slice of its event.
fn arrows(lines: &[Value], slices: &[Slice]) -> Vec<(usize, usize)> {
    let of = |ph: &str| -> BTreeMap<u64, &Value> {
        let lines = lines.iter().filter(|line| line["ph"] == *ph);
        let all: Vec<_> = lines
            .map(|l| (l["id"].as_u64().expect("a number"), l))
            .collect();
        let map: BTreeMap<_, _> = all.iter().copied().collect();
        assert_eq!(map.len(), all.len(), "a number is used twice");
        map
    };
    let (starts, ends) = (of("s"), of("f"));
    assert!(starts.keys().eq(ends.keys()), "an arrow has one end only");
    let event = |line: &Value| {
        let (track, at) = (line["tid"].as_u64().expect("a track"), number(line, "ts"));
        let around = |s: &&Slice| s.track == track && s.from <= at && at <= s.to;
        assert!(
            slices.iter().any(|slice| around(&slice)),
            "{line} is nowhere"
        );
        at as usize
    };
    let pairs = starts.values().zip(ends.values());
    pairs
        .map(|(start, end)| {
            assert_eq!(end["bp"], "e");
            assert_eq!(start["name"], end["name"]);
            (event(start), event(end))
        })
        .collect()
}

fn lines(document: &str) -> Vec<Value> {
    let document: Value = serde_json::from_str(document).expect("JSON");
    document["traceEvents"].as_array().expect("events").clone()
}

#[test]
fn arrows_and_program_order_are_happens_before() {
    let library = Arc::new(Library::shipped());
    for seed in 0..25 {
        let trace = random(seed, &library);
        let lines = lines(&converted("perfetto", &trace.text()));
        let slices = slices(&lines);
        let events = lines.iter().filter(|line| line["ph"] == "X");
        assert_eq!(events.count(), trace.events.len());
        let arrows = arrows(&lines, &slices);
        let truth = oracle::happens_before(&trace.events, &trace.names, &library);
        let mut before = truth.clone();
        for j in 0..before.len() {
            let own = (0..j)
                .rev()
                .find(|&i| trace.events[i].thread == trace.events[j].thread);
            let sources = arrows.iter().filter(|(_, to)| *to == j + 1);
            let sources = sources.map(|(from, _)| from - 1).chain(own);
            let all = sources.flat_map(|i| before[i].iter().copied().chain([i]));
            before[j] = all.collect();
        }
        assert_eq!(before, truth, "{}", trace.text());
    }
}

/// The clocks of a log, read as ShiViz reads it, and who they are of.
fn clocks(log: &str) -> Vec<(String, BTreeMap<String, u64>)> {
    let mut lines = log.lines();
    assert_eq!(
        lines.next(),
        Some(r"(?<host>\S*) (?<clock>{.*})\n(?<event>.*)")
    );
    assert_eq!(lines.next(), Some(""));
    let mut all = Vec::new();
    while let Some(line) = lines.next() {
        let (host, clock) = line.split_once(' ').expect("a host and its clock");
        let clock = serde_json::from_str(clock).expect("JSON");
        assert!(lines.next().is_some_and(|event| !event.is_empty()));
        all.push((host.to_owned(), clock));
    }
    all
}

#[test]
fn a_log_of_shiviz_orders_what_happens_before() {
    let library = Arc::new(Library::shipped());
    for seed in 0..25 {
        let trace = random(seed, &library);
        let clocks = clocks(&converted("shiviz", &trace.text()));
        let truth = oracle::happens_before(&trace.events, &trace.names, &library);
        assert_eq!(clocks.len(), truth.len());
        let mut counts: BTreeMap<&str, u64> = BTreeMap::new();
        for (host, clock) in &clocks {
            // ShiViz refuses a host whose events are not counted one by one.
            let count = counts.entry(host).or_default();
            *count += 1;
            assert_eq!(clock[host], *count);
        }
        let le = |a: &BTreeMap<String, u64>, b: &BTreeMap<String, u64>| {
            a.iter()
                .all(|(host, time)| b.get(host).is_some_and(|other| time <= other))
        };
        for (j, before) in truth.iter().enumerate() {
            for (i, (_, clock)) in clocks.iter().enumerate() {
                let less = i != j && le(clock, &clocks[j].1);
                assert_eq!(less, before.contains(&i), "{i} {j}\n{}", trace.text());
            }
        }
    }
}

const HAND_OVER_HAND: &str = "main|fork(worker one)|a.rs:1
main|begin(move)|a.rs:2
main|acq(a)|a.rs:3
main|acq(b)|a.rs:4
main|rel(a)|a.rs:5
main|rel(b)|a.rs:6
main|end(move)|a.rs:7
worker one|new(o:dictionary)|a.rs:8
worker one|acq(a)|a.rs:9
worker one|o.put('k\"',1)/nil|a.rs:10
";

#[test]
fn a_timeline_has_a_track_for_each_thread_and_slices_for_what_it_is_in() {
    let text = converted("chrome", HAND_OVER_HAND);
    expect![[r#"
        {"displayTimeUnit":"ns","traceEvents":[
        {"name":"process_name","ph":"M","pid":1,"tid":1,"args":{"name":"standard input"}},
        {"name":"thread_name","ph":"M","pid":1,"tid":1,"args":{"name":"main"}},
        {"name":"thread_sort_index","ph":"M","pid":1,"tid":1,"args":{"sort_index":1}},
        {"name":"fork(worker one)","cat":"thread","ph":"X","ts":1.0,"dur":0.8,"pid":1,"tid":1,"args":{"event":1,"location":"a.rs:1"}},
        {"name":"atomic move","cat":"region","ph":"B","ts":1.95,"pid":1,"tid":1},
        {"name":"begin(move)","cat":"block","ph":"X","ts":2.0,"dur":0.8,"pid":1,"tid":1,"args":{"event":2,"location":"a.rs:2"}},
        {"name":"lock a","cat":"region","ph":"B","ts":2.95,"pid":1,"tid":1},
        {"name":"acq(a)","cat":"lock","ph":"X","ts":3.0,"dur":0.8,"pid":1,"tid":1,"args":{"event":3,"location":"a.rs:3"}},
        {"name":"lock b","cat":"region","ph":"B","ts":3.95,"pid":1,"tid":1},
        {"name":"acq(b)","cat":"lock","ph":"X","ts":4.0,"dur":0.8,"pid":1,"tid":1,"args":{"event":4,"location":"a.rs:4"}},
        {"name":"rel(a)","cat":"lock","ph":"X","ts":5.0,"dur":0.8,"pid":1,"tid":1,"args":{"event":5,"location":"a.rs:5"}},
        {"name":"lock b","ph":"E","ts":5.85,"pid":1,"tid":1},
        {"name":"lock a","ph":"E","ts":5.85,"pid":1,"tid":1},
        {"name":"lock b","cat":"region","ph":"B","ts":5.9,"pid":1,"tid":1,"args":{"goes on":true}},
        {"name":"rel(b)","cat":"lock","ph":"X","ts":6.0,"dur":0.8,"pid":1,"tid":1,"args":{"event":6,"location":"a.rs:6"}},
        {"name":"lock b","ph":"E","ts":6.85,"pid":1,"tid":1},
        {"name":"end(move)","cat":"block","ph":"X","ts":7.0,"dur":0.8,"pid":1,"tid":1,"args":{"event":7,"location":"a.rs:7"}},
        {"name":"atomic move","ph":"E","ts":7.85,"pid":1,"tid":1},
        {"name":"thread_name","ph":"M","pid":1,"tid":2,"args":{"name":"worker one"}},
        {"name":"thread_sort_index","ph":"M","pid":1,"tid":2,"args":{"sort_index":2}},
        {"name":"new(o:dictionary)","cat":"object","ph":"X","ts":8.0,"dur":0.8,"pid":1,"tid":2,"args":{"event":8,"location":"a.rs:8"}},
        {"name":"fork","cat":"happens-before","ph":"s","ts":1.4,"pid":1,"tid":1,"id":1},
        {"name":"fork","cat":"happens-before","ph":"f","ts":8.4,"pid":1,"tid":2,"id":1,"bp":"e"},
        {"name":"lock a","cat":"region","ph":"B","ts":8.95,"pid":1,"tid":2},
        {"name":"acq(a)","cat":"lock","ph":"X","ts":9.0,"dur":0.8,"pid":1,"tid":2,"args":{"event":9,"location":"a.rs:9"}},
        {"name":"lock","cat":"happens-before","ph":"s","ts":5.4,"pid":1,"tid":1,"id":2},
        {"name":"lock","cat":"happens-before","ph":"f","ts":9.4,"pid":1,"tid":2,"id":2,"bp":"e"},
        {"name":"o.put('k\"',1)/nil","cat":"object","ph":"X","ts":10.0,"dur":0.8,"pid":1,"tid":2,"args":{"arguments":["'k\"'","1"],"event":10,"location":"a.rs:10","object":"o","result":"nil"}},
        {"name":"lock a","ph":"E","ts":10.92,"pid":1,"tid":2}
        ]}
    "#]].assert_eq(&text);
    let lines = lines(&text);
    arrows(&lines, &slices(&lines));
}

#[test]
fn a_wait_gives_the_lock_back() {
    let trace = "A|acq(m)|\nA|acq(m)|\nA|wait(c,m)|\nB|acq(m)|\nB|notify(c)|\nB|rel(m)|\n\
                 A|wake(c,m)|\nA|rel(m)|\nA|rel(m)|\n";
    let all = slices(&lines(&converted("perfetto", trace)));
    let regions = all.iter().filter(|slice| slice.to - slice.from > 0.81);
    let regions: Vec<String> = regions
        .map(|slice| format!("{} {} {} {}", slice.track, slice.name, slice.from, slice.to))
        .collect();
    expect![[r#"
        1 lock m 1.95 3.85
        1 lock m 0.95 3.85
        2 lock m 3.95 6.85
        1 waits for c 3.9 6.95
        1 lock m 6.95 8.85
        1 lock m 6.95 9.85"#]]
    .assert_eq(&regions.join("\n"));
}

#[test]
fn a_log_of_shiviz_has_a_bounded_number_of_threads() {
    let trace = |threads: usize| {
        let lines = { 0..threads }.map(|number| format!("T{number}|w(x)|\n"));
        lines.collect::<String>()
    };
    converted("shiviz", &trace(1024));
    let refused = convert("shiviz", &trace(1025));
    let errors = String::from_utf8_lossy(&refused.stderr);
    assert_eq!(refused.status.code(), Some(2), "{errors}");
    assert!(errors.contains("more than 1024 threads"), "{errors}");
    converted("perfetto", &trace(1025));
}

#[test]
fn a_log_of_shiviz() {
    expect![[r#"
        (?<host>\S*) (?<clock>{.*})\n(?<event>.*)

        main {"main":1}
        fork(worker one) at a.rs:1 (event 1)
        main {"main":2}
        begin(move) at a.rs:2 (event 2)
        main {"main":3}
        acq(a) at a.rs:3 (event 3)
        main {"main":4}
        acq(b) at a.rs:4 (event 4)
        main {"main":5}
        rel(a) at a.rs:5 (event 5)
        main {"main":6}
        rel(b) at a.rs:6 (event 6)
        main {"main":7}
        end(move) at a.rs:7 (event 7)
        worker_one {"main":1,"worker_one":1}
        new(o:dictionary) at a.rs:8 (event 8)
        worker_one {"main":5,"worker_one":2}
        acq(a) at a.rs:9 (event 9)
        worker_one {"main":5,"worker_one":3}
        o.put('k"',1)/nil at a.rs:10 (event 10)
    "#]]
    .assert_eq(&converted("shiviz", HAND_OVER_HAND));
}

#[test]
fn names_of_hosts_are_different_and_have_no_spaces() {
    let trace = "a b|r(x)|p.rs:1\na_b|r(x)|p.rs:2\na\u{3000}b|r(x)|p.rs:3\n";
    let log = converted("shiviz", trace);
    let hosts: Vec<String> = clocks(&log).into_iter().map(|(host, _)| host).collect();
    assert_eq!(hosts, ["a_b", "a_b#2", "a_b#3"]);
}

#[test]
fn many_locks_that_are_released_from_the_outside_are_drawn_within_bounds() {
    let mut trace = String::new();
    for op in ["acq", "rel"] {
        for lock in 0..2000 {
            trace += &format!("T|{op}(m{lock})|\n");
        }
    }
    let text = converted("perfetto", &trace);
    slices(&lines(&text));
    assert!(text.len() < 40_000_000, "{}", text.len());
}

#[test]
fn what_is_not_understood_is_told_and_a_broken_trace_is_a_whole_document() {
    let output = convert("perfetto", "T|new(o:thing)|\nT|o.f()|\n");
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(0));
    expect![[r#"
        note: event 1: no specification for type `thing`: what it orders is not drawn
    "#]]
    .assert_eq(&said);
    for format in ["perfetto", "chrome"] {
        let output = convert(format, "T|acq(m)|a\nT|frob(m)|a\n");
        assert_eq!(output.status.code(), Some(2));
        let document = String::from_utf8(output.stdout).expect("UTF-8");
        assert_eq!(slices(&lines(&document)).len(), 2);
    }
    let output = convert("shiviz", "T|acq(m)|a\nT|frob(m)|a\n");
    assert_eq!(output.status.code(), Some(2));
    assert_eq!(clocks(&String::from_utf8_lossy(&output.stdout)).len(), 1);
}

#[test]
fn the_ending_says_the_format_and_nothing_is_written_over_what_is_read() {
    let folder = tempfile::tempdir().expect("a folder");
    let at = |name: &str| folder.path().join(name);
    std::fs::write(at("t.std"), HAND_OVER_HAND).expect("written");
    let run = |from: &str, to: &str| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_commute"));
        command.current_dir(folder.path());
        let output = command.args(["trace", "convert", from, "-o", to]).output();
        output.expect("it runs").status.code()
    };
    let read = |name: &str| std::fs::read_to_string(at(name)).expect("written");
    assert_eq!(run("t.std", "t.json"), Some(0));
    assert!(read("t.json").starts_with("{\"displayTimeUnit\""));
    assert_eq!(run("t.std", "t.shiviz"), Some(0));
    assert!(read("t.shiviz").starts_with("(?<host>"));
    assert_eq!(run("t.std", "copy.std"), Some(0));
    assert_eq!(read("copy.std"), HAND_OVER_HAND);
    assert_eq!(run("t.std", "t.std"), Some(2));
    assert_eq!(read("t.std"), HAND_OVER_HAND);
}
