//! Maps and sets under real threads: every recorded result must come out again when
//! the recorded actions are replayed, one after the other, on a sequential model.
//! Recording is per process: this test starts itself again.

#[cfg(not(commute))]
fn main() {}

#[cfg(commute)]
fn main() {
    recorded::main();
}

#[cfg(commute)]
mod recorded {
    use std::collections::BTreeMap;
    use std::sync::Arc;

    use commute::dashmap::{DashMap, DashSet, Entry};
    use commute_model::Op;
    use commute_spec::Library;
    use commute_spec::replay::Replay;
    use commute_trace::{Options, TraceReader};

    const THREADS: u64 = 4;
    const ROUNDS: u64 = 20_000;
    const KEYS: u64 = 8;

    pub(crate) fn main() {
        let asked = ["COMMUTE_TRACE", "COMMUTE_SOCKET"];
        if asked.iter().any(|name| std::env::var_os(name).is_some()) {
            stress();
            return;
        }
        let directory = tempfile::tempdir().unwrap();
        let trace = directory.path().join("t.ctr");
        let program = std::env::current_exe().unwrap();
        let mut program = std::process::Command::new(program);
        assert!(
            program
                .env("COMMUTE_TRACE", &trace)
                .status()
                .unwrap()
                .success()
        );
        let counts = replay(&trace);
        for method in ["get", "insert", "remove", "contains_key", "contains", "len"] {
            assert!(counts[method] > 1000, "{method}: {counts:?}");
        }
        // Without an environment nothing is recorded, and everything works.
        stress();
    }

    /// The same numbers in every run.
    fn next(state: &mut u64) -> u64 {
        *state ^= *state << 13;
        *state ^= *state >> 7;
        *state ^= *state << 17;
        *state
    }

    fn stress() {
        let numbers: Arc<DashMap<u64, u64>> = Arc::new(DashMap::with_shard_amount(4));
        let texts: Arc<DashMap<String, String>> = Arc::new(DashMap::new());
        let set: Arc<DashSet<u64>> = Arc::new(DashSet::new());
        let threads: Vec<_> = (1..=THREADS)
            .map(|thread| {
                let (numbers, texts, set) = (numbers.clone(), texts.clone(), set.clone());
                std::thread::spawn(move || {
                    let mut random = thread.wrapping_mul(0x9e37_79b9_7f4a_7c15);
                    for round in 0..ROUNDS {
                        on_map(&numbers, next(&mut random), round);
                        on_texts(&texts, next(&mut random));
                        on_set(&set, next(&mut random));
                    }
                })
            })
            .collect();
        for thread in threads {
            thread.join().unwrap();
        }
    }

    fn on_map(map: &DashMap<u64, u64>, random: u64, round: u64) {
        let key = random % KEYS;
        let value = random >> 8 & 3;
        match random >> 16 & 31 {
            0..4 => drop(map.insert(key, value)),
            4..9 => drop(map.get(&key).map(|found| *found)),
            9..12 => drop(map.remove(&key)),
            12 => drop(map.contains_key(&key)),
            13 => drop(map.remove_if(&key, |_, v| *v == value)),
            14 => drop(map.remove_if_mut(&key, |_, v| {
                *v += 1;
                *v > 3
            })),
            15 => {
                if let Some(mut found) = map.get_mut(&key)
                    && value > 1
                {
                    *found = value;
                }
            }
            16 => *map.entry(key).or_insert(value) += 1,
            17 => drop(map.entry(key).and_modify(|v| *v = value).or_default()),
            18 => match map.entry(key) {
                Entry::Occupied(entry) => drop(entry.remove()),
                Entry::Vacant(entry) => drop(entry.insert(value)),
            },
            19 => drop(map.entry(key).into_key()),
            20 => map.alter(&key, |_, v| v ^ value),
            21 => drop(map.view(&key, |_, v| *v)),
            22 => drop(map.try_get(&key).try_unwrap()),
            23 => drop(map.try_get_mut(&key).try_unwrap().map(|mut v| *v = value)),
            24 => drop(map.get_mut(&key).map(|found| found.downgrade())),
            25 => drop(map.get_mut(&key).map(|found| {
                let mut part = found.map(|v| v);
                *part += 1;
            })),
            26 if round.is_multiple_of(16) => map.retain(|k, v| (*k + *v).is_multiple_of(2)),
            27 if round.is_multiple_of(16) => map.clear(),
            28 if round.is_multiple_of(16) => map.iter_mut().for_each(|mut v| *v ^= value),
            29 if round.is_multiple_of(16) => map.alter_all(|_, v| v ^ value),
            30 if round.is_multiple_of(16) => drop(map.iter().map(|found| *found.value()).max()),
            _ => drop(map.len()),
        }
    }

    fn on_texts(map: &DashMap<String, String>, random: u64) {
        let key = format!("key {}", random % KEYS);
        match random >> 16 & 3 {
            0 => drop(map.insert(key, format!("value {}", random >> 8 & 7))),
            1 => drop(map.get(key.as_str()).map(|found| found.len())),
            2 => drop(map.remove(key.as_str())),
            _ => map.entry(key).or_default().push('x'),
        }
    }

    fn on_set(set: &DashSet<u64>, random: u64) {
        let key = random % KEYS;
        match random >> 16 & 7 {
            0 | 1 => drop(set.insert(key)),
            2 => drop(set.remove(&key)),
            3 => drop(set.remove_if(&key, |k| k.is_multiple_of(2))),
            4 => set.retain(|k| *k != key),
            5 => drop(set.iter().map(|found| *found).max()),
            6 => drop(set.is_empty()),
            _ => drop(set.contains(&key)),
        }
    }

    /// Replays every object on its model; how often each method occurs.
    fn replay(trace: &std::path::Path) -> BTreeMap<String, usize> {
        let file = std::fs::File::open(trace).unwrap();
        let mut reader = TraceReader::from_reader(file, Options::default()).unwrap();
        let library = Library::shipped();
        let mut replay = Replay::new(&library);
        let mut counts = BTreeMap::new();
        let mut batch = Vec::new();
        while reader.read_batch(&mut batch).unwrap() > 0 {
            for event in batch.drain(..) {
                let names = reader.names();
                assert_eq!(replay.step(&event, names), None);
                if let Op::Action(action) = &event.op {
                    let method = names.methods.name(action.method).to_string();
                    *counts.entry(method).or_default() += 1;
                }
            }
        }
        let all = counts.values().sum::<usize>() as u64;
        assert_eq!(replay.counts(), (all, 0));
        counts
    }
}
