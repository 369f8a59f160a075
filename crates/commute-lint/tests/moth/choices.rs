//! Where the paper leaves a choice: what it reports then is pinned here.

use super::{check, check_artho};

/// In the paper's Jimple the parameter would be assigned under the condition.
#[test]
fn what_decides_about_a_call_is_used_together_with_its_arguments() {
    let manager = "
class Manager { closed, entries
    atomic lookup() { e := this.entries; return e }
    atomic isClosed() { c := this.closed; return c }
    atomic shutdown() { this.entries := null; yes := 1; this.closed := yes }
    use(e) { skip }
    log(c) { skip }
    load() { e := lookup(); c := isClosed(); if c { use(e) } }
}
process run { m := new Manager; m.load(); m.shutdown() }
";
    check(manager, &["TornRead Manager.lookup Manager.isClosed"]);
    let apart = manager.replace("if c { use(e) }", "use(e); log(c)");
    check(&apart, &[]);
}

/// `send` writes one of the two, too, but it is what has both.
const CONNECTION: &str = "
class Connection { open, n
    atomic send() { o := this.open; n := this.n; n := n + o; this.n := n }
    atomic isOpen() { o := this.open; return o }
    atomic close() { no := 0; this.open := no }
    atomic reset() { zero := 0; this.n := zero }
    run() { send(); o := isOpen(); close(); reset() }
}
process run { c := new Connection; c.run() }
";

#[test]
fn the_parts_that_are_named_are_not_the_whole() {
    check(CONNECTION, &["TornWrite Connection.close Connection.reset"]);
}

#[test]
fn one_process_and_maximal_view_is_one_conflict() {
    check_artho(CONNECTION, 1);
}
