import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isEdited, METADATA_KEY, digest, readProvenance } from '../src/provenance';

const mark = { run: 'r1', step: 2, steps: 3, title: 'Total', origin: 'ask', digest: digest('a'), state: 'kept' } as const;

test('a cell inserted before there were proposals counts as accepted, without title and number of steps', () => {
  const old = { run: 'r1', step: 2, origin: 'ask', digest: digest('a') };
  assert.deepEqual(readProvenance({ [METADATA_KEY]: old }), { ...mark, steps: 0, title: '', state: 'accepted' });
});

test('a mark is read as it was written', () => {
  assert.deepEqual(readProvenance({ [METADATA_KEY]: { ...mark } }), mark);
});

test('a cell is edited where its source is not the one that was inserted', () => {
  assert.deepEqual([isEdited('a', mark), isEdited('a ', mark)], [false, true]);
});
