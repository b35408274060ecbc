/** How a `%%lexsi` cell is read by the editor: its first line in words and options, the rest as prose. */

/** Return whether the source is a question rather than Python. */
export function isQuestion(source: string): boolean {
  return /^\s*%%lexsi(\s|$)/.test(source);
}

export interface Line {
  /** Whether the cursor stands at the start of the line. */
  sol(): boolean;
  match(pattern: RegExp): RegExpMatchArray | boolean | null;
}

export interface Reading {
  /** Options are read up to the first word of the question. */
  options: boolean;
}

/**
 * Return the kind of the next piece of the line; moves the line on.
 *
 * Prose is read word by word, spaces too: where the cursor stands in no token, Lab's completion offers every token of
 * the cell beside what the kernel says. No theme has a style of its own for either kind.
 */
export function nextToken(line: Line, reading: Reading): string {
  if (line.sol()) {
    reading.options = Boolean(line.match(/^\s*%%lexsi(?=\s|$)/));
    if (reading.options) {
      return 'keyword'; // bold, and seen in every theme: that of dark ones for 'meta' is 3.5:1
    }
  }
  if (line.match(/^\s+/)) {
    return 'separator';
  }
  if (reading.options) {
    if (line.match(/^--(dry-run|again|ask)(?=\s|$)/)) {
      return 'attributeName';
    }
    if (line.match(/^--[\w-]+(?=[\s=]|$)/)) {
      line.match(/^[=\s]+("[^"]*"|'[^']*'|\S+)/);
      return 'attributeName';
    }
    reading.options = false;
  }
  line.match(/^\S+/);
  return 'content';
}
