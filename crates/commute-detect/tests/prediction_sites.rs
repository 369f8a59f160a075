//! Many candidates at the same two sites: the one that is possible is found, however many
//! before it are not, or the verdict says that not all were tried.

use std::collections::BTreeSet;
use std::sync::Arc;

use commute_detect::{Options, Pass, Predicted, PredictedKind, Prediction, Reason};
use commute_model::LocationId;
use commute_spec::Library;
use commute_testkit::oracle::prediction::{self, Legal};
use commute_testkit::random::Random;
use commute_testkit::traces::{Family, Trace};
use commute_trace::{Generator, Recipe, Shape};

fn predict(trace: &Trace) -> Vec<Predicted> {
    predict_with(trace, Options::default())
}

fn predict_with(trace: &Trace, options: Options) -> Vec<Predicted> {
    let mut pass = Prediction::new(Arc::new(Library::shipped()), options);
    pass.steps(&trace.events, &trace.names)
        .expect("well-formed");
    pass.finish(&trace.names, &mut Vec::new());
    pass.predicted().to_vec()
}

/// Two sites, whichever comes first.
type Sites = (LocationId, LocationId);

fn sites(trace: &Trace, (a, b): (usize, usize)) -> Sites {
    let (a, b) = (trace.events[a].location, trace.events[b].location);
    (a.min(b), a.max(b))
}

/// The pairs of sites of which something can be predicted, and those among them about
/// which nothing is said.
fn compare(trace: &Trace) -> Option<(usize, Vec<Sites>)> {
    let library = Library::shipped();
    let (events, names) = (&trace.events, &trace.names);
    let truth = prediction::predict(events, names, &library, Legal::Observe, 200_000)?;
    let orders = truth
        .orders
        .iter()
        .filter(|pair| prediction::is_order_only(events, names, &library, **pair));
    let pairs = truth.races.iter().chain(orders);
    let all: BTreeSet<Sites> = pairs.map(|pair| sites(trace, *pair)).collect();
    let mut said = BTreeSet::new();
    for predicted in predict(trace) {
        let pair = (predicted.earlier as usize - 1, predicted.later as usize - 1);
        if predicted.unconfirmed.is_none() {
            let of = match predicted.kind {
                PredictedKind::Race => &truth.races,
                PredictedKind::Order => &truth.orders,
            };
            assert!(of.contains(&pair), "{predicted:?}\n{}", trace.text());
        }
        said.insert(sites(trace, pair));
    }
    let missed = all.difference(&said).copied().collect();
    Some((all.len(), missed))
}

/// Compares these traces; at most so many pairs of sites may be missed.
#[track_caller]
fn check(traces: impl Iterator<Item = Trace>, least: usize) {
    let (mut pairs, mut missed, mut example) = (0, 0, None);
    for trace in traces {
        let Some((all, silent)) = compare(&trace) else {
            continue;
        };
        pairs += all;
        missed += silent.len();
        if let Some((a, b)) = silent.first() {
            let site = |location| trace.names.locations.name(location).to_string();
            example.get_or_insert((site(*a), site(*b), trace.text()));
        }
    }
    assert!(pairs >= least, "only {pairs} pairs of sites");
    let example = example.map(|(a, b, text)| format!("{a} and {b} in\n{text}"));
    assert_eq!(missed, 0, "of {pairs}: {}", example.unwrap_or_default());
}

/// A trace of lines `thread|operation|site`.
fn trace(lines: &[String]) -> Trace {
    Trace::parse(&lines.join("\n"))
}

/// One round of two threads: both write `x`, the first in a section of `a`. If the first
/// reads what the second writes in its own section, no other order is possible. The next
/// round comes after both.
fn round(x: usize, decoy: bool, nested: bool, lines: &mut Vec<String>) {
    let mut add = |line: &str| lines.push(line.replace("X", &format!("x{x}")));
    add("T0|acq(c)|t.rs:11");
    add("T0|r(z)|t.rs:12");
    add("T0|rel(c)|t.rs:13");
    add("T0|acq(a)|t.rs:1");
    if nested {
        add("T0|acq(b)|t.rs:2");
    }
    if decoy {
        add("T0|r(y)|t.rs:3");
    }
    if nested {
        add("T0|rel(b)|t.rs:4");
    }
    add("T0|w(X)|t.rs:5");
    add("T0|rel(a)|t.rs:6");
    add("T1|acq(a)|t.rs:7");
    add("T1|w(y)|t.rs:8");
    add("T1|rel(a)|t.rs:9");
    add("T1|w(X)|t.rs:10");
    add("T1|acq(c)|t.rs:14");
    add("T1|w(z)|t.rs:15");
    add("T1|rel(c)|t.rs:16");
}

/// Rounds of which few are possible.
fn rounds(seed: u64) -> Trace {
    let mut random = Random::new(seed);
    let (mut lines, count) = (Vec::new(), 9 + random.below(5));
    let possible = random.below(count + 2);
    let (variables, nested) = (1 + random.below(count), random.chance(30));
    for i in 0..count {
        let nested = nested && random.chance(50);
        round(i % variables, i != possible, nested, &mut lines);
    }
    trace(&lines)
}

#[test]
fn one_of_many_rounds_is_possible() {
    check((0..80).map(rounds), 50);
}

/// As the families of random traces, with one site for all that do the same.
#[test]
fn many_events_at_few_sites() {
    check(with_sites(1), 1_000);
}

/// As the families of random traces, with several sites for all that do the same: one
/// after the other, or each a site of its own.
#[test]
fn many_events_at_several_sites() {
    check(with_sites(2), 2_000);
    check(with_sites(1_000_000), 2_000);
}

fn with_sites(sites: usize) -> impl Iterator<Item = Trace> {
    let library = Library::shipped();
    let long = |family: Family| Family {
        threads: 3,
        events: 36,
        locking: 45,
        ..family
    };
    let all = [
        "few locks",
        "one lock",
        "many locks",
        "nested locks",
        "read locks",
    ];
    let families = Family::all().into_iter();
    let families = families.filter(|(name, _)| all.contains(name));
    let mut traces = Vec::new();
    for (_, family) in families {
        let family = long(family);
        for seed in 0..150 {
            let mut trace = family.trace(seed, &library);
            let mut random = Random::new(seed);
            for i in 0..trace.events.len() {
                let event = &trace.events[i];
                let op = event.op.display(&trace.names).to_string();
                let site = format!("{op}.rs:{}", 1 + random.below(sites));
                let location = trace.names.locations.intern(&site);
                trace.events[i].location = location;
            }
            traces.push(trace);
        }
    }
    traces.into_iter()
}

/// How many pairs are not looked at if `T0` writes at so many sites, before `T1` is forked
/// or at any time, and then `T1` does something else.
fn dropped(sites: usize, ordered: bool, other: &str) -> u64 {
    let mut lines: Vec<String> = (0..sites).map(|i| format!("T0|w(x)|a.rs:{i}")).collect();
    let first = if ordered { sites } else { 0 };
    lines.insert(first, "T0|fork(T1)|t.rs:1".to_owned());
    lines.push(format!("T1|{other}|t.rs:2"));
    let trace = trace(&lines);
    let mut pass = Prediction::new(Arc::new(Library::shipped()), Options::default());
    pass.steps(&trace.events, &trace.names)
        .expect("well-formed");
    pass.finish(&trace.names, &mut Vec::new());
    pass.dropped()
}

#[test]
fn sites_that_are_forgotten_make_it_inconclusive() {
    assert_eq!(dropped(32, false, "w(x)"), 0);
    assert_eq!(dropped(33, false, "w(x)"), 1);
    assert_eq!(dropped(500, false, "r(x)"), 1);
    // They cannot come later, or not be paired at all.
    assert_eq!(dropped(500, true, "w(x)"), 0);
    assert_eq!(dropped(500, false, "w(y)"), 0);
}

/// The first sites are not used any more. Pairs with them were tried while they were near;
/// later ones are too far apart, and need not be.
#[test]
fn a_site_that_was_left_long_ago_is_decided() {
    let mut lines = Vec::new();
    (0..3).for_each(|_| round(0, true, false, &mut lines));
    for _ in 0..5 {
        lines.extend(vec!["T2|r(q)|q.rs:1".to_owned(); 4_000]);
        let mut later = Vec::new();
        round(0, true, false, &mut later);
        lines.extend(later.iter().map(|line| line.replace("t.rs", "u.rs")));
    }
    assert!(predict(&trace(&lines)).is_empty());
}

#[test]
fn the_ninth_candidate_is_tried_too() {
    let mut lines = Vec::new();
    for i in 0..40 {
        round(0, i < 39, false, &mut lines);
    }
    let found = predict(&trace(&lines));
    let found: Vec<_> = found.iter().map(|p| (p.kind, p.unconfirmed)).collect();
    assert_eq!(found, [(PredictedKind::Race, None)]);
    // All are impossible, and that is certain.
    let mut lines = Vec::new();
    for _ in 0..1000 {
        round(0, true, false, &mut lines);
    }
    assert!(predict(&trace(&lines)).is_empty());
}

/// The first read can come before the section of `T0`, the second cannot: it comes after
/// what the first one saw, and that section does not end without the second.
#[test]
fn the_first_of_two_reads_races() {
    let text = "
        T0|acq(L)|t.rs:1
        T0|w(x)|t.rs:2
        T2|r(x)|t.rs:3
        T2|r(x)|t.rs:3
        T2|w(y)|t.rs:4
        T2|acq(K)|t.rs:5
        T2|rel(K)|t.rs:6
        T0|r(y)|t.rs:7
        T0|rel(L)|t.rs:8
        T1|acq(K)|t.rs:9
        T1|rel(K)|t.rs:10
        T1|acq(L)|t.rs:11
        T1|w(x)|t.rs:12
        T1|rel(L)|t.rs:13";
    for second in ["t.rs:3", "t.rs:33"] {
        let mut lines: Vec<String> = text.lines().skip(1).map(|l| l.trim().into()).collect();
        lines[3] = format!("T2|r(x)|{second}");
        let trace = trace(&lines);
        let found = predict(&trace);
        let races = found.iter().filter(|p| p.unconfirmed.is_none());
        let races: BTreeSet<(u64, u64)> = races.map(|p| (p.earlier, p.later)).collect();
        assert!(races.contains(&(3, 13)), "{races:?}");
        assert!(!races.contains(&(4, 13)), "{races:?}");
    }
}

/// Rounds that are each refuted by an argument of their own, because each reads at a
/// place of its own.
fn different_rounds(count: usize, possible: Option<usize>) -> Vec<String> {
    let mut lines = Vec::new();
    for i in 0..count {
        let from = lines.len();
        round(0, possible != Some(i), false, &mut lines);
        lines.insert(from + 4, format!("T0|r(q)|f.rs:{}", i + 1));
    }
    lines
}

#[test]
fn a_cap_that_is_hit_makes_it_inconclusive() {
    let little = || Options {
        budget: 2_000,
        ..Options::default()
    };
    let verdicts = |lines: &[String], options| {
        let found = predict_with(&trace(lines), options);
        let found = found.iter().map(|p| (p.kind, p.unconfirmed));
        found.collect::<Vec<_>>()
    };
    let few = different_rounds(100, None);
    assert_eq!(verdicts(&few, Options::default()), []);
    let impossible = different_rounds(300, None);
    let undecided = (PredictedKind::Race, Some(Reason::Attempts));
    assert_eq!(verdicts(&impossible, little()), [undecided]);
    // The same argument, however often, is one.
    let mut same = Vec::new();
    (0..1500).for_each(|_| round(0, true, false, &mut same));
    assert_eq!(verdicts(&same, little()), []);
    // One of many, with and without the budget for all of them.
    let found = (PredictedKind::Race, None);
    let one = different_rounds(100, Some(90));
    assert_eq!(verdicts(&one, Options::default()), [found]);
    let one = different_rounds(300, Some(270));
    assert_eq!(verdicts(&one, little()), [undecided]);
    // The last one is tried in any case, and so is one with other locks.
    let last = different_rounds(300, Some(299));
    assert_eq!(verdicts(&last, little()), [found]);
    let mut locked = one.clone();
    let is_write = |line: &String| line.starts_with("T1|w(x0)");
    let mut writes = (0..locked.len()).filter(|&i| is_write(&locked[i]));
    let at = writes.nth(270).expect("300 rounds");
    locked.insert(at, "T1|acq(other)|t.rs:20".to_owned());
    locked.insert(at + 2, "T1|rel(other)|t.rs:21".to_owned());
    assert_eq!(verdicts(&locked, little()), [found]);
}

/// What is generated to measure speed with is decided: nothing is left untried. `COMMUTE_EVENTS`
/// says how many events, 3,000,000 as in `benches/speed.rs` in a release build.
#[test]
fn generated_traces_are_decided() {
    let events = std::env::var("COMMUTE_EVENTS").ok();
    let events = events.and_then(|text| text.parse().ok()).unwrap_or(60_000);
    for shape in Shape::ALL {
        let mut generator = Generator::new(&Recipe::new(shape, events)).expect("a recipe");
        let mut pass = Prediction::new(Arc::new(Library::shipped()), Options::default());
        let mut batch = Vec::new();
        while generator.read_batch(&mut batch) > 0 {
            pass.steps(&batch, generator.names()).expect("well-formed");
        }
        pass.finish(generator.names(), &mut Vec::new());
        let undecided = pass.predicted().iter().filter_map(|p| p.unconfirmed);
        let undecided: Vec<_> = undecided.collect();
        // A server with a pool of threads has pairs far apart, of which some are not decided.
        let most = match shape {
            Shape::Jigsaw => pass.predicted().len() / 20,
            _ => 0,
        };
        assert!(undecided.len() <= most, "{shape}: {undecided:?}");
        assert_eq!(pass.dropped(), 0, "{shape}");
    }
}
