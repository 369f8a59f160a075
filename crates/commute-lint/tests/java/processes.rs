//! What runs concurrently.

use crate::compiler::program_of;

fn check(source: &str, expected: &[&str]) {
    let Some(program) = program_of(source) else {
        return;
    };
    let names: Vec<&str> = program.processes.iter().map(|p| p.name.as_str()).collect();
    assert_eq!(names, expected);
    // `main` runs once, and so does what only it starts.
    let mains = names.iter().any(|name| name.ends_with(".main"));
    let several = |process: &commute_lint::ir::Process| process.several;
    assert!(mains || program.processes.iter().all(several));
}

#[test]
fn threads() {
    let source = "
        class Worker extends Thread { public void run() {} }
        class Job implements Runnable { public void run() {} }
        class Idle implements Runnable { public void run() {} }
        class Main {
            public static void main(String[] a) {
                new Worker().start();
                Thread t = new Thread(new Job());
                t.start();
                new Thread(() -> System.out.println(a.length)).start();
            }
        }";
    check(
        source,
        &["Job.run", "Main.main", "Worker.run", "Main$$Lambda$0.run"],
    );
}

#[test]
fn executors() {
    let source = "
        import java.util.concurrent.*;
        class Task implements Callable<Integer> { public Integer call() { return 1; } }
        class Main {
            void go(ExecutorService pool, Runnable any) throws Exception {
                pool.submit(new Task());
                pool.execute(this::work);
                CompletableFuture.runAsync(() -> work());
            }
            void work() {}
        }";
    check(
        source,
        &["Task.call", "Main$$Lambda$0.run", "Main$$Lambda$1.run"],
    );
}

#[test]
fn what_is_only_known_by_its_interface_may_be_anything() {
    let source = "
        class A implements Runnable { public void run() {} }
        class B { void go(Runnable r) { new Thread(r).start(); } }";
    check(source, &["A.run"]);
}

#[test]
fn libraries() {
    let source = "
        public class Test {
            private int n;
            public synchronized int get() { return n; }
            public void reset() { n = 0; }
            void internal() {}
        }
        class Plain { public void nothing() {} }";
    check(source, &["Test.get", "Test.reset"]);
}

#[test]
fn a_main_that_starts_no_thread_only_shows_how_a_class_with_locks_is_used() {
    let source = "
        class Text {
            private int length;
            synchronized int length() { return length; }
            void append(Text other) { add(other.length()); }
            private void add(int more) { length += more; }
        }
        class Main {
            public static void main(String[] a) { new Text().append(new Text()); }
        }";
    check(source, &["Main.main", "Text.length", "Text.append"]);
}
