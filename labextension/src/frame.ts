/** The strip above an inserted cell: a proposal with its buttons, later a quiet badge. */

import { Widget } from '@lumino/widgets';
import { difference } from './difference';
import { button, element, ownKeys } from './elements';
import type { Provenance } from './provenance';
import { badge } from './wording';

/** What the user can decide, for one cell or for all that were proposed with it. */
export interface Decisions {
  accept(all: boolean): void;
  acceptAndRun(all: boolean): void;
  discard(all: boolean): void;
}

export interface FrameState {
  readonly mark: Provenance;
  readonly edited: boolean;
  /** Proposed cells of this question where this is the first of them, else 0. */
  readonly all: number;
  readonly readOnly: boolean;
  /** What the run proposes for this step, as far as its output is still there. */
  readonly offered: string | undefined;
  readonly source: string;
  /** Whether that is no longer what the cell was made from. */
  readonly superseded: boolean;
}

export class CellFrame extends Widget {
  private drawn = '';
  private open: boolean | undefined;

  constructor(private readonly decisions: Decisions) {
    super();
    this.addClass('lexsi-Frame');
    this.node.setAttribute('role', 'group');
    ownKeys(this.node);
  }

  /** Draw the state; one that looks the same is not drawn again, so that focus stays. */
  draw(state: FrameState): void {
    const key = JSON.stringify([state, this.open]);
    if (key === this.drawn) {
      return;
    }
    this.drawn = key;
    const { mark, edited } = state;
    const proposal = mark.state === 'proposed';
    this.toggleClass('lexsi-mod-proposed', proposal);
    this.toggleClass('lexsi-mod-accepted', !proposal);
    this.node.setAttribute('aria-label', badge(mark, edited));
    const label = element('span', 'lexsi-Frame-label', badge(mark, edited));
    label.title = `run ${mark.run}, step ${mark.step}, ${edited ? 'edited since' : 'as the run wrote it'}`;
    const line = element('div', 'lexsi-Frame-line');
    line.append(label);
    this.node.replaceChildren(line);
    if (proposal && !state.readOnly) {
      line.append(...this.one());
      if (state.all > 1) {
        line.before(this.all(state.all));
      }
    }
    if (edited && state.offered !== undefined && state.offered !== state.source) {
      this.addDifference(line, state.offered, state);
    }
  }

  private one(): HTMLElement[] {
    const { decisions } = this;
    return [
      button('Accept', 'Keep this cell', () => decisions.accept(false)),
      button('Accept and run', 'Keep this cell and run it', () => decisions.acceptAndRun(false)),
      button('Discard', 'Take this cell out again', () => decisions.discard(false))
    ];
  }

  private all(count: number): HTMLElement {
    const { decisions } = this;
    const line = element('div', 'lexsi-Frame-line');
    line.append(
      element('span', 'lexsi-Frame-label', `${count} cells proposed`),
      button('Accept all', 'Keep all of them', () => decisions.accept(true)),
      button('Accept and run all', 'Keep all of them and run them, top to bottom', () => decisions.acceptAndRun(true)),
      button('Discard all', 'Take all of them out again', () => decisions.discard(true))
    );
    return line;
  }

  /** Show what the edit changed; open from the start where the run has since proposed something else. */
  private addDifference(line: HTMLElement, offered: string, state: FrameState): void {
    const open = this.open ?? state.superseded;
    const toggle = button('Difference', 'What the run proposes (-) against this cell (+)', () => {
      this.open = !open;
      this.draw(state);
      this.node.querySelector<HTMLElement>('[aria-expanded]')?.focus();
    });
    toggle.setAttribute('aria-expanded', String(open));
    line.append(toggle);
    if (open) {
      const shown = element('pre', 'lexsi-Frame-difference');
      shown.tabIndex = 0;
      const sign = { same: ' ', removed: '-', added: '+' };
      shown.append(
        ...difference(offered, state.source).map(({ kind, text }) =>
          element('div', `lexsi-mod-${kind}`, `${sign[kind]} ${text}`)
        )
      );
      this.node.append(shown);
    }
  }
}
