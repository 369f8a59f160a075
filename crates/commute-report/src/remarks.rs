//! What stands below the sites of a finding.

use annotate_snippets::{Level as Word, Message};
use commute_model::{Certainty, Finding, Note, WitnessKind};

use crate::Style;
use crate::brevity::Brevity;
use crate::human::witness;
use crate::site::is_of_source;
use crate::table::Table;
use crate::untrusted::{clip, clip_lines};

/// How many events and remarks are shown unless the style is verbose.
const FEW: usize = 4;
/// How many steps of a value's way are shown.
const FEW_STEPS: usize = 8;
/// The same of the remarks on a history.
const MANY: usize = 8;
/// How many lines of one remark are shown unless the style is verbose.
const FEW_LINES: usize = 3;
/// How many lines are shown of a schedule or a history, which is all there is to see.
const MANY_ROWS: usize = 60;
/// Remarks in one line are not longer, unless it is one.
const ONE_LINE: usize = 120;

/// How many events are shown. The way of a value through the source is one
/// thing, and not long.
pub(crate) fn few(finding: &Finding) -> usize {
    match is_of_source(finding) {
        true => FEW_STEPS,
        false => FEW,
    }
}

/// Whether the evidence is of this kind.
pub(crate) fn is_of(finding: &Finding, kind: WitnessKind) -> bool {
    finding.witness.as_ref().is_some_and(|w| w.kind == kind)
}

/// The table of the finding's events, if the analysis made one.
pub(crate) fn columns(finding: &Finding) -> Option<&Note> {
    finding.notes.iter().find(|note| note.is_columns())
}

/// All of it, in order. `more` says who says more, if the finding cannot be seen again;
/// there are `room` columns.
pub(crate) fn messages(
    finding: &Finding,
    more: &str,
    room: usize,
    style: &Style,
    brevity: &Brevity,
) -> Vec<Message<'static>> {
    let below = Below {
        finding,
        style,
        brevity,
        few: if style.verbose {
            usize::MAX
        } else {
            few(finding)
        },
    };
    let table = columns(finding);
    let mut notes: Vec<String> = Vec::new();
    notes.extend(table.map(|table| below.table(table, room)));
    notes.extend(below.more_events());
    notes.extend(below.condition());
    notes.extend(below.remarks());
    if table.is_none() || style.verbose {
        notes.extend(witness(finding, style));
    }
    notes.extend(below.certainty().map(str::to_owned));
    if finding.count > 1 {
        notes.push(format!("found {} times at these places", finding.count));
    }
    let notes = notes.into_iter().map(|words| Word::NOTE.message(words));
    let help = below.help(more).into_iter();
    notes
        .chain(help.map(|words| Word::HELP.message(words)))
        .collect()
}

struct Below<'a> {
    finding: &'a Finding,
    style: &'a Style,
    brevity: &'a Brevity,
    /// How many of anything.
    few: usize,
}

impl Below<'_> {
    fn text(&self, text: &str) -> String {
        let lines = match self.style.verbose {
            true => usize::MAX,
            false => FEW_LINES,
        };
        clip_lines(text, self.style.text_limit(), lines)
    }

    fn table(&self, table: &Note, room: usize) -> String {
        let mut table = Table::parse(&table.text, self.style.text_limit());
        let is_whole =
            is_of(self.finding, WitnessKind::Schedule) || is_of(self.finding, WitnessKind::History);
        if is_whole && !self.style.verbose {
            table.first(MANY_ROWS);
        } else if self.brevity.rows < usize::MAX {
            let events: Vec<u64> = self.finding.events.iter().map(|e| e.index).collect();
            table.shorten(&events, self.brevity.own_rows, self.brevity.rows);
        }
        table.fit(room)
    }

    /// How many events are not shown; a table has them all.
    fn more_events(&self) -> Option<String> {
        let shown = self.few.min(self.brevity.events);
        let rest = self.finding.events.len().checked_sub(shown)?;
        if rest == 0 || columns(self.finding).is_some() {
            return None;
        }
        let events = match is_of_source(self.finding) {
            true => "step",
            false => "event",
        };
        let s = if rest == 1 { "" } else { "s" };
        Some(format!("and {rest} more {events}{s}: `-v` shows them"))
    }

    /// The condition that is false; not that two operations never commute, whatever their
    /// values: the title says which they are.
    fn condition(&self) -> Option<String> {
        let condition = self.finding.condition.as_ref()?;
        if let [first, second] = &self.finding.events[..]
            && !self.style.verbose
            && *condition == format!("{} ~ {} : false", first.action, second.action)
        {
            return None;
        }
        Some(format!("condition: {}", self.text(condition)))
    }

    fn remarks(&self) -> Vec<String> {
        let remarks: Vec<&Note> = { self.finding.notes.iter() }
            .filter(|note| !note.is_columns() && note.label != "help")
            // The numbers of the events say it.
            .filter(|note| self.style.verbose || note.label != Note::RECORDED)
            .collect();
        // Of a history, each says why the method cannot have been at one place.
        let many = match is_of(self.finding, WitnessKind::History) {
            true => MANY,
            false => FEW,
        };
        let most = self.few.max(many);
        let mut shown: Vec<String> = { remarks.iter().take(most) }
            .map(|note| self.remark(note))
            .collect();
        let hidden = remarks.len() - shown.len();
        if self.brevity.one_remark && shown.len() > 1 {
            return vec![self.in_one_line(remarks)];
        }
        if hidden > 0 {
            let s = if hidden == 1 { "" } else { "s" };
            shown.push(format!("and {hidden} more remark{s}: `-v` shows them"));
        }
        shown
    }

    /// The remarks that fit in a line, or the first one: why it is so comes before facts.
    fn in_one_line(&self, mut remarks: Vec<&Note>) -> String {
        remarks.sort_by_key(|note| !matches!(&*note.label, "why" | Note::EDGE));
        let mut texts = remarks.iter().map(|note| self.remark(note));
        let first = texts.next().unwrap_or_default();
        let mut line = first.lines().next().unwrap_or_default().to_owned();
        let mut hidden = 0;
        for text in texts {
            match line.len() + text.len() > ONE_LINE || text.contains('\n') {
                true => hidden += 1,
                false => line += &format!("; {text}"),
            }
        }
        if hidden > 0 {
            line += &format!(" (… {hidden} more: `-v`)");
        }
        line
    }

    fn remark(&self, remark: &Note) -> String {
        // "why" introduces a whole sentence, other labels a fact.
        match &*remark.label {
            "" | "note" | "why" | Note::EDGE => self.text(&remark.text),
            // What a test said, as it said it.
            "message" | "output" => clip_lines(&remark.text, self.style.text_limit(), MANY_ROWS),
            other => format!("{}: {}", clip(other, 40), self.text(&remark.text)),
        }
    }

    fn certainty(&self) -> Option<&'static str> {
        match self.finding.certainty {
            Certainty::Observed => None,
            // Who shows the witness says it.
            Certainty::Certified if self.finding.replay.is_some() => None,
            Certainty::Certified => Some("certified: the witness was checked"),
            Certainty::Unconfirmed if is_of_source(self.finding) => {
                Some("low confidence: something else may keep it from going wrong")
            }
            Certainty::Unconfirmed => Some("unconfirmed: it may be impossible in every run"),
        }
    }

    /// What to do about it, and the command to go on with.
    fn help(&self, more: &str) -> Vec<String> {
        let notes = self.finding.notes.iter().filter(|n| n.label == "help");
        let mut help: Vec<String> = { notes.take(self.few) }
            .map(|note| self.text(&note.text))
            .collect();
        help.push(match &self.finding.replay {
            Some(replay) if self.finding.certainty == Certainty::Certified => {
                let replay = self.text(replay);
                format!("`{replay}` shows the witness (certified: it was checked)")
            }
            Some(replay) => format!("`{}` shows it again", self.text(replay)),
            None => more.to_owned(),
        });
        if self.brevity.one_help {
            return vec![help.join("; ")];
        }
        help
    }
}
