/**
 * Progress of a run in a kernel that hears no click beside the running cell (ipykernel 6, JupyterLab before 4.4): the
 * lines, and *Stop*, which interrupts the kernel of the notebook as its own stop button does.
 */

import type { NotebookPanel } from '@jupyterlab/notebook';
import type { IRenderMime } from '@jupyterlab/rendermime-interfaces';
import { Widget } from '@lumino/widgets';
import { isRecord } from './bundle';
import { button, element, ownKeys } from './elements';

export const PROGRESS = 'application/vnd.lexsi.progress+json';
// Before text/plain (100), which the output has beside it.
const RANK = -20;

/** Let the outputs of a notebook show progress. */
export function addProgress(panel: NotebookPanel): void {
  panel.content.rendermime.addFactory(
    { safe: true, mimeTypes: [PROGRESS], createRenderer: () => new ProgressOutput(panel) },
    RANK
  );
}

class ProgressOutput extends Widget implements IRenderMime.IRenderer {
  private readonly steps = element('ol', 'lexsi-Progress-steps');
  private readonly writing = element('pre', 'lexsi-Progress-writing');
  private readonly clock = element('span', 'lexsi-Progress-clock');
  private readonly stop = button('Stop', 'Stop the run; what was made so far is kept', () => void this.interrupt());
  private begun: number | undefined;
  private readonly timer = window.setInterval(() => this.tick(), 500);

  constructor(private readonly notebook: NotebookPanel) {
    super();
    this.addClass('lexsi-Progress');
    this.node.setAttribute('role', 'group');
    this.node.setAttribute('aria-label', 'Run under way');
    const line = element('div', 'lexsi-Progress-line');
    ownKeys(line);
    line.append(this.stop);
    this.node.append(this.steps, this.writing, line);
    notebook.sessionContext.statusChanged.connect(this.follow, this);
    this.follow();
  }

  /** Called again for each change of the same output: *Stop* stays the same button. */
  renderModel(model: IRenderMime.IMimeModel): Promise<void> {
    const data: unknown = model.data[PROGRESS];
    const fields = isRecord(data) && data['version'] === 1 ? data : {};
    const lines: readonly unknown[] = Array.isArray(fields['lines']) ? (fields['lines'] as readonly unknown[]) : [];
    const { seconds, writing } = fields;
    this.begun = typeof seconds === 'number' ? performance.now() - 1000 * seconds : undefined;
    const drawn = lines.map(line => element('li', 'lexsi-Progress-step', typeof line === 'string' ? line : ''));
    drawn.at(-1)?.append(this.clock);
    this.steps.replaceChildren(...drawn);
    this.writing.textContent = typeof writing === 'string' ? writing : '';
    this.tick();
    return Promise.resolve();
  }

  override dispose(): void {
    if (!this.isDisposed) {
      window.clearInterval(this.timer);
      this.notebook.sessionContext.statusChanged.disconnect(this.follow, this);
      super.dispose();
    }
  }

  /** A saved output, or one whose kernel is gone, has nothing to stop. */
  private follow(): void {
    this.stop.hidden = this.notebook.sessionContext.session?.kernel?.status !== 'busy';
  }

  private tick(): void {
    const seconds = this.begun === undefined ? 0 : Math.floor((performance.now() - this.begun) / 1000);
    this.clock.textContent = seconds < 1 || this.stop.hidden ? '' : ` \u00b7 ${seconds} s`;
  }

  private async interrupt(): Promise<void> {
    this.stop.disabled = true;
    this.stop.textContent = 'Stopping';
    try {
      await this.notebook.sessionContext.session?.kernel?.interrupt();
    } catch {
      this.stop.disabled = false; // the server did not answer: it can be tried again
      this.stop.textContent = 'Stop';
    }
  }
}
