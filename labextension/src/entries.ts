/** The runs of a notebook, worked out on plain values: what its outputs keep, and what the kernel says now. */

import { isQuestion } from './question';
import type { ApprovalNow, KernelState, RunRecord, VariableRecord } from './record';

/** A code cell of the notebook, as far as its runs matter. */
export interface AskedCell {
  readonly id: string;
  readonly count: number | null;
  readonly source: string;
  readonly records: readonly RunRecord[];
  /** The line that the cell failed with, empty where it did not. */
  readonly error: string;
}

export interface VariableEntry extends VariableRecord {
  /** fresh, edited, stale, ...; empty where no kernel was asked. */
  readonly state: string;
  readonly reason: string;
}

export interface RunEntry {
  /** Id of the cell that shows it, with the run's where the cell shows several. */
  readonly key: string;
  readonly cell: string;
  readonly count: number | null;
  readonly record: RunRecord;
  readonly error: string;
  readonly variables: readonly VariableEntry[];
  /** Whether a person has to approve something before it goes on. */
  readonly waits: boolean;
}

export interface Approval {
  readonly id: string;
  readonly tool: string;
  readonly question: string;
  /** The cell with its card, empty where no cell of this notebook shows it. */
  readonly cell: string;
}

/** Return the runs in the order of their cells. `now` is undefined where no kernel that knows of runs is connected. */
export function entriesOf(cells: readonly AskedCell[], now: KernelState | undefined): RunEntry[] {
  const went = new Set<string>();
  for (const record of cells.flatMap(cell => cell.records)) {
    if (record.status !== 'awaiting_approval') {
      went.add(record.run);
    }
  }
  return cells.flatMap(cell => {
    const latest = new Map(cell.records.map(record => [record.run, record] as const));
    const shown = [...latest.values()].map(saved => ({ record: current(saved, now), error: '' }));
    if (shown.length === 0 && cell.error !== '' && isQuestion(cell.source)) {
      shown.push({ record: failed(cell), error: cell.error });
    }
    return shown.map(({ record, error }) => ({
      key: `${cell.id} ${record.run}`,
      cell: cell.id,
      count: cell.count,
      record,
      error,
      variables: record.variables.map(variable => ({ ...variable, ...stateOf(variable.name, record.run, now) })),
      waits: waits(record, now, went)
    }));
  });
}

/** Return what waits for a person in this notebook: as the kernel says, else as the outputs do. */
export function approvalsOf(entries: readonly RunEntry[], now: KernelState | undefined): Approval[] {
  const cellOf = (approval: ApprovalNow): string =>
    entries.find(entry => entry.record.approval?.id === approval.id)?.cell ?? '';
  if (now !== undefined) {
    return now.approvals
      .filter(approval => approval.here || cellOf(approval) !== '')
      .map(({ id, tool, question, ...rest }) => ({ id, tool, question, cell: cellOf({ id, tool, question, ...rest }) }));
  }
  return entries.flatMap(({ waits, record, cell }) =>
    waits && record.approval !== undefined ? [{ ...record.approval, question: record.question, cell }] : []
  );
}

/** Return the price of all runs together in US dollars, undefined where one is not known; 0 where no model was asked. */
export function totalOf(entries: readonly RunEntry[]): number | undefined {
  let total: number | undefined = 0;
  for (const { record } of entries) {
    if (record.used !== '' && !record.replayed) {
      total = total === undefined || record.usd === undefined ? undefined : total + record.usd;
    }
  }
  return total;
}

/** What went on after a click is not in the saved output: the kernel knows it. */
function current(saved: RunRecord, now: KernelState | undefined): RunRecord {
  const known = saved.status === 'awaiting_approval' ? now?.runs.get(saved.run) : undefined;
  return known ?? saved;
}

function waits(record: RunRecord, now: KernelState | undefined, went: ReadonlySet<string>): boolean {
  if (record.status !== 'awaiting_approval') {
    return false;
  }
  return now === undefined ? !went.has(record.run) : now.approvals.some(({ id }) => id === record.approval?.id);
}

function stateOf(name: string, run: string, now: KernelState | undefined): { state: string; reason: string } {
  if (now === undefined) {
    return { state: '', reason: '' };
  }
  const found = now.variables.get(name);
  if (found === undefined) {
    return { state: 'not in the kernel', reason: '' };
  }
  return found.run === run ? found : { state: 'made by another run', reason: found.reason };
}

function failed(cell: AskedCell): RunRecord {
  return {
    run: '',
    question: words(cell.source),
    status: /^(Stopped|Interrupted)\b/.test(cell.error) ? 'interrupted' : 'failed',
    planner: '',
    models: '',
    steps: [],
    variables: [],
    sent: [],
    used: '',
    usd: undefined,
    recording: '',
    replayed: false,
    approval: undefined
  };
}

/** Return the question of a cell without magic and options, in one line. */
export function words(source: string): string {
  const bare = source
    .replace(/^\s*%%lexsi/, '')
    .replace(/^(\s+--((dry-run|again|ask)(?=\s|$)|[\w-]+[ =]+("[^"]*"|'[^']*'|\S+)))+/, '');
  return bare.replace(/\s+/g, ' ').trim();
}
