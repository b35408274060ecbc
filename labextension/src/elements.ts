/** The few DOM elements that the line of a run and the frame of a cell are made of. */

export function button(label: string, title: string, act?: () => void): HTMLButtonElement {
  const made = document.createElement('button');
  made.type = 'button';
  made.className = 'jp-mod-styled lexsi-Button';
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

/** Let Enter and Space press the buttons inside `node`: Lab would take both for the notebook. */
export function ownKeys(node: HTMLElement): void {
  node.dataset['lmSuppressShortcuts'] = 'true';
}
