/** Keeps the strips of a notebook's inserted cells in step with the notebook. */

import type { Cell, CodeCell, ICellModel } from '@jupyterlab/cells';
import { Notebook, NotebookActions, NotebookPanel } from '@jupyterlab/notebook';
import { Signal } from '@lumino/signaling';
import type { PanelLayout } from '@lumino/widgets';
import { CellFrame, Decisions, FrameState } from './frame';
import type { GroupState } from './groupbar';
import { Group, groupOf, newOf } from './groups';
import { bundleOf } from './locate';
import { digest, isEdited, PresentCell, Provenance, readProvenance, together } from './provenance';
import * as review from './review';
import { LongGroup, StickyBar } from './stickybar';
import { takesBack } from './undo';

const WAITS = 'Accept all leaves this out: your edit of the step is kept below.';
const SKIPPED = 'Skipped: your edit of this step was run instead.';

/** What is known while the cells of one moment are drawn. */
interface Moment {
  readonly cells: readonly PresentCell[];
  readonly groups: { readonly mark: Provenance; readonly group: Group }[];
}

/** Watches one open notebook; ends with it. */
export class NotebookFrames {
  private readonly frames = new Map<Cell, CellFrame>();
  private readonly watched = new WeakSet<ICellModel>();
  private readonly sticky: StickyBar;
  /** New cells that *Accept and run all* left out. */
  private readonly skipped = new Set<string>();
  private waiting = false;

  /** `undo`: the key that takes inserted cells away; `drew` hears of each change of inserted cells. */
  constructor(
    private readonly panel: NotebookPanel,
    private readonly undo: () => string,
    private readonly drew: () => void
  ) {
    this.sticky = new StickyBar(panel);
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
      review.accept(this.panel, [cell.model.id]);
    }
    this.later();
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
    const moment: Moment = { cells: review.presentCells(panel), groups: [] };
    const long: LongGroup[] = [];
    const seen = new Set<Cell>(panel.content.widgets);
    for (const cell of panel.content.widgets) {
      this.watch(cell);
      const mark = readProvenance(cell.model.metadata);
      if (mark === undefined) {
        this.drop(cell);
        continue;
      }
      const state = this.stateOf(cell, mark, moment);
      cell.toggleClass('lexsi-mod-proposed', mark.state === 'proposed');
      cell.toggleClass('lexsi-mod-kept', mark.state === 'kept');
      this.frameOf(cell).draw(state);
      if (state.group !== undefined && !state.readOnly) {
        const { proposed } = groupOf(moment.cells, mark);
        const cells = panel.content.widgets.filter(one => proposed.includes(one.model.id));
        long.push({ state: state.group, decisions: this.decisionsOf(cell), cells });
      }
    }
    for (const cell of [...this.frames.keys()]) {
      if (!seen.has(cell)) {
        this.drop(cell);
      }
    }
    this.sticky.follow(long);
    this.drew();
  }

  private stateOf(cell: Cell, mark: Provenance, moment: Moment): FrameState {
    const { id } = cell.model;
    const source = cell.model.sharedModel.getSource();
    const edited = isEdited(source, mark);
    const rival = mark.state === 'kept' ? newOf(moment.cells, id) : undefined;
    const offered = edited ? (rival?.source ?? this.offered(mark)) : undefined;
    const known = moment.groups.find(one => together(one.mark, mark));
    const group = known?.group ?? groupOf(moment.cells, mark);
    if (known === undefined) {
      moment.groups.push({ mark, group });
    }
    const clashes = group.clashing.includes(id);
    return {
      mark,
      edited,
      source: edited ? source : '',
      group: group.proposed[0] === id && group.proposed.length > 1 ? this.barOf(group) : undefined,
      alone: group.proposed.length === 1,
      readOnly: this.panel.content.model?.readOnly === true,
      note: clashes ? (this.skipped.has(id) ? SKIPPED : WAITS) : '',
      rival: rival !== undefined,
      offered,
      superseded: offered !== undefined && digest(offered) !== mark.digest
    };
  }

  private barOf({ proposed, kept, clashing }: Group): GroupState {
    const shared = this.panel.content.model?.sharedModel;
    const undo = shared !== undefined && takesBack(shared) ? this.undo() : '';
    return { proposed: proposed.length, kept: kept.length, clashing: clashing.length, undo };
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
    const frame = new CellFrame(this.decisionsOf(cell));
    this.frames.set(cell, frame);
    (cell.layout as PanelLayout).insertWidget(0, frame);
    return frame;
  }

  private decisionsOf(cell: Cell): Decisions {
    const { panel } = this;
    const { id } = cell.model;
    const mark = (): Provenance | undefined => readProvenance(cell.model.metadata);
    return {
      accept: () => review.accept(panel, [id]),
      acceptAndRun: () => void review.acceptAndRun(panel, [id]),
      discard: () => review.discard(panel, [id]),
      keepMine: () => review.keepMine(panel, id, this.offeredAt(cell)),
      takeNew: () => review.takeNew(panel, id),
      acceptAll: () => review.acceptAll(panel, mark()),
      acceptAndRunAll: () => {
        groupOf(review.presentCells(panel), mark()).clashing.forEach(left => this.skipped.add(left));
        void review.acceptAndRunAll(panel, mark());
      },
      discardAll: () => review.discardAll(panel, mark())
    };
  }

  private offeredAt(cell: Cell): string | undefined {
    const mark = readProvenance(cell.model.metadata);
    return mark === undefined ? undefined : this.offered(mark);
  }

  private drop(cell: Cell): void {
    const frame = this.frames.get(cell);
    if (frame !== undefined) {
      this.frames.delete(cell);
      frame.dispose();
      cell.removeClass('lexsi-mod-proposed');
      cell.removeClass('lexsi-mod-kept');
    }
  }
}
