//! Scenes of random findings in random traces, against the definition.

use std::collections::BTreeSet;

use commute_model::{Certainty, Code, EventRef, Level, Witness, WitnessKind};
use commute_testkit::random::Random;
use commute_testkit::traces::{self, Family, Mix, Trace};

use super::*;

fn finding(events: &[u64], steps: &[u64]) -> Finding {
    let event = |index: &u64| EventRef {
        // Nobody is called so; `of` says whose it is.
        thread: String::new(),
        index: *index,
        action: String::new(),
        location: String::new(),
    };
    Finding {
        code: Code::CM103,
        level: Level::Error,
        certainty: Certainty::Certified,
        fingerprint: String::new(),
        title: String::new(),
        object: None,
        events: events.iter().map(event).collect(),
        condition: None,
        witness: Some(Witness {
            kind: WitnessKind::Reordering,
            prefix: 0,
            steps: steps.to_vec(),
        }),
        count: 1,
        replay: None,
        notes: Vec::new(),
        scene: None,
    }
}

/// What lasts in a thread, from the definition: `(from, to, kind, name)`, as far as it
/// begins not later than `until`.
fn lasting(
    trace: &Trace,
    thread: ThreadId,
    until: u64,
) -> Vec<(u64, Option<u64>, ExtentKind, String)> {
    let names = &trace.names;
    let own: Vec<(u64, &Op)> = (1..=until)
        .zip(&trace.events)
        .filter(|(_, event)| event.thread == thread)
        .map(|(index, event)| (index, &event.op))
        .collect();
    let lock = |op: &Op| match op {
        Op::Acquire(l) | Op::Release(l) | Op::Wait(_, l) | Op::Wake(_, l) => {
            Some((*l, ExtentKind::Lock))
        }
        Op::ReadAcquire(l) | Op::ReadRelease(l) => Some((*l, ExtentKind::SharedLock)),
        _ => None,
    };
    // How often a lock is held after each event.
    let depths = |which| {
        let (mut held, mut waited) = (0u32, None);
        let after = move |(_, op): &(u64, &Op)| {
            if let Op::Wait(_, other) | Op::Wake(_, other) = op
                && (*other, ExtentKind::Lock) != which
            {
                waited = None;
            }
            if lock(op) == Some(which) {
                held = match op {
                    Op::Acquire(_) | Op::ReadAcquire(_) => held + 1,
                    Op::Wake(..) => held + waited.take().unwrap_or(1).max(1),
                    Op::Wait(..) => {
                        waited = Some(held);
                        0
                    }
                    _ => held.saturating_sub(1),
                };
            }
            held
        };
        own.iter().map(after).collect::<Vec<u32>>()
    };
    let mut all = Vec::new();
    for (place, (from, op)) in own.iter().enumerate() {
        if let Op::Begin(block) = op {
            let mut depth = 0;
            let end = own[place..].iter().find(|(_, op)| {
                depth += match op {
                    Op::Begin(_) => 1,
                    Op::End(_) => -1,
                    _ => 0,
                };
                depth == 0
            });
            let name = block.map_or_else(String::new, |b| names.blocks.name(b).to_string());
            all.push((*from, end.map(|(to, _)| *to), ExtentKind::Block, name));
        }
        let Some((l, kind)) = lock(op) else {
            continue;
        };
        let depths = depths((l, kind));
        if depths[place] == 0 || place > 0 && depths[place - 1] > 0 {
            continue;
        }
        let ends = (place..own.len()).find(|later| depths[*later] == 0);
        let name = names.locks.name(l).to_string();
        all.push((*from, ends.map(|later| own[later].0), kind, name));
    }
    all
}

/// The finding, with the threads that its events have in a trace.
fn of(trace: &Trace, mut finding: Finding) -> Finding {
    for event in &mut finding.events {
        let thread = trace.events[event.index as usize - 1].thread;
        event.thread = trace.names.threads.name(thread).to_string();
    }
    finding
}

/// Where the threads of a finding begin, from the definition: the first fork of one, and
/// what it does next.
fn births(trace: &Trace, finding: &Finding) -> Vec<u64> {
    let mut births = Vec::new();
    let mut known = BTreeSet::new();
    for (at, event) in trace.events.iter().enumerate() {
        if let Op::Fork(child) = event.op
            && known.insert(child.index())
            && { finding.events.iter() }
                .any(|event| event.thread == trace.names.threads.name(child).to_string())
        {
            births.push(at as u64 + 1);
            let later = trace.events[at + 1..].iter();
            let next = later.enumerate().find(|(_, event)| event.thread == child);
            births.extend(next.map(|(after, _)| (at + after) as u64 + 2));
        }
    }
    births
}

fn compare(trace: &Trace, finding: &Finding, room: usize, total: Option<u64>) -> usize {
    let library = Arc::new(Library::shipped());
    let mut scenes = Scenes::new(library.clone());
    scenes.watch(std::slice::from_ref(finding), room, total);
    let mut edges = Edges::new(library);
    let windows = windows(finding, 0, room as u64, total);
    let last = windows.last().map_or(0, |window| window.to);
    let mut wanted: BTreeSet<u64> = { windows.iter() }
        .flat_map(|window| window.from..=window.to.min(trace.events.len() as u64))
        .collect();
    wanted.extend({ births(trace, finding).into_iter() }.filter(|index| *index <= last));
    let mut arrows = BTreeSet::new();
    for (index, event) in (1..).zip(&trace.events) {
        if !scenes.is_over() {
            scenes.step(event, &trace.names);
        }
        for edge in edges.step(event, index, &trace.names) {
            if wanted.contains(&edge.from) && wanted.contains(&index) {
                arrows.insert((edge.from, index, edge.kind.name().to_owned()));
            }
        }
    }
    let scene = scenes.finish(&trace.names).remove(0);
    let shown: BTreeSet<u64> = scene.moments.iter().map(|moment| moment.index).collect();
    assert_eq!(shown, wanted);
    for moment in &scene.moments {
        let event = &trace.events[moment.index as usize - 1];
        let name = trace.names.threads.name(event.thread).to_string();
        assert_eq!(scene.threads[moment.thread], name);
        assert_eq!(moment.action, event.op.display(&trace.names).to_string());
        let own = { trace.events[..moment.index as usize].iter() };
        let own = own.filter(|other| other.thread == event.thread).count();
        let component = (moment.thread as u32, own as u32);
        assert!(moment.clock.contains(&component), "{moment:?}");
    }
    let drawn: BTreeSet<_> = { scene.arrows.iter() }
        .map(|arrow| (arrow.from, arrow.to, arrow.why.clone()))
        .collect();
    assert_eq!(drawn, arrows);
    let until = wanted.last().copied().unwrap_or(0);
    let mut extents = Vec::new();
    for (place, thread) in scene.threads.iter().enumerate() {
        let id = trace.names.threads.lookup(thread).expect("a thread");
        for (from, to, kind, name) in lasting(trace, id, until) {
            let mut inside = { scene.moments.iter() }
                .filter(|moment| moment.thread == place && moment.index >= from)
                .filter(|moment| to.is_none_or(|to| moment.index <= to));
            if inside.next().is_some() {
                extents.push(Extent {
                    thread: place,
                    from,
                    to,
                    kind,
                    name,
                });
            }
        }
    }
    extents.sort_unstable();
    assert_eq!(scene.extents, extents);
    scene.extents.len()
}

#[test]
fn scenes_are_what_happened_around() {
    let mut random = Random::new(5);
    let mut extents = 0;
    let library = Library::shipped();
    let mix = Mix {
        threads: 4,
        events: 60,
        variables: 2,
        locks: 3,
        types: vec!["dictionary", "atomic", "channel"],
        synchronisation: 50,
        blocks: 20,
    };
    let families = Family::all();
    for seed in 0..200 {
        let trace = match seed % 2 {
            0 => traces::random(seed, &mix, &library),
            _ => families[seed as usize % families.len()]
                .1
                .trace(seed, &library),
        };
        let events = trace.events.len();
        if events == 0 {
            continue;
        }
        let mut index = || 1 + random.below(events) as u64;
        let finding = finding(&[index(), index()], &[index(), index(), index()]);
        let finding = of(&trace, finding);
        let total = [None, Some(events as u64)];
        for room in [10, 30, 1000] {
            extents += compare(&trace, &finding, room, total[seed as usize / 2 % 2]);
        }
    }
    assert!(extents > 200, "{extents} locks and blocks");
}

#[test]
fn a_finding_that_is_far_apart_has_two_windows() {
    let finding = finding(&[10, 90_000], &[10, 90_000]);
    let windows = |room, total| -> Vec<(u64, u64)> {
        let windows = windows(&finding, 0, room, total);
        windows.iter().map(|w| (w.from, w.to)).collect()
    };
    assert_eq!(windows(1000, None), [(1, 60), (89_950, 90_050)]);
    assert_eq!(windows(1000, Some(95_000)), windows(1000, None));
    // Or all that there is.
    assert_eq!(windows(95_000, Some(95_000)), [(1, 95_000)]);
    assert_eq!(windows(94_999, Some(95_000)), [(1, 90_050)]);
    // A number that cannot be right is of no use.
    assert_eq!(windows(1000, Some(80_000)), windows(1000, None));
}

#[test]
fn the_threads_of_a_finding_begin_in_its_scene() {
    let mut text = "M|acq(m)|\nM|fork(A)|\nM|rel(m)|\nA|w(a)|\nM|fork(B)|\nB|w(b)|\n".to_owned();
    for _ in 0..500 {
        text += "M|w(c)|\n";
    }
    text += "A|w(x)|\nB|w(x)|\n";
    let trace = Trace::parse(&text);
    let finding = of(&trace, finding(&[507, 508], &[507, 508]));
    compare(&trace, &finding, 200, None);
    let mut scenes = Scenes::new(Arc::new(Library::shipped()));
    scenes.watch(&[finding], 200, None);
    for event in &trace.events {
        scenes.step(event, &trace.names);
    }
    let scene = scenes.finish(&trace.names).remove(0);
    let first: Vec<u64> = scene.moments[..5].iter().map(|m| m.index).collect();
    assert_eq!(first, [2, 4, 5, 6, 457]);
    let arrows: Vec<(u64, u64)> = scene.arrows.iter().map(|a| (a.from, a.to)).collect();
    assert_eq!(arrows, [(2, 4), (5, 6)]);
    // It was held when one of them was forked.
    assert_eq!(scene.extents.len(), 1);
    assert_eq!((scene.extents[0].from, scene.extents[0].to), (1, Some(3)));
}

#[test]
fn a_wake_takes_a_lock_as_often_as_it_was_held() {
    let text = "B|acq(q)|\nB|acq(q)|\nB|wait(cv,q)|\nA|w(v)|\nB|wake(cv,q)|\nB|rel(q)|\n\
        B|w(v)|\nB|rel(q)|\nB|w(v)|\n";
    let trace = Trace::parse(text);
    let finding = finding(&[4, 7], &[4, 7]);
    assert_eq!(compare(&trace, &finding, 100, None), 2);
    let held: Vec<_> = { lasting(&trace, ThreadId::from_index(0), 9).into_iter() }
        .map(|(from, to, ..)| (from, to))
        .collect();
    assert_eq!(held, [(1, Some(3)), (5, Some(8))]);
}

#[test]
fn clocks_have_the_threads_of_the_finding_however_many_there_are() {
    let mut text = String::new();
    for number in 0..90 {
        text += &format!("T{number}|w(x{number})|\n");
    }
    text += "T88|acq(m)|\nT88|rel(m)|\nT89|acq(m)|\nT89|w(y)|\nT87|w(y)|\n";
    let trace = Trace::parse(&text);
    let clocks = |events: &[u64]| {
        let finding = of(&trace, finding(events, events));
        let mut scenes = Scenes::new(Arc::new(Library::shipped()));
        scenes.watch(&[finding], 1000, Some(95));
        for event in &trace.events {
            scenes.step(event, &trace.names);
        }
        let scene = scenes.finish(&trace.names).remove(0);
        let clock = scene.moment(94).expect("an event").clock.clone();
        (clock, scene.are_clocks_cut)
    };
    // Its own, and that of T88 if the finding is about it.
    assert_eq!(clocks(&[94, 95]), (vec![(89, 3)], true));
    assert_eq!(clocks(&[92, 94]), (vec![(88, 3), (89, 3)], true));
    let few = Trace::parse("A|acq(m)|\nA|rel(m)|\nB|acq(m)|\n");
    let mut scenes = Scenes::new(Arc::new(Library::shipped()));
    scenes.watch(&[of(&few, finding(&[1, 3], &[1, 3]))], 1000, None);
    for event in &few.events {
        scenes.step(event, &few.names);
    }
    let scene = scenes.finish(&few.names).remove(0);
    assert_eq!(scene.moments[2].clock, [(0, 2), (1, 1)]);
    assert!(!scene.are_clocks_cut);
}

#[test]
fn scenes_of_very_many_threads_have_no_clocks() {
    let has_clocks = |threads: usize| {
        let lines: Vec<String> = { 0..threads }.map(|n| format!("T{n}|w(x)|\n")).collect();
        let trace = Trace::parse(&lines.concat());
        let mut scenes = Scenes::new(Arc::new(Library::shipped()));
        scenes.watch(&[of(&trace, finding(&[1, 2], &[1, 2]))], 1000, None);
        for event in &trace.events {
            scenes.step(event, &trace.names);
        }
        let scene = scenes.finish(&trace.names).remove(0);
        assert!(scene.moments.len() > 1);
        let clocks = scene.moments.iter().map(|moment| !moment.clock.is_empty());
        let clocks: BTreeSet<bool> = clocks.collect();
        assert_eq!(clocks.len(), 1, "all moments alike");
        clocks.contains(&true)
    };
    assert!(has_clocks(MOST_THREADS_OF_EVENT_CLOCKS));
    assert!(!has_clocks(MOST_THREADS_OF_EVENT_CLOCKS + 1));
}
