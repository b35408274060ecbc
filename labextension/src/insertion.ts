/** Carries out a plan in an open notebook. */

import { NotebookPanel } from '@jupyterlab/notebook';
import { RunBundle } from './bundle';
import { Plan, planInsertion } from './plan';
import { METADATA_KEY } from './provenance';
import { presentCells } from './review';
import { oneStep } from './undo';

export interface Where {
  /** The cell that asked, where it is not the one at the anchor. */
  readonly origin?: string;
  /** Whether the cells take the place of the one at the anchor. */
  readonly instead?: boolean;
}

/** Put the run's cells below the cell at `anchor`, as one undoable step, and return what was done. Nothing is run. */
export function insertBelow(panel: NotebookPanel, anchor: number, bundle: RunBundle, where: Where = {}): Plan {
  const shared = panel.content.model?.sharedModel;
  if (shared === undefined) {
    return { remove: [], insert: [], edited: 0 };
  }
  const present = presentCells(panel);
  const leaves = where.instead === true ? present[anchor]?.id : undefined;
  const plan = planInsertion(present, anchor, bundle, where.origin);
  if (plan.remove.length + plan.insert.length > 0 || leaves !== undefined) {
    oneStep(shared, () => {
      plan.remove.forEach(index => shared.deleteCell(index));
      plan.insert.forEach(cell =>
        shared.insertCell(cell.at, {
          cell_type: 'code',
          source: cell.source,
          metadata: { [METADATA_KEY]: { ...cell.provenance } }
        })
      );
      // Cells that were put in just now have no id yet.
      const left = leaves === undefined ? -1 : shared.cells.findIndex(cell => cell.getId() === leaves);
      if (left >= 0 && shared.cells.length > 1) {
        shared.deleteCell(left);
      }
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
