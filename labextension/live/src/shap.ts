/** Pictures of what moved scores: which one, of which feature or case; the kernel draws them in the page's colours. */

import { make, unique } from './elements';
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
    this.one = this.select('case', 'Case', list(state['cases']).map(text), false);
    this.body.append(chosen, make('div', 'lexsi-tools', {}, this.feature.label, this.by.label, this.one.label));
    this.body.append(make('div', 'lexsi-scroll', {}, this.picture));
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
    this.picture.alt = text(state['alt']);
    void this.draw();
  }

  private async draw(): Promise<void> {
    const asked = ++this.drawn;
    // Colours are known once the widget stands in the page.
    await new Promise(resolve => setTimeout(resolve));
    const reply = await this.frame.ask('picture', { dark: isDark(this.body) });
    if (reply !== undefined && asked === this.drawn) {
      this.picture.src = `data:image/png;base64,${text(reply['png'])}`;
    }
  }

  private async show(change: Fields): Promise<void> {
    const reply = await this.frame.ask('show', change);
    if (reply === undefined) {
      this.changed(this.frame.state);
    }
  }

  private select(name: string, label: string, values: readonly string[], none: boolean): Select {
    const options = [...(none ? [''] : []), ...values].map(v => make('option', '', { value: v }, v === '' ? 'none' : v));
    const select = make('select', '', {}, ...options);
    select.addEventListener('change', () => void this.show({ [name]: select.value }));
    return { select, label: make('label', '', {}, `${label} `, select) };
  }

  private drawn = 0;
  private readonly radios: HTMLInputElement[] = [];
  private readonly feature: Select;
  private readonly by: Select;
  private readonly one: Select;
  private readonly picture = make('img', 'lexsi-picture', { alt: '' });
}

interface Select {
  readonly select: HTMLSelectElement;
  readonly label: HTMLElement;
}

/** Whether words are light here, so the ground is dark. */
function isDark(node: HTMLElement): boolean {
  const [red = 0, green = 0, blue = 0] = (getComputedStyle(node).color.match(/[\d.]+/g) ?? []).map(Number);
  return 0.299 * red + 0.587 * green + 0.114 * blue > 128;
}
