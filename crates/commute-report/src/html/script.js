// What a page can do if scripts are allowed: filter findings, step through diagrams,
// unfold them. Without scripts all findings and their folded diagrams are there.
//
// Texts come from traces, and may be hostile: they are set as text, never as markup.
"use strict";
(() => {
  // As in diagram/layout.rs.
  const HEAD = 34, EVENT = 44, BOX = 36, GUTTER = 52, INDENT = 40;
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
          (!object.value || dataset.object === object.value) &&
          (!thread.value || dataset.threads.split(" ").includes(thread.value));
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

  // ---- diagrams ----
  const lit = { element: null };
  // Lights up the line of source that an event is at.
  const light = (href) => {
    lit.element?.classList.remove("now");
    lit.element = href ? document.getElementById(href.slice(1)) : null;
    lit.element?.classList.add("now");
  };

  // A diagram as it is in the page: all that is shown has been drawn.
  const drawn = (canvas) => {
    const events = all("g.event", canvas);
    return {
      count: events.length,
      show(at) {
        events.forEach((event, number) => {
          event.classList.toggle("now", number === at);
          event.classList.toggle("later", at >= 0 && number > at);
        });
        const event = events[at];
        event?.scrollIntoView({ block: "nearest", inline: "nearest" });
        light(event?.querySelector("a")?.getAttribute("href"));
        return event?.querySelector("title").textContent;
      },
    };
  };

  // All events of a scene: only what can be seen is drawn.
  const unfolded = (canvas, data, anchors, begin) => {
    const lanes = new Map(data.lanes.map((thread, number) => [thread, number]));
    const moments = data.moments.filter((moment) => lanes.has(moment[1]));
    const rows = new Map(moments.map((moment, row) => [moment[0], row]));
    const marks = new Set(data.marks);
    // Some letters take two columns.
    const columns = (letter) => (letter >= "\u1100" ? 2 : 1);
    const wide = (text) => [...text].reduce((sum, letter) => sum + columns(letter), 0);
    const widths = data.texts.map(wide);
    const longest = moments.reduce((most, m) => Math.max(most, widths[m[2]]), 0);
    const lane = Math.min(300, Math.max(128, Math.trunc(longest * 7.3) + INDENT + 22));
    const room = Math.max(4, Math.trunc((lane - INDENT - 20) / 7.3));
    const width = GUTTER + lanes.size * lane;
    const left = (thread) => GUTTER + lanes.get(thread) * lane;
    const short = (text) => {
      if (wide(text) <= room) return text;
      let width = 1, start = "";
      for (const letter of text) {
        width += columns(letter);
        if (width > room) break;
        start += letter;
      }
      return start + "…";
    };
    const own = new Map(data.lanes.map((thread) => [thread, []]));
    moments.forEach((moment, row) => own.get(moment[1]).push(row));

    // The first row of a thread whose event is not before an index.
    const from = (thread, index) => {
      const list = own.get(thread);
      let low = 0, high = list.length;
      while (low < high) {
        const middle = (low + high) >> 1;
        if (moments[list[middle]][0] < index) low = middle + 1;
        else high = middle;
      }
      return low;
    };
    const extents = [];
    for (const [thread, begins, ends, kind, name, depth] of data.extents) {
      if (!lanes.has(thread)) continue;
      const list = own.get(thread);
      const first = from(thread, begins);
      const last = (ends ? from(thread, ends + 1) : list.length) - 1;
      if (first > last) continue;
      const what = { block: "should be atomic", shared: "holds to read", lock: "holds" }[kind];
      const text = `${what}: ${data.texts[name]}\nfrom event ${begins}` +
        (ends ? ` to ${ends}` : ", to no end that was seen");
      extents.push({ thread, kind, text, depth, top: list[first], bottom: list[last] });
    }
    const join = (kind, words) => ([a, b, why]) => ({
      kind, why: words ?? data.texts[why], a: rows.get(a), b: rows.get(b),
    });
    const arrows = [...data.arrows.map(join("order")), ...data.conflicts.map(join(...data.meaning))]
      .filter(({ a, b }) => a !== undefined && b !== undefined);

    const title = ([index, thread, action, location, clock]) => {
      const known = clock
        .map((time, number) => [data.threads[number], time])
        .filter(([, time]) => time > 0)
        .map(([name, time]) => `${name}: ${time}`);
      return `${data.threads[thread]}, event ${index}: ${data.texts[action]}` +
        (data.texts[location] ? `\nat ${data.texts[location]}` : "") +
        (known.length ? `\nclock ${known.join(", ")}` : "");
    };
    const anchor = (location) => anchors.get(location.replace(/^(.*?:\d+)(:\d+)?$/, "$1"));

    const svg = draw("svg", { width, role: "group", "aria-label": "Space-time diagram, unfolded" });
    const head = draw("svg", { width, height: HEAD, class: "heads" });
    for (const thread of data.lanes) {
      const x = left(thread) + INDENT + (lane - INDENT) / 2 - 4;
      head.append(draw("text", { class: "thread", x, y: HEAD - 14 }, short(data.threads[thread])));
    }
    const whole = make("div", { className: "whole" }, svg);
    whole.style.height = `${moments.length * EVENT + 8}px`;
    whole.style.width = `${width}px`;
    canvas.replaceChildren(head, whole);
    canvas.classList.add("unfolded");
    let current = -1;

    const paint = () => {
      const seen = Math.floor((canvas.scrollTop - HEAD) / EVENT);
      const first = Math.max(0, seen - 10);
      const last = Math.min(moments.length - 1, seen + Math.ceil(canvas.clientHeight / EVENT) + 10);
      const y = (row) => (row - first) * EVENT;
      const parts = [];
      for (const thread of data.lanes) {
        const x = left(thread) + INDENT + (lane - INDENT) / 2 - 4;
        parts.push(draw("line", { class: "lane", x1: x, x2: x, y1: 0, y2: y(last + 1) }));
      }
      for (const { thread, kind, text, depth, top, bottom } of extents) {
        if (bottom < first || top > last) continue;
        const block = kind === "block";
        const rect = draw("rect", {
          class: `extent ${kind}`,
          x: left(thread) + INDENT - (block ? 5 : 12 + 6 * depth),
          y: y(top) + (block ? -4 : 2),
          width: block ? lane - INDENT + 2 : 4,
          height: (bottom - top) * EVENT + BOX + (block ? 8 : -4),
          rx: block ? 8 : 2,
        });
        rect.append(draw("title", {}, text));
        parts.push(rect);
      }
      for (const { kind, why, a, b } of arrows) {
        if (Math.max(a, b) < first || Math.min(a, b) > last) continue;
        const [l, r] = [left(moments[a][1]), left(moments[b][1])];
        const [x1, x2] = [l + (l > r ? INDENT : lane - 8), r + (l < r ? INDENT - 2 : lane - 6)];
        const bend = Math.max(18, Math.abs(x2 - x1) / 2);
        const [c1, c2] = [x1 + (l > r ? -bend : bend), x2 + (l < r ? -bend : bend)];
        const [y1, y2] = [y(a) + BOX / 2, y(b) + BOX / 2];
        const group = draw("g", { class: `arrow ${kind}` });
        const path = draw("path", { d: `M${x1} ${y1}C${c1} ${y1} ${c2} ${y2} ${x2} ${y2}` });
        path.append(draw("title", {}, why));
        group.append(path);
        if (kind !== "conflict") {
          const back = x2 > c2 ? -7 : 7;
          group.append(draw("path", { class: "head", d: `M${x2} ${y2}l${back} -4v8z` }));
        }
        parts.push(group);
      }
      for (let row = first; row <= last; row++) {
        const moment = moments[row];
        const [index, thread, action, location] = moment;
        const x = left(thread) + INDENT, top = y(row);
        const group = draw("g", { class: "event" });
        group.classList.toggle("marked", marks.has(index));
        group.classList.toggle("now", row === current);
        group.classList.toggle("later", current >= 0 && row > current);
        group.append(draw("text", { class: "index", x: GUTTER - 10, y: top + BOX / 2 + 4 }, index));
        const href = anchor(data.texts[location]);
        const link = href ? draw("a", { href, tabindex: -1 }) : group;
        link.append(
          draw("rect", { x, y: top, width: lane - INDENT - 8, height: BOX, rx: 5 }),
          draw("text", { class: "action", x: x + 8, y: top + 16 }, short(data.texts[action])),
          draw("text", { class: "location", x: x + 8, y: top + 29 },
            short(data.texts[location].split(/[/\\]/).pop())),
        );
        if (href) group.append(link);
        group.append(draw("title", {}, title(moment)));
        parts.push(group);
      }
      svg.replaceChildren(...parts);
      svg.setAttribute("height", y(last + 1) + 8);
      svg.style.top = `${first * EVENT}px`;
    };
    let due = false;
    canvas.onscroll = () => {
      if (due) return;
      due = true;
      requestAnimationFrame(() => { due = false; paint(); });
    };
    const look = (row) => {
      const top = row * EVENT;
      if (top < canvas.scrollTop || top + EVENT + HEAD > canvas.scrollTop + canvas.clientHeight) {
        canvas.scrollTop = Math.max(0, top - canvas.clientHeight / 3);
      }
      paint();
    };
    look(rows.get(begin) ?? 0);
    return {
      count: moments.length,
      show(at) {
        current = at;
        look(Math.max(0, at));
        light(at >= 0 ? anchor(data.texts[moments[at][3]]) : null);
        return at >= 0 ? title(moments[at]) : undefined;
      },
    };
  };

  const prepare = (figure) => {
    const canvas = figure.querySelector(".canvas");
    const folded = [...canvas.childNodes];
    const scene = document.getElementById(`scene-${figure.dataset.finding}`);
    // The lines that are shown, by their places.
    const anchors = () => new Map(
      all("[data-place]", figure.closest("article")).map((line) => [line.dataset.place, `#${line.id}`]),
    );
    let view = drawn(canvas), at = -1;
    const said = make("p", { className: "step" });
    said.setAttribute("aria-live", "polite");
    const show = (next) => {
      at = Math.min(view.count - 1, Math.max(-1, next));
      const text = view.show(at);
      said.textContent = text ? `Step ${at + 1} of ${view.count}: ${text}` : "";
    };
    const button = (text, action) => {
      const made = make("button", { type: "button", textContent: text });
      made.addEventListener("click", action);
      return made;
    };
    const tools = make("div", { className: "tools" },
      button("◀ back", () => show(at - 1)), button("step ▶", () => show(at + 1)));
    if (scene && figure.parentNode.firstElementChild === figure) {
      let data = null;
      const toggle = button("", () => {
        show(-1);
        if (canvas.classList.contains("unfolded")) {
          canvas.classList.remove("unfolded");
          canvas.onscroll = null;
          canvas.replaceChildren(...folded);
          view = drawn(canvas);
        } else {
          data ??= JSON.parse(scene.textContent);
          view = unfolded(canvas, data, anchors(), data.marks.at(-1));
        }
        name();
      });
      const name = () => {
        const isUnfolded = canvas.classList.contains("unfolded");
        toggle.textContent = isUnfolded ? "fold" : "show all events";
        toggle.setAttribute("aria-expanded", isUnfolded);
      };
      name();
      tools.append(toggle);
      canvas.addEventListener("click", (event) => {
        if (event.target.closest(".gap")) toggle.click();
      });
    }
    canvas.before(tools);
    canvas.after(said);
    canvas.tabIndex = 0;
    canvas.setAttribute("role", "group");
    canvas.setAttribute("aria-label", "Diagram. The arrow keys step through it.");
    canvas.addEventListener("keydown", (event) => {
      const next = {
        ArrowDown: at + 1, ArrowRight: at + 1, ArrowUp: at - 1, ArrowLeft: at - 1,
        Home: 0, End: view.count - 1, Escape: -1,
      }[event.key];
      if (next === undefined || event.ctrlKey || event.altKey || event.metaKey) return;
      event.preventDefault();
      show(next);
    });
  };
  // A diagram is prepared when it comes into sight: a page may have hundreds.
  const seen = new IntersectionObserver((entries) => {
    for (const entry of entries.filter((entry) => entry.isIntersecting)) {
      seen.unobserve(entry.target);
      prepare(entry.target);
    }
  }, { rootMargin: "200px" });
  all(".diagram").forEach((figure) => seen.observe(figure));
})();
