//! Conditions for reports: with names, and with the values that made them false.

use std::fmt::Write as _;

use commute_model::Value;

use crate::formula::{Formula, Side};
use crate::invocation::Invocation;
use crate::specification::Specification;

/// Longer values are cut.
const LONGEST: usize = 60;

impl Specification {
    /// The condition of methods `a` and `b` as text; the variables of `a` end
    /// in 1, those of `b` in 2.
    ///
    /// # Panics
    /// If there is no such method.
    pub fn condition_text(&self, a: usize, b: usize) -> String {
        self.oriented(a, b).text(&self.variables(a, b))
    }

    /// Why two invocations do not commute: the condition, and the values of
    /// its variables in the order in which they appear.
    ///
    /// # Panics
    /// If the invocations do not fit the methods.
    pub fn explain_false(&self, a: Invocation<'_>, b: Invocation<'_>) -> String {
        let formula = self.oriented(a.method, b.method);
        let variables = self.variables(a.method, b.method);
        let mut out = formula.text(&variables);
        if !self.pair(a.method, b.method).0.listed {
            out.push_str("   (the specification does not list this pair)");
        }
        for (i, value) in self.values_text(a, b).into_iter().enumerate() {
            let lead = if i == 0 { "   with" } else { "," };
            let _ = write!(out, "{lead} {value}");
        }
        if formula.uses_state() {
            out.push_str("   (the trace does not record `state`)");
        }
        out
    }

    /// The line of the specification about methods `a` and `b`: what they are called
    /// with, and the condition. A pair that always or never commutes has no names in it.
    ///
    /// ```
    /// let map = commute_spec::shipped::named("map").unwrap();
    /// let line = |a, b| map.pair_text(map.method(a).unwrap(), map.method(b).unwrap());
    /// assert_eq!(
    ///     line("insert", "get"),
    ///     "insert(k1, v1)/p1 ~ get(k2)/v2 : k2 != k1 || v1 == p1"
    /// );
    /// assert_eq!(line("len", "clear_"), "len ~ clear_ : false");
    /// ```
    ///
    /// # Panics
    /// If there is no such method.
    pub fn pair_text(&self, a: usize, b: usize) -> String {
        let (first, second) = (&self.methods[a], &self.methods[b]);
        let formula = self.oriented(a, b);
        if let Formula::Const(value) = formula {
            return format!("{} ~ {} : {value}", first.name, second.name);
        }
        let variables = self.variables(a, b);
        let first = first.pattern(|slot| variables.name(Side::First, slot));
        let second = second.pattern(|slot| variables.name(Side::Second, slot));
        format!("{first} ~ {second} : {}", formula.text(&variables))
    }

    /// What the variables of the condition are, in the order in which they appear:
    /// `k1 = 'a'`.
    ///
    /// # Panics
    /// If the invocations do not fit the methods.
    pub fn values_text(&self, a: Invocation<'_>, b: Invocation<'_>) -> Vec<String> {
        let variables = self.variables(a.method, b.method);
        let mut shown = Vec::new();
        self.oriented(a.method, b.method)
            .for_each_slot(&mut |side, slot| {
                if !shown.contains(&(side, slot)) {
                    shown.push((side, slot));
                }
            });
        let value = |(side, slot)| {
            let invocation = if side == Side::First { a } else { b };
            let name = variables.name(side, slot);
            format!("{name} = {}", short(invocation.slot(slot)))
        };
        shown.into_iter().map(value).collect()
    }

    /// The formula with `a` on its first side.
    fn oriented(&self, a: usize, b: usize) -> Formula {
        let (condition, swapped) = self.pair(a, b);
        match swapped {
            true => condition.formula.swap(),
            false => condition.formula.clone(),
        }
    }
}

/// The value as text, cut if it is long.
pub(crate) fn short(value: &Value) -> String {
    let mut cut = Cut {
        text: String::new(),
        left: LONGEST,
    };
    // Printing stops with an error at the bound, so a huge value costs nothing.
    match write!(cut, "{value}") {
        Ok(()) => cut.text,
        Err(_) => cut.text + "…",
    }
}

struct Cut {
    text: String,
    left: usize,
}

impl std::fmt::Write for Cut {
    fn write_str(&mut self, text: &str) -> std::fmt::Result {
        for c in text.chars() {
            self.left = self.left.checked_sub(1).ok_or(std::fmt::Error)?;
            self.text.push(c);
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::parse;

    #[test]
    fn a_report_shows_the_formula_and_its_values() {
        let parsed = parse(
            "type dictionary {
               put(k, v) -> p
               get(k) -> v
               size() -> r
               put(k1, v1)/p1 ~ put(k2, v2)/p2 : k1 != k2 || (v1 == p1 && v2 == p2)
               put(k1, v1)/p1 ~ get(k2) : k1 != k2 || v1 == p1
               size ~ size : has(state, 1)
             }",
        );
        let spec = &parsed.specifications[0];
        let put = [Value::str("a.com"), Value::symbol("c1")];
        let again = [Value::str("a.com"), Value::symbol("c2")];
        let (nil, old) = ([Value::Nil], [Value::symbol("c1")]);
        let put = Invocation::new(0, &put, &nil);
        let again = Invocation::new(0, &again, &old);
        assert_eq!(
            spec.explain_false(put, again),
            "k1 != k2 || (v1 == p1 && v2 == p2)   with k1 = 'a.com', k2 = 'a.com', v1 = c1, \
             p1 = nil, v2 = c2, p2 = c1"
        );
        let key = [Value::str(&"x".repeat(1000))];
        let get = Invocation::new(1, &key, &old);
        let long = format!("k1 = '{}…", "x".repeat(59));
        assert_eq!(
            spec.explain_false(get, put),
            format!("k2 != k1 || v2 == p2   with k2 = 'a.com', {long}, v2 = c1, p2 = nil")
        );
        assert_eq!(spec.condition_text(1, 0), "k2 != k1 || v2 == p2");
        let size = Invocation::new(2, &[], &nil);
        assert_eq!(
            spec.explain_false(size, get),
            "false   (the specification does not list this pair)"
        );
        assert_eq!(
            spec.explain_false(size, size),
            "has(state, 1)   (the trace does not record `state`)"
        );
    }
}
