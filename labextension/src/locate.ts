/** Finds the notebook and the cell that a run's output belongs to. */

import type { Cell } from '@jupyterlab/cells';
import { INotebookTracker, Notebook, NotebookPanel } from '@jupyterlab/notebook';
import { isRecord, MIME_TYPE, readBundle, RunBundle } from './bundle';

export interface Place {
  readonly panel: NotebookPanel;
  /** Index of the cell that asked. */
  readonly anchor: number;
}

/** Return where the output stands: by its element, else by the run's id in the outputs of the open notebooks. */
export function locate(tracker: INotebookTracker, element: HTMLElement, run: string): Place | undefined {
  const panels: NotebookPanel[] = [];
  tracker.forEach(panel => panels.push(panel));
  for (const panel of panels) {
    const anchor = panel.content.widgets.findIndex(cell => cell.node.contains(element));
    if (anchor >= 0) {
      return { panel, anchor };
    }
  }
  // The output is shown outside its cell, as by "Create New View for Cell Output".
  for (const panel of panels) {
    const anchor = cellOfRun(panel.content, run);
    if (anchor >= 0) {
      return { panel, anchor };
    }
  }
  return undefined;
}

/** Return the index of the cell whose output holds the run, -1 where none does. */
export function cellOfRun(notebook: Notebook, run: string): number {
  return notebook.widgets.findIndex(cell => bundleOf(cell)?.run === run);
}

/** Return the run in the output of a cell. */
export function bundleOf(cell: Cell): RunBundle | undefined {
  const shared = cell.model.sharedModel;
  const outputs = 'outputs' in shared && Array.isArray(shared.outputs) ? (shared.outputs as readonly unknown[]) : [];
  for (const output of outputs) {
    const data = isRecord(output) ? output['data'] : undefined;
    const bundle = isRecord(data) ? readBundle(data[MIME_TYPE], data['text/html']) : undefined;
    if (bundle !== undefined) {
      return bundle;
    }
  }
  return undefined;
}
