import assert from 'node:assert/strict';
import { test } from 'node:test';
import { METADATA_KEY, PresentCell, proposed, Provenance, readProvenance } from '../src/provenance';

const mark = (origin: string, state: string, run = 'r1'): Provenance =>
  ({ run, step: 1, origin, digest: 'd', state }) as Provenance;
const cell = (id: string, own?: Provenance): PresentCell => ({
  id,
  source: id,
  metadata: own === undefined ? {} : { [METADATA_KEY]: own }
});

test('a cell inserted before there were proposals counts as accepted', () => {
  const { state, ...old } = mark('ask', 'accepted');
  assert.equal(readProvenance({ [METADATA_KEY]: old })?.state, state);
});

test('what waits for a decision is told by question, in order', () => {
  const cells = [
    cell('mine'),
    cell('a1', mark('a', 'proposed')),
    cell('b1', mark('b', 'proposed', 'r2')),
    cell('a2', mark('a', 'accepted')),
    cell('a3', mark('a', 'proposed', 'r3'))
  ];
  assert.deepEqual(proposed(cells), ['a1', 'b1', 'a3']);
  assert.deepEqual(proposed(cells, mark('a', 'proposed')), ['a1', 'a3']);
});

test('without the asking cell the run itself is the question', () => {
  const cells = [cell('x', mark('', 'proposed', 'r1')), cell('y', mark('', 'proposed', 'r2'))];
  assert.deepEqual(proposed(cells, mark('', 'proposed', 'r1')), ['x']);
});
