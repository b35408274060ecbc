/** A case's values as fields; what the kernel says of the score with other ones. */

import { button, make, unique } from './elements';
import { Frame, View } from './frame';
import { Fields, isFields, list, text } from './model';

/** A contribution as it is shown. */
interface Shown {
  readonly now: string;
  readonly moved: string;
  readonly bar: string;
}

export interface Field extends Shown {
  readonly feature: string;
  readonly kind: string; // number | date | word | truth
  readonly own: string; // as it is typed
  readonly shown: string; // as a person writes it
  readonly value: string;
  readonly changed: boolean;
  readonly unused: boolean;
  readonly words: readonly string[];
  readonly known: string; // the range of the known cases, in words
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
      words: list(f['words']).map(text),
      known: text(f['known']),
      now: text(f['now']),
      moved: text(f['moved']),
      bar: text(f['bar'])
    }));
}

export function whatIf(frame: Frame): View {
  return new WhatIfView(frame);
}

type Input = HTMLInputElement | HTMLSelectElement;

/** What of a row follows the kernel's state. */
interface Row {
  readonly node: HTMLElement;
  readonly back: HTMLElement;
  readonly input: Input | undefined;
  readonly now: HTMLElement;
  readonly moved: HTMLElement;
  readonly bar: HTMLElement;
}

class WhatIfView implements View {
  readonly body = make('div');

  constructor(private readonly frame: Frame) {
    const title = make('div', 'lexsi-quiet', {}, text(frame.state['title']));
    const unit = text(frame.state['unit']);
    const heads = ['feature', 'as it is', 'what if', `contribution (${unit})`, 'moved', ''];
    const head = make('tr', '', {}, ...heads.map(h => make(h === '' ? 'td' : 'th', h === 'feature' ? '' : 'lexsi-number', {}, h)));
    const form = make('table', 'lexsi-table lexsi-fields', { 'aria-label': 'Values' }, make('thead', '', {}, head), this.rows);
    const note = make('div', 'lexsi-quiet', {}, text(frame.state['note']));
    this.body.append(title, this.score, this.beyond, form, this.more, note);
    frame.tools.append(this.reset);
    this.changed(frame.state);
    // The notebook is what scrolls, not the outputs between: the score keeps to its top.
    setTimeout(() => {
      const output = this.body.closest('.jp-Cell:not(:has(.jp-mod-outputsScrolled))');
      for (let up: Element | null = this.body; output !== null && up instanceof HTMLElement; up = up.parentElement) {
        up.style.overflow = 'visible';
        if (up === output) {
          break;
        }
      }
    });
  }

  changed(state: Fields): void {
    const fields = fieldsOf(state);
    const rest = isFields(state['rest']) ? state['rest'] : undefined;
    const shape = [...fields.map(f => f.feature), text(rest?.['label'])].join('\n');
    if (shape !== this.shape) {
      this.shape = shape;
      this.lines = fields.map(f => this.line(f));
      this.other = rest === undefined ? undefined : this.cells(text(rest['label']), '');
      this.rows.replaceChildren(...[...this.lines, ...(this.other ? [this.other] : [])].map(r => r.node));
    }
    fields.forEach((field, at) => this.fill(this.lines[at], field, field));
    this.fill(this.other, rest);
    const said = text(state['sentence']);
    if (this.score.textContent !== said) {
      this.score.textContent = said;
    }
    const beyond = list(state['beyond']).map(text);
    this.beyond.textContent = beyond.length === 0 ? '' : `Outside of what was learned from: ${beyond.join('; ')}.`;
    this.reset.disabled = state['changed'] === 0;
    this.drawMore(list(state['others']).map(text));
  }

  private fill(row: Row | undefined, shown: Shown | Fields | undefined, field?: Field): void {
    if (row === undefined || shown === undefined) {
      return;
    }
    row.now.textContent = text(shown.now);
    row.moved.textContent = text(shown.moved);
    row.bar.innerHTML = text(shown.bar);
    if (row.input === undefined || field === undefined) {
      return;
    }
    // What is being typed is left alone.
    if (!(row.input === document.activeElement && row.input instanceof HTMLInputElement)) {
      row.input.value = field.value;
      row.input.removeAttribute('aria-invalid');
    }
    row.back.hidden = !field.changed;
    row.node.classList.toggle('lexsi-chosen', field.changed);
  }

  private line(field: Field): Row {
    const input = this.input(field);
    const back = button('\u21ba', `Put back ${field.shown}`, () => {
      input.value = field.own;
      void this.change(field.feature, input);
      input.focus();
    });
    back.setAttribute('aria-label', `Put back ${field.feature}`);
    input.addEventListener('change', () => void this.change(field.feature, input));
    const label = make('label', '', { for: input.id }, field.feature);
    const known = make('div', 'lexsi-known', { id: `${input.id}-known` }, field.unused ? 'the model does not use it' : field.known);
    input.setAttribute('aria-describedby', known.id);
    const typed = make('div', 'lexsi-typed', {}, input, back);
    return { ...this.cells(label, field.shown, typed, known), input, back };
  }

  private cells(label: HTMLElement | string, own: string, ...typed: readonly HTMLElement[]): Row {
    const cell = (name: string, ...content: readonly (Node | string)[]): HTMLElement => make('td', name, {}, ...content);
    const [now, moved, bar] = [cell('lexsi-number'), cell('lexsi-number lexsi-moved'), cell('lexsi-drawn')];
    const head = make('th', '', { scope: 'row' }, label);
    const node = make('tr', '', {}, head, cell('lexsi-number lexsi-was-it', own), cell('lexsi-field', ...typed), now, moved, bar);
    return { node, back: node, input: undefined, now, moved, bar };
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
    const input = make('input', '', { id, type: 'text', placeholder: 'missing', size: '12', ...mode, class: field.kind === 'number' ? 'lexsi-number' : '' });
    input.value = field.value;
    return input;
  }

  private async change(feature: string, input: Input): Promise<void> {
    const reply = await this.frame.ask('change', { feature, value: input.value }, this.score);
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
    const options = ['', ...others].map(o => make('option', '', { value: o }, o === '' ? 'Add a feature\u2026' : o));
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
  private lines: readonly Row[] = [];
  private other: Row | undefined;
  private readonly rows = make('tbody');
  private readonly more = make('div', 'lexsi-tools');
  private readonly score = make('div', 'lexsi-score', { 'aria-live': 'polite' });
  private readonly beyond = make('div', 'lexsi-warning', { role: 'status' });
  private readonly reset = button('Reset', 'Put back the values of the case', () => void this.frame.ask('reset'));
}
