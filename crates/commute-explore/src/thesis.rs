//! The tables of chapter 4 of the thesis (4.3 to 4.5), with ours beside them.
//!
//! The thesis counts executions of Java programs, in which an object is made of fields
//! and locks; ours has whole operations. The programs are the ones of the tables as far
//! as the text says what they are: the mixed workloads are not printed there, and ours
//! are written from what the text says of them.

mod objects;
mod printed;
mod programs;
mod svcomp;

use std::ops::{ControlFlow, RangeInclusive};
use std::time::{Duration, Instant};

use crate::engine::causal::printed::explore as printed_rule;
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
    /// JMCR; none if it did not end within 15 minutes.
    pub jmcr: Option<Printed>,
    /// NCMC with the fine specification.
    pub ncmc: Option<Printed>,
    make: fn(usize) -> Scripted,
}

impl std::fmt::Debug for Row {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} {}({})", self.table, self.program, self.n)
    }
}

/// What the thesis prints.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Printed {
    /// Executions.
    pub executions: u64,
    /// Seconds, on the machine of its author.
    pub seconds: f64,
}

impl Printed {
    fn of((executions, seconds): (u64, f64)) -> Printed {
        Printed {
            executions,
            seconds,
        }
    }
}

/// What an engine needs for a program.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Measured {
    /// Runs.
    pub executions: u64,
    /// Outcomes that were seen.
    pub outcomes: u64,
    /// How long that took.
    pub seconds: f64,
    /// Whether that is all there is to see, or the first failure.
    pub is_done: bool,
    /// Whether it took longer than it may, or more runs.
    pub is_cut: bool,
}

/// The rows of the tables.
pub fn rows() -> Vec<Row> {
    printed::rows()
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
    /// What an engine needs, up to the first failure, within so many runs and so long. The
    /// engine `printed` is Algorithm 6 as it is printed, which misses outcomes.
    ///
    /// # Errors
    /// If there is no such engine.
    pub fn measure(&self, engine: &str, runs: u64, time: Duration) -> Result<Measured, String> {
        let mut engine: Box<dyn Engine> = match engine {
            PRINTED => Box::new(ByTheRule),
            _ => crate::engine::named(&Settings {
                engine: engine.to_owned(),
                ..Settings::default()
            })?,
        };
        let mut program = (self.make)(self.n);
        let mut subject = Subject::new(&mut program, Limits::default());
        let started = Instant::now();
        let mut watch = Budget {
            runs,
            until: started + time,
            failed: false,
        };
        let extent = engine.explore(&mut subject, &mut watch);
        let counts = subject.counts();
        Ok(Measured {
            executions: counts.executions,
            outcomes: counts.outcomes,
            seconds: started.elapsed().as_secs_f64(),
            is_done: extent == Extent::Everything || watch.failed,
            is_cut: watch.is_over(),
        })
    }
}

/// What is measured as if it were an engine: Algorithm 6 as it is printed.
const PRINTED: &str = "printed";

/// Algorithm 6 as it is printed. Outcomes are missed.
struct ByTheRule;

impl Engine for ByTheRule {
    fn name(&self) -> &'static str {
        PRINTED
    }

    fn explore(&mut self, subject: &mut Subject<'_>, watch: &mut dyn Watch) -> Extent {
        printed_rule(subject, watch)
    }
}

/// Stops at the first failure, or when it takes too long.
struct Budget {
    runs: u64,
    until: Instant,
    failed: bool,
}

impl Budget {
    fn is_over(&self) -> bool {
        self.runs == 0 || Instant::now() > self.until
    }
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
        { self.is_over() }.then(|| "it takes too long".to_owned())
    }
}

/// The tables as text, line by line as they are measured: executions of each engine, then
/// seconds. `-` is what did not end within 15 minutes in the thesis; `>N s` what needs more
/// time than it may here, and `>N` more runs; `N?` what has seen so much and cannot tell
/// whether it is everything. `N (M)` are N executions that see M of the outcomes.
///
/// # Errors
/// If there is no such engine.
pub fn table(
    rows: &[Row],
    engines: &[&str],
    (runs, time): (u64, Duration),
    line: &mut dyn FnMut(&str),
) -> Result<(), String> {
    let names = ["JMCR", "NCMC"].iter().chain(engines);
    let names: String = names.map(|name| format!("{name:>10}")).collect();
    line(&format!(
        "{:<6}{:<24}{:>4}{names}  |{names}",
        "table", "program", "N"
    ));
    for row in rows {
        let Row {
            table, program, n, ..
        } = row;
        let (mut executions, mut seconds) = (Vec::new(), Vec::new());
        for printed in [row.jmcr, row.ncmc] {
            executions.push(printed.map_or("-".to_owned(), |p| p.executions.to_string()));
            seconds.push(printed.map_or("-".to_owned(), |p| format!("{:.2}", p.seconds)));
        }
        for engine in engines {
            let measured = row.measure(engine, runs, time)?;
            let Measured {
                is_done, is_cut, ..
            } = measured;
            executions.push(match measured.executions {
                count if is_done && *engine == PRINTED => {
                    format!("{count} ({})", measured.outcomes)
                }
                count if is_done => count.to_string(),
                count if count >= runs => format!(">{runs}"),
                _ if is_cut => format!(">{} s", time.as_secs()),
                count => format!("{count}?"),
            });
            let took = format!("{:.2}", measured.seconds);
            seconds.push(if is_cut { String::new() } else { took });
        }
        let cells = |cells: Vec<String>| -> String {
            cells.iter().map(|cell| format!("{cell:>10}")).collect()
        };
        let text = format!(
            "{table:<6}{program:<24}{n:>4}{}  |{}",
            cells(executions),
            cells(seconds)
        );
        line(text.trim_end());
    }
    Ok(())
}
