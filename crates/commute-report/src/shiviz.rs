//! A trace as a log for ShiViz: two lines an event, with a vector clock.
//!
//! The first line of the log is the regular expression that ShiViz needs to read it, the
//! second one, which is empty, separates executions: there is one only.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use commute_model::{Event, Id, Names};

use crate::untrusted::visible;

/// How ShiViz reads an event of the log.
pub const PARSER: &str = r"(?<host>\S*) (?<clock>{.*})\n(?<event>.*)";

/// Writes a trace, event by event. What is remembered is the names of threads.
///
/// ```
/// use commute_model::{Event, Names, Op};
/// use commute_report::ShiViz;
///
/// let mut names = Names::default();
/// let thread = names.threads.intern("T1");
/// let location = names.locations.intern("main.rs:1");
/// let x = names.variables.intern("x");
/// let (mut log, mut text) = (ShiViz::default(), String::new());
/// log.event(&Event { thread, location, op: Op::Read(x) }, 1, &[1], &names, &mut text);
/// assert_eq!(text, "T1 {\"T1\":1}\nr(x) at main.rs:1 (event 1)\n");
/// ```
#[derive(Clone, Debug, Default)]
pub struct ShiViz {
    /// What each thread is called, and the same as JSON.
    hosts: Vec<(String, String)>,
    used: BTreeSet<String>,
}

impl ShiViz {
    /// Writes what comes before the first event.
    pub fn begin(&mut self, out: &mut String) {
        out.push_str(PARSER);
        out.push_str("\n\n");
    }

    /// Writes an event. Its clock says of each thread how many of its events do not come
    /// after this one, by the thread's number.
    pub fn event(
        &mut self,
        event: &Event,
        index: u64,
        clock: &[u32],
        names: &Names,
        out: &mut String,
    ) {
        self.name(clock.len().max(event.thread.index() + 1), names);
        out.push_str(&self.hosts[event.thread.index()].0);
        let mut separator = " {";
        for ((_, host), count) in self.hosts.iter().zip(clock) {
            if *count > 0 {
                let _ = write!(out, "{separator}{host}:{count}");
                separator = ",";
            }
        }
        let op = event.op.display(names).to_string();
        let location = names.locations.name(event.location).to_string();
        let _ = write!(out, "}}\n{}", visible(&op));
        if !location.is_empty() {
            let _ = write!(out, " at {}", visible(&location));
        }
        let _ = writeln!(out, " (event {index})");
    }

    /// Names the first threads: ShiViz wants no spaces in a name, and each once.
    fn name(&mut self, threads: usize, names: &Names) {
        for thread in names.threads.ids().take(threads).skip(self.hosts.len()) {
            let name = names.threads.name(thread).to_string();
            let fits = |c: char| if c.is_whitespace() { '_' } else { c };
            let name: String = visible(&name).chars().map(fits).collect();
            let base = if name.is_empty() {
                "_".to_owned()
            } else {
                name
            };
            let mut host = base.clone();
            let mut number = 1;
            while !self.used.insert(host.clone()) {
                number += 1;
                host = format!("{base}#{number}");
            }
            let json = serde_json::to_string(&host).expect("a string is JSON");
            self.hosts.push((host, json));
        }
    }
}
