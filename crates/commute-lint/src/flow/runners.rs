//! Who runs, and what each of them does with shared memory.

use std::collections::{BTreeMap, BTreeSet};

use rustc_hash::{FxHashMap, FxHashSet};

use crate::flow::access::{Access, RegionInfo, Trail};
use crate::flow::beginning::Beginning;
use crate::flow::conflict::Act;
use crate::flow::futures::{awaited, is_made};
use crate::flow::keys::{Key, Keys};
use crate::flow::path::{Hop, Hops, PathId, Root};
use crate::flow::published::{is_caught_elsewhere, is_published, published};
use crate::flow::value::Set;
use crate::flow::walk::Followed;
use crate::flow::world::World;
use crate::ir::{FieldId, FunctionId, Local, Mode, Site, TypeKind};
use crate::options::Options;
use crate::suppression::Suppression;

/// So many calls deep an access is near who calls.
const NEAR: usize = 2;

/// A variable: a lock or an object, and the part of it.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) struct Variable {
    pub(crate) key: Key,
    pub(crate) part: Hops,
}

impl Variable {
    /// Whether one is the other, or a part of it.
    pub(crate) fn overlaps(&self, other: &Variable) -> bool {
        let length = self.part.len().min(other.part.len());
        self.key == other.key && self.part[..length] == other.part[..length]
    }
}

/// Something that runs.
#[derive(Clone, Debug)]
pub(crate) struct Runner {
    pub(crate) name: String,
    /// The process it belongs to.
    pub(crate) process: usize,
    pub(crate) several: bool,
    pub(crate) is_thread: bool,
    /// Whether one run of the process starts several of this thread.
    pub(crate) often: bool,
    /// Functions that start only one of this thread each time they run.
    pub(crate) once_in: Vec<FunctionId>,
    /// Whether nobody was seen to run it.
    pub(crate) guessed: bool,
    /// Whether it is a future that is made by a function, which says what it
    /// catches: it runs once.
    pub(crate) is_future: bool,
    /// What it begins with, if two runs of that have two objects.
    confined: Option<FunctionId>,
}

/// What a runner does.
#[derive(Clone, Debug)]
pub(crate) struct Done {
    pub(crate) runner: usize,
    pub(crate) variable: Variable,
    /// Whether the process made the object itself.
    pub(crate) private: bool,
    /// Where it made it, and the way from there to the lock.
    made: Option<(Root, Hops)>,
    /// The function that made it, then.
    pub(crate) made_in: Option<FunctionId>,
    /// Whether a thread uses what its process made and put into a structure:
    /// who has that has it, too.
    pub(crate) published: bool,
    pub(crate) act: Act,
    /// Locks that are held, and how.
    pub(crate) held: Vec<(Key, Mode)>,
    /// The regions of these locks, in the same order.
    pub(crate) within: Set<crate::flow::value::Region>,
    /// For each of them, how many calls deep it was taken: 1 is the runner's
    /// own body.
    pub(crate) depths: Vec<usize>,
    /// The runners that have been started by then, and those that may still
    /// run, if it is none that the process started.
    started: Vec<usize>,
    running: Vec<usize>,
    /// The region, told apart from others of the runner.
    pub(crate) region: Option<u32>,
    pub(crate) trail: Trail,
    /// Whether it is a field of the object that the runner begins with, or of
    /// one that it made.
    direct: bool,
}

/// All that is done.
pub(crate) struct Deeds {
    options: Options,
    pub(crate) runners: Vec<Runner>,
    pub(crate) all: Vec<Done>,
    /// By the lock or object.
    pub(crate) by_key: FxHashMap<Key, Vec<usize>>,
    /// What writes, by the lock or object. Of what is done alike by many, two
    /// are enough: one of them is not who asks.
    pub(crate) writers: FxHashMap<Key, Vec<usize>>,
    /// Fields of closures.
    caught: BTreeSet<FieldId>,
    /// What somebody reads in one region and computes with together.
    pub(crate) combined: BTreeSet<(Variable, Variable)>,
    /// By the runner and its region.
    pub(crate) by_region: FxHashMap<(usize, u32), Vec<usize>>,
    /// By each function and place on the way there.
    pub(crate) by_place: FxHashMap<(FunctionId, Site), Vec<usize>>,
}

fn combined(world: &World<'_>, followed: &[Followed]) -> BTreeSet<(Variable, Variable)> {
    let pairs = (0..).zip(followed).flat_map(|(number, followed)| {
        let variable = move |path: PathId| variable(world, FunctionId(number), path);
        let pair = move |(a, b): &(PathId, PathId)| variable(*a).zip(variable(*b));
        followed.combined.iter().filter_map(pair)
    });
    pairs.collect()
}

impl Deeds {
    pub(crate) fn collect(world: &World<'_>, followed: &[Followed]) -> Deeds {
        let mut deeds = Deeds {
            options: world.options,
            runners: Vec::new(),
            all: Vec::new(),
            by_key: FxHashMap::default(),
            by_region: FxHashMap::default(),
            writers: FxHashMap::default(),
            caught: caught(world),
            combined: combined(world, followed),
            by_place: FxHashMap::default(),
        };
        let program = world.program;
        for (process, root) in program.processes.iter().enumerate() {
            deeds.process(
                world,
                followed,
                process,
                root.function,
                &root.name,
                root.several,
            );
        }
        // Closures that nobody was seen to call: somebody calls them.
        let seen: BTreeSet<FunctionId> = deeds
            .all
            .iter()
            .flat_map(|done| done.trail.iter().map(|(function, _)| *function))
            .collect();
        let bodies: BTreeSet<FunctionId> = program.bodies.values().copied().collect();
        let next = program.processes.len();
        let awaited = awaited(program);
        let started = started(world, followed);
        let unseen = bodies.difference(&seen);
        let unseen = unseen.filter(|body| {
            let name = program.function(**body).name.as_str();
            started.contains_key(body) || !awaited.contains(name)
        });
        // Who calls an `async` function awaits what it gives.
        let given = program.processes.iter().flat_map(|root| {
            let summary = world.summary(root.function);
            summary.map_or_else(Set::new, |summary| summary.result.futures.clone())
        });
        let given: BTreeSet<FunctionId> = given.collect();
        let all: BTreeSet<FunctionId> = unseen.chain(&given).copied().collect();
        for (process, body) in (next..).zip(all) {
            let name = program.function(body).name.clone();
            let own = deeds.runners.len();
            let several = started.get(&body).copied().unwrap_or(true);
            deeds.process(world, followed, process, body, &name, several);
            deeds.runners[own].guessed = !given.contains(&body);
        }
        deeds.writers = deeds.writers();
        deeds
    }

    fn writers(&self) -> FxHashMap<Key, Vec<usize>> {
        let mut alike: BTreeMap<_, BTreeSet<usize>> = BTreeMap::new();
        let mut writers: FxHashMap<Key, Vec<usize>> = FxHashMap::default();
        // order: each list is filled in the order of its own key's list.
        for (key, numbers) in &self.by_key {
            for number in numbers {
                let done = &self.all[*number];
                if !done.act.writes {
                    continue;
                }
                let runner = &self.runners[done.runner];
                let act = &done.act;
                let kind = (
                    &done.variable,
                    (act.reads, act.tested, &act.operation),
                    (&act.key, &act.value),
                    &done.held,
                    (
                        (runner.guessed, done.published),
                        done.made.as_ref().map(|made| (made, runner.process)),
                    ),
                );
                let runners = alike.entry(kind).or_default();
                let enough = runners.len() >= 2 && !done.private;
                if !enough && runners.insert(done.runner) {
                    writers.entry(*key).or_default().push(*number);
                }
            }
        }
        writers
    }

    fn process(
        &mut self,
        world: &World<'_>,
        followed: &[Followed],
        process: usize,
        root: FunctionId,
        name: &str,
        several: bool,
    ) {
        let root_followed = &followed[root.index()];
        let own = self.runners.len();
        let confined = |body| world.program.confined.get(&body).copied();
        self.runners.push(Runner {
            name: name.to_owned(),
            process,
            several,
            is_thread: false,
            often: false,
            once_in: Vec::new(),
            guessed: false,
            is_future: is_made(world.program, root),
            confined: confined(root),
        });
        for thread in &root_followed.threads {
            let body = &world.program.function(thread.body).name;
            self.runners.push(Runner {
                name: body.clone(),
                process,
                several: thread.several || several,
                is_thread: true,
                often: thread.several,
                once_in: thread.once_in.clone(),
                guessed: false,
                is_future: false,
                confined: confined(thread.body),
            });
        }
        let published = published(world, root, root_followed);
        let main = name.ends_with(".main") || name.contains(".main(");
        let alone = !world.program.guarded && !several && main;
        let beginning = alone.then(|| Beginning::of(world.program, root));
        let mut alikes = FxHashSet::default();
        for (place, access) in root_followed.accesses.iter().enumerate() {
            let runner = match access.thread {
                None => own,
                Some(thread) => own + 1 + thread as usize,
            };
            let Some(variable) = variable(world, root, access.path) else {
                continue;
            };
            if access.region.is_none() {
                continue;
            }
            if is_another(world, access, &root_followed.regions) {
                continue;
            }
            let spot = root_followed.spots[place];
            if (beginning.as_ref()).is_some_and(|beginning| beginning.covers(spot)) {
                continue;
            }
            if access.thread.is_none() && is_alone(world, root, access.path) {
                continue;
            }
            let runners = |threads: &[u32]| {
                let threads = threads.iter();
                threads.map(|thread| own + 1 + *thread as usize).collect()
            };
            let lock = world.paths.lock_of(access.path).unwrap_or(access.path);
            let made = Some(world.paths.split(lock))
                .filter(|(root, _)| matches!(root, Root::New(_) | Root::Local(_)));
            let made_in = match world.paths.root_of(access.path) {
                Root::New(spot) => Some(spot.function),
                Root::Local(_) => Some(root),
                _ => None,
            };
            let done = Done {
                runner,
                private: made.is_some(),
                made,
                made_in,
                published: access.thread.is_some()
                    && made_in.is_some()
                    && (is_published(world, &published, access.path)
                        || is_caught_elsewhere(world, root_followed, &published, access.path)),
                act: Act {
                    tested: access.tested || root_followed.returned.contains(&(place as u32)),
                    ..act(access)
                },
                held: held(world, root, &access.held, &root_followed.regions),
                within: access.held.clone(),
                depths: access
                    .held
                    .iter()
                    .map(|region| root_followed.regions[region.0 as usize].trail.len())
                    .collect(),
                region: access.region.map(|region| region.0),
                trail: access.trail.clone(),
                direct: is_direct(world, access.path),
                variable,
                started: runners(&access.threads.started),
                running: runners(&access.threads.running),
            };
            let number = self.all.len();
            // Of what does the same, one is enough to come between others.
            let alike = (
                runner,
                done.variable.clone(),
                (access.reads, access.writes, done.act.tested),
                (access.operation.clone(), access.value.clone()),
                done.held.clone(),
                (done.region, done.made.clone()),
            );
            if alikes.insert(alike) {
                let numbers = self.by_key.entry(done.variable.key).or_default();
                numbers.push(number);
                if let Some(region) = done.region {
                    let numbers = self.by_region.entry((runner, region)).or_default();
                    numbers.push(number);
                }
            }
            for place in access.trail.iter() {
                let numbers = self.by_place.entry(*place).or_default();
                if numbers.last() != Some(&number) {
                    numbers.push(number);
                }
            }
            self.all.push(done);
        }
    }

    /// Locks that the callers of a function hold while it runs: what is done
    /// has a trail that ends with the function's own.
    pub(crate) fn of_callers(&self, done: usize, own: usize) -> Vec<(Key, Mode)> {
        let done = &self.all[done];
        let callers = done.trail.len().saturating_sub(own);
        let taken = done.held.iter().zip(&done.depths);
        taken
            .filter(|(_, depth)| **depth <= callers)
            .map(|(held, _)| *held)
            .collect()
    }

    /// Whether what another does may come between what this one does.
    pub(crate) fn may_interfere(&self, mine: usize, other: usize) -> bool {
        let (mine, other) = (&self.all[mine], &self.all[other]);
        let (a, b) = (&self.runners[mine.runner], &self.runners[other.runner]);
        // A thread, and what its process does before it starts or after it
        // ended.
        if self.is_one_run(mine, other)
            && (a.is_thread && !b.is_thread)
            && !other.running.contains(&mine.runner)
        {
            return false;
        }
        // Made in two places: two things.
        if let (Some((here, way)), Some((there, same))) = (&mine.made, &other.made)
            && (here != there && way == same)
            && self.options.receivers
        {
            return false;
        }
        // Each has the object for itself.
        if a.confined.is_some() && a.confined == b.confined && mine.direct && other.direct {
            return false;
        }
        // What a process made for itself, another run of it does not have.
        if (mine.private || other.private) && self.options.applies(Suppression::Private) {
            if a.process != b.process {
                return mine.published && !other.private || other.published && !mine.private;
            }
            return match mine.runner == other.runner {
                // Each run of the function that made it has its own.
                true => {
                    let once = |made: &FunctionId| a.once_in.contains(made);
                    a.is_thread && a.often && !mine.made_in.as_ref().is_some_and(once)
                }
                false => a.is_thread || b.is_thread,
            };
        }
        // A future runs once, and has what it caught for itself.
        let caught = matches!(mine.variable.key, Key::Field(field) if self.caught.contains(&field));
        if mine.runner == other.runner
            && (a.is_future && caught)
            && self.options.applies(Suppression::Private)
        {
            return false;
        }
        mine.runner != other.runner || a.several || !self.options.applies(Suppression::Once)
    }

    /// Whether two that are not of one runner are of one run of a process.
    fn is_one_run(&self, mine: &Done, other: &Done) -> bool {
        let (a, b) = (&self.runners[mine.runner], &self.runners[other.runner]);
        let several = [a, b].iter().all(|runner| runner.several);
        self.options.applies(Suppression::Ended)
            && (a.process == b.process && mine.runner != other.runner)
            && (mine.private || other.private || !several)
    }

    /// Whether a thread does not run while its process does one thing and then
    /// another: it has ended before, or is started afterwards.
    pub(crate) fn is_over(
        &self,
        first: usize,
        second: impl FnOnce() -> Vec<usize>,
        other: usize,
    ) -> bool {
        let (first, thread) = (&self.all[first], &self.all[other]);
        let runner = thread.runner;
        let (a, b) = (&self.runners[first.runner], &self.runners[runner]);
        let apart = (!a.is_thread && b.is_thread)
            && self.is_one_run(first, thread)
            && !first.running.contains(&runner);
        if !apart {
            return false;
        }
        let second = second();
        let mut second = second
            .iter()
            .map(|number| &self.all[*number])
            .filter(|done| done.runner == first.runner)
            .peekable();
        second.peek().is_some()
            && (first.started.contains(&runner)
                || second.all(|done| !done.started.contains(&runner)))
    }
}

/// Whether an access is that of another process, which this one only calls,
/// without a lock: it is told there. Not if it is near: who calls may have
/// it in a pair.
pub(crate) fn is_another(world: &World<'_>, access: &Access, regions: &[RegionInfo]) -> bool {
    let depth = |region: &crate::flow::value::Region| regions[region.0 as usize].trail.len();
    let outermost = access.held.iter().map(depth).min().unwrap_or(usize::MAX);
    let far = access.trail.len().saturating_sub(NEAR).min(outermost);
    let mut called = access.trail.iter().take(far).skip(1);
    !world.program.guarded && called.any(|(function, _)| world.open.contains(function))
}

/// Whether a path is a field of what it begins with, and of the first parameter
/// if it is one of a parameter.
fn is_direct(world: &World<'_>, path: PathId) -> bool {
    let (root, hops) = world.paths.split(path);
    let own = match root {
        Root::Parameter(local) => local == Local(1),
        Root::Local(_) | Root::New(_) => true,
        Root::Static(_) | Root::Constant(_) => false,
    };
    own && match hops[..] {
        [Hop::Field(_)] => true,
        [Hop::Field(field), Hop::Content] => world.program.parts.contains(&field),
        _ => false,
    }
}

/// Fields of closures, but not of those that are given what a structure has.
fn caught(world: &World<'_>) -> BTreeSet<FieldId> {
    let fields = world.program.fields.iter().zip(0..);
    let (closures, others): (Vec<_>, Vec<_>) =
        fields.partition(|(field, _)| field.class.starts_with('{'));
    let named = |(_, number): (_, u32)| world.keys.find(Key::Field(FieldId(number)));
    let others: BTreeSet<Key> = others.into_iter().map(named).collect();
    let closures = closures.into_iter().map(|(_, number)| FieldId(number));
    closures
        .filter(|field| !others.contains(&world.keys.find(Key::Field(*field))))
        .collect()
}

/// Bodies of threads, and whether one run starts several of them.
fn started(world: &World<'_>, followed: &[Followed]) -> BTreeMap<FunctionId, bool> {
    let mut started: BTreeMap<FunctionId, bool> = BTreeMap::new();
    let roots = world.program.processes.iter();
    for thread in roots.flat_map(|root| &followed[root.function.index()].threads) {
        *started.entry(thread.body).or_default() |= thread.several;
    }
    started
}

pub(crate) fn act(access: &Access) -> Act {
    Act {
        reads: access.reads,
        writes: access.writes,
        operation: access.operation.clone(),
        key: access.key.clone(),
        value: access.value.clone(),
        tested: access.tested,
    }
}

/// The variable at a path, in a function.
pub(crate) fn variable(world: &World<'_>, function: FunctionId, path: PathId) -> Option<Variable> {
    let paths = &world.paths;
    if !world.program.guarded {
        // (class, field): elements belong to their array, and what is in a
        // collection to the field that holds it.
        let mut at = path;
        while let (Some(Hop::Content), Some(before)) = (paths.last(at), paths.before(at)) {
            at = before;
        }
        let key = Keys::of(world, at, function);
        // The reference is a part of it, and the object is all of it.
        let part = match paths.last(path) {
            Some(field @ Hop::Field(_)) => Hops::from_slice(&[field]),
            _ => Hops::new(),
        };
        return matches!(key, Key::Field(_)).then(|| Variable {
            key: world.keys.find(key),
            part,
        });
    }
    let lock = paths.lock_of(path)?;
    let key = world.keys.find(Keys::of(world, lock, function));
    let mut part = paths.after(path, lock);
    part.remove(0);
    Some(Variable { key, part })
}

pub(crate) fn held(
    world: &World<'_>,
    function: FunctionId,
    regions: &Set<crate::flow::value::Region>,
    infos: &[RegionInfo],
) -> Vec<(Key, Mode)> {
    regions
        .iter()
        .map(|region| {
            let info = &infos[region.0 as usize];
            let key = Keys::of(world, info.lock, function);
            (world.keys.find(key), info.mode)
        })
        .collect()
}

/// Whether a parameter is the structure itself that has this field, not a
/// pointer to it.
fn is_structure(world: &World<'_>, ty: &str, first: Option<&Hop>) -> bool {
    let Some(Hop::Field(field)) = first else {
        return false;
    };
    let name = ty.split('<').next().unwrap_or(ty);
    let class = &world.program.fields[field.index()].class;
    !name.starts_with(['&', '*', '{']) && name.rsplit("::").next() == class.rsplit("::").next()
}

/// Whether the function has the memory for itself: it owns it or has it
/// through `&mut`, and no shared pointer is on the way.
pub(crate) fn is_alone(world: &World<'_>, function: FunctionId, path: PathId) -> bool {
    // Elsewhere everybody may have a reference.
    if !world.program.guarded || !world.applies(Suppression::Owner) {
        return false;
    }
    let (root, hops) = world.paths.split(path);
    let Root::Parameter(Local(number)) = root else {
        return false;
    };
    let body = world.program.function(function);
    let Some(variable) = body.locals.get(number as usize) else {
        return false;
    };
    let ty = &world.program.types[variable.ty.index()];
    let owned = match ty.kind {
        TypeKind::Mutable => !ty.name.contains("Arc<"),
        TypeKind::Other => is_structure(world, &ty.name, hops.first()),
        TypeKind::Shared | TypeKind::Scalar | TypeKind::Guard => false,
    };
    if !owned {
        return false;
    }
    !hops.iter().any(|hop| match hop {
        Hop::Field(field) => world.program.shared.binary_search(field).is_ok(),
        _ => false,
    })
}
