/** How a run's bundle looks in its cell: its own HTML, and a line with *Show* and *Insert*. */

import type { INotebookTracker } from '@jupyterlab/notebook';
import type { IRenderMimeRegistry } from '@jupyterlab/rendermime';
import type { IRenderMime } from '@jupyterlab/rendermime-interfaces';
import { Panel, Widget } from '@lumino/widgets';
import { CodeCell, MIME_TYPE, readBundle, RunBundle } from './bundle';
import { button, element, ownKeys } from './elements';
import { insertBelow, reveal } from './insertion';
import { locate } from './locate';
import { outcome } from './wording';

/** Renders the bundle. Needs no kernel: everything it shows is in the saved output. */
export class RunWidget extends Panel implements IRenderMime.IRenderer {
  constructor(
    private readonly rendermime: IRenderMimeRegistry,
    private readonly tracker: INotebookTracker | null
  ) {
    super();
    this.addClass('lexsi-Run');
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
    code.append(this.line(bundle, listing), listing);
    return code;
  }

  private line(bundle: RunBundle, listing: HTMLElement): HTMLElement {
    const count = bundle.cells.length;
    const line = element('div', 'lexsi-Run-line');
    const label = element('span', 'lexsi-Run-count', `code: ${count} ${count === 1 ? 'cell' : 'cells'}`);
    label.title = bundle.summary;
    const said = element('span', 'lexsi-Run-said');
    said.setAttribute('role', 'status');
    ownKeys(line);
    line.append(label, showButton(listing));
    if (this.tracker !== null && count > 0) {
      line.append(this.insertButton(this.tracker, bundle, said));
    }
    line.append(said);
    return line;
  }

  private insertButton(tracker: INotebookTracker, bundle: RunBundle, said: HTMLElement): HTMLElement {
    const insert = button('Insert', 'Put these cells below this one. Nothing is run.');
    insert.addEventListener('click', () => {
      const place = locate(tracker, this.node, bundle.run);
      if (place === undefined) {
        said.textContent = 'The cell that made this is in no open notebook.';
      } else if (place.panel.content.model?.readOnly === true) {
        said.textContent = 'This notebook is read-only.';
      } else {
        const plan = insertBelow(place.panel, place.anchor, bundle);
        said.textContent = outcome(plan);
        void reveal(place.panel, plan);
      }
    });
    return insert;
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
  if (cell.title !== '') {
    item.append(element('figcaption', 'lexsi-Run-title', cell.title));
  }
  item.append(code);
  return item;
}
