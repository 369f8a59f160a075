//! A thread runs after its fork and before its join.

use commute_model::{Id, ThreadId};

use super::{At, Report, state};

#[derive(Default, Debug)]
pub(super) struct Threads {
    threads: Vec<Thread>,
}

#[derive(Default, Debug)]
struct Thread {
    first: Option<At>,
    forked: Option<At>,
    joined: Option<At>,
    /// A thread that runs after its join is reported once.
    reported: bool,
}

impl Threads {
    pub(super) fn runs(&mut self, id: ThreadId, report: &mut Report<'_>) {
        let thread = state(&mut self.threads, id.index());
        thread.first.get_or_insert(report.at);
        if let Some(joined) = thread.joined
            && !thread.reported
        {
            thread.reported = true;
            let name = report.names.threads.name(id);
            report.error(format!(
                "{name} still runs, but was joined at line {}",
                joined.line
            ));
        }
    }

    pub(super) fn fork(&mut self, id: ThreadId, child: ThreadId, report: &mut Report<'_>) {
        let names = &report.names.threads;
        let (name, child_name) = (names.name(id), names.name(child));
        if id == child {
            report.error(format!("{name} forks itself"));
            return;
        }
        let thread = state(&mut self.threads, child.index());
        if let Some(forked) = thread.forked {
            let line = forked.line;
            report.error(format!(
                "{child_name} is forked again; it was forked at line {line}"
            ));
        } else if let Some(first) = thread.first {
            let line = first.line;
            report.error(format!(
                "{child_name} is forked, but runs since line {line}"
            ));
        }
        thread.forked.get_or_insert(report.at);
    }

    pub(super) fn join(&mut self, id: ThreadId, child: ThreadId, report: &mut Report<'_>) {
        let names = &report.names.threads;
        let (name, child_name) = (names.name(id), names.name(child));
        if id == child {
            report.error(format!("{name} joins itself"));
            return;
        }
        let thread = state(&mut self.threads, child.index());
        if let Some(joined) = thread.joined {
            let line = joined.line;
            report.warning(format!(
                "{child_name} is joined again; it was joined at line {line}"
            ));
        } else if thread.forked.is_none() && thread.first.is_none() {
            report.warning(format!(
                "{child_name} is joined, but has not been seen before"
            ));
        }
        thread.joined.get_or_insert(report.at);
    }
}
