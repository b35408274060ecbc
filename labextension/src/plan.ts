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
  /** Ids of edited cells that stay although the run now proposes something else for their step. */
  readonly keep: readonly string[];
  /** Ids of kept cells that stand for their step again. */
  readonly settle: readonly string[];
  /** Cells of ours that stay as they are because the user edited them. */
  readonly edited: number;
}

/**
 * Return what puts the run's cells below the cell at `anchor`.
 *
 * A cell inserted earlier from the same cell or run is removed where it is untouched and no longer proposed, and
 * stays where it is still what the run proposes, so that its outputs stay too. An edited one is never removed; where
 * the run still proposes what it was edited from, or what it was edited to, it stands for that step and nothing is put
 * beside it. Else it is kept, apart from what is proposed now.
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
  const keep: string[] = [];
  const settle: string[] = [];
  let edited = 0;
  present.forEach((cell, index) => {
    const mark = readProvenance(cell.metadata);
    if (mark === undefined || index === anchor || (mark.run !== bundle.run && mark.origin !== origin)) {
      return;
    }
    const now = digest(cell.source);
    const offered = proposed[mark.step - 1];
    if (offered === mark.digest || offered === now) {
      standing.set(mark.step, standing.get(mark.step) ?? index);
      settle.push(...(mark.state === 'kept' ? [cell.id] : []));
    } else if (now === mark.digest) {
      remove.push(index);
    } else if (mark.state !== 'kept' && (offered !== undefined || mark.state === 'proposed')) {
      keep.push(cell.id);
    }
    edited += now === mark.digest ? 0 : 1;
  });
  const insert = place(bundle, proposed, anchor, origin, standing, remove);
  return { remove: remove.reverse(), insert, keep, settle, edited };
}

/** Return whether the plan leaves the notebook as it is. */
export function isEmpty({ remove, insert, keep, settle }: Plan): boolean {
  return remove.length + insert.length + keep.length + settle.length === 0;
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
      const provenance: Provenance = {
        run: bundle.run,
        step,
        steps: bundle.cells.length,
        title: cell.title,
        origin,
        digest: digests[index] ?? '',
        state: 'proposed'
      };
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
