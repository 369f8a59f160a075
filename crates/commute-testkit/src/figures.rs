//! The figures of the papers, as traces.

/// RD2, Figures 1 and 3: two threads connect to the same host.
pub const RD2_FIGURE_3: &str = "\
T0|new(o:dictionary)|pool.rs:3
T0|fork(T2)|pool.rs:9
T0|fork(T3)|pool.rs:9
T3|o.put('a.com',c1)/nil|pool.rs:12
T2|o.put('a.com',c2)/c1|pool.rs:12
T0|join(T2)|pool.rs:15
T0|join(T3)|pool.rs:15
T0|o.size()/1|pool.rs:16
";

/// RD2, Figure 4: three threads put different keys, the main thread asks for
/// the size without waiting.
pub const RD2_FIGURE_4: &str = "\
T0|new(o:dictionary)|pool.rs:3
T0|fork(T1)|pool.rs:9
T0|fork(T2)|pool.rs:9
T0|fork(T3)|pool.rs:9
T1|o.put('a.com',c1)/nil|pool.rs:12
T2|o.put('b.com',c2)/nil|pool.rs:13
T3|o.put('c.com',c3)/nil|pool.rs:14
T0|o.size()/3|pool.rs:16
";

/// RD2, introduction: a get that races with a put.
pub const RD2_INTRODUCTION: &str = "\
T1|new(m:dictionary)|m.rs:1
T1|fork(T2)|m.rs:2
T1|m.put(5,7)/1|m.rs:3
T2|m.get(5)/7|m.rs:4
";

/// AeroDrome, Figure 1: serializable, as T3 T1 T2.
pub const AERODROME_FIGURE_1: &str = "\
t1|begin|1
t1|w(x)|2
t2|begin|3
t2|r(x)|4
t2|end|5
t3|begin|6
t3|w(z)|7
t3|end|8
t1|r(z)|9
t1|end|10
";

/// AeroDrome, Figures 2 and 5: a path of conflicts from a transaction to itself.
pub const AERODROME_FIGURE_2: &str = "\
t1|begin|1
t2|begin|2
t1|w(x)|3
t2|r(x)|4
t2|w(y)|5
t1|r(y)|6
t1|end|7
t2|end|8
";

/// AeroDrome, Figures 3 and 6: a cycle without such a path.
pub const AERODROME_FIGURE_3: &str = "\
t1|begin|1
t2|begin|2
t1|w(x)|3
t2|w(y)|4
t1|r(y)|5
t2|r(x)|6
t1|end|7
t2|end|8
";

/// AeroDrome, Figures 4 and 7: three transactions, each before the others.
pub const AERODROME_FIGURE_4: &str = "\
t1|begin|1
t1|w(x)|2
t2|begin|3
t2|w(y)|4
t2|r(x)|5
t2|end|6
t3|begin|7
t3|r(y)|8
t3|w(z)|9
t3|end|10
t1|r(z)|11
t1|end|12
";
