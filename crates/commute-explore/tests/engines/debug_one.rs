use crate::outcomes_of::explored;
use crate::random::{Dice, program};
use crate::reachable::reachable;
use commute_explore::Outcomes;
#[test]
fn one() {
    let get = |n: &str, d: u64| std::env::var(n).ok().and_then(|s| s.parse().ok()).unwrap_or(d);
    let source = program(&mut Dice::new(get("SEED", 38)), get("T", 3) as usize, get("L", 2) as usize);
    println!("{source:?}");
    let all = reachable(&source, 20000).unwrap();
    let seen = explored(&mut Outcomes { nodes: 0 }, &source, usize::MAX).unwrap();
    for o in &seen.outcomes { println!("SEEN {o:?}"); }
    for o in all.difference(&seen.outcomes) { println!("MISSED {o:?}"); }
    println!("{:?} {:?}", seen.counts, seen.extent);
}
