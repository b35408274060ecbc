/** An open question: its readings, one of which is taken, and the box that keeps what its words mean. */

import { button, make, unique } from './elements';
import { Decided } from './decision';
import { Frame, View } from './frame';
import { Fields, isFields, list, number, text } from './model';

export interface Reading {
  readonly number: number;
  readonly text: string;
  readonly gives: string;
  readonly asks: boolean;
  readonly keeps: string; // what its words mean from now on, "" where that cannot be kept
}

export function readingsOf(state: Fields): readonly Reading[] {
  return list(state['options'])
    .filter(isFields)
    .map(o => ({
      number: number(o['number']),
      text: text(o['text']),
      gives: text(o['gives']),
      asks: o['asks'] === true,
      keeps: text(o['keeps'])
    }));
}

export function choice(frame: Frame): View {
  return new ChoiceView(frame);
}

class ChoiceView implements View {
  readonly body: HTMLElement;

  constructor(private readonly frame: Frame) {
    const { state } = frame;
    this.readings = readingsOf(state);
    this.decided = new Decided(frame);
    const legend = make('legend', 'lexsi-title', {}, text(state['title']));
    const form = make('fieldset', 'lexsi-choice', {}, legend, ...this.readings.map(r => this.line(r)));
    const keep = make('label', '', {}, this.keep, this.meaning);
    this.answers = make('div', 'lexsi-tools', {}, this.take, keep);
    this.body = make('div', 'lexsi-card', {}, form, this.answers, this.decided.body);
    this.changed(state);
  }

  changed(state: Fields): void {
    const phase = this.decided.changed(state, [...this.radios.values(), this.take, this.keep]);
    this.chosen = number(state['chosen']);
    for (const reading of this.readings) {
      const radio = this.radios.get(reading.number);
      if (radio !== undefined) {
        radio.checked = reading.number === this.chosen;
        radio.disabled ||= !reading.asks;
        radio.parentElement?.classList.toggle('lexsi-chosen', radio.checked);
      }
    }
    const keeps = this.readings.find(r => r.number === this.chosen)?.keeps ?? '';
    this.meaning.textContent = keeps === '' ? 'keep this meaning' : `keep this meaning: ${keeps}`;
    this.keep.disabled ||= keeps === '';
    this.answers.hidden = phase === 'done';
  }

  private line(reading: Reading): HTMLElement {
    const radio = make('input', '', { type: 'radio', name: this.name, value: String(reading.number) });
    radio.addEventListener('change', () => void this.frame.ask('mark', { number: reading.number }));
    radio.addEventListener('keydown', event => {
      if (event.key === 'Enter') {
        void this.answer();
      }
    });
    this.radios.set(reading.number, radio);
    const gives = reading.gives === '' ? [] : [make('b', 'lexsi-gives', {}, reading.gives)];
    return make('label', 'lexsi-reading', {}, radio, make('span', '', {}, reading.text), ...gives);
  }

  private async answer(): Promise<void> {
    if (!this.take.disabled) {
      const picked = [...this.radios].find(([, radio]) => radio.checked);
      await this.frame.ask('take', { number: picked?.[0] ?? this.chosen, keep: this.keep.checked });
    }
  }

  private chosen = 0;
  private readonly readings: readonly Reading[];
  private readonly decided: Decided;
  private readonly answers: HTMLElement;
  private readonly name = unique('lexsi-reading');
  private readonly radios = new Map<number, HTMLInputElement>();
  private readonly keep = make('input', '', { type: 'checkbox' });
  private readonly meaning = make('span');
  private readonly take = button('Take this reading', 'Ask the reading that is marked', () => void this.answer());
}
