import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { RunBundle } from '../src/bundle';
import { digest, METADATA_KEY, PresentCell, State } from '../src/provenance';
import { Standing, standingOf } from '../src/standing';
import { counts } from '../src/wording';

const bundle: RunBundle = {
  run: 'r2',
  summary: '',
  html: '',
  cells: ['a', 'b', 'c'].map(source => ({ source, title: '', kind: 'code' }))
};

function cell(source: string, step: number, state: State, { run = 'r2', made = source, ran = false } = {}): PresentCell {
  const mark = { run, step, origin: 'ask', digest: digest(made), state };
  return { id: `${run}-${step}`, source, ran, metadata: { [METADATA_KEY]: mark } };
}

const standing = (cells: PresentCell[], ...gone: string[]): Standing => standingOf(cells, bundle, 'ask', new Set(gone));

test('nothing is said before cells were put in', () => {
  assert.equal(counts(standing([])), '');
  assert.equal(standing([]).first, undefined);
});

test('what was run, accepted, proposed and discarded is counted', () => {
  const all = [cell('a', 1, 'proposed'), cell('b', 2, 'proposed'), cell('c', 3, 'proposed')];
  assert.equal(counts(standing(all)), '3 cells proposed below.');
  assert.equal(standing(all).first, 'r2-1');
  const some = [cell('a', 1, 'accepted', { ran: true }), cell('b', 2, 'accepted')];
  assert.equal(counts(standing(some)), '1 run, 1 accepted, 1 discarded.');
  assert.equal(standing(some).first, undefined);
});

test('all discarded is told from an insertion that was undone', () => {
  assert.equal(counts(standing([], 'r2 1', 'r2 2', 'r2 3')), '3 discarded.');
  assert.equal(counts(standing([], 'r1 1')), '');
});

test('a cell of an earlier run that is still what is proposed stands; what was never put in is not discarded', () => {
  const earlier = [cell('b', 2, 'accepted', { run: 'r1' })];
  assert.equal(counts(standing(earlier)), '1 accepted.');
});

test('an edit that is kept is counted apart, and one that stands for its step is accepted', () => {
  const cells = [cell('a', 1, 'proposed'), cell('b', 2, 'proposed'), cell('c', 3, 'accepted')];
  const kept = cell('b, my way', 2, 'kept', { run: 'r1', made: 'B' });
  assert.equal(counts(standing([...cells, kept])), '1 accepted, 2 proposed, 1 of yours kept.');
  assert.equal(counts(standing([cell('b, my way', 2, 'accepted', { made: 'b' })])), '1 accepted, 2 discarded.');
});
