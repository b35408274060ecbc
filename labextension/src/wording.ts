/** What the line says after a click. */

import type { Plan } from './plan';

/** Return one calm sentence on what *Insert* did. */
export function outcome(plan: Plan): string {
  const parts: string[] = [];
  if (plan.insert.length > 0) {
    parts.push(`${cells(plan.insert.length)} inserted below`);
  }
  if (plan.remove.length > 0) {
    parts.push(`${cells(plan.remove.length)} of an earlier run removed`);
  }
  if (plan.edited > 0) {
    parts.push(`${cells(plan.edited)} you edited kept`);
  }
  return parts.length > 0 ? `${parts.join(', ')}.` : 'Already in the notebook.';
}

function cells(count: number): string {
  return count === 1 ? '1 cell' : `${count} cells`;
}
