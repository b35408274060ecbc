/** What a run left in the metadata of its output, and what the kernel says of its runs now. */

import { isRecord } from './bundle';

export interface StepRecord {
  readonly number: number;
  readonly tool: string;
  /** What it does, in plain words; the tool's name where an older output has none. */
  readonly title: string;
  readonly args: string;
  readonly status: string;
  /** Places, from 1, of its code cells among those of the run. */
  readonly cells: readonly number[];
}

export interface VariableRecord {
  readonly name: string;
  readonly what: string;
  readonly step: number;
  readonly from: readonly string[];
}

export interface SentRecord {
  readonly to: string;
  readonly requests: number;
  readonly bytes: number;
}

export interface Waiting {
  readonly id: string;
  readonly tool: string;
}

export interface RunRecord {
  readonly run: string;
  readonly question: string;
  readonly status: string;
  readonly planner: string;
  readonly models: string;
  readonly steps: readonly StepRecord[];
  readonly variables: readonly VariableRecord[];
  readonly sent: readonly SentRecord[];
  /** Requests and tokens in words, empty where no model was asked. */
  readonly used: string;
  /** Price in US dollars, undefined where it is not known or nothing was used. */
  readonly usd: number | undefined;
  readonly recording: string;
  readonly replayed: boolean;
  readonly approval: Waiting | undefined;
  /** Id of the cell that asked, where the kernel tells; in an output it is the cell that has it. */
  readonly cell: string;
  /** What was sent, and what it cost, is not known: a recording of before that was kept. */
  readonly unkept: boolean;
}

/** A variable as the kernel has it now. */
export interface VariableNow {
  readonly run: string;
  readonly state: string;
  readonly reason: string;
}

export interface ApprovalNow extends Waiting {
  readonly run: string;
  readonly question: string;
  /** Whether the kernel of this notebook asked. */
  readonly here: boolean;
}

/** What holds in the kernel. */
export interface KernelState {
  readonly variables: ReadonlyMap<string, VariableNow>;
  readonly approvals: readonly ApprovalNow[];
  /** The kernel's own runs, oldest first. */
  readonly runs: readonly RunRecord[];
  readonly recorded: readonly RunRecord[];
  readonly problem: string;
  /** How long the kernel looked: content is compared in full. */
  readonly seconds: number;
}

/** Return the run that the metadata describe, undefined where they are of a version or shape unknown here. */
export function readRecord(data: unknown): RunRecord | undefined {
  if (!isRecord(data) || data['version'] !== 1 || typeof data['run'] !== 'string') {
    return undefined;
  }
  const usd = data['usd'] === '' ? NaN : Number(data['usd'] ?? NaN);
  const approval = data['approval'];
  return {
    run: data['run'],
    question: text(data['question']),
    status: text(data['status']),
    planner: text(data['planner']),
    models: text(data['models']),
    steps: records(data['steps']).map(step => ({
      number: count(step['number']),
      tool: text(step['tool']),
      title: text(step['title']) || text(step['tool']),
      args: text(step['args']),
      status: text(step['status']),
      cells: list(step['cells']).map(count)
    })),
    variables: records(data['variables']).map(variable => ({
      name: text(variable['name']),
      what: text(variable['what']),
      step: count(variable['step']),
      from: list(variable['from']).map(text)
    })),
    sent: records(data['sent']).map(sent => ({
      to: text(sent['to']),
      requests: count(sent['requests']),
      bytes: count(sent['bytes'])
    })),
    used: text(data['used']),
    usd: Number.isFinite(usd) ? usd : undefined,
    recording: text(data['recording']),
    replayed: data['replayed'] === true,
    approval: isRecord(approval) ? { id: text(approval['id']), tool: text(approval['tool']) } : undefined,
    cell: text(data['cell']),
    unkept: data['unkept'] === true
  };
}

/** Return what a message says of the kernel, undefined where it is of another kind. */
export function readState(data: unknown): KernelState | undefined {
  if (!isRecord(data) || data['type'] !== 'state' || data['version'] !== 1) {
    return undefined;
  }
  const variables = records(data['variables']).map(
    row => [text(row['name']), { run: text(row['run']), state: text(row['state']), reason: text(row['reason']) }] as const
  );
  return {
    variables: new Map(variables),
    approvals: records(data['approvals']).map(row => ({
      id: text(row['id']),
      tool: text(row['tool']),
      run: text(row['run']),
      question: text(row['question']),
      here: row['here'] === true
    })),
    runs: runsIn(data['runs']),
    recorded: runsIn(data['recorded']),
    problem: text(data['problem']),
    seconds: count(data['seconds'])
  };
}

/** Return the recordings that a kernel told of, in which nothing is loaded. */
export function readRecorded(data: unknown): readonly RunRecord[] {
  return isRecord(data) && data['type'] === 'recorded' && data['version'] === 1 ? runsIn(data['recorded']) : [];
}

function runsIn(value: unknown): readonly RunRecord[] {
  return list(value).map(readRecord).filter(run => run !== undefined);
}

function list(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? (value as readonly unknown[]) : [];
}

function records(value: unknown): Record<string, unknown>[] {
  return list(value).filter(isRecord);
}

function text(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

function count(value: unknown): number {
  return typeof value === 'number' && Number.isFinite(value) ? value : 0;
}
