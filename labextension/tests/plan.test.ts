import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { RunBundle } from '../src/bundle';
import { isEmpty, Plan, planInsertion } from '../src/plan';
import { digest, METADATA_KEY, PresentCell, readProvenance } from '../src/provenance';

const bundle = (run: string, ...sources: string[]): RunBundle => ({
  run,
  summary: '',
  html: '',
  cells: sources.map(source => ({ title: '', kind: 'code', source }))
});

const plain = (id: string, source = id): PresentCell => ({ id, source, metadata: {} });

/** Return the notebook after the plan, as the frontend carries it out. */
function apply(present: readonly PresentCell[], plan: Plan): PresentCell[] {
  const cells = present.map(cell => restated(cell, plan));
  plan.remove.forEach(index => cells.splice(index, 1));
  plan.insert.forEach(cell => {
    const metadata = { [METADATA_KEY]: { ...cell.provenance } };
    cells.splice(cell.at, 0, { id: `${cell.provenance.run}-${cell.provenance.step}`, source: cell.source, metadata });
  });
  return cells;
}

function restated(cell: PresentCell, { keep, settle }: Plan): PresentCell {
  const state = keep.includes(cell.id) ? 'kept' : settle.includes(cell.id) ? 'accepted' : undefined;
  const mark = readProvenance(cell.metadata);
  return state === undefined ? cell : { ...cell, metadata: { [METADATA_KEY]: { ...mark, state } } };
}

const stateOf = (cells: readonly PresentCell[], id: string): string | undefined =>
  readProvenance(cells.find(cell => cell.id === id)?.metadata)?.state;

const insert = (present: readonly PresentCell[], anchor: string, run: RunBundle): PresentCell[] =>
  apply(present, planInsertion(present, present.findIndex(cell => cell.id === anchor), run));

const edit = (present: readonly PresentCell[], id: string, source: string): PresentCell[] =>
  present.map(cell => (cell.id === id ? { ...cell, source } : cell));

const sources = (cells: readonly PresentCell[]): string[] => cells.map(cell => cell.source);

const start = [plain('before'), plain('ask'), plain('after')];

test('cells go right below the cell that asked, in order', () => {
  assert.deepEqual(sources(insert(start, 'ask', bundle('r1', 'a', 'b'))), ['before', 'ask', 'a', 'b', 'after']);
});

test('each inserted cell tells its run, step, title and origin', () => {
  const [, , first] = insert(start, 'ask', bundle('r1', 'a'));
  assert.deepEqual(first?.metadata, {
    [METADATA_KEY]: { run: 'r1', step: 1, steps: 1, title: '', origin: 'ask', digest: digest('a'), state: 'proposed' }
  });
});

test('inserting twice changes nothing, so that outputs stay', () => {
  const once = insert(start, 'ask', bundle('r1', 'a', 'b'));
  const plan = planInsertion(once, 1, bundle('r1', 'a', 'b'));
  assert.equal(isEmpty(plan), true);
});

test('a second run of the same cell replaces what the first left', () => {
  const once = insert(start, 'ask', bundle('r1', 'a', 'b', 'c'));
  const twice = insert(once, 'ask', bundle('r2', 'a', 'B'));
  assert.deepEqual(sources(twice), ['before', 'ask', 'a', 'B', 'after']);
});

test('an edited cell stays and stands for its step', () => {
  const edited = edit(insert(start, 'ask', bundle('r1', 'a', 'b', 'c')), 'r1-2', 'b, my way');
  const twice = insert(edited, 'ask', bundle('r2', 'A', 'b', 'C'));
  assert.deepEqual(sources(twice), ['before', 'ask', 'A', 'b, my way', 'C', 'after']);
  assert.equal(planInsertion(twice, 1, bundle('r2', 'A', 'b', 'C')).edited, 1);
});

test('an edited cell stays beside a proposal that has changed since', () => {
  const edited = edit(insert(start, 'ask', bundle('r1', 'a')), 'r1-1', 'a, my way');
  assert.deepEqual(sources(insert(edited, 'ask', bundle('r2', 'A'))), ['before', 'ask', 'A', 'a, my way', 'after']);
});

test('an edited cell is kept apart while the run proposes something else, and settles when it does no more', () => {
  const edited = edit(insert(start, 'ask', bundle('r1', 'a', 'b')), 'r1-2', 'b, my way');
  const twice = insert(edited, 'ask', bundle('r2', 'a', 'B'));
  assert.equal(stateOf(twice, 'r1-2'), 'kept');
  assert.equal(isEmpty(planInsertion(twice, 1, bundle('r2', 'a', 'B'))), true);
  const back = insert(twice, 'ask', bundle('r3', 'a', 'b'));
  assert.deepEqual([sources(back), stateOf(back, 'r1-2')], [['before', 'ask', 'a', 'b, my way', 'after'], 'accepted']);
});

test('an edit that the run now proposes itself stands for its step', () => {
  const edited = edit(insert(start, 'ask', bundle('r1', 'a')), 'r1-1', 'A');
  assert.deepEqual(sources(insert(edited, 'ask', bundle('r2', 'A'))), ['before', 'ask', 'A', 'after']);
});

test('an edited proposal of a step that the run has no more is kept; an accepted one is left as it is', () => {
  const edited = edit(insert(start, 'ask', bundle('r1', 'a', 'b')), 'r1-2', 'b, my way');
  const twice = insert(edited, 'ask', bundle('r2', 'a'));
  assert.deepEqual([sources(twice), stateOf(twice, 'r1-2')], [['before', 'ask', 'a', 'b, my way', 'after'], 'kept']);
  const accepted = twice.map(cell => restated(cell, { remove: [], insert: [], keep: [], settle: ['r1-2'], edited: 0 }));
  assert.deepEqual(planInsertion(accepted, 1, bundle('r2', 'a')).keep, []);
});

test('a deleted cell comes back in its place', () => {
  const once = insert(start, 'ask', bundle('r1', 'a', 'b', 'c'));
  const without = once.filter(cell => cell.source !== 'b');
  assert.deepEqual(sources(insert(without, 'ask', bundle('r1', 'a', 'b', 'c'))), ['before', 'ask', 'a', 'b', 'c', 'after']);
});

test('a cell of ours that was moved above the asking cell is not doubled', () => {
  const once = insert(start, 'ask', bundle('r1', 'a', 'b'));
  const moved = [once[2], once[0], once[1], once[3], once[4]].filter(cell => cell !== undefined);
  assert.deepEqual(sources(insert(moved, 'ask', bundle('r1', 'a', 'b', 'c'))), [
    'a', 'before', 'ask', 'b', 'c', 'after'
  ]);
});

test('stale cells above the asking cell are removed without shifting the rest', () => {
  const once = insert(start, 'ask', bundle('r1', 'a', 'b'));
  const moved = [once[2], once[0], once[1], once[3], once[4]].filter(cell => cell !== undefined);
  assert.deepEqual(sources(insert(moved, 'ask', bundle('r2', 'A', 'B'))), ['before', 'ask', 'A', 'B', 'after']);
});

test('cells of other questions, and of the user, are left alone', () => {
  const two = insert(insert(start, 'before', bundle('r1', 'x')), 'ask', bundle('r2', 'a'));
  assert.deepEqual(sources(insert(two, 'ask', bundle('r3', 'b'))), ['before', 'x', 'ask', 'b', 'after']);
});

test('a copy that the user made of an inserted cell stays', () => {
  const once = insert(start, 'ask', bundle('r1', 'a'));
  const copied = [...once, { ...(once[2] as PresentCell), id: 'copy' }];
  assert.deepEqual(sources(insert(copied, 'ask', bundle('r1', 'a'))), ['before', 'ask', 'a', 'after', 'a']);
});

test('marks of another shape count as no mark', () => {
  const odd = [...start, { id: 'odd', source: 'x', metadata: { [METADATA_KEY]: { run: 7 } } }];
  assert.deepEqual(planInsertion(odd, 1, bundle('r1')).remove, []);
});

test('a cell that only called for the code is not taken for the one that asked', () => {
  const called = [...start, plain('call')];
  const plan = planInsertion(called, 3, bundle('r1', 'a'), 'ask');
  assert.equal(plan.insert[0]?.at, 4);
  assert.equal(plan.insert[0]?.provenance.origin, 'ask');
});
