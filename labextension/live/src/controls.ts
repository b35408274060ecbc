/** The parameters of a question as fields, and what the kernel answers with other values. */

import { button, fromKernel, make, unique } from './elements';
import { Frame, View } from './frame';
import { Fields, isFields, list, text } from './model';

export function controls(frame: Frame): View {
  return new ControlsView(frame);
}

class ControlsView implements View {
  readonly body = make('div');

  constructor(private readonly frame: Frame) {
    const form = make('div', 'lexsi-tools', { role: 'group', 'aria-label': 'Values' });
    for (const field of list(frame.state['fields']).filter(isFields)) {
      const name = text(field['name']);
      const id = unique('lexsi-field');
      const kind = text(field['kind']);
      const given = kind === 'number' ? { type: 'text', inputmode: 'decimal' } : { type: kind };
      const input = make('input', '', { id, ...given });
      input.addEventListener('keydown', event => {
        if (event.key === 'Enter') {
          void this.ask();
        }
      });
      this.inputs.set(name, input);
      form.append(make('label', '', { for: id }, name), input);
    }
    form.append(this.run);
    this.body.append(make('div', 'lexsi-title', {}, text(frame.state['title'])), form, this.answer);
    this.changed(frame.state);
  }

  changed(state: Fields): void {
    for (const field of list(state['fields']).filter(isFields)) {
      const input = this.inputs.get(text(field['name']));
      if (input !== undefined) {
        input.value = text(field['value']);
      }
    }
    this.answer.replaceChildren(fromKernel(text(state['html'])));
  }

  private async ask(): Promise<void> {
    if (this.run.disabled) {
      return;
    }
    this.run.disabled = true;
    const values = Object.fromEntries([...this.inputs].map(([name, input]) => [name, input.value]));
    const reply = await this.frame.ask('run', { values });
    this.run.disabled = false;
    if (reply !== undefined) {
      this.frame.announce(text(reply['answer']));
    }
  }

  private readonly inputs = new Map<string, HTMLInputElement>();
  private readonly answer = make('div');
  private readonly run = button('Run', 'Ask the same question with these values', () => void this.ask());
}
