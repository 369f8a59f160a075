//! The pass that finds races: happens-before once, both detectors on top.

mod repeats;

use std::sync::Arc;

use commute_clock::Epoch;
use commute_model::{Action, Code, Event, Names, ObjectId, Op, Sink, ThreadId, TypeId, VariableId};
use commute_spec::{CompiledSpecification, Invocation, Library, Specification};

use crate::access::{Access, Kind};
use crate::fasttrack::{FastTrack, View};
use crate::finding::{commutativity_race, data_race};
use crate::groups::{Groups, RaceTotal, Site};
use crate::hb::HappensBefore;
use crate::ill_formed::Impossible;
use crate::looks::{Looks, Undecided};
use crate::objects::{Misfit, Objects};
use crate::order::{Earlier, InitialStates, Look, Relation, relation};
use crate::pass::{EventError, Pass};
use crate::rd2::{ActionAccess, ActionRace, Current, Rd2};
use crate::settled::Settled;

/// How many events are looked up in advance.
const AHEAD: usize = 128;

/// Every pair that was found, for comparison with an oracle.
pub type PairSeen = (Code, u64, u64);

/// Finds commutativity races (CM101) and data races (CM102).
#[derive(Clone, Debug)]
pub struct Races {
    objects: Objects,
    hb: HappensBefore,
    rd2: Option<Rd2>,
    fasttrack: Option<FastTrack>,
    index: u64,
    /// The epoch of the last action.
    last: Epoch,
    groups: Groups,
    found: Vec<ActionRace>,
    looks: Looks,
    pairs: Option<Vec<PairSeen>>,
}

impl Races {
    /// Both kinds of races; types come from `library`.
    pub fn all(library: Arc<Library>) -> Races {
        Races::new(library, true, true)
    }

    /// Commutativity races only (`commutativity`), data races only (`data`),
    /// or both.
    pub fn new(library: Arc<Library>, commutativity: bool, data: bool) -> Races {
        Races {
            objects: Objects::new(library),
            hb: HappensBefore::default(),
            rd2: commutativity.then(Rd2::default),
            fasttrack: data.then(FastTrack::default),
            index: 0,
            last: Epoch::default(),
            groups: Groups::default(),
            found: Vec::new(),
            looks: Looks::default(),
            pairs: None,
        }
    }

    /// Uses these initial states where the trace does not record them.
    pub fn set_initial_states(&mut self, states: &Arc<InitialStates>) {
        self.objects.set_initial_states(states);
    }

    /// Whether races may be missing because the trace tells too late of an initial state
    /// that it does not record: it has to be read again.
    pub fn is_late(&self) -> bool {
        self.objects.is_late()
    }

    /// The same, but every pair found is also kept one by one: for tests.
    pub fn keep_pairs(mut self) -> Races {
        self.pairs = Some(Vec::new());
        self
    }

    /// The same with clocks that tell fewer threads apart: for tests.
    pub fn keep_apart(mut self, slots: usize) -> Races {
        self.hb = HappensBefore::keeping_apart(slots);
        self
    }

    /// The same, but what all threads know is found out after so many events: for
    /// tests.
    pub fn settle_every(mut self, events: u64) -> Races {
        self.hb.settled = Settled::every(events);
        self
    }

    /// The pairs found so far, if they are kept.
    pub fn pairs(&self) -> &[PairSeen] {
        self.pairs.as_deref().unwrap_or_default()
    }

    /// How many keys of objects are remembered.
    #[cfg(test)]
    pub(crate) fn keys(&self) -> usize {
        self.rd2.as_ref().map_or(0, Rd2::keys)
    }

    /// How many events were taken.
    pub fn events(&self) -> u64 {
        self.index
    }

    /// Whether any race was found.
    pub fn found(&self) -> bool {
        !self.groups.is_empty()
    }

    /// The clocks.
    pub fn hb(&self) -> &HappensBefore {
        &self.hb
    }

    /// The objects.
    pub fn objects(&self) -> &Objects {
        &self.objects
    }

    /// Declares an object before the first event, as `new` does in a trace.
    ///
    /// # Errors
    /// If the type is not known.
    pub fn declare(
        &mut self,
        object: ObjectId,
        type_id: TypeId,
        names: &Names,
    ) -> Result<(), EventError> {
        let declared = self.objects.declare(object, type_id, 0, names);
        self.objects.assume(object);
        declared.map_err(|misfit| misfit.at(0))
    }

    /// What shows that the trace is not well-formed, if something does: the
    /// index of an event and what is wrong with it.
    pub fn ill_formed(&self, names: &Names) -> Option<(u64, String)> {
        let found = self.hb.ill_formed()?;
        Some((found.index, found.describe(names)))
    }

    /// Races that were found but are in no finding, because there were too
    /// many different ones.
    pub fn dropped(&self) -> u64 {
        self.groups.dropped + self.looks.dropped
    }

    /// How often an event raced with an earlier one at a site that was not kept,
    /// because its thread used too many: findings may be missing, but none of a race
    /// with which no other finding has an event in common.
    pub fn unlisted(&self) -> u64 {
        let data = self.fasttrack.as_ref().map_or(0, FastTrack::unlisted);
        data + self.rd2.as_ref().map_or(0, Rd2::unlisted)
    }

    /// How often races on each object and variable were found, when the pass has
    /// finished.
    pub fn totals(&self, names: &Names) -> Vec<RaceTotal> {
        self.groups.totals(names)
    }

    #[inline(never)]
    fn event(&mut self, event: &Event, names: &Names) -> Result<(), Misfit> {
        self.index += 1;
        self.hb.at(self.index);
        let thread = event.thread;
        self.hb.run(thread);
        match &event.op {
            Op::Read(x) => self.access(event, *x, Kind::Read, names),
            Op::Write(x) => self.access(event, *x, Kind::Write, names),
            Op::Free(x) => self.access(event, *x, Kind::Free, names),
            Op::Alloc(x) => {
                if let Some(fasttrack) = &mut self.fasttrack {
                    fasttrack.forget(*x);
                }
            }
            Op::New(object, type_id) => {
                if self.objects.is_made(*object) {
                    self.hb.note(Impossible::NewAgain(*object));
                }
                self.objects.declare(*object, *type_id, self.index, names)?;
                self.forget(*object);
            }
            Op::Drop(object) => {
                if !self.objects.is_alive(*object) {
                    self.hb.note(Impossible::AfterDrop(*object));
                }
                self.objects.forget(*object);
                self.forget(*object);
            }
            Op::Action(action) => self.action(event, action, names)?,
            op if HappensBefore::orders(op) => self.hb.step(thread, op),
            _ => {}
        }
        Ok(())
    }

    fn forget(&mut self, object: ObjectId) {
        self.tell_looks(object);
        if let Some(rd2) = &mut self.rd2 {
            rd2.forget(object);
        }
    }

    #[inline]
    fn access(&mut self, event: &Event, x: VariableId, kind: Kind, names: &Names) {
        let Some(fasttrack) = &mut self.fasttrack else {
            return;
        };
        let t = event.thread;
        let epoch = self.hb.epoch(t);
        let access = Access::new(kind, epoch, self.index, event.location, self.hb.held(t));
        let (hb, groups, pairs) = (&self.hb, &mut self.groups, &mut self.pairs);
        let view = View {
            clock: hb.clock(t),
            settled: &hb.settled,
        };
        fasttrack.access(x, access, view, &mut |earlier| {
            if let Some(pairs) = pairs {
                pairs.push((Code::CM102, earlier.index(), access.index()));
            }
            let site = |a: &Access| Site::new(a.location, x.0, a.kind() as u32, names);
            let sites = [site(&earlier), site(&access)];
            groups.add(Code::CM102, sites, x.0, || {
                data_race(hb, x, &earlier, &access, names)
            });
        });
    }

    #[inline]
    fn action(&mut self, event: &Event, action: &Action, names: &Names) -> Result<(), Misfit> {
        let (invocation, object) = self.objects.bind(action, names)?;
        let t = event.thread;
        if !object.is_alive() {
            self.hb.note(Impossible::AfterDrop(action.object));
        }
        let orders = object.orders();
        if orders {
            object.before(t, invocation, &mut self.hb);
            let look = object.looked(invocation);
            if look != Look::None {
                self.looks.look(action.object, look, t, self.index);
            }
        }
        if let Some(rd2) = &mut self.rd2 {
            let current = Current {
                epoch: self.hb.epoch(t),
                index: self.index,
                location: event.location,
                held: self.hb.held(t),
                action,
                clock: self.hb.clock(t),
            };
            let target = (&*object.compiled, object.messages);
            self.last = current.epoch;
            rd2.action(target, invocation, &current, &mut self.found);
            if !self.found.is_empty() {
                let specification = orders.then(|| object.compiled.clone());
                self.report(t, current.access(), (action, specification), names);
            }
        }
        if orders && let Some(object) = self.objects.get_mut(action.object) {
            object.after(t, invocation, &mut self.hb);
        }
        Ok(())
    }

    /// Brings into the cache what the next events will need: waits that do not
    /// depend on each other overlap.
    fn look_ahead(&self, events: &[Event]) {
        if let Some(fasttrack) = &self.fasttrack
            && fasttrack.is_large()
        {
            let variables = events.iter().filter_map(|event| match event.op {
                Op::Read(x) | Op::Write(x) => Some(x),
                _ => None,
            });
            std::hint::black_box(fasttrack.touch(variables));
        }
        // Actions come from the cache of the processor that read them.
        if self.rd2.is_some() {
            let parts = events.iter().map(|event| match &event.op {
                Op::Action(action) => action.args.len() ^ usize::from(action.result.is_some()),
                _ => 0,
            });
            std::hint::black_box(parts.fold(0, |sum, part| sum ^ part));
        }
    }

    /// `synchronises` is the type of an object that orders threads.
    #[cold]
    fn report(
        &mut self,
        t: ThreadId,
        access: Access,
        (action, synchronises): (&Action, Option<Arc<CompiledSpecification>>),
        names: &Names,
    ) {
        for race in std::mem::take(&mut self.found) {
            let earlier = &race.earlier;
            let pair = (earlier.access.index(), access.index());
            let site = |access: &Access, action: &Action| {
                Site::new(access.location, action.object.0, action.method.0, names)
            };
            let sites = [
                site(&earlier.access, &earlier.action),
                site(&access, action),
            ];
            let (hb, objects) = (&self.hb, &self.objects);
            let build = || {
                let action = action.clone();
                let current = ActionAccess { access, action };
                commutativity_race(hb, objects, &race, &current, names)
            };
            let relation = { synchronises.as_ref() }.map_or(Relation::Other, |s| {
                relation_of(s, &earlier.action, action, names)
            });
            let look = match relation {
                Relation::Synchronisation => continue,
                Relation::Look { earlier: false } => Some((t, pair.1)),
                Relation::Look { earlier: true } => Some((hb.thread(earlier.access.epoch), pair.0)),
                Relation::Other => None,
            };
            match look {
                Some((looker, index)) => {
                    if self.looks.is_last(action.object, looker, index) {
                        self.looks.hold(action.object, sites, pair, build);
                    }
                }
                None => {
                    if let Some(pairs) = &mut self.pairs {
                        pairs.push((Code::CM101, pair.0, pair.1));
                    }
                    self.groups.add(Code::CM101, sites, action.object.0, build);
                }
            }
        }
    }

    /// Nobody will look into a channel again.
    fn tell_looks(&mut self, object: ObjectId) {
        for undecided in self.looks.end(object) {
            let Undecided {
                sites,
                finding,
                pairs: told,
            } = undecided;
            if let Some(pairs) = &mut self.pairs {
                pairs.extend(told.iter().map(|&(a, b)| (Code::CM101, a, b)));
            }
            for _ in told {
                let build = || finding.clone();
                self.groups.add(Code::CM101, sites, object.0, build);
            }
        }
    }
}

/// What two actions on an object of this type are to each other.
fn relation_of(
    compiled: &CompiledSpecification,
    earlier: &Action,
    later: &Action,
    names: &Names,
) -> Relation {
    let specification = &compiled.specification;
    match (
        bind(specification, earlier, names),
        bind(specification, later, names),
    ) {
        (Some(earlier), Some(later)) => {
            relation(specification, Earlier::of(specification, earlier), later)
        }
        _ => Relation::Other,
    }
}

fn bind<'a>(
    specification: &Specification,
    action: &'a Action,
    names: &Names,
) -> Option<Invocation<'a>> {
    let method = specification.method(&names.methods.name(action.method).to_string())?;
    Invocation::bind(method, &specification.methods[method], action).ok()
}

impl Pass for Races {
    fn steps(&mut self, events: &[Event], names: &Names) -> Result<(), EventError> {
        let first = self.index + 1;
        for (i, chunk) in events.chunks(AHEAD).enumerate() {
            self.look_ahead(chunk);
            if self.fasttrack.is_some() {
                self.hb.settle();
            }
            let mut rest = chunk;
            loop {
                let repeats = self.repeats(rest);
                self.index += repeats as u64;
                let Some((event, others)) = rest[repeats..].split_first() else {
                    break;
                };
                if let Err(misfit) = self.event(event, names) {
                    self.index -= 1;
                    return Err(misfit.at(i * AHEAD + chunk.len() - others.len() - 1));
                }
                rest = others;
            }
            if let Some(excess) = self.hb.excess() {
                return Err(excess.error(first));
            }
        }
        Ok(())
    }

    fn finish(&mut self, names: &Names, sink: &mut dyn Sink) {
        for object in self.looks.left() {
            self.tell_looks(object);
        }
        self.groups.finish(names, sink);
    }
}
