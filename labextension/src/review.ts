/** Carries out what the user decides on proposed cells. */

import { INotebookModel, NotebookActions, NotebookPanel } from '@jupyterlab/notebook';
import { acceptable, discardable, groupOf, keptBeside, newOf } from './groups';
import { digest, METADATA_KEY, PresentCell, Provenance, readProvenance, State } from './provenance';
import { oneStep } from './undo';

type SharedNotebook = INotebookModel['sharedModel'];

/** Steps that were discarded while this page is open, as `run step`: an undone insertion is told from them. */
const gone = new WeakMap<SharedNotebook, Set<string>>();

/** Return the cells of an open notebook as plain values. */
export function presentCells(panel: NotebookPanel): PresentCell[] {
  return plain(panel.content.model?.sharedModel);
}

function plain(shared: SharedNotebook | undefined): PresentCell[] {
  return (shared?.cells ?? []).map(cell => ({
    id: cell.getId(),
    source: cell.getSource(),
    metadata: cell.getMetadata(),
    ran: 'execution_count' in cell && typeof cell.execution_count === 'number'
  }));
}

/** Return which steps were discarded while this page is open, as `run step`. */
export function discardedIn(panel: NotebookPanel): ReadonlySet<string> {
  const shared = panel.content.model?.sharedModel;
  return (shared === undefined ? undefined : gone.get(shared)) ?? new Set();
}

/** Give inserted cells another state; part of a larger step. */
export function restate(shared: SharedNotebook, ids: readonly string[], state: State, made: Partial<Provenance> = {}): void {
  for (const cell of shared.cells) {
    const mark = ids.includes(cell.getId()) ? readProvenance(cell.getMetadata()) : undefined;
    if (mark !== undefined) {
      cell.setMetadata(METADATA_KEY, { ...mark, ...made, state });
    }
  }
}

/** Make proposed cells ordinary ones that keep their provenance. */
export function accept(panel: NotebookPanel, ids: readonly string[]): void {
  const shared = panel.content.model?.sharedModel;
  if (shared !== undefined && ids.length > 0) {
    oneStep(shared, () => restate(shared, ids, 'accepted'));
  }
}

/** Accept what one question proposes, or all of them, but for steps that the user keeps an edit of. */
export function acceptAll(panel: NotebookPanel, of?: Provenance): void {
  accept(panel, acceptable(groupOf(presentCells(panel), of)));
}

/** Accept cells and run them, top to bottom; the first that fails ends it, as in *Run All*. */
export async function acceptAndRun(panel: NotebookPanel, ids: readonly string[]): Promise<void> {
  accept(panel, ids);
  await run(panel, ids);
}

/** Accept and run what is proposed. Of a step that the user keeps an edit of, the edit is run, never the new one. */
export async function acceptAndRunAll(panel: NotebookPanel, of?: Provenance): Promise<void> {
  const group = groupOf(presentCells(panel), of);
  accept(panel, acceptable(group));
  await run(panel, group.runnable);
}

async function run(panel: NotebookPanel, ids: readonly string[]): Promise<void> {
  const cells = panel.content.widgets.filter(cell => ids.includes(cell.model.id));
  await NotebookActions.runCells(panel.content, cells, panel.sessionContext);
}

/** Take proposed cells out of the notebook again, as one undoable step; an edit kept beside one stands for its step. */
export function discard(panel: NotebookPanel, ids: readonly string[]): void {
  remove(panel, id => ids.includes(id), ['proposed']);
}

/** Take out what is proposed and was not edited. */
export function discardAll(panel: NotebookPanel, of?: Provenance): void {
  discard(panel, discardable(groupOf(presentCells(panel), of)));
}

/** Let a kept edit stand for its step: what was proposed for it goes. `offered`: what the run proposes now. */
export function keepMine(panel: NotebookPanel, kept: string, offered: string | undefined): void {
  const shared = panel.content.model?.sharedModel;
  const other = newOf(presentCells(panel), kept);
  if (shared === undefined) {
    return;
  }
  if (other !== undefined) {
    remove(panel, id => id === other.id, ['proposed', 'accepted']);
  } else {
    oneStep(shared, () => restate(shared, [kept], 'accepted', offered === undefined ? {} : { digest: digest(offered) }));
  }
}

/** Take what the run proposes in place of a kept edit. */
export function takeNew(panel: NotebookPanel, kept: string): void {
  const shared = panel.content.model?.sharedModel;
  const other = newOf(presentCells(panel), kept);
  if (shared === undefined || other === undefined) {
    return;
  }
  const index = shared.cells.findIndex(cell => cell.getId() === kept);
  oneStep(shared, () => {
    restate(shared, [other.id], 'accepted');
    shared.deleteCell(index);
  });
}

function remove(panel: NotebookPanel, chosen: (id: string) => boolean, states: readonly State[]): void {
  const shared = panel.content.model?.sharedModel;
  if (shared === undefined) {
    return;
  }
  const cells = plain(shared);
  const leaving = cells.flatMap((cell, index) => {
    const mark = chosen(cell.id) ? readProvenance(cell.metadata) : undefined;
    const beside = keptBeside(cells, cell.id).map(({ id }) => id);
    return mark !== undefined && states.includes(mark.state) ? [{ index, mark, beside }] : [];
  });
  const known = gone.get(shared) ?? new Set();
  gone.set(shared, known);
  oneStep(shared, () => {
    for (const { mark, beside } of leaving) {
      known.add(`${mark.run} ${mark.step}`);
      restate(shared, beside, 'accepted', { run: mark.run, steps: mark.steps, title: mark.title, digest: mark.digest });
    }
    // The list of cells follows when the step is done: indexes hold from the last on.
    leaving.reverse().forEach(({ index }) => shared.deleteCell(index));
  });
}
