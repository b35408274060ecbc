// src/loader.ts
var shared = globalThis;
var modules = shared.lexsiLive ??= /* @__PURE__ */ new Map();
async function imported(source) {
  const url = URL.createObjectURL(new Blob([source], { type: "text/javascript" }));
  try {
    return await import(url);
  } finally {
    URL.revokeObjectURL(url);
  }
}
async function moduleOf({ model }) {
  const id = String(model.get("held")).replace(/^IPY_MODEL_/, "");
  const source = String((await model.widget_manager.get_model(id)).get("source"));
  let module = modules.get(source);
  if (module === void 0) {
    module = imported(source);
    modules.set(source, module);
  }
  return module;
}
var loader_default = {
  async render(context) {
    return (await moduleOf(context)).render(context);
  }
};
export {
  loader_default as default
};
