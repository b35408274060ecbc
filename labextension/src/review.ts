/** Carries out what the user decides on proposed cells. */

import { NotebookActions, NotebookPanel } from '@jupyterlab/notebook';
import { METADATA_KEY, PresentCell, proposed, readProvenance } from './provenance';
import { oneStep } from './undo';

/** Return the cells of an open notebook as plain values. */
export function presentCells(panel: NotebookPanel): PresentCell[] {
  const shared = panel.content.model?.sharedModel;
  return (shared?.cells ?? []).map(cell => ({
    id: cell.getId(),
    source: cell.getSource(),
    metadata: cell.getMetadata()
  }));
}

/** Make proposed cells ordinary ones that keep their provenance. */
export function accept(panel: NotebookPanel, ids: readonly string[]): void {
  const shared = panel.content.model?.sharedModel;
  if (shared === undefined) {
    return;
  }
  oneStep(shared, () => {
    for (const cell of shared.cells) {
      const mark = readProvenance(cell.getMetadata());
      if (mark?.state === 'proposed' && ids.includes(cell.getId())) {
        cell.setMetadata(METADATA_KEY, { ...mark, state: 'accepted' });
      }
    }
  });
}

/** Accept cells and run them, top to bottom; the first that fails ends it, as in *Run All*. */
export async function acceptAndRun(panel: NotebookPanel, ids: readonly string[]): Promise<void> {
  accept(panel, ids);
  const cells = panel.content.widgets.filter(cell => ids.includes(cell.model.id));
  await NotebookActions.runCells(panel.content, cells, panel.sessionContext);
}

/** Take proposed cells out of the notebook again, as one undoable step. */
export function discard(panel: NotebookPanel, ids: readonly string[]): void {
  const shared = panel.content.model?.sharedModel;
  if (shared === undefined) {
    return;
  }
  oneStep(shared, () => {
    for (let index = shared.cells.length - 1; index >= 0; index--) {
      const cell = shared.cells[index];
      if (cell !== undefined && ids.includes(cell.getId()) && readProvenance(cell.getMetadata())?.state === 'proposed') {
        shared.deleteCell(index);
      }
    }
  });
}

/** Return the ids of every proposed cell of the notebook. */
export function allProposed(panel: NotebookPanel): string[] {
  return proposed(presentCells(panel));
}
