import assert from 'node:assert/strict';
import { test } from 'node:test';
import { firstWidth, fitted, nextWidth, wrapped } from '../src/fitting';

const spec = {
  width: 420,
  title: 'How duration moved 403 scores',
  mark: 'bar',
  encoding: { x: { field: 'a' } },
  config: { background: 'transparent', axis: { labelLimit: 260 } }
};

test('a plot gives up what the chart is too wide', () => {
  assert.equal(firstWidth(spec, 500, 500), undefined);
  assert.equal(firstWidth(spec, 500, 380), 300);
  assert.equal(firstWidth(spec, 900, 380), 100); // less is no picture: it is scrolled
});

test('what is spare after the words were placed anew is taken, and what is too much given up', () => {
  assert.equal(nextWidth(300, 340, 380), 340);
  assert.equal(nextWidth(300, 360, 380), undefined);
  assert.equal(nextWidth(300, 400, 380), 280);
  assert.equal(nextWidth(100, 600, 380), undefined);
});

test('a narrow chart says what it said', () => {
  const made = fitted(spec, 120, 200);
  assert.equal(made['width'], 120);
  assert.deepEqual(made['title'], ['How duration moved 403', 'scores']);
  assert.deepEqual(made['encoding'], spec.encoding);
  const config = made['config'] as Record<string, Record<string, unknown>>;
  assert.equal(config['background'], 'transparent');
  assert.equal(config['axis']?.['labelLimit'], 80);
  assert.equal(config['legend']?.['orient'], 'bottom');
  assert.equal(spec.config.axis.labelLimit, 260);
});

test('a chart whose parts have widths of their own is left to be scrolled', () => {
  assert.equal(firstWidth({ hconcat: [spec, spec] }, 900, 200), undefined);
  assert.equal(firstWidth({ ...spec, encoding: { column: { field: 'a' } } }, 900, 200), undefined);
  assert.equal(firstWidth({ ...spec, width: { step: 20 } }, 900, 200), undefined);
});

test('a title of parts keeps them, each in lines', () => {
  const made = fitted({ ...spec, title: { text: 'one two three', subtitle: 'four', color: 'red' } }, 50, 60);
  assert.deepEqual(made['title'], { text: ['one two', 'three'], subtitle: ['four'], color: 'red' });
});

test('no word is lost or cut', () => {
  assert.deepEqual(wrapped('a bb incomprehensibilities c', 6), ['a bb', 'incomprehensibilities', 'c']);
});
