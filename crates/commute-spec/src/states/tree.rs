//! A sorted map whose copies share what they have in common.
//!
//! A balanced tree (Adams' weights, with the factors 3 and 2 for which that is
//! proved): a copy costs nothing, a change copies the way from the root at most, and
//! only where somebody else still needs it. Every subtree knows a number for its
//! contents, so that two maps are told apart without looking at their entries.

use std::cmp::Ordering;
use std::hash::{Hash, Hasher};
use std::sync::Arc;

use rustc_hash::FxHasher;

/// The map.
#[derive(Clone, Debug)]
pub(super) struct Tree<K, V> {
    root: Link<K, V>,
}

type Link<K, V> = Option<Arc<Node<K, V>>>;

#[derive(Clone, Debug)]
struct Node<K, V> {
    left: Link<K, V>,
    right: Link<K, V>,
    key: K,
    value: V,
    /// A number for key and value.
    own: u64,
    /// The sum of these numbers, of all below.
    sum: u64,
    size: usize,
}

impl<K, V> Default for Tree<K, V> {
    fn default() -> Tree<K, V> {
        Tree { root: None }
    }
}

impl<K: Ord + Hash + Clone, V: Hash + Clone + PartialEq> Tree<K, V> {
    /// How many entries there are.
    pub(super) fn len(&self) -> usize {
        size(&self.root)
    }

    /// A number for the entries: the same for the same entries.
    pub(super) fn fingerprint(&self) -> u64 {
        sum(&self.root)
    }

    pub(super) fn get(&self, key: &K) -> Option<&V> {
        let mut link = &self.root;
        while let Some(node) = link {
            match key.cmp(&node.key) {
                Ordering::Less => link = &node.left,
                Ordering::Equal => return Some(&node.value),
                Ordering::Greater => link = &node.right,
            }
        }
        None
    }

    /// The entry with the least key.
    pub(super) fn first(&self) -> Option<(&K, &V)> {
        let mut node = self.root.as_ref()?;
        while let Some(left) = &node.left {
            node = left;
        }
        Some((&node.key, &node.value))
    }

    /// All entries, by key.
    pub(super) fn iter(&self) -> impl Iterator<Item = (&K, &V)> {
        let mut above = Vec::new();
        let mut link = &self.root;
        std::iter::from_fn(move || {
            while let Some(node) = link {
                above.push(node);
                link = &node.left;
            }
            let node = above.pop()?;
            link = &node.right;
            Some((&node.key, &node.value))
        })
    }

    /// The map with this entry instead of one with its key.
    pub(super) fn with(&self, key: K, value: V) -> Tree<K, V> {
        let mut after = self.clone();
        if self.get(&key) != Some(&value) {
            insert(&mut after.root, key, value);
        }
        after
    }

    /// The map without the entry of this key.
    pub(super) fn without(&self, key: &K) -> Tree<K, V> {
        let mut after = self.clone();
        if self.get(key).is_some() {
            remove(&mut after.root, key);
        }
        after
    }

    /// Whether both are the same map, and not only equal.
    fn is(&self, other: &Tree<K, V>) -> bool {
        match (&self.root, &other.root) {
            (Some(a), Some(b)) => Arc::ptr_eq(a, b),
            (a, b) => a.is_none() && b.is_none(),
        }
    }
}

impl<K: Ord + Hash + Clone, V: Hash + Clone + PartialEq> PartialEq for Tree<K, V> {
    fn eq(&self, other: &Tree<K, V>) -> bool {
        let summary = |tree: &Tree<K, V>| (tree.len(), tree.fingerprint());
        self.is(other) || (summary(self) == summary(other) && self.iter().eq(other.iter()))
    }
}

impl<K, V> Node<K, V> {
    fn update(&mut self) {
        self.size = 1 + size(&self.left) + size(&self.right);
        self.sum = { self.own.wrapping_add(sum(&self.left)) }.wrapping_add(sum(&self.right));
    }
}

fn size<K, V>(link: &Link<K, V>) -> usize {
    link.as_ref().map_or(0, |node| node.size)
}

fn sum<K, V>(link: &Link<K, V>) -> u64 {
    link.as_ref().map_or(0, |node| node.sum)
}

/// A number for an entry, mixed well enough to be added to others.
fn number(entry: impl Hash) -> u64 {
    let mut hasher = FxHasher::default();
    entry.hash(&mut hasher);
    let z = hasher.finish();
    let z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

fn insert<K: Ord + Hash + Clone, V: Hash + Clone>(link: &mut Link<K, V>, key: K, value: V) {
    let Some(node) = link else {
        let own = number((&key, &value));
        *link = Some(Arc::new(Node {
            left: None,
            right: None,
            key,
            value,
            own,
            sum: own,
            size: 1,
        }));
        return;
    };
    let node = Arc::make_mut(node);
    match key.cmp(&node.key) {
        Ordering::Less => insert(&mut node.left, key, value),
        Ordering::Greater => insert(&mut node.right, key, value),
        Ordering::Equal => {
            node.own = number((&key, &value));
            node.value = value;
        }
    }
    node.update();
    rebalance(link);
}

/// Removes an entry that is there.
fn remove<K: Ord + Clone, V: Clone>(link: &mut Link<K, V>, key: &K) {
    let Some(node) = link else {
        return;
    };
    let node = Arc::make_mut(node);
    match key.cmp(&node.key) {
        Ordering::Less => remove(&mut node.left, key),
        Ordering::Greater => remove(&mut node.right, key),
        Ordering::Equal => match (&node.left, &node.right) {
            (_, None) => return *link = node.left.take(),
            (None, _) => return *link = node.right.take(),
            _ => {
                let (key, value, own) = take_first(&mut node.right);
                (node.key, node.value, node.own) = (key, value, own);
            }
        },
    }
    node.update();
    rebalance(link);
}

/// Takes the entry with the least key out of a tree that has one.
fn take_first<K: Clone, V: Clone>(link: &mut Link<K, V>) -> (K, V, u64) {
    let node = Arc::make_mut(link.as_mut().expect("a tree with an entry"));
    if node.left.is_some() {
        let first = take_first(&mut node.left);
        node.update();
        rebalance(link);
        return first;
    }
    let first = (node.key.clone(), node.value.clone(), node.own);
    *link = node.right.take();
    first
}

/// After one entry more or less on one side.
fn rebalance<K: Clone, V: Clone>(link: &mut Link<K, V>) {
    let weight = |link: &Link<K, V>| size(link) + 1;
    let Some(node) = link else {
        return;
    };
    let (left, right) = (weight(&node.left), weight(&node.right));
    if right > 3 * left {
        let node = Arc::make_mut(node);
        if let Some(right) = &node.right
            && weight(&right.left) >= 2 * weight(&right.right)
        {
            rotate_right(&mut node.right);
        }
        rotate_left(link);
    } else if left > 3 * right {
        let node = Arc::make_mut(node);
        if let Some(left) = &node.left
            && weight(&left.right) >= 2 * weight(&left.left)
        {
            rotate_left(&mut node.left);
        }
        rotate_right(link);
    }
}

fn rotate_left<K: Clone, V: Clone>(link: &mut Link<K, V>) {
    let Some(mut low) = link.take() else {
        return;
    };
    let node = Arc::make_mut(&mut low);
    *link = match node.right.take() {
        None => Some(low),
        Some(mut high) => {
            let top = Arc::make_mut(&mut high);
            node.right = top.left.take();
            node.update();
            top.left = Some(low);
            top.update();
            Some(high)
        }
    };
}

fn rotate_right<K: Clone, V: Clone>(link: &mut Link<K, V>) {
    let Some(mut low) = link.take() else {
        return;
    };
    let node = Arc::make_mut(&mut low);
    *link = match node.left.take() {
        None => Some(low),
        Some(mut high) => {
            let top = Arc::make_mut(&mut high);
            node.left = top.right.take();
            node.update();
            top.right = Some(low);
            top.update();
            Some(high)
        }
    };
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;

    /// Whether every node has the size, the number and the balance it should have.
    fn is_sound(link: &Link<u32, u32>) -> bool {
        let Some(node) = link else {
            return true;
        };
        let (left, right) = (size(&node.left) + 1, size(&node.right) + 1);
        let mut again = Node::clone(node);
        again.update();
        (again.size, again.sum) == (node.size, node.sum)
            && node.own == number((&node.key, &node.value))
            && left <= 3 * right
            && right <= 3 * left
            && is_sound(&node.left)
            && is_sound(&node.right)
    }

    fn compare(tree: &Tree<u32, u32>, map: &BTreeMap<u32, u32>) {
        assert!(is_sound(&tree.root));
        assert!(tree.iter().eq(map.iter()));
        assert_eq!(tree.first(), map.first_key_value());
        assert_eq!(tree.len(), map.len());
    }

    #[test]
    fn does_what_a_sorted_map_does_and_forgets_nothing() {
        let mut seed = 1_u64;
        let mut random = |below: u64| {
            seed = seed
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407);
            (seed >> 33) % below
        };
        for keys in [3, 20, 300] {
            let (mut tree, mut map) = (Tree::default(), BTreeMap::new());
            let mut copies = Vec::new();
            for _ in 0..2_000 {
                let (key, value) = (random(keys) as u32, random(2) as u32);
                if random(5) < 3 {
                    tree = tree.with(key, value);
                    map.insert(key, value);
                } else {
                    tree = tree.without(&key);
                    map.remove(&key);
                }
                compare(&tree, &map);
                assert_eq!(tree.get(&key), map.get(&key));
                if random(50) == 0 {
                    copies.push((tree.clone(), map.clone()));
                }
            }
            for (tree, map) in &copies {
                compare(tree, map);
                let built = { map.iter() }.fold(Tree::default(), |t, (k, v)| t.with(*k, *v));
                assert!(*tree == built);
                assert_eq!(tree.fingerprint(), built.fingerprint());
            }
        }
    }

    #[test]
    fn what_is_in_order_stays_flat() {
        let mut tree = Tree::default();
        for key in 0..10_000_u32 {
            tree = tree.with(key, 0);
            if key >= 100 {
                tree = tree.without(&(key - 100));
            }
        }
        assert!(is_sound(&tree.root));
        assert_eq!(tree.len(), 100);
    }

    #[test]
    fn what_changes_nothing_copies_nothing() {
        let tree = Tree::default().with(1, 1).with(2, 2);
        assert!(tree.with(1, 1).is(&tree));
        assert!(tree.without(&3).is(&tree));
        assert!(!tree.with(1, 2).is(&tree));
        assert!(tree != tree.with(1, 2));
    }
}
