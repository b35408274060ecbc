/**
 * What a click came to in a cell that had ended before this page was loaded. The kernel tells it as outputs of the
 * message that ran the cell, which Lab follows only on the page that sent it.
 */

import type { Cell, CodeCell } from '@jupyterlab/cells';
import type { NotebookPanel } from '@jupyterlab/notebook';
import type { IOutputAreaModel } from '@jupyterlab/outputarea';
import type { KernelMessage } from '@jupyterlab/services';
import { isRecord } from './bundle';
import { LIVE } from './live';

/** Put such outputs into their cells, from now on. */
export function followLate(panel: NotebookPanel): void {
  const late = new LateOutputs(panel);
  panel.sessionContext.iopubMessage.connect((_, message) => late.take(message));
}

class LateOutputs {
  constructor(private readonly panel: NotebookPanel) {}

  take(message: KernelMessage.IMessage): void {
    const { msg_type: type } = message.header;
    const id = 'msg_id' in message.parent_header ? message.parent_header.msg_id : '';
    if ((type !== 'display_data' && type !== 'clear_output') || id === '') {
      return;
    }
    const outputs = this.outputsOf(id);
    if (outputs === undefined || outputs.isDisposed) {
      return;
    }
    if (type === 'clear_output') {
      // The cell is found by what it shows, which the first output after this takes away.
      this.known.set(id, outputs);
      outputs.clear(true);
    } else {
      const { data, metadata } = (message as KernelMessage.IMessage as KernelMessage.IDisplayDataMsg).content;
      outputs.add({ output_type: 'display_data', data, metadata });
    }
  }

  private outputsOf(id: string): IOutputAreaModel | undefined {
    const known = this.known.get(id);
    if (known !== undefined) {
      return known;
    }
    const cell = this.panel.content.widgets.filter(isCode).find(c => shows(c.model.outputs, id));
    const future = cell?.outputArea.future as CodeCell['outputArea']['future'] | undefined | null;
    return future?.msg.header.msg_id === id ? undefined : cell?.model.outputs;
  }

  private readonly known = new Map<string, IOutputAreaModel>();
}

function isCode(cell: Cell): cell is CodeCell {
  return cell.model.type === 'code';
}

function shows(outputs: IOutputAreaModel, id: string): boolean {
  for (let at = 0; at < outputs.length; at++) {
    const data: unknown = outputs.get(at).data[LIVE];
    if (isRecord(data) && data['message'] === id) {
      return true;
    }
  }
  return false;
}
