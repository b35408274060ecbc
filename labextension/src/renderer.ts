/** How a run's bundle looks in its cell: its own HTML, and a line with *Show* and *Insert*. */

import type { INotebookTracker, NotebookPanel } from '@jupyterlab/notebook';
import type { IRenderMimeRegistry } from '@jupyterlab/rendermime';
import type { IRenderMime } from '@jupyterlab/rendermime-interfaces';
import type { Message } from '@lumino/messaging';
import { Signal } from '@lumino/signaling';
import { Panel, Widget } from '@lumino/widgets';
import { CodeCell, MIME_TYPE, readBundle, RunBundle } from './bundle';
import { button, copyButton, element, ownKeys } from './elements';
import { goTo, insertBelow, reveal } from './insertion';
import { locate, Place } from './locate';
import { discardedIn, presentCells } from './review';
import { Standing, standingOf } from './standing';
import { counts, outcome } from './wording';

/** Says when the inserted cells of a notebook changed. */
export class Changes {
  readonly drawn = new Signal<this, NotebookPanel>(this);
}

/** Renders the bundle. Needs no kernel: everything it shows is in the saved output. */
export class RunWidget extends Panel implements IRenderMime.IRenderer {
  private line: InsertLine | undefined;

  constructor(
    private readonly rendermime: IRenderMimeRegistry,
    private readonly tracker: INotebookTracker | null,
    changes: Changes
  ) {
    super();
    this.addClass('lexsi-Run');
    changes.drawn.connect((_, panel) => this.line?.follow(panel), this);
  }

  protected override onAfterAttach(message: Message): void {
    super.onAfterAttach(message);
    this.line?.follow();
  }

  async renderModel(model: IRenderMime.IMimeModel): Promise<void> {
    const bundle = readBundle(model.data[MIME_TYPE], model.data['text/html']);
    for (const shown of [...this.widgets]) {
      shown.dispose();
    }
    if (bundle === undefined) {
      const text = 'This output was made by another version of lexsi-nb.';
      this.addWidget(new Widget({ node: element('div', 'lexsi-Run-said', text) }));
      return;
    }
    if (bundle.html !== '') {
      // Lab's own renderer, so that HTML of an untrusted notebook is sanitised as everywhere else.
      const above = this.rendermime.createRenderer('text/html');
      this.addWidget(above);
      await above.renderModel(
        this.rendermime.createModel({ data: { 'text/html': bundle.html }, trusted: model.trusted })
      );
    }
    this.addWidget(new Widget({ node: this.code(bundle) }));
  }

  private code(bundle: RunBundle): HTMLElement {
    const code = element('div', 'lexsi-Run-code');
    const listing = element('div', 'lexsi-Run-listing');
    listing.hidden = true;
    listing.append(...bundle.cells.map(listed));
    const count = bundle.cells.length;
    const line = element('div', 'lexsi-Run-line');
    const label = element('span', 'lexsi-Run-count', `code: ${count} ${count === 1 ? 'cell' : 'cells'}`);
    label.title = bundle.summary;
    ownKeys(line);
    line.append(label, showButton(listing));
    this.line = undefined;
    if (this.tracker !== null && count > 0) {
      const { tracker } = this;
      this.line = new InsertLine(bundle, () => locate(tracker, this.node, bundle.run));
      line.append(this.line.button, this.line.said);
      this.line.follow();
    }
    code.append(line, listing);
    return code;
  }
}

const INSERT = { label: 'Insert', title: 'Put these cells below this one. Nothing is run.' };
const GO = { label: 'Go to cells', title: 'All of these cells stand in the notebook: show the first' };

/** *Insert* and, beside it, how the cells stand. */
class InsertLine {
  readonly button = button(INSERT.label, INSERT.title, () => this.click());
  readonly said = element('span', 'lexsi-Run-said');
  /** What a click came to; shown until something changes. */
  private told: { text: string; standing: string } | undefined;

  constructor(
    private readonly bundle: RunBundle,
    private readonly place: () => Place | undefined
  ) {
    this.said.setAttribute('role', 'status');
  }

  /** Show how the cells stand now. `changed`: the notebook that changed. */
  follow(changed?: NotebookPanel): void {
    const place = this.place();
    if (place === undefined || (changed !== undefined && place.panel !== changed)) {
      return;
    }
    const standing = this.standing(place);
    const { label, title } = standing.first === undefined ? INSERT : GO;
    if (this.button.textContent !== label) {
      this.button.textContent = label;
      this.button.title = title;
    }
    if (this.told?.standing !== JSON.stringify(standing)) {
      this.told = undefined;
      this.say(counts(standing));
    }
  }

  private click(): void {
    const place = this.place();
    if (place === undefined) {
      this.say('The cell that made this is in no open notebook.');
      return;
    }
    const { first } = this.standing(place);
    if (first !== undefined) {
      void goTo(place.panel, first);
    } else if (place.panel.content.model?.readOnly === true) {
      this.say('This notebook is read-only.');
    } else {
      const plan = insertBelow(place.panel, place.anchor, this.bundle);
      const standing = this.standing(place);
      this.told = { text: outcome(plan, standing.proposed), standing: JSON.stringify(standing) };
      this.say(this.told.text);
      void reveal(place.panel, plan);
    }
  }

  private standing({ panel, anchor }: Place): Standing {
    const origin = panel.content.widgets[anchor]?.model.id ?? '';
    return standingOf(presentCells(panel), this.bundle, origin, discardedIn(panel));
  }

  /** Words that stay the same are not said again. */
  private say(text: string): void {
    if (this.said.textContent !== text) {
      this.said.textContent = text;
    }
  }
}

function showButton(listing: HTMLElement): HTMLElement {
  const show = button('Show', 'Show the code here');
  show.setAttribute('aria-expanded', 'false');
  show.addEventListener('click', () => {
    listing.hidden = !listing.hidden;
    show.textContent = listing.hidden ? 'Show' : 'Hide';
    show.setAttribute('aria-expanded', String(!listing.hidden));
  });
  return show;
}

function listed(cell: CodeCell): HTMLElement {
  const item = element('figure', 'lexsi-Run-cell');
  const code = element('pre', 'lexsi-Run-source', cell.source);
  code.tabIndex = 0; // so that the keyboard can scroll it
  const copy = copyButton(cell.source, 'Copy the code of this cell');
  copy.classList.add('lexsi-Run-copy');
  copy.setAttribute('aria-label', `Copy: ${cell.title || 'the code'}`);
  item.append(element('figcaption', 'lexsi-Run-title', cell.title), copy, code);
  return item;
}
