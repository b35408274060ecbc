/** What every live widget has around its own part: a title, a line that says what happened, *Show code*. */

import { button, make, waits } from './elements';
import { Fields, isFields, Kernel, Model, text } from './model';

/** A widget's own part. `changed` hears of new state from the kernel, `dispose` when the output goes away. */
export interface View {
  readonly body: HTMLElement;
  changed?(state: Fields): void;
  dispose?(): void;
}

// Milliseconds after which a person is told that the kernel has not answered: it is busy, or gone.
const SLOW = 2_000;
// Code of more lines is folded.
const MANY_LINES = 24;

export class Frame {
  constructor(
    private readonly model: Model,
    el: HTMLElement
  ) {
    this.kernel = new Kernel(model);
    // Enter, Space and letters are for the widget: Lab would take them for the notebook.
    this.root.dataset['lmSuppressShortcuts'] = 'true';
    this.root.setAttribute('role', 'group');
    this.root.setAttribute('aria-label', text(this.state['title']) || 'lexsi');
    this.listing.hidden = true;
    const foot = make('div', 'lexsi-tools', {}, this.tools);
    if (this.state['code'] === true) {
      this.code = this.showCode();
      foot.append(this.code);
    }
    this.root.append(this.body, foot, this.said, this.heard, this.listing);
    el.append(this.root);
    model.on('change:state', this.changed);
  }

  /** What the kernel says of the widget now. */
  get state(): Fields {
    const state = this.model.get('state');
    return isFields(state) ? state : {};
  }

  /** Buttons of the view, at the foot before *Show code*. */
  readonly tools = make('div', 'lexsi-tools lexsi-own');

  show(view: View): void {
    this.view = view;
    this.body.append(view.body);
  }

  /** Ask the kernel; `shown` is dimmed meanwhile. What goes wrong is said below, and the answer is undefined. */
  async ask(request: string, content: Fields = {}, shown: HTMLElement = this.root): Promise<Fields | undefined> {
    waits(shown, 1);
    const slow = setTimeout(() => this.say('Waiting for the kernel.'), SLOW);
    try {
      const reply = await this.kernel.ask(request, content);
      this.say('');
      return reply;
    } catch (error) {
      this.say(error instanceof Error ? error.message : String(error));
      return undefined;
    } finally {
      clearTimeout(slow);
      waits(shown, -1);
    }
  }

  /** Say something that a screen reader reads out, too. */
  say(words: string): void {
    this.said.textContent = words;
  }

  /** Have a screen reader read out what is seen elsewhere. */
  announce(words: string): void {
    this.heard.textContent = words;
  }

  dispose(): void {
    this.model.off('change:state', this.changed);
    this.kernel.dispose();
    this.view?.dispose?.();
  }

  private readonly changed = (): void => {
    this.view?.changed?.(this.state);
    if (this.code !== undefined) {
      this.code.hidden = this.state['code'] !== true;
      this.listing.hidden ||= this.code.hidden;
    }
    if (!this.listing.hidden) {
      void this.list();
    }
  };

  private showCode(): HTMLElement {
    const shown = button('Show code', 'Show the code cell for what is shown now', () => {
      this.listing.hidden = !this.listing.hidden;
      shown.textContent = this.listing.hidden ? 'Show code' : 'Hide code';
      shown.setAttribute('aria-expanded', String(!this.listing.hidden));
      if (!this.listing.hidden) {
        void this.list();
      }
    });
    shown.setAttribute('aria-expanded', 'false');
    return shown;
  }

  private async list(): Promise<void> {
    const cell = await this.ask('code');
    if (cell === undefined) {
      return;
    }
    const source = text(cell['source']);
    const copy = button('Copy', 'Copy the code', () => {
      navigator.clipboard.writeText(source).then(
        () => this.say('Copied.'),
        () => this.say('The browser did not let the code be copied; select it instead.')
      );
    });
    const head = make('div', 'lexsi-tools', {}, make('span', 'lexsi-quiet', {}, text(cell['title'])), copy);
    this.listing.replaceChildren(head, make('pre', 'lexsi-source', { tabindex: '0' }, source));
    const lines = source.trimEnd().split('\n').length;
    if (lines > MANY_LINES) {
      const fold = (): void => {
        this.listing.classList.toggle('lexsi-cut', !this.whole);
        all.textContent = this.whole ? 'Show fewer lines' : `Show all ${lines} lines`;
        all.setAttribute('aria-expanded', String(this.whole));
      };
      const all = button('', 'How much of the code is shown', () => {
        this.whole = !this.whole;
        fold();
      });
      fold();
      this.listing.append(all);
    }
  }

  private readonly root = make('section', 'lexsi-live');
  private readonly body = make('div', 'lexsi-body');
  private readonly said = make('div', 'lexsi-said', { role: 'status' });
  private readonly heard = make('div', 'lexsi-heard', { 'aria-live': 'polite' });
  private readonly listing = make('div', 'lexsi-listing');
  private readonly kernel: Kernel;
  private view: View | undefined;
  private whole = false;
  private code: HTMLElement | undefined;
}
