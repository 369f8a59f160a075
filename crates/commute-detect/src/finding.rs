//! A race as a finding: both events, the condition, what conflicts, and what
//! would have ordered them.

use commute_model::{
    Certainty, Code, EventRef, Finding, Level, Names, Note, ThreadId, VariableId, Witness,
    WitnessKind,
};
use commute_spec::Invocation;

use crate::access::{Access, Kind};
use crate::hb::HappensBefore;
use crate::missing;
use crate::objects::Objects;
use crate::rd2::{ActionAccess, ActionRace};

fn event_ref(hb: &HappensBefore, access: &Access, action: String, names: &Names) -> EventRef {
    let thread: ThreadId = hb.thread(access.epoch);
    EventRef {
        thread: names.threads.name(thread).to_string(),
        index: access.index(),
        action,
        location: names.locations.name(access.location).to_string(),
    }
}

fn finding(code: Code, title: String, object: String, events: Vec<EventRef>) -> Finding {
    Finding {
        code,
        level: Level::Error,
        certainty: Certainty::Observed,
        fingerprint: String::new(),
        title,
        object: Some(object),
        witness: Some(Witness {
            kind: WitnessKind::Pair,
            prefix: 0,
            steps: events.iter().map(|event| event.index).collect(),
        }),
        events,
        condition: None,
        count: 1,
        replay: None,
        scene: None,
        notes: Vec::new(),
    }
}

/// A data race on a variable.
pub(crate) fn data_race(
    hb: &HappensBefore,
    x: VariableId,
    earlier: &Access,
    later: &Access,
    names: &Names,
) -> Finding {
    let word = |access: &Access| match access.kind() {
        Kind::Read => "r",
        Kind::Write => "w",
        Kind::Free => "free",
        Kind::Action => "action",
    };
    let x = names.variables.name(x);
    let (first, second) = (word(earlier), word(later));
    let event = |a: &Access| event_ref(hb, a, format!("{}({x})", word(a)), names);
    let title = format!("data race on `{x}`: `{first}` and `{second}`");
    let events = vec![event(earlier), event(later)];
    let mut finding = finding(Code::CM102, title, x.to_string(), events);
    finding.condition = Some(format!("{first}({x}) ~ {second}({x}) : false"));
    finding.notes = missing::synchronisation(hb, earlier, later, names).into();
    finding
}

/// A commutativity race on an object.
pub(crate) fn commutativity_race(
    hb: &HappensBefore,
    objects: &Objects,
    race: &ActionRace,
    current: &ActionAccess,
    names: &Names,
) -> Finding {
    let object = objects.get(current.action.object).expect("bound");
    let compiled = &object.compiled;
    let specification = &compiled.specification;
    let name = names.objects.name(current.action.object);
    let type_name = names.types.name(object.type_id());
    let method = |a: &ActionAccess| names.methods.name(a.action.method).to_string();
    let (first, second) = (method(&race.earlier), method(current));
    let title = format!("commutativity race on `{name}` ({type_name}): `{first}` and `{second}`");
    let event =
        |a: &ActionAccess| event_ref(hb, &a.access, a.action.display(names).to_string(), names);
    let events = vec![event(&race.earlier), event(current)];
    let mut finding = finding(Code::CM101, title, name.to_string(), events);
    let bind = |a| -> Option<Invocation<'_>> {
        let action: &ActionAccess = a;
        let method = specification.method(&method(action))?;
        Invocation::bind(method, &specification.methods[method], &action.action).ok()
    };
    if let (Some(a), Some(b)) = (bind(&race.earlier), bind(current)) {
        finding.condition = Some(specification.explain_false(a, b));
    }
    finding
        .notes
        .push(points_note(race, compiled.points(), &name.to_string()));
    let earlier = &race.earlier.access;
    finding.notes.extend(missing::synchronisation(
        hb,
        earlier,
        &current.access,
        names,
    ));
    finding
}

fn points_note(race: &ActionRace, points: &commute_spec::AccessPoints, object: &str) -> Note {
    let text = match &race.points {
        None => "the condition is outside ECL: the pair was compared by its formula".to_owned(),
        Some((earlier, later, key)) => {
            let name = |class: u16| {
                let class = &points.classes()[usize::from(class)];
                match key {
                    // A keyed class is named with its parameter: `w:k`.
                    Some(value) => {
                        let stem = class.name.split(':').next().unwrap_or(&class.name);
                        format!("{object}:{stem}:{value}")
                    }
                    None => format!("{object}:{}", class.name),
                }
            };
            let (earlier, later) = (name(*earlier), name(*later));
            if earlier == later {
                format!("both touch {later}, which conflicts with itself")
            } else {
                format!("{earlier} conflicts with {later}")
            }
        }
    };
    Note::new("points", text)
}
