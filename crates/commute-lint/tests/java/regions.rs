//! Regions: annotations, `synchronized`, locks.

use expect_test::expect;

use crate::compiler::{check, program_of, program_with, text};

#[test]
fn annotations_of_any_retention() {
    let source = "
        import java.lang.annotation.*;
        class Outer { @interface Atomic {} @Retention(RetentionPolicy.RUNTIME) @interface Other {} }
        class Cell {
            int n;
            @Outer.Atomic int get() { return n; }
            @Outer.Other void set(int v) { n = v; }
        }";
    let Some(program) = program_of(source) else {
        return;
    };
    let atomic: Vec<&str> = (program.functions.iter())
        .filter(|function| function.atomic)
        .map(|function| function.name.as_str())
        .collect();
    assert_eq!(atomic, ["Cell.get"]);
    let source = source.replace(
        "class Outer {",
        "class Outer { @Retention(RetentionPolicy.RUNTIME)",
    );
    let program = program_of(&source).expect("it was compiled before");
    assert!(
        program
            .functions
            .iter()
            .any(|f| f.atomic && f.name == "Cell.get")
    );
}

#[test]
fn synchronized_methods() {
    let source = "
        class Counter {
            int n; static int all;
            synchronized int inc(int a) { if (a < 0) throw new IllegalArgumentException(); n += a; return n; }
            static synchronized void reset() { all = 0; }
        }";
    check(
        source,
        &["Counter.inc", "Counter.reset"],
        expect![[r#"
            fn Counter.inc(this: Counter, a: int) -> int
            bb0:
              _3 = monitorenter <enter>(this, _3)  ; 4
              branch a -> bb1, bb2  ; 4
            bb1:
              _5 = (*this).Counter.n  ; 4
              _6 = compute(_5, a)  ; 4
              (*this).Counter.n = _6  ; 4
              _7 = (*this).Counter.n  ; 4
              _0 = _7  ; 4
              drop _3  ; 4
              return  ; 4
            bb2:
              _4 = new()  ; 4
              _4 = IllegalArgumentException.new <wrap>()  ; 4
              drop _3  ; 4
              return  ; 4

            fn Counter.reset() -> void
            bb0:
              _1 = monitorenter <enter>(&static Counter.class, _1)  ; 5
              _2 = &static Counter  ; 5
              (*_2).Counter.all = 0  ; 5
              drop _1  ; 5
              return  ; 5
        "#]],
    );
}

const BLOCKS: &str = "
    class Pair {
        int x, y; final Object lock = new Object();
        void work() {}
        int f() {
            synchronized (lock) { x = 1; work(); }
            synchronized (this) { try { return y; } finally { synchronized (Pair.class) { y = 2; } } }
        }
        void await() throws InterruptedException { synchronized (lock) { while (x == 0) lock.wait(); } }
    }";

#[test]
fn synchronized_blocks() {
    check(
        BLOCKS,
        &["Pair.f", "Pair.await"],
        expect![[r#"
            fn Pair.f(this: Pair) -> int
            bb0:
              _2 = (*this).Pair.lock  ; 6
              _3 = _2  ; 6
              _4 = monitorenter <enter>(_2, _4)  ; 6
              (*this).Pair.x = 1  ; 6
              _5 = call Pair.work(this)  ; 6
              branch thrown -> bb1, bb2  ; 6
            bb1:
              drop _4  ; 6
              goto bb3  ; 6
            bb2:
              _7 = _6  ; 6
              drop _4  ; 6
              stop  ; 6
            bb3:
              _3 = this  ; 7
              _8 = monitorenter <enter>(this, _8)  ; 7
              _9 = (*this).Pair.y  ; 7
              _10 = _9  ; 7
              _11 = &static Pair.class  ; 7
              _12 = monitorenter <enter>(&static Pair.class, _12)  ; 7
              (*this).Pair.y = 2  ; 7
              drop _12  ; 7
              goto bb4  ; 7
            bb4:
              drop _8  ; 7
              _0 = _10  ; 7
              return  ; 7

            fn Pair.await(this: Pair) -> void
            bb0:
              _2 = (*this).Pair.lock  ; 9
              _3 = _2  ; 9
              _4 = monitorenter <enter>(_2, _4)  ; 9
              goto bb1  ; 9
            bb1:
              _5 = (*this).Pair.x  ; 9
              branch _5 -> bb2, bb3  ; 9
            bb2:
              drop _4  ; 9
              goto bb6  ; 9
            bb3:
              _6 = (*this).Pair.lock  ; 9
              _4 = Object.wait <wait>(_6, _4)  ; 9
              branch thrown -> bb4, bb5  ; 9
            bb4:
              goto bb1  ; 9
            bb5:
              _9 = _8  ; 9
              drop _4  ; 9
              stop  ; 9
            bb6:
              return  ; 9
        "#]],
    );
}

#[test]
fn synchronized_blocks_without_names_of_variables() {
    let Some(program) = program_with(BLOCKS, &["-g:none"]) else {
        return;
    };
    assert_eq!(program.gaps, []);
    expect![[r#"
        fn Pair.await(this: Pair) -> void
        bb0:
          _2 = (*this).Pair.lock
          _3 = _2
          _4 = monitorenter <enter>(_2, _4)
          goto bb1
        bb1:
          _5 = (*this).Pair.x
          branch _5 -> bb2, bb3
        bb2:
          drop _4
          goto bb6
        bb3:
          _6 = (*this).Pair.lock
          _4 = Object.wait <wait>(_6, _4)
          branch thrown -> bb4, bb5
        bb4:
          goto bb1
        bb5:
          _9 = _8
          drop _4
          stop
        bb6:
          return
    "#]]
    .assert_eq(&text(&program, &["Pair.await"]));
}

#[test]
fn locks() {
    let source = "
        import java.util.concurrent.locks.*;
        class Guarded {
            final Lock lock = new ReentrantLock();
            static final ReentrantLock ALL = new ReentrantLock();
            final ReadWriteLock rw = new ReentrantReadWriteLock();
            int n;
            void set(int v) { lock.lock(); try { n = v; } finally { lock.unlock(); } }
            int get() { rw.readLock().lock(); int r = n; rw.readLock().unlock(); return r; }
            boolean attempt() {
                if (ALL.tryLock()) { n = 1; ALL.unlock(); return true; }
                return false;
            }
        }";
    let functions = ["Guarded.set", "Guarded.get", "Guarded.attempt"];
    check(
        source,
        &functions,
        expect![[r#"
        fn Guarded.set(this: Guarded, v: int) -> void
        bb0:
          _3 = (*this).Guarded.lock  ; 8
          _4 = Lock.lock <acquire>(_3)  ; 8
          (*this).Guarded.n = v  ; 8
          _5 = (*this).Guarded.lock  ; 8
          drop _4  ; 8
          goto bb1  ; 8
        bb1:
          return  ; 8

        fn Guarded.get(this: Guarded) -> int
        bb0:
          _2 = (*this).Guarded.rw  ; 9
          _3 = ReadWriteLock.readLock <same>(_2)  ; 9
          _4 = Lock.lock <acquire shared>(_3)  ; 9
          _5 = (*this).Guarded.n  ; 9
          r = _5  ; 9
          _7 = (*this).Guarded.rw  ; 9
          _8 = ReadWriteLock.readLock <same>(_7)  ; 9
          drop _4  ; 9
          _0 = r  ; 9
          return  ; 9

        fn Guarded.attempt(this: Guarded) -> boolean
        bb0:
          _2 = &static Guarded  ; 11
          _3 = (*_2).Guarded.ALL  ; 11
          _4 = ReentrantLock.tryLock <acquire>(_3)  ; 11
          _5 = discriminant(_4)  ; 11
          branch _5 -> bb3, bb2  ; 11
        bb1:
          _0 = 0  ; 12
          return  ; 12
        bb2:
          (*this).Guarded.n = 1  ; 11
          _6 = &static Guarded  ; 11
          _7 = (*_6).Guarded.ALL  ; 11
          drop _4  ; 11
          _0 = 1  ; 11
          return  ; 11
        bb3:
          drop _4  ; 11
          goto bb1  ; 11
    "#]],
    );
}

#[test]
fn locks_that_are_given_up_elsewhere_are_gaps() {
    let source = "
        class Odd {
            java.util.concurrent.locks.Lock lock;
            void end() { lock.unlock(); }
        }";
    let Some(program) = program_of(source) else {
        return;
    };
    assert_eq!(program.gaps.len(), 1);
    assert!(
        program.gaps[0]
            .place
            .ends_with("Odd.class: Odd.end, line 4")
    );
    assert_eq!(
        program.gaps[0].what,
        "it gives up a lock that it did not take"
    );
}

/// What native methods and reflection do cannot be seen. Those of the platform
/// do what is known of them.
#[test]
fn native_methods_and_reflection_are_gaps() {
    let source = "
        import java.lang.reflect.*;
        class Odd {
            native void stir(int[] all);
            static native int count(int from, String name);
            Object call(Method method, Object on) throws Exception { return method.invoke(on); }
            void set(Field field, Object on) throws Exception {
                field.setAccessible(true);
                field.set(on, null);
            }
            int usual(int[] from, int[] to) {
                System.arraycopy(from, 0, to, 0, 1);
                new Thread(() -> stir(from)).start();
                return from.hashCode() + count(1, \"\");
            }
        }";
    let Some(program) = program_of(source) else {
        return;
    };
    let mut gaps: Vec<&str> = (program.gaps.iter())
        .filter_map(|gap| gap.place.rsplit(": ").next())
        .collect();
    gaps.sort_unstable();
    assert_eq!(gaps, ["Odd.call, line 6", "Odd.set, line 9", "Odd.stir"]);
}
