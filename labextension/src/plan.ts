/** What *Insert* does to a notebook, worked out on plain values. */

import { CodeCell, RunBundle, isRecord } from './bundle';

export const METADATA_KEY = 'lexsi_nb';

/** Where an inserted cell came from. Kept in the cell's metadata. */
export interface Provenance {
  readonly run: string;
  /** Place among the run's cells, from 1. */
  readonly step: number;
  /** Id of the cell that asked: a second run of that cell replaces what the first left. */
  readonly origin: string;
  /** Digest of the source as it was inserted: tells whether the user edited the cell. */
  readonly digest: string;
}

/** A cell of the notebook, as far as the plan needs it. */
export interface PresentCell {
  readonly id: string;
  readonly source: string;
  readonly metadata: unknown;
}

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
export function planInsertion(present: readonly PresentCell[], anchor: number, bundle: RunBundle): Plan {
  const origin = present[anchor]?.id ?? '';
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
      const provenance = { run: bundle.run, step, origin, digest: digests[index] ?? '' };
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

/** Return the mark of an inserted cell, or undefined for any other cell. */
export function readProvenance(metadata: unknown): Provenance | undefined {
  const mark = isRecord(metadata) ? metadata[METADATA_KEY] : undefined;
  if (!isRecord(mark)) {
    return undefined;
  }
  const { run, step, origin, digest: made } = mark;
  if (typeof run !== 'string' || typeof step !== 'number' || typeof made !== 'string') {
    return undefined;
  }
  return { run, step, origin: typeof origin === 'string' ? origin : '', digest: made };
}

/** Return a short digest of the text (FNV-1a, 32 bits, with the length). It finds edits; it protects nothing. */
export function digest(text: string): string {
  let hash = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) {
    hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
  }
  return `${(hash >>> 0).toString(16).padStart(8, '0')}-${text.length}`;
}
