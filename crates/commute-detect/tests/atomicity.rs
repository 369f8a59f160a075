//! The three algorithms for atomicity against an oracle written from
//! Definition 1, on random traces: the same verdict after every event, every
//! report a true cycle, and cycles whose edges are conflicts.

use std::collections::BTreeSet;
use std::sync::Arc;

use commute_detect::{Atomicity, InitialStates, Method, Pass, Report, Select};
use commute_model::{Certainty, Event, Op};
use commute_spec::Library;
use commute_testkit::oracle::Transactions;
use commute_testkit::random::Random;
use commute_testkit::traces::{self, Mix, Trace};

/// How a trace is taken: by so many events at a time, with so many slots of clocks kept
/// apart.
type Setting = (usize, usize);

fn reports(
    trace: &Trace,
    library: &Arc<Library>,
    method: Method,
    (batch, apart): Setting,
) -> Vec<Report> {
    let pass = Atomicity::new(library.clone(), method, None);
    let mut pass = pass.keep_apart(apart).keep_reports();
    let states = InitialStates::infer(&trace.events, &trace.names, library.clone());
    pass.set_initial_states(&Arc::new(states));
    for events in trace.events.chunks(batch) {
        pass.steps(events, &trace.names).expect("well-formed");
    }
    let mut findings = Vec::new();
    pass.finish(&trace.names, &mut findings);
    assert_eq!(findings.is_empty(), pass.reports().is_empty());
    assert!(!pass.is_late());
    pass.reports().to_vec()
}

/// The transactions of the first events.
fn transactions(trace: &Trace, length: usize, library: &Library) -> Transactions {
    Transactions::of_prefix((&trace.events, length), &trace.names, library, |_| true)
}

/// Every report is about a transaction that is on a cycle at that time.
fn check_reports(trace: &Trace, library: &Library, reports: &[Report]) -> Result<(), String> {
    for report in reports {
        let prefix = &trace.events[..report.index as usize];
        let truth = transactions(trace, prefix.len(), library);
        let own = prefix.iter().rposition(|e| e.thread == report.thread);
        let own = own.ok_or("a thread without events")?;
        if !truth.cyclic(|_| true).contains(&truth.of[own]) {
            return Err(format!("{report:?} is on no cycle"));
        }
        let Some(cycle) = &report.cycle else { continue };
        let at = |index: u64| index as usize - 1;
        let mut seen = BTreeSet::new();
        for (i, &(earlier, later)) in cycle.iter().enumerate() {
            if !truth.conflicts.contains(&(at(earlier), at(later))) {
                return Err(format!(
                    "{earlier} and {later} of {cycle:?} do not conflict"
                ));
            }
            let next = cycle[(i + 1) % cycle.len()].0;
            if truth.of[at(later)] != truth.of[at(next)] {
                return Err(format!("{later} and {next} of {cycle:?}: two transactions"));
            }
            if !seen.insert(truth.of[at(earlier)]) {
                return Err(format!("{cycle:?} has a transaction twice"));
            }
        }
        if cycle.len() < 2 {
            return Err(format!("{cycle:?} is not a cycle"));
        }
    }
    Ok(())
}

/// Whether this holds after event `index` and not before, or never if there is
/// no index.
fn is_first(
    index: Option<u64>,
    trace: &Trace,
    library: &Library,
    holds: impl Fn(&Transactions) -> bool,
) -> bool {
    let after = |n: usize| holds(&transactions(trace, n, library));
    match index {
        None => !after(trace.events.len()),
        Some(n) => after(n as usize) && !after(n as usize - 1),
    }
}

fn compare(trace: &Trace, library: &Arc<Library>, setting: Setting) -> Result<bool, String> {
    let whole = transactions(trace, trace.events.len(), library);
    let serializable = whole.serializable();
    for method in [Method::AeroDrome, Method::AeroDromeBasic] {
        let found = reports(trace, library, method, setting);
        if found.is_empty() != serializable {
            return Err(format!("{method:?}: {found:?}"));
        }
        let early = found.iter().find(|report| !report.at_end);
        let early = early.map(|report| report.index);
        if !is_first(early, trace, library, Transactions::violated_early) {
            return Err(format!("{method:?}: {found:?}, not the right event"));
        }
        check_reports(trace, library, &found).map_err(|e| format!("{method:?}: {e}"))?;
    }
    let found = reports(trace, library, Method::Velodrome, setting);
    let index = found.first().map(|report| report.index);
    if !is_first(index, trace, library, |truth| !truth.serializable()) {
        return Err(format!("Velodrome: {found:?}, not the right event"));
    }
    check_reports(trace, library, &found).map_err(|e| format!("Velodrome: {e}"))?;
    Ok(serializable)
}

fn compare_all(traces: impl Iterator<Item = (u64, Trace)>) {
    compare_keeping_apart(|_| 64, traces);
}

fn compare_keeping_apart(apart: impl Fn(u64) -> usize, traces: impl Iterator<Item = (u64, Trace)>) {
    let library = Arc::new(Library::shipped());
    let (mut yes, mut no) = (0, 0);
    for (seed, trace) in traces {
        match compare(&trace, &library, (1 + (seed % 7) as usize, apart(seed))) {
            Ok(true) => yes += 1,
            Ok(false) => no += 1,
            Err(error) => panic!("seed {seed}: {error}\n{}", trace.text()),
        }
    }
    assert!(yes > 50 && no > 50, "{yes} serializable, {no} not");
}

fn random(mix: Mix, seeds: std::ops::Range<u64>) -> impl Iterator<Item = (u64, Trace)> {
    let library = Library::shipped();
    seeds.map(move |seed| (seed, traces::random(seed, &mix, &library)))
}

fn mix(types: &[&'static str], variables: usize, synchronisation: usize, blocks: usize) -> Mix {
    Mix {
        threads: 5,
        events: 30,
        variables,
        locks: 2,
        types: types.to_vec(),
        synchronisation,
        blocks,
    }
}

#[test]
fn reads_and_writes() {
    compare_all(random(mix(&[], 3, 15, 30), 0..4000));
}

#[test]
fn short_traces() {
    let short = Mix {
        threads: 3,
        events: 14,
        ..mix(&[], 2, 10, 35)
    };
    compare_all(random(short, 0..4000));
}

#[test]
fn locks_forks_and_joins() {
    compare_all(random(mix(&[], 2, 60, 25), 0..4000));
}

#[test]
fn waits_and_notifications() {
    compare_all((0..6000).map(|seed| (seed, traces::notifications(seed))));
}

/// Threads that live for a few events, one after another and a few at a time.
#[test]
fn short_lives() {
    let library = Library::shipped();
    let traces = (0..3000).map(|seed| {
        let types: &[&str] = [&[][..], &["map"], &["channel"]][(seed % 3) as usize];
        (seed, traces::short_lives(seed, types, &library))
    });
    compare_keeping_apart(|seed| 1 + (seed % 3) as usize, traces);
}

#[test]
fn every_conflict_on_a_variable_of_its_own() {
    compare_all((0..6000).map(|seed| (seed, traces::fresh_conflicts(seed))));
}

#[test]
fn actions_modulo_commutativity() {
    compare_all(random(mix(&["dictionary"], 0, 15, 30), 0..2000));
    let types = ["map", "set", "counter", "queue", "vec"];
    compare_all(random(mix(&types, 1, 15, 30), 0..2000));
}

#[test]
fn synchronising_objects() {
    for types in [
        &["semaphore", "semaphore(2)", "semaphore(1)"],
        &["barrier", "barrier(2)", "barrier(3)"],
        &["queue", "stack", "future"],
        &["latch", "wait_group", "context"],
    ] {
        compare_all(random(mix(types, 1, 10, 30), 0..1000));
    }
}

#[test]
fn actions_outside_ecl() {
    compare_all(random(mix(&["priority_queue"], 1, 15, 30), 0..1000));
}

/// A trace without locations.
fn trace(text: &str) -> Trace {
    let lines: String = text.lines().map(|line| format!("{line}|\n")).collect();
    Trace::parse(&lines)
}

fn assert_violation(text: &str) {
    let library = Arc::new(Library::shipped());
    let trace = trace(text);
    let compared = compare(&trace, &library, (1, 64));
    assert_eq!(compared, Ok(false), "{}", trace.text());
}

/// What `w` published knows the block of `t`, learns of the block of `v` when `t`
/// ends, and of `x` when `v` ends: it must be raised a second time.
#[test]
fn what_was_raised_is_raised_again() {
    assert_violation(
        "x|begin\nx|w(a)\nv|begin\nv|w(b)\nt|begin\nt|w(c)\n\
         w|begin\nw|r(c)\nw|w(d)\nw|end\n\
         t|r(b)\nt|end\nv|r(a)\nv|end\nx|r(d)\nx|end",
    );
}

/// The single read clock of the paper's §4.3 loses the reader's own component.
#[test]
fn a_reader_is_not_forgotten() {
    assert_violation("u|w(a)\nt|r(a)\nt|begin\nt|w(y)\nu|r(y)\nu|r(x)\nt|w(x)\nt|end");
}

/// The block of `t` comes before `u`, which reads what it wrote, and after `u`, which
/// ended its wait.
#[test]
fn a_notification_comes_before_the_wake() {
    let text = "t|begin\nt|w(x)\nt|acq(m)\nt|wait(c,m)\n\
                u|r(x)\nu|notify(c)\nt|wake(c,m)\nt|rel(m)\nt|end";
    assert_violation(text);
    assert_violation(&text.replace("notify", "notify_all"));
    let library = Arc::new(Library::shipped());
    let other = trace(&text.replace("notify(c)", "notify(d)"));
    assert_eq!(compare(&other, &library, (1, 64)), Ok(true));
}

/// Nobody learns of a notification that comes before the wait, or after it.
#[test]
fn a_notification_outside_of_the_wait_is_lost() {
    let library = Arc::new(Library::shipped());
    let before = "t|begin\nt|w(x)\nu|r(x)\nu|notify(c)\n\
                  t|acq(m)\nt|wait(c,m)\nt|wake(c,m)\nt|rel(m)\nt|end";
    assert_eq!(compare(&trace(before), &library, (1, 64)), Ok(true));
    // Another thread waits already: the notification is remembered for that one.
    let both = format!("v|acq(n)\nv|wait(c,n)\n{before}\nv|wake(c,n)\nv|rel(n)");
    assert_eq!(compare(&trace(&both), &library, (1, 64)), Ok(true));
    let after = "t|begin\nt|w(x)\nt|acq(m)\nt|wait(c,m)\nu|r(x)\n\
                 t|wake(c,m)\nu|notify(c)\nt|rel(m)\nt|end";
    assert_eq!(compare(&trace(after), &library, (1, 64)), Ok(true));
}

/// The notifier learns late, when its block ends, what the woken thread then knows.
#[test]
fn a_notification_is_raised_too() {
    assert_violation(
        "x|begin\nx|w(a)\nu|acq(m)\nu|wait(c,m)\nt|begin\nt|notify(c)\nt|r(a)\nt|end\n\
         u|wake(c,m)\nu|rel(m)\nu|w(d)\nx|r(d)\nx|end",
    );
}

/// A thread without events orders nothing.
#[test]
fn a_thread_that_does_nothing_is_no_violation() {
    let library = Arc::new(Library::shipped());
    let idle = trace("t|begin\nt|fork(u)\nt|join(u)\nt|end");
    assert_eq!(compare(&idle, &library, (1, 64)), Ok(true));
    let inert = trace("t|begin\nt|fork(u)\nu|dummy\nt|join(u)\nt|end");
    assert_eq!(compare(&inert, &library, (1, 64)), Ok(true));
    assert_violation("t|begin\nt|fork(u)\nu|w(q)\nt|join(u)\nt|end");
}

/// What a block learns after it forked, its child knows once the block has ended.
#[test]
fn a_fork_is_raised_too() {
    assert_violation("x|begin\nx|w(a)\nt|begin\nt|fork(u)\nt|r(a)\nt|end\nu|w(d)\nx|r(d)\nx|end");
}

/// Many know a block before it learns something: all of them are told.
#[test]
fn nobody_who_knows_a_block_is_forgotten() {
    for witness in [0, 7, 8, 15] {
        let mut text = "x|begin\nx|w(a)\nt|begin\nt|w(c)\n".to_owned();
        for i in 0..16 {
            text += &format!("w{i}|begin\nw{i}|r(c)\nw{i}|w(d{i})\nw{i}|end\n");
        }
        text += &format!("t|r(a)\nt|end\nx|r(d{witness})\nx|end");
        assert_violation(&text);
    }
}

/// Blocks that do not count are looked through, whatever is around them.
#[test]
fn blocks_that_do_not_count() {
    let library = Arc::new(Library::shipped());
    let counts = |label: &str| label != "b";
    let mix = mix(&[], 3, 25, 40);
    let (mut yes, mut no) = (0, 0);
    for seed in 0..2000 {
        let trace = traces::random(seed, &mix, &library);
        let named = |event: &Event| match event.op {
            Op::Begin(Some(block)) => counts(&trace.names.blocks.name(block).to_string()),
            _ => true,
        };
        let truth = Transactions::of(&trace.events, &trace.names, &library, named);
        for method in [Method::AeroDrome, Method::AeroDromeBasic, Method::Velodrome] {
            let select: Select = Arc::new(counts);
            let mut pass = Atomicity::new(library.clone(), method, Some(select)).keep_reports();
            pass.steps(&trace.events, &trace.names)
                .expect("well-formed");
            pass.finish(&trace.names, &mut Vec::new());
            let found = pass.reports();
            let context = || format!("{method:?}, seed {seed}: {found:?}\n{}", trace.text());
            assert_eq!(found.is_empty(), truth.serializable(), "{}", context());
            for (i, j) in found.iter().flat_map(|r| r.cycle.iter().flatten()) {
                let edge = (*i as usize - 1, *j as usize - 1);
                assert!(truth.conflicts.contains(&edge), "{edge:?}, {}", context());
            }
        }
        match truth.serializable() {
            true => yes += 1,
            false => no += 1,
        }
    }
    assert!(yes > 50 && no > 50, "{yes} serializable, {no} not");
}

/// A thread that goes on after it was joined is no thread, but the algorithms
/// agree.
#[test]
fn a_joined_thread_that_goes_on() {
    let text = "a|begin\nb|begin\na|w(x)\na|join(b)\nb|r(x)\nb|end\na|end";
    assert_violation(text);
}

/// Some threads get to know a block, for thousands of blocks of their own nobody
/// has to do with another, and then what they wrote in the beginning is read:
/// most of what was remembered has been thrown away by then, and what is left
/// must be right.
#[test]
fn a_long_past_is_remembered() {
    let library = Arc::new(Library::shipped());
    let (mut yes, mut no) = (0, 0);
    for seed in 0..60 {
        let mut random = Random::new(seed);
        let mut lines = vec!["T0|begin".to_owned(), "T0|w(X)".to_owned()];
        for t in 1..4 {
            if random.chance(30) {
                lines.push(format!("T{t}|r(X)"));
            }
            lines.push(format!("T{t}|w(Y{t})"));
        }
        // Nothing but these threads themselves remember what they know.
        for t in [4, 5] {
            if random.chance(20) {
                lines.push(format!("T{t}|r(X)"));
            }
        }
        let rest = [
            "T4|w(A)",
            "T1|alloc(A)",
            "T5|fork(T6)",
            "T5|begin",
            "T5|end",
        ];
        lines.extend(rest.map(str::to_owned));
        for i in 0..8000 {
            let (t, write) = (1 + (i / 3 + i / 7) % 3, random.chance(50));
            lines.push(format!("T{t}|begin"));
            let access = if write { 'w' } else { 'r' };
            lines.push(format!("T{t}|{access}(V{t}{})", random.below(10)));
            lines.push(format!("T{t}|end"));
        }
        let mut threads = [1, 2, 3];
        threads.rotate_left(random.below(3));
        for pair in threads.windows(2) {
            if random.chance(70) {
                lines.push(format!("T{}|r(Y{})", pair[1], pair[0]));
            }
            lines.push(format!("T{0}|w(Z{0})", pair[1]));
        }
        let rest = ["T4|w(Z4)", "T6|w(Z6)", "T0|r(Z4)", "T0|r(Z6)"];
        lines.extend(rest.map(str::to_owned));
        lines.push(format!("T0|r(Z{})", threads[2]));
        lines.push("T0|end".to_owned());
        let trace = trace(&lines.join("\n"));
        let fast = reports(&trace, &library, Method::AeroDrome, (100, 64));
        let slow = reports(&trace, &library, Method::Velodrome, (100, 64));
        assert_eq!(fast.is_empty(), slow.is_empty(), "seed {seed}");
        *(if slow.is_empty() { &mut yes } else { &mut no }) += 1;
    }
    assert!(yes > 10 && no > 10, "{yes} serializable, {no} not");
}

/// A second look may begin in the middle of a wait: which threads wait is known.
#[test]
fn a_wait_that_began_in_what_was_skipped() {
    let library = Arc::new(Library::shipped());
    let trace = trace(
        "t|acq(m)\nt|wait(c,m)\nv|acq(n)\nv|wait(c,n)\nv|wake(c,n)\nv|rel(n)\n\
         u|begin\nu|notify(c)\nt|wake(c,m)\nt|rel(m)\nt|w(x)\nu|r(x)\nu|end",
    );
    for method in [Method::AeroDrome, Method::AeroDromeBasic, Method::Velodrome] {
        for skipped in 0..7 {
            let mut pass = Atomicity::new(library.clone(), method, None).keep_reports();
            let (before, after) = trace.events.split_at(skipped);
            pass.skip(before, &trace.names);
            pass.steps(after, &trace.names).expect("well-formed");
            pass.finish(&trace.names, &mut Vec::new());
            let found: Vec<u64> = pass.reports().iter().map(|report| report.index).collect();
            assert_eq!(found, [12], "{method:?} after {skipped}");
        }
    }
}

/// The certainty of each violation.
fn certainties(trace: &Trace, library: &Arc<Library>) -> Vec<Certainty> {
    let mut pass = Atomicity::new(library.clone(), Method::Velodrome, None);
    let states = InitialStates::infer(&trace.events, &trace.names, library.clone());
    pass.set_initial_states(&Arc::new(states));
    pass.steps(&trace.events, &trace.names)
        .expect("well-formed");
    let mut findings = Vec::new();
    pass.finish(&trace.names, &mut findings);
    let certainties = findings.iter().map(|finding| finding.certainty);
    certainties.collect()
}

/// Two permits, if that is not recorded: the least that makes the trace possible.
#[test]
fn blocks_that_hold_permits_at_the_same_time_are_atomic() {
    let library = Arc::new(Library::shipped());
    for kind in ["semaphore", "semaphore(2)", "semaphore(3)"] {
        let text = format!(
            "a|new(s:{kind})\na|begin\na|s.acquire()\nb|s.acquire()\nb|s.release()\n\
             a|s.release()\na|end"
        );
        let trace = trace(&text);
        assert_eq!(compare(&trace, &library, (1, 64)), Ok(true), "{text}");
    }
}

#[test]
fn a_violation_depends_on_a_count_that_is_not_recorded() {
    let library = Arc::new(Library::shipped());
    for (kind, expected) in [
        ("semaphore", &[Certainty::Unconfirmed][..]),
        ("semaphore(0)", &[Certainty::Observed]),
        ("semaphore(1)", &[]),
    ] {
        let text = format!(
            "a|new(s:{kind})\na|begin\na|s.release()\nb|s.acquire()\nb|w(y)\na|r(y)\na|end"
        );
        let found = certainties(&trace(&text), &library);
        assert_eq!(found, expected, "{kind}");
    }
}

/// Blocks of three threads around the permits of a semaphore.
fn blocks_around_permits(kind: &str, seed: u64) -> Trace {
    let mut random = Random::new(seed);
    let mut text = format!("T0|new(s:{kind})\n");
    let mut is_open = [false; 3];
    for _ in 0..20 {
        let t = random.below(3);
        let event = match random.below(10) {
            0..3 => {
                is_open[t] ^= true;
                if is_open[t] { "begin" } else { "end" }
            }
            3 => "w(x)",
            4 => "r(x)",
            5..8 => "s.release()",
            _ => "s.acquire()",
        };
        text.push_str(&format!("T{t}|{event}\n"));
    }
    trace(&text)
}

/// With any other count that is possible, it is a violation, too.
#[test]
fn a_certain_violation_does_not_depend_on_a_count() {
    let library = Arc::new(Library::shipped());
    let (mut certain, mut unconfirmed, mut always) = (0, 0, 0);
    for seed in 0..3000 {
        let found = certainties(&blocks_around_permits("semaphore", seed), &library);
        let is_violation = |other: &&str| {
            let other = blocks_around_permits(other, seed);
            !transactions(&other, other.events.len(), &library).serializable()
        };
        let is_always = ["semaphore(20)", "semaphore(40)"].iter().all(is_violation);
        if found.contains(&Certainty::Observed) {
            certain += 1;
            assert!(is_always, "seed {seed}");
        } else if !found.is_empty() {
            unconfirmed += u32::from(!is_always);
            always += u32::from(is_always);
        }
    }
    assert!(certain > 50 && unconfirmed > 50, "{certain}, {unconfirmed}");
    // Of an edge between two blocks only one reason is kept.
    assert!(20 * always < certain, "{always} of {certain}");
}
