//! What the thesis prints: executions, and seconds, of JMCR and of NCMC with the fine
//! specification. Nothing where they did not end within 15 minutes.

use super::{Printed, Row, programs, svcomp};
use crate::scripted::Scripted;

/// N, executions and seconds of JMCR, executions and seconds of NCMC.
type Line = (usize, Option<(u64, f64)>, Option<(u64, f64)>);

type Make = fn(usize) -> Scripted;

/// The tables, with the program of each line.
pub(super) fn rows() -> Vec<Row> {
    let tables: [(&'static str, &'static str, Make, &[Line]); 13] = [
        ("4.3", "sigma", svcomp::sigma, SIGMA),
        (
            "4.3",
            "workstealqueue_mutex",
            svcomp::workstealqueue,
            WORKSTEALQUEUE,
        ),
        ("4.3", "fkp2013", svcomp::fkp2013, FKP2013),
        ("4.3", "pthread-demo-datarace", svcomp::datarace, DATARACE),
        ("4.3", "qw2004_variant", svcomp::qw2004, QW2004),
        ("4.3", "  adders alike", svcomp::qw2004_alike, QW2004),
        ("4.3", "ring_2w1r", svcomp::ring_2w1r, RING),
        ("4.4", "set", programs::set_seek, SET_SEEK),
        ("4.4", "hashtable", programs::ht_get, HASHTABLE_SEEK),
        ("4.4", "union-find", programs::uf_find, UNION_FIND_SEEK),
        ("4.5", "set", programs::set_add_size, SET_MIXED),
        ("4.5", "hashtable", programs::ht_mixed, HASHTABLE_MIXED),
        ("4.5", "union-find", programs::uf_mixed, UNION_FIND_MIXED),
    ];
    let mut rows = Vec::new();
    for (table, program, make, lines) in tables {
        rows.extend(lines.iter().map(|(n, jmcr, ncmc)| Row {
            table,
            program,
            n: *n,
            jmcr: jmcr.map(Printed::of),
            ncmc: ncmc.map(Printed::of),
            make,
        }));
    }
    rows
}

const SIGMA: &[Line] = &[(16, Some((1, 0.12)), Some((1, 0.13)))];
const WORKSTEALQUEUE: &[Line] = &[(4, Some((768, 22.20)), Some((693, 21.08)))];
const FKP2013: &[Line] = &[(50, None, Some((52, 4.69)))];
const DATARACE: &[Line] = &[(20, None, Some((1, 0.361)))];
const QW2004: &[Line] = &[(10, None, Some((23, 1.28)))];
const RING: &[Line] = &[(8, None, Some((812, 43.76)))];

const SET_SEEK: &[Line] = &[
    (4, Some((1, 0.04)), Some((1, 0.29))),
    (5, Some((1, 0.04)), Some((1, 0.29))),
    (6, Some((1, 0.05)), Some((1, 0.30))),
    (7, Some((1, 0.09)), Some((1, 0.39))),
];

const HASHTABLE_SEEK: &[Line] = &[
    (4, Some((1, 0.01)), Some((1, 0.12))),
    (5, Some((1, 0.02)), Some((1, 0.12))),
    (6, Some((1, 0.02)), Some((1, 0.14))),
    (7, Some((1, 0.06)), Some((1, 0.19))),
];

const UNION_FIND_SEEK: &[Line] = &[
    (4, Some((32, 1.67)), Some((4, 0.65))),
    (5, Some((64, 9.60)), Some((5, 0.98))),
    (6, Some((256, 36.03)), Some((6, 1.52))),
    (7, Some((512, 74.43)), Some((7, 2.61))),
];

const SET_MIXED: &[Line] = &[
    (4, Some((306, 19.477)), Some((5, 0.26))),
    (5, Some((2809, 181.226)), Some((6, 0.31))),
    (6, None, Some((7, 0.38))),
    (7, None, Some((8, 0.40))),
];

const HASHTABLE_MIXED: &[Line] = &[
    (4, Some((76, 4.71)), Some((25, 2.58))),
    (5, Some((455, 30.97)), Some((85, 8.87))),
    (6, None, Some((940, 224.75))),
    (7, None, None),
];

const UNION_FIND_MIXED: &[Line] = &[
    (4, Some((44, 1.67)), Some((26, 0.70))),
    (5, Some((119, 4.46)), Some((42, 3.56))),
    (6, Some((740, 25.93)), Some((218, 10.16))),
    (7, Some((6400, 190.08)), Some((2228, 104.43))),
];
