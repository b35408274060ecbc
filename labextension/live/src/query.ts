/** What a table shows: order, filters and place, as the kernel takes and tells it. */

import { Fields, isFields, list, number, text } from './model';

export interface Column {
  readonly at: number; // its place in the frame: names may be double
  readonly name: string;
  readonly kind: string; // number | date | text, or note: words beside the frame's own columns
  readonly hint: string; // more of its head
  readonly bar: boolean; // of shares of 1, drawn too
}

export interface Sort {
  readonly column: number;
  readonly descending: boolean;
}

/** Of a text column `contains`; of a number column `low` and `high`, "" for no limit. */
export interface Filter {
  readonly column: number;
  readonly contains?: string;
  readonly low?: string;
  readonly high?: string;
}

export interface Query {
  readonly sort: Sort | null;
  readonly filters: readonly Filter[];
  readonly offset: number;
  readonly names: string; // columns whose name has this
}

export interface Row {
  readonly place: number;
  readonly name: string;
  readonly cells: readonly string[];
  readonly titles: Fields; // more of a cell, by its number
}

export interface Page {
  readonly rows: readonly Row[];
  readonly matched: number;
  readonly total: number;
  readonly size: number;
}

export function columnsOf(state: Fields): readonly Column[] {
  return list(state['columns'])
    .filter(isFields)
    .map(c => ({
      at: number(c['at']),
      name: text(c['name']),
      kind: text(c['kind']),
      hint: text(c['hint']),
      bar: c['bar'] === true
    }));
}

export function queryOf(state: Fields): Query {
  const query = isFields(state['query']) ? state['query'] : {};
  const sort = isFields(query['sort']) ? query['sort'] : undefined;
  return {
    sort: sort === undefined ? null : { column: number(sort['column']), descending: sort['descending'] === true },
    filters: list(query['filters'])
      .filter(isFields)
      .map(f => ({
        column: number(f['column']),
        ...('contains' in f ? { contains: text(f['contains']) } : { low: text(f['low']), high: text(f['high']) })
      })),
    offset: number(query['offset']),
    names: text(query['names'])
  };
}

export function pageOf(state: Fields): Page {
  const page = isFields(state['page']) ? state['page'] : {};
  return {
    rows: list(page['rows'])
      .filter(isFields)
      .map(r => ({
        place: number(r['place']),
        name: text(r['name']),
        cells: list(r['cells']).map(text),
        titles: isFields(r['titles']) ? r['titles'] : {}
      })),
    matched: number(page['matched']),
    total: number(page['total']),
    size: number(page['size'], 25)
  };
}

/** Return the order after a click on a column's name: rising, falling, as the frame has it. */
export function nextSort(sort: Sort | null, column: number): Sort | null {
  if (sort === null || sort.column !== column) {
    return { column, descending: false };
  }
  return sort.descending ? null : { column, descending: true };
}

/** Return the filters with that of one column exchanged; an empty one is left out. */
export function withFilter(filters: readonly Filter[], filter: Filter): readonly Filter[] {
  const others = filters.filter(f => f.column !== filter.column);
  const empty = [filter.contains, filter.low, filter.high].every(v => v === undefined || v.trim() === '');
  return empty ? others : [...others, filter].sort((a, b) => a.column - b.column);
}

/** Return `rows 26 to 50 of 1,234`, and of how many where filters leave some out. */
export function placeInWords(page: Page, offset: number): string {
  const say = (n: number): string => n.toLocaleString('en-US');
  const all = page.matched === page.total ? '' : ` (${say(page.total)} without filters)`;
  if (page.matched === 0) {
    return page.total === 0 ? 'no rows' : `no row fits${all}`;
  }
  return `rows ${say(offset + 1)} to ${say(offset + page.rows.length)} of ${say(page.matched)}${all}`;
}

/** Return what takes a while, as `sorting 10,000,000 rows`. */
export function waitingInWords(query: Query, total: number): string {
  const doing = query.sort !== null ? 'sorting' : query.filters.length > 0 ? 'filtering' : 'reading';
  return `${doing} ${total.toLocaleString('en-US')} rows`;
}
