/** Carries out a plan in an open notebook. */

import { NotebookPanel } from '@jupyterlab/notebook';
import { RunBundle } from './bundle';
import { Plan, planInsertion } from './plan';
import { METADATA_KEY } from './provenance';
import { oneStep } from './undo';

/** Put the run's cells below the cell at `anchor`, as one undoable step, and return what was done. Nothing is run. */
export function insertBelow(panel: NotebookPanel, anchor: number, bundle: RunBundle): Plan {
  const shared = panel.content.model?.sharedModel;
  if (shared === undefined) {
    return { remove: [], insert: [], edited: 0 };
  }
  const present = shared.cells.map(cell => ({
    id: cell.getId(),
    source: cell.getSource(),
    metadata: cell.getMetadata()
  }));
  const plan = planInsertion(present, anchor, bundle);
  if (plan.remove.length + plan.insert.length > 0) {
    oneStep(shared, () => {
      plan.remove.forEach(index => shared.deleteCell(index));
      plan.insert.forEach(cell =>
        shared.insertCell(cell.at, {
          cell_type: 'code',
          source: cell.source,
          metadata: { [METADATA_KEY]: { ...cell.provenance } }
        })
      );
    });
  }
  return plan;
}

/** Bring the first of the cells that a plan inserted into view; focus stays where it was. */
export async function reveal(panel: NotebookPanel, plan: Plan): Promise<void> {
  const first = plan.insert[0];
  if (first !== undefined) {
    await panel.content.scrollToItem(first.at, 'smart');
  }
}
