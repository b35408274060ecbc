import assert from 'node:assert/strict';
import { test } from 'node:test';
import { acceptable, discardable, groupOf, keptBeside, newOf } from '../src/groups';
import { digest, METADATA_KEY, PresentCell, Provenance, State } from '../src/provenance';

interface Of {
  origin?: string;
  run?: string;
  step?: number;
  made?: string;
}

function cell(id: string, state?: State, { origin = 'ask', run = 'r1', step = 1, made = id }: Of = {}): PresentCell {
  const mark: Provenance = { run, step, steps: 3, title: '', origin, digest: digest(made), state: state ?? 'accepted' };
  return { id, source: id, metadata: state === undefined ? {} : { [METADATA_KEY]: mark } };
}

const markOf = (one: PresentCell): Provenance => (one.metadata as Record<string, Provenance>)[METADATA_KEY] as Provenance;

/** Step 2 was edited, and a second run proposes another; `new` is that one. */
const clash = [
  cell('one', 'proposed', { run: 'r2' }),
  cell('new', 'proposed', { run: 'r2', step: 2 }),
  cell('mine', 'kept', { step: 2, made: 'old' }),
  cell('three', 'proposed', { run: 'r2', step: 3 })
];

test('what waits for a decision is told by question, in order', () => {
  const cells = [
    cell('mine'),
    cell('a1', 'proposed', { origin: 'a' }),
    cell('b1', 'proposed', { origin: 'b', run: 'r2' }),
    cell('a2', 'accepted', { origin: 'a' }),
    cell('a3', 'proposed', { origin: 'a', run: 'r3' })
  ];
  assert.deepEqual(groupOf(cells).proposed, ['a1', 'b1', 'a3']);
  assert.deepEqual(groupOf(cells, markOf(cells[1] as PresentCell)).proposed, ['a1', 'a3']);
});

test('without the asking cell the run itself is the question', () => {
  const cells = [cell('x', 'proposed', { origin: '' }), cell('y', 'proposed', { origin: '', run: 'r2' })];
  assert.deepEqual(groupOf(cells, markOf(cells[0] as PresentCell)).proposed, ['x']);
});

test('a kept edit is no part of what is proposed, and never discarded with it', () => {
  const group = groupOf(clash);
  assert.deepEqual(group.proposed, ['one', 'new', 'three']);
  assert.deepEqual(group.kept, ['mine']);
  assert.deepEqual(discardable(group), ['one', 'new', 'three']);
});

test('of a step with a kept edit all are accepted but the new one, and the edit alone is run', () => {
  const group = groupOf(clash);
  assert.deepEqual(acceptable(group), ['one', 'three']);
  assert.deepEqual(group.runnable, ['one', 'mine', 'three']);
});

test('a kept edit is run with the others only where it stands for a step of theirs', () => {
  const alone = clash.filter(({ id }) => id !== 'new');
  assert.deepEqual(groupOf(alone).runnable, ['one', 'three']);
});

test('the same step of another question is no clash', () => {
  const cells = [cell('new', 'proposed', { run: 'r2', step: 2 }), cell('mine', 'kept', { origin: 'b', step: 2, made: 'o' })];
  assert.deepEqual(groupOf(cells).clashing, []);
});

test('a proposed cell that was edited is run with the others, and not discarded with them', () => {
  const cells = [cell('one', 'proposed'), cell('two, my way', 'proposed', { step: 2, made: 'two' })];
  assert.deepEqual(groupOf(cells).runnable, ['one', 'two, my way']);
  assert.deepEqual(discardable(groupOf(cells)), ['one']);
});

test('a kept edit and the new one of its step are found from each other', () => {
  assert.equal(newOf(clash, 'mine')?.id, 'new');
  assert.deepEqual(keptBeside(clash, 'new').map(({ id }) => id), ['mine']);
  assert.deepEqual(keptBeside(clash, 'one'), []);
});

test('a new one that was edited too is nobody else\'s to drop', () => {
  const edited = clash.map(one => (one.id === 'new' ? { ...one, source: 'also mine' } : one));
  assert.equal(newOf(edited, 'mine'), undefined);
});
