/** What the line of a run says after a click, and the strip above an inserted cell. */

import type { Plan } from './plan';
import type { Provenance } from './provenance';

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

function cells(count: number): string {
  return count === 1 ? '1 cell' : `${count} cells`;
}
