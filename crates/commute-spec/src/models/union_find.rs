//! Disjoint sets. State: the sets as sorted tuples, by least element.
//!
//! The representative of a set is its least element, so that `find` depends on
//! the partition alone and path compression cannot be seen (thesis §4.5.1).
//! In conditions `app(state, x)` is the representative of `x` in `state`.

use commute_model::Value;

use super::domain::{elements, integers, only, product};
use super::{Model, Outcome, Signature};
use crate::evaluate::{Interpretation, Ints};

/// The model `union_find`.
#[derive(Clone, Copy, Debug)]
pub struct UnionFind {
    size: u32,
}

impl UnionFind {
    pub(super) const OF_FOUR: UnionFind = UnionFind { size: 4 };

    /// The elements `0`, …, `size - 1`, each in a set of its own at first.
    pub fn new(size: u32) -> UnionFind {
        UnionFind { size }
    }

    fn elements(self) -> Vec<Value> {
        integers(0..=i128::from(self.size) - 1)
    }
}

/// How many elements [`Model::states`] puts together: there are 15 partitions
/// of four elements, 52 of five.
const JOINED: usize = 4;

impl Model for UnionFind {
    fn name(&self) -> &str {
        "union_find"
    }

    fn methods(&self) -> &[Signature] {
        const METHODS: &[Signature] = &[
            Signature::new("union", 2, 1),
            Signature::new("union_", 2, 0),
            Signature::new("same", 2, 1),
            Signature::new("find", 1, 1),
            Signature::new("components", 0, 1),
        ];
        METHODS
    }

    fn initial(&self) -> Value {
        let alone = |x: Value| Value::tuple([x]);
        Value::tuple(self.elements().into_iter().map(alone))
    }

    /// The partitions of the first four elements, the finest first.
    fn states(&self) -> Vec<Value> {
        let mut partitions: Vec<Vec<Vec<Value>>> = vec![vec![]];
        for (i, x) in self.elements().into_iter().enumerate() {
            let mut larger = vec![];
            for blocks in &partitions {
                for at in 0..blocks.len() {
                    if i < JOINED {
                        let mut joined = blocks.clone();
                        joined[at].push(x.clone());
                        larger.push(joined);
                    }
                }
                let mut apart = blocks.clone();
                apart.push(vec![x.clone()]);
                larger.push(apart);
            }
            partitions = larger;
        }
        partitions.sort_by_key(|blocks| (std::cmp::Reverse(blocks.len()), blocks.clone()));
        let state = |blocks: Vec<Vec<Value>>| Value::tuple(blocks.into_iter().map(Value::tuple));
        partitions.into_iter().map(state).collect()
    }

    /// `union` and `same` are symmetric: one order of their arguments is enough.
    fn arguments(&self, method: &str) -> Vec<Vec<Value>> {
        let mut few = self.elements();
        few.truncate(JOINED);
        match method {
            "union" | "union_" | "same" => {
                let mut pairs = product(&[&few, &few]);
                pairs.retain(|pair| pair.is_sorted());
                pairs
            }
            "find" => product(&[&few]),
            "components" => product(&[]),
            _ => vec![],
        }
    }

    fn step(&self, state: &Value, method: &str, args: &[Value]) -> Vec<Outcome> {
        let Some(blocks) = elements(state) else {
            return vec![];
        };
        match (method, args) {
            ("components", []) => only(state.clone(), [blocks.len().into()]),
            ("find", [x]) => match representative(blocks, x) {
                Some(found) => only(state.clone(), [found.clone()]),
                None => vec![],
            },
            ("union" | "union_" | "same", [a, b]) => {
                let (Some(i), Some(j)) = (block(blocks, a), block(blocks, b)) else {
                    return vec![];
                };
                if method == "same" {
                    return only(state.clone(), [(i == j).into()]);
                }
                let observed = if method == "union" {
                    vec![(i != j).into()]
                } else {
                    vec![]
                };
                only(joined(state, blocks, i, j), observed)
            }
            _ => vec![],
        }
    }

    fn interpretation(&self) -> &dyn Interpretation {
        &Representatives
    }
}

/// `app(state, x)`
struct Representatives;

impl Interpretation for Representatives {
    fn min(&self) -> Value {
        Ints.min()
    }

    fn max(&self) -> Value {
        Ints.max()
    }

    fn app(&self, state: &Value, x: &Value) -> Value {
        elements(state)
            .and_then(|blocks| representative(blocks, x))
            .cloned()
            .unwrap_or(Value::Opaque)
    }
}

/// Which block `x` is in.
fn block(blocks: &[Value], x: &Value) -> Option<usize> {
    blocks
        .iter()
        .position(|block| elements(block).is_some_and(|items| items.contains(x)))
}

fn representative<'a>(blocks: &'a [Value], x: &Value) -> Option<&'a Value> {
    elements(&blocks[block(blocks, x)?])?.first()
}

fn joined(state: &Value, blocks: &[Value], i: usize, j: usize) -> Value {
    let (Some(first), Some(second)) = (elements(&blocks[i]), elements(&blocks[j])) else {
        return state.clone();
    };
    if i == j {
        return state.clone();
    }
    let mut both = [first, second].concat();
    both.sort();
    let mut after: Vec<Value> = blocks.to_vec();
    after[i.min(j)] = Value::tuple(both);
    after.remove(i.max(j));
    // The block with the least element keeps its place, so the order holds.
    Value::tuple(after)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_number_of_partitions_is_the_bell_number() {
        let counts = [0, 1, 2, 3, 4, 5].map(|n| UnionFind::new(n).states().len());
        assert_eq!(counts, [1, 1, 2, 5, 15, 15]);
        assert_eq!(UnionFind::new(4).states()[0], UnionFind::new(4).initial());
    }

    #[test]
    fn equal_partitions_are_equal_states() {
        let model = UnionFind::new(5);
        let after = |pairs: &[(i32, i32)]| {
            pairs.iter().fold(model.initial(), |state, (a, b)| {
                model.step(&state, "union_", &[(*a).into(), (*b).into()])[0]
                    .state
                    .clone()
            })
        };
        let one = after(&[(3, 4), (1, 4), (0, 2)]);
        assert_eq!(one, after(&[(2, 0), (4, 1), (1, 3)]));
        assert_eq!(one.to_string(), "((0,2),(1,3,4))");
        assert_eq!(Representatives.app(&one, &Value::Int(4)), Value::Int(1));
        assert_eq!(Representatives.app(&one, &Value::Int(9)), Value::Opaque);
    }
}
