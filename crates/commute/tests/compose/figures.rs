//! The figures of the paper on COLT, on maps of several libraries.

mod maps;

use commute::compose::{Check, Environment, check};
use maps::Map;

/// Whether it is atomic if others do all that can be done to the map, without removals,
/// if they only insert what is not there, and against itself.
fn verdicts<M: Map>(method: fn(Check<M>) -> Check<M>) -> [bool; 4] {
    let environments = [
        Environment::open(),
        Environment::open().without("remove"),
        Environment::open().without("remove").without("insert"),
        Environment::itself(),
    ];
    environments.map(|environment| {
        let check = || {
            check(M::default)
                .observe("get", |m: &M, k: u8| m.get(k))
                .also_from(|m: &M, k: u8| {
                    m.put(k, 1);
                })
        };
        let found = method(check()).environment(environment.clone()).run();
        if !M::IS_SLOW {
            let named = method(check().collection(M::collection));
            let named = named.environment(environment);
            let pruned = named.clone().steps(1).run();
            let whole = named.clone().steps(1).exhaustive().run();
            assert_eq!(pruned.outcome, whole.outcome, "{pruned}\n{whole}");
            assert_eq!(pruned.only_without, whole.only_without);
            let named = named.run();
            assert_eq!(found.outcome, named.outcome, "{found}\n{named}");
            assert_eq!(found.histories, named.histories);
        }
        found.is_atomic()
    })
}

macro_rules! figure {
    ($name:ident, $expected:expr, $method:expr) => {
        #[test]
        fn $name() {
            fn on<M: Map>(check: Check<M>) -> Check<M> {
                check.method($method)
            }
            let expected = $expected;
            assert_eq!(verdicts(on::<maps::Dash>), expected, "dashmap");
            assert_eq!(verdicts(on::<maps::Locked>), expected, "std");
            assert_eq!(verdicts(on::<maps::Parked>), expected, "parking_lot");
            #[cfg(feature = "scc")]
            assert_eq!(verdicts(on::<maps::Scc>), expected, "scc");
            #[cfg(feature = "papaya")]
            assert_eq!(verdicts(on::<maps::Papaya>), expected, "papaya");
        }
    };
}

fn calculate(_key: u8) -> u8 {
    2
}

fn increment<M: Map>(map: &M, key: u8) {
    loop {
        match map.get(key) {
            None if map.put_if_absent(key, 1).is_none() => return,
            Some(old) if map.replace(key, old, old + 1) => return,
            _ => {}
        }
    }
}

fn remove_attribute<M: Map>(map: &M, key: u8) -> Option<u8> {
    let value = map.get(key)?;
    map.remove(key);
    Some(value)
}

fn compute_iv<M: Map>(map: &M, key: u8) -> Option<u8> {
    if map.get(key).is_none() {
        map.put_if_absent(key, calculate(key));
    }
    map.get(key)
}

figure!(figure_1, [true; 4], |m: &M, key: u8| increment(m, key));
figure!(figure_2a, [false, false, true, false], |m: &M, key: u8| {
    remove_attribute(m, key)
});
figure!(figure_2c, [true; 4], |m: &M, key: u8| m.remove(key));
figure!(figure_3a, [false, false, true, true], |m: &M, key: u8| {
    compute_iv(m, key)
});
figure!(figure_8, [false, false, false, true], |m: &M, key: u8| {
    if m.get(key).is_none() {
        m.put(key, 2);
    }
});
figure!(figure_12_i, [true; 4], |m: &M, key: u8| {
    let value = calculate(key);
    m.put_if_absent(key, value).unwrap_or(value)
});
figure!(figure_12_ii, [true; 4], |m: &M, key: u8| {
    m.get(key).unwrap_or_else(|| {
        let value = calculate(key);
        m.put_if_absent(key, value).unwrap_or(value)
    })
});
figure!(
    figure_12_iii,
    [false, false, true, true],
    |m: &M, key: u8| {
        m.put_if_absent(key, calculate(key));
        m.get(key)
    }
);
figure!(
    figure_12_v,
    [false, false, false, true],
    |m: &M, key: u8| {
        m.get(key).unwrap_or_else(|| {
            let value = calculate(key);
            m.put_if_absent(key, value);
            value
        })
    }
);
figure!(
    figure_12_vi,
    [false, false, true, true],
    |m: &M, key: u8| {
        if !m.contains_key(key) {
            m.put_if_absent(key, calculate(key));
        }
        m.get(key)
    }
);
