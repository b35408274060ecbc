/** How a `%%lexsi` cell is read by the editor: its first line in words and options, the rest as prose. */

/** Return whether the source is a question rather than Python. */
export function isQuestion(source: string): boolean {
  return /^\s*%%lexsi(\s|$)/.test(source);
}

export interface Line {
  /** Whether the cursor stands at the start of the line. */
  sol(): boolean;
  match(pattern: RegExp): RegExpMatchArray | boolean | null;
  skipToEnd(): void;
}

export interface Reading {
  /** Options are read up to the first word of the question. */
  options: boolean;
}

/** Return the kind of the next piece of the line, null for prose; moves the line on. */
export function nextToken(line: Line, reading: Reading): string | null {
  if (line.sol() && line.match(/^\s*%%lexsi(?=\s|$)/)) {
    reading.options = true;
    return 'meta';
  }
  if (reading.options) {
    if (line.match(/^\s+/)) {
      return null;
    }
    if (line.match(/^--(dry-run|again|ask)(?=\s|$)/)) {
      return 'attributeName';
    }
    if (line.match(/^--[\w-]+(?=[\s=]|$)/)) {
      line.match(/^[=\s]+("[^"]*"|'[^']*'|\S+)/);
      return 'attributeName';
    }
    reading.options = false;
  }
  line.skipToEnd();
  return null;
}
