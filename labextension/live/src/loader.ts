/**
 * The module that each widget carries. The widgets themselves stand once in the kernel, in a model without looks, so
 * that a page and a notebook have them once, however many widgets there are.
 */

interface Held {
  get(name: string): unknown;
}

interface Loaded {
  readonly model: {
    get(name: string): unknown;
    readonly widget_manager: { get_model(id: string): Promise<Held> };
  };
}

interface Module {
  render(context: unknown): () => void;
}

const shared = globalThis as typeof globalThis & { lexsiLive?: Map<string, Promise<Module>> };
const modules = (shared.lexsiLive ??= new Map<string, Promise<Module>>());

async function imported(source: string): Promise<Module> {
  const url = URL.createObjectURL(new Blob([source], { type: 'text/javascript' }));
  try {
    return (await import(url)) as Module;
  } finally {
    URL.revokeObjectURL(url);
  }
}

async function moduleOf({ model }: Loaded): Promise<Module> {
  const id = String(model.get('held')).replace(/^IPY_MODEL_/, '');
  const source = String((await model.widget_manager.get_model(id)).get('source'));
  let module = modules.get(source);
  if (module === undefined) {
    module = imported(source);
    modules.set(source, module);
  }
  return module;
}

export default {
  async render(context: Loaded): Promise<() => void> {
    return (await moduleOf(context)).render(context);
  }
};
