// tests/model.test.ts
import assert from "node:assert/strict";
import { test } from "node:test";

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

// tests/model.test.ts
var FakeModel = class {
  sent = [];
  heard = [];
  get() {
    return void 0;
  }
  send(content) {
    this.sent.push(content);
  }
  on(_, callback) {
    this.heard.push(callback);
  }
  off(_, callback) {
    this.heard = this.heard.filter((h) => h !== callback);
  }
  reply(value) {
    this.heard.forEach((h) => h(value));
  }
};
test("each question gets its own reply, whatever their order", async () => {
  const model = new FakeModel();
  const kernel = new Kernel(model);
  const [first, second] = [kernel.ask("page", { offset: 1 }), kernel.ask("code")];
  assert.deepEqual(model.sent.map((s) => s["request"]), ["page", "code"]);
  model.reply({ id: model.sent[1]?.["id"], reply: { source: "x" } });
  model.reply({ id: model.sent[0]?.["id"], reply: {} });
  assert.deepEqual(await second, { source: "x" });
  assert.deepEqual(await first, {});
});
test("an error of the kernel is an error here, and replies to another view are not taken", async () => {
  const model = new FakeModel();
  const [one, other] = [new Kernel(model), new Kernel(model)];
  const asked = one.ask("page");
  const also = other.ask("page");
  assert.notEqual(model.sent[0]?.["id"], model.sent[1]?.["id"]);
  model.reply({ id: model.sent[0]?.["id"], error: "no number" });
  await assert.rejects(asked, /no number/);
  model.reply({ id: model.sent[1]?.["id"], reply: { a: 1 } });
  assert.deepEqual(await also, { a: 1 });
  model.reply("noise");
});
