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

/**
 * Return the run that the JSON describes, or undefined where it is of a version or shape unknown here.
 *
 * A saved run has its sources once, in the HTML beside the JSON: `html` is that output's text/html.
 */
export function readBundle(data: unknown, html: unknown = undefined): RunBundle | undefined {
  if (!isRecord(data) || data['version'] !== 1 || typeof data['run'] !== 'string') {
    return undefined;
  }
  const cells = data['cells'];
  if (!Array.isArray(cells)) {
    return undefined;
  }
  const listed = sourcesIn(html);
  const read: CodeCell[] = [];
  for (const [at, cell] of (cells as readonly unknown[]).entries()) {
    const source = isRecord(cell) ? (cell['source'] ?? (listed.length === cells.length ? listed[at] : undefined)) : undefined;
    if (!isRecord(cell) || typeof source !== 'string') {
      return undefined;
    }
    read.push({ source, title: text(cell['title']), kind: text(cell['kind']) });
  }
  return { run: data['run'], summary: text(data['summary']), cells: read, html: text(data['html'] ?? withoutCode(html)) };
}

const CHARACTERS: Readonly<Record<string, string>> = { lt: '<', gt: '>', amp: '&', quot: '"', '#x27': "'" };

/** Return the text of each `pre` of a run's HTML, in order. Read as text, never put into the page. */
function sourcesIn(html: unknown): string[] {
  const whole = Array.isArray(html) ? html.join('') : text(html);
  return [...whole.matchAll(/<pre[^>]*>([^]*?)<\/pre>/g)].map(found =>
    (found[1] ?? '').replace(/&(lt|gt|amp|quot|#x27);/g, (_, name: string) => CHARACTERS[name] ?? '')
  );
}

/** Return a run's HTML without its last row, which is the code: that is shown by the line with the buttons. */
function withoutCode(html: unknown): string {
  const whole = Array.isArray(html) ? html.join('') : text(html);
  const last = whole.lastIndexOf('<tr>');
  return last > 0 && whole.includes('<pre', last) ? `${whole.slice(0, last)}</tbody></table>` : '';
}

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function text(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
