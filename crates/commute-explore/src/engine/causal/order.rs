//! Orders of events, as a theory of the solver: what must come before what has no cycle.

use batsat::theory::TheoryArg;
use batsat::{BasicSolver, Lit, SolverInterface, Theory, lbool};
use rustc_hash::FxHashMap;

/// Formulas over which events are there and in which order.
pub(super) struct Order {
    pub(super) solver: BasicSolver,
    acyclic: Acyclic,
    pairs: FxHashMap<(usize, usize), Lit>,
    /// What is always true.
    always: Lit,
    /// For each event, those that always come after it; as soon as somebody asks.
    after: Option<Vec<Vec<bool>>>,
}

impl Order {
    /// Over so many events.
    pub(super) fn new(events: usize) -> Order {
        let mut solver = BasicSolver::default();
        let always = Lit::new(solver.new_var_default(), true);
        solver.add_clause_reuse(&mut vec![always]);
        Order {
            solver,
            always,
            after: None,
            acyclic: Acyclic {
                fixed: vec![Vec::new(); events],
                choices: FxHashMap::default(),
                levels: 0,
            },
            pairs: FxHashMap::default(),
        }
    }

    pub(super) fn variable(&mut self) -> Lit {
        Lit::new(self.solver.new_var_default(), true)
    }

    pub(super) fn add(&mut self, clause: impl IntoIterator<Item = Lit>) {
        let mut clause: Vec<Lit> = clause.into_iter().collect();
        self.solver.add_clause_reuse(&mut clause);
    }

    /// What is always true.
    pub(super) fn always(&self) -> Lit {
        self.always
    }

    /// `a` always comes before `b`. All of that is said before anybody asks.
    pub(super) fn fix(&mut self, a: usize, b: usize) {
        assert!(self.after.is_none(), "nobody has asked yet");
        self.acyclic.fixed[a].push(b);
    }

    /// Whether `a` always comes before `b`.
    pub(super) fn is_fixed(&mut self, a: usize, b: usize) -> bool {
        let fixed = &self.acyclic.fixed;
        self.after.get_or_insert_with(|| closure(fixed))[a][b]
    }

    /// That `a` comes before `b`, which are two.
    pub(super) fn before(&mut self, a: usize, b: usize) -> Lit {
        if self.is_fixed(a, b) {
            return self.always;
        }
        if self.is_fixed(b, a) {
            return !self.always;
        }
        let (low, high) = (a.min(b), a.max(b));
        let lit = match self.pairs.get(&(low, high)) {
            Some(lit) => *lit,
            None => {
                let lit = self.variable();
                self.pairs.insert((low, high), lit);
                self.acyclic.choices.insert(lit, (low, high));
                self.acyclic.choices.insert(!lit, (high, low));
                lit
            }
        };
        if a < b { lit } else { !lit }
    }

    /// Whether everything can be true, and this as well.
    pub(super) fn solve(&mut self, assumed: &[Lit]) -> bool {
        let answer = self.solver.solve_limited_th(&mut self.acyclic, assumed);
        assert_ne!(answer, lbool::UNDEF, "the solver has no limit");
        answer == lbool::TRUE
    }

    /// Whether it is true in the solution.
    pub(super) fn holds(&self, lit: Lit) -> bool {
        self.solver.value_lit(lit) == lbool::TRUE
    }

    /// The events for which `is_there`, in an order that the solution allows, those
    /// with small numbers first.
    pub(super) fn sorted(&self, is_there: &[bool]) -> Vec<usize> {
        let edges = self.acyclic.edges(|lit| self.holds(lit));
        let count = is_there.len();
        let mut waiting = vec![0; count];
        for (a, successors) in edges.iter().enumerate().filter(|(a, _)| is_there[*a]) {
            for (b, _) in successors.iter().filter(|(b, _)| is_there[*b]) {
                let _ = a;
                waiting[*b] += 1;
            }
        }
        let mut sorted = Vec::new();
        let mut done = vec![false; count];
        while let Some(next) = (0..count).find(|e| is_there[*e] && !done[*e] && waiting[*e] == 0) {
            done[next] = true;
            sorted.push(next);
            for (b, _) in edges[next].iter().filter(|(b, _)| is_there[*b]) {
                waiting[*b] -= 1;
            }
        }
        let there = is_there.iter().filter(|there| **there).count();
        assert_eq!(sorted.len(), there, "there is no cycle");
        sorted
    }
}

/// From each event, all that can be reached.
fn closure(edges: &[Vec<usize>]) -> Vec<Vec<bool>> {
    let mut all = vec![vec![false; edges.len()]; edges.len()];
    for (start, reached) in all.iter_mut().enumerate() {
        let mut open = vec![start];
        while let Some(at) = open.pop() {
            for next in &edges[at] {
                if !std::mem::replace(&mut reached[*next], true) {
                    open.push(*next);
                }
            }
        }
    }
    all
}

struct Acyclic {
    fixed: Vec<Vec<usize>>,
    /// What a literal says of the order.
    choices: FxHashMap<Lit, (usize, usize)>,
    levels: usize,
}

impl Acyclic {
    /// From each event, what it comes before and why.
    fn edges(&self, holds: impl Fn(Lit) -> bool) -> Vec<Vec<(usize, Option<Lit>)>> {
        let fixed = self.fixed.iter();
        let mut edges: Vec<Vec<(usize, Option<Lit>)>> = fixed
            .map(|successors| successors.iter().map(|b| (*b, None)).collect())
            .collect();
        // order: the edges are a set, and are sorted below.
        for (lit, (a, b)) in &self.choices {
            if holds(*lit) {
                edges[*a].push((*b, Some(*lit)));
            }
        }
        for successors in &mut edges {
            successors.sort_unstable();
        }
        edges
    }
}

/// The literals of a cycle that is as short as any, if there is one.
fn cycle(edges: &[Vec<(usize, Option<Lit>)>]) -> Option<Vec<Lit>> {
    let mut best: Option<Vec<Lit>> = None;
    for start in cyclic(edges) {
        // Breadth first, back to where it began.
        let mut from: Vec<Option<(usize, Option<Lit>)>> = vec![None; edges.len()];
        let mut queue = std::collections::VecDeque::from([start]);
        'search: while let Some(at) = queue.pop_front() {
            for (next, why) in &edges[at] {
                if *next == start {
                    let mut lits: Vec<Lit> = why.iter().copied().collect();
                    let mut back = at;
                    while back != start {
                        let (before, why) = from[back].expect("it was reached");
                        lits.extend(why);
                        back = before;
                    }
                    if best.as_ref().is_none_or(|best| best.len() > lits.len()) {
                        best = Some(lits);
                    }
                    break 'search;
                }
                if from[*next].is_none() {
                    from[*next] = Some((at, *why));
                    queue.push_back(*next);
                }
            }
        }
    }
    best
}

/// What is left when whatever nothing comes before is taken away, again and again.
fn cyclic(edges: &[Vec<(usize, Option<Lit>)>]) -> Vec<usize> {
    let mut waiting = vec![0usize; edges.len()];
    for (next, _) in edges.iter().flatten() {
        waiting[*next] += 1;
    }
    let mut free: Vec<usize> = (0..edges.len()).filter(|e| waiting[*e] == 0).collect();
    let mut left = vec![true; edges.len()];
    while let Some(event) = free.pop() {
        left[event] = false;
        for (next, _) in &edges[event] {
            waiting[*next] -= 1;
            if waiting[*next] == 0 {
                free.push(*next);
            }
        }
    }
    (0..edges.len()).filter(|e| left[*e]).collect()
}

impl Theory for Acyclic {
    fn final_check(&mut self, acts: &mut TheoryArg<'_>) {
        let edges = self.edges(|lit| {
            let value = acts.value(lit.var());
            value == lbool::new(lit.sign())
        });
        if let Some(lits) = cycle(&edges) {
            let clause: Vec<Lit> = lits.into_iter().map(|lit| !lit).collect();
            acts.raise_conflict(&clause, true);
        }
    }

    fn create_level(&mut self) {
        self.levels += 1;
    }

    fn pop_levels(&mut self, n: usize) {
        self.levels -= n;
    }

    fn n_levels(&self) -> usize {
        self.levels
    }

    fn explain_propagation(&mut self, _: Lit) -> &[Lit] {
        unreachable!("nothing is propagated")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn there_is_no_cycle() {
        let mut order = Order::new(4);
        order.fix(0, 1);
        order.fix(2, 3);
        let (a, b) = (order.before(1, 2), order.before(3, 0));
        assert!(order.solve(&[a]));
        assert_eq!(order.sorted(&[true; 4]), [0, 1, 2, 3]);
        assert!(order.solve(&[b]));
        assert_eq!(order.sorted(&[true; 4]), [2, 3, 0, 1]);
        assert!(!order.solve(&[a, b]));
        let c = order.before(2, 1);
        assert_eq!(c, !a);
        assert!(order.solve(&[c]));
        assert!(!order.solve(&[a, c]));
    }

    /// Against all permutations.
    #[test]
    fn chosen_orders_are_possible_iff_a_permutation_has_them() {
        let pairs = [(0, 1), (1, 2), (0, 2), (2, 3), (3, 0), (1, 3)];
        for wanted in 0..3u32.pow(6) {
            let mut order = Order::new(4);
            let mut wants = Vec::new();
            let mut assumed = Vec::new();
            for (n, (a, b)) in pairs.iter().enumerate() {
                match wanted / 3u32.pow(n as u32) % 3 {
                    0 => {}
                    1 => wants.push((*a, *b)),
                    _ => wants.push((*b, *a)),
                }
            }
            for (a, b) in &wants {
                assumed.push(order.before(*a, *b));
            }
            let mut possible = false;
            for code in 0..256usize {
                let places: Vec<usize> = (0..4).map(|e| code >> (2 * e) & 3).collect();
                let distinct = (0..4).all(|a| (0..a).all(|b| places[a] != places[b]));
                possible |= distinct && wants.iter().all(|(a, b)| places[*a] < places[*b]);
            }
            assert_eq!(order.solve(&assumed), possible, "{wants:?}");
        }
    }
}
