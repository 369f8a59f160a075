//! A barrier. State: `(arrived, round)`.

use commute_model::Value;

use super::parts;
use crate::model::{Model, Shown, Stepped};

/// The model of barriers: `arrive()` returns whether the caller is the last, and the
/// round; `leave(round)` waits until that is over.
#[derive(Clone, Copy, Debug)]
pub struct Barrier {
    /// How many must arrive.
    pub threads: usize,
}

impl Barrier {
    /// Nobody has arrived.
    pub fn initial() -> Value {
        Value::tuple([Value::Int(0), Value::Int(0)])
    }
}

impl Model for Barrier {
    fn name(&self) -> &str {
        "barrier"
    }

    fn step(&self, states: &[&Value], method: &str, args: &[Value]) -> Option<Stepped> {
        let [Value::Int(arrived), Value::Int(round)] = parts(states[0]) else {
            return None;
        };
        let state = |arrived: i128, round: i128| Value::tuple([arrived.into(), round.into()]);
        match (method, args) {
            ("arrive", []) => {
                let is_last = arrived + 1 >= self.threads as i128;
                let after = match is_last {
                    true => state(0, round + 1),
                    false => state(arrived + 1, *round),
                };
                let result = Value::tuple([is_last.into(), Value::Int(*round)]);
                Some(Stepped::to(after, result))
            }
            ("leave", [Value::Int(left)]) if round > left => {
                Some(Stepped::to(states[0].clone(), Value::unit()))
            }
            _ => None,
        }
    }

    fn only_reads(&self, method: &str, _args: &[Value], _result: &Value) -> bool {
        method == "leave"
    }

    fn shown(&self, _method: &str, _args: &[Value], result: &Value) -> Shown {
        let is_leader = parts(result).first() == Some(&Value::Bool(true));
        Shown {
            args: Vec::new(),
            result: is_leader.then(|| "leader".to_owned()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_to_arrive_lets_all_leave() {
        let model = Barrier { threads: 2 };
        let mut world = Barrier::initial();
        let mut step = |method: &str, args: &[Value]| {
            let stepped = model.step(&[&world], method, args)?;
            world = stepped.states[0].clone();
            Some(stepped.result)
        };
        let arrived = |last: bool, round: i128| Some(Value::tuple([last.into(), round.into()]));
        for round in 0..3 {
            assert_eq!(step("arrive", &[]), arrived(false, round));
            assert_eq!(step("leave", &[round.into()]), None);
            assert_eq!(step("arrive", &[]), arrived(true, round));
            assert_eq!(step("leave", &[round.into()]), Some(Value::unit()));
        }
    }
}
