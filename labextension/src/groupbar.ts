/** The bar above all cells that one question proposes: how many, and the buttons for all of them. */

import { button, element } from './elements';
import { groupLine } from './wording';

export interface GroupState {
  readonly proposed: number;
  readonly kept: number;
  readonly clashing: number;
  /** The key that takes them all away, empty where one undo does not. */
  readonly undo: string;
}

/** What the user can decide for all of them. */
export interface GroupDecisions {
  acceptAll(): void;
  acceptAndRunAll(): void;
  discardAll(): void;
}

export function groupBar(state: GroupState, decisions: GroupDecisions): HTMLElement {
  const { strong, rest } = groupLine(state.proposed, state.kept, state.undo);
  const bar = element('div', 'lexsi-Frame-group');
  const label = element('span', 'lexsi-Frame-label');
  label.append(element('strong', '', strong), ` · ${rest}`);
  const run = state.clashing > 0 ? '; of a step that you edited, yours is run' : '';
  const keep = state.clashing > 0 ? ', but for steps that you keep an edit of' : '';
  bar.append(
    label,
    button('Accept and run all', `Keep all of them and run them, top to bottom${run}`, () => decisions.acceptAndRunAll(), 'filled'),
    button('Accept all', `Keep all of them${keep}`, () => decisions.acceptAll()),
    button('Discard all', 'Take all of them out again, but for what you edited', () => decisions.discardAll(), 'plain')
  );
  return bar;
}
