import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isQuestion, Line, nextToken, Reading } from '../src/question';

class Text implements Line {
  at = 0;
  constructor(private readonly text: string) {}
  sol = (): boolean => this.at === 0;
  done = (): boolean => this.at >= this.text.length;
  match(pattern: RegExp): RegExpMatchArray | null {
    const found = this.text.slice(this.at).match(pattern);
    this.at += found?.[0].length ?? 0;
    return found;
  }
}

/** Return the pieces that are more than prose. */
function marked(...lines: string[]): string[] {
  const reading: Reading = { options: false };
  return lines.flatMap(line => {
    const text = new Text(line);
    const found: string[] = [];
    const whole: string[] = [];
    while (!text.done()) {
      const from = text.at;
      const kind = nextToken(text, reading);
      assert.ok(text.at > from, 'each step moves on');
      whole.push(line.slice(from, text.at));
      if (kind !== 'content' && kind !== 'separator') {
        found.push(`${kind}: ${line.slice(from, text.at)}`);
      }
    }
    assert.equal(whole.join(''), line);
    return found;
  });
}

/** Return the word that the editor has for a cursor at the end of the line. */
function atEnd(line: string): string {
  const reading: Reading = { options: false };
  const text = new Text(line);
  let from = 0;
  while (!text.done()) {
    from = text.at;
    nextToken(text, reading);
  }
  return line.slice(from);
}

test('only a cell that starts with the magic is a question', () => {
  assert.deepEqual(['%%lexsi', '%%lexsi why?', '\n%%lexsi --data bank'].map(isQuestion), [true, true, true]);
  assert.deepEqual(['%%lexsix', '# %%lexsi', 'x = 1', '%lexsi vars'].map(isQuestion), [false, false, false, false]);
});

test('the magic and its options are marked, the question is prose', () => {
  assert.deepEqual(marked("%%lexsi --data 'my bank' --dry-run what's due?", "don't --stop"), [
    'keyword: %%lexsi', "attributeName: --data 'my bank'", 'attributeName: --dry-run'
  ]);
  assert.deepEqual(marked('%%lexsi --seed=3', 'if x: print("'), ['keyword: %%lexsi', 'attributeName: --seed=3']);
});

test('the cursor always stands in a token, so that a completion starts from its word', () => {
  assert.equal(atEnd("%%lexsi --dry-run what's the am"), 'am');
  assert.equal(atEnd('%%lexsi the '), ' ');
  assert.equal(atEnd('%%lexsi --re'), '--re');
});

test('dashes below the first line are prose', () => {
  assert.deepEqual(marked('%%lexsi --cells show', '--dry-run it is'), ['keyword: %%lexsi', 'attributeName: --cells show']);
});
