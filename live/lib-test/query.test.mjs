// tests/query.test.ts
import assert from "node:assert/strict";
import { test } from "node:test";

// src/model.ts
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

// src/query.ts
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

// tests/query.test.ts
test("a column is sorted rising, falling, then as the frame has it", () => {
  const rising = nextSort(null, 3);
  assert.deepEqual(rising, { column: 3, descending: false });
  assert.deepEqual(nextSort(rising, 3), { column: 3, descending: true });
  assert.equal(nextSort({ column: 3, descending: true }, 3), null);
  assert.deepEqual(nextSort({ column: 3, descending: true }, 1), { column: 1, descending: false });
});
test("a column has one filter, and an empty one is none", () => {
  const one = withFilter([], { column: 2, contains: "a" });
  const two = withFilter(one, { column: 0, low: "1", high: "" });
  assert.deepEqual(two.map((f) => f.column), [0, 2]);
  assert.deepEqual(withFilter(two, { column: 2, contains: " " }).map((f) => f.column), [0]);
  assert.deepEqual(withFilter(two, { column: 2, contains: "b" })[1], { column: 2, contains: "b" });
});
test("a query comes back from the state as it was sent", () => {
  const query = { sort: { column: 1, descending: true }, filters: [{ column: 2, low: "1", high: "" }], offset: 20, names: "a" };
  assert.deepEqual(queryOf({ query }), query);
  assert.deepEqual(queryOf({}), { sort: null, filters: [], offset: 0, names: "" });
});
test("the place is said in words", () => {
  const row = { place: 0, name: "1", cells: ["1"] };
  const page = pageOf({ page: { rows: [row, row], matched: 1234, total: 1234, size: 2 } });
  assert.equal(placeInWords(page, 1e3), "rows 1,001 to 1,002 of 1,234");
  assert.equal(placeInWords({ ...page, total: 5e3 }, 0), "rows 1 to 2 of 1,234 (5,000 without filters)");
  assert.equal(placeInWords({ ...page, rows: [], matched: 0 }, 0), "no row fits (1,234 without filters)");
  assert.equal(placeInWords({ ...page, rows: [], matched: 0, total: 0 }, 0), "no rows");
});
test("what takes a while is said in words", () => {
  const query = queryOf({});
  assert.equal(waitingInWords({ ...query, sort: { column: 1, descending: true } }, 1e7), "sorting 10,000,000 rows");
  assert.equal(waitingInWords({ ...query, filters: [{ column: 2, contains: "a" }] }, 1234), "filtering 1,234 rows");
  assert.equal(waitingInWords(query, 5), "reading 5 rows");
});
