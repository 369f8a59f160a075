// What a page can do if scripts are allowed: filter findings, step through diagrams,
// unfold them. Without scripts all findings and their folded diagrams are there.
//
// Texts come from traces, and may be hostile: they are set as text, never as markup.
"use strict";
(() => {
  // As in diagram/layout.rs.
  const HEAD = 34, EVENT = 44, BOX = 36, GAP = 28, GUTTER = 52, FRAME = 5, NEXT_FRAME = 4;
  const all = (selector, root = document) => [...root.querySelectorAll(selector)];
  const make = (name, properties, ...children) => {
    const element = Object.assign(document.createElement(name), properties);
    element.append(...children);
    return element;
  };
  const namespace = document.querySelector("svg")?.namespaceURI;
  const draw = (name, attributes, text) => {
    const element = document.createElementNS(namespace, name);
    for (const key in attributes) element.setAttribute(key, attributes[key]);
    if (text !== undefined) element.textContent = text;
    return element;
  };

  // ---- filters ----
  const form = document.getElementById("filters");
  if (form) {
    const articles = all("article");
    const items = all("nav li");
    const filter = () => {
      const { code, object, thread } = form.elements;
      let shown = 0;
      articles.forEach((article, number) => {
        const { dataset } = article;
        const fits =
          (!code.value || dataset.code === code.value) &&
          (!object?.value || dataset.object === object.value) &&
          (!thread?.value || dataset.threads.split(" ").includes(thread.value));
        article.hidden = !fits;
        if (items[number]) items[number].hidden = !fits;
        shown += fits;
      });
      form.querySelector("output").textContent = `${shown} of ${articles.length} shown`;
    };
    form.hidden = false;
    form.addEventListener("input", filter);
    form.addEventListener("submit", (event) => event.preventDefault());
    filter();
  }

  // ---- source ----
  // What is in a closed part of the page cannot be seen.
  const disclose = (element) => {
    for (let outer = element?.closest("details"); outer; outer = outer.parentNode.closest("details")) {
      outer.open = true;
    }
  };
  const named = (href) => (href ? document.getElementById(href.slice(1)) : null);
  const lit = { element: null };
  // Lights up the line of source that an event is at.
  const light = (href) => {
    lit.element?.classList.remove("now");
    lit.element = named(href);
    lit.element?.classList.add("now");
    disclose(lit.element);
  };
  document.addEventListener("click", (event) => {
    disclose(named(event.target.closest?.("a")?.getAttribute("href")));
  });

  // ---- diagrams ----
  // Moves the box of an event into sight, past the numbers at the left.
  const reveal = (canvas, left, right) => {
    if (left < canvas.scrollLeft + GUTTER) canvas.scrollLeft = left - GUTTER - 24;
    else if (right > canvas.scrollLeft + canvas.clientWidth) {
      canvas.scrollLeft = Math.min(left - GUTTER - 24, right + 12 - canvas.clientWidth);
    }
  };

  // A diagram as it is in the page: all that is shown has been drawn.
  const drawn = (canvas) => {
    const events = all("g.event", canvas);
    const lasting = all("[data-top]", canvas);
    const box = (event) => event.querySelector("rect").getBBox();
    return {
      count: events.length,
      show(at, bar) {
        events.forEach((event, number) => {
          event.classList.toggle("now", number === at);
          event.classList.toggle("later", at >= 0 && number > at);
        });
        const event = events[at];
        const now = event ? box(event).y : Infinity;
        lasting.forEach((sign) => sign.classList.toggle("later", +sign.dataset.top > now));
        if (!event) {
          light(null);
          return null;
        }
        const { x, width } = box(event);
        reveal(canvas, x, x + width);
        const href = event.querySelector("a")?.getAttribute("href");
        light(href);
        return {
          text: event.querySelector("title").textContent, href,
          // What is above the screen or below it comes into it, below what is said.
          look() {
            const { top, bottom } = event.querySelector("rect").getBoundingClientRect();
            const least = bar.getBoundingClientRect().bottom + 8;
            if (top < least) scrollBy(0, top - least);
            else if (bottom > innerHeight) scrollBy(0, Math.min(bottom - innerHeight + 12, top - least));
          },
        };
      },
    };
  };

  // Some letters take two columns.
  const columns = (letter) => (letter >= "\u1100" ? 2 : 1);
  const wide = (text) => [...text].reduce((sum, letter) => sum + columns(letter), 0);
  // As much of a text as fits, from its beginning.
  const short = (text, room) => {
    if (wide(text) <= room) return text;
    let width = 1, start = "";
    for (const letter of text) {
      width += columns(letter);
      if (width > room) break;
      start += letter;
    }
    return start + "…";
  };
  // The file and the line of a place; a long name is cut in its middle.
  const place = (location, room) => {
    const [, path, line] = /^(.*?)(:\d+)?(?::\d+)?$/s.exec(location);
    const file = path.split(/[/\\]/).pop();
    if (!line || wide(file + line) <= room) return short(file + (line ?? ""), room);
    const left = Math.max(0, room - line.length - 1);
    let end = "";
    for (const letter of [...file].reverse()) {
      if (wide(letter + end) > left / 2) break;
      end = letter + end;
    }
    return short(file, left - wide(end) + 1) + end + line;
  };

  // What a browser has to dash takes long if it is as high as a whole run, seen or not. So
  // what is high is cut, by whole dashes of all kinds, so that these stay where they are.
  const DASHES = 40;
  const cut = (top, bottom, from, to) => {
    const whole = (length) => Math.max(0, Math.floor(length / DASHES)) * DASHES;
    return [top + whole(from - EVENT - top), bottom - whole(bottom - to - EVENT)];
  };
  // The same for a curve from one height to another, on which it never turns back.
  const curve = ([x1, c1, c2, x2], [y1, y2], from, to) => {
    const start = Math.min(y1, y2), end = Math.max(y1, y2);
    if (start >= from - EVENT && end <= to + EVENT) {
      return { d: `M${x1} ${y1}C${c1} ${y1} ${c2} ${y2} ${x2} ${y2}` };
    }
    // How much of the way is behind who got to this height.
    const behind = (y) => {
      const share = Math.min(1, Math.max(0, (y - y1) / (y2 - y1)));
      let low = 0, high = 1;
      for (let halves = 0; halves < 48; halves++) {
        const middle = (low + high) / 2;
        if (middle * middle * (3 - 2 * middle) < share) low = middle;
        else high = middle;
      }
      return high;
    };
    const [high, low] = cut(start, end, from, to);
    const [first, last] = y1 < y2 ? [behind(high), behind(low)] : [behind(low), behind(high)];
    // A part of the curve, by de Casteljau.
    const point = (...times) => [[x1, c1, c2, x2], [y1, y1, y2, y2]].map((line) =>
      times.reduce((line, time) => line.slice(1).map((to, i) => line[i] + (to - line[i]) * time), line)[0]);
    const points = [
      point(first, first, first), point(first, first, last), point(first, last, last), point(last, last, last),
    ].map(([x, y]) => `${x} ${y}`);
    const skipped = y1 < y2 ? high - y1 : y1 - low;
    return { d: `M${points[0]}C${points.slice(1).join(" ")}`, "stroke-dashoffset": skipped };
  };

  // All events of a scene in an order: only what can be seen is drawn.
  const unfolded = (canvas, data, order, anchors, begin) => {
    const { widths, texts } = data;
    const { indent, lane, of_box: size } = widths;
    // The rows: events and, where the scene has not all, gaps.
    const rows = [], events = [];
    let height = 0, previous = 0;
    const gap = (next) => {
      if (next > previous + 1) {
        rows.push({ top: height, hidden: next - previous - 1 });
        height += GAP;
      }
      previous = next;
    };
    for (const [first, position, count] of order.runs) {
      for (let number = 0; number < count; number++) {
        gap(position + number);
        const row = { top: height, moment: data.moments[first + number], step: events.length };
        rows.push(row);
        events.push(row);
        height += EVENT;
      }
    }
    if (order.total) gap(order.total + 1);
    const found = new Map(events.map((row) => [row.moment[0], row]));
    const own = data.threads.map(() => []);
    for (const row of events) own[row.moment[1]].push(row);
    const threads = own.flatMap((list, thread) => (list.length ? [thread] : []));
    const lanes = new Map(threads.map((thread, number) => [thread, GUTTER + number * lane]));
    const left = (row) => lanes.get(row.moment[1]) + indent;
    const width = GUTTER + threads.length * lane;
    const marks = new Set(data.marks);

    // What lasts, and what each event is in of it.
    const extents = [];
    const held = new Map();
    // Whether what ends with this event has no end in what is to be seen of this run.
    const all = order.clocks ? found : new Set(data.moments.map(([index]) => index));
    const goesOn = (ends) => !ends || (all.has(ends) ? !found.has(ends) : ends > data.moments.at(-1)[0]);
    for (const [thread, begins, ends, kind, name, level, merged] of data.extents) {
      const inside = own[thread].length ? within(own[thread], begins, ends || Infinity) : [];
      if (!inside.length) continue;
      const [first, last] = [inside[0], inside.at(-1)];
      if (kind !== "block") {
        for (const row of inside) {
          if (!held.has(row)) held.set(row, []);
          held.get(row).push(texts[name]);
        }
      }
      const what = { block: "should be atomic: ", shared: "holds to read: ", lock: "holds: " }[kind];
      extents.push({
        thread, kind, level, begins: first.top, end: last.top + BOX - 2,
        name: merged > 1 ? `${merged} locks` : widths.is_named ? texts[name] : "",
        top: first.top + 2 - (first.moment[0] === begins ? 0 : 14),
        bottom: goesOn(ends) ? height + 4 : last.top + BOX - 2 + (last.moment[0] === ends ? 0 : 14),
        text: (kind === "block" && !texts[name] ? "a block that should be atomic" : what + texts[name]) +
          `\nfrom event ${begins}` +
          (ends && (order.clocks || !goesOn(ends)) ? ` to ${ends}` : ", to no end that was seen") +
          (merged > 1 ? `\nthis bar stands for ${merged} locks` : ""),
      });
    }
    const join = (kind, words) => ([a, b, why]) => ({
      kind, why: words ?? (typeof why === "string" ? why : texts[why]), a: found.get(a), b: found.get(b),
    });
    const arrows = [...(order.arrows ?? data.arrows).map(join("order")), ...data.conflicts.map(join(...data.meaning))]
      .filter(({ a, b }) => a && b);

    const title = (row) => {
      const [index, thread, action, location, clock] = row.moment;
      const pairs = data.pairs
        ? clock.flatMap((thread, at) => (at % 2 ? [] : [[thread, clock[at + 1]]]))
        : clock.map((time, thread) => [thread, time]);
      const known = pairs
        .filter(([, time]) => order.clocks && time > 0)
        .map(([thread, time]) => `${data.threads[thread]}: ${time}`);
      const cut = data.cut ? "; of some threads nothing is kept" : "";
      return `${data.threads[thread]}, event ${index}` + (marks.has(index) ? ", of the finding" : "") +
        `: ${texts[action]}` + (texts[location] ? `\nat ${texts[location]}` : "") +
        (held.has(row) ? `\nholds ${held.get(row).join(", ")}` : "") +
        (known.length ? `\nclock ${known.join(", ")}${cut}` : "");
    };
    const anchor = (location) => anchors.get(location.replace(/^(.*?:\d+)(:\d+)?$/, "$1"));

    const label = `${canvas.getAttribute("aria-label")} Unfolded.`;
    const svg = draw("svg", { width, role: "group", "aria-label": label });
    const head = draw("svg", { width, height: HEAD, class: "heads" });
    for (const thread of threads) {
      const x = lanes.get(thread) + indent + size / 2;
      const text = draw("text", { class: "thread", x, y: HEAD - 14 }, short(data.threads[thread], widths.room));
      text.append(draw("title", {}, data.threads[thread]));
      head.append(text);
    }
    const whole = make("div", { className: "whole" }, svg);
    whole.style.height = `${height + 8}px`;
    whole.style.width = `${width}px`;
    canvas.replaceChildren(head, whole);
    canvas.classList.add("unfolded");
    let current = -1;

    const paint = () => {
      const from = Math.max(0, canvas.scrollTop - 10 * EVENT);
      const to = canvas.scrollTop + canvas.clientHeight + 10 * EVENT;
      let first = before(rows, from);
      const y = (top) => top - rows[first].top;
      const now = events[current]?.top ?? Infinity;
      const pale = (element, top) => {
        element.classList.toggle("later", top > now);
        return element;
      };
      const parts = [];
      for (const thread of threads) {
        const x = lanes.get(thread) + indent + size / 2;
        parts.push(draw("line", { class: "lane", x1: x, x2: x, y1: 0, y2: Math.min(height, to) - rows[first].top }));
      }
      for (const { thread, kind, text, name, level, begins, end, top, bottom } of extents) {
        if (bottom < from || top > to) continue;
        const x = lanes.get(thread) + indent;
        const [high, low] = cut(top, bottom, from, to);
        if (kind === "block") {
          const around = FRAME + NEXT_FRAME * level;
          const rect = draw("rect", {
            class: "extent block", x: x - around, y: y(high) - 6,
            width: size + 2 * around, height: low - high + 12, rx: 8,
          });
          rect.append(draw("title", {}, text));
          parts.push(pale(rect, begins));
          continue;
        }
        const group = draw("g", { class: `extent ${kind}` });
        const side = x - widths.lock - widths.next_lock * level;
        const rect = draw("rect", { x: side, y: y(high), width: 4, height: low - high, rx: 2 });
        rect.append(draw("title", {}, text));
        group.append(rect);
        if (name && wide(name) * 6 <= end - begins) {
          // As low as it can be seen.
          const foot = y(Math.min(end, Math.max(to - 10 * EVENT, begins + wide(name) * 6)));
          group.append(draw("text", { class: "held", transform: `translate(${side - 3} ${foot}) rotate(-90)` }, name));
        }
        parts.push(pale(group, begins));
      }
      for (const { kind, why, a, b } of arrows) {
        const [high, low] = a.top < b.top ? [a.top, b.top] : [b.top, a.top];
        if (low + EVENT < from || high > to) continue;
        const [l, r] = [left(a), left(b)];
        const [x1, x2] = [l > r ? l : l + size, l < r ? r - 2 : r + size + 2];
        const bend = Math.max(18, Math.abs(x2 - x1) / 2);
        const [c1, c2] = [x1 + (l > r ? -bend : bend), x2 + (l < r ? -bend : bend)];
        const [y1, y2] = [y(a.top) + BOX / 2, y(b.top) + BOX / 2];
        const group = draw("g", { class: `arrow ${kind}` });
        const path = draw("path", curve([x1, c1, c2, x2], [y1, y2], y(from), y(to)));
        path.append(draw("title", {}, why));
        group.append(path);
        if (kind !== "conflict" && b.top <= to && b.top + EVENT >= from) {
          const back = x2 > c2 ? -7 : 7;
          group.append(draw("path", { class: "head", d: `M${x2} ${y2}l${back} -4v8z` }));
        }
        parts.push(pale(group, low));
      }
      let last = first;
      for (; last < rows.length && rows[last].top <= to; last++) {
        const row = rows[last], top = y(row.top);
        const group = draw("g", { class: row.moment ? "event" : "gap" });
        parts.push(group);
        if (!row.moment) {
          const words = `⋯ ${row.hidden.toLocaleString("en")} ${row.hidden === 1 ? "event" : "events"}`;
          group.append(
            draw("rect", { x: GUTTER, y: top, width: width - GUTTER, height: GAP - 8 }),
            draw("text", { x: GUTTER + 12, y: top + 14 }, words),
          );
          continue;
        }
        const [index, , action, location] = row.moment;
        const x = left(row);
        group.classList.toggle("marked", marks.has(index));
        group.classList.toggle("now", row.step === current);
        pale(group, row.top);
        const href = anchor(texts[location]);
        const link = href ? draw("a", { href, tabindex: -1 }) : draw("g", { role: "img" });
        link.append(
          draw("title", {}, title(row)),
          draw("rect", { x, y: top, width: size, height: BOX, rx: 5 }),
          draw("text", { class: "action", x: x + 8, y: top + 16 }, short(texts[action], widths.room)),
          draw("text", { class: "location", x: x + 8, y: top + 29 }, place(texts[location], widths.place)),
        );
        group.append(link, draw("text", { class: "index", x: GUTTER - 10, y: top + BOX / 2 + 4 }, index));
      }
      svg.replaceChildren(...parts);
      svg.setAttribute("height", Math.min(height, to) - rows[first].top + 8);
      svg.style.top = `${rows[first].top}px`;
    };
    let due = false;
    canvas.onscroll = () => {
      if (due) return;
      due = true;
      requestAnimationFrame(() => { due = false; paint(); });
    };
    const look = (row) => {
      if (row.top < canvas.scrollTop || row.top + EVENT + HEAD > canvas.scrollTop + canvas.clientHeight) {
        canvas.scrollTop = Math.max(0, row.top - canvas.clientHeight / 3);
      }
      reveal(canvas, left(row), left(row) + size);
      paint();
    };
    look(found.get(begin) ?? events[0]);
    return {
      count: events.length,
      show(at) {
        current = at;
        if (at < 0) {
          light(null);
          paint();
          return null;
        }
        look(events[at]);
        const href = anchor(texts[events[at].moment[3]]);
        light(href);
        return { text: title(events[at]), href, look: () => canvas.scrollIntoView({ block: "nearest" }) };
      },
    };
  };
  // The first of sorted things that fits, by halves.
  const search = (list, fits) => {
    let low = 0, high = list.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (fits(list[middle])) high = middle;
      else low = middle + 1;
    }
    return low;
  };
  // The row that a height is in.
  const before = (rows, height) => Math.max(0, search(rows, (row) => row.top > height) - 1);
  // The rows of a thread from one index to another.
  const within = (list, begins, ends) => list.slice(
    search(list, (row) => row.moment[0] >= begins), search(list, (row) => row.moment[0] > ends),
  );

  // What a finding makes of events that may be written with another one.
  const read = (scene) => {
    const own = JSON.parse(scene.textContent);
    return { ...JSON.parse(document.getElementById(`events-${own.events}`).textContent), ...own };
  };

  const folders = [];
  const prepare = (figure) => {
    const canvas = figure.querySelector(".canvas");
    const caption = figure.querySelector("figcaption").textContent;
    const folded = [...canvas.childNodes];
    const scene = document.getElementById(`scene-${figure.dataset.finding}`);
    const { more, order } = figure.dataset;
    // The lines that are shown, by their places.
    const anchors = () => new Map(
      all("[data-place]", figure.closest("article")).map((line) => [line.dataset.place, `#${line.id}`]),
    );
    canvas.setAttribute("aria-label", `${caption}. The arrow keys step through it, Enter leads to the source.`);
    let view = drawn(canvas), at = -1, link = null;
    const said = make("p", { className: "step" });
    said.setAttribute("aria-live", "polite");
    const bar = make("div", { className: "bar" });
    const show = (next) => {
      at = Math.min(view.count - 1, Math.max(-1, next));
      const step = view.show(at, bar);
      said.textContent = step ? `Step ${at + 1} of ${view.count}: ${step.text}` : "";
      link = step?.href ? make("a", { href: step.href, textContent: "to the source" }) : null;
      if (link) said.append("\n", link);
      step?.look();
    };
    const button = (text, action) => {
      const made = make("button", { type: "button", textContent: text });
      made.setAttribute("aria-label", `${text}, ${caption}`);
      made.addEventListener("click", action);
      return made;
    };
    const tools = make("div", { className: "tools" },
      button("◀ back", () => show(at - 1)), button("step ▶", () => show(at + 1)));
    if (scene && more) {
      let data = null;
      const toggle = button(more, () => {
        show(-1);
        if (canvas.classList.contains("unfolded")) {
          canvas.classList.remove("unfolded");
          canvas.onscroll = null;
          canvas.replaceChildren(...folded);
          view = drawn(canvas);
        } else {
          data ??= read(scene);
          view = unfolded(canvas, data, data.orders[order], anchors(), data.marks.at(-1));
        }
        name();
      });
      const name = () => {
        const isUnfolded = canvas.classList.contains("unfolded");
        // What signs mean that only unfolded diagrams have.
        const others = figure.parentNode.querySelector(".unfolded");
        all(".later", figure.parentNode.nextElementSibling).forEach((sign) => { sign.hidden = !others; });
        toggle.textContent = isUnfolded ? "fold" : more;
        toggle.setAttribute("aria-label", `${toggle.textContent}, ${caption}`);
        toggle.setAttribute("aria-expanded", isUnfolded);
      };
      name();
      tools.append(toggle);
      canvas.classList.add("folds");
      canvas.addEventListener("click", (event) => {
        if (event.target.closest(".gap") && !canvas.classList.contains("unfolded")) toggle.click();
      });
      folders.push(() => { if (canvas.classList.contains("unfolded")) toggle.click(); });
    }
    // What is pale only a script can make so.
    const key = figure.parentNode.nextElementSibling;
    if (key?.matches(".key") && !key.querySelector(".pale")) {
      key.append(make("li", {}, make("i", { className: "pale" }), "comes later, while stepping"));
    }
    bar.append(tools, said);
    canvas.before(bar);
    canvas.tabIndex = 0;
    canvas.setAttribute("role", "group");
    // The numbers of the events stay in sight.
    canvas.addEventListener("scroll", () => canvas.style.setProperty("--left", `${canvas.scrollLeft}px`));
    // What the finding is about is in sight at the start, or where it begins.
    const marked = all(".marked rect", canvas).map((rect) => +rect.getAttribute("x"));
    if (marked.length) {
      reveal(canvas, Math.min(...marked), Math.max(...marked) + +canvas.querySelector(".marked rect").getAttribute("width"));
    }
    canvas.addEventListener("keydown", (event) => {
      if (event.ctrlKey || event.altKey || event.metaKey) return;
      if (event.key === "Enter" && link) {
        event.preventDefault();
        link.click();
        return;
      }
      const next = {
        ArrowDown: at + 1, ArrowRight: at + 1, ArrowUp: at - 1, ArrowLeft: at - 1,
        Home: 0, End: view.count - 1, Escape: -1,
      }[event.key];
      if (next === undefined) return;
      event.preventDefault();
      show(next);
    });
  };
  // What is unfolded has no end on paper.
  addEventListener("beforeprint", () => folders.forEach((fold) => fold()));
  // Diagrams are prepared when their finding comes into sight: a page may have hundreds.
  // All of it, and of the findings beside it, so that the tab key leaves none out.
  const unprepared = new Set(all("article"));
  const seen = new IntersectionObserver((entries) => {
    for (const { target } of entries.filter((entry) => entry.isIntersecting)) {
      seen.unobserve(target);
      for (const article of [target, target.previousElementSibling, target.nextElementSibling]) {
        if (unprepared.delete(article)) all(".diagram", article).forEach(prepare);
      }
    }
  }, { rootMargin: "200px" });
  unprepared.forEach((article) => seen.observe(article));
})();
