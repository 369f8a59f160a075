//! Slices and the history of a witness decide as whole windows do.

use std::sync::Arc;

use commute_spec::Library;
use commute_testkit::random::Random;
use commute_testkit::traces::{Mix, Trace, random};
use commute_trace::{Generator, Recipe, Shape};

use super::*;
use crate::pass::Pass;
use crate::prediction::{Legal, Prediction, validate};

/// A random trace of reads, writes, locks, condition variables and threads.
fn trace(seed: u64, library: &Library) -> Trace {
    let mut settings = Random::new(seed);
    let mix = Mix {
        threads: 3 + settings.below(6),
        events: 150 + settings.below(200),
        variables: 3 + settings.below(40),
        locks: 1 + settings.below(6),
        types: Vec::new(),
        synchronisation: 30 + settings.below(40),
        blocks: 0,
    };
    let mut trace = random(seed, &mix, library);
    for event in &mut trace.events {
        if let Op::Alloc(x) | Op::Free(x) = event.op {
            event.op = Op::Read(x);
        }
    }
    trace
}

/// A witness by the indices of its events, or how the search for one ended.
fn outcome(window: &Window<'_>, certified: &Certified) -> String {
    match certified {
        Certified::Yes(order) => {
            let order: Vec<u64> = order.iter().map(|&no| window.index(no)).collect();
            format!("{order:?}")
        }
        other => format!("{other:?}"),
    }
}

/// Whether a claim holds, by all events of the window.
fn holds(claim: &Claim, recent: &Recent, before: &Before<'_>, context: &Context<'_>) -> bool {
    let events: Vec<&Event> = recent.after(claim.prefix).collect();
    let place = |index: u64| (index - claim.prefix - 1) as u32;
    let order: Vec<u32> = claim.order.iter().map(|&index| place(index)).collect();
    let claim = validate::Claim {
        events: &events,
        order: &order,
        kind: claim.kind,
        pair: (place(claim.pair.0), place(claim.pair.1)),
    };
    validate::holds(&claim, before, context)
}

#[test]
fn slices_and_histories_decide_as_whole_windows_do() {
    let library = Arc::new(Library::shipped());
    let (mut shown, mut refuted, mut sliced, mut false_claims) = (0, 0, 0, 0);
    for seed in (0..150).chain([1786]) {
        let (trace, mut random) = (trace(seed, &library), Random::new(seed));
        let mut pass = Prediction::new(library.clone(), Options::default());
        pass.steps(&trace.events, &trace.names)
            .expect("well-formed");
        let context = Context {
            names: &trace.names,
            objects: &pass.objects,
            namesakes: &pass.namesakes,
            legal: Legal::Observe,
            lax: false,
        };
        let recent = &pass.recent;
        let (mut links, mut history) = (Links::default(), History::default());
        for _ in 0..40 {
            let prefix = random.below(trace.events.len() * 2 / 3) as u64;
            let rest = (recent.last() - prefix) as usize;
            let first = prefix + 1 + random.below(rest - 1) as u64;
            let second = first + 1 + random.below((recent.last() - first) as usize) as u64;
            let thread = |index| recent.get(index).map(|event| event.thread);
            if thread(first) == thread(second) {
                continue;
            }
            let kind = [Kind::Race, Kind::Order][random.below(2)];
            let sought = (kind, first, second);
            let before = recent.before(prefix, &pass.objects, &trace.names);
            let window = Window::new(prefix, recent.after(prefix), &before, &context);
            let mut budget = [8_000, 8_000];
            let truth = certify(&window, kind, pair(&window, sought), &mut budget[0]);
            let truth = outcome(&window, &truth);
            let (slice, certified) = certify_in_slices(
                sought,
                (recent, &before),
                &context,
                &mut links,
                &mut budget[1],
            );
            let case = || format!("{seed}, after {prefix}: {sought:?}\n{}", trace.text());
            assert_eq!(outcome(&slice, &certified), truth, "{}", case());
            assert_eq!(budget[0], budget[1], "{}", case());
            let arguments = [&window, &slice].map(|w| argument(w, kind, pair(w, sought)));
            assert_eq!(arguments[0], arguments[1], "{}", case());
            sliced += u32::from(slice.slice.is_some());
            let Certified::Yes(order) = certified else {
                refuted += 1;
                continue;
            };
            shown += 1;
            let mut claim = Claim {
                prefix,
                order: order.iter().map(|&no| slice.index(no)).collect(),
                kind,
                pair: (first, second),
            };
            assert!(
                history.holds(&claim, recent, &before, &context),
                "{}",
                case()
            );
            for _ in 0..10 {
                if claim.order.len() < 2 {
                    break;
                }
                let (a, b) = (
                    random.below(claim.order.len()),
                    random.below(claim.order.len()),
                );
                claim.order.swap(a, b);
                if random.chance(30) {
                    claim.order.remove(a);
                }
                let truth = holds(&claim, recent, &before, &context);
                let by_history = history.holds(&claim, recent, &before, &context);
                assert_eq!(by_history, truth, "{:?} {}", claim.order, case());
                false_claims += u32::from(!truth);
            }
        }
    }
    let counts = [shown, refuted, sliced, false_claims];
    assert!(counts.iter().all(|&count| count > 500), "{counts:?}");
}

#[test]
fn slices_of_a_server_are_a_small_part_of_its_windows() {
    let mut generator = Generator::new(&Recipe::new(Shape::Jigsaw, 9_000)).expect("a recipe");
    let mut pass = Prediction::new(Arc::new(Library::shipped()), Options::default());
    let mut events = Vec::new();
    while generator.read_batch(&mut events) > 0 {
        let steps = pass.steps(&events, generator.names());
        steps.expect("well-formed");
    }
    let names = generator.names();
    pass.finish(names, &mut Vec::new());
    let context = Context {
        names,
        objects: &pass.objects,
        namesakes: &pass.namesakes,
        legal: Legal::Observe,
        lax: false,
    };
    let (mut links, mut looked_at, mut all, mut count) = (Links::default(), 0, 0, 0);
    for predicted in pass.predicted().iter().filter(|p| p.unconfirmed.is_none()) {
        let before = pass.recent.before(predicted.prefix, &pass.objects, names);
        let sought = (predicted.kind, predicted.earlier, predicted.later);
        let recent = (&pass.recent, &before);
        let (window, _) = certify_in_slices(sought, recent, &context, &mut links, &mut 8_000);
        (looked_at, all) = (looked_at + window.events.len(), all + window.len);
        count += 1;
    }
    assert!(count > 20, "{count} predictions");
    assert!(4 * looked_at < all, "{looked_at} of {all} events");
}
