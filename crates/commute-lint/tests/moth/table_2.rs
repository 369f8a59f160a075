//! The programs of Table 2 that are short, and VectorFail, which the paper
//! names as missed.

use commute_lint::{Algorithm, Options};

use super::{check, check_artho, run, summary};

const STORE: &str = "
class StoreProduct { n, soldOut
    atomic isConsistent() { n := this.n; s := this.soldOut; r := n == s; return r }
    atomic incNumber(k) { n := this.n; n := n + k; this.n := n }
    atomic setSoldOutA(b) { this.soldOut := b }
    supply() { r := isConsistent(); three := 3; incNumber(three); no := 0; setSoldOutA(no) }
}
class Store { orders, sold
    atomic hasOrders() { o := this.orders; r := o != null; return r }
    atomic treateOrder() { o := this.orders; this.orders := null; this.sold := o }
    work() { b := hasOrders(); if b { treateOrder() } }
}
process worker { s := new Store; s.work() }
process supplier { p := new StoreProduct; p.supply() }
";

#[test]
fn store() {
    check(
        STORE,
        &[
            "StaleCheck Store.hasOrders Store.treateOrder",
            "TornWrite StoreProduct.incNumber StoreProduct.setSoldOutA",
        ],
    );
    check_artho(STORE, 1);
    let repaired = STORE.replace("    supply()", "    atomic supply()");
    check(&repaired.replace("    work()", "    atomic work()"), &[]);
}

const VECTOR_FAIL: &str = "
class Vector { first, second, firstIsGreater
    atomic getMax() {
        g := this.firstIsGreater;
        if g { r := this.first } else { r := this.second }
        return r
    }
    atomic getMin() {
        g := this.firstIsGreater;
        if g { r := this.second } else { r := this.first }
        return r
    }
    atomic setElements(v, w) {
        this.first := v; this.second := w; g := v > w; this.firstIsGreater := g
    }
    ordered() { max := getMax(); min := getMin(); r := max >= min; return r }
}
process run { v := new Vector; one := 1; two := 2; v.setElements(one, two); r := v.ordered() }
";

#[test]
fn vector_fail_is_missed_with_one_view_per_method() {
    check(VECTOR_FAIL, &[]);
}

#[test]
fn vector_fail_is_found_with_views_per_path() {
    let options = Options::of(Algorithm::MothExtended);
    let found = summary(&run(VECTOR_FAIL, &options));
    assert_eq!(found, ["TornRead Vector.getMax Vector.getMin"]);
    let repaired = VECTOR_FAIL.replace("    ordered()", "    atomic ordered()");
    assert!(run(&repaired, &options).violations.is_empty());
    let without = Options {
        paths: false,
        ..options
    };
    assert_eq!(summary(&run(VECTOR_FAIL, &without)), [""; 0]);
}
