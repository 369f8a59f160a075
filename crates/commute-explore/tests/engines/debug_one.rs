use crate::outcomes_of::explored;
use crate::random::{Dice, program};
use commute_explore::Outcomes;
#[test]
fn slow() {
    let get = |n: &str, d: u64| {
        std::env::var(n)
            .ok()
            .and_then(|s| s.parse().ok())
            .unwrap_or(d)
    };
    let (t, l) = (get("T", 4) as usize, get("L", 3) as usize);
    let mut times = vec![];
    for seed in get("FROM", 0)..get("TO", 300) {
        let source = program(&mut Dice::new(seed), t, l);
        let start = std::time::Instant::now();
        let Some(g) = explored(&mut Outcomes::default(), &source, 3000) else {
            continue;
        };
        let graph = start.elapsed().as_secs_f64();
        let start = std::time::Instant::now();
        let _ = g;
        let Some(seen) = explored(&mut Outcomes { nodes: 0 }, &source, usize::MAX) else {
            continue;
        };
        times.push((
            start.elapsed().as_secs_f64(),
            graph,
            seen.counts.outcomes,
            seed,
        ));
    }
    times.sort_by(|a, b| b.0.total_cmp(&a.0));
    let total: f64 = times.iter().map(|t| t.0).sum();
    let graph: f64 = times.iter().map(|t| t.1).sum();
    println!("total {total} graph {graph}");
    for t in times.iter().take(15) {
        println!("{t:?}");
    }
}
#[test]
fn wide() {
    for n in [4, 6, 8, 10, 12] {
        println!("N {n}");
        let _ = explored(
            &mut Outcomes { nodes: 0 },
            &crate::workloads::fkp2013(n),
            usize::MAX,
        );
    }
}
#[test]
fn fifty() {
    let _ = explored(
        &mut Outcomes { nodes: 0 },
        &crate::workloads::set_add_size(std::env::var("N").unwrap().parse().unwrap()),
        usize::MAX,
    );
}
