/** The comm by which a kernel tells of its runs. The extension greets, so that the kernel knows of it. */

import type { NotebookPanel } from '@jupyterlab/notebook';
import type { Kernel } from '@jupyterlab/services';
import { readMessage, RunMessage } from './message';

const TARGET = 'lexsi_nb';

/** Listen to the kernel of a notebook, also after another kernel was chosen; `heard` gets each run. */
export function listen(panel: NotebookPanel, heard: (message: RunMessage) => void): void {
  const follow = (kernel: Kernel.IKernelConnection | null | undefined): void => {
    if (kernel?.handleComms) {
      void attach(kernel, heard);
    }
  };
  panel.sessionContext.kernelChanged.connect((_, change) => follow(change.newValue));
  follow(panel.sessionContext.session?.kernel);
}

async function attach(kernel: Kernel.IKernelConnection, heard: (message: RunMessage) => void): Promise<void> {
  const answer = (comm: Kernel.IComm): void => {
    comm.onMsg = message => {
      const read = readMessage(message.content.data);
      if (read !== undefined) {
        heard(read);
      }
    };
    void greet(kernel);
  };
  kernel.registerCommTarget(TARGET, answer);
  // A page that was loaded again meets a kernel that opened its comm long ago.
  let known: Record<string, unknown> = {};
  try {
    const { content } = await kernel.requestCommInfo({ target_name: TARGET });
    known = content.status === 'ok' ? content.comms : {};
  } catch {
    return; // the kernel went away before it answered; the next one is attached in its turn
  }
  for (const id of Object.keys(known)) {
    if (!kernel.isDisposed && !kernel.hasComm(id)) {
      answer(kernel.createComm(TARGET, id));
    }
  }
}

/**
 * Greet by a comm of our own, which the kernel closes again. On a subshell, so that it does not wait behind *Run All*:
 * an answer on the kernel's comm would be handed to the shell that is busy with the cell.
 */
async function greet(kernel: Kernel.IKernelConnection): Promise<void> {
  await kernel.info;
  const comm = kernel.createComm(TARGET);
  const subshells = 'supportsSubshells' in kernel && kernel.supportsSubshells === true;
  if (subshells && 'subshellStarted' in comm) {
    await comm.subshellStarted;
  }
  if (!kernel.isDisposed && !comm.isDisposed) {
    comm.open({ version: 1 });
  }
}
