//! What people write who know other languages, and how it is written here.

use super::lexer::Token;

/// Advice about a token that was not expected, by it and the one after it.
pub(super) fn about(token: Token<'_>, next: Token<'_>) -> Option<&'static str> {
    Some(match (token, next) {
        (Token::Sign("="), _) => "equality is written `==`",
        (Token::Sign("&"), _) => "conjunction is written `&&`",
        (Token::Sign("|"), _) => "disjunction is written `||`",
        (Token::Sign("/"), Token::Sign("*")) | (Token::Sign("-"), Token::Sign("-")) => {
            "comments begin with `#` or `//`"
        }
        (Token::Sign("*"), Token::Sign("~" | ":")) => PAIRS,
        (Token::Unknown(text), _) => unknown(text)?,
        (Token::Name(word), _) => word_of_another_language(word)?,
        _ => return None,
    })
}

/// The same inside a condition.
pub(super) fn in_condition(token: Token<'_>, next: Token<'_>) -> Option<&'static str> {
    Some(match (token, next) {
        (Token::Sign("->"), _) | (Token::Sign("="), Token::Sign(">")) => {
            "`a` implies `b` is written `!a || b`"
        }
        (Token::Sign(">"), _) | (Token::Sign("="), Token::Sign("!")) => {
            "inequality is written `!=`"
        }
        (Token::Text(_), _) => r"a quote inside a string is written `\'`",
        _ => return about(token, next),
    })
}

/// How several pairs share a condition.
pub(super) const PAIRS: &str = "each pair is written out: `a ~ b, a ~ c : condition`";

fn unknown(text: &str) -> Option<&'static str> {
    let has = |signs: &[char]| text.contains(signs);
    Some(match text {
        _ if has(&['"', '`', '‘', '’', '“', '”']) => {
            "strings are written in single quotes: 'text'"
        }
        _ if has(&['≠', '∧', '∨', '¬', '≤', '≥']) => {
            "operators are written `!=`, `&&`, `||`, `!`, `<=`, `>=`"
        }
        _ if has(&['.']) => "there are no fractions and no fields; a method names what it gives",
        _ if has(&['[', ']']) => "there is no indexing; `has` and `len` look into tuples",
        _ => return None,
    })
}

/// Advice about a word that means something elsewhere.
pub(super) fn word_of_another_language(word: &str) -> Option<&'static str> {
    Some(match &word.to_ascii_lowercase()[..] {
        "and" => "conjunction is written `&&`",
        "or" => "disjunction is written `||`",
        "not" => "negation is written `!`",
        "implies" => "`a` implies `b` is written `!a || b`",
        "if" | "then" | "else" => "cases are written with `&&` and `||`: `(c && a) || (!c && b)`",
        "null" | "none" | "undefined" => "no value is written `nil`",
        "in" => "whether `x` is in the tuple `xs` is written `has(xs, x)`",
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use crate::parse;

    /// The only thing that is said about a type, with its advice.
    fn said(text: &str) -> String {
        let found = parse(text).diagnostics;
        let [one] = &found[..] else {
            panic!("{text}: {found:?}")
        };
        let help = one.help.clone().unwrap_or_default();
        format!("{}: {help}", one.message)
    }

    #[test]
    fn conditions_as_other_languages_write_them() {
        for (condition, message, help) in [
            ("x1 = x2", "end of the condition, found `=`", "written `==`"),
            ("x1 =! x2", "found `=`", "inequality is written `!=`"),
            ("x1 <> x2", "found `>`", "inequality is written `!=`"),
            ("x1 ≠ x2", "found `≠`", "written `!=`"),
            ("x1 => x2", "found `=`", "implies"),
            ("x1 -> x2", "found `->`", "implies"),
            ("x1 & x2", "found `&`", "written `&&`"),
            ("x1 and x2", "`and`", "written `&&`"),
            ("x1 or x2", "`or`", "written `||`"),
            ("not x1", "found `not`", "written `!`"),
            ("not(x1)", "no function `not`", "written `!`"),
            ("if x1 then x2", "found `if`", "`&&` and `||`"),
            ("x1 == null", "`null`", "written `nil`"),
            ("x1 == None", "`None`", "written `nil`"),
            ("x1 == 1.5", "found `.`", "no fractions"),
            ("x1.y != x2", "found `.`", "no fields"),
            ("x1[0] != x2", "found `[`", "no indexing"),
            ("x1 == 'it''s'", "found a string", r"written `\'`"),
        ] {
            let text = format!("type t {{ f(x)\n f(x1) ~ f(x2) : {condition}\n}}");
            let said = said(&text);
            assert!(said.contains(message), "{condition}: {said}");
            assert!(said.contains(help), "{condition}: {said}");
        }
    }

    #[test]
    fn items_as_other_languages_write_them() {
        for (text, help) in [
            ("struct t { f() f ~ f : true }", "`type name {`"),
            ("type t-x { f() f ~ f : true }", "letters, digits and `_`"),
            ("type t { f(x: int) f ~ f : true }", "not types"),
            (
                "type t { f() g() f ~ f, g : true }",
                "each pair is written out",
            ),
            (
                "type t { f() g() f, g ~ f : true }",
                "each pair is written out",
            ),
            ("type t { f() * ~ * : true }", "each pair is written out"),
            (
                "type t { f() -> r\n f() -> a ~ f() -> b : true }",
                "after `/`",
            ),
            (
                "type t { f() mutate true\n f ~ f : true }",
                "mean `mutates`?",
            ),
            ("type t { model mpa f() f ~ f : true }", "mean `map`?"),
            // Nor is the pair measured by half a declaration.
            ("type t { f() 1\n f()/r1 ~ f()/r2 : r1 != r2 }", ""),
            ("type t { /* x */ f() f ~ f : true }", "`#` or `//`"),
            ("type t {\n -- x\n f() f ~ f : true }", "`#` or `//`"),
        ] {
            let said = said(text);
            assert!(said.contains(help), "{text}: {said}");
        }
    }
}
