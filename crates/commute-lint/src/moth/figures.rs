//! Figures 4 and 5 as they are printed (MoTH, §4.1): symbolic execution of
//! syntax trees. The oracle of the analysis of control flow graphs.
//!
//! Where the print cannot be meant, the text decides: in the rules Meth Call,
//! Conditional and Loop, `(v, h) ∉ H` means that there is no version of `v` in
//! `H`, whatever its `h`; after `x := meth(y)` the version of `x` is the new
//! one (Figure 3 needs it). `(p, h?)` of a parameter is `meth.p_i`. The object
//! of a call is its first argument.
//!
//! A loop's body is looked at once, as printed, or until nothing changes.
//!
//! Cost: as the rules have it; all sets are kept as sets.

use std::collections::{BTreeMap, BTreeSet};

use crate::core_language::syntax::{
    Call, Class, Expression, Kind, Method, Position, Program, Statement,
};

/// `(x, h, m)`: no position is `h?`, no region is ⊥.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) struct Version {
    pub(crate) variable: String,
    pub(crate) hash: Option<Position>,
    pub(crate) region: Option<String>,
}

/// D.
pub(crate) type Graph = BTreeSet<(Version, Version)>;

/// H: the versions of each variable that has any.
pub(crate) type Current = BTreeMap<String, BTreeSet<Version>>;

/// How often the body of a loop is looked at.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Loops {
    /// Once, as the rules are printed.
    Once,
    /// Until nothing changes.
    Fixpoint,
}

type Key = (String, Option<String>);

/// The dependencies of a program whose processes begin with all variables
/// unknown.
pub(crate) fn dependencies(program: &Program, loops: Loops) -> Graph {
    let mut rules = Rules {
        program,
        loops,
        graph: Graph::new(),
        contexts: BTreeMap::new(),
        specs: BTreeMap::new(),
        method: String::new(),
        parameters: Vec::new(),
        region: None,
    };
    // The initial IS of a method is the union over its calls, which are known
    // only when all callers were looked at.
    loop {
        let before = rules.contexts.clone();
        rules.specs.clear();
        for process in &program.processes {
            rules.method.clone_from(&process.name);
            rules.parameters.clear();
            rules.region = None;
            rules.sequence(Current::new(), &BTreeSet::new(), &process.body);
        }
        if rules.contexts == before {
            return rules.graph;
        }
    }
}

struct Rules<'a> {
    program: &'a Program,
    loops: Loops,
    graph: Graph,
    /// The initial IS of each method in each region.
    contexts: BTreeMap<Key, BTreeSet<Version>>,
    /// `spec(meth)`.
    specs: BTreeMap<Key, Current>,
    method: String,
    parameters: Vec<String>,
    region: Option<String>,
}

type Conditions = BTreeSet<Version>;

impl<'a> Rules<'a> {
    fn version(&self, variable: String, hash: Option<Position>) -> Version {
        Version {
            variable,
            hash,
            region: self.region.clone(),
        }
    }

    fn local(&self, name: &str) -> String {
        format!("{}/{name}", self.method)
    }

    fn global(&self, field: &str) -> String {
        let has = |class: &&Class| class.fields.iter().any(|f| f.name == field);
        let class = self.program.classes.iter().find(has);
        format!("{}.{field}", class.map_or("", |class| class.name.as_str()))
    }

    /// Definition 3.
    fn ver(&self, current: &Current, variable: String) -> BTreeSet<Version> {
        if let Some(versions) = current.get(&variable) {
            return versions.clone();
        }
        let parameter = self
            .parameters
            .iter()
            .position(|p| self.local(p) == variable);
        let name = match parameter {
            Some(index) => format!("{}.p{index}", self.method),
            None => variable,
        };
        BTreeSet::from([self.version(name, None)])
    }

    fn vers(&self, current: &Current, e: &Expression) -> BTreeSet<Version> {
        let variables = e.variables().into_iter();
        variables
            .flat_map(|x| self.ver(current, self.local(x)))
            .collect()
    }

    fn depend(&mut self, from: &BTreeSet<Version>, to: &Version) {
        let edges = from.iter().map(|from| (from.clone(), to.clone()));
        self.graph.extend(edges);
    }

    /// Rule Seq.
    fn sequence(&mut self, mut current: Current, is: &Conditions, body: &[Statement]) -> Current {
        for statement in body {
            current = self.statement(current, is, statement);
        }
        current
    }

    /// The rules Assign, Heap Read, Heap Write, Allocation of both figures.
    fn assign(
        &mut self,
        mut current: Current,
        is: &Conditions,
        (variable, from): (String, BTreeSet<Version>),
        at: Position,
    ) -> Current {
        let new = self.version(variable.clone(), Some(at));
        self.depend(&from, &new);
        self.depend(is, &new);
        subs(&mut current, variable, new);
        current
    }

    fn statement(&mut self, current: Current, is: &Conditions, it: &Statement) -> Current {
        match &it.kind {
            Kind::Assign(x, e) => {
                let from = self.vers(&current, e);
                self.assign(current, is, (self.local(x), from), it.at)
            }
            Kind::HeapRead(x, access) => {
                let from = self.ver(&current, self.global(&access.field));
                self.assign(current, is, (self.local(x), from), it.at)
            }
            Kind::HeapWrite(access, e) => {
                let from = self.vers(&current, e);
                self.assign(current, is, (self.global(&access.field), from), it.at)
            }
            Kind::Allocation(x, _) => {
                self.assign(current, is, (self.local(x), BTreeSet::new()), it.at)
            }
            Kind::Call(x, call) => self.call(current, is, x.as_deref(), call, it.at),
            Kind::Conditional(e, then, otherwise) => {
                let mut inner = is.clone();
                inner.extend(self.vers(&current, e));
                let one = self.sequence(current.clone(), &inner, then);
                let other = self.sequence(current, &inner, otherwise);
                self.join(one, other)
            }
            Kind::Loop(e, body) => {
                let mut before = current.clone();
                loop {
                    let mut inner = is.clone();
                    inner.extend(self.vers(&before, e));
                    let after = self.sequence(before.clone(), &inner, body);
                    let joined = self.join(current.clone(), after);
                    if self.loops == Loops::Once || joined == before {
                        return joined;
                    }
                    before = joined;
                }
            }
            Kind::Return(e) => {
                let result = self.version(format!("{}.ret", self.method), None);
                if let Some(e) = e {
                    let from = self.vers(&current, e);
                    self.depend(&from, &result);
                    self.depend(is, &result);
                }
                current
            }
            Kind::Skip => current,
        }
    }

    /// The unions of the rules Conditional and Loop.
    fn join(&self, one: Current, other: Current) -> Current {
        let mut joined = Current::new();
        let variables: BTreeSet<&String> = one.keys().chain(other.keys()).collect();
        for variable in variables {
            let mut versions = BTreeSet::new();
            for side in [&one, &other] {
                versions.extend(self.ver(side, variable.clone()));
            }
            joined.insert(variable.clone(), versions);
        }
        joined
    }

    /// Rule Meth Call.
    fn call(
        &mut self,
        current: Current,
        is: &Conditions,
        x: Option<&str>,
        call: &Call,
        at: Position,
    ) -> Current {
        let (class, method) = self.find(&call.method);
        let name = format!("{}.{}", class.name, method.name);
        let region = match (&self.region, method.atomic) {
            (None, true) => Some(name.clone()),
            (region, _) => region.clone(),
        };
        let object = call.object.clone().unwrap_or_else(|| "this".to_owned());
        let mut arguments = vec![self.ver(&current, self.local(&object))];
        arguments.extend(call.arguments.iter().map(|e| self.vers(&current, e)));
        for (index, versions) in arguments.iter().enumerate() {
            let parameter = Version {
                variable: format!("{name}.p{index}"),
                hash: None,
                region: region.clone(),
            };
            self.depend(versions, &parameter);
        }
        let key = (name.clone(), region.clone());
        self.contexts
            .entry(key.clone())
            .or_default()
            .extend(is.iter().cloned());
        let spec = self.spec(key, method);
        let mut after = current;
        for (variable, versions) in spec {
            let unknown = versions.iter().any(|version| version.hash.is_none());
            let new = versions
                .into_iter()
                .filter(|version| version.hash.is_some());
            if unknown {
                let kept = self.ver(&after, variable.clone());
                after.insert(variable, kept.into_iter().chain(new).collect());
            } else {
                after.insert(variable, new.collect());
            }
        }
        let result = Version {
            variable: format!("{name}.ret"),
            hash: None,
            region,
        };
        match x {
            Some(x) => self.assign(after, is, (self.local(x), BTreeSet::from([result])), at),
            None => after,
        }
    }

    fn spec(&mut self, key: Key, method: &Method) -> Current {
        if let Some(known) = self.specs.get(&key) {
            return known.clone();
        }
        let mut parameters = vec!["this".to_owned()];
        parameters.extend(method.parameters.iter().map(|p| p.name.clone()));
        let outer = (
            std::mem::replace(&mut self.method, key.0.clone()),
            std::mem::replace(&mut self.parameters, parameters),
            std::mem::replace(&mut self.region, key.1.clone()),
        );
        let is = self.contexts.get(&key).cloned().unwrap_or_default();
        let left = self.sequence(Current::new(), &is, &method.body);
        (self.method, self.parameters, self.region) = outer;
        self.specs.insert(key, left.clone());
        left
    }

    fn find(&self, name: &str) -> (&'a Class, &'a Method) {
        let classes = self.program.classes.iter();
        let mut methods = classes.flat_map(|c| c.methods.iter().map(move |m| (c, m)));
        methods
            .find(|(_, method)| method.name == name)
            .expect("a method")
    }
}

/// Definition 4.
pub(crate) fn subs(current: &mut Current, variable: String, new: Version) {
    current.insert(variable, BTreeSet::from([new]));
}
