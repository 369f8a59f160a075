//! Types that contain themselves: there is one more of them inside, and not two.

use std::rc::Rc;

use commute::Domain;

use super::{check, keeps_promises};

#[derive(Domain, Clone, PartialEq, Debug)]
enum List<T> {
    Nil,
    Cons(T, Box<List<T>>),
}

#[derive(Domain, Clone, PartialEq, Debug)]
struct Tree {
    leaf: bool,
    children: Vec<Tree>,
}

#[test]
fn a_list_has_at_most_one_element() {
    use List::{Cons, Nil};
    check([Nil, Cons(false, Box::new(Nil)), Cons(true, Box::new(Nil))]);
    // Two lists beside each other are not inside each other, and neither are lists of
    // different types.
    assert_eq!(<(List<bool>, List<bool>)>::count(), 9);
    keeps_promises::<(List<bool>, List<bool>)>();
    assert_eq!(<List<List<bool>>>::count(), 4);
    keeps_promises::<List<List<bool>>>();
}

#[test]
fn a_tree_has_one_layer_of_children() {
    // Two leaves, so 7 lists of them.
    assert_eq!(Tree::count(), 2 * 7);
    keeps_promises::<Tree>();
    assert_eq!(Option::<Tree>::count(), 15);
}

#[derive(Domain, Clone, PartialEq, Debug)]
enum Statement {
    Block(Vec<Statement>),
    Print(Expression),
}

#[derive(Domain, Clone, PartialEq, Debug)]
enum Expression {
    Do(Box<Statement>),
    Number(u8),
    Pair(Rc<(Expression, Option<Expression>)>),
}

#[test]
fn types_that_contain_each_other_end_as_well() {
    keeps_promises::<Statement>();
    keeps_promises::<Expression>();
    // By hand, from inside to outside. At the outside, nine statements make 91 lists,
    // and there are 17 expressions with one statement around them.
    assert_eq!(Statement::count(), 91 + 17);
    assert_eq!(Expression::count(), 16 + 2 + 5 * 6);
}

/// Only a value of the other type makes one.
#[derive(Domain, Clone, PartialEq, Debug)]
struct Ping(Pong);

#[derive(Domain, Clone, PartialEq, Debug)]
enum Pong {
    Back(Box<Ping>),
    End,
}

/// Has no value at all.
#[derive(Domain, Clone, PartialEq, Debug)]
struct Endless(Box<Endless>);

#[test]
fn what_has_values_keeps_some() {
    keeps_promises::<Ping>();
    check([Pong::Back(Box::new(Ping(Pong::End))), Pong::End]);
    check::<Endless>([]);
}

#[test]
fn iterators_do_not_disturb_each_other() {
    let mut seen = Vec::new();
    for tree in Tree::values() {
        // In the midst of it, another one is at the outside again.
        assert_eq!(Tree::count(), 14);
        assert_eq!(Tree::values().count(), 14);
        seen.push(tree);
    }
    assert!(Tree::values().eq(seen));
}

/// Its values cannot be made.
#[derive(Domain, Clone)]
struct Broken {
    #[domain(values(no_value()))]
    _broken: u8,
    _tree: Tree,
}

fn no_value() -> u8 {
    panic!("no value")
}

#[test]
fn a_panic_leaves_nothing_behind() {
    let broken = std::panic::catch_unwind(|| Broken::values().count());
    assert!(broken.is_err());
    assert_eq!(Broken::count(), 14);
    assert_eq!(Tree::count(), 14);
}
