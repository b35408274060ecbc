/** The mime bundle a run leaves in its cell: what it is called and how it is read. */

export const MIME_TYPE = 'application/vnd.lexsi.run+json';

export interface CodeCell {
  readonly title: string;
  readonly source: string;
  readonly kind: string;
}

export interface RunBundle {
  readonly run: string;
  readonly summary: string;
  readonly cells: readonly CodeCell[];
  /** What stands above the line; sanitised like any other HTML output. */
  readonly html: string;
}

/** Return the run that the JSON describes, or undefined where it is of a version or shape unknown here. */
export function readBundle(data: unknown): RunBundle | undefined {
  if (!isRecord(data) || data['version'] !== 1 || typeof data['run'] !== 'string') {
    return undefined;
  }
  const cells = data['cells'];
  if (!Array.isArray(cells)) {
    return undefined;
  }
  const read: CodeCell[] = [];
  for (const cell of cells as readonly unknown[]) {
    if (!isRecord(cell) || typeof cell['source'] !== 'string') {
      return undefined;
    }
    read.push({ source: cell['source'], title: text(cell['title']), kind: text(cell['kind']) });
  }
  return { run: data['run'], summary: text(data['summary']), cells: read, html: text(data['html']) };
}

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function text(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
