//! What is unfolded may be as high as a run is long.

use std::fmt::Write;

use serde_json::{Value, json};

use crate::chromium::Browser;
use crate::{page_of, picture, place, size, traces};

/// A block that another thread comes between, and that lasts for so many events.
fn block(events: usize) -> String {
    let mut trace = "T0|fork(T1)|p.rs:1\nT0|fork(T2)|p.rs:1\nT1|begin(outer)|p.rs:2\n".to_owned();
    trace += "T1|acq(m)|p.rs:3\nT1|r(x)|p.rs:4\nT1|rel(m)|p.rs:5\n";
    trace += "T2|acq(m)|p.rs:6\nT2|w(x)|p.rs:7\nT2|rel(m)|p.rs:8\n";
    for _ in 0..events {
        let _ = writeln!(trace, "T0|w(z)|q.rs:1");
    }
    trace + "T1|acq(m)|p.rs:9\nT1|w(x)|p.rs:10\nT1|rel(m)|p.rs:11\nT1|end(outer)|p.rs:12\n"
}

/// Browsers dash a line as a whole: what is a million pixels high takes seconds.
#[test]
fn what_is_high_is_drawn_as_far_as_it_can_be_seen() {
    let Some(mut browser) = Browser::start() else {
        return;
    };
    size(&mut browser, 1100, 900);
    for (name, trace, article, sign) in [
        ("high-line", traces::long(), "", ".arrow.conflict path"),
        (
            "high-frame",
            block(20_000),
            "[data-code=CM111]",
            ".extent.block",
        ),
    ] {
        browser.open(&page_of(name, &trace));
        let figure = format!("article{article} .diagram");
        browser.evaluate(&format!(
            "document.querySelector('{figure}').scrollIntoView()"
        ));
        browser.settle();
        browser.click(&format!("{figure} .tools button:nth-child(3)"));
        // Where the sign is at a height does not depend on what else is seen: from a third
        // of the run, and from a bit below.
        let seen = format!(
            "(async () => {{
                const canvas = document.querySelector('{figure} .canvas');
                const middle = Math.round(canvas.scrollHeight / 3);
                const places = [];
                let tallest = 0;
                for (const top of [middle, middle + 333]) {{
                    canvas.scrollTop = top;
                    await new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)));
                    const sign = canvas.querySelector('{sign}');
                    const svg = sign.closest('svg');
                    for (const it of svg.querySelectorAll('path, rect')) {{
                        tallest = Math.max(tallest, it.getBBox().height);
                    }}
                    // The height in the whole, and how far the dashes have got there.
                    const above = svg.getBoundingClientRect().top - svg.parentNode.getBoundingClientRect().top;
                    const y = middle + 500 - above;
                    let low = 0, high = sign.getTotalLength();
                    if (sign.matches('rect')) high = sign.getBBox().width + sign.getBBox().height;
                    while (high - low > 0.01) {{
                        const at = (low + high) / 2;
                        if (sign.getPointAtLength(at).y < y) low = at;
                        else high = at;
                    }}
                    const period = sign.matches('rect') ? 8 : 10;
                    const skipped = +(sign.getAttribute('stroke-dashoffset') ?? 0);
                    const point = sign.getPointAtLength(low);
                    places.push([point.x, point.y + above, (low + skipped) % period]);
                }}
                const apart = places[0].map((one, i) => Math.abs(one - places[1][i]));
                return [tallest < 3000, apart[0] < 1, apart[1] < 1, apart[2] < 1 || apart[2] > 7];
            }})()"
        );
        assert_eq!(
            browser.evaluate(&seen),
            json!([true, true, true, true]),
            "{name}"
        );
        picture(&mut browser, name);
        assert_eq!(browser.complaints(), [] as [&Value; 0]);
    }
}

#[test]
fn what_is_unfolded_leads_to_its_source() {
    let mut trace = "A|w(x)|linked.rs:1\n".to_owned();
    for line in 2..300 {
        let _ = writeln!(trace, "A|w(y)|linked.rs:{line}");
    }
    trace += "B|w(x)|linked.rs:300\n";
    let source: String = (1..=300).map(|line| format!("line {line};\n")).collect();
    std::fs::write(place("linked.rs"), source).expect("a file");
    let trace = trace.replace("linked.rs", "browser-linked.rs");
    let page = page_of("linked", &trace);
    let Some(mut browser) = Browser::start() else {
        return;
    };
    browser.open(&page);
    browser.settle();
    browser.click(".tools button:nth-child(3)");
    let linked =
        "[...document.querySelectorAll('.canvas .event')].map(it => !!it.querySelector('a'))";
    let linked = browser.evaluate(linked);
    let linked = linked.as_array().expect("a list");
    assert!(
        linked.len() > 10 && linked.iter().all(|it| *it == true),
        "{linked:?}"
    );
    browser.evaluate("document.querySelector('.canvas').focus()");
    browser.press("End");
    for _ in 0..100 {
        browser.press("ArrowUp");
    }
    let lit = "document.querySelector('.source.now').dataset.place";
    assert_eq!(browser.evaluate(lit), "browser-linked.rs:200");
    browser.press("Enter");
    let target = "document.querySelector(':target').dataset.place";
    assert_eq!(browser.evaluate(target), "browser-linked.rs:200");
    assert_eq!(browser.complaints(), [] as [&Value; 0]);
}

#[test]
fn a_trace_that_fits_is_there_as_a_whole() {
    let mut trace = "main|fork(A)|m.rs:1\nmain|fork(B)|m.rs:2\n".to_owned();
    let others = "main|w(y)|m.rs:3\n".repeat(400);
    trace += &(others.clone() + "A|w(x)|m.rs:5\nB|w(x)|m.rs:6\n" + &others);
    let page = std::fs::read_to_string(page_of("whole", &trace)).expect("a page");
    assert!(page.contains("data-more=\"show all 804 events\""));
    assert_eq!(page.matches("<title>fork</title>").count(), 2);
    // Of a long one there is what is around the finding, and where its threads begin.
    let more = "main|w(y)|m.rs:4\n".repeat(100_000);
    let page = std::fs::read_to_string(page_of("not-whole", &(trace + &more)));
    let page = page.expect("a page");
    assert!(page.contains("data-more=\"show 104 of 100,804 events\""));
    assert_eq!(page.matches("<title>fork</title>").count(), 2);
}

#[test]
fn clocks_of_many_threads_are_the_same_unfolded() {
    let mut trace = String::new();
    for number in 0..80 {
        let _ = writeln!(trace, "T{number}|acq(m)|a.rs:1\nT{number}|rel(m)|a.rs:2");
    }
    trace += "T79|w(x)|a.rs:3\nT78|w(x)|a.rs:4\n";
    let page = page_of("crowd", &trace);
    let Some(mut browser) = Browser::start() else {
        return;
    };
    browser.open(&page);
    browser.settle();
    let titles =
        "[...document.querySelectorAll('#finding-1 .marked title')].map(it => it.textContent)";
    let folded = browser.evaluate(titles);
    let first = folded[0].as_str().expect("a title");
    assert!(
        first.ends_with("T78: 2, T79: 3; of some threads nothing is kept"),
        "{first}"
    );
    browser.click("#finding-1 .tools button:nth-child(3)");
    assert_eq!(browser.evaluate(titles), folded);
}
