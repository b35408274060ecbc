/** The difference of two sources, line by line. */

export interface DiffLine {
  readonly kind: 'same' | 'removed' | 'added';
  readonly text: string;
}

// A longest common subsequence takes a table of both lengths; beyond this the middle is shown as replaced.
const LARGEST_TABLE = 1_000_000;

/** Return the lines that lead from `before` to `after`, by a longest common subsequence. */
export function difference(before: string, after: string): DiffLine[] {
  const old = before.split('\n');
  const now = after.split('\n');
  let head = 0;
  while (head < old.length && head < now.length && old[head] === now[head]) {
    head++;
  }
  let tail = 0;
  while (tail < old.length - head && tail < now.length - head && old.at(-1 - tail) === now.at(-1 - tail)) {
    tail++;
  }
  return [
    ...lines('same', old.slice(0, head)),
    ...middle(old.slice(head, old.length - tail), now.slice(head, now.length - tail)),
    ...lines('same', old.slice(old.length - tail))
  ];
}

function middle(old: readonly string[], now: readonly string[]): DiffLine[] {
  if (old.length * now.length > LARGEST_TABLE) {
    return [...lines('removed', old), ...lines('added', now)];
  }
  const common = old.map(() => new Array<number>(now.length + 1).fill(0));
  common.push(new Array<number>(now.length + 1).fill(0));
  const at = (i: number, j: number): number => common[i]?.[j] ?? 0;
  for (let i = old.length - 1; i >= 0; i--) {
    for (let j = now.length - 1; j >= 0; j--) {
      common[i]![j] = old[i] === now[j] ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1));
    }
  }
  const found: DiffLine[] = [];
  let [i, j] = [0, 0];
  while (i < old.length || j < now.length) {
    if (i < old.length && j < now.length && old[i] === now[j]) {
      found.push({ kind: 'same', text: old[i++] ?? '' });
      j++;
    } else if (i < old.length && (j >= now.length || at(i + 1, j) >= at(i, j + 1))) {
      found.push({ kind: 'removed', text: old[i++] ?? '' });
    } else {
      found.push({ kind: 'added', text: now[j++] ?? '' });
    }
  }
  return found;
}

function lines(kind: DiffLine['kind'], texts: readonly string[]): DiffLine[] {
  return texts.map(text => ({ kind, text }));
}
