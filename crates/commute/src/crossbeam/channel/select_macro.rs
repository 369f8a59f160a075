//! `select!` and `select_biased!`, as the original's, on our channels.

/// As [`crossbeam_channel::select!`](::crossbeam_channel::select).
#[macro_export]
#[doc(hidden)]
macro_rules! __crossbeam_select {
    ($($arms:tt)*) => { $crate::__crossbeam_select_arms!(@next new () [] {} $($arms)*) };
}

/// As [`crossbeam_channel::select_biased!`](::crossbeam_channel::select_biased).
#[macro_export]
#[doc(hidden)]
macro_rules! __crossbeam_select_biased {
    ($($arms:tt)*) => { $crate::__crossbeam_select_arms!(@next new_biased () [] {} $($arms)*) };
}

/// Takes arm after arm, then writes everything. An arm becomes `(recv index handle
/// (receiver) pattern body)` or `(send index handle (sender, message) pattern body)`;
/// each step has a `handle` of its own, by hygiene.
#[macro_export]
#[doc(hidden)]
macro_rules! __crossbeam_select_arms {
    (@next $new:ident $n:tt $arms:tt $default:tt recv($r:expr $(,)?) -> $res:pat => $($rest:tt)+) => {
        $crate::__crossbeam_select_arms!(@body $new $n $arms $default (recv ($r) $res) $($rest)+)
    };
    (@next $new:ident $n:tt $arms:tt $default:tt send($s:expr, $m:expr $(,)?) -> $res:pat => $($rest:tt)+) => {
        $crate::__crossbeam_select_arms!(@body $new $n $arms $default (send ($s, $m) $res) $($rest)+)
    };
    (@next $new:ident $n:tt $arms:tt {} default $(())? => $($rest:tt)+) => {
        $crate::__crossbeam_select_arms!(@body $new $n $arms {} (default) $($rest)+)
    };
    (@next $new:ident $n:tt $arms:tt {} default($timeout:expr $(,)?) => $($rest:tt)+) => {
        $crate::__crossbeam_select_arms!(@body $new $n $arms {} (default $timeout) $($rest)+)
    };
    (@next $new:ident $n:tt [$(($kind:ident $i:tt $handle:ident ($end:tt $($message:tt)*) $res:tt $body:tt))*] $default:tt) => {{
        $(let $handle = &$end;)*
        #[allow(unused_mut)]
        let mut select = $crate::crossbeam::channel::Select::$new();
        $(select.$kind($handle);)*
        $crate::__crossbeam_select_arms!(
            @wait select $default [$(($kind $i $handle ($end $($message)*) $res $body))*]
        )
    }};

    (@body $new:ident $n:tt $arms:tt $default:tt $head:tt $body:block, $($rest:tt)*) => {
        $crate::__crossbeam_select_arms!(@push $new $n $arms $default $head $body $($rest)*)
    };
    (@body $new:ident $n:tt $arms:tt $default:tt $head:tt $body:block $($rest:tt)*) => {
        $crate::__crossbeam_select_arms!(@push $new $n $arms $default $head $body $($rest)*)
    };
    (@body $new:ident $n:tt $arms:tt $default:tt $head:tt $body:expr, $($rest:tt)*) => {
        $crate::__crossbeam_select_arms!(@push $new $n $arms $default $head $body $($rest)*)
    };
    (@body $new:ident $n:tt $arms:tt $default:tt $head:tt $body:expr) => {
        $crate::__crossbeam_select_arms!(@push $new $n $arms $default $head $body)
    };

    (@push $new:ident $n:tt $arms:tt {} (default $($timeout:tt)?) $body:tt $($rest:tt)*) => {
        $crate::__crossbeam_select_arms!(@next $new $n $arms {($($timeout)?) $body} $($rest)*)
    };
    (@push $new:ident ($($n:tt)*) [$($arms:tt)*] $default:tt ($kind:ident $ends:tt $res:tt) $body:tt $($rest:tt)*) => {
        $crate::__crossbeam_select_arms!(
            @next $new ($($n)* 1) [$($arms)* ($kind ($($n)*) handle $ends $res $body)] $default $($rest)*
        )
    };

    (@wait $select:ident {} $arms:tt) => {
        match $select.unbound(::std::option::Option::None) {
            ::std::option::Option::Some(operation) => {
                $crate::__crossbeam_select_arms!(@choose operation $arms)
            }
            ::std::option::Option::None => unreachable!("waits until there is one"),
        }
    };
    (@wait $select:ident {() $body:tt} $arms:tt) => {
        $crate::__crossbeam_select_arms!(@wait $select {(::std::time::Duration::ZERO) $body} $arms)
    };
    (@wait $select:ident {($($timeout:tt)+) $body:tt} $arms:tt) => {
        match $select.unbound(::std::time::Instant::now().checked_add($($timeout)+)) {
            ::std::option::Option::Some(operation) => {
                $crate::__crossbeam_select_arms!(@choose operation $arms)
            }
            ::std::option::Option::None => $body,
        }
    };

    (@choose $operation:ident [(recv ($($i:tt)*) $handle:ident $ends:tt $res:tt $body:tt) $($arms:tt)*]) => {
        if $operation.index() == 0 $(+ $i)* {
            let $res = $operation.recv($handle);
            $body
        } else {
            $crate::__crossbeam_select_arms!(@choose $operation [$($arms)*])
        }
    };
    (@choose $operation:ident [(send ($($i:tt)*) $handle:ident ($end:tt, $message:tt) $res:tt $body:tt) $($arms:tt)*]) => {
        if $operation.index() == 0 $(+ $i)* {
            let $res = $operation.send($handle, $message);
            $body
        } else {
            $crate::__crossbeam_select_arms!(@choose $operation [$($arms)*])
        }
    };
    (@choose $operation:ident []) => {{
        let _ = ::std::mem::ManuallyDrop::new($operation);
        unreachable!("one of the arms was selected")
    }};
}

pub use crate::{__crossbeam_select as select, __crossbeam_select_biased as select_biased};
