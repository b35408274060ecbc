import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Provenance } from '../src/provenance';
import { badge, groupLine, outcome } from '../src/wording';

const mark: Provenance = {
  run: 'r1', step: 2, steps: 11, title: 'Train on context_df', origin: 'ask', digest: 'd', state: 'proposed'
};

test('a strip names what its step does', () => {
  assert.equal(badge(mark, false), '2 of 11 · Train on context_df');
  assert.equal(badge({ ...mark, state: 'accepted' }, true), 'lexsi · Train on context_df, edited');
  assert.equal(badge({ ...mark, state: 'accepted', title: '' }, false), 'lexsi · step 2');
  assert.equal(badge({ ...mark, steps: 0, title: '' }, false), 'step 2');
  assert.equal(badge(mark, false, true), 'Proposed · 2 of 11 · Train on context_df');
});

test('an edit that is kept is called the user\'s', () => {
  assert.equal(badge({ ...mark, state: 'kept' }, true), 'Your edit of step 2 (kept)');
});

test('the bar says how many are new, what is kept, and how to take them away', () => {
  assert.deepEqual(groupLine(3, 0, 'Z'), { strong: '3 cells proposed', rest: 'not run yet · Esc, Z removes them' });
  assert.deepEqual(groupLine(3, 1, ''), { strong: '3 new cells · 1 of yours kept', rest: 'not run yet' });
});

test('the line says what was done', () => {
  const nothing = { remove: [], insert: [], keep: [], settle: [], edited: 0 };
  const insert = [{ at: 1, source: '', provenance: mark }];
  assert.equal(outcome({ ...nothing, insert }, 1), '1 cell proposed below.');
  assert.equal(
    outcome({ ...nothing, insert, remove: [2, 1], keep: ['x'], edited: 1 }, 3),
    '3 cells proposed below, 2 cells of an earlier run removed, 1 cell you edited kept.'
  );
  assert.equal(outcome(nothing, 0), 'Already in the notebook.');
});
