/** The steps of a run under way, with a clock on the last, and *Stop*. */

import { button, make } from './elements';
import { Frame, View } from './frame';
import { Fields, list, number, text } from './model';

export function progress(frame: Frame): View {
  const steps = make('ol', 'lexsi-steps');
  const clock = make('span');
  const writing = make('pre', 'lexsi-lines');
  const bar = make('div', 'lexsi-going', { role: 'progressbar', 'aria-label': 'Under way' });
  const stop = button('Stop', 'Stop the run; what was made so far is kept', () => void frame.ask('stop'));
  frame.tools.append(stop);
  let begun: number | undefined;
  const tick = (): void => {
    const seconds = begun === undefined ? 0 : Math.floor((performance.now() - begun) / 1000);
    clock.textContent = seconds < 1 ? '' : ` \u00b7 ${seconds} s`;
  };
  const changed = (state: Fields): void => {
    const lines = list(state['lines']).map(text);
    const going = typeof state['seconds'] === 'number';
    begun = going ? performance.now() - 1000 * number(state['seconds']) : undefined;
    const drawn = lines.map((line, at) => {
      const over = at < lines.length - 1 || !going;
      return make('li', over ? 'lexsi-over' : '', over ? {} : { 'aria-current': 'step' }, line);
    });
    drawn.at(-1)?.append(clock);
    tick();
    steps.replaceChildren(...drawn);
    writing.textContent = text(state['writing']);
    stop.disabled = state['stopping'] === true;
    stop.textContent = stop.disabled ? 'Stopping' : 'Stop';
  };
  changed(frame.state);
  const timer = setInterval(tick, 500);
  return { body: make('div', '', {}, steps, writing, bar), changed, dispose: () => clearInterval(timer) };
}
