//! How diagrams use the room that a screen has.

use serde_json::{Value, json};

use crate::chromium::Browser;
use crate::{page_of, picture, size};

/// Four threads with long actions; the last two race.
const WIDE: &str = "\
    main|new(cache:dictionary)|src/cache.rs:10\n\
    main|fork(worker-1)|src/main.rs:20\n\
    main|fork(worker-2)|src/main.rs:20\n\
    main|fork(worker-3)|src/main.rs:20\n\
    worker-1|cache.get('user:1233')/nil|src/cache.rs:31\n\
    worker-2|cache.put('user:1234','session-token-abc')/nil|src/cache.rs:44\n\
    worker-3|cache.put('user:1234','session-token-def')/'session-token-abc'|src/cache.rs:44\n\
    main|join(worker-1)|src/main.rs:25\n";

/// How many of the boxes that matter can be seen as a whole.
const SEEN: &str = "(() => {
    const canvas = document.querySelector('.canvas').getBoundingClientRect();
    return [...document.querySelectorAll('.marked rect')].filter(it => {
        const { left, right } = it.getBoundingClientRect();
        return left >= canvas.left && right <= canvas.right;
    }).length;
})()";

#[test]
fn what_matters_is_in_sight_at_the_start() {
    let page = page_of("wide", WIDE);
    let Some(mut browser) = Browser::start() else {
        return;
    };
    // All of it, the end of it, the first box.
    for (width, boxes, is_whole) in [(2560, 2, true), (1100, 2, false), (390, 1, false)] {
        size(&mut browser, width, 900);
        browser.open(&page);
        browser.evaluate("document.querySelector('.diagram').scrollIntoView()");
        browser.settle();
        assert_eq!(browser.evaluate(SEEN), boxes, "{width}");
        let whole = "(it => it.scrollWidth <= it.clientWidth)(document.querySelector('.canvas'))";
        assert_eq!(browser.evaluate(whole), is_whole, "{width}");
        let page = browser.evaluate("document.scrollingElement.scrollWidth");
        assert!(page.as_u64() <= Some(width.into()), "{page} in {width}");
        picture(&mut browser, &format!("wide-{width}"));
    }
    // On paper nothing is moved.
    browser.call("Emulation.setEmulatedMedia", json!({"media": "print"}));
    browser.settle();
    let moved = "getComputedStyle(document.querySelector('.canvas .index')).transform";
    assert_eq!(browser.evaluate(moved), "none");
    assert_eq!(browser.complaints(), [] as [&Value; 0]);
}
