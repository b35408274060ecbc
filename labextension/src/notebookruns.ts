/** The runs of one open notebook, kept in step with its outputs and its kernel. */

import type { CodeCellModel, ICellModel } from '@jupyterlab/cells';
import type { NotebookPanel } from '@jupyterlab/notebook';
import type { KernelMessage } from '@jupyterlab/services';
import { Signal } from '@lumino/signaling';
import { isRecord } from './bundle';
import type { KernelChannel } from './channel';
import { Approval, approvalsOf, AskedCell, entriesOf, RunEntry } from './entries';
import { METADATA_KEY, readProvenance } from './provenance';
import { KernelState, readRecord, RunRecord } from './record';
import { recordedIn } from './recorded';

/** Cells that follow one another quickly are asked about once. */
const PAUSE = 300;
/** The kernel rests this many times as long as its last answer took it, as it reads the data; at most a minute. */
const REST = 10;
const LONGEST = 60_000;

export class NotebookRuns {
  /** Something to show may have changed. */
  readonly changed = new Signal<this, void>(this);
  private now: KernelState | undefined;
  private readonly followed = new WeakSet<ICellModel>();
  private watched = false;
  private recorded: readonly RunRecord[] = [];
  private looked = false;
  private timer: number | undefined;
  private due = 0;

  constructor(
    readonly panel: NotebookPanel,
    private readonly channel: KernelChannel
  ) {
    panel.content.modelChanged.connect(this.follow, this);
    panel.sessionContext.iopubMessage.connect(this.heard, this);
    panel.sessionContext.kernelChanged.connect(() => (this.looked = false));
    panel.sessionContext.statusChanged.connect((_, status) => {
      this.looked &&= status !== 'restarting' && status !== 'autorestarting';
      if (status === 'idle') {
        void this.look();
      }
    });
    channel.said.connect((_, state) => this.take(state));
    channel.opened.connect(() => this.later());
    panel.disposed.connect(() => {
      window.clearTimeout(this.timer);
      Signal.clearData(this);
    });
    this.follow();
  }

  /** Whether a kernel said what holds now, or will in a moment. */
  get isCurrent(): boolean {
    return this.now !== undefined || this.channel.isOpen;
  }

  /** What the kernel could not find out. */
  get problem(): string {
    return this.now?.problem ?? '';
  }

  get entries(): RunEntry[] {
    return entriesOf(this.cells(), this.now, this.now?.recorded ?? this.recorded);
  }

  approvals(entries: readonly RunEntry[]): Approval[] {
    return approvalsOf(entries, this.now);
  }

  /** Say whether anybody looks: the kernel is asked only then. */
  set isWatched(watched: boolean) {
    this.watched = watched;
    if (watched) {
      this.later();
      void this.look();
    }
  }

  /** Return the id of the code cell that a step's work was put into, as far as it stands in the notebook. */
  cellOfStep(entry: RunEntry, step: number): string | undefined {
    const places = entry.record.steps.find(({ number }) => number === step)?.cells ?? [];
    for (const cell of this.panel.content.model?.cells ?? []) {
      const mark = readProvenance(cell.metadata);
      if (mark !== undefined && mark.run === entry.record.run && places.includes(mark.step)) {
        return cell.id;
      }
    }
    return undefined;
  }

  private cells(): AskedCell[] {
    return [...(this.panel.content.model?.cells ?? [])].filter(isCode).map(cell => {
      const records: RunRecord[] = [];
      let error = '';
      for (let at = 0; at < cell.outputs.length; at++) {
        const output = cell.outputs.get(at);
        const record = readRecord(output.metadata[METADATA_KEY]);
        if (record !== undefined) {
          records.push(record);
        }
        if (output.type === 'error') {
          const { evalue } = output.toJSON();
          error = typeof evalue === 'string' ? evalue : '';
        }
      }
      const source = records.length === 0 ? cell.sharedModel.getSource() : '';
      return { id: cell.id, count: cell.executionCount, source, records, error };
    });
  }

  private follow(): void {
    this.panel.content.model?.cells.changed.connect(this.followCells, this);
    this.followCells();
  }

  private followCells(): void {
    for (const cell of this.panel.content.model?.cells ?? []) {
      if (isCode(cell) && !this.followed.has(cell)) {
        this.followed.add(cell);
        cell.outputs.changed.connect(() => this.changed.emit());
      }
    }
    this.changed.emit();
  }

  /** What a cell or a click on a widget did may have changed what holds. */
  private heard(_: unknown, message: KernelMessage.IMessage): void {
    const parent: unknown = message.parent_header;
    const type = isRecord(parent) ? parent['msg_type'] : '';
    if (message.header.msg_type === 'status' && (type === 'execute_request' || type === 'comm_msg')) {
      const { content } = message;
      if ('execution_state' in content && content.execution_state === 'idle') {
        this.later();
      }
    }
  }

  private later(): void {
    if (!this.watched) {
      return;
    }
    window.clearTimeout(this.timer);
    this.timer = window.setTimeout(() => this.channel.ask(), Math.max(PAUSE, this.due - performance.now()));
  }

  /** After a restart nothing is loaded that could tell of recordings: they are looked up once, where lexsi is used. */
  private async look(): Promise<void> {
    const kernel = this.panel.sessionContext.session?.kernel;
    const uses = [...(this.panel.content.model?.cells ?? [])].some(({ sharedModel }) =>
      /^\s*%%lexsi|\blexsi_nb\b/m.test(sharedModel.getSource())
    );
    const idle = this.panel.sessionContext.kernelDisplayStatus === 'idle';
    if (!this.watched || this.looked || this.channel.isOpen || !kernel || !uses || !idle) {
      return;
    }
    this.looked = true;
    this.recorded = await recordedIn(kernel);
    this.changed.emit();
  }

  private take(state: KernelState | undefined): void {
    this.due = performance.now() + Math.min(LONGEST, (state?.seconds ?? 0) * 1000 * REST);
    this.now = state;
    this.changed.emit();
  }
}

function isCode(cell: ICellModel): cell is CodeCellModel {
  return cell.type === 'code';
}
