/** The recordings beside a notebook, from a kernel in which nothing of ours is loaded yet. */

import type { Kernel } from '@jupyterlab/services';
import { isRecord } from './bundle';
import { readRecorded, RunRecord } from './record';

const NAME = 'lexsi_nb';
/** Reads files; leaves no name, no output and no entry of the history. */
const LOOK = "__import__('lexsi_nb.magics.recorded', fromlist=['Recorded']).Recorded()";

/** Return the recordings of this notebook; none where the kernel is no Python, lacks the package, or goes away. */
export async function recordedIn(kernel: Kernel.IKernelConnection): Promise<readonly RunRecord[]> {
  try {
    if ((await kernel.info).language_info.name !== 'python') {
      return [];
    }
    const future = kernel.requestExecute({
      code: '',
      silent: true,
      store_history: false,
      allow_stdin: false,
      stop_on_error: false,
      user_expressions: { [NAME]: LOOK }
    });
    const { content } = await future.done;
    const expressions: unknown = content.status === 'ok' ? content.user_expressions : undefined;
    const found = isRecord(expressions) ? expressions[NAME] : undefined;
    const data = isRecord(found) ? found['data'] : undefined;
    return isRecord(data) ? readRecorded(data['application/json']) : [];
  } catch {
    return []; // the kernel was restarted or shut down before it answered
  }
}
