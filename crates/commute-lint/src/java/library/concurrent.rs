//! `java.util.concurrent`: atomics, synchronisers, executors. Locks are in
//! [`crate::java::regions`].

use super::Called;
use super::rows::{Family, Row, reads, updates, writes};
use crate::ir::Effect;

/// `AtomicInteger` and its like, in the words of `atomic.ecl`.
pub(super) const ATOMIC: &[Row] = &[
    reads("get", "load").of(0),
    reads("getPlain", "load").of(0),
    reads("getAcquire", "load").of(0),
    reads("getOpaque", "load").of(0),
    reads("intValue", "load"),
    reads("longValue", "load"),
    reads("toString", "load"),
    writes("set", "store").of(1),
    writes("setPlain", "store").of(1),
    writes("setRelease", "store").of(1),
    writes("setOpaque", "store").of(1),
    writes("lazySet", "store").of(1),
    updates("getAndSet", "swap").of(1).checks(),
    updates("compareAndSet", "cas").of(2).checks(),
    updates("weakCompareAndSet", "cas").of(2).checks(),
    updates("weakCompareAndSetPlain", "cas").of(2).checks(),
    updates("weakCompareAndSetVolatile", "cas").of(2).checks(),
    updates("compareAndExchange", "cas_cur").of(2).checks(),
    updates("incrementAndGet", "fetch_add")
        .of(0)
        .checks()
        .dropped("add"),
    updates("getAndIncrement", "fetch_add")
        .of(0)
        .checks()
        .dropped("add"),
    updates("decrementAndGet", "fetch_sub")
        .of(0)
        .checks()
        .dropped("add"),
    updates("getAndDecrement", "fetch_sub")
        .of(0)
        .checks()
        .dropped("add"),
    updates("addAndGet", "fetch_add")
        .of(1)
        .checks()
        .dropped("add"),
    updates("getAndAdd", "fetch_add")
        .of(1)
        .checks()
        .dropped("add"),
    updates("updateAndGet", "update").plain().checks(),
    updates("getAndUpdate", "update").plain().checks(),
    updates("accumulateAndGet", "update").plain().checks(),
    updates("getAndAccumulate", "update").plain().checks(),
    // Arrays and references with a stamp.
    reads("get", "get").plain().key(1),
    writes("set", "set").plain().key(1),
    writes("lazySet", "set").plain().key(1),
    reads("length", "len").plain(),
    reads("getReference", "load"),
    reads("getStamp", "stamp").plain(),
    reads("isMarked", "stamp").plain(),
    updates("compareAndSet", "cas").plain().checks(),
    updates("getAndSet", "swap").plain().key(1).checks(),
    updates("incrementAndGet", "update").plain().key(1).checks(),
    updates("getAndIncrement", "update").plain().key(1).checks(),
    updates("decrementAndGet", "update").plain().key(1).checks(),
    updates("getAndDecrement", "update").plain().key(1).checks(),
    updates("addAndGet", "update").plain().key(1).checks(),
    updates("getAndAdd", "update").plain().key(1).checks(),
];

/// `LongAdder`, in the words of `counter.ecl`.
pub(super) const ADDER: &[Row] = &[
    writes("increment", "inc"),
    writes("decrement", "dec"),
    writes("add", "add"),
    writes("accumulate", "accumulate").plain(),
    reads("sum", "read"),
    reads("intValue", "read"),
    reads("longValue", "read"),
    reads("get", "read"),
    updates("sumThenReset", "reset").plain(),
    updates("getThenReset", "reset").plain(),
    writes("reset", "reset").plain(),
];

/// `Semaphore`, in the words of `semaphore.ecl`.
pub(super) const SEMAPHORE: &[Row] = &[
    writes("acquire", "acquire"),
    writes("acquireUninterruptibly", "acquire"),
    updates("tryAcquire", "try_acquire").checks(),
    writes("release", "release"),
    reads("availablePermits", "available"),
];

/// What threads wait for.
const SYNCHRONISER: &[Row] = &[
    writes("countDown", "count_down"),
    reads("getCount", "count"),
    reads("await", "await"),
    updates("arrive", "arrive"),
    updates("arriveAndAwaitAdvance", "arrive"),
    writes("register", "register"),
    reads("isDone", "done"),
    reads("isCancelled", "done"),
    reads("get", "result"),
    reads("getNow", "result"),
    reads("join", "result"),
    writes("complete", "complete"),
    writes("completeExceptionally", "complete"),
    writes("cancel", "complete"),
];

pub(super) fn family(class: &str) -> Option<Family> {
    let name = class.strip_prefix("java/util/concurrent/")?;
    let (spec, rows) = match name {
        "atomic/LongAdder"
        | "atomic/DoubleAdder"
        | "atomic/LongAccumulator"
        | "atomic/DoubleAccumulator" => (Some("counter"), ADDER),
        _ if name.starts_with("atomic/Atomic") && !name.ends_with("FieldUpdater") => {
            (Some("atomic"), ATOMIC)
        }
        "Semaphore" => (Some("semaphore"), SEMAPHORE),
        "CountDownLatch" | "CyclicBarrier" | "Phaser" | "Future" | "FutureTask"
        | "CompletableFuture" | "CompletionStage" | "ScheduledFuture" | "ForkJoinTask" => {
            (None, SYNCHRONISER)
        }
        _ => return None,
    };
    let atomic = true;
    Some(Family { spec, atomic, rows })
}

/// What starts threads, and what runs in them.
pub(super) fn effect(called: &Called<'_>) -> Option<Effect> {
    let name = called.class.strip_prefix("java/util/")?;
    let effect = match (name, called.name) {
        ("Timer", "schedule" | "scheduleAtFixedRate") => Effect::Spawn(1),
        ("Timer", "cancel" | "purge") => Effect::Pure,
        (
            "concurrent/Executor"
            | "concurrent/ExecutorService"
            | "concurrent/AbstractExecutorService"
            | "concurrent/ThreadPoolExecutor"
            | "concurrent/ScheduledExecutorService"
            | "concurrent/ScheduledThreadPoolExecutor"
            | "concurrent/ForkJoinPool"
            | "concurrent/CompletionService"
            | "concurrent/ExecutorCompletionService",
            method,
        ) => match method {
            "execute"
            | "submit"
            | "invoke"
            | "invokeAll"
            | "invokeAny"
            | "schedule"
            | "scheduleAtFixedRate"
            | "scheduleWithFixedDelay" => Effect::Spawn(1),
            "<init>" => Effect::Wrap,
            _ => Effect::Pure,
        },
        (
            "concurrent/ForkJoinTask" | "concurrent/RecursiveTask" | "concurrent/RecursiveAction",
            "fork",
        ) => Effect::Spawn(0),
        ("concurrent/CompletableFuture", "runAsync" | "supplyAsync") => Effect::Spawn(0),
        ("concurrent/CompletableFuture" | "concurrent/CompletionStage", method) => {
            match method
                .strip_prefix("then")
                .or(method.strip_prefix("handle"))
                .or(method.strip_prefix("when"))
            {
                Some(_) if called.arguments > 0 => Effect::Spawn(1),
                _ if called.is_static => Effect::Wrap,
                _ => return None,
            }
        }
        ("concurrent/Executors" | "concurrent/TimeUnit", _) => Effect::Pure,
        ("concurrent/locks/LockSupport", _) => Effect::Pure,
        ("concurrent/ThreadLocalRandom", _) => Effect::Pure,
        _ => return None,
    };
    Some(effect)
}
