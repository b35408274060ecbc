/** What the line of a run says after a click, and the strip above an inserted cell. */

import type { RunEntry } from './entries';
import type { Plan } from './plan';
import type { Provenance } from './provenance';
import type { RunRecord } from './record';

/** Return one calm sentence on what *Insert* did. */
export function outcome(plan: Plan): string {
  const parts: string[] = [];
  if (plan.insert.length > 0) {
    parts.push(`${cells(plan.insert.length)} proposed below`);
  }
  if (plan.remove.length > 0) {
    parts.push(`${cells(plan.remove.length)} of an earlier run removed`);
  }
  if (plan.edited > 0) {
    parts.push(`${cells(plan.edited)} you edited kept`);
  }
  return parts.length > 0 ? `${parts.join(', ')}.` : 'Already in the notebook.';
}

/** Return the words on the strip above an inserted cell. */
export function badge(mark: Provenance, edited: boolean): string {
  const what = mark.state === 'proposed' ? 'Proposed by lexsi' : 'lexsi';
  return `${what}, step ${mark.step}${edited ? ', edited' : ''}`;
}

/** Return how a run stands, with the number of its cell; `current`: as the kernel says now, not as it was saved. */
export function heading({ count, record, waits, variables }: RunEntry, current: boolean): string {
  const known: Readonly<Record<string, string>> = {
    needs_choice: 'open: a reading has to be chosen',
    awaiting_approval: !waits ? 'went on elsewhere' : current ? 'waits for approval' : 'waited for approval'
  };
  const stale = variables.filter(({ state }) => state === 'stale').length;
  const parts = [known[record.status] ?? record.status, ...(record.replayed ? ['replayed'] : [])];
  return `[${count ?? ' '}] ${[...parts, ...(stale > 0 ? [`${stale} stale`] : [])].join(', ')}`;
}

/** Return where a run was written to, or came from. */
export function standing({ recording, replayed }: RunRecord): string {
  return `${replayed ? 'replayed from' : 'recorded in'} ${recording}`;
}

export function many(count: number, what: string): string {
  return `${count.toLocaleString('en')} ${what}${count === 1 ? '' : 's'}`;
}

export function bytes(size: number): string {
  return size < 10_000 ? `${size.toLocaleString('en')} bytes` : `${Math.round(size / 1000).toLocaleString('en')} kB`;
}

/** Return US dollars, with as many digits as a small price needs. */
export function dollars(amount: number): string {
  return `${amount >= 1 ? amount.toFixed(2) : amount.toFixed(4)} USD`;
}

function cells(count: number): string {
  return many(count, 'cell');
}
