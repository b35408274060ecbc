/** A frame a page at a time: sort, filter, choose rows, unfold what moved a score. */

import { button, disclosure, fromKernel, make, scrolling, unique } from './elements';
import { Frame, View } from './frame';
import { Fields, text } from './model';
import { Column, columnsOf, Filter, nextSort, Page, pageOf, placeInWords, Query, queryOf, waitingInWords, withFilter } from './query';

// Milliseconds without a key before what was typed is sent.
const PAUSE = 250;
// Milliseconds after which the page says what it waits for, with *Stop*.
const LONG = 400;
// Of a kind of column -> the class of its cells.
const LOOKS: Readonly<Record<string, string>> = { number: 'lexsi-number', note: 'lexsi-note' };

export function table(frame: Frame): View {
  return new TableView(frame);
}

class TableView implements View {
  readonly body = make('div');

  constructor(private readonly frame: Frame) {
    const filters = disclosure('Filter', 'Show a filter under each column', this.filterRow);
    filters.addEventListener('click', () => !this.filterRow.hidden && this.filterRow.querySelector('input')?.focus());
    const title = make('span', 'lexsi-name', {}, text(frame.state['title']));
    const above = make('div', 'lexsi-tools', {}, title, filters, this.clear, this.columns());
    if (frame.state['explains'] === true) {
      above.append(this.explainChosen);
      this.choose();
    }
    this.stop.hidden = true;
    this.body.append(above, this.selection, scrolling('Table', this.table()));
    frame.tools.append(this.first, this.previous, this.place, this.stop, this.next, this.last);
    this.changed(frame.state);
  }

  changed(state: Fields): void {
    const query = queryOf(state);
    const page = pageOf(state);
    const columns = columnsOf(state);
    const shape = JSON.stringify(columns);
    if (shape !== this.shape) {
      this.shape = shape;
      this.drawHead(columns, query, state['explains'] === true);
    }
    this.query = query;
    for (const head of this.heads) {
      const { sort } = query;
      const order = sort?.column !== head.at ? 'none' : sort.descending ? 'descending' : 'ascending';
      if (head.at >= 0) {
        head.node.setAttribute('aria-sort', order);
      }
    }
    this.clear.hidden = query.filters.length === 0;
    this.drawRows(page, columns, state['explains'] === true);
    this.marked();
    this.where = placeInWords(page, query.offset);
    this.place.textContent = this.where;
    const lastOffset = Math.max(0, Math.floor((page.matched - 1) / page.size) * page.size);
    this.first.disabled = this.previous.disabled = query.offset === 0;
    this.next.disabled = this.last.disabled = query.offset >= lastOffset;
    this.page = page;
    this.lastOffset = lastOffset;
  }

  dispose(): void {
    clearTimeout(this.typing);
    clearTimeout(this.long);
  }

  private table(): HTMLElement {
    return make(
      'table',
      this.frame.state['explains'] === true ? 'lexsi-table lexsi-explains' : 'lexsi-table',
      { 'aria-label': text(this.frame.state['title']) },
      make('thead', '', {}, this.headRow, this.filterRow),
      this.rows
    );
  }

  private columns(): HTMLElement {
    const names = make('input', 'lexsi-words', {
      type: 'search',
      placeholder: 'columns named',
      'aria-label': 'Show columns whose name has'
    });
    names.hidden = this.frame.state['wide'] !== true;
    names.addEventListener('input', () => this.soon({ names: names.value }));
    return names;
  }

  private drawHead(columns: readonly Column[], query: Query, explains: boolean): void {
    this.heads = columns.map(column => {
      if (column.kind === 'note') {
        return { at: column.at, node: make('th', '', { scope: 'col' }, column.name) };
      }
      const sort = button(column.name, `Sort by ${column.name}${column.hint && `: ${column.hint}`}`, () => {
        void this.ask({ sort: nextSort(this.query.sort, column.at), offset: 0 });
      });
      sort.className = 'lexsi-sort';
      const node = make('th', column.kind === 'number' ? 'lexsi-number' : '', { scope: 'col' }, sort);
      return { at: column.at, node };
    });
    const blank = (): HTMLElement => make('td');
    this.headRow.replaceChildren(...this.heads.map(h => h.node));
    this.filterRow.replaceChildren(
      ...columns.map(c => make('td', '', {}, this.filter(c, query.filters.find(f => f.column === c.at))))
    );
    if (explains) {
      this.headRow.prepend(make('th', '', {}, this.all));
      this.headRow.append(make('th', 'lexsi-act', { 'aria-label': 'Explanation' }));
      this.filterRow.prepend(blank());
      this.filterRow.append(make('td', 'lexsi-act'));
    }
  }

  private filter(column: Column, now: Filter | undefined): HTMLElement {
    if (column.kind === 'note') {
      return make('div');
    }
    const field = (label: string, value: string, name: string): HTMLInputElement => {
      const made = make('input', name, { type: 'text', size: '1', placeholder: label, 'aria-label': `${column.name} ${label}` });
      made.value = value;
      return made;
    };
    if (column.kind === 'number' || column.kind === 'date') {
      const low = field('from', now?.low ?? '', '');
      const high = field('to', now?.high ?? '', '');
      const send = (): void => this.filtered({ column: column.at, low: low.value, high: high.value });
      low.addEventListener('input', send);
      high.addEventListener('input', send);
      return make('div', 'lexsi-filter', {}, low, high);
    }
    const words = field('contains', now?.contains ?? '', 'lexsi-words');
    words.addEventListener('input', () => this.filtered({ column: column.at, contains: words.value }));
    return make('div', 'lexsi-filter', {}, words);
  }

  private filtered(filter: Filter): void {
    // Two filters typed one after the other within the pause are both sent.
    this.filters = withFilter(this.filters ?? this.query.filters, filter);
    this.soon({ filters: this.filters });
  }

  private drawRows(page: Page, columns: readonly Column[], explains: boolean): void {
    this.boxes.clear();
    const drawn = page.rows.map(row => {
      const cells = row.cells.map((cell, i) => {
        const look = LOOKS[columns[i]?.kind ?? ''] ?? 'lexsi-wrapped';
        const title = text(row.titles[i]) || (cell.length > 40 ? cell : '');
        const made = make('td', look, title === '' ? {} : { title }, cell);
        if (columns[i]?.bar === true) {
          const share = Math.min(1, Math.max(0, Number.parseFloat(cell) || 0));
          made.append(make('div', 'lexsi-share', { style: `width:${100 * share}%` }));
        }
        return made;
      });
      const line = make('tr', '', {}, ...cells);
      if (explains) {
        line.prepend(make('td', '', {}, this.box(row.place, row.name, line)));
        line.append(make('td', 'lexsi-act', {}, this.explain(row.place, row.name, line)));
      }
      return line;
    });
    this.rows.replaceChildren(...drawn);
  }

  private box(place: number, name: string, line: HTMLElement): HTMLElement {
    const box = make('input', '', { type: 'checkbox', 'aria-label': `Choose ${name}` });
    this.boxes.set(place, { box, line });
    box.addEventListener('change', () => this.choose([place], box.checked));
    return box;
  }

  /** Choose rows, or not any more. */
  private choose(places: readonly number[] = [], chosen = true): void {
    for (const place of places) {
      this.chosen[chosen ? 'add' : 'delete'](place);
    }
    this.explainChosen.disabled = this.chosen.size === 0;
    this.explainChosen.textContent = `Explain ${this.chosen.size || ''} chosen`.replace('  ', ' ');
    this.marked();
  }

  /** Show of the rows of this page which are chosen. */
  private marked(): void {
    let marks = 0;
    for (const [place, { box, line }] of this.boxes) {
      box.checked = this.chosen.has(place);
      line.classList.toggle('lexsi-chosen', box.checked);
      marks += Number(box.checked);
    }
    this.all.checked = marks > 0 && marks === this.boxes.size;
    this.all.indeterminate = marks > 0 && marks < this.boxes.size;
  }

  private explain(place: number, name: string, line: HTMLElement): HTMLElement {
    const id = unique('lexsi-why');
    const why = button('Explain', `What moved the score of ${name}`, () => void unfold());
    why.setAttribute('aria-label', `Explain ${name}`);
    why.setAttribute('aria-expanded', 'false');
    let unfolded: HTMLElement | undefined;
    const unfold = async (): Promise<void> => {
      if (unfolded !== undefined) {
        unfolded.remove();
        unfolded = undefined;
        why.textContent = 'Explain';
        why.setAttribute('aria-expanded', 'false');
        return;
      }
      const reply = await this.frame.ask('explain', { places: [place] }, why);
      if (reply === undefined || unfolded !== undefined || !line.isConnected) {
        return;
      }
      const cell = make('td', 'lexsi-unfolded', { colspan: String(line.children.length) }, fromKernel(text(reply['html'])));
      unfolded = make('tr', '', { id }, cell);
      line.after(unfolded);
      why.textContent = 'Hide';
      why.setAttribute('aria-expanded', 'true');
      why.setAttribute('aria-controls', id);
      this.frame.announce(text(reply['sentence']));
    };
    return why;
  }

  private async explainSelection(): Promise<void> {
    const reply = await this.frame.ask('explain', { places: [...this.chosen] }, this.explainChosen);
    if (reply !== undefined) {
      const close = button('Close', 'Close the explanation', () => {
        this.selection.replaceChildren();
        this.explainChosen.focus();
      });
      this.selection.replaceChildren(close, fromKernel(text(reply['html'])));
      this.frame.announce(text(reply['sentence']));
    }
  }

  private soon(change: Partial<Query>): void {
    clearTimeout(this.typing);
    this.pending = { ...this.pending, ...change };
    this.typing = setTimeout(() => {
      const pending = this.pending;
      this.pending = {};
      this.filters = undefined;
      void this.ask({ ...pending, offset: 0 });
    }, PAUSE);
  }

  private unfilter(): void {
    clearTimeout(this.typing);
    this.pending = {};
    this.filters = undefined;
    for (const field of this.filterRow.querySelectorAll('input')) {
      field.value = '';
    }
    void this.ask({ filters: [], offset: 0 });
  }

  private chooseAll(): HTMLInputElement {
    const box = make('input', '', { type: 'checkbox', 'aria-label': 'Choose all rows of this page' });
    box.addEventListener('change', () => this.choose([...this.boxes.keys()], box.checked));
    return box;
  }

  private async ask(change: Partial<Query>): Promise<void> {
    const query = { ...this.query, ...change };
    const number = ++this.asked;
    clearTimeout(this.long);
    this.long = setTimeout(() => {
      this.place.textContent = waitingInWords(query, this.page.total);
      this.stop.hidden = false;
    }, LONG);
    await this.frame.ask('page', query);
    if (number === this.asked) {
      clearTimeout(this.long);
      this.stop.hidden = true;
      this.place.textContent = this.where;
    }
  }

  private go(label: string, title: string, to: () => number): HTMLButtonElement {
    return button(label, title, () => void this.ask({ offset: to() }));
  }

  private query: Query = { sort: null, filters: [], offset: 0, names: '' };
  private page: Page = { rows: [], matched: 0, total: 0, size: 25 };
  private heads: readonly { readonly at: number; readonly node: HTMLElement }[] = [];
  private filters: readonly Filter[] | undefined;
  private pending: Partial<Query> = {};
  private typing: ReturnType<typeof setTimeout> | undefined;
  private long: ReturnType<typeof setTimeout> | undefined;
  private asked = 0;
  private where = '';
  private shape = '';
  private lastOffset = 0;
  private readonly chosen = new Set<number>();
  private readonly boxes = new Map<number, { readonly box: HTMLInputElement; readonly line: HTMLElement }>();
  private readonly all = this.chooseAll();
  private readonly clear = button('Clear filters', 'Show all rows', () => this.unfilter());
  private readonly headRow = make('tr');
  private readonly filterRow = make('tr');
  private readonly rows = make('tbody');
  private readonly selection = make('div', 'lexsi-selection', { 'aria-live': 'polite' });
  private readonly place = make('span', 'lexsi-quiet', { 'aria-live': 'polite' });
  private readonly first = this.go('First', 'First rows', () => 0);
  private readonly previous = this.go('Previous', 'Rows before', () =>
    Math.max(0, this.query.offset - this.page.size)
  );
  private readonly next = this.go('Next', 'Rows after', () => this.query.offset + this.page.size);
  private readonly last = this.go('Last', 'Last rows', () => this.lastOffset);
  private readonly stop = button('Stop', 'Leave the table as it is', () => void this.frame.ask('stop'));
  private readonly explainChosen = button('Explain chosen', 'What moved the scores of the chosen rows', () => {
    void this.explainSelection();
  });
}
