import type { JupyterFrontEnd, JupyterFrontEndPlugin } from '@jupyterlab/application';
import { INotebookTracker, NotebookPanel } from '@jupyterlab/notebook';
import { IRenderMimeRegistry } from '@jupyterlab/rendermime';
import { MIME_TYPE } from './bundle';
import { NotebookFrames } from './frames';
import { RunWidget } from './renderer';

// Before text/html (50), so that the line with the buttons is shown rather than the fallback.
const RANK = 0;

const plugin: JupyterFrontEndPlugin<void> = {
  id: 'lexsi-nb-labextension:plugin',
  description: 'Shows the code cells of a lexsi-nb run and inserts them on request.',
  autoStart: true,
  requires: [IRenderMimeRegistry],
  optional: [INotebookTracker],
  activate: (_app: JupyterFrontEnd, rendermime: IRenderMimeRegistry, tracker: INotebookTracker | null) => {
    rendermime.addFactory(
      { safe: true, mimeTypes: [MIME_TYPE], createRenderer: () => new RunWidget(rendermime, tracker) },
      RANK
    );
    const follow = (panel: NotebookPanel): void => void new NotebookFrames(panel);
    tracker?.forEach(follow);
    tracker?.widgetAdded.connect((_, panel) => follow(panel));
  }
};

export default plugin;
