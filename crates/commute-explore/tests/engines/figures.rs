//! The figures of chapter 4 of the thesis, as far as they can be run: which executions
//! are explored, and which are not.

use std::ops::ControlFlow;
use std::rc::Rc;
use std::sync::Arc;

use commute_explore::models::Specified;
use commute_explore::{Engine, Extent, Knowledge, Limits, Mcr, Model, Ncmc, Run, Subject, Watch};
use commute_model::Value;
use expect_test::{Expect, expect};

use crate::interpreted::{Interpreted, Source, Stmt};

/// What each thread did in each run, and what is left in the end.
#[derive(Default)]
struct Told(String);

impl Watch for Told {
    fn ran(&mut self, run: &Run, _: bool, known: &Knowledge) -> ControlFlow<()> {
        let mut steps = Vec::new();
        for step in run.steps.iter().filter(|step| step.thread.0 > 0) {
            let operation = known.operation(step.op);
            let args: Vec<String> = operation.args.iter().map(ToString::to_string).collect();
            let result = match known.value(step.result) {
                Value::Tuple(none) if none.is_empty() => String::new(),
                result => format!("\\{result}"),
            };
            let object = ["o", "x"][operation.objects[0].index()];
            let told = format!("{object}.{}({}){result}", operation.method, args.join(","));
            steps.push(format!("T{} {told}", step.thread.0));
        }
        self.0 += &steps.join("; ");
        self.0 += "\n";
        ControlFlow::Continue(())
    }
}

/// An object, a plain variable, and what two threads do.
fn check(engine: &mut dyn Engine, object: &str, threads: [Vec<Stmt>; 2], expected: &Expect) {
    let objects = [object, "register"].map(|name| -> (Arc<dyn Model>, Value) {
        let model = Specified::named(name).expect("a built-in model");
        let initial = model.initial();
        (Arc::new(model), initial)
    });
    let mut all: Vec<Rc<[Stmt]>> = vec![Rc::new([])];
    all.extend(threads.into_iter().map(Rc::from));
    let mut program = Interpreted::new(Source {
        objects: objects.to_vec(),
        threads: all,
    });
    let mut subject = Subject::new(&mut program, Limits::default());
    let mut told = Told::default();
    assert_eq!(engine.explore(&mut subject, &mut told), Extent::Everything);
    expected.assert_eq(&told.0);
}

fn call(method: &'static str, args: &[i128]) -> Stmt {
    Stmt::Call(0, method, args.iter().map(|n| Value::Int(*n)).collect())
}

fn inc() -> Stmt {
    call("inc", &[])
}

fn read() -> Stmt {
    Stmt::Call(1, "read", vec![])
}

fn write(n: i128) -> Stmt {
    Stmt::Call(1, "write", vec![Value::Int(n)])
}

fn if_zero(then: Stmt) -> Stmt {
    Stmt::If(Value::Int(0), Rc::new([then]), Rc::new([]))
}

/// Two plain execution graphs: each increment reads from the other.
#[test]
fn figure_4_1() {
    let threads = [vec![inc()], vec![inc()]];
    check(
        &mut Mcr,
        "counter",
        threads,
        &expect![[r#"
        T1 o.inc(); T2 o.inc()
        T2 o.inc(); T1 o.inc()
    "#]],
    );
}

/// They are one semantic execution: increments commute.
#[test]
fn figure_4_2() {
    let threads = [vec![inc()], vec![inc()]];
    check(
        &mut Ncmc,
        "counter",
        threads,
        &expect![[r#"
        T1 o.inc(); T2 o.inc()
    "#]],
    );
}

/// SET-2ADD+CONT: `contains(1)` comes after `add(1)`, or before; `add(2)` does not
/// matter. (This set's `add` returns whether the value was there.)
#[test]
fn figure_4_3() {
    let threads = [
        vec![call("add", &[1])],
        vec![call("add", &[2]), call("contains", &[1])],
    ];
    check(
        &mut Ncmc,
        "set",
        threads,
        &expect![[r#"
        T1 o.add(1)\false; T2 o.add(2)\false; T2 o.contains(1)\true
        T2 o.add(2)\false; T2 o.contains(1)\false; T1 o.add(1)\false
    "#]],
    );
}

/// COUNTER-2INC-CF: although the increments commute, the first thread reads 1 in a run.
/// What is printed as one execution with `x := 2` is two here, for `x` may be 1 or 2 in
/// the end.
#[test]
fn figure_4_4() {
    let threads = [
        vec![inc(), read(), if_zero(write(2))],
        vec![write(1), inc()],
    ];
    check(
        &mut Ncmc,
        "counter",
        threads,
        &expect![[r#"
        T1 o.inc(); T1 x.read()\0; T1 x.write(2); T2 x.write(1); T2 o.inc()
        T1 o.inc(); T2 x.write(1); T1 x.read()\1; T2 o.inc()
        T1 o.inc(); T1 x.read()\0; T2 x.write(1); T1 x.write(2); T2 o.inc()
    "#]],
    );
}

/// COUNTER-SHB2: two executions. The one in which the second thread's increment comes
/// after the first of the first thread, and nothing else is different, is not run.
#[test]
fn figure_4_7() {
    let threads = [vec![inc(), read(), if_zero(inc())], vec![write(1), inc()]];
    check(
        &mut Ncmc,
        "counter",
        threads,
        &expect![[r#"
        T1 o.inc(); T1 x.read()\0; T1 o.inc(); T2 x.write(1); T2 o.inc()
        T1 o.inc(); T2 x.write(1); T1 x.read()\1; T2 o.inc()
    "#]],
    );
}

/// What the rule of Algorithm 6 skips as it is printed: the run in which `contains`
/// returns true.
#[test]
fn what_the_printed_rule_skips() {
    let threads = [vec![call("contains", &[1])], vec![call("add", &[1])]];
    check(
        &mut Ncmc,
        "set",
        threads,
        &expect![[r#"
        T1 o.contains(1)\false; T2 o.add(1)\false
        T2 o.add(1)\false; T1 o.contains(1)\true
    "#]],
    );
}
