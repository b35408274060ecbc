/** Finds the notebook and the cell that a run's output belongs to. */

import { INotebookTracker, Notebook, NotebookPanel } from '@jupyterlab/notebook';
import { isRecord, MIME_TYPE, readBundle } from './bundle';

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

function cellOfRun(notebook: Notebook, run: string): number {
  return notebook.widgets.findIndex(cell => {
    const saved: unknown = cell.model.sharedModel.toJSON();
    const outputs = isRecord(saved) && Array.isArray(saved['outputs']) ? (saved['outputs'] as readonly unknown[]) : [];
    return outputs.some(output => {
      const data = isRecord(output) ? output['data'] : undefined;
      return isRecord(data) && readBundle(data[MIME_TYPE])?.run === run;
    });
  });
}
