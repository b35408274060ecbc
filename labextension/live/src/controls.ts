/** The parameters of a question as fields, and what the kernel answers with other values. */

import { Chart, drawerOf, followGround } from './chart';
import { button, fromKernel, isDark, make, unique, waits } from './elements';
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
    this.fill(frame.state);
    this.answer.replaceChildren(fromKernel(text(frame.state['html'])));
    // Colours, and who draws charts, are known once the widget stands in the page.
    setTimeout(() => {
      this.look();
      this.ends ??= followGround(this.answer, () => this.charts[0]?.dark ?? this.dark, () => this.look());
    });
  }

  changed(state: Fields): void {
    this.fill(state);
    void this.show(text(state['html']));
  }

  dispose(): void {
    this.ends?.();
    this.charts.forEach(chart => chart.dispose());
  }

  /** Draw the charts for the page's ground: here, or by the kernel where nothing in this page draws. */
  private look(): void {
    if (drawerOf(this.answer) === undefined) {
      this.dark = isDark(this.answer);
      void this.frame.ask('look', { dark: this.dark });
    } else {
      void this.show(text(this.frame.state['html']));
    }
  }

  /** Show an answer with its charts; the one before stays, dimmed, until they are drawn. */
  private async show(html: string): Promise<void> {
    const asked = ++this.shown;
    const made = fromKernel(html);
    const slots = drawerOf(this.answer) === undefined ? [] : [...made.querySelectorAll<HTMLElement>('[data-lexsi-chart]')];
    const charts = slots.map(slot => {
      const number = Number(slot.dataset['lexsiChart']);
      return new Chart(wanted => this.frame.ask('chart', { ...wanted, number }, this.answer), slot);
    });
    waits(this.answer, 1);
    await Promise.all(charts.map((chart, at) => chart.draw(this.answer, slots[at]?.querySelector('img')?.alt ?? slots[at]?.textContent ?? '')));
    waits(this.answer, -1);
    if (asked !== this.shown) {
      charts.forEach(chart => chart.dispose());
      return;
    }
    this.charts.forEach(chart => chart.dispose());
    this.charts = charts;
    this.answer.replaceChildren(made);
  }

  private fill(state: Fields): void {
    for (const field of list(state['fields']).filter(isFields)) {
      const input = this.parameters.get(text(field['name']))?.input;
      if (input !== undefined && input !== document.activeElement) {
        input.value = text(field['value']);
      }
    }
    this.compare();
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

  private shown = 0;
  private dark: boolean | undefined;
  private charts: readonly Chart[] = [];
  private ends: (() => void) | undefined;
  private readonly parameters = new Map<string, Parameter>();
  private readonly answer = make('div');
  private readonly run = button('Run', 'Ask the same question with these values', () => void this.ask());
  private readonly reset = button('Reset', 'Run with the values that were asked with', () => this.back());
}
