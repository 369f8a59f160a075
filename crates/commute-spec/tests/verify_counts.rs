//! What a verification counts, against an independent count of the same
//! conditions over the same states and arguments (`verify_counts.txt`).

use commute_spec::verify::PairVerdict;
use commute_spec::{models, shipped, verify};

/// One line of the table.
struct Row<'t> {
    names: [&'t str; 3],
    expected: Vec<&'t str>,
    differs: bool,
}

fn rows() -> Vec<Row<'static>> {
    let lines = include_str!("verify_counts.txt").lines();
    let lines = lines.filter(|line| !line.is_empty() && !line.starts_with('#'));
    lines
        .map(|line| {
            let (table, ours) = match line.split_once(" -> ") {
                Some((table, ours)) => (table, Some(ours)),
                None => (line, None),
            };
            let words: Vec<&str> = table.split(' ').collect();
            let expected = match ours {
                Some(ours) => ours.split(' ').take(4).collect(),
                None => words[3..7].to_vec(),
            };
            Row {
                names: [words[0], words[1], words[2]],
                expected,
                differs: ours.is_some(),
            }
        })
        .collect()
}

#[test]
fn every_count_is_the_one_of_the_table() {
    let rows = rows();
    assert_eq!(rows.len(), 376);
    assert_eq!(rows.iter().filter(|row| row.differs).count(), 29);
    let mut types: Vec<&str> = rows.iter().map(|row| row.names[0]).collect();
    types.dedup();
    assert_eq!(types.len(), 12);
    for name in types {
        let spec = shipped::named(name).unwrap();
        let model = models::named(spec.model.as_deref().unwrap()).unwrap();
        let found = verify(spec, model);
        let mut table = rows.iter().filter(|row| row.names[0] == name);
        for pair in &found.pairs {
            let row = table.next().expect("more pairs than rows");
            let methods = [pair.first, pair.second].map(|m| spec.methods[m].name.as_str());
            assert_eq!(methods, row.names[1..], "{name}");
            for (found, expected) in counts(pair).iter().zip(&row.expected) {
                let agrees = *expected == "-" || found.to_string() == *expected;
                assert!(agrees, "{:?}: {:?}", row.names, counts(pair));
            }
        }
        assert!(table.next().is_none(), "{name}: more rows than pairs");
    }
}

fn counts(pair: &PairVerdict) -> [usize; 4] {
    let PairVerdict {
        realisable,
        imprecise,
        state_gap,
        commuting_triples,
        ..
    } = pair;
    [*realisable, *imprecise, *state_gap, *commuting_triples]
}
