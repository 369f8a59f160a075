//! A finding for people, in rustc's manner.
//!
//! A title with the code, the sites with their source lines, thread, event index
//! and action; then the condition that is false, the remarks of the analysis,
//! and one command to go on. The last event is where the finding became one,
//! so it is marked `^^^` and comes first; the others are marked `---`.
//!
//! Fifteen lines, unless the style is verbose: what does not fit is said more
//! briefly, step by step (`brevity.rs`), and what room is left then is for the rows
//! of a table. A schedule or a history is shown as a whole, and so is the way
//! of a value through source code: they are what there is to see.

use annotate_snippets::{Element, Level as Word, Origin, Padding};
use commute_model::{Finding, Level, WitnessKind};

use crate::brevity::Brevity;
use crate::excerpt::Excerpt;
use crate::origin::Origins;
use crate::remarks::{columns, few, is_of, messages};
use crate::site::{Shown, Site, is_of_source, sites};
use crate::untrusted::clip;
use crate::{Sources, Style};

/// No report has more lines, if it can be helped.
const LINES: usize = 15;

/// How far remarks stand to the right of the numbers of lines.
const INDENT: usize = " = note: ".len();

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
    let render = |brevity: &Brevity| rendered(finding, more, sources, style, brevity);
    let is_whole = is_of_source(finding)
        || is_of(finding, WitnessKind::Schedule)
        || is_of(finding, WitnessKind::History);
    if style.verbose || is_whole {
        return render(&Brevity::NONE);
    }
    let mut text = String::new();
    for mut brevity in Brevity::steps() {
        text = render(&brevity);
        let Some(room) = LINES.checked_sub(text.lines().count()) else {
            continue;
        };
        if room > 0 && columns(finding).is_some() {
            brevity.rows = room;
            text = render(&brevity);
        }
        break;
    }
    text
}

fn rendered(
    finding: &Finding,
    more: &str,
    sources: &dyn Sources,
    style: &Style,
    brevity: &Brevity,
) -> String {
    let mut origins = Origins::default();
    let most = match columns(finding) {
        _ if style.verbose => usize::MAX,
        // The others are in the table. Of a cycle two lines are decisive.
        Some(_) if finding.events.len() > 2 => match is_of(finding, WitnessKind::Cycle) {
            true => 2,
            false => 1,
        },
        _ => few(finding).min(brevity.events),
    };
    let mut sites = sites(finding, most, sources, style);
    if brevity.one_label {
        sites.iter_mut().for_each(Site::join_labels);
    }
    let last_line = sites.iter().filter_map(Site::last_line).max();
    let digits = last_line.map_or(0, |line| line.to_string().len());
    let room = style.excerpt_width() - INDENT - digits;
    let width = style.excerpt_width();
    let sites: Vec<Ready> = { sites.into_iter() }
        .map(|site| Ready::new(site, width))
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
    group = group.elements(messages(finding, more, room, style, brevity));
    origins.fill(&style.renderer().render(&[group]))
}

/// A site, ready for the renderer.
enum Ready {
    Excerpt(String, Excerpt),
    Place(String),
}

impl Ready {
    fn new(site: Site, width: usize) -> Ready {
        match site {
            Site::Shown(Shown {
                place, text, marks, ..
            }) => {
                let excerpt = Excerpt::new(&marks, width, |line| text.line(line));
                Ready::Excerpt(place, excerpt)
            }
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
