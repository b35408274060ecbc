/** Keeps the strips of a notebook's inserted cells in step with the notebook. */

import type { Cell, CodeCell, ICellModel } from '@jupyterlab/cells';
import { Notebook, NotebookActions, NotebookPanel } from '@jupyterlab/notebook';
import { Signal } from '@lumino/signaling';
import type { PanelLayout } from '@lumino/widgets';
import { CellFrame, FrameState } from './frame';
import { bundleOf } from './locate';
import { digest, Provenance, proposed, readProvenance, together } from './provenance';
import { accept, acceptAndRun, discard, presentCells } from './review';

/** Watches one open notebook; ends with it. */
export class NotebookFrames {
  private readonly frames = new Map<Cell, CellFrame>();
  private readonly watched = new WeakSet<ICellModel>();
  private waiting = false;

  constructor(private readonly panel: NotebookPanel) {
    panel.content.modelChanged.connect(this.follow, this);
    NotebookActions.executed.connect(this.executed, this);
    panel.disposed.connect(() => Signal.clearData(this));
    this.follow();
  }

  private follow(): void {
    this.panel.content.model?.cells.changed.connect(this.later, this);
    this.later();
  }

  /** Who runs a proposed cell has accepted it. */
  private executed(_: unknown, { notebook, cell }: { notebook: Notebook; cell: Cell }): void {
    if (notebook === this.panel.content && readProvenance(cell.model.metadata)?.state === 'proposed') {
      accept(this.panel, [cell.model.id]);
    }
  }

  /** Many changes of one moment are drawn once. */
  private later(): void {
    if (!this.waiting) {
      this.waiting = true;
      queueMicrotask(() => {
        this.waiting = false;
        this.update();
      });
    }
  }

  private update(): void {
    const { panel } = this;
    if (panel.isDisposed) {
      return;
    }
    const firsts: Provenance[] = [];
    const seen = new Set<Cell>(panel.content.widgets);
    for (const cell of panel.content.widgets) {
      this.watch(cell);
      const mark = readProvenance(cell.model.metadata);
      if (mark === undefined) {
        this.drop(cell);
        continue;
      }
      const first = mark.state === 'proposed' && !firsts.some(other => together(other, mark));
      if (first) {
        firsts.push(mark);
      }
      cell.toggleClass('lexsi-mod-proposed', mark.state === 'proposed');
      this.frameOf(cell).draw(this.stateOf(cell, mark, first));
    }
    for (const cell of [...this.frames.keys()]) {
      if (!seen.has(cell)) {
        this.drop(cell);
      }
    }
  }

  private stateOf(cell: Cell, mark: Provenance, first: boolean): FrameState {
    const source = cell.model.sharedModel.getSource();
    const edited = digest(source) !== mark.digest;
    const offered = edited ? this.offered(mark) : undefined;
    return {
      mark,
      edited,
      source: edited ? source : '',
      all: first ? proposed(presentCells(this.panel), mark).length : 0,
      readOnly: this.panel.content.model?.readOnly === true,
      offered,
      superseded: offered !== undefined && digest(offered) !== mark.digest
    };
  }

  private offered(mark: Provenance): string | undefined {
    const asked = this.panel.content.widgets.find(cell => cell.model.id === mark.origin);
    return asked === undefined ? undefined : bundleOf(asked)?.cells[mark.step - 1]?.source;
  }

  private watch(cell: Cell): void {
    const { model } = cell;
    if (this.watched.has(model)) {
      return;
    }
    this.watched.add(model);
    model.metadataChanged.connect(this.later, this);
    model.contentChanged.connect(() => {
      if (this.frames.has(cell)) {
        this.later();
      }
    });
    if (model.type === 'code') {
      // A new run in the asking cell changes what an edited cell is compared with.
      (cell as CodeCell).model.outputs.changed.connect(() => {
        if (this.frames.size > 0) {
          this.later();
        }
      });
    }
  }

  private frameOf(cell: Cell): CellFrame {
    const known = this.frames.get(cell);
    if (known !== undefined) {
      return known;
    }
    const { panel } = this;
    const ids = (all: boolean): string[] => {
      const mark = readProvenance(cell.model.metadata);
      return all && mark !== undefined ? proposed(presentCells(panel), mark) : [cell.model.id];
    };
    const frame = new CellFrame({
      accept: all => accept(panel, ids(all)),
      acceptAndRun: all => void acceptAndRun(panel, ids(all)),
      discard: all => discard(panel, ids(all))
    });
    this.frames.set(cell, frame);
    (cell.layout as PanelLayout).insertWidget(0, frame);
    return frame;
  }

  private drop(cell: Cell): void {
    const frame = this.frames.get(cell);
    if (frame !== undefined) {
      this.frames.delete(cell);
      frame.dispose();
      cell.removeClass('lexsi-mod-proposed');
    }
  }
}
