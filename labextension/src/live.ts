/**
 * How a live widget stands in a cell: drawn by the widget manager while this kernel has its model, else the static
 * form of the same output. So nothing is blank and nothing says *model not found* where the notebook is opened again.
 */

import type { NotebookPanel } from '@jupyterlab/notebook';
import type { IRenderMime } from '@jupyterlab/rendermime-interfaces';
import type { Kernel } from '@jupyterlab/services';
import type { Message } from '@lumino/messaging';
import { Panel } from '@lumino/widgets';
import { isRecord } from './bundle';

export const LIVE = 'application/vnd.lexsi.live+json';
const VIEW = 'application/vnd.jupyter.widget-view+json';
const COMM_TARGET = 'jupyter.widget';
// Before text/html (50), which every live output has beside it.
const RANK = -20;
const GONE: readonly Kernel.Status[] = ['restarting', 'autorestarting', 'terminating', 'dead'];

/** Let the outputs of a notebook show live widgets. */
export function addLive(panel: NotebookPanel): void {
  panel.content.rendermime.addFactory(
    { safe: true, mimeTypes: [LIVE], createRenderer: () => new LiveOutput(panel) },
    RANK
  );
}

/** The widget that had the keyboard's focus when its output was taken away: what takes its place gets it back. */
let focused: string | undefined;

class LiveOutput extends Panel implements IRenderMime.IRenderer {
  constructor(private readonly notebook: NotebookPanel) {
    super();
    this.addClass('lexsi-Live');
    notebook.sessionContext.kernelChanged.connect(this.decide, this);
    notebook.sessionContext.statusChanged.connect(this.followStatus, this);
  }

  async renderModel(model: IRenderMime.IMimeModel): Promise<void> {
    this.model = model;
    this.shown = undefined;
    await this.decide();
  }

  override dispose(): void {
    if (!this.isDisposed) {
      this.notebook.sessionContext.kernelChanged.disconnect(this.decide, this);
      this.notebook.sessionContext.statusChanged.disconnect(this.followStatus, this);
      super.dispose();
    }
  }

  protected override onBeforeDetach(message: Message): void {
    super.onBeforeDetach(message);
    if (this.node.contains(document.activeElement)) {
      focused = modelId(this.model?.data[LIVE]);
    }
  }

  private followStatus(_: unknown, status: Kernel.Status): void {
    if (GONE.includes(status)) {
      void this.draw('static');
    }
  }

  private async decide(): Promise<void> {
    const id = modelId(this.model?.data[LIVE]);
    const kernel = this.notebook.sessionContext.session?.kernel;
    const canDraw = this.notebook.content.rendermime.mimeTypes.includes(VIEW) && this.model?.trusted === true;
    if (id === undefined || kernel === null || kernel === undefined || !canDraw) {
      await this.draw('static');
    } else if (kernel.hasComm(id)) {
      await this.draw('live');
    } else {
      // A page that was loaded again: the kernel may have the model still, and tells once it is free.
      await this.draw('static');
      void has(kernel, id).then(there => {
        if (there && !this.isDisposed && this.notebook.sessionContext.session?.kernel === kernel) {
          void this.draw('live');
        }
      });
    }
  }

  private async draw(form: 'live' | 'static'): Promise<void> {
    const model = this.model;
    if (model === undefined || this.shown === form) {
      return;
    }
    this.shown = form;
    for (const old of [...this.widgets]) {
      old.dispose();
    }
    const { rendermime } = this.notebook.content;
    if (focused !== undefined && focused === modelId(model.data[LIVE])) {
      focused = undefined;
      this.node.dataset['lexsiFocus'] = ''; // the widget takes it once it is drawn
    }
    const data =
      form === 'live'
        ? { [VIEW]: { version_major: 2, version_minor: 0, model_id: modelId(model.data[LIVE]) ?? '' } }
        : pick(model.data);
    const type = Object.keys(data)[0];
    if (type !== undefined) {
      const renderer = rendermime.createRenderer(type);
      this.addWidget(renderer);
      await renderer.renderModel(rendermime.createModel({ data, trusted: model.trusted }));
    }
  }

  private model: IRenderMime.IMimeModel | undefined;
  private shown: 'live' | 'static' | undefined;
}

function modelId(data: unknown): string | undefined {
  return isRecord(data) && data['version'] === 1 && typeof data['model_id'] === 'string' ? data['model_id'] : undefined;
}

function pick(data: IRenderMime.IMimeModel['data']): Record<string, IRenderMime.IMimeModel['data'][string]> {
  const type = ['text/html', 'text/plain'].find(t => t in data);
  return type === undefined ? {} : { [type]: data[type] ?? '' };
}

async function has(kernel: Kernel.IKernelConnection, id: string): Promise<boolean> {
  try {
    const { content } = await kernel.requestCommInfo({ target_name: COMM_TARGET });
    return content.status === 'ok' && id in content.comms;
  } catch {
    return false; // the kernel went away before it answered; the next one is asked in its turn
  }
}
