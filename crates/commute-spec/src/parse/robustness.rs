//! No text makes the parser panic, overflow the stack or take for ever; and what
//! the formatter prints comes back as it was.

use std::time::{Duration, Instant};

use commute_model::Severity;
use proptest::prelude::*;

use super::diagnostics::KEPT;
use crate::orders::Orders;
use crate::random::{Kind, Random, specification};
use crate::specification::{Condition, Specification};
use crate::{Parsed, format, format_file, parse};

/// What holds for every text.
fn sane(text: &str) -> Parsed {
    let parsed = parse(text);
    assert!(parsed.diagnostics.len() <= 3 * (KEPT + 1));
    for d in &parsed.diagnostics {
        let related = d.related.iter().map(|label| label.span);
        for span in related.chain([d.span]) {
            assert!(text.get(span.start..span.end).is_some(), "{d:?}");
        }
        assert!(!d.message.is_empty() && d.message.len() < 1000, "{d:?}");
    }
    for spec in &parsed.specifications {
        let printed = format(spec);
        let again = parse(&printed);
        assert_eq!(
            again.specifications.len(),
            1,
            "{printed}\n{:?}",
            again.diagnostics
        );
        assert_eq!(bare(&again.specifications[0]), bare(spec), "{printed}");
    }
    parsed
}

fn errors(parsed: &Parsed) -> usize {
    let errors = parsed
        .diagnostics
        .iter()
        .filter(|d| d.severity == Severity::Error);
    errors.count()
}

/// The specification without spans.
fn bare(spec: &Specification) -> Specification {
    let mut methods = spec.methods.clone();
    methods.iter_mut().for_each(|m| m.span = Default::default());
    let mut bare = Specification::new(spec.name.clone(), methods);
    bare.model = spec.model.clone();
    bare.parameter = spec.parameter.clone();
    bare.orders = spec.orders.clone();
    for orders in &mut bare.orders {
        if let Orders::Rule(rule) = orders {
            rule.span = Default::default();
        }
    }
    for (a, b, condition) in spec.pairs() {
        let span = Default::default();
        bare.set(
            a,
            b,
            Condition {
                span,
                ..condition.clone()
            },
        );
    }
    bare
}

#[test]
fn what_is_printed_is_read_as_it_was() {
    for seed in 0..1500 {
        let kind = [Kind::Ecl, Kind::Elements, Kind::Any][seed as usize % 3];
        let spec = specification(&mut Random::new(seed), kind);
        let text = format(&spec);
        let parsed = parse(&text);
        assert_eq!(errors(&parsed), 0, "{text}\n{:?}", parsed.diagnostics);
        assert_eq!(bare(&parsed.specifications[0]), bare(&spec), "{text}");
        assert_eq!(format_file(&parsed.specifications), text);
    }
}

const SAMPLE: &str = r"type a { model map orders atomic
  put(k, v) -> p mutates v != p  or_insert(k, v) -> (r, f) mutates
  len() -> n
  put(k1, v1)/p1 ~ put(k2, v2)/p2 : k1 != k2 || (v1 == p1 && v2 == p2) # é
  order or_insert(k1, _)/(r1, f1) ~ len : !f1 && -3 < len(r1) * (2 - 1) || app(r1, 'it\'s \x7c é') != ()
  len ~ len, len ~ put : true == (state >= MIN)
}
type b { f(x) f(x1) ~ f(x2) : !has(x1, x2) && !has(x2, x1) }
";

#[test]
fn a_text_may_end_anywhere() {
    assert_eq!(sane(SAMPLE).specifications.len(), 2);
    for end in (0..SAMPLE.len()).filter(|end| SAMPLE.is_char_boundary(*end)) {
        sane(&SAMPLE[..end]);
        sane(&SAMPLE[end..]);
    }
}

#[test]
fn deep_and_long_texts_are_no_problem() {
    let wrap = |condition: String| format!("type t {{ f(a) f(a1) ~ f(a2) : {condition} }}");
    let start = Instant::now();
    for (name, condition, fine) in [
        ("parentheses", "(".repeat(10_000), false),
        (
            "closed parentheses",
            "(".repeat(10_000) + "true" + &")".repeat(10_000),
            false,
        ),
        (
            "few parentheses",
            "(".repeat(100) + "true" + &")".repeat(100),
            true,
        ),
        ("negations", "!".repeat(1_000_000) + "true", false),
        ("minuses", "-".repeat(100_000) + "1 == 1", false),
        ("calls", "has(".repeat(10_000), false),
        ("sum", "1 + ".repeat(100_000) + "1 == 1", false),
        (
            "nested sums",
            "(".repeat(100) + "1" + &" + 1 + 1)".repeat(100) + " == 1",
            false,
        ),
        ("conjunction", "a1 != a2 && ".repeat(30_000) + "true", true),
        (
            "many atoms",
            (0..3000)
                .map(|i| format!("a1 != {i} && a2 != {i} && "))
                .collect::<String>()
                + "true",
            true,
        ),
        (
            "disjunctions of conjunctions",
            "a1 != a2 && true || ".repeat(30_000) + "true",
            true,
        ),
        ("equivalences", "(a1 == a1) == (".repeat(100_000), false),
        ("names", "x".repeat(1_000_000), false),
        ("digits", "1".repeat(1_000_000), false),
        (
            "string",
            format!(
                "a1 == '{}' || a1 != a2 || a2 == '{0}'",
                "x".repeat(1_000_000)
            ),
            true,
        ),
    ] {
        let parsed = sane(&wrap(condition));
        assert_eq!(
            errors(&parsed) == 0,
            fine,
            "{name}: {:?}",
            parsed.diagnostics
        );
        assert_eq!(parsed.specifications.len(), usize::from(fine), "{name}");
        assert!(
            errors(&parsed) <= 2,
            "{name}: one mistake is one error, or two"
        );
    }
    let methods = |n: usize| (0..n).map(|i| format!("m{i}(a) ")).collect::<String>();
    let arguments = (0..100_000).map(|i| format!("a{i},")).collect::<String>();
    let pairs = (0..200)
        .map(|i| format!("m{i} ~ m{}, ", i + 1))
        .collect::<String>();
    let long = "1 == 1 && ".repeat(10_000);
    for text in [
        format!("type t {{ {} }}", methods(20_000)),
        format!("type t {{ f({arguments}) f({arguments}) ~ f({arguments}) : true }}"),
        format!(
            "type t {{ {} {pairs} m0 ~ m0 : {long} true }}",
            methods(256)
        ),
        "type ".repeat(100_000),
        "type t { ".repeat(100_000),
        "}".repeat(1_000_000),
        "type t { f(a) f(x1) ~ f(x2) : x1 }\n".repeat(3_000),
        "type t { g(a) f(x1) ~ f(x2) : z\n f ~ f : $ }\n".repeat(3_000),
        "'\\".repeat(300_000),
        "≠é\u{0}\u{feff}".repeat(100_000),
    ] {
        assert!(errors(&sane(&text)) > 0);
    }
    assert!(
        start.elapsed() < Duration::from_secs(30),
        "{:?}",
        start.elapsed()
    );
}

#[test]
fn errors_beyond_the_bound_are_counted() {
    let parsed = parse(&"? ;\n type t { f ~ : }\n".repeat(1000));
    assert_eq!(parsed.diagnostics.len(), KEPT + 1);
    let last = parsed.diagnostics.last().expect("there are many");
    assert_eq!(last.severity, Severity::Error);
    assert_eq!(last.message, "2899 more errors not shown");
}

/// Pieces of texts that are often nearly right.
const PIECES: &[&str] = &[
    "type",
    "t",
    "{",
    "}",
    "put(k, v)",
    "->",
    "p",
    "mutates",
    "model",
    "orders",
    "atomic",
    "order",
    "get",
    "~",
    ",",
    ":",
    "/",
    "(r1, f1)",
    "(",
    ")",
    "k1",
    "k2",
    "true",
    "nil",
    "==",
    "!=",
    "<",
    "&&",
    "||",
    "!",
    "-",
    "+",
    "has(k1, k2)",
    "len(",
    "app",
    "'a'",
    "'",
    "12",
    "MIN",
    "state",
    "()",
    ";",
    "#",
    "//",
    "\n",
    "put(k1, v1)/p1 ~ put(k2, v2)/p2 :",
    "k1 != k2",
    "_",
    "é",
    "≠",
    "\\",
    "99999999999999999999999999999999999999999999",
];

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn no_text_is_too_odd(text in "\\PC{0,200}") {
        sane(&text);
        sane(&format!("type t {{ f(a) f(a1) ~ f(a2) : {text}"));
    }

    #[test]
    fn no_bytes_are_too_odd(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
        sane(&String::from_utf8_lossy(&bytes));
    }

    #[test]
    fn no_pieces_are_too_odd(pieces in prop::collection::vec(prop::sample::select(PIECES), 0..60)) {
        sane(&pieces.join(" "));
        sane(&format!("type t {{ f(k) g(k, v) -> p {} }}", pieces.join(" ")));
    }

    #[test]
    fn no_mistake_is_too_odd(
        seed in any::<u64>(),
        edits in prop::collection::vec((any::<u16>(), 0..20usize, prop::sample::select(PIECES)), 1..4),
    ) {
        let mut text = match seed % 4 {
            0 => SAMPLE.to_string(),
            _ => format(&specification(&mut Random::new(seed), Kind::Any)),
        };
        for (place, length, piece) in edits {
            let mut start = place as usize % (text.len() + 1);
            let mut end = (start + length).min(text.len());
            while !text.is_char_boundary(start) { start -= 1; }
            while !text.is_char_boundary(end) { end += 1; }
            text.replace_range(start..end, piece);
        }
        sane(&text);
    }
}
