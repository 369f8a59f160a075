//! What diagrams show and what they do, in a browser.

use std::fmt::Write;

use serde_json::{Value, json};

use crate::chromium::Browser;
use crate::{example, page_of, picture, size, traces};

/// The texts of what a selector finds.
fn texts(browser: &mut Browser, selector: &str) -> Vec<String> {
    let found = browser.evaluate(&format!(
        "[...document.querySelectorAll('{selector}')].map(it => it.textContent)"
    ));
    let found = found.as_array().expect("a list").iter();
    found
        .map(|text| text.as_str().unwrap_or_default().to_owned())
        .collect()
}

/// Two threads that meet twenty times, eight thousand events apart: no scene has all.
fn far() -> String {
    let mut trace = "main|fork(A)|g.rs:1\nmain|fork(B)|g.rs:2\n".to_owned();
    for number in 0..20 {
        let _ = writeln!(trace, "A|w(x{number})|g.rs:{}", 10 + number);
    }
    for _ in 0..8000 {
        trace += "main|w(y)|g.rs:3\n";
    }
    for number in 0..20 {
        let _ = writeln!(trace, "B|w(x{number})|g.rs:{}", 40 + number);
    }
    trace
}

/// A prediction about a lock, in three threads.
fn prediction() -> String {
    let mut trace = "T0|alloc(s)|p.rs:1\nT0|fork(T1)|p.rs:2\nT0|fork(T2)|p.rs:2\n".to_owned();
    let critical = |trace: &mut String, thread: &str, what: &str, line: u32| {
        for (event, line) in [("acq(m)", line), (what, line + 1), ("rel(m)", line + 2)] {
            let _ = writeln!(trace, "{thread}|{event}|p.rs:{line}");
        }
    };
    for number in 0..15 {
        critical(&mut trace, "T0", &format!("w(a{number})"), 10);
        critical(&mut trace, "T2", &format!("w(c{number})"), 70);
    }
    critical(&mut trace, "T0", "w(s)", 20);
    for number in 0..15 {
        critical(&mut trace, "T1", &format!("w(b{number})"), 30);
    }
    critical(&mut trace, "T1", "free(s)", 40);
    trace
}

#[test]
fn what_is_not_shown_is_counted() {
    let page = page_of("far", &far());
    let Some(mut browser) = Browser::start() else {
        return;
    };
    browser.open(&page);
    browser.evaluate("document.querySelector('.diagram').scrollIntoView()");
    browser.settle();
    let gaps = texts(&mut browser, "#finding-1 .canvas .gap text");
    assert_eq!(gaps, ["⋯ 8,018 events", "⋯ 18 events"]);
    let button = texts(&mut browser, "#finding-1 .tools button:nth-child(3)");
    let all = button[0].strip_suffix(" of 8,042 events");
    let all = all.and_then(|text| text.strip_prefix("show "));
    let known: u64 = all.expect("a count").parse().expect("a number");
    browser.click("#finding-1 .tools button:nth-child(3)");
    // Step by step all that is there, and the gaps between: nothing is left out.
    let walked = browser.evaluate(
        "(async () => {
            const canvas = document.querySelector('#finding-1 .canvas');
            const seen = new Set(), gaps = new Map();
            for (canvas.scrollTop = 0;; canvas.scrollTop += 300) {
                await new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)));
                for (const it of canvas.querySelectorAll('.event .index')) seen.add(+it.textContent);
                for (const it of canvas.querySelectorAll('.gap text')) {
                    gaps.set(it.textContent, +it.textContent.replace(/[^0-9]/g, ''));
                }
                if (canvas.scrollTop + canvas.clientHeight + 2 >= canvas.scrollHeight) break;
            }
            return [seen.size, [...gaps.values()].reduce((a, b) => a + b, 0)];
        })()",
    );
    assert_eq!(walked, json!([known, 8042 - known]));
    picture(&mut browser, "far");
    assert_eq!(browser.complaints(), [] as [&Value; 0]);
}

#[test]
fn a_witness_is_a_run_of_its_own() {
    let page = page_of("prediction", &prediction());
    let Some(mut browser) = Browser::start() else {
        return;
    };
    for (width, beside) in [(1100, true), (1920, true), (800, false)] {
        size(&mut browser, width, 1000);
        browser.open(&page);
        browser.evaluate("document.querySelector('.diagram').scrollIntoView()");
        browser.settle();
        let tops = browser.evaluate(
            "(([a, b]) => a.top === b.top)([...document.querySelectorAll('.diagram')].map(it => it.getBoundingClientRect()))",
        );
        assert_eq!(tops, beside, "{width}");
        let page = browser.evaluate("document.scrollingElement.scrollWidth");
        assert!(page.as_u64() <= Some(width.into()), "{page} in {width}");
        picture(&mut browser, &format!("beside-{width}"));
    }
    // The clocks are those of the recorded run, the locks go another way.
    let clocks = texts(&mut browser, "[data-order=\"1\"] .event title");
    assert!(
        !clocks.iter().any(|text| text.contains("clock")),
        "{clocks:?}"
    );
    let arrows = texts(&mut browser, "[data-order=\"1\"] .arrow.order title");
    assert!(arrows.contains(&"lock".to_owned()), "{arrows:?}");
    browser.click("[data-order=\"1\"] .tools button:nth-child(3)");
    browser.evaluate("document.querySelectorAll('.canvas')[1].focus()");
    browser.press("End");
    let said = texts(&mut browser, "[data-order=\"1\"] .step");
    let steps = texts(&mut browser, "dd");
    let witness = steps.iter().find(|text| text.starts_with("witness"));
    assert!(witness.is_some_and(|text| text.contains("1–")), "{steps:?}");
    assert!(
        said[0].contains("w(s)") && !said[0].contains("clock"),
        "{said:?}"
    );
    let (at, of) = said[0]
        .split_once(": ")
        .expect("a step")
        .0
        .split_once(" of ")
        .expect("a count");
    assert_eq!(at.strip_prefix("Step "), Some(of));
    let button = texts(
        &mut browser,
        "[data-order=\"1\"] .tools button:nth-child(3)",
    );
    assert_eq!(button, ["fold"]);
    assert_eq!(browser.complaints(), [] as [&Value; 0]);
}

/// Sixteen blocks of as many threads, each of which comes before the next.
fn circle() -> String {
    let mut trace = String::new();
    for phase in 0..2 {
        for thread in 0..16 {
            if phase == 0 {
                let _ = writeln!(trace, "W{thread}|begin(b{thread})|c.rs:1");
            }
            let variable = (thread + 16 - phase) % 16;
            let _ = writeln!(trace, "W{thread}|w(v{variable})|c.rs:2");
            if phase == 1 {
                let _ = writeln!(trace, "W{thread}|end(b{thread})|c.rs:3");
            }
        }
    }
    trace
}

#[test]
fn every_thread_that_matters_has_a_lane_and_is_moved_into_sight() {
    let page = page_of("circle", &circle());
    let Some(mut browser) = Browser::start() else {
        return;
    };
    size(&mut browser, 390, 844);
    browser.open(&page);
    browser
        .evaluate("document.querySelector('article[data-code=CM111] .diagram').scrollIntoView()");
    browser.settle();
    let lanes = texts(&mut browser, "article[data-code=CM111] .thread title");
    let marked = browser.evaluate(
        "new Set([...document.querySelectorAll('article[data-code=CM111] .marked title')].map(it => it.textContent.split(',')[0])).size",
    );
    assert!(marked.as_u64() > Some(10), "{marked}");
    assert!(
        lanes.len() as u64 >= marked.as_u64().unwrap_or(0),
        "{lanes:?}"
    );
    browser.evaluate("document.querySelector('article[data-code=CM111] .canvas').focus()");
    for key in ["End", "Home", "End", "ArrowUp"] {
        browser.press(key);
        let seen = browser.evaluate(
            "(() => {
                const figure = document.querySelector('article[data-code=CM111] .diagram');
                const box = figure.querySelector('.now rect').getBoundingClientRect();
                const canvas = figure.querySelector('.canvas').getBoundingClientRect();
                const said = figure.querySelector('.step').getBoundingClientRect();
                return box.left >= canvas.left && box.right <= canvas.right && box.top >= said.bottom
                    && box.bottom <= innerHeight && said.top >= 0 && said.bottom > said.top;
            })()",
        );
        assert_eq!(seen, true, "{key}");
    }
    picture(&mut browser, "circle");
    let small = "[...document.querySelectorAll('.tools button')].some(it => it.getBoundingClientRect().height < 36)";
    assert_eq!(browser.evaluate(small), false);
}

#[test]
fn enter_leads_to_the_source_even_if_it_is_closed() {
    let page = example("connections");
    let Some(mut browser) = Browser::start() else {
        return;
    };
    browser.open(&page);
    browser.settle();
    browser.evaluate("document.querySelector('.canvas').focus()");
    browser.press("Home");
    let closed = "!!document.querySelector('.source.now').closest('details:not([open])')";
    assert_eq!(browser.evaluate(closed), false);
    let place = browser.evaluate("document.querySelector('.source.now').dataset.place");
    browser.press("Enter");
    let target = "document.querySelector(':target').dataset.place";
    assert_eq!(browser.evaluate(target), place);
    let later = "document.querySelectorAll('.arrow.later').length > 0";
    assert_eq!(browser.evaluate(later), true);
    // Nobody has this source; a click leads to the place all the same.
    browser.open(&page_of(
        "no-source",
        "T1|w(x)|gone.rs:3\nT2|w(x)|gone.rs:4\n",
    ));
    browser.settle();
    browser.click(".marked rect");
    assert_eq!(browser.evaluate(target), "gone.rs:3");
}

#[test]
fn the_tab_key_finds_both_diagrams_on_a_small_screen() {
    let page = page_of("tab", &prediction());
    let Some(mut browser) = Browser::start() else {
        return;
    };
    size(&mut browser, 640, 240);
    browser.open(&page);
    browser.settle();
    let mut order = Vec::new();
    for _ in 0..20 {
        browser.press("Tab");
        let now = browser.evaluate("document.activeElement.closest('.diagram')?.dataset.order");
        order.push(now.as_str().unwrap_or("text").to_owned());
    }
    order.dedup();
    assert_eq!(order[..4], ["text", "0", "1", "text"], "{order:?}");
}

#[test]
fn frames_and_places_can_be_told_apart() {
    let mut trace = "T0|fork(T1)|src/connection_manager_of_the_pool.rs:1042\n".to_owned();
    for name in ["outer", "middle", "inner"] {
        let _ = writeln!(trace, "T0|begin({name})|n.rs:2");
    }
    trace += "T0|r(x)|n.rs:5\nT0|end(inner)|n.rs:6\nT1|w(x)|n.rs:21\n";
    trace += "T0|w(x)|n.rs:7\nT0|end(middle)|n.rs:8\nT0|end(outer)|n.rs:9\n";
    let page = page_of("nested", &trace);
    let Some(mut browser) = Browser::start() else {
        return;
    };
    browser.open(&page);
    browser.evaluate("document.querySelector('article[data-code=CM111]').scrollIntoView()");
    browser.settle();
    let frames = browser.evaluate(
        "new Set([...document.querySelectorAll('article[data-code=CM111] .extent.block')].map(it => it.getAttribute('x'))).size",
    );
    assert_eq!(frames, 3);
    let places = texts(&mut browser, "article[data-code=CM111] .location");
    assert!(
        places.iter().any(|place| place.ends_with(":1042")),
        "{places:?}"
    );
}

#[test]
fn on_paper_nothing_is_cut_off() {
    let page = page_of("paper", &circle());
    let Some(mut browser) = Browser::start() else {
        return;
    };
    size(&mut browser, 700, 900);
    browser.open(&page);
    browser.evaluate("document.querySelector('.diagram').scrollIntoView()");
    browser.settle();
    browser.call("Emulation.setEmulatedMedia", json!({"media": "print"}));
    browser.settle();
    let wide = "[...document.querySelectorAll('.canvas svg')].some(it => it.getBoundingClientRect().right > 700)";
    assert_eq!(browser.evaluate(wide), false);
    let tools = "[...document.querySelectorAll('.bar, #filters')].some(it => it.getBoundingClientRect().height > 0)";
    assert_eq!(browser.evaluate(tools), false);
}

#[test]
fn the_key_has_the_signs_that_can_be_seen() {
    let mut trace = String::new();
    for _ in 0..20 {
        trace += "C|acq(m)|c.rs:1\nC|rel(m)|c.rs:2\n";
    }
    trace += "A|w(x)|a.rs:1\nB|w(x)|a.rs:2\n";
    let page = page_of("key", &trace);
    let Some(mut browser) = Browser::start() else {
        return;
    };
    browser.open(&page);
    browser.settle();
    let folded = [
        "what the finding is about",
        "do not commute",
        "so many events are not shown",
        "comes later, while stepping",
    ];
    assert_eq!(texts(&mut browser, ".key li:not([hidden])"), folded);
    browser.click(".tools button:nth-child(3)");
    let unfolded = texts(&mut browser, ".key li:not([hidden])");
    assert!(
        unfolded.contains(&"a lock is held".to_owned()),
        "{unfolded:?}"
    );
    browser.click(".tools button:nth-child(3)");
    assert_eq!(texts(&mut browser, ".key li:not([hidden])"), folded);
}

#[test]
fn many_findings_begin_with_a_choice() {
    let page = page_of("choice", &traces::many(500));
    let Some(mut browser) = Browser::start() else {
        return;
    };
    size(&mut browser, 1100, 900);
    browser.open(&page);
    browser.settle();
    let top = "document.querySelector('#filters').getBoundingClientRect().top";
    assert!(browser.evaluate(top).as_f64() < Some(900.0));
    let first = "document.querySelector('article').getBoundingClientRect().top";
    assert!(browser.evaluate(first).as_f64() < Some(1400.0));
    let item = texts(&mut browser, "nav li:first-child");
    assert!(item[0].contains("b.rs:1"), "{item:?}");
}
