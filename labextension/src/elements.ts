/** The few DOM elements that the line of a run and the frame of a cell are made of. */

import { Clipboard } from '@jupyterlab/apputils';

/** How much a button asks for the click. */
export type Weight = 'filled' | 'outlined' | 'plain';

export function button(label: string, title: string, act?: () => void, weight: Weight = 'outlined'): HTMLButtonElement {
  const made = document.createElement('button');
  made.type = 'button';
  made.className = `jp-mod-styled lexsi-Button lexsi-mod-${weight}`;
  made.textContent = label;
  made.title = title;
  if (act !== undefined) {
    made.addEventListener('click', act);
  }
  return made;
}

export function element<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  name: string,
  text = ''
): HTMLElementTagNameMap[K] {
  const made = document.createElement(tag);
  made.className = name;
  made.textContent = text;
  return made;
}

/** Return a button that copies the text; its label says so until it loses the focus. */
export function copyButton(copied: string, title: string): HTMLButtonElement {
  const made = button('Copy', title, () => {
    Clipboard.copyToSystem(copied);
    made.textContent = 'Copied';
  });
  made.addEventListener('blur', () => (made.textContent = 'Copy'));
  return made;
}

/**
 * Let Enter and Space press the buttons inside `node`: Lab would take both for the notebook. Any other key is the
 * notebook's, as if the cell had the focus, so that undo works right after a click.
 */
export function ownKeys(node: HTMLElement): void {
  node.dataset['lmSuppressShortcuts'] = 'true';
  node.addEventListener('keydown', event => {
    const cell = node.closest<HTMLElement>('.jp-Notebook.jp-mod-commandMode .jp-Cell');
    if (cell !== null && event.target instanceof HTMLButtonElement && event.key.length === 1 && event.key !== ' ') {
      event.preventDefault();
      cell.focus();
      cell.dispatchEvent(new KeyboardEvent(event.type, event));
    }
  });
}
