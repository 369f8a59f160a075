//! What is known of the whole program while its functions are followed,
//! callees first.

use std::collections::BTreeSet;
use std::sync::Arc;

use petgraph::Direction::Incoming;
use petgraph::graphmap::DiGraphMap;

use crate::flow::access::Summary;
use crate::flow::futures;
use crate::flow::keys::{Key, Keys};
use crate::flow::path::{Paths, Root};
use crate::flow::walk::{Followed, follow};
use crate::ir::{Callee, Effect, FieldId, FunctionId, Operand, Program, Rule, Statement};
use crate::options::Options;
use crate::suppression::Suppression;

/// Functions that call each other are followed again until nothing changes,
/// but not more often than this.
const ROUNDS: usize = 6;

/// If more of them call each other, once again has to do.
const MANY: usize = 40;

pub(crate) struct World<'p> {
    pub(crate) program: &'p Program,
    pub(crate) options: Options,
    pub(crate) paths: Paths,
    pub(crate) keys: Keys,
    summaries: Vec<Option<Arc<Summary>>>,
    /// Functions that run without being called by another, as far as one sees:
    /// processes, and what values may hold.
    roots: Vec<bool>,
    /// What many may run at once.
    pub(crate) open: BTreeSet<FunctionId>,
    /// Fields whose values are kept: of closures and tuples.
    kept: Vec<bool>,
    /// Of functions that call each other and were not followed until nothing
    /// changed, one.
    pub(crate) unsettled: Vec<FunctionId>,
}

impl<'p> World<'p> {
    pub(crate) fn new(program: &'p Program, options: Options) -> World<'p> {
        let kept = program
            .fields
            .iter()
            .map(|field| {
                field.class.is_empty()
                    || field.class.starts_with('{')
                    || field.class.starts_with('(')
                    || field.class.contains("$$Lambda$")
            })
            .collect();
        let mut roots = vec![false; program.functions.len()];
        let processes = program.processes.iter().map(|process| process.function);
        for root in processes.chain(held(program)) {
            roots[root.index()] = true;
        }
        let open = program.processes.iter().filter(|process| process.several);
        World {
            program,
            options,
            roots,
            open: open.map(|process| process.function).collect(),
            paths: Paths::default(),
            keys: Keys::default(),
            summaries: vec![None; program.functions.len()],
            kept,
            unsettled: Vec::new(),
        }
    }

    pub(crate) fn summary(&self, function: FunctionId) -> Option<Arc<Summary>> {
        self.summaries[function.index()].clone()
    }

    pub(crate) fn is_root(&self, function: FunctionId) -> bool {
        self.roots[function.index()]
    }

    /// Whether values of a field are followed by value. Others are known by
    /// the field's name.
    pub(crate) fn keeps(&self, field: FieldId) -> bool {
        self.kept[field.index()]
    }

    /// Whether a field only holds the lock that its structure is a name for.
    pub(crate) fn is_wrapper(&self, field: FieldId) -> bool {
        self.program.wrappers.contains(&field)
    }

    /// Whether a field is a name: all tuples have the same fields.
    pub(crate) fn names(&self, field: FieldId) -> bool {
        let class = &self.program.fields[field.index()].class;
        self.program.guarded && !class.is_empty() && !class.starts_with('(')
    }

    /// Whether a field holds a pointer to what others have, too.
    pub(crate) fn is_pointer(&self, field: FieldId) -> bool {
        self.kept[field.index()] || self.program.shared.binary_search(&field).is_ok()
    }

    /// Whether something is held back for this reason.
    pub(crate) fn applies(&self, suppression: Suppression) -> bool {
        self.options.applies(suppression)
    }

    /// Follows all functions.
    pub(crate) fn follow_all(&mut self) -> Vec<Followed> {
        let mut all: Vec<Option<Followed>> = Vec::new();
        all.resize_with(self.program.functions.len(), || None);
        let calls = calls(self.program);
        let mut callers = Callers::of(self.program, &calls);
        for group in petgraph::algo::tarjan_scc(&calls) {
            for round in 0..ROUNDS {
                let mut changed = false;
                for function in &group {
                    let (summary, followed) = follow(self, FunctionId(*function));
                    let slot = &mut self.summaries[*function as usize];
                    if slot.as_deref() != Some(&summary) {
                        *slot = Some(Arc::new(summary));
                        changed = true;
                    }
                    all[*function as usize] = Some(followed);
                }
                let alone = group.len() == 1 && !calls_itself(self.program, group[0]);
                let most = if group.len() > MANY { 2 } else { ROUNDS };
                if !changed || alone {
                    break;
                }
                if round + 1 >= most {
                    self.unsettled.push(FunctionId(group[0]));
                    break;
                }
            }
            for told in callers.followed(&calls, &group) {
                let summary = self.summaries[told as usize].as_mut();
                if self.options.forget
                    && let Some(summary) = summary.and_then(Arc::get_mut)
                {
                    summary.forget();
                }
            }
        }
        for number in 0..self.program.functions.len() {
            self.unite(FunctionId(number as u32));
        }
        all.into_iter().flatten().collect()
    }

    fn unite(&mut self, function: FunctionId) {
        let Some(summary) = self.summary(function) else {
            return;
        };
        for (path, field) in &summary.stored {
            let key = Keys::of(self, *path, function);
            if matches!(
                key,
                Key::Parameter(..) | Key::Root(Root::Constant(_) | Root::Local(_))
            ) {
                continue;
            }
            self.keys.unite(key, Key::Field(*field));
        }
    }
}

/// Functions that values may hold: who calls them is not seen from the calls.
fn held(program: &Program) -> impl Iterator<Item = FunctionId> {
    let blocks = program.functions.iter().flat_map(|body| &body.blocks);
    let statements = blocks.flat_map(|block| &block.statements);
    let polled = statements.filter_map(|(statement, _)| match statement {
        Statement::Call {
            callee:
                Callee::Library {
                    effect: Effect::Poll(polled),
                    ..
                },
            ..
        } => *polled,
        _ => None,
    });
    program.bodies.values().copied().chain(polled)
}

/// How many functions still have to be told what a function does.
struct Callers(Vec<usize>);

impl Callers {
    fn of(program: &Program, calls: &DiGraphMap<u32, ()>) -> Callers {
        let callers = |function| calls.neighbors_directed(function, Incoming).count();
        let mut all: Vec<usize> = (0..program.functions.len() as u32).map(callers).collect();
        for held in held(program) {
            all[held.index()] = usize::MAX;
        }
        Callers(all)
    }

    /// A group of functions that call each other was followed. Whom nobody else
    /// calls.
    fn followed(&mut self, calls: &DiGraphMap<u32, ()>, group: &[u32]) -> Vec<u32> {
        let mut told = Vec::new();
        for function in group {
            if self.0[*function as usize] == 0 {
                told.push(*function);
            }
            for callee in calls.neighbors(*function) {
                let left = &mut self.0[callee as usize];
                *left -= 1;
                if *left == 0 {
                    told.push(callee);
                }
            }
        }
        told
    }
}

/// The functions that a function calls, and the closures that it gives away.
pub(crate) fn called(program: &Program, function: u32) -> Vec<u32> {
    let body = program.function(FunctionId(function));
    let mut called = Vec::new();
    for (statement, _) in body.blocks.iter().flat_map(|block| &block.statements) {
        let (callee, arguments) = match statement {
            Statement::Call {
                callee, arguments, ..
            } => (callee, arguments),
            // What is made to be awaited runs wherever it gets.
            Statement::Assign {
                to,
                rule: Rule::Aggregate,
                ..
            } => {
                let made = body.locals.get(to.local.index());
                let made = made.and_then(|made| futures::body(program, made.ty));
                called.extend(made.map(|made| made.0));
                continue;
            }
            _ => continue,
        };
        match callee {
            Callee::Functions(functions) => called.extend(functions.iter().map(|id| id.0)),
            Callee::Library {
                effect: Effect::Poll(Some(polled)),
                ..
            } => called.push(polled.0),
            Callee::Library { .. } => {}
        }
        for argument in arguments {
            if let Operand::Place(place, _) = argument
                && let Some(variable) = body.locals.get(place.local.index())
                && let Some(function) = program.bodies.get(&variable.ty)
            {
                called.push(function.0);
            }
        }
    }
    called
}

fn calls(program: &Program) -> DiGraphMap<u32, ()> {
    let mut graph = DiGraphMap::new();
    for function in 0..program.functions.len() as u32 {
        graph.add_node(function);
        for callee in called(program, function) {
            graph.add_edge(function, callee, ());
        }
    }
    graph
}

fn calls_itself(program: &Program, function: u32) -> bool {
    called(program, function).contains(&function)
}
