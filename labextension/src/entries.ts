/** The runs of a notebook, worked out on plain values: what its outputs keep, what the kernel says, what was recorded. */

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

/** Where a run is known from: a saved output, the kernel's memory, a recording beside the notebook. */
export type Origin = 'output' | 'kernel' | 'recording';

export interface RunEntry {
  readonly key: string;
  /** Id of the cell that asked, empty where it is not in the notebook. */
  readonly cell: string;
  readonly count: number | null;
  readonly record: RunRecord;
  readonly origin: Origin;
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

interface Found {
  readonly cell: AskedCell | undefined;
  readonly record: RunRecord;
  readonly origin: Origin;
  readonly error: string;
}

/**
 * Return the runs in the order of their cells, each once: as its output has it, else as the kernel remembers it, else as
 * it was recorded; last those whose cell is not there. `now` is undefined where no kernel that knows of runs is
 * connected.
 */
export function entriesOf(
  cells: readonly AskedCell[],
  now: KernelState | undefined,
  recorded: readonly RunRecord[] = now?.recorded ?? []
): RunEntry[] {
  const went = new Set<string>();
  for (const record of cells.flatMap(cell => cell.records)) {
    if (record.status !== 'awaiting_approval') {
      went.add(record.run);
    }
  }
  const known = cells.flatMap(cell => inCell(cell, now));
  const all = [...known, ...withoutCell(cells, known, now)];
  const files = new Set(all.map(({ record }) => record.recording));
  for (const record of recorded) {
    if (!files.has(record.recording)) {
      all.push({ cell: cellOf(record, cells), record, origin: 'recording', error: '' });
    }
  }
  return inOrder(all, cells).map(({ cell, record, origin, error }) => ({
    key: `${cell?.id ?? ''} ${record.run || record.recording}`,
    cell: cell?.id ?? '',
    count: cell?.count ?? null,
    record,
    origin,
    error,
    variables: record.variables.map(variable => ({ ...variable, ...stateOf(variable.name, record, now) })),
    waits: waits(record, now, went)
  }));
}

/** Return what a cell shows; of a cell that shows nothing, what the kernel ran for it last. */
function inCell(cell: AskedCell, now: KernelState | undefined): Found[] {
  const latest = new Map(cell.records.map(record => [record.run, record] as const));
  if (latest.size > 0) {
    return [...latest.values()].map(saved => ({ cell, record: current(saved, now), origin: 'output', error: '' }));
  }
  const ran = now?.runs.filter(run => run.cell === cell.id).pop();
  if (ran !== undefined) {
    return [{ cell, record: ran, origin: 'kernel', error: cell.error }];
  }
  if (cell.error !== '' && isQuestion(cell.source)) {
    return [{ cell, record: failed(cell), origin: 'output', error: cell.error }];
  }
  return [];
}

/** Return the kernel's runs that no cell of the notebook asked: its cell was deleted, or a program asked. */
function withoutCell(cells: readonly AskedCell[], known: readonly Found[], now: KernelState | undefined): Found[] {
  const ids = new Set(cells.map(({ id }) => id));
  const shown = new Set(known.map(({ record }) => record.run));
  const latest = new Map<string, RunRecord>();
  for (const run of now?.runs ?? []) {
    if (!ids.has(run.cell) && !shown.has(run.run)) {
      latest.set(run.cell || run.run, run);
    }
  }
  return [...latest.values()].map(record => ({ cell: undefined, record, origin: 'kernel', error: '' }));
}

/** Return the cell that a recording is of: the one that names it, else the one that asks its question. */
function cellOf({ recording, question }: RunRecord, cells: readonly AskedCell[]): AskedCell | undefined {
  const name = recording.replace(/^.*\//, '').replace(/\.yaml$/, '');
  const asks = cells.filter(({ source }) => isQuestion(source));
  // A long question is kept shortened.
  const same = asks.filter(({ source }) =>
    question.endsWith('...') ? words(source).startsWith(question.slice(0, -3)) : words(source) === question
  );
  return (
    asks.find(({ source }) => /--recording[ =]+["']?([\w.-]+)/.exec(source)?.[1]?.replace(/\.yaml$/, '') === name) ??
    same.find(({ id }) => name.endsWith(`-${id.toLowerCase().slice(0, 12)}`)) ??
    same[0]
  );
}

function inOrder(found: readonly Found[], cells: readonly AskedCell[]): Found[] {
  const place = ({ cell }: Found): number => (cell === undefined ? cells.length : cells.indexOf(cell));
  return [...found].sort((a, b) => place(a) - place(b));
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
  const known = saved.status === 'awaiting_approval' ? now?.runs.find(({ run }) => run === saved.run) : undefined;
  return known ?? saved;
}

function waits(record: RunRecord, now: KernelState | undefined, went: ReadonlySet<string>): boolean {
  if (record.status !== 'awaiting_approval') {
    return false;
  }
  return now === undefined ? !went.has(record.run) : now.approvals.some(({ id }) => id === record.approval?.id);
}

function stateOf(name: string, { run }: RunRecord, now: KernelState | undefined): { state: string; reason: string } {
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
    approval: undefined,
    cell: cell.id,
    unkept: false
  };
}

/** Return the question of a cell without magic and options, in one line. */
export function words(source: string): string {
  const bare = source
    .replace(/^\s*%%lexsi/, '')
    .replace(/^(\s+--((dry-run|again|ask)(?=\s|$)|[\w-]+[ =]+("[^"]*"|'[^']*'|\S+)))+/, '');
  return bare.replace(/\s+/g, ' ').trim();
}
