/** The side bar's tab with the run view, for the notebook in front. */

import type { ILayoutRestorer, JupyterFrontEnd } from '@jupyterlab/application';
import type { INotebookTracker, NotebookPanel } from '@jupyterlab/notebook';
import { LabIcon } from '@jupyterlab/ui-components';
import type { NotebookRuns } from './notebookruns';
import { RunView } from './runview';

const RANK = 450; // below the table of contents
const ICON = new LabIcon({
  name: 'lexsi-nb:runs',
  svgstr:
    '<svg xmlns="http://www.w3.org/2000/svg" width="16" viewBox="0 0 24 24"><g class="jp-icon3" fill="#616161">' +
    '<circle cx="5" cy="5" r="3"/><circle cx="5" cy="19" r="3"/><path d="M4 8h2v8H4zM11 4h10v2H11zM11 18h10v2H11zM11 11h7v2h-7z"/>' +
    '</g></svg>'
});

export class SideBar {
  private readonly known = new WeakMap<NotebookPanel, NotebookRuns>();
  private readonly view: RunView;
  private waiting = false;

  constructor(
    private readonly app: JupyterFrontEnd,
    private readonly tracker: INotebookTracker,
    restorer: ILayoutRestorer | null
  ) {
    this.view = new RunView(
      {
        toCell: id => this.goTo(id),
        toStep: (entry, step) => this.goTo(this.runs?.cellOfStep(entry, step) ?? entry.cell)
      },
      looks => this.look(looks)
    );
    this.view.title.icon = ICON;
    this.view.title.caption = 'Runs of lexsi in this notebook';
    app.shell.add(this.view, 'left', { rank: RANK });
    restorer?.add(this.view, this.view.id);
    tracker.currentChanged.connect(() => this.look(this.view.isVisible));
  }

  /** Follow the runs of a notebook that was opened. */
  follow(runs: NotebookRuns): void {
    this.known.set(runs.panel, runs);
    runs.changed.connect(() => this.later(runs));
    runs.panel.context.pathChanged.connect(() => this.later(runs));
    this.look(this.view.isVisible);
  }

  show(): void {
    this.app.shell.activateById(this.view.id);
  }

  private get runs(): NotebookRuns | undefined {
    const { currentWidget } = this.tracker;
    return currentWidget === null ? undefined : this.known.get(currentWidget);
  }

  /** Only the notebook in front is watched, and only while the view is open. */
  private look(looks: boolean): void {
    const { runs } = this;
    this.tracker.forEach(panel => {
      const known = this.known.get(panel);
      if (known !== undefined) {
        known.isWatched = looks && known === runs;
      }
    });
    if (looks) {
      this.draw();
    }
  }

  /** Many changes of one moment are drawn once, and none while nobody looks. */
  private later(runs: NotebookRuns): void {
    if (this.view.isVisible && runs === this.runs && !this.waiting) {
      this.waiting = true;
      window.requestAnimationFrame(() => {
        this.waiting = false;
        this.draw();
      });
    }
  }

  private draw(): void {
    const { runs } = this;
    const entries = runs?.entries ?? [];
    this.view.draw(
      runs && {
        notebook: runs.panel.context.path.replace(/^.*\//, ''),
        entries,
        approvals: runs.approvals(entries),
        current: runs.isCurrent,
        problem: runs.problem
      }
    );
  }

  private goTo(id: string): void {
    const panel = this.tracker.currentWidget;
    const at = panel?.content.widgets.findIndex(cell => cell.model.id === id) ?? -1;
    if (panel && at >= 0) {
      panel.content.deselectAll();
      panel.content.activeCellIndex = at;
      panel.content.mode = 'command';
      this.app.shell.activateById(panel.id);
      void panel.content.scrollToItem(at, 'smart');
    }
  }
}
