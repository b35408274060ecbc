/** Puts a run's cells into the notebook that its message is about. */

import type { NotebookPanel } from '@jupyterlab/notebook';
import type { RunBundle } from './bundle';
import { insertBelow, reveal } from './insertion';
import { bundleOf, cellOfRun } from './locate';
import type { RunMessage } from './message';
import type { Plan } from './plan';

/** Carry out a message: below the cell it names, wherever that is by now; undefined where it was deleted. */
export function carryOut(panel: NotebookPanel, message: RunMessage): Plan | undefined {
  const anchor = panel.content.widgets.findIndex(cell => cell.model.id === message.anchor);
  if (anchor < 0 || panel.content.model?.readOnly === true) {
    return undefined;
  }
  const asked = panel.content.widgets[cellOfRun(panel.content, message.bundle.run)]?.model.id;
  return message.mode === 'replace'
    ? insertBelow(panel, anchor, message.bundle, { origin: asked ?? message.anchor, instead: true })
    : insertBelow(panel, anchor, message.bundle);
}

/** Return the run that ran last, with the cell that shows it. */
export function lastRun(panel: NotebookPanel): { bundle: RunBundle; anchor: number } | undefined {
  let found: { bundle: RunBundle; anchor: number; count: number } | undefined;
  panel.content.widgets.forEach((cell, anchor) => {
    const bundle = bundleOf(cell);
    const shared = cell.model.sharedModel;
    const count = 'execution_count' in shared ? Number(shared.execution_count ?? 0) : 0;
    if (bundle !== undefined && (found === undefined || count >= found.count)) {
      found = { bundle, anchor, count };
    }
  });
  return found;
}

/** Insert the code of the last run below the cell that shows it. */
export function insertLast(panel: NotebookPanel): void {
  const last = lastRun(panel);
  if (last !== undefined) {
    void reveal(panel, insertBelow(panel, last.anchor, last.bundle));
  }
}
