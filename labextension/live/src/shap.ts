/** Pictures of what moved scores: which one, of which feature or case; the kernel draws them in the page's colours. */

import { Chart, followGround } from './chart';
import { make, unique, waits } from './elements';
import { Frame, View } from './frame';
import { Fields, isFields, list, text } from './model';

export function shap(frame: Frame): View {
  return new ShapView(frame);
}

class ShapView implements View {
  readonly body = make('div');

  constructor(private readonly frame: Frame) {
    const state = frame.state;
    const plots = list(state['plots']).filter(isFields);
    const chosen = make('div', 'lexsi-tools', { role: 'radiogroup', 'aria-label': 'Picture' });
    const group = unique('lexsi-plot');
    for (const plot of plots) {
      const radio = make('input', '', { type: 'radio', name: group, value: text(plot['id']) });
      radio.addEventListener('change', () => void this.show({ plot: radio.value }));
      this.radios.push(radio);
      chosen.append(make('label', '', {}, radio, ` ${text(plot['label'])}`));
    }
    const features = list(state['features']).map(text);
    this.feature = this.select('feature', 'Feature', features, false);
    this.by = this.select('by', 'coloured by', features, true);
    const cases = list(state['cases']).filter(isFields);
    this.one = this.select('case', 'Case', cases.map(c => text(c['id'])), false, cases.map(c => text(c['label'])));
    if (state['synthetic'] === true) {
      chosen.append(make('span', 'lexsi-badge', {}, 'SYNTHETIC data'));
    }
    this.body.append(chosen, make('div', 'lexsi-tools', {}, this.feature.label, this.by.label, this.one.label));
    this.shown.append(this.chart.body);
    this.body.append(this.shown);
    this.changed(state);
  }

  changed(state: Fields): void {
    const plot = text(state['plot']);
    for (const radio of this.radios) {
      radio.checked = radio.value === plot;
    }
    this.feature.select.value = text(state['feature']);
    this.by.select.value = text(state['by']);
    this.one.select.value = text(state['case']);
    this.feature.label.hidden = this.by.label.hidden = plot !== 'dependence';
    this.one.label.hidden = plot !== 'waterfall';
    void this.draw();
  }

  dispose(): void {
    this.ends?.();
    this.chart.dispose();
  }

  private async draw(): Promise<void> {
    // The picture before stays, dimmed, until that of this state is there.
    waits(this.shown, 1);
    // Colours are known once the widget stands in the page.
    await new Promise(resolve => setTimeout(resolve));
    this.ends ??= followGround(this.shown, () => this.chart.dark, () => void this.draw());
    await this.chart.draw(this.shown, text(this.frame.state['alt']));
    waits(this.shown, -1);
  }

  private async show(change: Fields): Promise<void> {
    const reply = await this.frame.ask('show', change, this.shown);
    if (reply === undefined) {
      this.changed(this.frame.state);
    }
  }

  private select(name: string, label: string, values: readonly string[], none: boolean, names = values): Select {
    const options = values.map((v, i) => make('option', '', { value: v }, names[i] ?? v));
    if (none) {
      options.unshift(make('option', '', { value: '' }, 'none'));
    }
    const select = make('select', '', {}, ...options);
    select.addEventListener('change', () => void this.show({ [name]: select.value }));
    return { select, label: make('label', '', {}, `${label} `, select) };
  }

  private readonly radios: HTMLInputElement[] = [];
  private readonly feature: Select;
  private readonly by: Select;
  private readonly one: Select;
  private readonly shown = make('div');
  private readonly chart = new Chart(wanted => this.frame.ask('picture', wanted));
  private ends: (() => void) | undefined;
}

interface Select {
  readonly select: HTMLSelectElement;
  readonly label: HTMLElement;
}
