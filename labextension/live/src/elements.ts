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

/** Return content that can be scrolled to the side; a shadow tells that there is more. */
export function scrolling(label: string, content: HTMLElement): HTMLElement {
  const made = make('div', 'lexsi-scroll', { tabindex: '0', role: 'region', 'aria-label': label }, content);
  const look = (): void => {
    made.classList.toggle('lexsi-more', made.scrollWidth - made.clientWidth - made.scrollLeft > 1);
  };
  made.addEventListener('scroll', look, { passive: true });
  const sizes = new ResizeObserver(look);
  sizes.observe(made);
  sizes.observe(content);
  return made;
}

const WAITS = new WeakMap<HTMLElement, number>();

/** Dim what does not match what was asked for, until as many calls with -1 as with 1 have come. */
export function waits(shown: HTMLElement, by: 1 | -1): void {
  const now = (WAITS.get(shown) ?? 0) + by;
  WAITS.set(shown, now);
  shown.classList.toggle('lexsi-waits', now > 0);
  shown.setAttribute('aria-busy', String(now > 0));
}

/** Whether words are light here, so the ground is dark. */
export function isDark(node: HTMLElement): boolean {
  const [red = 0, green = 0, blue = 0] = (getComputedStyle(node).color.match(/[\d.]+/g) ?? []).map(Number);
  return 0.299 * red + 0.587 * green + 0.114 * blue > 128;
}
