import assert from 'node:assert/strict';
import { test } from 'node:test';
import { approvalsOf, AskedCell, entriesOf, totalOf, words } from '../src/entries';
import { KernelState, readRecord, readState, RunRecord } from '../src/record';
import { heading } from '../src/wording';

const saved = {
  version: 1,
  run: 'r1',
  question: 'How much?',
  status: 'answered',
  planner: 'embedded',
  models: 'embedded',
  steps: [{ number: 1, tool: 'run_sql', args: 'sql=SELECT 1', status: 'ok', cells: [2] }],
  variables: [{ name: 'total', what: 'DataFrame', step: 1, from: ['loans'] }],
  sent: [],
  used: '',
  usd: ''
};

function record(changes: object = {}): RunRecord {
  const read = readRecord({ ...saved, ...changes });
  assert.ok(read !== undefined);
  return read;
}

function cell(id: string, ...records: RunRecord[]): AskedCell {
  return { id, count: 1, source: '', records, error: '' };
}

function kernel(fields: object): KernelState {
  const read = readState({ type: 'state', version: 1, variables: [], approvals: [], runs: [], problem: '', ...fields });
  assert.ok(read !== undefined);
  return read;
}

const parked = { run: 'p1', status: 'awaiting_approval', approval: { id: 'a1', tool: 'upload' } };
const waiting = { id: 'a1', run: 'p1', tool: 'upload', question: 'Upload it.', here: true };

test('metadata of another version or shape are no run', () => {
  for (const odd of [undefined, {}, { ...saved, version: 2 }, { ...saved, run: 3 }, 'run']) {
    assert.equal(readRecord(odd), undefined);
  }
  assert.deepEqual(record({ steps: 'none', variables: [3] }).steps, []);
});

test('without a kernel nothing is said of staleness', () => {
  const [entry] = entriesOf([cell('c1', record())], undefined);
  assert.equal(entry?.variables[0]?.state, '');
});

test('the kernel says which variables are stale, gone, or made by another run since', () => {
  const stale = kernel({ variables: [{ name: 'total', run: 'r1', state: 'stale', reason: 'loans was edited' }] });
  const other = kernel({ variables: [{ name: 'total', run: 'r2', state: 'fresh', reason: '' }] });
  const states = [stale, other, kernel({})].map(now => entriesOf([cell('c1', record())], now)[0]);
  assert.deepEqual(states.map(entry => entry?.variables[0]?.state), ['stale', 'made by another run', 'not in the kernel']);
  assert.ok(states[0] !== undefined && heading(states[0], true) === '[1] answered, 1 stale');
});

test('of two outputs of one run the later counts', () => {
  const entries = entriesOf([cell('c1', record(parked), record({ run: 'p1' }))], undefined);
  assert.deepEqual(entries.map(entry => entry.record.status), ['answered']);
});

test('what waits is what the kernel says, else what the outputs say', () => {
  const cells = [cell('c1', record(parked))];
  const as_saved = entriesOf(cells, undefined);
  assert.deepEqual([as_saved[0]?.waits, approvalsOf(as_saved, undefined).map(a => a.cell)], [true, ['c1']]);
  const now = kernel({ approvals: [waiting] });
  assert.deepEqual(approvalsOf(entriesOf(cells, now), now).map(a => [a.id, a.cell]), [['a1', 'c1']]);
  const settled = kernel({ runs: [{ ...saved, run: 'p1' }] });
  const after = entriesOf(cells, settled);
  assert.deepEqual([after[0]?.waits, after[0]?.record.status], [false, 'answered']);
  assert.deepEqual(approvalsOf(after, settled), []);
});

test('a run that went on in a later cell waits no more', () => {
  const entries = entriesOf([cell('c1', record(parked)), cell('c2', record({ run: 'p1' }))], undefined);
  assert.deepEqual(entries.map(entry => entry.waits), [false, false]);
});

test('approvals of other notebooks are not shown', () => {
  const now = kernel({ approvals: [{ ...waiting, here: false }] });
  assert.deepEqual(approvalsOf([], now), []);
  assert.equal(approvalsOf([], kernel({ approvals: [waiting] })).length, 1);
});

test('a question that failed is listed with its error, other failing cells are not', () => {
  const failed = { ...cell('c1'), source: '%%lexsi --seed 3 --dry-run what is\ndue?', error: 'No data.' };
  const [entry, ...more] = entriesOf([failed, { ...cell('c2'), source: '1 / 0', error: 'division by zero' }], undefined);
  assert.deepEqual([entry?.record.question, entry?.record.status, entry?.error], ['what is due?', 'failed', 'No data.']);
  assert.deepEqual(more, []);
});

test('the question stands without magic and options', () => {
  assert.equal(words('%%lexsi --data "my bank" --cells=show what?'), 'what?');
  assert.equal(words('%%lexsi\nwhat --now?'), 'what --now?');
});

test('the cost of all is known where each is; a replay costs nothing', () => {
  const paid = { used: '1 request', usd: '0.0040' };
  const cells = (...of: object[]): ReturnType<typeof entriesOf> => entriesOf([cell('c1', ...of.map(x => record(x)))], undefined);
  assert.equal(totalOf(cells({})), 0);
  assert.equal(totalOf(cells({ ...paid, run: 'a' }, { ...paid, run: 'b' })), 0.008);
  assert.equal(totalOf(cells({ ...paid, run: 'a' }, { used: '1 request', run: 'b' })), undefined);
  assert.equal(totalOf(cells({ ...paid, replayed: true })), 0);
});

test('a question that was stopped is no failure', () => {
  const asked = { ...cell('a'), source: '%%lexsi the total?' };
  const statuses = ['Stopped at step 1 (run_sql). Kept: nothing.', 'No table so called.'].map(
    error => entriesOf([{ ...asked, error }], undefined)[0]?.record.status
  );
  assert.deepEqual(statuses, ['interrupted', 'failed']);
});

test('with a kernel its runs are listed without outputs, each cell with its last', () => {
  const now = kernel({
    runs: [
      { ...saved, run: 'old', cell: 'c1' },
      { ...saved, run: 'new', cell: 'c1' },
      { ...saved, run: 'gone', cell: 'deleted' },
      { ...saved, run: 'by program', cell: '' },
      { ...saved, run: 'shown', cell: 'c2' }
    ]
  });
  const entries = entriesOf([cell('c1'), cell('c2', record({ run: 'shown' }))], now);
  assert.deepEqual(
    entries.map(({ record: { run }, cell: at, origin }) => [run, at, origin]),
    [['new', 'c1', 'kernel'], ['shown', 'c2', 'output'], ['gone', '', 'kernel'], ['by program', '', 'kernel']]
  );
});

test('a run that failed has its steps from the kernel and its error from the cell', () => {
  const now = kernel({ runs: [{ ...saved, run: 'f', status: 'failed', cell: 'c1' }] });
  const [entry] = entriesOf([{ ...cell('c1'), source: '%%lexsi what?', error: 'No table.' }], now);
  assert.deepEqual([entry?.error, entry?.record.steps.length], ['No table.', 1]);
});

test('a recording is listed where no output or kernel has its run, at the cell that asks its question', () => {
  const of = (name: string, question: string): RunRecord => record({ run: '', question, recording: `.lexsi/${name}.yaml` });
  const long = `${'x'.repeat(197)}...`;
  const recorded = [of('a', 'How much?'), of('b', 'Which?'), of('loans-c4', 'What?'), of('e', long), of('f', 'Gone?')];
  const asks = (id: string, source: string): AskedCell => ({ ...cell(id), source });
  const cells = [
    cell('c1', record({ recording: '.lexsi/a.yaml' })),
    asks('c2', '%%lexsi --recording b\nWhich?'),
    asks('c3', '%%lexsi What?'),
    asks('c4', '%%lexsi\nWhat?'),
    asks('c5', `%%lexsi ${'x'.repeat(300)}`)
  ];
  const entries = entriesOf(cells, undefined, recorded);
  assert.deepEqual(
    entries.map(({ record: { recording }, cell: at, origin }) => [recording.slice(7, -5), at, origin]),
    [
      ['a', 'c1', 'output'], ['b', 'c2', 'recording'], ['loans-c4', 'c4', 'recording'], ['e', 'c5', 'recording'],
      ['f', '', 'recording']
    ]
  );
  const listed = entries[1];
  assert.ok(listed !== undefined && heading(listed, false) === '[1] answered, from recording');
});
