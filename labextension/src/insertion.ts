/** Carries out a plan in an open notebook. */

import { NotebookPanel } from '@jupyterlab/notebook';
import { RunBundle } from './bundle';
import { isEmpty, Plan, planInsertion } from './plan';
import { METADATA_KEY } from './provenance';
import { presentCells, restate } from './review';
import { noteInsertion, oneStep } from './undo';

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
    return { remove: [], insert: [], keep: [], settle: [], edited: 0 };
  }
  const present = presentCells(panel);
  const leaves = where.instead === true && present[anchor] !== undefined;
  const plan = planInsertion(present, anchor, bundle, where.origin);
  if (!isEmpty(plan) || leaves) {
    oneStep(shared, () => {
      restate(shared, plan.keep, 'kept');
      restate(shared, plan.settle, 'accepted');
      plan.remove.forEach(index => shared.deleteCell(index));
      plan.insert.forEach(cell =>
        shared.insertCell(cell.at, {
          cell_type: 'code',
          source: cell.source,
          metadata: { [METADATA_KEY]: { ...cell.provenance } }
        })
      );
      // The list of cells follows when the step is done; what was put in stands below this cell.
      if (leaves && present.length - plan.remove.length + plan.insert.length > 1) {
        shared.deleteCell(anchor - plan.remove.filter(index => index < anchor).length);
      }
    });
    noteInsertion(shared);
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

/** Select a cell and bring it into view. */
export async function goTo(panel: NotebookPanel, id: string): Promise<void> {
  const { content } = panel;
  const index = content.widgets.findIndex(cell => cell.model.id === id);
  if (index >= 0) {
    content.deselectAll();
    content.activeCellIndex = index;
    content.mode = 'command';
    await content.scrollToItem(index, 'smart');
    content.widgets[index]?.node.focus();
  }
}
