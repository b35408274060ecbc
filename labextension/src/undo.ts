/** Makes a change of the notebook one step of its history. */

import type { INotebookModel } from '@jupyterlab/notebook';
import { isRecord } from './bundle';

/** Carry out `change` so that one undo takes all of it back, and nothing that was typed just before or after. */
export function oneStep(shared: INotebookModel['sharedModel'], change: () => void): void {
  separate(shared);
  shared.transact(change);
  separate(shared);
}

interface UndoManager {
  stopCapturing(): void;
}

// Yjs joins changes within half a second into one undo step. The shared-notebook interface has no name for its undo
// manager, the only implementation has: https://github.com/jupyter-server/jupyter_ydoc
function separate(shared: object): void {
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

/** The history's newest step right after cells were inserted. */
const inserted = new WeakMap<object, object>();

/** Note that the newest step of the history put cells in. */
export function noteInsertion(shared: object): void {
  const newest = newestStep(shared);
  if (newest !== undefined) {
    inserted.set(shared, newest);
  }
}

/** Return whether one undo takes away the cells that were inserted last. */
export function takesBack(shared: object): boolean {
  const newest = newestStep(shared);
  return newest !== undefined && inserted.get(shared) === newest;
}

function newestStep(shared: object): object | undefined {
  const manager: unknown = 'undoManager' in shared ? shared.undoManager : undefined;
  const steps: unknown = isRecord(manager) ? manager['undoStack'] : undefined;
  const newest: unknown = Array.isArray(steps) ? steps.at(-1) : undefined;
  return isRecord(newest) ? newest : undefined;
}
