/** A chart: drawn by the page where something in it draws charts, such as our Lab extension; else a picture. */

import { isDark, make } from './elements';
import { Fields, isFields, text } from './model';

/** Draws a Vega-Lite spec into a node; resolves to what ends it. */
type Draw = (spec: Fields, node: HTMLElement, width: number) => Promise<() => void>;

/** Return what draws charts in this page; undefined where nothing does. Asked by an event that rises from a node. */
export function drawerOf(node: HTMLElement): Draw | undefined {
  const detail: { draw?: Draw } = {};
  node.dispatchEvent(new CustomEvent('lexsi:chart', { bubbles: true, composed: true, detail }));
  return detail.draw;
}

/** Call `changed` where the page's ground is not what `drawn` says it was drawn for. Return what ends it. */
export function followGround(node: HTMLElement, drawn: () => boolean | undefined, changed: () => void): () => void {
  node.classList.add('lexsi-ground');
  const look = (): void => {
    const dark = drawn();
    if (dark !== undefined && node.isConnected && isDark(node) !== dark) {
      changed();
    }
  };
  // The colour of words has a transition, so that its change is heard; of a hidden page it is seen when that is shown.
  node.addEventListener('transitionend', look);
  const shown = new ResizeObserver(look);
  shown.observe(node);
  // A theme is named on the body before its styles are there.
  const named = new MutationObserver(() => [0, 500, 2000, 5000].forEach(wait => setTimeout(look, wait)));
  named.observe(document.body, { attributes: true });
  return () => {
    node.removeEventListener('transitionend', look);
    shown.disconnect();
    named.disconnect();
  };
}

export class Chart {
  readonly body: HTMLElement;
  /** Whether it was drawn for a dark page; undefined before. */
  dark: boolean | undefined;
  private end: (() => void) | undefined;
  private gone = false;
  private asked = 0;

  /** `ask` gets the spec, or the picture where that is wanted. */
  constructor(
    private readonly ask: (wanted: Fields) => Promise<Fields | undefined>,
    body: HTMLElement = make('div')
  ) {
    this.body = body;
    body.classList.add('lexsi-chart');
  }

  /** Draw what the kernel has now in the colours of `page`; what was drawn before stays until then. */
  async draw(page: HTMLElement, alt: string): Promise<void> {
    const asked = ++this.asked;
    const draw = drawerOf(page);
    const dark = isDark(page);
    const made = make('div', 'lexsi-drawn-chart', draw === undefined ? {} : { role: 'img', 'aria-label': alt });
    const reply = await this.ask({ dark, spec: draw !== undefined });
    const spec = reply?.['spec'];
    let end: (() => void) | undefined;
    if (draw !== undefined && isFields(spec)) {
      end = await draw(spec, made, page.clientWidth).catch(() => undefined);
    }
    if (end === undefined) {
      const drawn = draw === undefined ? reply : reply && (await this.ask({ dark, spec: false }));
      const picture = make('img', 'lexsi-picture', { alt, src: `data:image/png;base64,${text(drawn?.['png'])}` });
      made.removeAttribute('role');
      made.replaceChildren(picture);
      if (drawn !== undefined) {
        await picture.decode().catch(() => undefined);
      }
    }
    if (this.gone || asked !== this.asked || reply === undefined) {
      end?.();
      return;
    }
    this.end?.();
    this.end = end;
    this.dark = dark;
    this.body.replaceChildren(made);
    if (page.isConnected && isDark(page) !== dark) {
      await this.draw(page, alt); // the theme came while it was drawn
    }
  }

  dispose(): void {
    this.gone = true;
    this.end?.();
    this.end = undefined;
  }
}
