//! Predictions as findings: what can happen, the run in which it does, and why
//! nothing prevents it.

use commute_model::{
    Certainty, Code, Event, EventRef, Finding, Level, LockId, Names, Note, ObjectId, Op, Sink,
    ThreadId, Witness, WitnessKind,
};

use super::access::{Access, Subject};
use super::candidates::{Predicted, Reason};
use super::certify::Kind;
use super::held::Held;
use super::legal::bind;
use super::namesakes::Namesakes;
use super::observed::Observed;
use super::options::Options;
use super::recent::Recent;
use super::{access, actions, words};
use crate::columns::{file_and_line, short, table};
use crate::objects::Objects;

/// A trace up to this length is repeated in a witness as a whole.
const WHOLE: u64 = 10_000;
/// How many events of a witness are shown.
const MOST_ROWS: usize = 6;

/// Makes findings.
pub(super) struct Explain<'a> {
    pub(super) names: &'a Names,
    pub(super) objects: &'a Objects,
    pub(super) held: &'a Held,
    pub(super) namesakes: &'a Namesakes,
    pub(super) recent: &'a Recent,
    pub(super) options: &'a Options,
    /// How many events the trace has.
    pub(super) events: u64,
}

impl Explain<'_> {
    /// Hands the predictions over, in the order in which they were found.
    pub(super) fn finish(
        &self,
        predicted: &[Predicted],
        observed: &[Observed],
        sink: &mut dyn Sink,
    ) {
        for observed in observed {
            sink.finding(self.observed(observed));
        }
        let happened = |p: &&Predicted| {
            let pair = (p.earlier, p.later);
            let same = |o: &Observed| (o.first.index(), o.second.index()) == pair;
            observed.iter().any(same)
        };
        for predicted in predicted.iter().filter(|predicted| !happened(predicted)) {
            let mut finding = self.finding(predicted);
            if predicted.unconfirmed.is_none() {
                // Which trace this is, and what the finding is called, others know.
                let options = self.options.flags();
                finding.replay = Some(format!("commute trace show TRACE --witness ID{options}"));
            }
            sink.finding(finding);
        }
    }

    fn finding(&self, predicted: &Predicted) -> Finding {
        let (earlier, later) = self.operations(predicted);
        let candidate = &predicted.candidate;
        let events = vec![
            self.event(&candidate.earlier, earlier),
            self.event(&candidate.later, later),
        ];
        let mut finding = Finding {
            code: self.code(predicted),
            level: Level::Error,
            certainty: Certainty::Certified,
            fingerprint: String::new(),
            title: self.title(predicted),
            object: Some(self.subject(predicted.candidate.subject)),
            events,
            condition: self.condition(predicted),
            witness: Some(self.witness(predicted)),
            count: predicted.count,
            replay: None,
            scene: None,
            notes: Vec::new(),
        };
        if let Some(reason) = predicted.unconfirmed {
            finding.level = Level::Warning;
            finding.certainty = Certainty::Unconfirmed;
            if reason != Reason::Lax {
                finding.witness = None;
            }
            finding.notes.push(Note::new("why", unconfirmed(reason)));
        }
        if finding.witness.is_some() {
            let columns = self.columns(predicted);
            finding.notes.push(Note::new(Note::COLUMNS, columns));
        }
        let recorded = self.recorded(predicted);
        finding.notes.push(Note::new(Note::RECORDED, recorded));
        finding.notes.push(Note::new("why", self.locks(predicted)));
        finding
            .notes
            .extend(self.used(predicted).map(|text| Note::new("why", text)));
        finding.notes.push(Note::new("help", self.help(predicted)));
        finding
    }

    /// What happened in the recorded run.
    fn observed(&self, observed: &Observed) -> Finding {
        let subject = self.subject(observed.subject);
        let operation = |access: &Access| match self.recent.get(access.index()) {
            Some(event) => event.op.display(self.names).to_string(),
            None => self.operation(observed.subject, access),
        };
        let (first, second) = (operation(&observed.first), operation(&observed.second));
        let freed = self.is_free(observed.subject, &observed.first);
        let freed_again = freed && self.is_free(observed.subject, &observed.second);
        let (code, what) = match observed.subject {
            Subject::Variable(_) if freed_again => (Code::CM122, "double free of"),
            _ if freed => (Code::CM122, "use after free of"),
            Subject::Condvar(_) => (Code::CM121, "lost wake-up of"),
            _ => (Code::CM121, "order violation on"),
        };
        let title = match freed {
            true => format!(
                "{what} {}`{subject}`",
                self.what(observed.subject, freed_again)
            ),
            false => format!("{what} `{subject}`"),
        };
        let title = format!("{title}: `{second}` ran after `{first}`");
        let events = vec![
            self.event(&observed.first, first),
            self.event(&observed.second, second),
        ];
        let steps = events.iter().map(|event| event.index).collect();
        let is_object = matches!(observed.subject, Subject::Object(_));
        let why = match observed.subject {
            Subject::Object(_) => "its result is one that the object could not return any more",
            Subject::Variable(_) => "it was freed, and not allocated again since",
            subject if freed => {
                let used = words::used(subject, observed.second.kind());
                &format!("it was freed, not allocated again, and then {used}")
            }
            _ => "nobody notifies it any more: the thread waits for ever",
        };
        let help = match freed && !is_object {
            true => "free it only when all threads that use it are done",
            false => "let one thread wait for the other",
        };
        Finding {
            code,
            level: Level::Error,
            certainty: Certainty::Observed,
            fingerprint: String::new(),
            title,
            object: Some(subject),
            events,
            condition: None,
            witness: Some(Witness {
                kind: WitnessKind::Pair,
                prefix: 0,
                steps,
            }),
            count: 1,
            replay: None,
            scene: None,
            notes: vec![Note::new("why", why), Note::new("help", help)],
        }
    }

    fn event(&self, access: &Access, action: String) -> EventRef {
        EventRef {
            thread: self.thread(access.thread),
            index: access.index(),
            action,
            location: self.names.locations.name(access.location).to_string(),
        }
    }

    fn thread(&self, t: u32) -> String {
        self.names.threads.name(ThreadId(t)).to_string()
    }

    fn subject(&self, subject: Subject) -> String {
        match subject {
            Subject::Variable(x) => self.names.variables.name(x).to_string(),
            Subject::Lock(l) => self.names.locks.name(l).to_string(),
            Subject::Condvar(c) => self.names.condvars.name(c).to_string(),
            Subject::Object(o) => self.names.objects.name(o).to_string(),
        }
    }

    /// The two operations.
    fn operations(&self, predicted: &Predicted) -> (String, String) {
        let candidate = &predicted.candidate;
        match &predicted.pair {
            Some((earlier, later)) => {
                let text = |event: &Event| event.op.display(self.names).to_string();
                (text(earlier), text(later))
            }
            None => {
                let text = |access: &Access| self.operation(candidate.subject, access);
                (text(&candidate.earlier), text(&candidate.later))
            }
        }
    }

    /// What is known of an operation whose event is not kept any more.
    fn operation(&self, subject: Subject, access: &Access) -> String {
        let name = self.subject(subject);
        match subject {
            Subject::Object(o) => {
                let method = self.method(o, access);
                format!("{name}.{}(…)", method.unwrap_or("action"))
            }
            _ => format!("{}({name})", words::operation(access.kind())),
        }
    }

    /// The method of an access to an object, by the type that the object had then.
    fn method(&self, object: ObjectId, access: &Access) -> Option<&str> {
        let compiled = self.objects.at(access.index()).compiled(object)?;
        let method = actions::method(access.kind());
        Some(&compiled.specification.methods.get(method)?.name)
    }

    fn is_free(&self, subject: Subject, access: &Access) -> bool {
        let Subject::Object(o) = subject else {
            return access.kind() == access::FREE;
        };
        self.method(o, access) == Some("free")
    }

    /// What it is that is freed, if that is a lock or a condition variable: of a
    /// variable only if it is freed twice, for what is used is the variable itself.
    fn what(&self, subject: Subject, twice: bool) -> &'static str {
        match subject {
            Subject::Variable(_) if !twice => "",
            subject => words::what(subject, self.namesakes),
        }
    }

    fn code(&self, predicted: &Predicted) -> Code {
        let candidate = &predicted.candidate;
        match predicted.kind {
            Kind::Race => Code::CM103,
            Kind::Order if self.is_free(candidate.subject, &candidate.later) => Code::CM122,
            Kind::Order => Code::CM121,
        }
    }

    fn title(&self, predicted: &Predicted) -> String {
        let (earlier, later) = self.operations(predicted);
        let (earlier, later) = (short(earlier, 40), short(later, 40));
        let candidate = &predicted.candidate;
        let is_free = |access| self.is_free(candidate.subject, access);
        let frees = (is_free(&candidate.earlier), is_free(&candidate.later));
        let thing = match frees {
            (false, false) => "",
            (first, second) => self.what(candidate.subject, first && second),
        };
        let subject = short(self.subject(candidate.subject), 40);
        if predicted.kind == Kind::Race {
            return format!(
                "predicted race on {thing}`{subject}`: `{earlier}` and `{later}` can run at the \
                 same time"
            );
        }
        let is_condvar = matches!(candidate.subject, Subject::Condvar(_));
        let what = match frees {
            (true, true) => "double free of",
            (false, true) => "use after free of",
            _ if is_condvar && candidate.earlier.kind() == access::WAIT => "lost wake-up of",
            _ => "order violation on",
        };
        format!("{what} {thing}`{subject}`: `{later}` can run before `{earlier}`")
    }

    fn condition(&self, predicted: &Predicted) -> Option<String> {
        let (earlier, later) = predicted.pair.as_ref()?;
        let (Op::Action(a), Op::Action(b)) = (&earlier.op, &later.op) else {
            let (earlier, later) = self.operations(predicted);
            return Some(format!("{earlier} ~ {later} : false"));
        };
        let objects = self.objects.at(predicted.later);
        let (specification, first) = bind(a, objects, self.names)?;
        let (_, second) = bind(b, objects, self.names)?;
        Some(specification.explain_false(first, second))
    }

    fn witness(&self, predicted: &Predicted) -> Witness {
        let repeated = match self.events <= WHOLE {
            true => predicted.prefix,
            false => 0,
        };
        Witness {
            kind: WitnessKind::Reordering,
            prefix: predicted.prefix - repeated,
            steps: { 1..=repeated }
                .chain(predicted.steps.iter().copied())
                .collect(),
        }
    }

    /// The end of the witness, a column for each thread; the pair is marked.
    fn columns(&self, predicted: &Predicted) -> String {
        let Some((earlier, later)) = &predicted.pair else {
            return String::new();
        };
        let row = |index: u64, event: &Event, marked: bool| {
            let mark = if marked { "> " } else { "  " };
            let op = short(event.op.display(self.names), 40);
            let place = file_and_line(event.location, self.names);
            let text = format!("{mark}{index}: {op} {place}");
            (event.thread, text.trim_end().to_owned())
        };
        let of_pair = |t: ThreadId| t == earlier.thread || t == later.thread;
        let own = { predicted.shown.iter() }.filter(|(_, event)| of_pair(event.thread));
        let own: Vec<&(u64, Event)> = own.collect();
        // What comes before the later event is of less interest than what comes
        // between it and the earlier one.
        let at = own.iter().position(|(index, _)| *index == predicted.later);
        let last = own.len().saturating_sub(MOST_ROWS);
        let first = at.map_or(last, |at| at.saturating_sub(2).min(last));
        let mut rows: Vec<(ThreadId, String)> = Vec::new();
        let all = &own[first..];
        for (i, (index, event)) in all.iter().enumerate() {
            let left = all.len() - i;
            if all.len() <= MOST_ROWS || i < MOST_ROWS - 3 || left <= 2 {
                rows.push(row(*index, event, *index == predicted.later));
            } else if left == 3 {
                rows.push((event.thread, "  …".to_owned()));
            }
        }
        rows.push(row(predicted.earlier, earlier, true));
        if predicted.kind == Kind::Race {
            rows.push(row(predicted.later, later, true));
        }
        table(&rows, self.names)
    }

    fn recorded(&self, predicted: &Predicted) -> String {
        let (earlier, later) = self.operations(predicted);
        let (first, second) = (predicted.earlier, predicted.later);
        format!("`{earlier}` (event {first}), then `{later}` (event {second})")
    }

    /// What happens to a lock or a condition variable that is freed too early.
    fn used(&self, predicted: &Predicted) -> Option<String> {
        let candidate = &predicted.candidate;
        let subject = candidate.subject;
        let is_one = matches!(subject, Subject::Lock(_) | Subject::Condvar(_));
        let order = predicted.kind == Kind::Order && self.is_free(subject, &candidate.later);
        (is_one && order).then(|| {
            let what = self.what(subject, false);
            let used = words::used(subject, candidate.earlier.kind());
            format!("the {what}would be {used} after it was freed")
        })
    }

    /// Which locks both hold, and why that does not help.
    fn locks(&self, predicted: &Predicted) -> String {
        let candidate = &predicted.candidate;
        let (earlier, later) = (&candidate.earlier, &candidate.later);
        let locks = |set| self.held.locks(set);
        let (left, right) = (locks(earlier.held), locks(later.held));
        let name = |lock: LockId| format!("`{}`", self.names.locks.name(lock));
        let both = left
            .iter()
            .filter(|(l, _)| right.iter().any(|(r, _)| r == l));
        let mut both: Vec<String> = both.map(|(lock, _)| name(*lock)).collect();
        both.dedup();
        let thread = |t| self.thread(t);
        if !both.is_empty() {
            let (both, them) = (both.join(", "), thread(later.thread));
            return match predicted.kind {
                Kind::Order => format!(
                    "both hold {both}: that keeps them apart, but {them} may be the first to get it"
                ),
                Kind::Race => format!("both hold {both}, shared: that does not keep them apart"),
            };
        }
        let holds = |t, locks: &[(LockId, bool)]| {
            let names: Vec<String> = locks.iter().map(|(lock, _)| name(*lock)).collect();
            match names.is_empty() {
                true => format!("{} holds no lock", thread(t)),
                false => format!("{} holds {}", thread(t), names.join(", ")),
            }
        };
        match left.is_empty() && right.is_empty() {
            true => "neither holds a lock, and neither waits for the other".to_owned(),
            false => format!(
                "{}, {}: no lock keeps them apart",
                holds(earlier.thread, &left),
                holds(later.thread, &right)
            ),
        }
    }

    fn help(&self, predicted: &Predicted) -> String {
        let thread = |t| self.thread(t);
        let (earlier, later) = (&predicted.candidate.earlier, &predicted.candidate.later);
        let (first, second) = (thread(earlier.thread), thread(later.thread));
        match predicted.kind {
            Kind::Race => "hold one lock around both, or let one thread wait for the other".into(),
            Kind::Order
                if matches!(predicted.candidate.subject, Subject::Condvar(_))
                    && !self.is_free(predicted.candidate.subject, later) =>
            {
                "set a flag under the lock when notifying, and wait only while it is not set".into()
            }
            Kind::Order => format!(
                "let {second} wait until {first} is done: join it, or check under the lock what {first} sets"
            ),
        }
    }
}

fn unconfirmed(reason: Reason) -> &'static str {
    match reason {
        Reason::OpenSection => {
            "a lock would have to be released that is not released before the end of the trace"
        }
        Reason::Budget => "the search for a witness was given up (see --budget)",
        Reason::Window => "the two events are too far apart to look for a witness (see --window)",
        Reason::Attempts => {
            "not all pairs of events at these two places were tried: what was, is impossible (see --budget)"
        }
        Reason::Contents => {
            "an object that the witness replays was filled before it was recorded (see --legal)"
        }
        Reason::Lax => "found with --lax: the two may notice that they were swapped",
    }
}
