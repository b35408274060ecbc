/** The few DOM elements that live widgets are made of. */

type Part = Node | string;

const FOCUSABLE: readonly string[] = ['button', 'input', 'select', 'summary', 'textarea'];

/** Return an element with a class, attributes and content. */
export function make<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  name = '',
  attributes: Readonly<Record<string, string>> = {},
  ...content: readonly Part[]
): HTMLElementTagNameMap[K] {
  const made = document.createElement(tag);
  if (name !== '') {
    made.className = name;
  }
  for (const [key, value] of Object.entries(attributes)) {
    made.setAttribute(key, value);
  }
  if (FOCUSABLE.includes(tag) || 'tabindex' in attributes) {
    // Keys are for the widget. On the element itself: Lab's arrow keys are bound to whatever in a notebook has the focus.
    made.dataset['lmSuppressShortcuts'] = 'true';
  }
  made.append(...content);
  return made;
}

export function button(label: string, title: string, act: () => void): HTMLButtonElement {
  const made = make('button', 'lexsi-button', { type: 'button', title }, label);
  made.addEventListener('click', act);
  return made;
}

/** Return a button that shows and hides `shown`; a screen reader hears which. */
export function disclosure(label: string, title: string, shown: HTMLElement): HTMLButtonElement {
  shown.hidden = true;
  shown.id = shown.id || unique('lexsi-shown');
  const made = button(label, title, () => {
    shown.hidden = !shown.hidden;
    made.setAttribute('aria-expanded', String(!shown.hidden));
  });
  made.setAttribute('aria-expanded', 'false');
  made.setAttribute('aria-controls', shown.id);
  return made;
}

/** Return HTML that the kernel wrote, which escapes every value; it has no scripts. */
export function fromKernel(html: string): HTMLElement {
  const made = make('div', 'lexsi-html');
  made.innerHTML = html;
  return made;
}

let made = 0;

export function unique(prefix: string): string {
  return `${prefix}-${Date.now().toString(36)}-${++made}`;
}
