/** The commands of the palette, all for the notebook in front. */

import type { JupyterFrontEnd } from '@jupyterlab/application';
import { ICommandPalette, InputDialog, MainAreaWidget } from '@jupyterlab/apputils';
import type { INotebookTracker, NotebookPanel } from '@jupyterlab/notebook';
import { OutputAreaModel, SimplifiedOutputArea } from '@jupyterlab/outputarea';
import { groupOf } from './groups';
import { insertLast, lastRun } from './proposing';
import { acceptAll, acceptAndRunAll, discardAll, presentCells } from './review';

const CATEGORY = 'lexsi';

export const CommandIds = {
  insertLast: 'lexsi-nb:insert-last',
  acceptAll: 'lexsi-nb:accept-all',
  acceptAndRunAll: 'lexsi-nb:accept-and-run-all',
  discardAll: 'lexsi-nb:discard-all',
  explain: 'lexsi-nb:explain',
  audit: 'lexsi-nb:audit',
  runs: 'lexsi-nb:show-runs'
} as const;

export function addCommands(
  app: JupyterFrontEnd,
  tracker: INotebookTracker,
  palette: ICommandPalette | null,
  showRuns: () => void
): void {
  const add = (
    id: string,
    label: string,
    act: (panel: NotebookPanel) => unknown,
    possible: (panel: NotebookPanel) => boolean
  ): void => {
    app.commands.addCommand(id, {
      label,
      execute: async () => {
        if (tracker.currentWidget !== null) {
          await act(tracker.currentWidget);
        }
      },
      isEnabled: () => tracker.currentWidget !== null && possible(tracker.currentWidget)
    });
    palette?.addItem({ command: id, category: CATEGORY });
  };
  const waiting = (panel: NotebookPanel): boolean => groupOf(presentCells(panel)).proposed.length > 0;
  const running = (panel: NotebookPanel): boolean => panel.sessionContext.session?.kernel != null;
  add(CommandIds.insertLast, 'Insert the code of the last run', insertLast, panel => lastRun(panel) !== undefined);
  add(CommandIds.acceptAll, 'Accept all proposed cells', panel => acceptAll(panel), waiting);
  add(
    CommandIds.acceptAndRunAll,
    'Accept and run all proposed cells',
    panel => acceptAndRunAll(panel),
    waiting
  );
  add(CommandIds.discardAll, 'Discard all proposed cells', panel => discardAll(panel), waiting);
  add(CommandIds.explain, 'Explain a case...', panel => explain(app, panel), running);
  add(CommandIds.audit, 'Open the audit log', panel => beside(app, panel, '%lexsi audit', 'lexsi: audit'), running);
  add(CommandIds.runs, 'Show the runs of this notebook', showRuns, () => true);
}

/** Return the key that undoes a change of cells, as the user has set it; empty where there is none. */
export function undoKey(app: JupyterFrontEnd): string {
  const binding = app.commands.keyBindings.find(({ command }) => command === 'notebook:undo-cell-action');
  return binding === undefined ? '' : binding.keys.join(', ').replaceAll(' ', '+');
}

async function explain(app: JupyterFrontEnd, panel: NotebookPanel): Promise<void> {
  const answer = await InputDialog.getText({ title: 'Explain which case?', label: 'Its id, as in the ranking' });
  const id = answer.button.accept ? (answer.value ?? '').replace(/\s+/g, ' ').trim() : '';
  if (id !== '') {
    beside(app, panel, `%lexsi explain ${id}`, `lexsi: ${id}`);
  }
}

/** Show what a line prints in a panel beside the notebook; no cell is added and none is counted. */
function beside(app: JupyterFrontEnd, panel: NotebookPanel, code: string, title: string): void {
  const kernel = panel.sessionContext.session?.kernel;
  if (!kernel) {
    return;
  }
  const content = new SimplifiedOutputArea({ model: new OutputAreaModel({ trusted: true }), rendermime: panel.content.rendermime });
  content.addClass('lexsi-Beside');
  content.future = kernel.requestExecute({ code, store_history: false, stop_on_error: false });
  const shown = new MainAreaWidget({ content });
  shown.title.label = title;
  shown.title.closable = true;
  app.shell.add(shown, 'main', { mode: 'split-right', ref: panel.id });
}
