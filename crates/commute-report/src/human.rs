//! A finding for people, in rustc's manner.
//!
//! A title with the code, every site with its source line, thread, event index
//! and action; then the condition that is false, the remarks of the analysis,
//! and one command to go on. The last event is where the finding became one,
//! so it is marked `^^^` and comes first; the others are marked `---`. About
//! fifteen lines, unless the style is verbose.

use std::collections::BTreeMap;
use std::sync::Arc;

use annotate_snippets::{Element, Level as Shown, Message, Origin, Padding};
use commute_model::{Certainty, EventRef, Finding, Level, WitnessKind, parse_location};

use crate::excerpt::{Excerpt, MAX_GAP, Mark, line_of, token, trimmed};
use crate::origin::Origins;
use crate::untrusted::{clip, clip_lines};
use crate::{Sources, Style};

/// How many events and remarks are shown unless the style is verbose.
const FEW: usize = 4;
/// How many lines of one remark are shown unless the style is verbose.
const FEW_LINES: usize = 3;

/// The finding as several lines of text, without a line end after the last.
pub fn finding(finding: &Finding, sources: &dyn Sources, style: &Style) -> String {
    let mut origins = Origins::default();
    let sites = Site::all(finding, sources, style);
    let level = match finding.level {
        Level::Error => Shown::ERROR,
        Level::Warning => Shown::WARNING,
        Level::Note => Shown::NOTE,
    };
    let title = clip(&finding.title, style.text_limit());
    let mut group = level
        .primary_title(title)
        .id(finding.code.to_string())
        .elements(sites.iter().map(|site| site.element(&mut origins)));
    if matches!(sites.last(), Some(Site::Named { .. })) {
        // After an excerpt the renderer leaves this line itself.
        group = group.element(Padding);
    }
    group = group.elements(messages(finding, style));
    origins.fill(&style.renderer().render(&[group]))
}

/// Where events of a finding happened.
enum Site {
    /// In a file that can be shown.
    Shown { place: String, excerpt: Excerpt },
    /// Anywhere else: the place and what happened there.
    Named { place: String },
}

/// The marks that share an excerpt.
struct Marked {
    file: String,
    text: Arc<str>,
    place: String,
    marks: Vec<Mark>,
}

impl Site {
    fn all(finding: &Finding, sources: &dyn Sources, style: &Style) -> Vec<Site> {
        let few = if style.verbose { usize::MAX } else { FEW };
        let mut texts: BTreeMap<&str, Option<Arc<str>>> = BTreeMap::new();
        // In order of appearance; `Err` is a place without source.
        let mut sites: Vec<Result<Marked, String>> = Vec::new();
        for (i, event) in finding.events.iter().rev().take(few).enumerate() {
            let label = label(event, style);
            let place = clip(&event.location, style.text_limit()).into_owned();
            let found = parse_location(&event.location).and_then(|(file, line, column)| {
                let text = texts.entry(file).or_insert_with(|| sources.text(file));
                let text = Arc::clone(text.as_ref()?);
                let line = line as usize;
                let span = span(line_of(&text, line)?, column);
                Some((file, text, line, span))
            });
            let Some((file, text, line, span)) = found else {
                sites.push(Err(match &*place {
                    "" => label,
                    _ => format!("{place} ({label})"),
                }));
                continue;
            };
            let mark = Mark {
                line,
                span,
                label,
                primary: i == 0,
            };
            let near = sites.iter_mut().flatten().find(|site| {
                let close = |other: &Mark| other.line.abs_diff(line) <= MAX_GAP;
                site.file == file && site.marks.iter().all(close)
            });
            match near {
                Some(site) => site.marks.push(mark),
                None => sites.push(Ok(Marked {
                    file: file.to_owned(),
                    text,
                    place,
                    marks: vec![mark],
                })),
            }
        }
        let shown = |site: Marked| Site::Shown {
            excerpt: Excerpt::new(&site.marks, |line| line_of(&site.text, line)),
            place: site.place,
        };
        let named = |place| Site::Named { place };
        sites
            .into_iter()
            .map(|site| site.map_or_else(named, shown))
            .collect()
    }

    fn element<'a>(&'a self, origins: &mut Origins) -> Element<'a> {
        match self {
            Site::Shown { place, excerpt } => excerpt.snippet(origins.add(place.clone())).into(),
            Site::Named { place } => Origin::path(origins.add(place.clone())).into(),
        }
    }
}

/// Who did what: `T2, event 5: o.put('a.com','c2')/'c1'`.
fn label(event: &EventRef, style: &Style) -> String {
    let thread = clip(&event.thread, style.action_limit());
    let action = clip(&event.action, style.action_limit());
    format!("{thread}, event {}: {action}", event.index)
}

fn span(line: &str, column: Option<u32>) -> std::ops::Range<usize> {
    column
        .and_then(|column| token(line, column as usize))
        .unwrap_or_else(|| trimmed(line))
}

/// What stands below the sites.
fn messages(finding: &Finding, style: &Style) -> Vec<Message<'static>> {
    let (few, lines) = if style.verbose {
        (usize::MAX, usize::MAX)
    } else {
        (FEW, FEW_LINES)
    };
    let text = |text: &str| clip_lines(text, style.text_limit(), lines);
    let note = |words: String| Shown::NOTE.message(words);
    let mut out = Vec::new();
    if finding.events.len() > few {
        let more = finding.events.len() - few;
        out.push(note(format!("and {more} more events: `-v` shows them")));
    }
    if let Some(condition) = &finding.condition {
        out.push(note(format!("condition: {}", text(condition))));
    }
    let (help, remarks): (Vec<_>, Vec<_>) = finding.notes.iter().partition(|n| n.label == "help");
    for remark in remarks.into_iter().take(few) {
        // "why" introduces a whole sentence, other labels a fact.
        out.push(note(match &*remark.label {
            "" | "note" | "why" => text(&remark.text),
            other => format!("{}: {}", clip(other, 40), text(&remark.text)),
        }));
    }
    out.extend(witness(finding, style).map(note));
    match finding.certainty {
        Certainty::Observed => {}
        Certainty::Certified => out.push(note("certified: the witness was checked".into())),
        Certainty::Unconfirmed => out.push(note(
            "unconfirmed: it may be impossible in every run".into(),
        )),
    }
    if finding.count > 1 {
        let count = finding.count;
        out.push(note(format!("found {count} times at these places")));
    }
    for remark in help.into_iter().take(few) {
        out.push(Shown::HELP.message(text(&remark.text)));
    }
    out.push(Shown::HELP.message(match &finding.replay {
        Some(replay) => format!("`{}` shows it again", text(replay)),
        None => format!("`commute explain {}` says more", finding.code),
    }));
    out
}

/// The evidence, unless it is the pair of events that is shown anyway.
fn witness(finding: &Finding, style: &Style) -> Option<String> {
    let witness = finding.witness.as_ref()?;
    if witness.kind == WitnessKind::Pair || witness.steps.is_empty() {
        return None;
    }
    let few = if style.verbose { usize::MAX } else { 20 };
    let mut steps: Vec<String> = witness.steps.iter().take(few).map(u64::to_string).collect();
    if witness.steps.len() > few {
        steps.push("…".to_owned());
    }
    let prefix = match witness.prefix {
        0 => String::new(),
        n => format!("1 to {n}, then "),
    };
    let (kind, steps) = (witness.kind, steps.join(" "));
    Some(format!("witness ({kind}): events {prefix}{steps}"))
}
