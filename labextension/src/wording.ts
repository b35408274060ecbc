/** What the line of a run says after a click, and the strip above an inserted cell. */

import type { RunEntry } from './entries';
import type { Plan } from './plan';
import type { Provenance } from './provenance';
import type { RunRecord } from './record';
import type { Standing } from './standing';

/** Return one calm sentence on what *Insert* did; `proposed`: all cells of the run that wait for a decision now. */
export function outcome(plan: Plan, proposed: number): string {
  const parts: string[] = [];
  if (plan.insert.length > 0) {
    parts.push(`${cells(proposed)} proposed below`);
  }
  if (plan.remove.length > 0) {
    parts.push(`${cells(plan.remove.length)} of an earlier run removed`);
  }
  if (plan.edited > 0) {
    parts.push(`${cells(plan.edited)} you edited kept`);
  }
  return parts.length > 0 ? `${parts.join(', ')}.` : 'Already in the notebook.';
}

/** Return how the cells of a run stand, empty where none was put into the notebook. */
export function counts({ ran, accepted, proposed, discarded, kept }: Standing): string {
  if (ran + accepted + discarded + kept === 0) {
    return proposed === 0 ? '' : `${cells(proposed)} proposed below.`;
  }
  const parts = [
    [ran, 'run'],
    [accepted, 'accepted'],
    [proposed, 'proposed'],
    [discarded, 'discarded'],
    [kept, 'of yours kept']
  ] as const;
  const said = parts.filter(([count]) => count > 0).map(([count, what]) => `${count} ${what}`);
  return `${said.join(', ')}.`;
}

/** Return the words on the strip above an inserted cell. `alone`: no bar above says that it is proposed. */
export function badge(mark: Provenance, edited: boolean, alone = false): string {
  if (mark.state === 'kept') {
    return `Your edit of step ${mark.step} (kept)`;
  }
  const named = mark.title !== '' ? mark.title : `step ${mark.step}`;
  const place = mark.steps > 0 && mark.title !== '' ? `${mark.step} of ${mark.steps} · ` : '';
  const what = mark.state === 'proposed' ? `${alone ? 'Proposed · ' : ''}${place}` : 'lexsi · ';
  return `${what}${named}${edited ? ', edited' : ''}`;
}

/** Return the words of the bar above all cells that a question proposes. `undo`: the key that takes them away. */
export function groupLine(proposed: number, kept: number, undo: string): { strong: string; rest: string } {
  const strong = kept > 0 ? `${many(proposed, 'new cell')} · ${kept} of yours kept` : `${cells(proposed)} proposed`;
  return { strong, rest: undo === '' ? 'not run yet' : `not run yet · Esc, ${undo} removes them` };
}

/** Return how a run stands, with the number of its cell; `current`: as the kernel says now, not as it was saved. */
export function heading({ count, record, origin, waits, variables }: RunEntry, current: boolean): string {
  const known: Readonly<Record<string, string>> = {
    needs_choice: 'open: a reading has to be chosen',
    awaiting_approval: !waits ? 'went on elsewhere' : current ? 'waits for approval' : 'waited for approval'
  };
  const stale = variables.filter(({ state }) => state === 'stale').length;
  const parts = [known[record.status] ?? record.status, ...(record.replayed ? ['replayed'] : [])];
  if (origin === 'recording') {
    parts.push('from recording');
  }
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
