//! Pages in a real browser. Without one these tests say so and pass; `.ci/run` installs it.
//!
//! `COMMUTE_SCREENSHOTS=DIR cargo test -p cargo-commute --test browser` keeps pictures.
#![allow(clippy::print_stderr, reason = "skipped tests say so")]
#![cfg(unix)]

mod chromium;
mod diagrams;
mod large;
mod room;
mod traces;

use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::process::Command;

use chromium::Browser;
use serde_json::{Value, json};

fn root() -> PathBuf {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    root.canonicalize().expect("the workspace")
}

fn place(name: &str) -> PathBuf {
    Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("browser-{name}"))
}

/// The page of a command.
fn page(name: &str, args: &[&str]) -> PathBuf {
    let page = place(&format!("{name}.html"));
    let _ = std::fs::remove_file(&page);
    let output = Command::new(env!("CARGO_BIN_EXE_commute"))
        .args(args)
        .arg("--html")
        .arg(&page)
        .current_dir(root())
        .output()
        .expect("commute runs");
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(page.exists(), "{args:?}: {said}");
    page
}

/// The page of a trace.
fn page_of(name: &str, trace: &str) -> PathBuf {
    let path = place(&format!("{name}.std"));
    std::fs::write(&path, trace).expect("a file");
    page(name, &["check", "-q", &path.to_string_lossy()])
}

fn example(name: &str) -> PathBuf {
    page(
        name,
        &["check", "-q", &format!("examples/traces/{name}.std")],
    )
}

/// Keeps a picture, if somebody wants to look at them.
fn picture(browser: &mut Browser, name: &str) {
    let Some(folder) = std::env::var_os("COMMUTE_SCREENSHOTS") else {
        return;
    };
    let shot = browser.call(
        "Page.captureScreenshot",
        json!({"captureBeyondViewport": true}),
    );
    use base64::prelude::{BASE64_STANDARD, Engine};
    let bytes = BASE64_STANDARD.decode(shot["data"].as_str().expect("a picture"));
    let path = Path::new(&folder).join(format!("{name}.png"));
    std::fs::write(path, bytes.expect("a picture")).expect("a file");
}

fn size(browser: &mut Browser, width: u32, height: u32) {
    browser.call(
        "Emulation.setDeviceMetricsOverride",
        json!({"width": width, "height": height, "deviceScaleFactor": 1, "mobile": width < 500}),
    );
}

#[test]
fn examples_are_drawn_and_ask_for_nothing() {
    let Some(mut browser) = Browser::start() else {
        return;
    };
    for (name, diagrams, marked) in [
        ("connections", 1, 2),
        ("withdraw", 1, 3),
        ("lost_wakeup", 2, 4),
        ("use_after_free", 2, 4),
    ] {
        size(&mut browser, 1100, 1400);
        browser.open(&example(name));
        assert_eq!(browser.complaints(), [] as [&Value; 0], "{name}");
        let count = |browser: &mut Browser, selector: &str| {
            browser.evaluate(&format!("document.querySelectorAll('{selector}').length"))
        };
        assert_eq!(count(&mut browser, ".diagram svg"), diagrams, "{name}");
        assert_eq!(count(&mut browser, ".marked"), marked, "{name}");
        // Boxes of one lane do not lie on each other.
        let overlaps = browser.evaluate(
            "[...document.querySelectorAll('.diagram svg')].some(svg => {
                const boxes = [...svg.querySelectorAll('.event rect')].map(b => b.getBoundingClientRect());
                return boxes.some((a, i) => boxes.slice(i + 1).some(b =>
                    a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom));
            })",
        );
        assert_eq!(overlaps, false, "{name}");
        // No text leaves its box.
        let wide = browser.evaluate(
            "[...document.querySelectorAll('.event')].filter(event =>
                [...event.querySelectorAll('.action, .location')].some(text =>
                    text.getBoundingClientRect().right > event.querySelector('rect').getBoundingClientRect().right
                )).map(event => event.textContent)",
        );
        assert_eq!(wide, json!([]), "{name}");
        picture(&mut browser, name);
    }
}

#[test]
fn without_scripts_the_diagram_is_there() {
    let page = example("lost_wakeup");
    let Some(mut browser) = Browser::start() else {
        return;
    };
    browser.call(
        "Emulation.setScriptExecutionDisabled",
        json!({"value": true}),
    );
    browser.open(&page);
    // The protocol may still ask.
    let drawn = "[...document.querySelectorAll('.diagram svg .marked rect')]
        .every(box => box.getBoundingClientRect().width > 50)";
    assert_eq!(browser.evaluate(drawn), true);
    let tools = "document.querySelectorAll('.tools button').length";
    assert_eq!(browser.evaluate(tools), 0);
    picture(&mut browser, "without_scripts");
}

#[test]
fn a_diagram_is_stepped_through_with_the_arrow_keys() {
    let page = example("connections");
    let Some(mut browser) = Browser::start() else {
        return;
    };
    browser.open(&page);
    browser.settle();
    browser.evaluate("document.querySelector('.canvas').focus()");
    let said = "document.querySelector('.step').textContent";
    for key in [
        "ArrowDown",
        "ArrowRight",
        "ArrowDown",
        "ArrowUp",
        "ArrowDown",
    ] {
        browser.press(key);
    }
    let text = browser.evaluate(said);
    let text = text.as_str().expect("a text");
    assert!(
        text.starts_with("Step 3 of 8: T0, event 3: fork(T3)"),
        "{text}"
    );
    assert!(
        text.contains("pool.rs:9") && text.contains("clock T0: 3"),
        "{text}"
    );
    let later = "document.querySelectorAll('.event.later').length";
    assert_eq!(browser.evaluate(later), 5);
    browser.press("End");
    browser.press("ArrowUp");
    browser.press("ArrowUp");
    browser.press("ArrowUp");
    // The line of the event is lit.
    let lit = "document.querySelector('.source.now').dataset.place";
    assert_eq!(browser.evaluate(lit), "pool.rs:12");
    picture(&mut browser, "stepping");
    browser.press("Escape");
    assert_eq!(browser.evaluate(said), "");
    assert_eq!(browser.complaints(), [] as [&Value; 0]);
}

#[test]
fn a_click_moves_to_the_source() {
    let page = example("connections");
    let Some(mut browser) = Browser::start() else {
        return;
    };
    browser.open(&page);
    browser.settle();
    browser.click(".marked rect");
    let target = "document.querySelector(':target').dataset.place";
    assert_eq!(browser.evaluate(target), "pool.rs:12");
}

#[test]
fn findings_are_filtered() {
    let page = page_of("many", &traces::many(500));
    let Some(mut browser) = Browser::start() else {
        return;
    };
    browser.open(&page);
    browser.settle();
    let shown = "[...document.querySelectorAll('article')].filter(a => !a.hidden).length";
    assert_eq!(browser.evaluate(shown), 500);
    let choose = |browser: &mut Browser, name: &str, text: &str| {
        browser.evaluate(&format!(
            "(() => {{ const list = document.querySelector('#filters').elements['{name}'];
                list.value = [...list.options].find(o => o.textContent.startsWith('{text}')).value;
                list.dispatchEvent(new Event('input', {{ bubbles: true }})); }})()"
        ));
    };
    choose(&mut browser, "thread", "T2");
    assert_eq!(browser.evaluate(shown), 167);
    let said = "document.querySelector('#filters output').textContent";
    assert_eq!(browser.evaluate(said), "167 of 500 shown");
    choose(&mut browser, "object", "x3");
    assert_eq!(browser.evaluate(shown), 1);
    choose(&mut browser, "code", "CM102");
    assert_eq!(browser.evaluate(shown), 1);
    choose(&mut browser, "thread", "T3");
    assert_eq!(browser.evaluate(shown), 0);
    assert_eq!(browser.complaints(), [] as [&Value; 0]);
    eprintln!(
        "500 findings: first paint after {} ms",
        browser.first_paint()
    );
}

#[test]
fn a_long_run_is_folded_and_unfolded() {
    let page = page_of("long", &traces::long());
    let Some(mut browser) = Browser::start() else {
        return;
    };
    size(&mut browser, 1100, 900);
    browser.open(&page);
    browser.settle();
    let size = std::fs::metadata(&page).expect("a page").len();
    let took = browser.first_paint();
    eprintln!("a page of {size} bytes: first paint after {took} ms");
    let rows =
        browser.evaluate("document.querySelector('.diagram').querySelectorAll('.event').length");
    assert!(rows.as_u64() < Some(40), "{rows} rows");
    browser.click(".tools button:nth-child(3)");
    let nodes = "document.querySelector('.canvas.unfolded').querySelectorAll('*').length";
    let nodes = browser.evaluate(nodes);
    assert!(
        (100..2000).contains(&nodes.as_u64().unwrap_or(0)),
        "{nodes} elements"
    );
    browser.evaluate("document.querySelector('.canvas').focus()");
    browser.press("End");
    let said = browser.evaluate("document.querySelector('.step').textContent");
    let said = said.as_str().expect("a text");
    assert!(said.contains("event 99602, of the finding: r(x)"), "{said}");
    picture(&mut browser, "unfolded");
    let middle = "document.querySelector('.canvas').scrollTop /= 2";
    browser.evaluate(middle);
    browser.settle();
    let index = browser.evaluate("+document.querySelector('.canvas .event .index').textContent");
    assert!(
        (40_000..60_000).contains(&index.as_u64().unwrap_or(0)),
        "{index}"
    );
    browser.click(".tools button:nth-child(3)");
    let folded = "document.querySelector('.canvas').querySelectorAll('.event').length";
    assert_eq!(browser.evaluate(folded), rows);
    assert_eq!(browser.complaints(), [] as [&Value; 0]);
}

/// Locks in locks stand side by side, and the edges of a cycle have a direction.
#[test]
fn what_is_unfolded_looks_like_what_was_folded() {
    let mut trace = "T1|begin|a.rs:1\nT1|acq(outer)|a.rs:2\nT1|acq(inner)|a.rs:3\n".to_owned();
    trace += "T1|r(x)|a.rs:4\nT1|rel(inner)|a.rs:5\n";
    for number in 0..40 {
        let _ = writeln!(trace, "T1|acq(inner)|b.rs:1\nT1|r(y{number})|b.rs:2");
        let _ = writeln!(trace, "T1|rel(inner)|b.rs:3");
    }
    trace += "T1|rel(outer)|a.rs:6\nT2|w(x)|c.rs:1\nT1|w(x)|a.rs:7\nT1|end|a.rs:8\n";
    let page = page_of("cycle", &trace);
    let Some(mut browser) = Browser::start() else {
        return;
    };
    size(&mut browser, 1100, 900);
    browser.open(&page);
    browser.settle();
    let seen = "(() => {
        const canvas = document.querySelector('article[data-code=CM111] .canvas');
        const has = (selector) => [...canvas.querySelectorAll(selector)];
        const lock = (name) => has('.extent.lock rect').find((bar) => bar.textContent.includes(name));
        const [outer, inner] = ['outer', 'inner'].map((name) => lock(name)?.getAttribute('x'));
        return [has('.arrow.cycle .head').length, outer - inner, has('.extent.block').length,
            lock('outer')?.textContent].join();
    })()";
    let folded = browser.evaluate(seen);
    assert_eq!(folded, "2,13,1,holds: outer\nfrom event 2 to 126");
    browser.evaluate("document.querySelector('article[data-code=CM111] figure').scrollIntoView()");
    browser.settle();
    browser.click("article[data-code=CM111] .tools button:nth-child(3)");
    assert_eq!(browser.evaluate(seen), folded);
    picture(&mut browser, "unfolded-cycle");
    assert_eq!(browser.complaints(), [] as [&Value; 0]);
}

#[test]
fn what_a_trace_contains_is_shown_and_never_run() {
    let evil = [
        "<script>window.pwned=1</script>",
        "</script><script>window.pwned=2</script>",
        "<img src=x onerror=window.pwned=3>",
        "\" onload=window.pwned=4 \"",
        "</title><svg onload=window.pwned=5>",
        "javascript:window.pwned=6",
    ];
    let mut trace = "T0|new(o:map)|a.rs:1\n".to_owned();
    for text in evil {
        let quoted = text.replace('|', "/");
        let _ = writeln!(trace, "T1|o.insert('{quoted}',1)/nil|{quoted}:3");
        let _ = writeln!(trace, "T2|o.insert('{quoted}',2)/1|{quoted}:4");
    }
    // Enough to be folded, so that all of it is data, too.
    for number in 0..40 {
        let _ = writeln!(trace, "T1|w(x{number})|a.rs:1");
    }
    let page = page_of("hostile", &trace);
    let Some(mut browser) = Browser::start() else {
        return;
    };
    browser.open(&page);
    // A diagram is prepared when it comes into sight.
    browser.evaluate("document.querySelector('.diagram').scrollIntoView()");
    browser.settle();
    browser.click(".tools button:nth-child(3)");
    browser.evaluate("document.querySelector('.canvas').focus()");
    browser.press("End");
    assert_eq!(browser.evaluate("window.pwned ?? null"), Value::Null);
    let shown = browser.evaluate("document.body.textContent");
    for text in evil {
        assert!(
            shown.as_str().is_some_and(|all| all.contains(text)),
            "{text}"
        );
    }
    let foreign = "document.querySelectorAll('img, iframe, [onload], [onerror]').length";
    assert_eq!(browser.evaluate(foreign), 0);
    let links = "[...document.querySelectorAll('a')].filter(a => !(a.getAttribute('href')).startsWith('#')).length";
    assert_eq!(browser.evaluate(links), 0);
    assert_eq!(browser.complaints(), [] as [&Value; 0]);
}

#[test]
fn pages_fit_a_phone_and_the_dark() {
    let page = example("withdraw");
    let Some(mut browser) = Browser::start() else {
        return;
    };
    size(&mut browser, 360, 740);
    browser.open(&page);
    let width = "document.scrollingElement.scrollWidth";
    assert_eq!(browser.evaluate(width), 360);
    picture(&mut browser, "phone");
    let color = "getComputedStyle(document.body).backgroundColor";
    let light = browser.evaluate(color);
    let dark = json!({"features": [{"name": "prefers-color-scheme", "value": "dark"}]});
    browser.call("Emulation.setEmulatedMedia", dark);
    browser.settle();
    assert_ne!(browser.evaluate(color), light);
    picture(&mut browser, "dark");
}

#[test]
fn what_is_seen_has_a_name_for_those_who_hear() {
    let page = example("connections");
    let Some(mut browser) = Browser::start() else {
        return;
    };
    browser.open(&page);
    browser.settle();
    browser.call("Accessibility.enable", json!({}));
    let tree = browser.call("Accessibility.getFullAXTree", json!({}));
    let nodes = tree["nodes"].as_array().expect("nodes").clone();
    let names = |role: &str| -> Vec<String> {
        let nodes = nodes.iter().filter(|node| node["role"]["value"] == *role);
        nodes
            .map(|node| {
                node["name"]["value"]
                    .as_str()
                    .unwrap_or_default()
                    .to_owned()
            })
            .collect()
    };
    assert!(names("heading").contains(&"Findings".to_owned()));
    assert_eq!(names("article").len(), 1);
    for name in names("button") {
        assert!(!name.is_empty());
    }
    let groups = names("group");
    assert!(
        groups
            .iter()
            .any(|name| name.contains("order of the trace. The arrow keys")),
        "{groups:?}"
    );
    // Boxes say whose they are, whether they matter, and where they are.
    let links = names("link");
    let marked = |name: &&String| name.contains(", of the finding: ");
    assert_eq!(links.iter().filter(marked).count(), 2, "{links:?}");
    assert!(
        links
            .iter()
            .any(|name| name.starts_with("T0, event 3: fork(T3)") && name.contains("at pool.rs:9")),
        "{links:?}"
    );
    assert!(
        names("button")
            .iter()
            .all(|name| name.contains("order of the trace"))
    );
    // What can be reached with the tab key does something.
    let stops = "[...document.querySelectorAll('[tabindex=\"0\"], a[href]:not([tabindex=\"-1\"]), button, select')].length";
    let stops = browser.evaluate(stops);
    assert!(stops.as_u64() < Some(40), "{stops}");
}
