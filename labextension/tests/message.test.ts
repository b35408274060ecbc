import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isAsked, readMessage } from '../src/message';

const good = { type: 'run', version: 1, run: 'r1', anchor: 'c1', mode: 'insert', cells: [{ source: 'a' }] };

test('a message tells of a run, its cell and where the cells go', () => {
  const read = readMessage(good);
  assert.equal(read?.anchor, 'c1');
  assert.equal(read?.bundle.run, 'r1');
  assert.deepEqual(read?.bundle.cells.map(cell => cell.source), ['a']);
});

for (const odd of [{ ...good, type: 'hello' }, { ...good, version: 2 }, { ...good, mode: 'all' }, { ...good, anchor: 1 }, null]) {
  test(`a message of another kind is left alone: ${JSON.stringify(odd)}`, () => assert.equal(readMessage(odd), undefined));
}

test('cells that are only shown are proposed by the automatic setting alone', () => {
  const shown = readMessage({ ...good, mode: 'show' });
  const asked = readMessage(good);
  assert.ok(shown !== undefined && asked !== undefined);
  assert.deepEqual([isAsked(shown, 'click'), isAsked(shown, 'automatic')], [false, true]);
  assert.deepEqual([isAsked(asked, 'click'), isAsked(asked, 'automatic')], [true, true]);
});

test('a run without cells proposes nothing', () => {
  const none = readMessage({ ...good, cells: [] });
  assert.ok(none !== undefined && !isAsked(none, 'automatic'));
});
