import assert from 'node:assert/strict';
import { test } from 'node:test';
import { nextSort, pageOf, placeInWords, waitingInWords, queryOf, withFilter } from '../src/query';

test('a column is sorted rising, falling, then as the frame has it', () => {
  const rising = nextSort(null, 3);
  assert.deepEqual(rising, { column: 3, descending: false });
  assert.deepEqual(nextSort(rising, 3), { column: 3, descending: true });
  assert.equal(nextSort({ column: 3, descending: true }, 3), null);
  assert.deepEqual(nextSort({ column: 3, descending: true }, 1), { column: 1, descending: false });
});

test('a column has one filter, and an empty one is none', () => {
  const one = withFilter([], { column: 2, contains: 'a' });
  const two = withFilter(one, { column: 0, low: '1', high: '' });
  assert.deepEqual(two.map(f => f.column), [0, 2]);
  assert.deepEqual(withFilter(two, { column: 2, contains: ' ' }).map(f => f.column), [0]);
  assert.deepEqual(withFilter(two, { column: 2, contains: 'b' })[1], { column: 2, contains: 'b' });
});

test('a query comes back from the state as it was sent', () => {
  const query = { sort: { column: 1, descending: true }, filters: [{ column: 2, low: '1', high: '' }], offset: 20, names: 'a' };
  assert.deepEqual(queryOf({ query }), query);
  assert.deepEqual(queryOf({}), { sort: null, filters: [], offset: 0, names: '' });
});

test('the place is said in words', () => {
  const row = { place: 0, name: '1', cells: ['1'] };
  const page = pageOf({ page: { rows: [row, row], matched: 1234, total: 1234, size: 2 } });
  assert.equal(placeInWords(page, 1000), 'rows 1,001 to 1,002 of 1,234');
  assert.equal(placeInWords({ ...page, total: 5000 }, 0), 'rows 1 to 2 of 1,234 (5,000 without filters)');
  assert.equal(placeInWords({ ...page, rows: [], matched: 0 }, 0), 'no row fits (1,234 without filters)');
  assert.equal(placeInWords({ ...page, rows: [], matched: 0, total: 0 }, 0), 'no rows');
});

test('what takes a while is said in words', () => {
  const query = queryOf({});
  assert.equal(waitingInWords({ ...query, sort: { column: 1, descending: true } }, 1e7), 'sorting 10,000,000 rows');
  assert.equal(waitingInWords({ ...query, filters: [{ column: 2, contains: 'a' }] }, 1234), 'filtering 1,234 rows');
  assert.equal(waitingInWords(query, 5), 'reading 5 rows');
});
