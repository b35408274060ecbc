import { ILayoutRestorer, JupyterFrontEnd, JupyterFrontEndPlugin } from '@jupyterlab/application';
import { ICommandPalette } from '@jupyterlab/apputils';
import { IEditorLanguageRegistry } from '@jupyterlab/codemirror';
import { INotebookTracker, NotebookPanel } from '@jupyterlab/notebook';
import { IRenderMimeRegistry } from '@jupyterlab/rendermime';
import { ISettingRegistry } from '@jupyterlab/settingregistry';
import { MIME_TYPE } from './bundle';
import { KernelChannel } from './channel';
import { addCharts, drawCharts } from './charts';
import { addCommands, undoKey } from './commands';
import { NotebookFrames } from './frames';
import { followLate } from './lateoutputs';
import { addLive } from './live';
import { isAsked, Setting } from './message';
import { NotebookRuns } from './notebookruns';
import { addProgress } from './progress';
import { carryOut } from './proposing';
import { addLanguage, watchQuestions } from './prose';
import { Changes, RunWidget } from './renderer';
import { SideBar } from './sidebar';

// Before text/html (50), so that the line with the buttons is shown rather than the fallback.
const RANK = 0;
const ID = 'lexsi-nb-labextension:plugin';

const plugin: JupyterFrontEndPlugin<void> = {
  id: ID,
  description: 'Shows the code cells of a lexsi-nb run and proposes them below the cell that asked.',
  autoStart: true,
  requires: [IRenderMimeRegistry],
  optional: [INotebookTracker, ICommandPalette, ISettingRegistry, IEditorLanguageRegistry, ILayoutRestorer],
  activate: (
    app: JupyterFrontEnd,
    rendermime: IRenderMimeRegistry,
    tracker: INotebookTracker | null,
    palette: ICommandPalette | null,
    registry: ISettingRegistry | null,
    languages: IEditorLanguageRegistry | null,
    restorer: ILayoutRestorer | null
  ) => {
    const changes = new Changes();
    rendermime.addFactory(
      { safe: true, mimeTypes: [MIME_TYPE], createRenderer: () => new RunWidget(rendermime, tracker, changes) },
      RANK
    );
    addCharts(rendermime);
    drawCharts(rendermime);
    if (tracker === null) {
      return;
    }
    let settings: ISettingRegistry.ISettings | undefined;
    void registry?.load(ID).then(loaded => (settings = loaded));
    const insert = (): Setting => (settings?.get('insert').composite === 'automatic' ? 'automatic' : 'click');
    if (languages !== null) {
      addLanguage(languages);
    }
    const sideBar = new SideBar(app, tracker, restorer);
    const follow = (panel: NotebookPanel): void => {
      new NotebookFrames(panel, () => undoKey(app), () => changes.drawn.emit(panel));
      addLive(panel);
      addProgress(panel);
      followLate(panel);
      const channel = new KernelChannel(panel);
      channel.ran.connect((_, message) => {
        if (isAsked(message, insert())) {
          carryOut(panel, message);
        }
      });
      sideBar.follow(new NotebookRuns(panel, channel));
      if (languages !== null && settings?.get('prose').composite !== false) {
        watchQuestions(panel);
      }
    };
    tracker.forEach(follow);
    tracker.widgetAdded.connect((_, panel) => follow(panel));
    addCommands(app, tracker, palette, () => sideBar.show());
  }
};

export default plugin;
