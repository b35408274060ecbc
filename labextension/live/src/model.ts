/** What the page knows of a widget in the kernel, and how it asks the kernel for something. */

export type Fields = Readonly<Record<string, unknown>>;

/** The part of anywidget's model that is used here. */
export interface Model {
  get(name: string): unknown;
  send(content: unknown): void;
  on(event: string, callback: (value: unknown) => void): void;
  off(event: string, callback: (value: unknown) => void): void;
}

interface Waiting {
  readonly resolve: (reply: Fields) => void;
  readonly reject: (error: Error) => void;
}

/** Asks the kernel; each question has an id and gets a reply, also where it failed. */
export class Kernel {
  constructor(private readonly model: Model) {
    model.on('msg:custom', this.heard);
  }

  ask(request: string, content: Fields = {}): Promise<Fields> {
    const id = `${this.name}-${++this.count}`;
    return new Promise((resolve, reject) => {
      this.waiting.set(id, { resolve, reject });
      this.model.send({ id, request, content });
    });
  }

  dispose(): void {
    this.model.off('msg:custom', this.heard);
    this.waiting.clear();
  }

  private readonly heard = (message: unknown): void => {
    if (!isFields(message) || typeof message['id'] !== 'string') {
      return;
    }
    const waiting = this.waiting.get(message['id']);
    this.waiting.delete(message['id']);
    if (typeof message['error'] === 'string') {
      waiting?.reject(new Error(message['error']));
    } else {
      waiting?.resolve(isFields(message['reply']) ? message['reply'] : {});
    }
  };

  // Every view of one model hears every reply, so ids differ from view to view.
  private readonly name = Math.random().toString(36).slice(2);
  private readonly waiting = new Map<string, Waiting>();
  private count = 0;
}

export function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function text(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

export function number(value: unknown, otherwise = 0): number {
  return typeof value === 'number' ? value : otherwise;
}

export function list(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}
