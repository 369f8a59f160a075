//! The call graph: what is reached, callees before callers, cycles together.

use super::regions::callees;
use crate::ir::{FunctionId, Program};

/// The functions that are reached from the roots; each list is a cycle of
/// functions that call each other, or one function.
pub(crate) fn bottom_up(program: &Program, roots: &[FunctionId]) -> Vec<Vec<FunctionId>> {
    let graph: Vec<Vec<usize>> = program
        .functions
        .iter()
        .map(|function| callees(function).map(FunctionId::index).collect())
        .collect();
    let roots = roots.iter().map(|root| root.index());
    components(&graph, roots)
        .into_iter()
        .map(|members| members.into_iter().map(|f| FunctionId(f as u32)).collect())
        .collect()
}

/// Tarjan's strongly connected components, each after those it leads to.
fn components(graph: &[Vec<usize>], roots: impl Iterator<Item = usize>) -> Vec<Vec<usize>> {
    const NEW: usize = usize::MAX;
    let mut number = vec![NEW; graph.len()];
    let mut low = vec![NEW; graph.len()];
    let mut open = vec![false; graph.len()];
    let mut path = Vec::new();
    let mut found = Vec::new();
    let mut count = 0;
    for root in roots {
        if number[root] != NEW {
            continue;
        }
        let mut stack = vec![(root, 0)];
        while let Some((node, next)) = stack.pop() {
            if next == 0 {
                number[node] = count;
                low[node] = count;
                count += 1;
                open[node] = true;
                path.push(node);
            }
            match graph[node].get(next) {
                Some(to) => {
                    stack.push((node, next + 1));
                    if number[*to] == NEW {
                        stack.push((*to, 0));
                    } else if open[*to] {
                        low[node] = low[node].min(number[*to]);
                    }
                }
                None => {
                    if let Some((caller, _)) = stack.last() {
                        low[*caller] = low[*caller].min(low[node]);
                    }
                    if low[node] == number[node] {
                        let start = path.iter().rposition(|member| *member == node);
                        let members = path.split_off(start.unwrap_or_default());
                        members.iter().for_each(|member| open[*member] = false);
                        found.push(members);
                    }
                }
            }
        }
    }
    found
}
