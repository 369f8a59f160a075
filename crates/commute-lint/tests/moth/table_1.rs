//! The programs of Table 1.

use super::{check, check_artho};

const CONNECTION: &str = "
class Counter { n
    atomic reset() { this.n := 0 }
    increment() { t := this.n; t := t + 1; this.n := t }
}
class Connection { counter: Counter, socket
    atomic resetSocket() { this.socket := null }
    atomic isConnected() { s := this.socket; r := s != null; return r }
    atomic send(m) { s := this.socket; c := this.counter; c.increment(); return s }
    disconnect() { resetSocket(); c := this.counter; c.reset() }
    trySendMsg(m) { b := isConnected(); if b { r := send(m) } }
}
process gui {
    c := new Connection; i := 0; m := 1;
    while i < 10 {
        i := i + 1;
        if i == 3 { c.disconnect() } else { c.trySendMsg(m) }
    }
}
";

#[test]
fn connection() {
    check(
        CONNECTION,
        &[
            "StaleCheck Connection.isConnected Connection.send",
            "TornWrite Connection.resetSocket Counter.reset",
        ],
    );
    check_artho(CONNECTION, 1);
    let repaired = CONNECTION.replace("    disconnect", "    atomic disconnect");
    check(&repaired.replace("    trySend", "    atomic trySend"), &[]);
}

const COORD03: &str = "
class Pair { a, b }
class Vars { x, y
    atomic getX() { t := this.x; return t }
    atomic getY() { t := this.y; return t }
    atomic setX(v) { this.x := v }
    atomic setY(v) { this.y := v }
    atomic getXY() { p := new Pair; t := this.x; p.a := t; t := this.y; p.b := t; return p }
    atomic setXY(v, w) { this.x := v; this.y := w }
    use1(a) { skip }
    use2(a, b) { skip }
    both() { x := getX(); y := getY(); use2(x, y) }
}
process t1 { v := new Vars; v.setXY(1, 2) }
process t2 { v := new Vars; z := v.getX(); v.use1(z) }
process t3 { v := new Vars; v.both() }
process t4 { v := new Vars; x := v.getX(); v.use1(x); p := v.getXY(); x := p.a; y := p.b; v.use2(x, y) }
";

#[test]
fn coord03() {
    check(COORD03, &["TornRead Vars.getX Vars.getY"]);
    check_artho(COORD03, 1);
    check(&COORD03.replace("both() {", "atomic both() {"), &[]);
}

const LOCAL: &str = "
class Cell { n
    atomic getValue() { t := this.n; return t }
    atomic setValue(v) { this.n := v }
    update() { tmp := getValue(); tmp := tmp + 1; setValue(tmp) }
}
process run { c := new Cell; c.update() }
";

#[test]
fn local() {
    check(LOCAL, &["StaleValue Cell.getValue Cell.setValue"]);
    check_artho(LOCAL, 0);
    check(&LOCAL.replace("update() {", "atomic update() {"), &[]);
}

const NASA: &str = "
class Cell { value, achieved }
class Table { cells: Cell, state
    atomic setValue(v, n) { c := this.cells[n]; c.value := v }
    atomic setAchieved(v, n) { c := this.cells[n]; s := this.state; if v == s { c.achieved := true } }
    atomic tryIssueWarning(n) {
        c := this.cells[n]; a := c.achieved; v := c.value; s := this.state; w := 0;
        if a && v != s { w := 1 }
        return w
    }
    achieve(v, n) { setValue(v, n); setAchieved(v, n) }
}
process task { t := new Table; t.achieve(1, 2) }
process daemon { t := new Table; i := 0; while true { w := t.tryIssueWarning(i) } }
";

#[test]
fn nasa() {
    check(NASA, &["TornWrite Table.setValue Table.setAchieved"]);
    check_artho(NASA, 1);
    check(&NASA.replace("    achieve(", "    atomic achieve("), &[]);
}

const COORD04: &str = "
class Coord { x, y
    atomic swap() { t := this.x; u := this.y; this.x := u; this.y := t }
    atomic resetX() { this.x := 0 }
    atomic resetY() { this.y := 0 }
    reset() { resetX(); resetY() }
}
process run { c := new Coord; c.swap(); c.reset() }
";

#[test]
fn coord04() {
    check(COORD04, &["TornWrite Coord.resetX Coord.resetY"]);
    check_artho(COORD04, 1);
    check(&COORD04.replace("    reset()", "    atomic reset()"), &[]);
}

const BUFFER: &str = "
class Buffer { cell, head, tail
    atomic next() { h := this.head; h := h + 1; this.head := h; c := this.cell; return c }
    atomic add(v) { t := this.tail; t := t + 1; this.tail := t; this.cell := v }
    square() { v := next(); w := v * v; add(w) }
}
process run { b := new Buffer; while true { b.square() } }
";

#[test]
fn buffer() {
    // A false alarm, as in the paper: a protocol that is not in the code.
    check(BUFFER, &["StaleValue Buffer.next Buffer.add"]);
    check_artho(BUFFER, 0);
    check(&BUFFER.replace("    square()", "    atomic square()"), &[]);
}

const DOUBLE_CHECK: &str = "
class Shared { field
    atomic get() { t := this.field; return t }
    atomic update(old, new1) {
        f := this.field;
        if old == f { this.field := new1; r := true } else { r := false }
        return r
    }
    f(v) { v := v + 1; return v }
    run() { done := false; while !done { v := get(); w := f(v); done := update(v, w) } }
}
process run { s := new Shared; s.run() }
";

#[test]
fn double_check() {
    // A false alarm, as in the paper: the second region checks again.
    check(DOUBLE_CHECK, &["StaleValue Shared.get Shared.update"]);
    check_artho(DOUBLE_CHECK, 0);
    check(&DOUBLE_CHECK.replace("    run()", "    atomic run()"), &[]);
}

const STRING_BUFFER: &str = "
class StringBuffer { buffer, count
    atomic length() { n := this.count; return n }
    atomic getChars(n) { c := this.buffer[n]; k := this.count; return c }
    atomic delete(pos) { this.buffer[pos] := null; this.count := pos }
    append(other: StringBuffer) {
        len := other.length(); c := other.getChars(len); zero := 0; this.delete(zero)
    }
}
main { s := new StringBuffer; o := new StringBuffer; s.append(o) }
";

#[test]
fn string_buffer() {
    check(
        STRING_BUFFER,
        &["StaleRead StringBuffer.length StringBuffer.getChars"],
    );
    check_artho(STRING_BUFFER, 0);
    check(
        &STRING_BUFFER.replace("    append(", "    atomic append("),
        &[],
    );
}

const ACCOUNT: &str = "
class Account { balance, name
    atomic getBalance() { t := this.balance; return t }
    atomic setBalance(b) { this.balance := b }
    update(a) { t := getBalance(); t := t + a; setBalance(t) }
}
process run { acc := new Account; a := 5; while a < 9 { acc.update(a) } }
";

#[test]
fn account() {
    check(
        ACCOUNT,
        &["StaleValue Account.getBalance Account.setBalance"],
    );
    check_artho(ACCOUNT, 0);
    check(&ACCOUNT.replace("    update(", "    atomic update("), &[]);
}

const JIGSAW: &str = "
class Manager { closed, entries
    atomic checkClosed() { c := this.closed; return c }
    atomic lookupEntry(key) {
        e := this.entries[key];
        if e == null { e := key; this.entries[key] := e }
        return e
    }
    atomic shutdown() { this.entries := null; this.closed := true }
    load(key) {
        e := lookupEntry(key);
        c := checkClosed();
        if c { return null } else { return e }
    }
}
process run { m := new Manager; k := 1; e := m.load(k); m.shutdown() }
";

#[test]
fn jigsaw() {
    check(
        JIGSAW,
        &["TornRead Manager.lookupEntry Manager.checkClosed"],
    );
    check_artho(JIGSAW, 1);
    check(&JIGSAW.replace("    load(", "    atomic load("), &[]);
}

const OVER_REPORTING: &str = "
class Map { keys, values, init_done
    init() { d := this.init_done; if !d { sets() } }
    atomic sets() { this.init_done := true; this.keys := 1; this.values := 2 }
    atomic get(key) {
        i := 0; r := null;
        while i < 10 { k := this.keys[i]; if k == key { r := this.values[i] } i := i + 1 }
        return r
    }
}
process run { m := new Map; m.init(); v := m.get(3) }
";

#[test]
fn over_reporting() {
    check(OVER_REPORTING, &[]);
    check_artho(OVER_REPORTING, 0);
}

const UNDER_REPORTING: &str = "
class Counter { i
    atomic inc(a) { t := this.i; t := t + a; this.i := t; return t }
    twice() { zero := 0; t := inc(zero); u := inc(t) }
}
process run { c := new Counter; c.twice() }
";

#[test]
fn under_reporting() {
    check(UNDER_REPORTING, &["StaleValue Counter.inc Counter.inc"]);
    check_artho(UNDER_REPORTING, 0);
    check(
        &UNDER_REPORTING.replace("    twice()", "    atomic twice()"),
        &[],
    );
}

const ALLOCATE_VECTOR: &str = "
class AllocationVector { vector
    atomic getFreeBlockIndex() {
        i := 0; r := 0 - 1;
        while i < 9 { v := this.vector[i]; if v == 0 { r := i } i := i + 1 }
        return r
    }
    atomic markAsAllocatedBlock(i) { this.vector[i] := 1 }
    atomic markAsFreeBlock(i) { this.vector[i] := 0 }
    allocate() { r := getFreeBlockIndex(); if r != 0 { markAsAllocatedBlock(r) } }
}
process run { a := new AllocationVector; a.allocate(); two := 2; a.markAsFreeBlock(two) }
";

#[test]
fn allocate_vector() {
    check(
        ALLOCATE_VECTOR,
        &["StaleCheck AllocationVector.getFreeBlockIndex AllocationVector.markAsAllocatedBlock"],
    );
    check_artho(ALLOCATE_VECTOR, 0);
    check(
        &ALLOCATE_VECTOR.replace("    allocate()", "    atomic allocate()"),
        &[],
    );
}

const KNIGHT: &str = "
class KnightMoves { solution
    atomic get_solution(p) { s := this.solution[p]; return s }
    atomic set_solution(p, m) { this.solution[p] := m }
    solve(me, moves) {
        s := get_solution(me);
        if s <= moves { return 0 - 1 }
        set_solution(me, moves);
        return 0
    }
}
process solver { k := new KnightMoves; me := 3; moves := 1; r := k.solve(me, moves) }
main { k := new KnightMoves; me := 0; moves := 0; r := k.solve(me, moves) }
";

#[test]
fn knight() {
    check(
        KNIGHT,
        &["StaleCheck KnightMoves.get_solution KnightMoves.set_solution"],
    );
    check_artho(KNIGHT, 0);
    check(&KNIGHT.replace("    solve(", "    atomic solve("), &[]);
}
