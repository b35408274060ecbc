/** The parameters of a question as fields, and what the kernel answers with other values. */

import { button, fromKernel, isDark, make, unique } from './elements';
import { Frame, View } from './frame';
import { Fields, isFields, list, text } from './model';

export function controls(frame: Frame): View {
  return new ControlsView(frame);
}

interface Parameter {
  readonly input: HTMLInputElement;
  readonly asked: string;
}

class ControlsView implements View {
  readonly body = make('div');

  constructor(private readonly frame: Frame) {
    const form = make('div', 'lexsi-tools', { role: 'group', 'aria-label': 'Values' });
    for (const field of list(frame.state['fields']).filter(isFields)) {
      const name = text(field['name']);
      const id = unique('lexsi-field');
      const kind = text(field['kind']);
      const asked = text(field['asked']);
      const given = kind === 'number' ? { type: 'text', inputmode: 'decimal' } : { type: kind };
      const input = make('input', '', { id, ...given });
      input.addEventListener('keydown', event => {
        if (event.key === 'Enter') {
          void this.ask();
        }
      });
      input.addEventListener('input', () => this.compare());
      this.parameters.set(name, { input, asked });
      const about = make('span', 'lexsi-quiet', {}, `(${kind}; asked with ${asked})`);
      form.append(make('label', '', { for: id }, name, about), input);
    }
    form.append(this.run, this.reset);
    this.body.append(make('div', 'lexsi-title', {}, text(frame.state['title'])), form, this.answer);
    this.changed(frame.state);
    // Colours are known once the widget stands in the page.
    setTimeout(() => void frame.ask('look', { dark: isDark(this.body) }));
  }

  changed(state: Fields): void {
    for (const field of list(state['fields']).filter(isFields)) {
      const input = this.parameters.get(text(field['name']))?.input;
      if (input !== undefined && input !== document.activeElement) {
        input.value = text(field['value']);
      }
    }
    this.compare();
    this.answer.replaceChildren(fromKernel(text(state['html'])));
  }

  private compare(): void {
    this.reset.disabled = [...this.parameters.values()].every(({ input, asked }) => input.value === asked);
  }

  private async ask(): Promise<void> {
    if (this.run.disabled) {
      return;
    }
    this.run.disabled = true;
    const values = Object.fromEntries([...this.parameters].map(([name, { input }]) => [name, input.value]));
    const reply = await this.frame.ask('run', { values }, this.answer);
    this.run.disabled = false;
    if (reply !== undefined) {
      this.frame.announce(text(reply['answer']));
    }
  }

  private back(): void {
    for (const { input, asked } of this.parameters.values()) {
      input.value = asked;
    }
    void this.ask();
  }

  private readonly parameters = new Map<string, Parameter>();
  private readonly answer = make('div');
  private readonly run = button('Run', 'Ask the same question with these values', () => void this.ask());
  private readonly reset = button('Reset', 'Run with the values that were asked with', () => this.back());
}
