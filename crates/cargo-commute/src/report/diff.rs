//! `commute report diff`: what is new, fixed and still there.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::rc::Rc;

use anyhow::{Result, bail};
use commute_model::{Certainty, Finding};
use commute_report::{Known, clip, json, short};
use serde::Serialize;

use super::shards::Parts;
use super::test_line::{is_reason_of, of_test};
use crate::cli::{DiffArgs, MessageFormat, Shared};
use crate::exit::Exit;
use crate::output::{Output, count};
use crate::results::is_of_findings;
use crate::sources::FileSources;
use crate::store::folder;
use crate::store::read::{self, StoredRun};
use crate::suppress::Suppressions;

/// A finding of a run, or of a baseline, which says less of it.
enum One {
    Found(Box<Finding>, Rc<FileSources>),
    Known(Known),
}

/// One of the two that are compared.
#[derive(Default)]
struct Side {
    /// In the order in which they come; each once.
    findings: Vec<One>,
    fingerprints: BTreeSet<String>,
    /// Of those, what was known from a baseline, and is not new whatever it is compared with.
    known: BTreeSet<String>,
    /// How many more were known, and nobody knows which.
    known_unlisted: u64,
    /// How many more were suppressed.
    suppressed: u64,
    /// Why not all of them need be there.
    reasons: Vec<String>,
    /// Whether something could not be read.
    has_failed: bool,
    /// Whether what is not certain fails it.
    denies_unconfirmed: bool,
}

/// Compares.
pub(super) fn run(args: &DiffArgs, shared: &Shared, output: &mut Output) -> Result<Exit> {
    let is_line = matches!(
        output.format,
        MessageFormat::Human | MessageFormat::Short | MessageFormat::Json
    );
    if !is_line || shared.html.is_some() {
        bail!("a comparison is printed as `human`, `short` or `json`");
    }
    if shared.store.has_baseline() {
        bail!("a baseline is one of the two that are compared: `report diff BASELINE NEW`");
    }
    let [old, new] = match (&args.old, &args.new) {
        (Some(old), Some(new)) => [old.clone(), new.clone()],
        _ => last_two(shared)?,
    };
    let given: Vec<PathBuf> = args.new.iter().cloned().collect();
    output.stored = read::flags(&given, shared);
    let mut suppressions = Suppressions::read(shared.suppress.as_deref())?;
    let old = Side::read(&old, &mut suppressions, shared)?;
    let new = Side::read(&new, &mut suppressions, shared)?;
    // What the runs themselves suppressed is counted, and not known.
    let tells_unused = old.suppressed + new.suppressed == 0;
    for unused in suppressions.unused().filter(|_| tells_unused) {
        output.note(&format!("warning: {unused}"));
    }
    Ok(tell(&old, &new, shared, output))
}

/// The last run, and the one before of the same command line.
fn last_two(shared: &Shared) -> Result<[PathBuf; 2]> {
    let mut runs = read::kept(shared)?.into_iter();
    let last = runs.next().expect("an empty folder is an error");
    let same = |run: &folder::Entry| (&run.command, &run.key) == (&last.command, &last.key);
    match runs.find(same) {
        Some(before) => Ok([before.path, last.path]),
        None => bail!(
            "the last run (`commute {}`) is the only one of its command line that is kept; \
             name what is to be compared: `report diff OLD NEW`",
            last.command
        ),
    }
}

impl Side {
    fn read(given: &Path, suppressions: &mut Suppressions, shared: &Shared) -> Result<Side> {
        let mut side = Side::default();
        let mut runs = Vec::new();
        for path in read::files(&[given.to_owned()])? {
            let run = StoredRun::read(&path)?;
            side.add(&run, suppressions, shared);
            runs.push(run);
        }
        side.doubt(&runs);
        Ok(side)
    }

    /// Why not all that can be found need be in these. What a part of a test says of itself
    /// does not hold of the whole.
    fn doubt(&mut self, runs: &[StoredRun]) {
        let tests = Parts::of(runs);
        let is_of_test = |why: &str| tests.iter().any(|test| is_reason_of(test.name, why));
        let reasons = runs.iter().filter_map(|run| run.summary.as_ref());
        let reasons = reasons.flat_map(|summary| &summary.reasons);
        let reasons = reasons.filter(|why| !is_of_findings(why) && !is_of_test(why));
        self.reasons.extend(reasons.cloned());
        for test in &tests {
            self.reasons.extend(of_test(test.name, &test.doubts()));
        }
    }

    fn add(&mut self, run: &StoredRun, suppressions: &mut Suppressions, shared: &Shared) {
        for trace in &run.traces {
            let sources = Rc::new(run.sources(trace, shared));
            for finding in trace.all_findings() {
                if !suppressions.suppress(finding) {
                    self.add_one(One::Found(Box::new(finding.clone()), sources.clone()));
                }
            }
            let known = trace.known.iter();
            { &mut self.known }.extend(known.map(|finding| finding.fingerprint.clone()));
            self.suppressed += trace.trace.suppressed;
            self.has_failed |= trace.trace.problem.is_some();
        }
        self.denies_unconfirmed |= run.fails_by_what_is_not_certain();
        let unlisted = run.unlisted();
        self.known_unlisted += unlisted.known;
        self.suppressed += unlisted.suppressed;
        self.reasons.extend(run.unlisted_reason());
        self.has_failed |= run.run.exit == Exit::BadInput.code();
        for known in run.baseline.iter().flatten() {
            self.add_one(One::Known(known.clone()));
        }
        if run.summary.is_none() && run.baseline.is_none() {
            self.reasons.push("the run was not over".to_owned());
        }
    }

    fn add_one(&mut self, one: One) {
        if self.fingerprints.insert(one.fingerprint().to_owned()) {
            self.findings.push(one);
        }
    }

    /// Whether this fails a run. Of what only a baseline has, nobody knows that it does not.
    fn fails(&self, one: &One) -> bool {
        match one {
            One::Found(finding, _) if !self.denies_unconfirmed => {
                finding.certainty != Certainty::Unconfirmed
            }
            _ => true,
        }
    }

    fn has(&self, one: &One) -> bool {
        self.fingerprints.contains(one.fingerprint())
    }
}

impl One {
    fn fingerprint(&self) -> &str {
        match self {
            One::Found(finding, _) => &finding.fingerprint,
            One::Known(known) => &known.fingerprint,
        }
    }

    /// In one line.
    fn short(&self) -> String {
        match self {
            One::Found(finding, sources) => short::finding(finding, &**sources),
            One::Known(known) => {
                let place = known
                    .file
                    .as_deref()
                    .map(|file| format!("{}: ", clip(file, 400)));
                let (code, title) = (clip(&known.code, 10), clip(&known.title, 400));
                format!("{}{code}: {title}", place.unwrap_or_default())
            }
        }
    }

    fn json(&self, change: &str) -> String {
        match self {
            One::Found(finding, _) => json::difference(change, finding),
            One::Known(known) => json::line("difference", KnownChange { change, known }),
        }
    }
}

#[derive(Serialize)]
struct KnownChange<'a> {
    change: &'a str,
    #[serde(flatten)]
    known: &'a Known,
}

#[derive(Serialize)]
struct Counts<'a> {
    new: usize,
    fixed: usize,
    still: usize,
    #[serde(skip_serializing_if = "<[String]>::is_empty")]
    reasons: &'a [String],
}

fn tell(old: &Side, new: &Side, shared: &Shared, output: &mut Output) -> Exit {
    let has_failed = new.has_failed;
    let (still, added): (Vec<&One>, Vec<&One>) = new.findings.iter().partition(|one| old.has(one));
    let is_known = |one: &&One| new.known.contains(one.fingerprint());
    let added: Vec<&One> = added.into_iter().filter(|one| !is_known(one)).collect();
    let fixed: Vec<&One> = old.findings.iter().filter(|one| !new.has(one)).collect();
    let most = shared.max_findings.unwrap_or(usize::MAX);
    for (change, findings) in [("new", &added), ("fixed", &fixed), ("still", &still)] {
        // Who wants to be told nothing is told what is new all the same.
        if change != "new" && shared.quiet && output.format != MessageFormat::Json {
            continue;
        }
        if output.format == MessageFormat::Human && !findings.is_empty() && most > 0 {
            let heading = if change == "still" {
                "still there"
            } else {
                change
            };
            output.line(&format!("{heading}:"));
        }
        for one in findings.iter().take(most) {
            let line = match (output.format, one) {
                (MessageFormat::Json, _) => one.json(change),
                (MessageFormat::Short, _) => format!("{} [{change}]", one.short()),
                // What is new has to be looked at.
                (_, One::Found(finding, sources)) if change == "new" => {
                    output.human(finding, &**sources) + "\n"
                }
                _ => {
                    let id: String = one.fingerprint().chars().take(8).collect();
                    format!("  {}  {}", clip(&id, 8), one.short())
                }
            };
            output.line(&line);
        }
    }
    let counts = Counts {
        new: added.len(),
        fixed: fixed.len(),
        still: still.len(),
        reasons: &new.reasons,
    };
    if !new.reasons.is_empty() && output.format != MessageFormat::Json {
        let reasons: Vec<_> = new.reasons.iter().map(|reason| clip(reason, 400)).collect();
        let why = reasons.join("; ");
        let what = match counts.fixed {
            0 => "not everything was looked at",
            _ => "what is called fixed may not have been looked at",
        };
        output.note(&format!("note: {what}: {why}"));
    }
    if new.known_unlisted > 0 && counts.fixed > 0 {
        let known = count(new.known_unlisted, "finding");
        output.note(&format!(
            "note: what is called fixed may be known from a baseline: {known} known in the new \
             run, which does not list them"
        ));
    }
    if new.suppressed > 0 && counts.fixed > 0 {
        let suppressed = count(new.suppressed, "finding");
        output.note(&format!(
            "note: what is called fixed may be suppressed: {suppressed} suppressed in the new run"
        ));
    }
    let is_unsure = !new.reasons.is_empty() || !added.is_empty();
    let fails = added.iter().any(|one| new.fails(one));
    if !added.is_empty() && !fails {
        output.note("note: nothing that is new is certain");
    }
    let Counts {
        new, fixed, still, ..
    } = counts;
    match output.format {
        MessageFormat::Json => output.line(&json::line("difference-summary", &counts)),
        _ if shared.quiet => {}
        _ => output.line(&format!(
            "commute: {new} new, {fixed} fixed, {still} still there"
        )),
    }
    match is_unsure {
        _ if has_failed => Exit::BadInput,
        _ if fails => Exit::Findings,
        true => Exit::Inconclusive,
        false => Exit::Clean,
    }
}
