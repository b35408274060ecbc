/**
 * Charts drawn by Lab's own renderer, made narrower where there is less room. Those of an answer are outputs; a live
 * widget, which carries no drawing library, asks by an event that rises from its node, and where nobody answers it shows
 * a picture that the kernel drew.
 */

import type { IRenderMimeRegistry } from '@jupyterlab/rendermime';
import type { IRenderMime } from '@jupyterlab/rendermime-interfaces';
import type { ReadonlyJSONObject } from '@lumino/coreutils';
import { Widget } from '@lumino/widgets';
import { isRecord } from './bundle';
import { firstWidth, fitted, nextWidth } from './fitting';

/** Beside a chart of an answer in its output: it is one of ours. */
export const CHART = 'application/vnd.lexsi.chart+json';
/** The event by which a widget asks who draws charts; `detail.draw` is the answer. */
export const ASKED = 'lexsi:chart';
/** Newest first; JupyterLab 4.6 has v5, a newer one may have v6. */
const TYPES = ['application/vnd.vegalite.v6+json', 'application/vnd.vegalite.v5+json'];
/** What Lab makes of a chart that has no picture is nobody's here. */
const NO_PICTURE = { 'image/png': 'none' };
/** Pixels by which the width of the page changes before a chart is drawn anew. */
const CHANGE = 8;
/** Before the renderer of Lab (57). */
const RANK = 0;
/** Pixels that Lab leaves beside a chart. */
const EDGE = 8;
/** Pixels that the menu of a chart takes; a narrow one has none. */
const MENU = 38;
/** How often a chart is drawn until it fits: names, legends and numbers take what they take. */
const TURNS = 3;

const LIGHT_TEXT = { text: { color: '#fff' } };
// Its menu has a way to an editor on the network otherwise.
const SAVE = { export: true, source: false, compiled: false, editor: false };

/** Draws a Vega-Lite spec into a node, at most `width` pixels wide where it can; resolves to what ends it. */
export type Draw = (spec: ReadonlyJSONObject, node: HTMLElement, width?: number) => Promise<() => void>;

/** Answer widgets of this page. */
export function drawCharts(rendermime: IRenderMimeRegistry): void {
  document.addEventListener(ASKED, event => {
    const type = TYPES.find(t => rendermime.mimeTypes.includes(t));
    if (event instanceof CustomEvent && isRecord(event.detail) && type !== undefined) {
      const draw: Draw = async (spec, node, width) => {
        const drawn = new Drawn(rendermime, type, spec, node);
        await drawn.draw(width ?? node.clientWidth);
        return () => drawn.end();
      };
      Object.assign(event.detail, { draw });
    }
  });
}

/** Let outputs show the charts of answers. */
export function addCharts(rendermime: IRenderMimeRegistry): void {
  rendermime.addFactory({ safe: true, mimeTypes: [CHART], createRenderer: () => new ChartOutput(rendermime) }, RANK);
}

class ChartOutput extends Widget implements IRenderMime.IRenderer {
  constructor(private readonly rendermime: IRenderMimeRegistry) {
    super();
    this.addClass('lexsi-Chart');
    // Lab draws a chart in the theme that is there, once.
    this.theme = new MutationObserver(() => void this.drawn?.draw(this.node.clientWidth));
    this.theme.observe(document.body, { attributes: true, attributeFilter: ['data-jp-theme-light'] });
  }

  async renderModel({ data }: IRenderMime.IMimeModel): Promise<void> {
    this.drawn?.end();
    const type = TYPES.find(t => t in data && this.rendermime.mimeTypes.includes(t));
    const spec = type === undefined ? undefined : data[type];
    if (type !== undefined && isRecord(spec)) {
      this.drawn = new Drawn(this.rendermime, type, spec as ReadonlyJSONObject, this.node, SAVE);
      await this.drawn.draw(this.node.clientWidth);
    } else {
      this.node.textContent = 'This output was made by another version of lexsi-nb.';
    }
  }

  override dispose(): void {
    this.theme.disconnect();
    this.drawn?.end();
    super.dispose();
  }

  private readonly theme: MutationObserver;
  private drawn: Drawn | undefined;
}

/** A chart in a node, as wide as it is meant to be or, where there is less room, as the room. */
class Drawn {
  constructor(
    private readonly rendermime: IRenderMimeRegistry,
    private readonly type: string,
    private readonly spec: ReadonlyJSONObject,
    private readonly node: HTMLElement,
    private readonly menu: Readonly<Record<string, boolean>> | false = false
  ) {
    this.sizes = new ResizeObserver(() => {
      const room = this.node.clientWidth;
      const before = this.room === 0 ? this.natural : this.room;
      if (room > 0 && Math.abs(room - this.room) > CHANGE && Math.min(room, before) < this.natural) {
        void this.draw(room);
      }
    });
    this.sizes.observe(node);
  }

  async draw(expected: number): Promise<void> {
    const asked = ++this.asked;
    let made = await this.rendered(this.spec, this.menu);
    this.natural = widthOf(made.node) + EDGE + (this.menu === false ? 0 : MENU);
    const room = this.node.clientWidth || expected;
    this.room = room;
    let plot = room > 0 ? firstWidth(this.spec, this.natural, room) : undefined;
    for (let turn = 0; turn < TURNS && plot !== undefined && asked === this.asked; turn++) {
      made.dispose();
      made = await this.rendered(fitted(this.spec, plot, room));
      plot = nextWidth(plot, widthOf(made.node) + EDGE, room);
    }
    if (asked !== this.asked) {
      made.dispose();
      return;
    }
    this.now?.dispose();
    this.now = made;
    this.node.replaceChildren(made.node);
  }

  end(): void {
    this.asked = -1;
    this.sizes.disconnect();
    this.now?.dispose();
    this.now = undefined;
    this.node.replaceChildren();
  }

  private async rendered(spec: ReadonlyJSONObject, actions: Readonly<Record<string, boolean>> | false = false): Promise<IRenderMime.IRenderer> {
    const renderer = this.rendermime.createRenderer(this.type);
    const model = this.rendermime.createModel({
      data: { [this.type]: spec, ...NO_PICTURE },
      // On the page's own ground: that of Lab's dark charts is too light for colours that are seen on white, too. Its
      // theme leaves text beside marks black.
      metadata: { [this.type]: { embed_options: { actions, config: { background: 'transparent', ...(isDark() ? LIGHT_TEXT : {}) } } } },
      trusted: true
    });
    try {
      await renderer.renderModel(model);
    } catch (error) {
      renderer.dispose();
      throw error;
    }
    return renderer;
  }

  private readonly sizes: ResizeObserver;
  private now: IRenderMime.IRenderer | undefined;
  private asked = 0;
  private room = 0;
  private natural = 0;
}

/** Whether Lab draws charts for a dark page now. */
function isDark(): boolean {
  return document.body.dataset['jpThemeLight'] === 'false';
}

/** The width of a chart that was drawn, in the page or not yet. */
function widthOf(node: HTMLElement): number {
  const drawn = node.querySelector('canvas, svg');
  // Of a canvas with more pixels than the page has, the style says how large it is.
  const styled = drawn instanceof HTMLCanvasElement ? Number.parseFloat(drawn.style.width) : NaN;
  return styled || Number(drawn?.getAttribute('width'));
}
