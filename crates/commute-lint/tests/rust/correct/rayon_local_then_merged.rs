//! Every worker computes for itself, and adds what it has at the end.
use parking_lot::Mutex;
use rayon::prelude::*;
use std::collections::HashMap;

pub struct Totals {
    bytes: u64,
    by_kind: HashMap<String, u64>,
}

fn kind_of(name: &str) -> String {
    name.rsplit('.').next().unwrap_or("none").to_owned()
}

pub fn totals(files: &[(String, u64)]) -> Totals {
    let shared = Mutex::new(Totals {
        bytes: 0,
        by_kind: HashMap::new(),
    });
    files.par_iter().for_each(|(name, size)| {
        let kind = kind_of(name);
        let rounded = size.div_ceil(4096) * 4096;
        let mut totals = shared.lock();
        totals.bytes += rounded;
        *totals.by_kind.entry(kind).or_insert(0) += rounded;
    });
    let totals = shared.lock();
    Totals {
        bytes: totals.bytes,
        by_kind: totals.by_kind.clone(),
    }
}
