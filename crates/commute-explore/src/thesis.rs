//! The tables of chapter 4 of the thesis (4.3 to 4.5), with ours beside them.
//!
//! The thesis counts executions of Java programs, in which an object is made of fields
//! and locks; ours has whole operations. The programs are the ones of the tables as far
//! as the text says what they are: the mixed workloads are not printed there, and ours
//! are written from what the text says of them.

mod programs;

use std::ops::{ControlFlow, RangeInclusive};
use std::time::{Duration, Instant};

use crate::engine::{Engine, Extent, Limits};
use crate::knowledge::Knowledge;
use crate::run::Run;
use crate::scripted::Scripted;
use crate::settings::Settings;
use crate::subject::{Subject, Watch};

/// A program of a table.
pub struct Row {
    /// The table.
    pub table: &'static str,
    /// What it is called there.
    pub program: &'static str,
    /// The number in brackets: threads, or how often something is done.
    pub n: usize,
    /// Executions of JMCR; none if it did not end within 15 minutes.
    pub jmcr: Option<u64>,
    /// Executions of NCMC with the fine specification.
    pub ncmc: Option<u64>,
    make: fn(usize) -> Scripted,
}

impl std::fmt::Debug for Row {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} {}({})", self.table, self.program, self.n)
    }
}

/// What an engine needs for a program.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Measured {
    /// Runs.
    pub executions: u64,
    /// Outcomes that were seen.
    pub outcomes: u64,
    /// Whether that is all there is to see, or the first failure.
    pub is_done: bool,
}

/// The rows of the tables of which the programs are here.
pub fn rows() -> Vec<Row> {
    let mut rows = Vec::new();
    let mut add = |table, program, make, printed: &[(usize, Option<u64>, Option<u64>)]| {
        rows.extend(printed.iter().map(|(n, jmcr, ncmc)| Row {
            table,
            program,
            n: *n,
            jmcr: *jmcr,
            ncmc: *ncmc,
            make,
        }));
    };
    let one = Some(1);
    add("4.3", "sigma", programs::sigma, &[(16, one, one)]);
    add("4.3", "fkp2013", programs::fkp2013, &[(50, None, Some(52))]);
    add(
        "4.3",
        "pthread-demo-datarace",
        programs::datarace,
        &[(20, None, one)],
    );
    let ones = [(4, one, one), (5, one, one), (6, one, one), (7, one, one)];
    add("4.4", "set", programs::set_seek, &ones);
    add("4.4", "hashtable", programs::ht_get, &ones);
    let printed = [(4, 32, 4), (5, 64, 5), (6, 256, 6), (7, 512, 7)];
    let printed = printed.map(|(n, jmcr, ncmc)| (n, Some(jmcr), Some(ncmc)));
    add("4.4", "union-find", programs::uf_find, &printed);
    let printed = [
        (4, Some(306), Some(5)),
        (5, Some(2809), Some(6)),
        (6, None, Some(7)),
        (7, None, Some(8)),
    ];
    add("4.5", "set", programs::set_add_size, &printed);
    let printed = [
        (4, Some(76), Some(25)),
        (5, Some(455), Some(85)),
        (6, None, Some(940)),
        (7, None, None),
    ];
    add("4.5", "hashtable", programs::ht_mixed, &printed);
    let printed = [
        (4, Some(44), Some(26)),
        (5, Some(119), Some(42)),
        (6, Some(740), Some(218)),
        (7, Some(6400), Some(2228)),
    ];
    add("4.5", "union-find", programs::uf_mixed, &printed);
    rows
}

/// What is measured besides: N-COUNTER-INC and N-SET-ADD of the text, `put`s, and smaller
/// mixed programs.
pub fn further() -> Vec<Row> {
    type Make = fn(usize) -> Scripted;
    let programs: [(&str, Make, RangeInclusive<usize>); 4] = [
        ("N-COUNTER-INC", programs::counter, 4..=7),
        ("N-SET-ADD", programs::set_add, 4..=7),
        ("hashtable, put", programs::ht_put, 4..=7),
        ("hashtable, mixed", programs::ht_mixed, 2..=3),
    ];
    let mut rows = Vec::new();
    for (program, make, numbers) in programs {
        rows.extend(numbers.map(|n| Row {
            table: "",
            program,
            n,
            jmcr: None,
            ncmc: None,
            make,
        }));
    }
    rows
}

impl Row {
    /// What an engine needs, up to the first failure, within so many runs and so long.
    ///
    /// # Errors
    /// If there is no such engine.
    pub fn measure(&self, engine: &str, runs: u64, time: Duration) -> Result<Measured, String> {
        let settings = Settings {
            engine: engine.to_owned(),
            ..Settings::default()
        };
        let mut engine: Box<dyn Engine> = crate::engine::named(&settings)?;
        let mut program = (self.make)(self.n);
        let mut subject = Subject::new(&mut program, Limits::default());
        let mut watch = Budget {
            runs,
            until: Instant::now() + time,
            failed: false,
        };
        let extent = engine.explore(&mut subject, &mut watch);
        let counts = subject.counts();
        Ok(Measured {
            executions: counts.executions,
            outcomes: counts.outcomes,
            is_done: extent == Extent::Everything || watch.failed,
        })
    }
}

/// Stops at the first failure, or when it takes too long.
struct Budget {
    runs: u64,
    until: Instant,
    failed: bool,
}

impl Watch for Budget {
    fn ran(&mut self, run: &Run, _: bool, _: &Knowledge) -> ControlFlow<()> {
        self.runs = self.runs.saturating_sub(1);
        self.failed |= run.failure.is_some();
        match self.failed {
            true => ControlFlow::Break(()),
            false => ControlFlow::Continue(()),
        }
    }

    fn enough(&mut self) -> Option<String> {
        let enough = self.runs == 0 || Instant::now() > self.until;
        enough.then(|| "it takes too long".to_owned())
    }
}

/// The tables as text: executions of each engine in a column, `-` if it takes more runs
/// or time than it may.
///
/// # Errors
/// If there is no such engine.
pub fn table(rows: &[Row], engines: &[&str], runs: u64, time: Duration) -> Result<String, String> {
    let mut lines = vec![format!(
        "{:<6}{:<24}{:>4}{:>9}{:>9}",
        "table", "program", "N", "JMCR", "NCMC"
    )];
    lines[0] += &engines
        .iter()
        .map(|e| format!("{e:>10}"))
        .collect::<String>();
    for row in rows {
        let printed = |count: Option<u64>| count.map_or("-".to_owned(), |n| n.to_string());
        let (jmcr, ncmc) = (printed(row.jmcr), printed(row.ncmc));
        let Row {
            table, program, n, ..
        } = row;
        let mut line = format!("{table:<6}{program:<24}{n:>4}{jmcr:>9}{ncmc:>9}");
        for engine in engines {
            let measured = row.measure(engine, runs, time)?;
            let count = measured.is_done.then_some(measured.executions);
            line += &format!("{:>10}", printed(count));
        }
        lines.push(line);
    }
    Ok(lines.join("\n") + "\n")
}
