// script.js: what report.html can do beyond being read: sort, filter, show values, open the trials behind a figure.
(function () {
  "use strict";
  const data = JSON.parse(document.getElementById("page-data").textContent);
  const byId = (id) => document.getElementById(id);
  const all = (selector, root) => Array.from((root || document).querySelectorAll(selector));

  // An element with attributes and children; texts are never read as markup.
  function make(name, attributes, ...children) {
    const element = document.createElement(name);
    for (const [key, value] of Object.entries(attributes || {})) {
      element.setAttribute(key, value);
    }
    element.append(...children);
    return element;
  }

  // Themes

  function recall() {
    try {
      return localStorage.getItem("matchrace-theme") || "auto";
    } catch (error) {
      return "auto"; // storage is closed to this file
    }
  }

  function setTheme(name) {
    if (name === "light" || name === "dark") {
      document.documentElement.dataset.theme = name;
    } else {
      delete document.documentElement.dataset.theme;
    }
    try {
      localStorage.setItem("matchrace-theme", name);
    } catch (error) {
      // It holds until the page is left.
    }
  }

  function themeSwitch() {
    const select = make("select", { id: "theme" });
    for (const name of ["auto", "light", "dark"]) {
      select.append(make("option", { value: name }, name));
    }
    select.value = recall();
    setTheme(select.value);
    select.addEventListener("change", () => setTheme(select.value));
    return make("span", { class: "theme" }, make("label", { for: "theme" }, "Theme"), select);
  }

  // Filters: an element goes when its cell, or one of its entries, is switched off.

  const off = { entry: new Set(), class: new Set(), cell: new Set(), load: new Set() };

  function cellIsOff(index) {
    const cell = data.cells[index];
    return cell !== undefined && (off.cell.has(cell.name) || off.load.has(cell.load));
  }

  function entryIsOff(index) {
    const entry = data.entries[index];
    return entry !== undefined && (off.entry.has(entry.name) || off.class.has(entry.class));
  }

  function isOff(element) {
    const entries = (element.dataset.e || "").split(" ").filter((word) => word !== "");
    return (element.dataset.c !== undefined && cellIsOff(Number(element.dataset.c))) ||
      entries.some((index) => entryIsOff(Number(index)));
  }

  function applyFilters(count) {
    let hidden = 0;
    for (const element of all("[data-c], [data-e]")) {
      const gone = isOff(element);
      element.classList.toggle("filtered", gone);
      hidden += gone ? 1 : 0;
    }
    count.textContent = hidden === 0 ? "everything is shown" : hidden + " parts are hidden by filters";
  }

  function unique(values) {
    return Array.from(new Set(values));
  }

  function filterGroup(kind, title, values, changed) {
    const fieldset = make("fieldset", {}, make("legend", { class: "unseen" }, title));
    for (const value of values) {
      const box = make("input", { type: "checkbox" });
      box.checked = true;
      box.addEventListener("change", () => {
        off[kind][box.checked ? "delete" : "add"](value);
        changed();
      });
      fieldset.append(make("label", {}, box, " " + value));
    }
    return make("details", { "data-filter": kind }, make("summary", {}, title), fieldset);
  }

  function buildTools() {
    const tools = byId("tools");
    const count = make("span", { class: "count", role: "status" });
    const changed = () => applyFilters(count);
    const reset = make("button", { type: "button" }, "Show all");
    tools.append(
      filterGroup("entry", "Contestants", data.entries.map((entry) => entry.name), changed),
      filterGroup("class", "Classes", unique(data.entries.map((entry) => entry.class)), changed),
      filterGroup("cell", "Cells", data.cells.map((cell) => cell.name), changed),
      filterGroup("load", "Loads", unique(data.cells.map((cell) => cell.load)), changed),
      reset, count, themeSwitch());
    reset.addEventListener("click", () => {
      all("input", tools).forEach((box) => { box.checked = true; });
      Object.values(off).forEach((set) => set.clear());
      changed();
    });
    tools.addEventListener("submit", (event) => event.preventDefault());
    // One list is open at a time, and none when the reader goes on.
    const lists = all("details", tools);
    lists.forEach((list) => list.addEventListener("toggle", () => {
      if (list.open) {
        lists.filter((other) => other !== list).forEach((other) => { other.open = false; });
      }
    }));
    document.addEventListener("click", (event) => {
      lists.filter((list) => !list.contains(event.target)).forEach((list) => { list.open = false; });
    });
    tools.addEventListener("keydown", (event) => {
      const list = event.target.closest("details");
      if (event.key === "Escape" && list) {
        list.open = false;
        list.querySelector("summary").focus();
      }
    });
    tools.hidden = false;
    changed();
  }

  // Sorting

  function keyOf(row, column) {
    const cell = row.cells[column];
    const number = Number(cell.dataset.v);
    return cell.dataset.v !== undefined && !Number.isNaN(number) ? number : cell.textContent;
  }

  // Numbers before texts; what is unavailable comes last, whichever way.
  function compare(a, b, direction) {
    if (typeof a === "number" && typeof b === "number") {
      return direction * (a - b);
    }
    if (typeof a !== typeof b) {
      return typeof a === "number" ? -1 : 1;
    }
    return direction * a.localeCompare(b, "en");
  }

  function sortBy(table, head) {
    const direction = head.getAttribute("aria-sort") === "ascending" ? -1 : 1;
    all("th[aria-sort]", table).forEach((other) => other.removeAttribute("aria-sort"));
    head.setAttribute("aria-sort", direction === 1 ? "ascending" : "descending");
    const body = table.tBodies[0];
    const rows = Array.from(body.rows);
    rows.sort((a, b) => compare(keyOf(a, head.cellIndex), keyOf(b, head.cellIndex), direction));
    body.append(...rows);
  }

  function makeSortable(table) {
    for (const head of all("thead th", table)) {
      const button = make("button", { type: "button" }, ...head.childNodes);
      head.append(button);
      button.addEventListener("click", () => sortBy(table, head));
    }
  }

  // The trials behind a figure

  function formatted(value) {
    return value === undefined ? "–" : Number(value.toPrecision(6)).toLocaleString("en", { maximumSignificantDigits: 6 });
  }

  function rawOf(trial) {
    if (trial.raw === undefined) {
      return make("a", { href: "trials/" + encodeURIComponent(trial.file) }, "open the file");
    }
    const text = make("pre", { tabindex: "0" });
    const details = make("details", {}, make("summary", {}, "raw JSON"), text);
    details.addEventListener("toggle", () => {
      text.textContent = JSON.stringify(trial.raw, null, 1);
    });
    return details;
  }

  function trialRow(trial, metric) {
    const link = make("a", { href: "trials/" + encodeURIComponent(trial.file) }, String(trial.number));
    const value = make("td", { class: "n" }, formatted(trial.metrics[metric]));
    if (trial.metrics[metric] !== undefined) {
      value.dataset.v = trial.metrics[metric];
    }
    return make("tr", {},
      make("td", { class: "n", "data-v": trial.number }, link), make("td", {}, trial.entry),
      make("td", { class: "n", "data-v": trial.row }, String(trial.row)),
      make("td", {}, trial.outcome + (trial.reason ? ": " + trial.reason : "")), value, make("td", {}, rawOf(trial)));
  }

  function drill(title, trials, metric) {
    const head = make("tr", {}, ...["trial", "contestant", "row", "outcome", metric, "raw data"].map((text, index) =>
      make("th", index === 0 || index === 2 || index === 4 ? { scope: "col", class: "n" } : { scope: "col" }, text)));
    const table = make("table", {}, make("caption", {}, trials.length + " trials"), make("thead", {}, head),
      make("tbody", {}, ...trials.map((trial) => trialRow(trial, metric))));
    makeSortable(table);
    byId("drill-title").textContent = title;
    const note = data.raw ? "Raw JSON without the buckets of histograms and the totals; the file has all." :
      "The raw files are too large to be embedded: they are linked.";
    byId("drill-body").replaceChildren(make("p", { class: "note" }, note),
      make("div", { class: "scroll", tabindex: "0", role: "group", "aria-label": "Trials behind the figure" }, table));
    byId("drill").showModal();
  }

  function trialsOf(element) {
    const cell = data.cells[Number(element.dataset.c)];
    const names = (element.dataset.e || "").split(" ").map((index) => data.entries[Number(index)]).filter(Boolean)
      .map((entry) => entry.name);
    return data.trials.filter((trial) => cell !== undefined && trial.cell === cell.name && names.includes(trial.entry))
      .sort((a, b) => a.row - b.row || a.number - b.number);
  }

  function drillElement(element, metric) {
    const cell = data.cells[Number(element.dataset.c)];
    const trials = trialsOf(element);
    if (cell !== undefined && trials.length > 0) {
      drill(cell.name + ": " + unique(trials.map((trial) => trial.entry)).join(" and "), trials, metric || cell.metric);
    }
  }

  function makeFigures() {
    for (const figure of all("tr[data-c][data-e] td[data-m][data-v]")) {
      const row = figure.closest("tr");
      const name = row.querySelector("th").textContent;
      const button = make("button", { type: "button", "aria-label": figure.textContent + ", the trials of " + name },
        ...figure.childNodes);
      button.addEventListener("click", () => drillElement(row, figure.dataset.m));
      figure.append(button);
    }
    const dialog = byId("drill");
    byId("drill-close").addEventListener("click", () => dialog.close());
    dialog.addEventListener("click", (event) => {
      // Beside it: on what lies behind.
      const box = dialog.getBoundingClientRect();
      const inside = event.clientX >= box.left && event.clientX <= box.right && event.clientY >= box.top &&
        event.clientY <= box.bottom;
      if (event.target === dialog && !inside) {
        dialog.close();
      }
    });
  }

  // Values on hover and by keyboard

  const tip = byId("tip");

  function showTip(text, x, y) {
    tip.textContent = text;
    tip.hidden = false;
    const box = tip.getBoundingClientRect();
    tip.style.left = Math.max(4, Math.min(x + 14, innerWidth - box.width - 4)) + "px";
    tip.style.top = Math.max(4, y - box.height - 12) + "px";
  }

  function hideTip() {
    tip.hidden = true;
    all(".now").forEach((mark) => mark.classList.remove("now"));
  }

  function point(mark) {
    all(".now").forEach((other) => other.classList.remove("now"));
    mark.classList.add("now");
  }

  function openMark(mark) {
    if (mark.dataset.t !== undefined) {
      const trial = data.trials.find((one) => one.number === Number(mark.dataset.t));
      const cell = trial && data.cells.find((one) => one.name === trial.cell);
      if (cell) {
        drill(cell.name + ": " + trial.entry + ", trial " + trial.number, [trial], cell.metric);
      }
    } else if (mark.closest("[data-c][data-e]")) {
      drillElement(mark.closest("[data-c][data-e]"), "");
    }
  }

  // The vertices of a trial's line, in the picture's units.
  function vertices(path) {
    return path.getAttribute("d").slice(1).split("L").map((pair) => pair.split(" ").map(Number));
  }

  // What a vertex of a trial's line stands for, by the scales of its picture (both are linear).
  function valueAt(svg, vertex) {
    const [from, to, low, high] = svg.dataset.x.split(" ").map(Number);
    const [bottom, top, least, most] = svg.dataset.y.split(" ").map(Number);
    const x = low + (vertex[0] - from) / (to - from) * (high - low);
    const y = least + (vertex[1] - bottom) / (top - bottom) * (most - least);
    return { x: Number(x.toPrecision(3)), y: Number(y.toPrecision(4)) };
  }

  // How far a place is from the piece of a line between two vertices.
  function distanceTo(from, to, x, y) {
    const [dx, dy] = [to[0] - from[0], to[1] - from[1]];
    const length = dx * dx + dy * dy;
    const share = length === 0 ? 0 : Math.max(0, Math.min(1, ((x - from[0]) * dx + (y - from[1]) * dy) / length));
    return Math.hypot(from[0] + share * dx - x, from[1] + share * dy - y);
  }

  // The line that is next to a place, and its vertex that is.
  function nearestTrial(svg, x, y) {
    let best = null;
    for (const path of all("path.trial", svg)) {
      path.vertices.forEach((vertex, index) => {
        const before = path.vertices[Math.max(0, index - 1)];
        const distance = distanceTo(before, vertex, x, y);
        if (best === null || distance < best.distance) {
          const nearer = Math.abs(before[0] - x) < Math.abs(vertex[0] - x) ? before : vertex;
          best = { path, vertex: nearer, distance };
        }
      });
    }
    return best;
  }

  function describeTrial(svg, path, vertex) {
    const value = valueAt(svg, vertex);
    const titles = all("text.title", svg).map((text) => text.textContent);
    return path.says + ": " + value.y + " " + (titles[1] || "") + " at " + value.x + " (" + (titles[0] || "") + ")";
  }

  function followTrials(svg) {
    all("path.trial", svg).forEach((path) => { path.vertices = vertices(path); });
    const near = (event) => {
      const box = svg.getBoundingClientRect();
      const scale = svg.viewBox.baseVal.width / box.width;
      const found = nearestTrial(svg, (event.clientX - box.left) * scale, (event.clientY - box.top) * scale);
      return found !== null && found.distance < 16 ? found : null;
    };
    svg.addEventListener("pointermove", (event) => {
      const found = near(event);
      if (found !== null) {
        point(found.path);
        showTip(describeTrial(svg, found.path, found.vertex), event.clientX, event.clientY);
      } else {
        hideTip();
      }
    });
    svg.addEventListener("click", (event) => {
      const found = near(event);
      if (found !== null) {
        openMark(found.path);
      }
    });
  }

  function followPoints(svg, marks) {
    for (const mark of marks) {
      mark.addEventListener("pointerenter", (event) => {
        point(mark);
        showTip(mark.says, event.clientX, event.clientY);
      });
      mark.addEventListener("click", () => openMark(mark));
    }
  }

  // Arrow keys walk through a picture's values, Enter opens the trials behind one.
  function walk(svg, marks) {
    let at = -1;
    svg.addEventListener("keydown", (event) => {
      const shown = marks.filter((mark) => mark.closest(".filtered") === null);
      const steps = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 };
      if (steps[event.key] !== undefined && shown.length > 0) {
        at = (at + steps[event.key] + shown.length) % shown.length;
        const box = shown[at].getBoundingClientRect();
        point(shown[at]);
        showTip(shown[at].says, box.left + box.width / 2, box.top);
        byId("live").textContent = shown[at].says;
        event.preventDefault();
      } else if (event.key === "Enter" && shown[at]) {
        event.preventDefault(); // the dialog's first button would take the key for itself
        openMark(shown[at]);
      } else if (event.key === "Escape") {
        hideTip();
      }
    });
    svg.addEventListener("blur", hideTip);
    svg.addEventListener("pointerleave", hideTip);
  }

  function enrich(svg) {
    const marks = all(".pt", svg);
    for (const mark of all("title", svg)) {
      // The browser's own tip would cover ours.
      mark.parentNode.says = mark.textContent;
      mark.remove();
    }
    if (marks.length === 0) {
      return;
    }
    svg.setAttribute("tabindex", "0");
    svg.setAttribute("role", "group");
    svg.setAttribute("aria-roledescription", "chart; arrow keys walk through its values");
    if (marks[0].classList.contains("trial")) {
      followTrials(svg);
    } else {
      followPoints(svg, marks);
    }
    walk(svg, marks);
  }

  // What does not scroll is no stop for the keyboard.
  function stopsWhereNeeded() {
    for (const box of all("main .scroll, main pre")) {
      const folded = box.closest("details:not([open])") !== null;
      box.tabIndex = folded || box.scrollWidth > box.clientWidth ? 0 : -1;
    }
  }

  // Paper has everything: what is folded is opened for it.
  function unfoldForPrint() {
    let folded = [];
    addEventListener("beforeprint", () => {
      folded = all("main details:not([open])");
      folded.forEach((part) => { part.open = true; });
    });
    addEventListener("afterprint", () => folded.forEach((part) => { part.open = false; }));
  }

  buildTools();
  all("main table").forEach(makeSortable);
  makeFigures();
  all(".chart > svg").forEach(enrich);
  unfoldForPrint();
  stopsWhereNeeded();
  addEventListener("resize", stopsWhereNeeded);
  document.addEventListener("toggle", stopsWhereNeeded, true);
})();
