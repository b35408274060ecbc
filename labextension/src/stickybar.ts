/** Keeps the bar for all proposed cells in view while its own place is scrolled out above. */

import type { Cell } from '@jupyterlab/cells';
import type { NotebookPanel } from '@jupyterlab/notebook';
import { element, ownKeys } from './elements';
import { groupBar, GroupDecisions, GroupState } from './groupbar';

export interface LongGroup {
  readonly state: GroupState;
  readonly decisions: GroupDecisions;
  readonly cells: readonly Cell[];
}

export class StickyBar {
  private readonly node = element('div', 'lexsi-Sticky');
  private groups: readonly LongGroup[] = [];
  private drawn = '';
  private waiting = false;

  constructor(private readonly panel: NotebookPanel) {
    this.node.hidden = true;
    ownKeys(this.node);
    panel.node.append(this.node);
    // Scrolling does not bubble, and which element scrolls is up to the windowing mode.
    panel.content.node.addEventListener('scroll', () => this.later(), { capture: true, passive: true });
  }

  /** Take what is proposed now. */
  follow(groups: readonly LongGroup[]): void {
    this.groups = groups;
    this.later();
  }

  /** Scrolling is answered once a frame. */
  private later(): void {
    if (!this.waiting && (this.groups.length > 0 || !this.node.hidden)) {
      this.waiting = true;
      requestAnimationFrame(() => {
        this.waiting = false;
        this.place();
      });
    }
  }

  private place(): void {
    const { content } = this.panel;
    if (this.panel.isDisposed) {
      return;
    }
    const top = content.node.getBoundingClientRect().top;
    const group = this.groups.find(one => scrolledInto(one, top));
    this.node.hidden = group === undefined;
    if (group === undefined) {
      return;
    }
    this.node.style.top = `${content.node.offsetTop}px`;
    const key = JSON.stringify([group.state, group.cells[0]?.model.id]);
    if (key !== this.drawn) {
      this.drawn = key;
      this.node.replaceChildren(groupBar(group.state, group.decisions));
    }
  }
}

/** Return whether the edge goes through the group's cells, and its own bar is above it. */
function scrolledInto({ cells }: LongGroup, edge: number): boolean {
  const own = cells[0]?.node.querySelector('.lexsi-Frame-group');
  if (own?.isConnected === true && own.getBoundingClientRect().bottom > edge) {
    return false;
  }
  // Cells out of sight are not in the page: the ones that are tell where the group stands.
  const shown = cells.filter(cell => cell.node.isConnected).map(cell => cell.node.getBoundingClientRect());
  return shown.some(({ top, height }) => height > 0 && top <= edge) && shown.some(({ bottom }) => bottom > edge + 40);
}
