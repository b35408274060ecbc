/** The lines of a run under way, and *Stop*. */

import { button, make } from './elements';
import { Frame, View } from './frame';
import { Fields, list, text } from './model';

export function progress(frame: Frame): View {
  const lines = make('pre', 'lexsi-lines');
  const stop = button('Stop', 'Stop the run; what was made so far is kept', () => void frame.ask('stop'));
  frame.tools.append(stop);
  const changed = (state: Fields): void => {
    lines.textContent = list(state['lines']).map(text).join('\n');
    stop.disabled = state['stopping'] === true;
    stop.textContent = stop.disabled ? 'Stopping' : 'Stop';
  };
  changed(frame.state);
  return { body: lines, changed };
}
