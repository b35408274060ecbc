/** What *Insert* does to a notebook, worked out on plain values. */

import { CodeCell, RunBundle } from './bundle';
import { digest, PresentCell, Provenance, readProvenance } from './provenance';

export interface NewCell {
  /** Index at which the cell goes in, once the removals are done and the insertions before it are made. */
  readonly at: number;
  readonly source: string;
  readonly provenance: Provenance;
}

export interface Plan {
  /** Indexes to remove, last first. */
  readonly remove: readonly number[];
  /** Cells to insert, in this order. */
  readonly insert: readonly NewCell[];
  /** Cells of ours that stay as they are because the user edited them. */
  readonly edited: number;
}

/**
 * Return what puts the run's cells below the cell at `anchor`.
 *
 * A cell inserted earlier from the same cell or run is removed where it is untouched and no longer proposed, and
 * stays where it is still what the run proposes, so that its outputs stay too. An edited one is never removed; where
 * the run still proposes what it was edited from, it stands for that step and nothing is put beside it.
 */
export function planInsertion(
  present: readonly PresentCell[],
  anchor: number,
  bundle: RunBundle,
  origin = present[anchor]?.id ?? ''
): Plan {
  const proposed = bundle.cells.map(cell => digest(cell.source));
  const standing = new Map<number, number>(); // step -> index of the cell that stands for it
  const remove: number[] = [];
  let edited = 0;
  present.forEach((cell, index) => {
    const mark = readProvenance(cell.metadata);
    if (mark === undefined || index === anchor || (mark.run !== bundle.run && mark.origin !== origin)) {
      return;
    }
    const untouched = digest(cell.source) === mark.digest;
    if (proposed[mark.step - 1] === mark.digest) {
      standing.set(mark.step, standing.get(mark.step) ?? index);
    } else if (untouched) {
      remove.push(index);
    }
    edited += untouched ? 0 : 1;
  });
  return { remove: remove.reverse(), insert: place(bundle, proposed, anchor, origin, standing, remove), edited };
}

function place(
  bundle: RunBundle,
  digests: readonly string[],
  anchor: number,
  origin: string,
  standing: ReadonlyMap<number, number>,
  removed: readonly number[]
): NewCell[] {
  const insert: NewCell[] = [];
  const settled = (index: number): number => index - removed.filter(gone => gone < index).length;
  let at = settled(anchor) + 1;
  bundle.cells.forEach((cell: CodeCell, index: number) => {
    const step = index + 1;
    const there = standing.get(step);
    if (there === undefined) {
      const provenance: Provenance = { run: bundle.run, step, origin, digest: digests[index] ?? '', state: 'proposed' };
      insert.push({ at, source: cell.source, provenance });
      at += 1;
    } else {
      // Cells inserted so far stand before it, unless the user moved it above them.
      const now = settled(there) + insert.length;
      at = now >= at ? now + 1 : at;
    }
  });
  return insert;
}
