/** What the kernel says on the comm. */

import { isRecord, readBundle, RunBundle } from './bundle';

/** Only shown, to be put below the cell that asked, or in place of the cell that ran `%lexsi insert`. */
export type Mode = 'show' | 'insert' | 'replace';

export interface RunMessage {
  readonly mode: Mode;
  /** Id of the cell that was running. */
  readonly anchor: string;
  readonly bundle: RunBundle;
}

/** When the cells of a run are proposed: on a click, or at once. */
export type Setting = 'click' | 'automatic';

/** Return the run that a message tells of, undefined where it is of a kind unknown here. */
export function readMessage(data: unknown): RunMessage | undefined {
  if (!isRecord(data) || data['type'] !== 'run' || typeof data['anchor'] !== 'string') {
    return undefined;
  }
  const { mode, anchor } = data;
  const bundle = readBundle(data);
  if (bundle === undefined || (mode !== 'show' && mode !== 'insert' && mode !== 'replace')) {
    return undefined;
  }
  return { mode, anchor, bundle };
}

/** Return whether the message puts cells into the notebook now. */
export function isAsked(message: RunMessage, setting: Setting): boolean {
  return message.bundle.cells.length > 0 && (message.mode !== 'show' || setting === 'automatic');
}
