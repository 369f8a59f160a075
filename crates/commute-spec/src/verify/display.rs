//! What a verification found, in words: a few lines of plain text each.

use std::fmt;

use commute_model::Value;

use super::result::{
    ConcreteAction, Counterexample, Ending, FlowingValue, HiddenChange, Imprecision, Mismatch,
    RuleCounterexample, SpaceSize,
};

impl fmt::Display for SpaceSize {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let SpaceSize {
            states,
            actions,
            pairs,
            triples,
        } = self;
        write!(
            f,
            "{states} states, {actions} actions, {pairs} pairs of actions, {triples} cases"
        )
    }
}

/// As traces write it, without the object: `or_insert(0,'a')/('a',true)`.
impl fmt::Display for ConcreteAction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", Call(&self.method, &self.args))?;
        if !self.results.is_empty() {
            write!(f, "/{}", Results(&self.results))?;
        }
        Ok(())
    }
}

/// Three lines: the state, and both orders.
impl fmt::Display for Counterexample {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Counterexample {
            state,
            first,
            second,
            forward,
            backward,
        } = self;
        let (ab, ba) = (format!("{first} ; {second}"), format!("{second} ; {first}"));
        let width = ab.chars().count();
        writeln!(f, "in state {state}")?;
        writeln!(f, "  {ab}  {forward}")?;
        // Both orders are equally long.
        write!(f, "  {ba:width$}  {backward}")
    }
}

impl fmt::Display for Ending {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Ending::In(states) => {
                f.write_str("ends in ")?;
                alternatives(f, states)
            }
            Ending::Impossible {
                state,
                method,
                args,
                instead,
            } => {
                let call = Call(method, args);
                write!(f, "is impossible: in {state} {call} ")?;
                if instead.is_empty() {
                    return f.write_str("is not enabled");
                }
                f.write_str("returns ")?;
                let instead: Vec<Results<'_>> = instead.iter().map(|r| Results(r)).collect();
                alternatives(f, &instead)
            }
        }
    }
}

/// One line.
impl fmt::Display for Imprecision {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Imprecision {
            state,
            first,
            second,
            ends,
        } = self;
        write!(
            f,
            "{first} and {second} commute: in state {state} both orders end in "
        )?;
        alternatives(f, ends)
    }
}

/// One line.
impl fmt::Display for HiddenChange {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let HiddenChange { state, action, end } = self;
        write!(f, "{action} changes state {state} to {end}")
    }
}

/// One line.
impl fmt::Display for FlowingValue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let FlowingValue {
            state,
            earlier,
            later,
        } = self;
        write!(
            f,
            "{later} is possible in state {state} after {earlier}, not without it"
        )
    }
}

impl fmt::Display for Mismatch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Mismatch::UnknownMethod { method, known } => {
                let known = known.join(", ");
                write!(f, "the model has no method `{method}`; it has {known}")
            }
            Mismatch::Signature {
                method,
                declared,
                model,
            } => write!(
                f,
                "`{method}` is declared with {} and {}, the model has {} and {}",
                count(declared.0, "argument"),
                count(declared.1, "result"),
                count(model.0, "argument"),
                count(model.1, "result"),
            ),
            Mismatch::NoSuchSlot {
                methods: [first, second],
            } => write!(
                f,
                "the condition of `{first}` and `{second}` mentions an argument or result that does not exist"
            ),
        }
    }
}

fn count(n: usize, what: &str) -> String {
    let s = if n == 1 { "" } else { "s" };
    format!("{n} {what}{s}")
}

/// `method(args)`
struct Call<'a>(&'a str, &'a [Value]);

impl fmt::Display for Call<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}(", self.0)?;
        for (i, value) in self.1.iter().enumerate() {
            write!(f, "{}{value}", if i > 0 { "," } else { "" })?;
        }
        f.write_str(")")
    }
}

/// What follows `/`: one result, or a tuple of several.
struct Results<'a>(&'a [Value]);

impl fmt::Display for Results<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            [] => f.write_str("nothing"),
            [one] => write!(f, "{one}"),
            several => write!(f, "{}", Value::tuple(several.iter().cloned())),
        }
    }
}

fn alternatives<T: fmt::Display>(f: &mut fmt::Formatter<'_>, items: &[T]) -> fmt::Result {
    for (i, item) in items.iter().enumerate() {
        write!(f, "{}{item}", if i > 0 { " or " } else { "" })?;
    }
    Ok(())
}

/// One line.
impl fmt::Display for RuleCounterexample {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            RuleCounterexample::Unprovided { state, action } => {
                write!(
                    f,
                    "in state {state} {action} is possible without an action before `->`"
                )
            }
            RuleCounterexample::Uncounted { state, action } => {
                write!(f, "{action} in state {state} does not agree with the count")
            }
            RuleCounterexample::Blocked {
                state,
                method,
                count,
            } => write!(
                f,
                "`{method}` is not possible in state {state} although the count is {count}"
            ),
        }
    }
}
