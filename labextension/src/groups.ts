/** Which inserted cells a decision is about, worked out on plain values. */

import { isEdited, PresentCell, Provenance, readProvenance, together } from './provenance';

/** What one question left to decide, or all questions of a notebook; ids in the order of the cells. */
export interface Group {
  /** Cells that wait for a decision. */
  readonly proposed: readonly string[];
  /** Those of them whose step the user keeps an edit of. */
  readonly clashing: readonly string[];
  /** Those of them that the user edited. */
  readonly edited: readonly string[];
  /** Edited cells that stay although a later run proposes something else. */
  readonly kept: readonly string[];
  /** What *Accept and run all* runs: of a step with a kept edit, the edit. */
  readonly runnable: readonly string[];
}

interface Member {
  readonly cell: PresentCell;
  readonly mark: Provenance;
}

/** Return the cells to decide on; with `of` those of its question alone. */
export function groupOf(cells: readonly PresentCell[], of?: Provenance): Group {
  const members = membersOf(cells).filter(({ mark }) => of === undefined || together(mark, of));
  const proposed = members.filter(({ mark }) => mark.state === 'proposed');
  const kept = members.filter(({ mark }) => mark.state === 'kept');
  const clashing = proposed.filter(one => kept.some(other => sameStep(one, other)));
  const runnable = members.filter(
    one =>
      (one.mark.state === 'proposed' && !clashing.includes(one)) ||
      (one.mark.state === 'kept' && clashing.some(other => sameStep(one, other)))
  );
  return {
    proposed: ids(proposed),
    clashing: ids(clashing),
    edited: ids(proposed.filter(({ cell, mark }) => isEdited(cell.source, mark))),
    kept: ids(kept),
    runnable: ids(runnable)
  };
}

/** Return the ids of what *Accept all* accepts: a step with a kept edit waits for its own decision. */
export function acceptable({ proposed, clashing }: Group): string[] {
  return proposed.filter(id => !clashing.includes(id));
}

/** Return the ids of what *Discard all* takes out: never what the user edited. */
export function discardable({ proposed, edited }: Group): string[] {
  return proposed.filter(id => !edited.includes(id));
}

/** Return the cell that a later run proposes for the step of a kept one, as long as it is untouched. */
export function newOf(cells: readonly PresentCell[], kept: string): PresentCell | undefined {
  const members = membersOf(cells);
  const own = members.find(({ cell }) => cell.id === kept);
  return own === undefined
    ? undefined
    : members.find(
        one => one.mark.state !== 'kept' && sameStep(one, own) && !isEdited(one.cell.source, one.mark)
      )?.cell;
}

/** Return the kept cells of the step that a new one is proposed for. */
export function keptBeside(cells: readonly PresentCell[], id: string): PresentCell[] {
  const members = membersOf(cells);
  const own = members.find(({ cell }) => cell.id === id);
  return own === undefined
    ? []
    : members.filter(one => one.mark.state === 'kept' && sameStep(one, own)).map(({ cell }) => cell);
}

function membersOf(cells: readonly PresentCell[]): Member[] {
  return cells.flatMap(cell => {
    const mark = readProvenance(cell.metadata);
    return mark === undefined ? [] : [{ cell, mark }];
  });
}

function sameStep(one: Member, other: Member): boolean {
  return one !== other && one.mark.step === other.mark.step && together(one.mark, other.mark);
}

function ids(members: readonly Member[]): string[] {
  return members.map(({ cell }) => cell.id);
}
