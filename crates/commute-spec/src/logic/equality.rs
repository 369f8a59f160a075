//! The laws of equality, for truth tables.
//!
//! Equality of values is symmetric and transitive; different constants are
//! different; an opaque value is equal to nothing, so `x == x` may be false, but
//! then `x` is equal to nothing else either. Take the equalities of a formula
//! as the edges of a graph over its terms. An assignment obeys the laws iff no
//! false edge connects what true edges connect already: iff no simple cycle has
//! exactly one false edge, where two constants are joined by an edge that is
//! always false. So the assignments that obey are those that satisfy one clause
//! per edge of each simple cycle.
//!
//! Terms are opaque here: nothing is known of `a + 1` but its name, and
//! orderings are not looked at. So what is excluded is impossible, and for
//! conditions made of equalities what is impossible is excluded, up to a bound
//! on the number of cycles.

use super::atoms::Atom;
use super::table::Table;
use crate::formula::Term;

/// Cycles beyond this many are not looked at. That excludes less and is sound.
const MOST_CYCLES: usize = 50;

/// Cycle search stops after this many steps.
const MOST_STEPS: usize = 1_000;

/// The rows, over these atoms, that two invocations may produce.
pub(crate) fn possible(atoms: &[Atom]) -> Table {
    let count = atoms.len();
    let mut possible = Table::constant(count, true);
    let graph = Graph::of(atoms);
    let truth: Vec<Table> = (0..count).map(|i| Table::variable(count, i)).collect();
    for (loop_, vertex) in &graph.loops {
        // If `x == x` is false, nothing is equal to x.
        let mut broken = Table::constant(count, false);
        for edge in graph
            .edges
            .iter()
            .filter(|e| e.a == *vertex || e.b == *vertex)
        {
            if let Some(atom) = edge.atom {
                broken.or(&truth[atom]);
            }
        }
        broken.without(&truth[*loop_]);
        possible.without(&broken);
    }
    for cycle in graph.cycles() {
        // Rows in which none, and in which exactly one of the edges is false.
        let mut none = Table::constant(count, true);
        let mut one = Table::constant(count, false);
        for edge in cycle {
            let Some(atom) = edge else {
                one = std::mem::replace(&mut none, Table::constant(count, false));
                continue;
            };
            let mut now = none.clone();
            now.without(&truth[atom]);
            one.and(&truth[atom]);
            one.or(&now);
            none.and(&truth[atom]);
        }
        possible.without(&one);
    }
    possible
}

/// An edge: an equality, or two constants (no atom).
struct Edge {
    a: usize,
    b: usize,
    atom: Option<usize>,
}

/// The terms of equalities, joined by them.
struct Graph {
    vertices: usize,
    edges: Vec<Edge>,
    /// (atom, vertex) of `x == x`.
    loops: Vec<(usize, usize)>,
}

impl Graph {
    fn of(atoms: &[Atom]) -> Graph {
        let mut terms: Vec<&Term> = Vec::new();
        let mut graph = Graph {
            vertices: 0,
            edges: Vec::new(),
            loops: Vec::new(),
        };
        for (i, atom) in atoms.iter().enumerate() {
            let Atom::Same(a, b) = atom else { continue };
            let [a, b] = [a, b].map(|term| {
                let known = terms.iter().position(|t| *t == term);
                known.unwrap_or_else(|| {
                    terms.push(term);
                    terms.len() - 1
                })
            });
            if a == b {
                graph.loops.push((i, a));
            } else {
                let atom = Some(i);
                graph.edges.push(Edge { a, b, atom });
            }
        }
        for (b, second) in terms.iter().enumerate() {
            for (a, first) in terms[..b].iter().enumerate() {
                if let (Term::Value(x), Term::Value(y)) = (first, second)
                    && !x.same(y)
                {
                    let atom = None;
                    graph.edges.push(Edge { a, b, atom });
                }
            }
        }
        graph.vertices = terms.len();
        graph
    }

    /// The simple cycles with at most one edge between constants, each as the
    /// atoms of its edges.
    fn cycles(&self) -> Vec<Vec<Option<usize>>> {
        let mut search = Search {
            graph: self,
            visited: vec![false; self.vertices],
            path: Vec::new(),
            cycles: Vec::new(),
            steps: 0,
        };
        // A cycle is found at its edge with the highest number, from one end of
        // which a path over lower edges leads to the other end.
        for (last, edge) in self.edges.iter().enumerate() {
            search.path.push(edge.atom);
            search.visit(edge.a, edge.b, last);
            search.path.pop();
        }
        search.cycles
    }
}

struct Search<'g> {
    graph: &'g Graph,
    visited: Vec<bool>,
    path: Vec<Option<usize>>,
    cycles: Vec<Vec<Option<usize>>>,
    steps: usize,
}

impl Search<'_> {
    /// Extends the path at `here` by edges below number `last`, up to `goal`.
    fn visit(&mut self, here: usize, goal: usize, last: usize) {
        self.steps += 1;
        if self.cycles.len() == MOST_CYCLES || self.steps > MOST_STEPS {
            return;
        }
        if here == goal {
            self.cycles.push(self.path.clone());
            return;
        }
        self.visited[here] = true;
        for edge in &self.graph.edges[..last] {
            let next = match here {
                _ if here == edge.a => edge.b,
                _ if here == edge.b => edge.a,
                _ => continue,
            };
            let second_constant = edge.atom.is_none() && self.path.contains(&None);
            if !self.visited[next] && !second_constant {
                self.path.push(edge.atom);
                self.visit(next, goal, last);
                self.path.pop();
            }
        }
        self.visited[here] = false;
    }
}

#[cfg(test)]
mod tests {
    use commute_model::Value;

    use super::*;
    use crate::formula::Side;

    /// Against the definition: a row is possible iff some values produce it.
    #[test]
    fn possible_rows_are_those_that_values_produce() {
        let x = |n| Term::Slot(Side::First, n);
        let y = |n| Term::Slot(Side::Second, n);
        let c = |n: i32| Term::Value(Value::from(n));
        let families: Vec<Vec<(Term, Term)>> = vec![
            vec![(x(0), y(0)), (x(0), y(1)), (y(0), y(1))],
            vec![(x(0), c(1)), (y(0), c(1)), (x(0), y(0))],
            vec![(x(0), c(1)), (y(0), c(2)), (x(0), y(0))],
            vec![(x(0), y(0)), (y(0), x(1)), (x(1), y(1)), (x(0), y(1))],
            vec![(x(0), x(0)), (x(0), y(0)), (x(0), x(1)), (x(1), y(0))],
            vec![
                (x(0), c(1)),
                (x(0), c(2)),
                (x(1), c(2)),
                (x(0), x(1)),
                (x(1), y(0)),
            ],
            vec![(x(0), y(0)), (x(1), y(1))],
        ];
        // Four values suffice for four slots, plus the opaque one.
        let mut domain: Vec<Value> = (1..=5).map(Value::from).collect();
        domain.push(Value::Opaque);
        for family in families {
            let atoms: Vec<Atom> = family
                .iter()
                .map(|(a, b)| Atom::Same(a.clone(), b.clone()))
                .collect();
            let mut produced = vec![false; 1 << atoms.len()];
            for choice in 0..domain.len().pow(4) {
                let pick = |n: u32| &domain[choice / domain.len().pow(n) % domain.len()];
                let value = |term: &Term| match term {
                    Term::Slot(Side::First, n) => pick(*n as u32).clone(),
                    Term::Slot(Side::Second, n) => pick(2 + *n as u32).clone(),
                    Term::Value(value) => value.clone(),
                    _ => unreachable!("no other terms here"),
                };
                let bits = family
                    .iter()
                    .enumerate()
                    .map(|(i, (a, b))| usize::from(value(a).same(&value(b))) << i);
                produced[bits.sum::<usize>()] = true;
            }
            let table = possible(&atoms);
            for (row, produced) in produced.iter().enumerate() {
                assert_eq!(table.get(row), *produced, "row {row:b} of {family:?}");
            }
        }
    }
}
