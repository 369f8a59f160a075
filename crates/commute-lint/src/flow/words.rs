//! What was found, in words.

use crate::flow::access::{Access, RegionInfo, Trail};
use crate::flow::keys::Key;
use crate::flow::path::{Hop, Root};
use crate::flow::runners::{Deeds, Variable};
use crate::flow::stale::Stale;
use crate::flow::torn::Torn;
use crate::flow::walk::Followed;
use crate::flow::way::Step;
use crate::flow::world::World;
use crate::ir::{FieldId, FunctionId, Site};
use crate::violation::{Kind, Stop, Violation};

/// More lines of a value's way are not shown.
const STEPS: usize = 3;

pub(crate) struct Words<'a, 'p> {
    pub(crate) world: &'a World<'p>,
    pub(crate) deeds: &'a Deeds,
}

impl Words<'_, '_> {
    /// A variable as the source writes it: `Cache.entries`.
    pub(crate) fn variable(&self, variable: &Variable) -> String {
        if !self.world.program.guarded
            && let [Hop::Field(field)] = variable.part[..]
        {
            return self.key(Key::Field(field));
        }
        let mut text = self.key(variable.key);
        for hop in &variable.part {
            if let Hop::Field(field) = hop {
                text.push('.');
                text.push_str(&self.world.program.fields[field.index()].name);
            }
        }
        text
    }

    /// What closures have caught: it may have a name elsewhere.
    fn captured(&self, key: Key) -> String {
        let mut fields = self.world.program.fields.iter().zip(0..);
        let named = fields.find(|(field, number)| {
            let is_name = !field.class.starts_with(['{', '(']);
            is_name && self.world.keys.find(Key::Field(FieldId(*number))) == key
        });
        named.map_or("a captured lock".to_owned(), |(field, _)| field.to_string())
    }

    fn key(&self, key: Key) -> String {
        match key {
            Key::Field(field) => {
                let field = &self.world.program.fields[field.index()];
                match field.class.starts_with(['{', '(']) {
                    true => self.captured(self.world.keys.find(key)),
                    false => field.to_string(),
                }
            }
            Key::Root(Root::Static(text)) => {
                let name = self.world.paths.name(text);
                name.rsplit("::").next().unwrap_or(name).to_owned()
            }
            Key::Root(Root::New(spot)) => {
                let function = self.world.program.function(spot.function);
                format!("a lock of `{}`", function.name)
            }
            Key::Root(_) => "a local lock".to_owned(),
            Key::Parameter(function, number) => {
                let function = self.world.program.function(function);
                let name = function.locals.get(number as usize);
                name.and_then(|variable| variable.name.clone())
                    .unwrap_or_else(|| "a parameter".to_owned())
            }
        }
    }

    fn runner(&self, number: usize) -> String {
        let runner = &self.deeds.runners[number];
        let closure = (runner.name.split_once("::{")).or(runner.name.split_once("$$Lambda$"));
        match closure {
            Some((outer, _)) => format!("a thread or closure of `{outer}`"),
            None => format!("`{}`", runner.name),
        }
    }

    fn stop(&self, trail: &Trail, what: String) -> Stop {
        let (function, site) = trail[0];
        self.stop_at(function, site, what)
    }

    fn stop_at(&self, function: FunctionId, site: Site, what: String) -> Stop {
        Stop {
            site,
            function: self.world.program.function(function).name.clone(),
            what,
        }
    }

    /// In which function of the trail the access itself is.
    fn inner(&self, trail: &Trail) -> String {
        match trail.last() {
            Some((function, _)) => self.world.program.function(*function).name.clone(),
            None => String::new(),
        }
    }

    /// The function whose region an access is in.
    fn region(&self, followed: &Followed, access: &Access) -> String {
        let region = access.region.map(|region| region.0 as usize);
        match region.map(|region| &followed.regions[region]) {
            Some(region) if !region.single => self.inner(&region.trail),
            _ => self.inner(&access.trail),
        }
    }

    /// Where the regions of two accesses begin, seen from the function itself.
    fn between(&self, followed: &Followed, one: &Access, two: &Access) -> Option<(Site, Site)> {
        let begin = |access: &Access| {
            let region = &followed.regions[access.region?.0 as usize];
            region.trail.first().map(|(_, site)| *site)
        };
        Some((begin(one)?, begin(two)?))
    }

    fn via(&self, access: &Access) -> String {
        let inner = self.inner(&access.trail);
        let own = self.world.program.function(access.trail[0].0).name.as_str();
        if access.trail.len() < 2 || inner.starts_with(own) {
            return String::new();
        }
        format!(" in `{inner}`")
    }

    pub(crate) fn stale(&self, followed: &Followed, stale: &Stale) -> Violation {
        let first = &followed.accesses[stale.first];
        let second = &followed.accesses[stale.second];
        let name = self.variable(&stale.variable);
        let written = stale.written.as_ref().map(|other| self.variable(other));
        let title = match (stale.kind, &written) {
            (Kind::StaleValue, Some(other)) => {
                format!("a value of `{name}` may be out of date when `{other}` is written")
            }
            (Kind::StaleCheck, Some(other)) => {
                format!("`{name}` may change between the check and the change of `{other}`")
            }
            (Kind::StaleValue, None) => {
                format!("a value of `{name}` may be out of date when it is written back")
            }
            (Kind::StaleCheck, None) => {
                format!("`{name}` may change between the check and the action")
            }
            (Kind::StaleRead, _) => {
                format!("an index or key from `{name}` may be out of date when it is used")
            }
            _ => format!("`{name}` is checked, but something else is changed"),
        };
        let mut path = vec![self.stop(
            &first.trail,
            format!("`{name}` is read here{}", self.via(first)),
        )];
        if let Some(end) = self.end(followed, first, &path[0]) {
            path.push(end);
        }
        let single = |access: &Access| {
            let region = access.region.map(|region| region.0 as usize);
            region.is_some_and(|region| followed.regions[region].single)
        };
        let by = match single(first) && single(second) {
            true => "in a second operation",
            false => "under a second lock",
        };
        path.extend(self.way(followed, stale));
        let done = match (stale.kind, &written) {
            (Kind::StaleValue, None) => "written back here".to_owned(),
            (Kind::StaleValue | Kind::StaleCheck, Some(other)) => {
                format!("`{other}` is written here")
            }
            (Kind::StaleRead, _) => "used here".to_owned(),
            _ => "acted upon here".to_owned(),
        };
        path.push(self.stop(&second.trail, format!("{done}{}, {by}", self.via(second))));
        let others = match stale.other {
            Some(number) => {
                let done = &self.deeds.all[number];
                let (function, site) = done.trail[done.trail.len() - 1];
                let what = match second.trail.last() == Some(&(function, site)) {
                    true => "another thread may do the same in between".to_owned(),
                    false => format!("{} may change it in between", self.runner(done.runner)),
                };
                vec![self.stop_at(function, site, what)]
            }
            None => {
                let (function, site) = second.trail[second.trail.len() - 1];
                let what = "another thread may do the same in between".to_owned();
                vec![self.stop_at(function, site, what)]
            }
        };
        let why = match stale.kind {
            Kind::StaleValue if single(first) && single(second) => {
                "two operations, each atomic, are not atomic together: what others write in between is lost"
            }
            Kind::StaleCheck if single(first) && single(second) => {
                "two operations, each atomic, are not atomic together: when it acts, the answer may be another"
            }
            Kind::StaleValue if written.is_some() => {
                "the lock is not held between the read and the write: what is written may not fit what is there now"
            }
            Kind::StaleValue => {
                "the lock is not held between the read and the write: what others write in between is lost"
            }
            Kind::StaleCheck => {
                "the lock is not held between the check and the action: when it acts, the answer may be another"
            }
            Kind::StaleRead => {
                "the lock is not held between the two: when the index or key is used, the element may have moved or gone"
            }
            _ => "the object that was checked may change before the other is",
        };
        let also = stale.also.iter().map(|(first, second)| {
            let region = |number: &usize| self.region(followed, &followed.accesses[*number]);
            (region(first), region(second))
        });
        Violation {
            also: also.collect(),
            between: self.between(followed, first, second),
            kind: stale.kind,
            confidence: stale.confidence,
            variable: name,
            title,
            written,
            regions: (self.region(followed, first), self.region(followed, second)),
            help: self.help(followed, first, second),
            path,
            others,
            why: why.to_owned(),
        }
    }

    /// The lines that the value travels through between the two.
    fn way(&self, followed: &Followed, stale: &Stale) -> Vec<Stop> {
        let place = |number: usize| followed.accesses[number].trail[0];
        let ((function, first), (_, second)) = (place(stale.first), place(stale.second));
        let way = followed.ways.get(&(stale.first as u32));
        let between = way
            .into_iter()
            .flatten()
            .filter(|(site, _)| first.line < site.line && site.line < second.line);
        let mut stops: Vec<Stop> = Vec::new();
        for (site, step) in between {
            let what = match step {
                Step::Named(name) => format!("it travels in `{name}`"),
                Step::Decides => "it decides here".to_owned(),
            };
            let seen = |stop: &Stop| stop.site.line == site.line;
            if stops.len() < STEPS && !stops.iter().any(seen) {
                stops.push(self.stop_at(function, *site, what));
            }
        }
        stops
    }

    fn end(&self, followed: &Followed, access: &Access, before: &Stop) -> Option<Stop> {
        let info: &RegionInfo = &followed.regions[access.region?.0 as usize];
        if info.single || info.trail.len() > 1 {
            return None;
        }
        let site = info.ends.iter().find(|site| **site >= before.site)?;
        let (function, _) = info.trail[0];
        Some(self.stop_at(function, *site, "the lock is released here".to_owned()))
    }

    fn help(&self, followed: &Followed, first: &Access, second: &Access) -> String {
        let lines = (first.trail[0].1.line, second.trail[0].1.line);
        let over = match lines {
            (first, second) if first == 0 || second < first => "both".to_owned(),
            (first, second) if first == second => format!("line {first}"),
            (first, second) => format!("lines {first}-{second}"),
        };
        if !self.world.program.guarded {
            return self.help_java(first, second, &over);
        }
        let region = second.region.map(|region| region.0 as usize);
        let single = region.is_some_and(|region| followed.regions[region].single);
        let operation = second.operation.as_ref();
        match operation.map(|operation| (operation.spec, operation.method)) {
            Some((Some("atomic"), _)) => {
                "use one atomic operation: `compare_exchange`, `fetch_update` or `fetch_add`"
                    .to_owned()
            }
            Some((Some("map"), "insert")) if single => {
                "use `entry`, which looks and acts at once".to_owned()
            }
            Some((Some("map"), "remove")) if single => {
                "use `remove_if` or `entry`, which look and act at once".to_owned()
            }
            Some((Some("map"), "insert")) => format!(
                "hold one guard over {over} (then `entry` does both), or look again under the second lock"
            ),
            Some(_) if single => {
                format!("do both in one operation, or hold a lock that all use over {over}")
            }
            _ => format!("hold one guard over {over}, or look again under the second lock"),
        }
    }

    /// The same in the words of Java.
    fn help_java(&self, first: &Access, second: &Access, over: &str) -> String {
        let otherwise = format!("hold one lock (`synchronized`) over {over}");
        let operation = second.operation.as_ref();
        let together = match operation.map(|operation| (operation.spec, operation.method)) {
            Some((Some("atomic"), _)) => {
                "use one atomic operation: `compareAndSet`, `updateAndGet` or `incrementAndGet`"
            }
            Some((Some("map"), "insert" | "insert_")) if self.same_object(first, second) => {
                "use `putIfAbsent`, `computeIfAbsent`, `compute` or `merge`"
            }
            Some((Some("map"), "remove" | "remove_")) if self.same_object(first, second) => {
                "use `remove(key, value)` or `computeIfPresent`"
            }
            None if self.is_volatile(second) => {
                "use an atomic (`compareAndSet`) instead of `volatile`"
            }
            _ => return format!("{otherwise}, or look again under the second lock"),
        };
        format!("{together}, or {otherwise}")
    }

    fn same_object(&self, first: &Access, second: &Access) -> bool {
        first.path == second.path
    }

    fn is_volatile(&self, access: &Access) -> bool {
        match self.world.paths.last(access.path) {
            Some(Hop::Field(field)) => self.world.program.volatile.contains(&field),
            _ => false,
        }
    }

    pub(crate) fn torn(&self, followed: &Followed, torn: &Torn) -> Violation {
        let first = &followed.accesses[torn.first];
        let second = &followed.accesses[torn.second];
        let names = (
            self.variable(&torn.variables.0),
            self.variable(&torn.variables.1),
        );
        let (done, other) = match torn.kind {
            Kind::TornRead => ("read", "writes"),
            _ => ("written", "reads"),
        };
        let path = vec![
            self.stop(
                &first.trail,
                format!("`{}` is {done} here{}", names.0, self.via(first)),
            ),
            self.stop(
                &second.trail,
                format!(
                    "`{}` is {done} here{}, under another lock",
                    names.1,
                    self.via(second)
                ),
            ),
        ];
        let deeds = [torn.others.0, torn.others.1];
        let others = deeds
            .iter()
            .map(|number| {
                let done = &self.deeds.all[*number];
                let (function, site) = done.trail[done.trail.len() - 1];
                let who = self.runner(done.runner);
                self.stop_at(function, site, format!("{who} {other} both under one lock"))
            })
            .collect();
        Violation {
            also: Vec::new(),
            between: self.between(followed, first, second),
            kind: torn.kind,
            confidence: torn.confidence,
            title: format!(
                "`{}` and `{}` belong together, but are {done} one after the other",
                names.0, names.1
            ),
            variable: names.0,
            written: None,
            regions: (self.region(followed, first), self.region(followed, second)),
            path,
            others,
            why: format!("another thread {other} both at once, and may do so between the two"),
            help: self.help(followed, first, second),
        }
    }
}
