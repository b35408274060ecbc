/** The mark that an inserted cell carries in its metadata. */

import { isRecord } from './bundle';

export const METADATA_KEY = 'lexsi_nb';

export type State = 'proposed' | 'accepted' | 'kept';

/** Where an inserted cell came from. */
export interface Provenance {
  readonly run: string;
  /** Place among the run's cells, from 1. */
  readonly step: number;
  /** How many cells the run has, 0 where that was not noted. */
  readonly steps: number;
  /** What the step does, empty where that was not noted. */
  readonly title: string;
  /** Id of the cell that asked: a second run of that cell replaces what the first left. */
  readonly origin: string;
  /** Digest of the source as it was inserted: tells whether the user edited the cell. */
  readonly digest: string;
  /**
   * Proposed until the user accepts it; only then it is a cell like any other. Kept: the user edited it, and a later
   * run proposes something else for its step.
   */
  readonly state: State;
}

/** A cell of the notebook, as far as its provenance matters. */
export interface PresentCell {
  readonly id: string;
  readonly source: string;
  readonly metadata: unknown;
  /** Whether it was run. */
  readonly ran?: boolean;
}

/** Return the mark of an inserted cell, or undefined for any other cell. A mark without a state is an accepted one. */
export function readProvenance(metadata: unknown): Provenance | undefined {
  const mark = isRecord(metadata) ? metadata[METADATA_KEY] : undefined;
  if (!isRecord(mark)) {
    return undefined;
  }
  const { run, step, origin, digest: made, steps, title, state } = mark;
  if (typeof run !== 'string' || typeof step !== 'number' || typeof made !== 'string') {
    return undefined;
  }
  return {
    run,
    step,
    steps: typeof steps === 'number' ? steps : 0,
    title: typeof title === 'string' ? title : '',
    origin: typeof origin === 'string' ? origin : '',
    digest: made,
    state: state === 'proposed' || state === 'kept' ? state : 'accepted'
  };
}

/** Return whether two cells were proposed by the same question: one cell that asked, else one run. */
export function together(one: Provenance, other: Provenance): boolean {
  return one.origin !== '' ? one.origin === other.origin : one.run === other.run;
}

/** Return whether the source is no longer what was inserted. */
export function isEdited(source: string, mark: Provenance): boolean {
  return digest(source) !== mark.digest;
}

/** Return a short digest of the text (FNV-1a, 32 bits, with the length). It finds edits; it protects nothing. */
export function digest(text: string): string {
  let hash = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) {
    hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
  }
  return `${(hash >>> 0).toString(16).padStart(8, '0')}-${text.length}`;
}
