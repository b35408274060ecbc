/** A case's values as fields; what the kernel says of the score with other ones. */

import { button, fromKernel, make, unique } from './elements';
import { Frame, View } from './frame';
import { Fields, isFields, list, text } from './model';

export interface Field {
  readonly feature: string;
  readonly kind: string; // number | date | word | truth
  readonly own: string; // as it is typed
  readonly shown: string; // as a person writes it
  readonly value: string;
  readonly changed: boolean;
  readonly unused: boolean;
  readonly words: readonly string[];
}

export function fieldsOf(state: Fields): readonly Field[] {
  return list(state['fields'])
    .filter(isFields)
    .map(f => ({
      feature: text(f['feature']),
      kind: text(f['kind']),
      own: text(f['own']),
      shown: text(f['shown']),
      value: text(f['value']),
      changed: f['changed'] === true,
      unused: f['unused'] === true,
      words: list(f['words']).map(text)
    }));
}

export function whatIf(frame: Frame): View {
  return new WhatIfView(frame);
}

type Input = HTMLInputElement | HTMLSelectElement;

class WhatIfView implements View {
  readonly body = make('div', 'lexsi-columns');

  constructor(private readonly frame: Frame) {
    const title = make('div', 'lexsi-title', {}, text(frame.state['title']));
    const head = make('thead', '', {}, row('th', 'feature', 'as it is', 'what if'));
    const form = make('table', 'lexsi-table', { 'aria-label': 'Values' }, head, this.rows);
    this.body.append(
      make('div', '', {}, title, make('div', 'lexsi-scroll', {}, form), this.more),
      make('div', '', {}, this.score, this.beyond, this.moved, make('div', 'lexsi-quiet', {}, text(frame.state['note'])))
    );
    frame.tools.append(this.reset);
    this.changed(frame.state);
  }

  changed(state: Fields): void {
    const fields = fieldsOf(state);
    const shape = fields.map(f => f.feature).join('\n');
    if (shape !== this.shape) {
      this.shape = shape;
      this.inputs.clear();
      this.rows.replaceChildren(...fields.map(f => this.line(f)));
    }
    for (const field of fields) {
      const input = this.inputs.get(field.feature);
      // What is being typed is left alone.
      if (input !== undefined && !(input === document.activeElement && input instanceof HTMLInputElement)) {
        input.value = field.value;
        input.removeAttribute('aria-invalid');
      }
      input?.closest('tr')?.classList.toggle('lexsi-chosen', field.changed);
    }
    this.score.textContent = text(state['sentence']);
    const beyond = list(state['beyond']).map(text);
    this.beyond.textContent = beyond.length === 0 ? '' : `Outside of what was learned from: ${beyond.join('; ')}.`;
    this.moved.replaceChildren(fromKernel(text(state['html'])));
    this.reset.disabled = state['changed'] === 0;
    this.drawMore(list(state['others']).map(text));
  }

  private line(field: Field): HTMLElement {
    const input = this.input(field);
    this.inputs.set(field.feature, input);
    input.addEventListener('change', () => void this.change(field.feature, input));
    const label = make('label', '', { for: input.id }, field.feature);
    const name = make('td', '', {}, label);
    if (field.unused) {
      name.append(make('span', 'lexsi-quiet', {}, ' (the model does not use it)'));
    }
    return make('tr', '', {}, name, make('td', 'lexsi-number', {}, field.shown), make('td', '', {}, input));
  }

  private input(field: Field): Input {
    const id = unique('lexsi-field');
    const choices = field.kind === 'truth' ? ['yes', 'no'] : field.words;
    if (choices.length > 0) {
      const options = ['', ...choices].map(c => make('option', '', { value: c }, c === '' ? 'missing' : c));
      const select = make('select', '', { id }, ...options);
      select.value = field.value;
      return select;
    }
    const mode = field.kind === 'number' ? { inputmode: 'decimal' } : {};
    const input = make('input', '', { id, type: 'text', placeholder: 'missing', size: '12', ...mode });
    input.value = field.value;
    return input;
  }

  private async change(feature: string, input: Input): Promise<void> {
    const reply = await this.frame.ask('change', { feature, value: input.value });
    input.setAttribute('aria-invalid', String(reply === undefined));
    if (reply !== undefined) {
      this.frame.say(text(reply['sentence']));
    }
  }

  private drawMore(others: readonly string[]): void {
    if (others.join('\n') === this.others) {
      return;
    }
    this.others = others.join('\n');
    this.more.replaceChildren();
    if (others.length === 0) {
      return;
    }
    const options = ['', ...others].map(o => make('option', '', { value: o }, o === '' ? 'another feature' : o));
    const select = make('select', '', { 'aria-label': 'Change another feature' }, ...options);
    select.addEventListener('change', () => {
      if (select.value !== '') {
        void this.frame.ask('add', { feature: select.value });
      }
    });
    this.more.append(select);
  }

  private shape = '';
  private others = '';
  private readonly inputs = new Map<string, Input>();
  private readonly rows = make('tbody');
  private readonly more = make('div', 'lexsi-tools');
  private readonly score = make('div', 'lexsi-title', { 'aria-live': 'polite' });
  private readonly beyond = make('div', 'lexsi-warning', { role: 'status' });
  private readonly moved = make('div');
  private readonly reset = button('Reset', 'Put back the values of the case', () => void this.frame.ask('reset'));
}

function row(tag: 'th' | 'td', ...cells: readonly string[]): HTMLElement {
  return make('tr', '', {}, ...cells.map(c => make(tag, '', tag === 'th' ? { scope: 'col' } : {}, c)));
}
