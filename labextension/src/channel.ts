/** The comm by which a kernel tells of its runs. The extension greets, so that the kernel knows of it. */

import type { NotebookPanel } from '@jupyterlab/notebook';
import type { Kernel } from '@jupyterlab/services';
import type { JSONObject } from '@lumino/coreutils';
import { Signal } from '@lumino/signaling';
import { readMessage, RunMessage } from './message';
import { KernelState, readState } from './record';

const TARGET = 'lexsi_nb';

/** Listens to the kernel of a notebook, also after another kernel was chosen. */
export class KernelChannel {
  /** A run ended. */
  readonly ran = new Signal<this, RunMessage>(this);
  /** The kernel said what holds now; undefined: it is gone, or knows of no runs. */
  readonly said = new Signal<this, KernelState | undefined>(this);
  /** A kernel listens from now on. */
  readonly opened = new Signal<this, void>(this);
  private kernel: Kernel.IKernelConnection | undefined;

  constructor(panel: NotebookPanel) {
    const follow = (kernel: Kernel.IKernelConnection | null | undefined): void => {
      this.lost();
      if (kernel?.handleComms) {
        void this.attach(kernel);
      }
    };
    panel.sessionContext.kernelChanged.connect((_, change) => follow(change.newValue));
    panel.sessionContext.statusChanged.connect((_, status) => {
      if (status === 'restarting' || status === 'autorestarting' || status === 'dead') {
        this.lost();
      }
    });
    panel.disposed.connect(() => Signal.clearData(this));
    follow(panel.sessionContext.session?.kernel);
  }

  /** Whether a kernel that knows of runs is connected. */
  get isOpen(): boolean {
    return this.kernel !== undefined && !this.kernel.isDisposed;
  }

  /** Ask what holds in the kernel now; the answer comes by `said`. */
  ask(): void {
    if (this.kernel !== undefined && !this.kernel.isDisposed) {
      void greet(this.kernel, { version: 1, ask: 'state' });
    }
  }

  private lost(): void {
    this.kernel = undefined;
    this.said.emit(undefined);
  }

  private async attach(kernel: Kernel.IKernelConnection): Promise<void> {
    const answer = (comm: Kernel.IComm): void => {
      comm.onMsg = message => this.read(message.content.data);
      comm.onClose = () => this.lost();
      void greet(kernel, { version: 1 });
      this.kernel = kernel;
      this.opened.emit();
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

  private read(data: unknown): void {
    const run = readMessage(data);
    const state = readState(data);
    if (run !== undefined) {
      this.ran.emit(run);
    }
    if (state !== undefined) {
      this.said.emit(state);
    }
  }
}

/**
 * Greet by a comm of our own, which the kernel closes again. On a subshell, so that it does not wait behind *Run All*:
 * an answer on the kernel's comm would be handed to the shell that is busy with the cell.
 */
async function greet(kernel: Kernel.IKernelConnection, words: JSONObject): Promise<void> {
  await kernel.info;
  const comm = kernel.createComm(TARGET);
  const subshells = 'supportsSubshells' in kernel && kernel.supportsSubshells === true;
  if (subshells && 'subshellStarted' in comm) {
    await comm.subshellStarted;
  }
  if (!kernel.isDisposed && !comm.isDisposed) {
    comm.open(words);
  }
}
