import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readBundle } from '../src/bundle';

const good = { version: 1, run: 'r1', summary: 's', cells: [{ title: 't', source: 'x = 1', kind: 'data' }], html: '<p>foot</p>' };

test('a bundle of version 1 is read', () => {
  assert.deepEqual(readBundle(good), { run: 'r1', summary: 's', cells: good.cells, html: '<p>foot</p>' });
});

test('titles and kinds may be missing', () => {
  const bare = { version: 1, run: 'r1', cells: [{ source: 'x' }] };
  assert.deepEqual(readBundle(bare)?.cells, [{ title: '', source: 'x', kind: '' }]);
});

test('sources that a saved run has only in its HTML are read from there', () => {
  const cells = [{ title: 't', kind: 'data' }, { title: '' }];
  const html = ['<b>code</b><pre style="margin:0">x = "a" &lt; b &amp; c\n</pre>\n', '<pre>print(&#x27;&amp;lt;&#x27;)</pre>'];
  const read = readBundle({ ...good, cells }, html)?.cells.map(c => c.source);
  assert.deepEqual(read, ['x = "a" < b & c\n', "print('&lt;')"]);
  assert.equal(readBundle({ ...good, cells }, html[0]), undefined, 'another number of sources is of another run');
});

test('what stands above the line is the HTML beside it without the row of code', () => {
  const html = '<table><tbody><tr><td>sent</td></tr>\n<tr><td>code</td><td><pre>x</pre></td></tr></tbody></table>';
  const bare = { version: 1, run: 'r1', cells: [{}] };
  assert.equal(readBundle(bare, html)?.html, '<table><tbody><tr><td>sent</td></tr>\n</tbody></table>');
  assert.equal(readBundle(good, html)?.html, '<p>foot</p>');
});

for (const [what, data] of Object.entries({
  'another version': { ...good, version: 2 },
  'no run': { ...good, run: undefined },
  'cells that are no list': { ...good, cells: {} },
  'a cell without source': { ...good, cells: [{ title: 't' }] },
  'no object': 'text',
  nothing: null
})) {
  test(`a bundle with ${what} is refused`, () => assert.equal(readBundle(data), undefined));
}
