//! Calls in the words of the specification `channel`, which is one with room for
//! everything.

use commute_model::Value;

use super::parts;
use crate::act::{Act, Invoked};
use crate::model::Called;

pub(crate) fn act(bound: Option<usize>, call: Called<'_>) -> Act {
    if bound.is_some() {
        return Act::Unknown;
    }
    let got = |nothing: &str| match (parts(call.result), call.result) {
        ([v], _) => v.clone(),
        (_, Value::Nil) => Value::str("closed"),
        _ => Value::str(nothing),
    };
    let called = |method: &str, result: Value| {
        let args = call.args.iter().cloned();
        Act::Call(Invoked::new("channel", method, args, [result]))
    };
    match call.method {
        // There is room.
        "send" | "try_send" | "send_or_not" => called("send", call.result.clone()),
        "recv" => match parts(call.result) {
            [v] => called("recv", v.clone()),
            _ => called("recv", Value::Nil),
        },
        "try_recv" | "recv_or_not" => called("try_recv", got("empty")),
        "len" => called("len", call.result.clone()),
        _ => Act::Unknown,
    }
}
