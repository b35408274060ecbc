/** The run view of the side bar: what was asked in the notebook in front, what came of it, what holds now. */

import { Widget } from '@lumino/widgets';
import { button, element } from './elements';
import { Approval, RunEntry, totalOf, VariableEntry } from './entries';
import { bytes, dollars, heading, many, standing } from './wording';

/** What the view shows of a notebook. */
export interface Shown {
  readonly notebook: string;
  readonly entries: readonly RunEntry[];
  readonly approvals: readonly Approval[];
  /** Whether staleness and approvals are what the kernel says now, not what was saved. */
  readonly current: boolean;
  readonly problem: string;
}

export interface Going {
  toCell(id: string): void;
  toStep(entry: RunEntry, step: number): void;
}

export class RunView extends Widget {
  private readonly unfolded = new Map<string, boolean>();
  private drawn = '';

  constructor(
    private readonly going: Going,
    private readonly looked: (looks: boolean) => void
  ) {
    super();
    this.id = 'lexsi-nb-runs';
    this.addClass('lexsi-Runs');
    this.node.setAttribute('role', 'region');
    this.node.setAttribute('aria-label', 'Runs of the notebook');
    this.node.tabIndex = -1;
    this.node.addEventListener('keydown', event => this.step(event));
  }

  /** Draw; what looks the same is not drawn again, and focus stays where it was. */
  draw(shown: Shown | undefined): void {
    const key = JSON.stringify([shown, [...this.unfolded]]);
    if (key === this.drawn) {
      return;
    }
    this.drawn = key;
    const held = document.activeElement instanceof HTMLElement && this.node.contains(document.activeElement);
    const focused = held ? (document.activeElement as HTMLElement).dataset['key'] : undefined;
    this.node.replaceChildren(...(shown === undefined ? [said('No notebook is open.')] : this.parts(shown)));
    if (focused !== undefined) {
      this.node.querySelector<HTMLElement>(`[data-key="${CSS.escape(focused)}"]`)?.focus();
    }
  }

  protected override onAfterShow(): void {
    this.looked(true);
  }

  protected override onAfterHide(): void {
    this.looked(false);
  }

  protected override onActivateRequest(): void {
    (this.node.querySelector<HTMLElement>('.lexsi-Runs-question') ?? this.node).focus();
  }

  private parts(shown: Shown): HTMLElement[] {
    const head = element('div', 'lexsi-Runs-head');
    const title = element('h2', 'lexsi-Runs-title', shown.notebook);
    title.title = shown.notebook;
    head.append(title, this.summary(shown));
    if (shown.entries.length === 0 && shown.approvals.length === 0) {
      return [head, said('Nothing was asked here yet. A cell that starts with %%lexsi asks.')];
    }
    const list = element('ol', 'lexsi-Runs-list');
    const last = shown.entries[shown.entries.length - 1];
    list.append(...shown.entries.map(entry => this.run(entry, this.unfolded.get(entry.key) ?? entry === last, shown)));
    return [head, ...this.waiting(shown), list];
  }

  private summary(shown: Shown): HTMLElement {
    const { entries, approvals } = shown;
    const stale = new Set(entries.flatMap(e => e.variables.filter(v => v.state === 'stale').map(v => v.name))).size;
    const total = totalOf(entries);
    const parts = [many(entries.length, 'run')];
    if (approvals.length > 0 && shown.current) {
      parts.push(`${approvals.length} waiting`);
    }
    if (stale > 0) {
      parts.push(`${many(stale, 'variable')} stale`);
    }
    if (total !== 0) {
      parts.push(total === undefined ? 'cost unknown' : dollars(total));
    }
    const line = element('div', 'lexsi-Runs-summary', parts.join(', '));
    line.setAttribute('role', 'status');
    if (entries.length > 0 && !shown.current) {
      line.append(element('div', 'lexsi-Runs-note', 'As saved. No kernel that knows these runs is connected.'));
    }
    if (shown.problem !== '') {
      line.append(element('div', 'lexsi-Runs-note', shown.problem));
    }
    return line;
  }

  private waiting({ approvals, current }: Shown): HTMLElement[] {
    if (approvals.length === 0) {
      return [];
    }
    const box = element('section', 'lexsi-Runs-waiting');
    const name = current ? 'Waiting for approval' : 'Waited for approval when it was saved';
    box.setAttribute('aria-label', name);
    box.append(element('h3', 'lexsi-Runs-heading', name));
    for (const { id, tool, question, cell } of approvals) {
      if (cell === '') {
        box.append(element('div', 'lexsi-Runs-note', `${tool}: ${question}. %lexsi parked ${id} shows it.`));
      } else {
        box.append(this.link(`approval ${id}`, `${tool}: ${question}`, 'Go to its card', () => this.going.toCell(cell)));
      }
    }
    return [box];
  }

  private run(entry: RunEntry, open: boolean, shown: Shown): HTMLElement {
    const { record, key } = entry;
    const item = element('li', 'lexsi-Runs-run');
    const details = element('div', 'lexsi-Runs-details');
    details.id = `lexsi-run-${key.replace(/[^\w-]/g, '-')}`;
    details.hidden = !open;
    const fold = button(open ? '▾' : '▸', open ? 'Fold' : 'Unfold', () => {
      this.unfolded.set(key, !open);
      this.draw(shown);
    });
    fold.classList.replace('lexsi-Button', 'lexsi-Runs-fold');
    fold.classList.remove('jp-mod-styled');
    fold.dataset['key'] = `fold ${key}`;
    fold.setAttribute('aria-label', `Details of: ${record.question}`);
    fold.setAttribute('aria-expanded', String(open));
    fold.setAttribute('aria-controls', details.id);
    const where = entry.cell !== '' ? 'Go to the cell' : 'The cell that asked this is not in the notebook';
    const question = this.link(`run ${key}`, record.question, where, () => this.going.toCell(entry.cell));
    question.setAttribute('aria-disabled', String(entry.cell === ''));
    question.classList.add('lexsi-Runs-question');
    const state = element('div', 'lexsi-Runs-state', heading(entry, shown.current));
    state.classList.toggle('lexsi-mod-attention', entry.waits || entry.error !== '');
    const line = element('div', 'lexsi-Runs-line');
    const text = element('div', 'lexsi-Runs-text');
    text.append(question, state);
    line.append(fold, text);
    if (open) {
      details.append(...this.details(entry));
    }
    item.append(line, details);
    return item;
  }

  private details(entry: RunEntry): HTMLElement[] {
    const { record } = entry;
    const parts: HTMLElement[] = [];
    if (entry.error !== '') {
      parts.push(element('div', 'lexsi-Runs-note', entry.error));
      if (record.planner === '') {
        return parts; // the cell failed before there was a run
      }
    }
    if (record.steps.length > 0) {
      const steps = element('ol', 'lexsi-Runs-steps');
      steps.append(
        ...record.steps.map(step => {
          const item = element('li', 'lexsi-Runs-item');
          const went = step.status === 'ok' ? '' : ` (${step.status.replaceAll('_', ' ')})`;
          const label = `${step.number} ${step.title}${went}`;
          item.append(
            this.link(`step ${entry.key} ${step.number}`, label, [step.tool, step.args].join(' ').trim(), () =>
              this.going.toStep(entry, step.number)
            )
          );
          return item;
        })
      );
      parts.push(part('Steps', steps));
    }
    if (entry.variables.length > 0) {
      const variables = element('ul', 'lexsi-Runs-variables');
      variables.append(...entry.variables.map(variable => this.variable(entry, variable)));
      parts.push(part('Variables', variables));
    }
    const sent = record.sent.map(({ to, requests, bytes: size }) => `${many(requests, 'request')}, ${bytes(size)}, to ${to}`);
    const none = record.unkept ? 'not kept in the recording' : 'nothing';
    parts.push(part('Sent', ...lines(sent.length > 0 ? sent : [none])));
    const free = record.unkept ? 'not kept in the recording' : 'no model was asked';
    const used = record.used !== '' ? record.used : free;
    parts.push(part('Cost', ...lines([record.replayed ? 'replayed, no model was asked' : used])));
    const made = record.run === '' ? '' : `, models ${record.models || 'none'}, run ${record.run}`;
    const by = `planner ${record.planner}${made}`;
    parts.push(part('By', ...lines(record.recording === '' ? [by] : [by, standing(record)])));
    return parts;
  }

  private variable(entry: RunEntry, variable: VariableEntry): HTMLElement {
    const item = element('li', 'lexsi-Runs-item');
    const from = variable.from.length > 0 ? `from ${variable.from.join(', ')}` : 'Go to its cell';
    const act = (): void => this.going.toStep(entry, variable.step);
    item.append(this.link(`variable ${entry.key} ${variable.name}`, variable.name, from, act));
    if (variable.state !== '' && variable.state !== 'fresh') {
      const text = variable.reason === '' ? variable.state : `${variable.state}: ${variable.reason}`;
      const state = element('span', 'lexsi-Runs-badge', text);
      state.classList.toggle('lexsi-mod-attention', variable.state === 'stale');
      item.append(state);
    }
    item.append(element('div', 'lexsi-Runs-note', variable.what));
    return item;
  }

  private link(key: string, label: string, title: string, act: () => void): HTMLButtonElement {
    const made = element('button', 'lexsi-Runs-link', label);
    made.type = 'button';
    made.title = title;
    made.dataset['key'] = key;
    made.addEventListener('click', act);
    return made;
  }

  /** Up and Down go from run to run, Left and Right fold. */
  private step(event: KeyboardEvent): void {
    const runs = [...this.node.querySelectorAll<HTMLElement>('.lexsi-Runs-run')];
    const at = runs.findIndex(run => run.contains(document.activeElement));
    const to = { ArrowUp: at - 1, ArrowDown: at + 1, Home: 0, End: runs.length - 1 }[event.key];
    const fold = at >= 0 ? runs[at]?.querySelector<HTMLElement>('.lexsi-Runs-fold') : undefined;
    const open = fold?.getAttribute('aria-expanded') === 'true';
    if (to !== undefined && runs[to] !== undefined) {
      runs[to].querySelector<HTMLElement>('.lexsi-Runs-question')?.focus();
    } else if ((event.key === 'ArrowRight' && fold && !open) || (event.key === 'ArrowLeft' && open)) {
      fold?.click();
    } else {
      return;
    }
    event.preventDefault();
    event.stopPropagation();
  }
}

function part(name: string, ...body: HTMLElement[]): HTMLElement {
  const made = element('section', 'lexsi-Runs-part');
  made.setAttribute('aria-label', name);
  made.append(element('h3', 'lexsi-Runs-heading', name), ...body);
  return made;
}

function lines(texts: readonly string[]): HTMLElement[] {
  return texts.map(text => element('div', 'lexsi-Runs-item', text));
}

function said(text: string): HTMLElement {
  return element('p', 'lexsi-Runs-said', text);
}
