/** Carries out a plan in an open notebook. */

import { NotebookPanel } from '@jupyterlab/notebook';
import { RunBundle } from './bundle';
import { METADATA_KEY, Plan, planInsertion } from './plan';

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
    separateUndo(shared);
    shared.transact(() => {
      plan.remove.forEach(index => shared.deleteCell(index));
      plan.insert.forEach(cell =>
        shared.insertCell(cell.at, {
          cell_type: 'code',
          source: cell.source,
          metadata: { [METADATA_KEY]: { ...cell.provenance } }
        })
      );
    });
    separateUndo(shared);
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

interface UndoManager {
  stopCapturing(): void;
}

// Yjs joins changes within half a second into one undo step. The shared-notebook interface has no name for its undo
// manager, the only implementation has: https://github.com/jupyter-server/jupyter_ydoc
function separateUndo(shared: object): void {
  const manager: unknown = 'undoManager' in shared ? shared.undoManager : undefined;
  if (isUndoManager(manager)) {
    manager.stopCapturing();
  }
}

function isUndoManager(value: unknown): value is UndoManager {
  return (
    typeof value === 'object' &&
    value !== null &&
    'stopCapturing' in value &&
    typeof value.stopCapturing === 'function'
  );
}
