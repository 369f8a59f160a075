// The figures of the paper on COLT. Figure 3a is figure 12 (iv).

fn calculate(_key: u32) -> u32 {
    2
}

pub(crate) fn figure_2a<M: Map>(map: &M, key: u32) -> Option<u32> {
    let value = map.get(key)?;
    map.remove(key);
    Some(value)
}

pub(crate) fn figure_3a<M: Map>(map: &M, key: u32) -> Option<u32> {
    if map.get(key).is_none() {
        map.put_if_absent(key, calculate(key));
    }
    map.get(key)
}

pub(crate) fn figure_8<M: Map>(map: &M, key: u32) {
    if map.get(key).is_none() {
        map.put(key, 2);
    }
}

pub(crate) fn figure_12_iii<M: Map>(map: &M, key: u32) -> Option<u32> {
    map.put_if_absent(key, calculate(key));
    map.get(key)
}

pub(crate) fn figure_12_v<M: Map>(map: &M, key: u32) -> u32 {
    map.get(key).unwrap_or_else(|| {
        let value = calculate(key);
        map.put_if_absent(key, value);
        value
    })
}

pub(crate) fn figure_12_vi<M: Map>(map: &M, key: u32) -> Option<u32> {
    if !map.contains_key(key) {
        map.put_if_absent(key, calculate(key));
    }
    map.get(key)
}

/// Atomic: tries again until nobody came between.
pub(crate) fn figure_1<M: Map>(map: &M, key: u32) {
    loop {
        match map.get(key) {
            None if map.put_if_absent(key, 1).is_none() => return,
            Some(old) if map.replace(key, old, old + 1) => return,
            _ => {}
        }
    }
}

/// Atomic: two looks that may be in vain, and the operation that decides.
pub(crate) fn figure_12_ii_twice<M: Map>(map: &M, key: u32) -> u32 {
    let there = match map.contains_key(key) {
        true => map.get(key),
        false => None,
    };
    there.unwrap_or_else(|| {
        let value = calculate(key);
        map.put_if_absent(key, value).unwrap_or(value)
    })
}
