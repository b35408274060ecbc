/** How the cells of a run stand in the notebook, worked out on plain values. */

import type { RunBundle } from './bundle';
import { digest, PresentCell, readProvenance } from './provenance';

export interface Standing {
  readonly proposed: number;
  /** Accepted and not run. */
  readonly accepted: number;
  readonly ran: number;
  readonly discarded: number;
  /** Edited cells that wait for the choice between them and what is proposed now. */
  readonly kept: number;
  /** Id of the first of the run's cells, where each of them stands in the notebook. */
  readonly first: string | undefined;
}

/** Return how the run's cells stand. `gone`: what was discarded since the page was loaded, as `run step`. */
export function standingOf(
  cells: readonly PresentCell[],
  bundle: RunBundle,
  origin: string,
  gone: ReadonlySet<string>
): Standing {
  const found = new Map<number, { cell: PresentCell; state: string }>();
  let kept = 0;
  let inserted = false;
  for (const cell of cells) {
    const mark = readProvenance(cell.metadata);
    if (mark === undefined || (mark.run !== bundle.run && (origin === '' || mark.origin !== origin))) {
      continue;
    }
    inserted ||= mark.run === bundle.run;
    const offered = digest(bundle.cells[mark.step - 1]?.source ?? '');
    if (mark.state === 'kept') {
      kept += 1;
    } else if (!found.has(mark.step) && (offered === mark.digest || offered === digest(cell.source))) {
      found.set(mark.step, { cell, state: mark.state });
    }
  }
  const standing = [...found.values()];
  const accepted = standing.filter(({ state }) => state === 'accepted');
  const missing = bundle.cells.map((_, at) => at + 1).filter(step => !found.has(step));
  const all = bundle.cells.length > 0 && missing.length === 0;
  return {
    proposed: standing.length - accepted.length,
    accepted: accepted.filter(({ cell }) => cell.ran !== true).length,
    ran: accepted.filter(({ cell }) => cell.ran === true).length,
    discarded: missing.filter(step => inserted || gone.has(`${bundle.run} ${step}`)).length,
    kept,
    first: all ? cells.find(cell => standing.some(one => one.cell === cell))?.id : undefined
  };
}
