/** The strip above an inserted cell: a proposal with its buttons, an edit that is kept, later a quiet badge. */

import { Widget } from '@lumino/widgets';
import { difference } from './difference';
import { button, element, ownKeys } from './elements';
import { groupBar, GroupDecisions, GroupState } from './groupbar';
import type { Provenance } from './provenance';
import { badge } from './wording';

/** What the user can decide, for one cell or for all that were proposed with it. */
export interface Decisions extends GroupDecisions {
  accept(): void;
  acceptAndRun(): void;
  discard(): void;
  keepMine(): void;
  takeNew(): void;
}

export interface FrameState {
  readonly mark: Provenance;
  readonly edited: boolean;
  /** All that the question proposes, where this is the first of several. */
  readonly group: GroupState | undefined;
  /** Whether it is all that the question proposes. */
  readonly alone: boolean;
  readonly readOnly: boolean;
  /** What is to be said of a proposed cell whose step the user keeps an edit of, else empty. */
  readonly note: string;
  /** Whether what a later run proposes stands beside this kept cell. */
  readonly rival: boolean;
  /** What the run proposes for this step, as far as it is still there. */
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
    for (const known of ['proposed', 'accepted', 'kept']) {
      this.toggleClass(`lexsi-mod-${known}`, mark.state === known);
    }
    this.node.setAttribute('aria-label', badge(mark, edited, true));
    const label = element('span', 'lexsi-Frame-label', badge(mark, edited, state.alone));
    label.title = `run ${mark.run}, step ${mark.step}, ${edited ? 'edited since' : 'as the run wrote it'}`;
    const line = element('div', 'lexsi-Frame-line');
    line.append(label);
    this.node.replaceChildren(line);
    if (!state.readOnly) {
      line.append(...this.buttons(state));
      if (state.group !== undefined) {
        line.before(groupBar(state.group, this.decisions));
      }
    }
    if (state.note !== '') {
      const note = element('span', 'lexsi-Frame-note', state.note);
      note.setAttribute('role', 'status');
      line.append(note);
    }
    if (edited && state.offered !== undefined && state.offered !== state.source) {
      this.addDifference(line, state.offered, state);
    }
  }

  private buttons({ mark, rival }: FrameState): HTMLElement[] {
    const { decisions } = this;
    if (mark.state === 'proposed') {
      return [
        button('Accept and run', 'Keep this cell and run it', () => decisions.acceptAndRun(), 'filled'),
        button('Accept', 'Keep this cell', () => decisions.accept()),
        button('Discard', 'Take this cell out again', () => decisions.discard(), 'plain')
      ];
    }
    if (mark.state === 'kept') {
      const mine = rival ? 'Keep this cell; what is proposed for its step now goes' : 'Keep this cell';
      const other = 'Take what is proposed now; this cell goes';
      return [
        button('Keep mine', mine, () => decisions.keepMine()),
        ...(rival ? [button('Take the new one', other, () => decisions.takeNew())] : [])
      ];
    }
    return [];
  }

  /** Show what the edit changed; open from the start where the run has since proposed something else. */
  private addDifference(line: HTMLElement, offered: string, state: FrameState): void {
    const open = this.open ?? state.superseded;
    const label = open ? 'Hide difference' : 'Show difference';
    const toggle = button(
      label,
      'What the run proposes (-) against this cell (+)',
      () => {
        this.open = !open;
        this.draw(state);
        this.node.querySelector<HTMLElement>('[aria-expanded]')?.focus();
      },
      'plain'
    );
    toggle.setAttribute('aria-expanded', String(open));
    line.append(toggle);
    if (open) {
      const shown = element('pre', 'lexsi-Frame-difference');
      shown.tabIndex = 0;
      const caption = element('div', 'lexsi-Frame-caption');
      caption.append(
        element('span', 'lexsi-mod-removed', '- proposed now'),
        element('span', 'lexsi-mod-added', '+ yours')
      );
      const sign = { same: ' ', removed: '-', added: '+' };
      shown.append(
        caption,
        ...difference(offered, state.source).map(({ kind, text }) =>
          element('div', `lexsi-Frame-changed lexsi-mod-${kind}`, `${sign[kind]} ${text}`)
        )
      );
      this.node.append(shown);
    }
  }
}
