//! Values as numbers, for whoever keeps nothing but the numbers.
//!
//! The hash of a value is for tables, which compare the values afterwards: there `nil` and
//! 2 are the same. Here nothing is.

use std::hash::Hasher;

use commute_model::Value;

/// Writes a value, so that no other writes the same.
pub(crate) fn write(value: &Value, hasher: &mut impl Hasher) {
    let mut text = |kind: u8, text: &str| {
        hasher.write_u8(kind);
        hasher.write_usize(text.len());
        hasher.write(text.as_bytes());
    };
    match value {
        Value::Nil => hasher.write_u8(0),
        Value::Bool(b) => hasher.write_u8(1 + u8::from(*b)),
        Value::Int(n) => {
            hasher.write_u8(3);
            hasher.write_u128(n.cast_unsigned());
        }
        Value::Str(string) => text(4, string),
        Value::Symbol(word) => text(5, word),
        Value::Tuple(values) => {
            hasher.write_u8(6);
            hasher.write_usize(values.len());
            for value in values.iter() {
                write(value, hasher);
            }
        }
        Value::Opaque => hasher.write_u8(7),
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use rustc_hash::FxHasher;

    use super::*;

    #[test]
    fn different_values_have_different_digests() {
        let mut values = vec![
            Value::Nil,
            Value::Opaque,
            true.into(),
            false.into(),
            "a".into(),
            "ab".into(),
            Value::symbol("a"),
            Value::Int(i128::from(u64::MAX) + 2),
        ];
        values.extend((0..8).map(Value::Int));
        let pairs: Vec<Value> = { values.iter() }
            .flat_map(|a| values.iter().map(|b| Value::tuple([a.clone(), b.clone()])))
            .collect();
        values.extend(pairs);
        values.extend([Value::unit(), Value::tuple([Value::unit()])]);
        let digest = |value: &Value| {
            let mut hasher = FxHasher::default();
            write(value, &mut hasher);
            hasher.finish()
        };
        let digests: BTreeSet<u64> = values.iter().map(digest).collect();
        assert_eq!(digests.len(), values.len());
    }
}
