/** What is the same of everything that a person decides once: whether it is open, what was said, *Stop* while it works. */

import { button, make } from './elements';
import { Frame } from './frame';
import { Fields, list, text } from './model';

export type Phase = 'open' | 'working' | 'done';

export class Decided {
  /** What came of it, and the lines of the run under way. */
  readonly body: HTMLElement;

  constructor(private readonly frame: Frame) {
    this.body = make('div', '', {}, this.said, this.lines);
    this.stop.hidden = true;
    frame.tools.append(this.stop);
    // The output was drawn again while it had the keyboard's focus.
    requestAnimationFrame(() => {
      const output = this.body.closest<HTMLElement>('[data-lexsi-focus]');
      if (output !== null) {
        delete output.dataset['lexsiFocus'];
        this.said.focus();
      }
    });
  }

  /** Take new state: what may be used says `controls`. The focus goes to what was said where a control loses it. */
  changed(state: Fields, controls: readonly (HTMLInputElement | HTMLButtonElement | HTMLTextAreaElement)[]): Phase {
    const phase = phaseOf(state);
    const focused = controls.some(control => control === document.activeElement);
    for (const control of controls) {
      control.disabled = phase !== 'open';
    }
    const words = text(state['said']);
    if (words !== this.said.textContent) {
      this.said.textContent = words;
    }
    this.said.className = phase === 'done' ? 'lexsi-decided' : phase === 'open' ? 'lexsi-warning' : 'lexsi-said';
    this.lines.textContent = list(state['lines']).map(text).join('\n');
    this.lines.hidden = this.lines.textContent === '';
    this.stop.hidden = phase !== 'working';
    if (focused && phase !== 'open') {
      this.said.focus();
    }
    return phase;
  }

  private readonly said = make('div', 'lexsi-said', { role: 'status', tabindex: '-1' });
  private readonly lines = make('pre', 'lexsi-lines');
  private readonly stop = button('Stop', 'Stop the run; what was made so far is kept', () => {
    void this.frame.ask('stop');
  });
}

export function phaseOf(state: Fields): Phase {
  const phase = text(state['phase']);
  return phase === 'working' || phase === 'done' ? phase : 'open';
}
