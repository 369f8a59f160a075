use super::*;

/// Two numbers, of which it shows one.
#[derive(Clone, PartialEq, Eq, Hash, Default)]
struct Reticent(u8, u8);

impl fmt::Debug for Reticent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.0)
    }
}

impl Model for Reticent {
    fn step(&mut self, method: &str, args: &[Value]) -> Option<Value> {
        match (method, args) {
            ("hide", [n]) => self.1 = u8::try_from(n.as_int()?).ok()?,
            ("find", []) => return Some(self.1.into()),
            _ => panic!("no `{method}`"),
        }
        Some(().into())
    }
}

#[test]
fn states_that_look_alike_are_told_apart() {
    let model = own_model::<Reticent>("safe");
    assert_eq!(model.name(), "Reticent");
    let initial = model.initial();
    let step = |state: &Value, method: &str, args: &[Value]| {
        let stepped = model.step(&[state], method, args)?;
        Some((stepped.states[0].clone(), stepped.result))
    };
    let (hidden, nothing) = step(&initial, "hide", &[7.into()]).unwrap();
    assert_eq!(nothing, Value::unit());
    assert_ne!(hidden, initial);
    assert_eq!(
        hidden.as_tuple().unwrap()[0],
        initial.as_tuple().unwrap()[0]
    );
    assert_eq!(step(&hidden, "find", &[]), Some((hidden.clone(), 7.into())));
    assert_eq!(step(&hidden, "hide", &[0.into()]).unwrap().0, initial);
    // It waits, and nothing has changed.
    assert_eq!(step(&hidden, "hide", &[Value::Nil]), None);
    let (same, said) = step(&hidden, "seek", &[]).unwrap();
    assert_eq!((same, unknown(&said)), (hidden, Some("no `seek`")));
}

#[test]
fn what_returns_nothing_is_known_by_its_name() {
    let model = own_model::<Reticent>("safe");
    assert!(model.returns("drop"));
    model.returns_nothing("drop");
    assert!(!own_model::<Reticent>("safe").returns("drop"));
    assert!(own_model::<Reticent>("vault").returns("drop"));
}

/// Something that says of itself what is not so.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
struct Boaster(u8);

impl Model for Boaster {
    fn step(&mut self, method: &str, _args: &[Value]) -> Option<Value> {
        match method {
            "double" => self.0 *= 2,
            "add" | "look" => self.0 += 1,
            _ => return None,
        }
        Some(().into())
    }

    fn waits(_method: &str) -> bool {
        false
    }

    fn only_reads(method: &str) -> bool {
        method == "look"
    }

    fn commute(_first: &Called<'_>, _second: &Called<'_>) -> bool {
        true
    }
}

#[test]
fn what_is_claimed_is_checked_in_states_that_are_seen() {
    let label = |method, result| Label {
        method,
        args: &[],
        result,
    };
    let unit = Value::unit();
    let (add, double) = (label("add", Some(&unit)), label("double", Some(&unit)));
    let waiter = own_model::<Boaster>("waiter");
    assert_eq!(waiter.step(&[&waiter.initial()], "sleep", &[]), None);
    assert!(waiter.objection().unwrap().contains("`sleep` never waits"));
    let reader = own_model::<Boaster>("reader");
    assert!(reader.step(&[&reader.initial()], "look", &[]).is_some());
    assert!(
        reader
            .objection()
            .unwrap()
            .contains("`look` changes nothing")
    );
    let wrong = own_model::<Boaster>("wrong");
    wrong.initial();
    assert!(wrong.moves(add, add));
    assert!(!wrong.moves(label("add", None), add));
    assert_eq!(wrong.objection(), None);
    assert!(!wrong.moves(add, double));
    let objection = wrong.objection().unwrap();
    assert!(objection.contains("not in Boaster(0)"), "{objection}");
    // Claimed before there is a state in which it is wrong.
    let late = own_model::<Boaster>("late");
    assert!(late.moves(add, double));
    let initial = late.initial();
    assert!(late.objection().is_some());
    assert!(objections().len() >= 4);
    drop(initial);
}
