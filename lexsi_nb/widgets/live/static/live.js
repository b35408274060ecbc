// src/elements.ts
function make(tag, name = "", attributes = {}, ...content) {
  const made2 = document.createElement(tag);
  if (name !== "") {
    made2.className = name;
  }
  for (const [key, value] of Object.entries(attributes)) {
    made2.setAttribute(key, value);
  }
  made2.append(...content);
  return made2;
}
function button(label, title, act) {
  const made2 = make("button", "lexsi-button", { type: "button", title }, label);
  made2.addEventListener("click", act);
  return made2;
}
function disclosure(label, title, shown) {
  shown.hidden = true;
  shown.id = shown.id || unique("lexsi-shown");
  const made2 = button(label, title, () => {
    shown.hidden = !shown.hidden;
    made2.setAttribute("aria-expanded", String(!shown.hidden));
  });
  made2.setAttribute("aria-expanded", "false");
  made2.setAttribute("aria-controls", shown.id);
  return made2;
}
function fromKernel(html) {
  const made2 = make("div", "lexsi-html");
  made2.innerHTML = html;
  return made2;
}
var made = 0;
function unique(prefix) {
  return `${prefix}-${Date.now().toString(36)}-${++made}`;
}

// src/model.ts
var Kernel = class {
  constructor(model) {
    this.model = model;
    model.on("msg:custom", this.heard);
  }
  model;
  ask(request, content = {}) {
    const id = `${this.name}-${++this.count}`;
    return new Promise((resolve, reject) => {
      this.waiting.set(id, { resolve, reject });
      this.model.send({ id, request, content });
    });
  }
  dispose() {
    this.model.off("msg:custom", this.heard);
    this.waiting.clear();
  }
  heard = (message) => {
    if (!isFields(message) || typeof message["id"] !== "string") {
      return;
    }
    const waiting = this.waiting.get(message["id"]);
    this.waiting.delete(message["id"]);
    if (typeof message["error"] === "string") {
      waiting?.reject(new Error(message["error"]));
    } else {
      waiting?.resolve(isFields(message["reply"]) ? message["reply"] : {});
    }
  };
  // Every view of one model hears every reply, so ids differ from view to view.
  name = Math.random().toString(36).slice(2);
  waiting = /* @__PURE__ */ new Map();
  count = 0;
};
function isFields(value) {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
function text(value) {
  return typeof value === "string" ? value : "";
}
function number(value, otherwise = 0) {
  return typeof value === "number" ? value : otherwise;
}
function list(value) {
  return Array.isArray(value) ? value : [];
}

// src/controls.ts
function controls(frame) {
  return new ControlsView(frame);
}
var ControlsView = class {
  constructor(frame) {
    this.frame = frame;
    const form = make("div", "lexsi-tools", { role: "group", "aria-label": "Values" });
    for (const field of list(frame.state["fields"]).filter(isFields)) {
      const name = text(field["name"]);
      const id = unique("lexsi-field");
      const kind = text(field["kind"]);
      const given = kind === "number" ? { type: "text", inputmode: "decimal" } : { type: kind };
      const input = make("input", "", { id, ...given });
      input.addEventListener("keydown", (event) => {
        if (event.key === "Enter") {
          void this.ask();
        }
      });
      this.inputs.set(name, input);
      form.append(make("label", "", { for: id }, name), input);
    }
    form.append(this.run);
    this.body.append(make("div", "lexsi-title", {}, text(frame.state["title"])), form, this.answer);
    this.changed(frame.state);
  }
  frame;
  body = make("div");
  changed(state) {
    for (const field of list(state["fields"]).filter(isFields)) {
      const input = this.inputs.get(text(field["name"]));
      if (input !== void 0) {
        input.value = text(field["value"]);
      }
    }
    this.answer.replaceChildren(fromKernel(text(state["html"])));
  }
  async ask() {
    if (this.run.disabled) {
      return;
    }
    this.run.disabled = true;
    const values = Object.fromEntries([...this.inputs].map(([name, input]) => [name, input.value]));
    const reply = await this.frame.ask("run", { values });
    this.run.disabled = false;
    if (reply !== void 0) {
      this.frame.announce(text(reply["answer"]));
    }
  }
  inputs = /* @__PURE__ */ new Map();
  answer = make("div");
  run = button("Run", "Ask the same question with these values", () => void this.ask());
};

// src/frame.ts
var SLOW = 2e3;
var Frame = class {
  constructor(model, el) {
    this.model = model;
    this.kernel = new Kernel(model);
    this.root.dataset["lmSuppressShortcuts"] = "true";
    this.root.setAttribute("role", "group");
    this.root.setAttribute("aria-label", text(this.state["title"]) || "lexsi");
    this.listing.hidden = true;
    const foot = make("div", "lexsi-tools", {}, this.tools);
    if (this.state["code"] === true) {
      foot.append(this.showCode());
    }
    this.root.append(this.body, foot, this.said, this.heard, this.listing);
    el.append(this.root);
    model.on("change:state", this.changed);
  }
  model;
  /** What the kernel says of the widget now. */
  get state() {
    const state = this.model.get("state");
    return isFields(state) ? state : {};
  }
  /** Buttons of the view, at the foot before *Show code*. */
  tools = make("div", "lexsi-tools lexsi-own");
  show(view) {
    this.view = view;
    this.body.append(view.body);
  }
  /** Ask the kernel. What goes wrong is said below the widget, and the answer is undefined. */
  async ask(request, content = {}) {
    this.waiting += 1;
    this.root.setAttribute("aria-busy", "true");
    const slow = setTimeout(() => this.say("Waiting for the kernel."), SLOW);
    try {
      const reply = await this.kernel.ask(request, content);
      this.say("");
      return reply;
    } catch (error) {
      this.say(error instanceof Error ? error.message : String(error));
      return void 0;
    } finally {
      clearTimeout(slow);
      this.waiting -= 1;
      this.root.setAttribute("aria-busy", String(this.waiting > 0));
    }
  }
  /** Say something that a screen reader reads out, too. */
  say(words) {
    this.said.textContent = words;
  }
  /** Have a screen reader read out what is seen elsewhere. */
  announce(words) {
    this.heard.textContent = words;
  }
  dispose() {
    this.model.off("change:state", this.changed);
    this.kernel.dispose();
    this.view?.dispose?.();
  }
  changed = () => {
    this.view?.changed?.(this.state);
    if (!this.listing.hidden) {
      void this.list();
    }
  };
  showCode() {
    const shown = button("Show code", "Show the code cell for what is shown now", () => {
      this.listing.hidden = !this.listing.hidden;
      shown.textContent = this.listing.hidden ? "Show code" : "Hide code";
      shown.setAttribute("aria-expanded", String(!this.listing.hidden));
      if (!this.listing.hidden) {
        void this.list();
      }
    });
    shown.setAttribute("aria-expanded", "false");
    return shown;
  }
  async list() {
    const cell = await this.ask("code");
    if (cell === void 0) {
      return;
    }
    const source = text(cell["source"]);
    const copy = button("Copy", "Copy the code", () => {
      navigator.clipboard.writeText(source).then(
        () => this.say("Copied."),
        () => this.say("The browser did not let the code be copied; select it instead.")
      );
    });
    const head = make("div", "lexsi-tools", {}, make("span", "lexsi-quiet", {}, text(cell["title"])), copy);
    this.listing.replaceChildren(head, make("pre", "lexsi-source", { tabindex: "0" }, source));
  }
  root = make("section", "lexsi-live");
  body = make("div", "lexsi-body");
  said = make("div", "lexsi-said", { role: "status" });
  heard = make("div", "lexsi-heard", { "aria-live": "polite" });
  listing = make("div", "lexsi-listing");
  kernel;
  view;
  waiting = 0;
};

// src/progress.ts
function progress(frame) {
  const lines = make("pre", "lexsi-lines");
  const stop = button("Stop", "Stop the run; what was made so far is kept", () => void frame.ask("stop"));
  frame.tools.append(stop);
  const changed = (state) => {
    lines.textContent = list(state["lines"]).map(text).join("\n");
    stop.disabled = state["stopping"] === true;
    stop.textContent = stop.disabled ? "Stopping" : "Stop";
  };
  changed(frame.state);
  return { body: lines, changed };
}

// src/style.css
var style_default = String.raw`/* Colours and fonts are the notebook's own variables: JupyterLab's, VS Code's, else what the page has. */
.lexsi-live {
  --lexsi-text: var(--jp-ui-font-color1, var(--vscode-editor-foreground, CanvasText));
  --lexsi-quiet: var(--jp-ui-font-color2, color-mix(in srgb, currentColor 70%, transparent));
  --lexsi-line: var(--jp-border-color1, color-mix(in srgb, currentColor 35%, transparent));
  --lexsi-fine: var(--jp-border-color2, color-mix(in srgb, currentColor 18%, transparent));
  --lexsi-raised: var(--jp-layout-color2, color-mix(in srgb, currentColor 8%, transparent));
  --lexsi-field: var(--jp-layout-color1, var(--vscode-input-background, Canvas));
  --lexsi-focus: var(--jp-brand-color1, var(--vscode-focusBorder, Highlight));
  /* Orange and blue: told apart with every common colour blindness. */
  --lexsi-raises: #e4842a;
  --lexsi-lowers: #4c78a8;
  box-sizing: border-box;
  container-type: inline-size;
  position: relative;
  width: 100%;
  padding: 4px 0;
  font-family: var(--jp-ui-font-family, system-ui, sans-serif);
  font-size: var(--jp-ui-font-size1, 13px);
  line-height: 1.4;
  color: var(--lexsi-text);
}

.lexsi-live [hidden] {
  display: none !important;
}

.lexsi-tools {
  display: flex;
  flex-wrap: wrap;
  align-items: center;
  gap: 6px 8px;
  margin: 6px 0;
}

.lexsi-own {
  display: contents;
}

.lexsi-quiet {
  color: var(--lexsi-quiet);
}

.lexsi-said:not(:empty) {
  margin: 4px 0;
}

.lexsi-heard {
  position: absolute;
  width: 1px;
  height: 1px;
  overflow: hidden;
  clip-path: inset(50%);
  white-space: nowrap;
}

.lexsi-button {
  min-height: 24px;
  padding: 0 10px;
  font: inherit;
  color: inherit;
  background: var(--lexsi-raised);
  border: 1px solid var(--lexsi-line);
  border-radius: 2px;
  cursor: pointer;
}

.lexsi-button:hover:not(:disabled) {
  border-color: var(--lexsi-focus);
}

.lexsi-button:disabled {
  cursor: default;
  opacity: 0.45;
}

.lexsi-live :is(button, input, select, textarea, pre, summary, [tabindex]):focus-visible {
  outline: 2px solid var(--lexsi-focus);
  outline-offset: 1px;
}

.lexsi-live :is(input:not([type='checkbox']):not([type='range']), select, textarea) {
  box-sizing: border-box;
  min-height: 24px;
  padding: 0 6px;
  font: inherit;
  color: inherit;
  background: var(--lexsi-field);
  border: 1px solid var(--lexsi-line);
  border-radius: 2px;
}

.lexsi-live .lexsi-source {
  max-height: 320px;
  margin: 2px 0 0;
  padding: 6px 8px;
  overflow: auto;
  font-family: var(--jp-code-font-family, monospace);
  font-size: var(--jp-code-font-size, 13px);
  color: inherit;
  background: var(--jp-cell-editor-background, var(--lexsi-raised));
  border: 1px solid var(--lexsi-fine);
  white-space: pre;
  word-break: normal;
}

.lexsi-scroll {
  overflow-x: auto;
}

.lexsi-live .lexsi-table {
  border-collapse: collapse;
  margin: 0;
  font-size: inherit;
}

.lexsi-live .lexsi-table > :is(thead, tbody) > tr > :is(th, td) {
  padding: 2px 12px 2px 4px;
  text-align: left;
  vertical-align: top;
  white-space: nowrap;
  background: none;
}

.lexsi-live .lexsi-table > thead > tr > th {
  font-weight: 600;
  vertical-align: bottom;
  white-space: normal;
  border-bottom: 1px solid var(--lexsi-line);
}

.lexsi-live .lexsi-table > tbody > tr {
  background: none;
  border-bottom: 1px solid var(--lexsi-fine);
}

.lexsi-live .lexsi-table > tbody > tr:hover,
.lexsi-live .lexsi-table > tbody > tr.lexsi-chosen {
  background: var(--lexsi-raised);
}

.lexsi-live .lexsi-table .lexsi-number {
  text-align: right;
  font-variant-numeric: tabular-nums;
}

.lexsi-live .lexsi-table > tbody > tr > td.lexsi-wrapped {
  max-width: 28em;
  overflow: hidden;
  text-overflow: ellipsis;
}

.lexsi-live .lexsi-table > tbody > tr > td.lexsi-note {
  min-width: 10em;
  white-space: normal;
}

.lexsi-live .lexsi-table > tbody > tr > td.lexsi-unfolded {
  padding: 6px 4px 10px;
  white-space: normal;
}

/* What is unfolded keeps to the width that is seen, however wide the table is. */
.lexsi-unfolded > div {
  position: sticky;
  left: 4px;
  box-sizing: border-box;
  width: min(60em, calc(100cqw - 12px));
  overflow-x: auto;
}

.lexsi-sort {
  padding: 0;
  text-align: inherit;
  font: inherit;
  font-weight: 600;
  color: inherit;
  background: none;
  border: none;
  cursor: pointer;
}

.lexsi-sort::after {
  content: '\2195';
  display: inline-block;
  width: 1em;
  margin-left: 2px;
  opacity: 0.35;
}

[aria-sort='ascending'] > .lexsi-sort::after {
  content: '\2191';
  opacity: 1;
}

[aria-sort='descending'] > .lexsi-sort::after {
  content: '\2193';
  opacity: 1;
}

.lexsi-filter {
  display: flex;
  gap: 2px;
}

.lexsi-live .lexsi-filter input {
  width: 6.5em;
  font-weight: 400;
}

.lexsi-live .lexsi-filter input.lexsi-words {
  width: 9em;
}

.lexsi-html {
  max-width: 100%;
  overflow-x: auto;
}

.lexsi-html table {
  color: inherit;
}

.lexsi-title {
  margin: 0 0 6px;
  font-weight: 600;
}

.lexsi-warning:not(:empty) {
  margin: 0 0 6px;
  padding-left: 8px;
  border-left: 3px solid var(--lexsi-raises);
}

.lexsi-live [aria-invalid='true'] {
  outline: 2px solid var(--jp-error-color1, #d13438);
}

/* Pictures are drawn at twice their size, for fine screens. */
.lexsi-picture {
  display: block;
  max-width: 100%;
  zoom: 0.5;
}

.lexsi-live .lexsi-lines {
  margin: 0;
  font-family: var(--jp-code-font-family, monospace);
  font-size: var(--jp-code-font-size, 13px);
  color: inherit;
  white-space: pre-wrap;
}

.lexsi-columns {
  display: flex;
  flex-wrap: wrap;
  gap: 12px 32px;
}

.lexsi-columns > * {
  min-width: 0;
  max-width: 100%;
}

@container (max-width: 480px) {
  .lexsi-live .lexsi-table > :is(thead, tbody) > tr > :is(th, td) {
    padding-right: 6px;
  }

  .lexsi-button {
    min-height: 32px;
  }
}
`;

// src/shap.ts
function shap(frame) {
  return new ShapView(frame);
}
var ShapView = class {
  constructor(frame) {
    this.frame = frame;
    const state = frame.state;
    const plots = list(state["plots"]).filter(isFields);
    const chosen = make("div", "lexsi-tools", { role: "radiogroup", "aria-label": "Picture" });
    const group = unique("lexsi-plot");
    for (const plot of plots) {
      const radio = make("input", "", { type: "radio", name: group, value: text(plot["id"]) });
      radio.addEventListener("change", () => void this.show({ plot: radio.value }));
      this.radios.push(radio);
      chosen.append(make("label", "", {}, radio, ` ${text(plot["label"])}`));
    }
    const features = list(state["features"]).map(text);
    this.feature = this.select("feature", "Feature", features, false);
    this.by = this.select("by", "coloured by", features, true);
    this.one = this.select("case", "Case", list(state["cases"]).map(text), false);
    this.body.append(chosen, make("div", "lexsi-tools", {}, this.feature.label, this.by.label, this.one.label));
    this.body.append(make("div", "lexsi-scroll", {}, this.picture));
    this.changed(state);
  }
  frame;
  body = make("div");
  changed(state) {
    const plot = text(state["plot"]);
    for (const radio of this.radios) {
      radio.checked = radio.value === plot;
    }
    this.feature.select.value = text(state["feature"]);
    this.by.select.value = text(state["by"]);
    this.one.select.value = text(state["case"]);
    this.feature.label.hidden = this.by.label.hidden = plot !== "dependence";
    this.one.label.hidden = plot !== "waterfall";
    this.picture.alt = text(state["alt"]);
    void this.draw();
  }
  async draw() {
    const asked = ++this.drawn;
    await new Promise((resolve) => setTimeout(resolve));
    const reply = await this.frame.ask("picture", { dark: isDark(this.body) });
    if (reply !== void 0 && asked === this.drawn) {
      this.picture.src = `data:image/png;base64,${text(reply["png"])}`;
    }
  }
  async show(change) {
    const reply = await this.frame.ask("show", change);
    if (reply === void 0) {
      this.changed(this.frame.state);
    }
  }
  select(name, label, values, none) {
    const options = [...none ? [""] : [], ...values].map((v) => make("option", "", { value: v }, v === "" ? "none" : v));
    const select = make("select", "", {}, ...options);
    select.addEventListener("change", () => void this.show({ [name]: select.value }));
    return { select, label: make("label", "", {}, `${label} `, select) };
  }
  drawn = 0;
  radios = [];
  feature;
  by;
  one;
  picture = make("img", "lexsi-picture", { alt: "" });
};
function isDark(node) {
  const [red = 0, green = 0, blue = 0] = (getComputedStyle(node).color.match(/[\d.]+/g) ?? []).map(Number);
  return 0.299 * red + 0.587 * green + 0.114 * blue > 128;
}

// src/query.ts
function columnsOf(state) {
  return list(state["columns"]).filter(isFields).map((c) => ({ at: number(c["at"]), name: text(c["name"]), kind: text(c["kind"]) }));
}
function queryOf(state) {
  const query = isFields(state["query"]) ? state["query"] : {};
  const sort = isFields(query["sort"]) ? query["sort"] : void 0;
  return {
    sort: sort === void 0 ? null : { column: number(sort["column"]), descending: sort["descending"] === true },
    filters: list(query["filters"]).filter(isFields).map((f) => ({
      column: number(f["column"]),
      ..."contains" in f ? { contains: text(f["contains"]) } : { low: text(f["low"]), high: text(f["high"]) }
    })),
    offset: number(query["offset"]),
    names: text(query["names"])
  };
}
function pageOf(state) {
  const page = isFields(state["page"]) ? state["page"] : {};
  return {
    rows: list(page["rows"]).filter(isFields).map((r) => ({ place: number(r["place"]), name: text(r["name"]), cells: list(r["cells"]).map(text) })),
    matched: number(page["matched"]),
    total: number(page["total"]),
    size: number(page["size"], 25)
  };
}
function nextSort(sort, column) {
  if (sort === null || sort.column !== column) {
    return { column, descending: false };
  }
  return sort.descending ? null : { column, descending: true };
}
function withFilter(filters, filter) {
  const others = filters.filter((f) => f.column !== filter.column);
  const empty = [filter.contains, filter.low, filter.high].every((v) => v === void 0 || v.trim() === "");
  return empty ? others : [...others, filter].sort((a, b) => a.column - b.column);
}
function placeInWords(page, offset) {
  const say = (n) => n.toLocaleString("en-US");
  const all = page.matched === page.total ? "" : ` (${say(page.total)} without filters)`;
  if (page.matched === 0) {
    return page.total === 0 ? "no rows" : `no row fits${all}`;
  }
  return `rows ${say(offset + 1)} to ${say(offset + page.rows.length)} of ${say(page.matched)}${all}`;
}
function waitingInWords(query, total) {
  const doing = query.sort !== null ? "sorting" : query.filters.length > 0 ? "filtering" : "reading";
  return `${doing} ${total.toLocaleString("en-US")} rows`;
}

// src/table.ts
var PAUSE = 250;
var LONG = 400;
var LOOKS = { number: "lexsi-number", note: "lexsi-note" };
function table(frame) {
  return new TableView(frame);
}
var TableView = class {
  constructor(frame) {
    this.frame = frame;
    const filters = disclosure("Filter", "Show a filter under each column", this.filterRow);
    filters.addEventListener("click", () => !this.filterRow.hidden && this.filterRow.querySelector("input")?.focus());
    this.explainChosen.hidden = true;
    this.body.append(
      make("div", "lexsi-scroll", { tabindex: "0", role: "region", "aria-label": "Table" }, this.table()),
      this.selection
    );
    this.stop.hidden = true;
    frame.tools.append(this.first, this.previous, this.place, this.stop, this.next, this.last, filters, this.columns());
    frame.tools.append(this.explainChosen);
    this.changed(frame.state);
  }
  frame;
  body = make("div");
  changed(state) {
    const query = queryOf(state);
    const page = pageOf(state);
    const columns = columnsOf(state);
    const shape = JSON.stringify(columns);
    if (shape !== this.shape) {
      this.shape = shape;
      this.drawHead(columns, query, state["explains"] === true);
    }
    this.query = query;
    for (const head of this.heads) {
      const { sort } = query;
      const order = sort?.column !== head.at ? "none" : sort.descending ? "descending" : "ascending";
      if (head.at >= 0) {
        head.node.setAttribute("aria-sort", order);
      }
    }
    this.drawRows(page, columns, state["explains"] === true);
    this.where = placeInWords(page, query.offset);
    this.place.textContent = this.where;
    const lastOffset = Math.max(0, Math.floor((page.matched - 1) / page.size) * page.size);
    this.first.disabled = this.previous.disabled = query.offset === 0;
    this.next.disabled = this.last.disabled = query.offset >= lastOffset;
    this.page = page;
    this.lastOffset = lastOffset;
  }
  dispose() {
    clearTimeout(this.typing);
    clearTimeout(this.long);
  }
  table() {
    return make(
      "table",
      "lexsi-table",
      { "aria-label": text(this.frame.state["title"]) },
      make("thead", "", {}, this.headRow, this.filterRow),
      this.rows
    );
  }
  columns() {
    const names = make("input", "lexsi-words", {
      type: "search",
      placeholder: "columns named",
      "aria-label": "Show columns whose name has"
    });
    names.hidden = this.frame.state["wide"] !== true;
    names.addEventListener("input", () => this.soon({ names: names.value }));
    return names;
  }
  drawHead(columns, query, explains) {
    this.heads = columns.map((column) => {
      if (column.kind === "note") {
        return { at: column.at, node: make("th", "", { scope: "col" }, column.name) };
      }
      const sort = button(column.name, `Sort by ${column.name}`, () => {
        void this.ask({ sort: nextSort(this.query.sort, column.at), offset: 0 });
      });
      sort.className = "lexsi-sort";
      const node = make("th", column.kind === "number" ? "lexsi-number" : "", { scope: "col" }, sort);
      return { at: column.at, node };
    });
    const blank = () => make("td");
    this.headRow.replaceChildren(
      ...explains ? [make("th", "", { "aria-label": "Chosen" }), make("th", "", { "aria-label": "Explanation" })] : [],
      ...this.heads.map((h) => h.node)
    );
    this.filterRow.replaceChildren(
      ...explains ? [blank(), blank()] : [],
      ...columns.map((c) => make("td", "", {}, this.filter(c, query.filters.find((f) => f.column === c.at))))
    );
  }
  filter(column, now) {
    if (column.kind === "note") {
      return make("div");
    }
    const field = (label, value, name) => {
      const made2 = make("input", name, { type: "text", placeholder: label, "aria-label": `${column.name} ${label}` });
      made2.value = value;
      return made2;
    };
    if (column.kind === "number" || column.kind === "date") {
      const low = field("from", now?.low ?? "", "");
      const high = field("to", now?.high ?? "", "");
      const send = () => this.filtered({ column: column.at, low: low.value, high: high.value });
      low.addEventListener("input", send);
      high.addEventListener("input", send);
      return make("div", "lexsi-filter", {}, low, high);
    }
    const words = field("contains", now?.contains ?? "", "lexsi-words");
    words.addEventListener("input", () => this.filtered({ column: column.at, contains: words.value }));
    return make("div", "lexsi-filter", {}, words);
  }
  filtered(filter) {
    this.filters = withFilter(this.filters ?? this.query.filters, filter);
    this.soon({ filters: this.filters });
  }
  drawRows(page, columns, explains) {
    const drawn = page.rows.map((row2) => {
      const cells = row2.cells.map((cell, i) => {
        const look = LOOKS[columns[i]?.kind ?? ""] ?? "lexsi-wrapped";
        return make("td", look, cell.length > 40 ? { title: cell } : {}, cell);
      });
      const line = make("tr", "", {}, ...cells);
      if (explains) {
        const both = [this.choose(row2.place, row2.name, line), this.explain(row2.place, row2.name, line)];
        line.prepend(...both.map((control) => make("td", "", {}, control)));
      }
      return line;
    });
    this.rows.replaceChildren(...drawn);
  }
  choose(place, name, line) {
    const box = make("input", "", { type: "checkbox", "aria-label": `Choose ${name}` });
    const mark = () => void line.classList.toggle("lexsi-chosen", box.checked);
    box.checked = this.chosen.has(place);
    mark();
    box.addEventListener("change", () => {
      if (box.checked) {
        this.chosen.add(place);
      } else {
        this.chosen.delete(place);
      }
      mark();
      this.explainChosen.hidden = this.chosen.size === 0;
      this.explainChosen.textContent = `Explain ${this.chosen.size} chosen`;
    });
    return box;
  }
  explain(place, name, line) {
    const id = unique("lexsi-why");
    const why = button("Explain", `What moved the score of ${name}`, () => void unfold());
    why.setAttribute("aria-label", `Explain ${name}`);
    why.setAttribute("aria-expanded", "false");
    let unfolded;
    const unfold = async () => {
      if (unfolded !== void 0) {
        unfolded.remove();
        unfolded = void 0;
        why.setAttribute("aria-expanded", "false");
        return;
      }
      const reply = await this.frame.ask("explain", { places: [place] });
      if (reply === void 0 || unfolded !== void 0 || !line.isConnected) {
        return;
      }
      const cell = make("td", "lexsi-unfolded", { colspan: String(line.children.length) }, fromKernel(text(reply["html"])));
      unfolded = make("tr", "", { id }, cell);
      line.after(unfolded);
      why.setAttribute("aria-expanded", "true");
      why.setAttribute("aria-controls", id);
      this.frame.announce(text(reply["sentence"]));
    };
    return why;
  }
  async explainSelection() {
    const reply = await this.frame.ask("explain", { places: [...this.chosen] });
    if (reply !== void 0) {
      const close = button("Close", "Close the explanation", () => this.selection.replaceChildren());
      this.selection.replaceChildren(fromKernel(text(reply["html"])), close);
      this.frame.announce(text(reply["sentence"]));
    }
  }
  soon(change) {
    clearTimeout(this.typing);
    this.pending = { ...this.pending, ...change };
    this.typing = setTimeout(() => {
      const pending = this.pending;
      this.pending = {};
      this.filters = void 0;
      void this.ask({ ...pending, offset: 0 });
    }, PAUSE);
  }
  async ask(change) {
    const query = { ...this.query, ...change };
    const number2 = ++this.asked;
    clearTimeout(this.long);
    this.long = setTimeout(() => {
      this.place.textContent = waitingInWords(query, this.page.total);
      this.stop.hidden = false;
    }, LONG);
    await this.frame.ask("page", query);
    if (number2 === this.asked) {
      clearTimeout(this.long);
      this.stop.hidden = true;
      this.place.textContent = this.where;
    }
  }
  go(label, title, to) {
    return button(label, title, () => void this.ask({ offset: to() }));
  }
  query = { sort: null, filters: [], offset: 0, names: "" };
  page = { rows: [], matched: 0, total: 0, size: 25 };
  heads = [];
  filters;
  pending = {};
  typing;
  long;
  asked = 0;
  where = "";
  shape = "";
  lastOffset = 0;
  chosen = /* @__PURE__ */ new Set();
  headRow = make("tr");
  filterRow = make("tr");
  rows = make("tbody");
  selection = make("div", "lexsi-selection", { "aria-live": "polite" });
  place = make("span", "lexsi-quiet", { "aria-live": "polite" });
  first = this.go("First", "First rows", () => 0);
  previous = this.go(
    "Previous",
    "Rows before",
    () => Math.max(0, this.query.offset - this.page.size)
  );
  next = this.go("Next", "Rows after", () => this.query.offset + this.page.size);
  last = this.go("Last", "Last rows", () => this.lastOffset);
  stop = button("Stop", "Leave the table as it is", () => void this.frame.ask("stop"));
  explainChosen = button("Explain chosen", "What moved the scores of the chosen rows", () => {
    void this.explainSelection();
  });
};

// src/what_if.ts
function fieldsOf(state) {
  return list(state["fields"]).filter(isFields).map((f) => ({
    feature: text(f["feature"]),
    kind: text(f["kind"]),
    own: text(f["own"]),
    shown: text(f["shown"]),
    value: text(f["value"]),
    changed: f["changed"] === true,
    unused: f["unused"] === true,
    words: list(f["words"]).map(text)
  }));
}
function whatIf(frame) {
  return new WhatIfView(frame);
}
var WhatIfView = class {
  constructor(frame) {
    this.frame = frame;
    const title = make("div", "lexsi-title", {}, text(frame.state["title"]));
    const head = make("thead", "", {}, row("th", "feature", "as it is", "what if"));
    const form = make("table", "lexsi-table", { "aria-label": "Values" }, head, this.rows);
    this.body.append(
      make("div", "", {}, title, make("div", "lexsi-scroll", {}, form), this.more),
      make("div", "", {}, this.score, this.beyond, this.moved, make("div", "lexsi-quiet", {}, text(frame.state["note"])))
    );
    frame.tools.append(this.reset);
    this.changed(frame.state);
  }
  frame;
  body = make("div", "lexsi-columns");
  changed(state) {
    const fields = fieldsOf(state);
    const shape = fields.map((f) => f.feature).join("\n");
    if (shape !== this.shape) {
      this.shape = shape;
      this.inputs.clear();
      this.rows.replaceChildren(...fields.map((f) => this.line(f)));
    }
    for (const field of fields) {
      const input = this.inputs.get(field.feature);
      if (input !== void 0 && !(input === document.activeElement && input instanceof HTMLInputElement)) {
        input.value = field.value;
        input.removeAttribute("aria-invalid");
      }
      input?.closest("tr")?.classList.toggle("lexsi-chosen", field.changed);
    }
    this.score.textContent = text(state["sentence"]);
    const beyond = list(state["beyond"]).map(text);
    this.beyond.textContent = beyond.length === 0 ? "" : `Outside of what was learned from: ${beyond.join("; ")}.`;
    this.moved.replaceChildren(fromKernel(text(state["html"])));
    this.reset.disabled = state["changed"] === 0;
    this.drawMore(list(state["others"]).map(text));
  }
  line(field) {
    const input = this.input(field);
    this.inputs.set(field.feature, input);
    input.addEventListener("change", () => void this.change(field.feature, input));
    const label = make("label", "", { for: input.id }, field.feature);
    const name = make("td", "", {}, label);
    if (field.unused) {
      name.append(make("span", "lexsi-quiet", {}, " (the model does not use it)"));
    }
    return make("tr", "", {}, name, make("td", "lexsi-number", {}, field.shown), make("td", "", {}, input));
  }
  input(field) {
    const id = unique("lexsi-field");
    const choices = field.kind === "truth" ? ["yes", "no"] : field.words;
    if (choices.length > 0) {
      const options = ["", ...choices].map((c) => make("option", "", { value: c }, c === "" ? "missing" : c));
      const select = make("select", "", { id }, ...options);
      select.value = field.value;
      return select;
    }
    const mode = field.kind === "number" ? { inputmode: "decimal" } : {};
    const input = make("input", "", { id, type: "text", placeholder: "missing", size: "12", ...mode });
    input.value = field.value;
    return input;
  }
  async change(feature, input) {
    const reply = await this.frame.ask("change", { feature, value: input.value });
    input.setAttribute("aria-invalid", String(reply === void 0));
    if (reply !== void 0) {
      this.frame.say(text(reply["sentence"]));
    }
  }
  drawMore(others) {
    if (others.join("\n") === this.others) {
      return;
    }
    this.others = others.join("\n");
    this.more.replaceChildren();
    if (others.length === 0) {
      return;
    }
    const options = ["", ...others].map((o) => make("option", "", { value: o }, o === "" ? "another feature" : o));
    const select = make("select", "", { "aria-label": "Change another feature" }, ...options);
    select.addEventListener("change", () => {
      if (select.value !== "") {
        void this.frame.ask("add", { feature: select.value });
      }
    });
    this.more.append(select);
  }
  shape = "";
  others = "";
  inputs = /* @__PURE__ */ new Map();
  rows = make("tbody");
  more = make("div", "lexsi-tools");
  score = make("div", "lexsi-title", { "aria-live": "polite" });
  beyond = make("div", "lexsi-warning", { role: "status" });
  moved = make("div");
  reset = button("Reset", "Put back the values of the case", () => void this.frame.ask("reset"));
};
function row(tag, ...cells) {
  return make("tr", "", {}, ...cells.map((c) => make(tag, "", tag === "th" ? { scope: "col" } : {}, c)));
}

// src/index.ts
var VIEWS = {
  table,
  "what-if": whatIf,
  shap,
  progress,
  controls
};
function render({ model, el }) {
  addStyle();
  const frame = new Frame(model, el);
  const build = VIEWS[text(model.get("kind"))];
  if (build === void 0) {
    frame.say("This widget was made by another version of lexsi-nb.");
  } else {
    frame.show(build(frame));
  }
  return () => frame.dispose();
}
function addStyle() {
  const id = "lexsi-live-style";
  if (document.getElementById(id) === null) {
    document.head.append(make("style", "", { id }, style_default));
  }
}
export {
  render
};
