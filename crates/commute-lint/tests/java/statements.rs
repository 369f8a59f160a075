//! Fields, arrays, loops, switches, handlers, statics, collections, lambdas.

use expect_test::expect;

use crate::compiler::check;

#[test]
fn fields() {
    let source = "
        class Cell {
            int n;
            long wide;
            int get() { return n; }
            void add(int a, long b) { n += a; wide = wide * b + a; }
            int next() { return n++; }
        }";
    check(
        source,
        &["Cell.get", "Cell.add", "Cell.next"],
        expect![[r#"
        fn Cell.get(this: Cell) -> int
        bb0:
          _2 = (*this).Cell.n  ; 5
          _0 = _2  ; 5
          return  ; 5

        fn Cell.add(this: Cell, a: int, b: long) -> void
        bb0:
          _4 = (*this).Cell.n  ; 6
          _5 = compute(_4, a)  ; 6
          (*this).Cell.n = _5  ; 6
          _6 = (*this).Cell.wide  ; 6
          _7 = compute(_6, b)  ; 6
          _8 = compute(a)  ; 6
          _9 = compute(_7, _8)  ; 6
          (*this).Cell.wide = _9  ; 6
          return  ; 6

        fn Cell.next(this: Cell) -> int
        bb0:
          _2 = (*this).Cell.n  ; 7
          _3 = compute(_2, 1)  ; 7
          (*this).Cell.n = _3  ; 7
          _0 = _2  ; 7
          return  ; 7
    "#]],
    );
}

#[test]
fn inherited_fields_are_of_the_class_that_declares_them() {
    let source = "
        class Base { int n; static int all; }
        class Derived extends Base {
            int both() { all = 1; return n + this.n; }
        }";
    check(
        source,
        &["Derived.both"],
        expect![[r#"
        fn Derived.both(this: Derived) -> int
        bb0:
          _2 = &static Base  ; 4
          (*_2).Base.all = 1  ; 4
          _3 = (*this).Base.n  ; 4
          _4 = (*this).Base.n  ; 4
          _5 = compute(_3, _4)  ; 4
          _0 = _5  ; 4
          return  ; 4
    "#]],
    );
}

#[test]
fn statics() {
    let source = "
        class Shared {
            static int count;
            static Object last;
            static void set(Object o) { count = count + 1; last = o; }
        }";
    check(
        source,
        &["Shared.set"],
        expect![[r#"
        fn Shared.set(o: java.lang.Object) -> void
        bb0:
          _2 = &static Shared  ; 5
          _3 = (*_2).Shared.count  ; 5
          _4 = compute(_3, 1)  ; 5
          _5 = &static Shared  ; 5
          (*_5).Shared.count = _4  ; 5
          _6 = &static Shared  ; 5
          (*_6).Shared.last = o  ; 5
          return  ; 5
    "#]],
    );
}

#[test]
fn arrays_belong_to_their_field() {
    let source = "
        class Grid {
            int[][] cells = new int[8][8];
            char[] text;
            int get(int x, int y) { return cells[x][y]; }
            void set(int x, int y, int v) { cells[x][y] = v; text[0] = 'F'; }
            void copy(char[] from, int n) { System.arraycopy(from, 0, text, 0, n); }
            static int sum(int[] all) { int s = 0; for (int a : all) s += a; return s; }
        }";
    let functions = [
        "Grid.<init>",
        "Grid.get",
        "Grid.set",
        "Grid.copy",
        "Grid.sum",
    ];
    check(
        source,
        &functions,
        expect![[r#"
        fn Grid.<init>(this: Grid) -> void
        bb0:
          _2 = new(8, 8)  ; 3
          (*this).Grid.cells = _2  ; 3
          return  ; 3

        fn Grid.get(this: Grid, x: int, y: int) -> int
        bb0:
          _4 = (*this).Grid.cells  ; 5
          _5 = (*(*this).Grid.cells)[x]  ; 5
          _6 = (*(*(*this).Grid.cells)[x])[y]  ; 5
          _0 = _6  ; 5
          return  ; 5

        fn Grid.set(this: Grid, x: int, y: int, v: int) -> void
        bb0:
          _5 = (*this).Grid.cells  ; 6
          _6 = (*(*this).Grid.cells)[x]  ; 6
          (*(*(*this).Grid.cells)[x])[y] = v  ; 6
          _7 = (*this).Grid.text  ; 6
          (*(*this).Grid.text)[] = 70  ; 6
          return  ; 6

        fn Grid.copy(this: Grid, from: char[], n: int) -> void
        bb0:
          _4 = (*this).Grid.text  ; 7
          (*(*this).Grid.text)[] = (*from)[]  ; 7
          return  ; 7

        fn Grid.sum(all: int[]) -> int
        bb0:
          s = 0  ; 8
          _3 = all  ; 8
          _4 = compute(_3)  ; 8
          _5 = _4  ; 8
          _6 = 0  ; 8
          goto bb1  ; 8
        bb1:
          _7 = compute(_6, _5)  ; 8
          branch _7 -> bb2, bb3  ; 8
        bb2:
          _0 = s  ; 8
          return  ; 8
        bb3:
          _8 = (*_3)[_6]  ; 8
          a = _8  ; 8
          _10 = compute(s, a)  ; 8
          s = _10  ; 8
          _6 = compute(_6, 1)  ; 8
          goto bb1  ; 8
    "#]],
    );
}

#[test]
fn loops_and_conditions() {
    let source = "
        class Loop {
            int f(int n, boolean b) {
                int s = 0;
                for (int i = 0; i < n; i++) { if (b && i != 3) s += i; }
                return b ? s : -s;
            }
        }";
    check(
        source,
        &["Loop.f"],
        expect![[r#"
        fn Loop.f(this: Loop, n: int, b: boolean) -> int
        bb0:
          s = 0  ; 4
          i = 0  ; 5
          goto bb1  ; 5
        bb1:
          _6 = compute(i, n)  ; 5
          branch _6 -> bb2, bb3  ; 5
        bb2:
          branch b -> bb7, bb8  ; 6
        bb3:
          branch b -> bb4, bb5  ; 5
        bb4:
          i = compute(i, 1)  ; 5
          goto bb1  ; 5
        bb5:
          _7 = compute(i, 3)  ; 5
          branch _7 -> bb4, bb6  ; 5
        bb6:
          _8 = compute(s, i)  ; 5
          s = _8  ; 5
          goto bb4  ; 5
        bb7:
          _10 = compute(s)  ; 6
          _9 = _10  ; 6
          goto bb9  ; 6
        bb8:
          _9 = s  ; 6
          goto bb9  ; 6
        bb9:
          _0 = _9  ; 6
          return  ; 6
    "#]],
    );
}

#[test]
fn switches() {
    let source = "
        class Switch {
            int dense(int n) { switch (n) { case 0: return 1; case 1: case 2: return 5; } return 0; }
            String sparse(int n) { return switch (n) { case 1 -> \"a\"; case 1000 -> \"b\"; default -> \"c\" + n; }; }
        }";
    check(
        source,
        &["Switch.dense", "Switch.sparse"],
        expect![[r#"
        fn Switch.dense(this: Switch, n: int) -> int
        bb0:
          branch n -> bb1, bb2, bb3  ; 3
        bb1:
          _0 = 1  ; 3
          return  ; 3
        bb2:
          _0 = 5  ; 3
          return  ; 3
        bb3:
          _0 = 0  ; 3
          return  ; 3

        fn Switch.sparse(this: Switch, n: int) -> java.lang.String
        bb0:
          branch n -> bb1, bb2, bb3  ; 4
        bb1:
          _3 = "a"  ; 4
          goto bb4  ; 4
        bb2:
          _3 = "b"  ; 4
          goto bb4  ; 4
        bb3:
          _4 = compute(n)  ; 4
          _3 = _4  ; 4
          goto bb4  ; 4
        bb4:
          _0 = _3  ; 4
          return  ; 4
    "#]],
    );
}

#[test]
fn handlers() {
    let source = "
        class Try {
            int n;
            void work() {}
            void f(int d) {
                try { work(); n = 1; } catch (RuntimeException e) { n = 2; } finally { n = 3; }
            }
            int divide(int d) {
                try { return n / d; } catch (ArithmeticException e) { return 0; }
            }
            void rethrow() { try { throw new IllegalStateException(); } catch (IllegalStateException e) { n = 4; } }
        }";
    check(
        source,
        &["Try.f", "Try.divide", "Try.rethrow"],
        expect![[r#"
        fn Try.f(this: Try, d: int) -> void
        bb0:
          _3 = call Try.work(this)  ; 6
          branch thrown -> bb1, bb2, bb3  ; 6
        bb1:
          (*this).Try.n = 1  ; 6
          (*this).Try.n = 3  ; 6
          goto bb4  ; 6
        bb2:
          e = _4  ; 6
          (*this).Try.n = 2  ; 6
          (*this).Try.n = 3  ; 6
          goto bb4  ; 6
        bb3:
          _6 = _4  ; 6
          (*this).Try.n = 3  ; 6
          stop  ; 6
        bb4:
          return  ; 7

        fn Try.divide(this: Try, d: int) -> int
        bb0:
          branch thrown -> bb1, bb2  ; 9
        bb1:
          _4 = (*this).Try.n  ; 9
          _5 = compute(_4, d)  ; 9
          _0 = _5  ; 9
          return  ; 9
        bb2:
          e = _3  ; 9
          _0 = 0  ; 9
          return  ; 9

        fn Try.rethrow(this: Try) -> void
        bb0:
          _2 = new()  ; 11
          _2 = IllegalStateException.new <wrap>()  ; 11
          branch thrown -> bb1, bb2  ; 11
        bb1:
          _3 = _2  ; 11
          goto bb2  ; 11
        bb2:
          e = _3  ; 11
          (*this).Try.n = 4  ; 11
          return  ; 11
    "#]],
    );
}

#[test]
fn collections() {
    let source = "
        import java.util.*;
        import java.util.concurrent.*;
        import java.util.concurrent.atomic.*;
        class Store {
            Map<String, Integer> map = new HashMap<>();
            ConcurrentMap<String, Integer> shared = new ConcurrentHashMap<>();
            AtomicInteger hits = new AtomicInteger();
            StringBuffer log;
            List<String> names;
            void f(String k) {
                if (!map.containsKey(k)) map.put(k, 1);
                Integer old = shared.putIfAbsent(k, hits.incrementAndGet());
                hits.incrementAndGet();
                log.append(k).append(old);
                for (String n : names) System.out.println(n);
            }
        }";
    check(
        source,
        &["Store.f"],
        expect![[r#"
            fn Store.f(this: Store, k: java.lang.String) -> void
            bb0:
              _3 = (*this).Store.map  ; 12
              _4 = Map.containsKey <map.contains_key reads key 1>(_3, k)  ; 12
              branch _4 -> bb1, bb2  ; 12
            bb1:
              _8 = (*this).Store.shared  ; 13
              _9 = (*this).Store.hits  ; 13
              _10 = AtomicInteger.incrementAndGet <atomic.fetch_add reads writes atomic checks>(_9)  ; 13
              _11 = Integer.valueOf <same>(_10)  ; 13
              _12 = ConcurrentHashMap.putIfAbsent <map.or_insert reads writes atomic checks key 1>(_8, k, _11)  ; 13
              old = _12  ; 13
              _14 = (*this).Store.hits  ; 14
              _15 = AtomicInteger.incrementAndGet <atomic.add writes atomic>(_14)  ; 14
              _16 = (*this).Store.log  ; 15
              _17 = StringBuffer.append <append writes atomic lends>(_16, k)  ; 15
              _18 = StringBuffer.append <append writes atomic lends>(_17, old)  ; 15
              _19 = (*this).Store.names  ; 16
              _20 = List.iterator <iterate reads lends>(_19)  ; 16
              _21 = _20  ; 16
              goto bb3  ; 16
            bb2:
              _5 = (*this).Store.map  ; 12
              _6 = Integer.valueOf <same>(1)  ; 12
              _7 = Map.put <map.insert_ writes key 1>(_5, k, _6)  ; 12
              goto bb1  ; 12
            bb3:
              _22 = Iterator.hasNext <iterate reads>(_21)  ; 16
              branch _22 -> bb4, bb5  ; 16
            bb4:
              return  ; 17
            bb5:
              _23 = Iterator.next <iterate reads lends>(_21)  ; 16
              n = _23  ; 16
              _25 = &static java.lang.System  ; 16
              _26 = (*_25).java.lang.System.out  ; 16
              _27 = PrintStream.println <log>(_26, n)  ; 16
              goto bb3  ; 16
        "#]],
    );
}

#[test]
fn lambdas() {
    let source = "
        import java.util.*;
        import java.util.function.*;
        class Lambda {
            int n;
            Map<String, Integer> map;
            void each(List<Integer> list, int by) { list.forEach(x -> n += x * by); }
            int cached(String k) { return map.computeIfAbsent(k, this::compute); }
            Integer compute(String k) { return k.length() + n; }
            Supplier<Lambda> maker() { return Lambda::new; }
            int apply(IntUnaryOperator f) { return f.applyAsInt(n); }
            int twice() { return apply(x -> x * 2); }
        }";
    let functions = [
        "Lambda.each",
        "Lambda$$Lambda$0.accept",
        "Lambda.lambda$each$0",
        "Lambda.cached",
        "Lambda$$Lambda$1.apply",
        "Lambda$$Lambda$2.get",
        "Lambda.apply",
    ];
    check(
        source,
        &functions,
        expect![[r#"
            fn Lambda.each(this: Lambda, list: java.util.List, by: int) -> void
            bb0:
              _4 = aggregate(Lambda$$Lambda$0.0: this, Lambda$$Lambda$0.1: by)  ; 7
              _5 = compute((*list)[])  ; 7
              _6 = call Lambda$$Lambda$0.accept(_4, _5)  ; 7
              _6 = List.forEach <iterate reads>(list, _4)  ; 7
              return  ; 7

            fn Lambda$$Lambda$0.accept(closure: Lambda$$Lambda$0, _2: java.lang.Integer) -> void
            bb0:
              _3 = (*closure).Lambda$$Lambda$0.0
              _4 = (*closure).Lambda$$Lambda$0.1
              _5 = call Lambda.lambda$each$0(_3, _4, _2)
              return

            fn Lambda.lambda$each$0(this: Lambda, by: int, x: java.lang.Integer) -> void
            bb0:
              _4 = (*this).Lambda.n  ; 7
              _5 = Integer.intValue <same>(x)  ; 7
              _6 = compute(_5, by)  ; 7
              _7 = compute(_4, _6)  ; 7
              (*this).Lambda.n = _7  ; 7
              return  ; 7

            fn Lambda.cached(this: Lambda, k: java.lang.String) -> int
            bb0:
              _3 = (*this).Lambda.map  ; 8
              _4 = aggregate(Lambda$$Lambda$1.0: this)  ; 8
              _5 = compute((*(*this).Lambda.map)[], k)  ; 8
              _6 = call Lambda$$Lambda$1.apply(_4, _5)  ; 8
              _7 = Map.computeIfAbsent <map.or_insert reads writes checks key 1>(_3, k, _4, _6)  ; 8
              _8 = Integer.intValue <same>(_7)  ; 8
              _0 = _8  ; 8
              return  ; 8

            fn Lambda$$Lambda$1.apply(closure: Lambda$$Lambda$1, _2: java.lang.String) -> java.lang.Integer
            bb0:
              _3 = (*closure).Lambda$$Lambda$1.0
              _4 = call Lambda.compute(_3, _2)
              _0 = _4
              return

            fn Lambda$$Lambda$2.get(closure: Lambda$$Lambda$2) -> Lambda
            bb0:
              _2 = new()
              _3 = call Lambda.<init>(_2)
              _0 = _2
              return

            fn Lambda.apply(this: Lambda, f: java.util.function.IntUnaryOperator) -> int
            bb0:
              _3 = (*this).Lambda.n  ; 11
              _4 = call Lambda$$Lambda$3.applyAsInt(f, _3)  ; 11
              _0 = _4  ; 11
              return  ; 11
        "#]],
    );
}

#[test]
fn calls_reach_what_overrides() {
    let source = "
        interface Shape { int area(); default int twice() { return 2 * area(); } }
        class Square implements Shape { int a; public int area() { return a * a; } }
        class Line implements Shape { public int area() { return 0; } public int twice() { return 0; } }
        class Use {
            int f(Shape s, Square q) { return s.area() + s.twice() + q.area() + q.hashCode(); }
        }";
    check(
        source,
        &["Use.f"],
        expect![[r#"
        fn Use.f(this: Use, s: Shape, q: Square) -> int
        bb0:
          _4 = call Line.area | Square.area(s)  ; 6
          _5 = call Line.twice | Shape.twice(s)  ; 6
          _6 = compute(_4, _5)  ; 6
          _7 = call Square.area(q)  ; 6
          _8 = compute(_6, _7)  ; 6
          _9 = Object.hashCode <read reads>(q)  ; 6
          _10 = compute(_8, _9)  ; 6
          _0 = _10  ; 6
          return  ; 6
    "#]],
    );
}
