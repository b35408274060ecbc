import assert from 'node:assert/strict';
import { test } from 'node:test';
import { difference } from '../src/difference';

const signs = { same: ' ', removed: '-', added: '+' };
const shown = (before: string, after: string): string[] =>
  difference(before, after).map(line => `${signs[line.kind]}${line.text}`);

test('the same source has no difference', () => {
  assert.deepEqual(shown('a\nb', 'a\nb'), [' a', ' b']);
});

test('changed lines stand between the lines that stayed', () => {
  assert.deepEqual(shown('a\nb\nc', 'a\nB\nc'), [' a', '-b', '+B', ' c']);
});

test('lines put in and taken out far apart are both found', () => {
  assert.deepEqual(shown('a\nb\nc\nd', 'a\nx\nb\nd'), [' a', '+x', ' b', '-c', ' d']);
});

test('lines that repeat are not counted twice at both ends', () => {
  assert.deepEqual(shown('a\na', 'a\na\na'), [' a', ' a', '+a']);
});

test('a middle too long for a table is shown as replaced', () => {
  const many = (word: string): string => Array.from({ length: 1100 }, (_, i) => `${word}${i}`).join('\n');
  const found = difference(`top\n${many('x')}`, `top\n${many('y')}`);
  assert.deepEqual([found[0]?.kind, found[1]?.kind, found.at(-1)?.kind], ['same', 'removed', 'added']);
  assert.equal(found.length, 2201);
});
