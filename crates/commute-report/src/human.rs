//! A finding for people, in rustc's manner.
//!
//! A title with the code, every site with its source line, thread, event index
//! and action; then the condition that is false, the remarks of the analysis,
//! and one command to go on. The last event is where the finding became one,
//! so it is marked `^^^` and comes first; the others are marked `---`. About
//! fifteen lines, unless the style is verbose.

use annotate_snippets::{Element, Level as Word, Message, Origin, Padding};
use commute_model::{Certainty, Finding, Level, Note, WitnessKind};

use crate::excerpt::{Excerpt, line_of};
use crate::origin::Origins;
use crate::site::{Shown, Site, is_of_source, sites};
use crate::untrusted::{clip, clip_lines};
use crate::{Sources, Style, table};

/// How many events and remarks are shown unless the style is verbose.
const FEW: usize = 4;

/// How far remarks stand to the right.
const INDENT: usize = "  = note: ".len();

/// How many steps of a value's way are shown.
const FEW_STEPS: usize = 8;
/// The same of the remarks on a history.
const MANY: usize = 8;
/// How many lines of one remark are shown unless the style is verbose.
const FEW_LINES: usize = 3;
/// How many lines of a table are shown unless the style is verbose.
const FEW_ROWS: usize = 9;
/// The same of a schedule or a history, which is all there is to see.
const MANY_ROWS: usize = 60;

/// The finding as several lines of text, without a line end after the last.
pub fn finding(finding: &Finding, sources: &dyn Sources, style: &Style) -> String {
    let more = format!("`commute explain {}` says more", finding.code);
    ending(finding, &more, sources, style)
}

/// The same of a finding that is stored: what it is called there is its last line,
/// unless that is how it is seen again. `flags` say where that is, after a space.
pub fn stored_finding(
    finding: &Finding,
    flags: &str,
    sources: &dyn Sources,
    style: &Style,
) -> String {
    let (id, code) = (clip(short_id(&finding.fingerprint), 40), finding.code);
    let flags = clip(flags, style.text_limit());
    let more = format!("`commute explain {id}{flags}` shows it again, and says what {code} is");
    ending(finding, &more, sources, style)
}

/// The beginning of a fingerprint, by which people call a finding.
pub fn short_id(fingerprint: &str) -> &str {
    fingerprint.get(..8).unwrap_or(fingerprint)
}

/// The finding; `more` says who says more, if it cannot be seen again.
fn ending(finding: &Finding, more: &str, sources: &dyn Sources, style: &Style) -> String {
    let mut origins = Origins::default();
    let few = match columns(finding) {
        _ if style.verbose => usize::MAX,
        // The others are in the table.
        Some(_) if finding.events.len() > 2 => 1,
        _ => few(finding),
    };
    let sites: Vec<Ready> = sites(finding, few, sources, style)
        .into_iter()
        .map(Ready::new)
        .collect();
    let level = match finding.level {
        Level::Error => Word::ERROR,
        Level::Warning => Word::WARNING,
        Level::Note => Word::NOTE,
    };
    let title = clip(&finding.title, style.text_limit());
    let mut group = level
        .primary_title(title)
        .id(finding.code.to_string())
        .elements(sites.iter().map(|site| site.element(&mut origins)));
    if matches!(sites.last(), Some(Ready::Place(_))) {
        // After an excerpt the renderer leaves this line itself.
        group = group.element(Padding);
    }
    group = group.elements(messages(finding, more, style));
    origins.fill(&style.renderer().render(&[group]))
}

/// A site, ready for the renderer.
enum Ready {
    Excerpt(String, Excerpt),
    Place(String),
}

impl Ready {
    fn new(site: Site) -> Ready {
        match site {
            Site::Shown(Shown {
                place, text, marks, ..
            }) => Ready::Excerpt(place, Excerpt::new(&marks, |line| line_of(&text, line))),
            Site::Named { place, label } if place.is_empty() => Ready::Place(label),
            Site::Named { place, label } => Ready::Place(format!("{place} ({label})")),
        }
    }

    fn element<'a>(&'a self, origins: &mut Origins) -> Element<'a> {
        match self {
            Ready::Excerpt(place, excerpt) => excerpt.snippet(origins.add(place.clone())).into(),
            Ready::Place(place) => Origin::path(origins.add(place.clone())).into(),
        }
    }
}

/// How many events are shown. The way of a value through the source is one
/// thing, and not long.
fn few(finding: &Finding) -> usize {
    match is_of_source(finding) {
        true => FEW_STEPS,
        false => FEW,
    }
}

/// What stands below the sites.
fn messages(finding: &Finding, more: &str, style: &Style) -> Vec<Message<'static>> {
    let (few, lines) = if style.verbose {
        (usize::MAX, usize::MAX)
    } else {
        (few(finding), FEW_LINES)
    };
    let text = |text: &str| clip_lines(text, style.text_limit(), lines);
    let note = |words: String| Word::NOTE.message(words);
    let is_of = |kind: WitnessKind| finding.witness.as_ref().is_some_and(|w| w.kind == kind);
    let mut out = Vec::new();
    let table = columns(finding);
    if let Some(table) = table {
        let whole = is_of(WitnessKind::Schedule) || is_of(WitnessKind::History);
        let lines = lines.max(if whole { MANY_ROWS } else { FEW_ROWS });
        let table = clip_lines(&table.text, style.text_limit(), lines);
        out.push(note(table::fit(
            &table,
            style.width.clamp(40, 500) - INDENT,
        )));
    } else if finding.events.len() > few {
        let rest = finding.events.len() - few;
        let events = match is_of_source(finding) {
            true => "steps",
            false => "events",
        };
        out.push(note(format!("and {rest} more {events}: `-v` shows them")));
    }
    if let Some(condition) = &finding.condition {
        out.push(note(format!("condition: {}", text(condition))));
    }
    let notes = finding.notes.iter().filter(|note| !note.is_columns());
    let (help, remarks): (Vec<_>, Vec<_>) = notes.partition(|n| n.label == "help");
    // Of a history, each says why the method cannot have been at one place.
    let many = if is_of(WitnessKind::History) {
        MANY
    } else {
        FEW
    };
    let most = few.max(many);
    let hidden = remarks.len().saturating_sub(most);
    for remark in remarks.into_iter().take(most) {
        // "why" introduces a whole sentence, other labels a fact.
        out.push(note(match &*remark.label {
            "" | "note" | "why" | Note::EDGE => text(&remark.text),
            // What a test said, as it said it.
            "message" | "output" => clip_lines(&remark.text, style.text_limit(), MANY_ROWS),
            other => format!("{}: {}", clip(other, 40), text(&remark.text)),
        }));
    }
    if hidden > 0 {
        out.push(note(format!("and {hidden} more remarks: `-v` shows them")));
    }
    if table.is_none() || style.verbose {
        out.extend(witness(finding, style).map(note));
    }
    match finding.certainty {
        Certainty::Observed => {}
        Certainty::Certified => out.push(note("certified: the witness was checked".into())),
        Certainty::Unconfirmed if is_of_source(finding) => out.push(note(
            "low confidence: something else may keep it from going wrong".into(),
        )),
        Certainty::Unconfirmed => out.push(note(
            "unconfirmed: it may be impossible in every run".into(),
        )),
    }
    if finding.count > 1 {
        let count = finding.count;
        out.push(note(format!("found {count} times at these places")));
    }
    for remark in help.into_iter().take(few) {
        out.push(Word::HELP.message(text(&remark.text)));
    }
    out.push(Word::HELP.message(match &finding.replay {
        Some(replay) => format!("`{}` shows it again", text(replay)),
        None => more.to_owned(),
    }));
    out
}

/// The table of the finding's events, if the analysis made one.
fn columns(finding: &Finding) -> Option<&Note> {
    finding.notes.iter().find(|note| note.is_columns())
}

/// The evidence, unless it is the pair of events that is shown anyway.
pub(crate) fn witness(finding: &Finding, style: &Style) -> Option<String> {
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
