//! `java.lang` and other parts of the platform that are no shared state of
//! their own: strings, boxes, mathematics, logs, threads.

use super::Called;
use crate::ir::{Effect, Operation};

const READS: Operation = Operation {
    spec: None,
    method: "read",
    reads: true,
    writes: false,
    atomic: false,
    key: None,
    checks: false,
    lends: false,
};

const WRITES: Operation = Operation {
    method: "write",
    reads: false,
    writes: true,
    ..READS
};

pub(super) fn effect(called: &Called<'_>) -> Option<Effect> {
    if called.name == "<init>" {
        return Some(Effect::Wrap);
    }
    if is_log(called.class) {
        return Some(
            match called.name.starts_with("is") || called.name.starts_with("get") {
                true => Effect::Pure,
                false => Effect::Log,
            },
        );
    }
    if called.class.starts_with("java/util/stream/") {
        return Some(match called.name {
            "forEach" | "forEachOrdered" => Effect::Apply,
            _ if called.is_static => Effect::Wrap,
            _ => Effect::Operation(Operation {
                lends: true,
                ..READS
            }),
        });
    }
    if called.class.starts_with("java/util/function/") {
        return Some(Effect::Apply);
    }
    let effect = match (called.class, called.name) {
        ("java/lang/Object", "wait") => Effect::Wait,
        ("java/lang/Object", "notify" | "notifyAll" | "getClass" | "finalize") => Effect::Pure,
        ("java/lang/Runnable" | "java/util/concurrent/Callable" | "java/util/Comparator", _) => {
            Effect::Apply
        }
        ("java/lang/Thread" | "java/lang/VirtualThread", method) => match method {
            "start" => Effect::Spawn(0),
            "startVirtualThread" => Effect::Spawn(0),
            "run" => Effect::Apply,
            _ => Effect::Pure,
        },
        ("java/lang/Thread$Builder", "start") => Effect::Spawn(1),
        ("java/lang/String", "getChars" | "getBytes") if called.arguments > 1 => Effect::Unknown,
        ("java/lang/String", _) => Effect::Pure,
        (
            "java/lang/Integer"
            | "java/lang/Long"
            | "java/lang/Short"
            | "java/lang/Byte"
            | "java/lang/Boolean"
            | "java/lang/Character"
            | "java/lang/Float"
            | "java/lang/Double"
            | "java/lang/Number",
            method,
        ) => match method {
            "valueOf" if called.arguments == 1 => Effect::Same,
            _ if method.ends_with("Value") => Effect::Same,
            _ => Effect::Pure,
        },
        ("java/util/Objects", "requireNonNull" | "requireNonNullElse") => Effect::Same,
        ("java/util/Optional" | "java/util/OptionalInt" | "java/util/OptionalLong", method) => {
            match method {
                "of" | "ofNullable" => Effect::Wrap,
                "get" | "orElse" | "orElseThrow" | "getAsInt" | "getAsLong" => Effect::Same,
                "ifPresent" | "map" | "flatMap" | "filter" | "orElseGet" => Effect::Apply,
                _ => Effect::Pure,
            }
        }
        ("java/security/AccessController", "doPrivileged") => Effect::Apply,
        ("java/util/concurrent/locks/Lock", "newCondition") => Effect::Same,
        ("java/lang/ThreadLocal", "get") => Effect::Pure,
        ("java/lang/ref/WeakReference" | "java/lang/ref/SoftReference", "get") => Effect::Same,
        ("java/util/Arrays", "asList" | "stream") => Effect::Same,
        ("java/util/Arrays", "fill" | "sort" | "setAll" | "parallelSort" | "parallelPrefix") => {
            Effect::Operation(WRITES)
        }
        ("java/util/Arrays", _) => Effect::Operation(READS),
        ("java/util/Collections", method) => match method {
            "sort" | "shuffle" | "reverse" | "swap" | "fill" | "addAll" | "rotate"
            | "replaceAll" => Effect::Operation(WRITES),
            _ if method.starts_with("synchronized") || method.starts_with("unmodifiable") => {
                Effect::Same
            }
            _ if method.starts_with("empty") || method.starts_with("singleton") => Effect::Wrap,
            _ => Effect::Operation(READS),
        },
        (_, "clone") => Effect::Operation(READS),
        (_, "of" | "copyOf") if called.is_static => Effect::Wrap,
        (_, "printStackTrace") => Effect::Log,
        (
            "java/lang/Math"
            | "java/lang/StrictMath"
            | "java/lang/System"
            | "java/lang/Class"
            | "java/lang/Enum"
            | "java/lang/Record"
            | "java/lang/Runtime"
            | "java/lang/Throwable"
            | "java/util/Objects"
            | "java/util/Random"
            | "java/util/UUID"
            | "java/util/regex/Pattern"
            | "java/math/BigInteger"
            | "java/math/BigDecimal",
            _,
        ) => Effect::Pure,
        _ if called.class.starts_with("java/time/") => Effect::Pure,
        _ if is_throwable(called.class) => Effect::Pure,
        _ => return None,
    };
    Some(effect)
}

/// Whoever writes to a stream of characters for people to read is taken to log.
/// So are the loggers of all libraries, which agree about the name.
fn is_log(class: &str) -> bool {
    matches!(
        class,
        "java/io/PrintStream" | "java/io/Console" | "org/apache/commons/logging/Log"
    ) || class.ends_with("Logger")
}

fn is_throwable(class: &str) -> bool {
    class.ends_with("Exception") || class.ends_with("Error")
}
