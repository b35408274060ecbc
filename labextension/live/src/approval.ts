/** A call that waits for a person: what will run, and the answers to it. */

import { button, disclosure, make, unique } from './elements';
import { Decided } from './decision';
import { Frame, View } from './frame';
import { Fields, list, text } from './model';

export function approval(frame: Frame): View {
  return new ApprovalView(frame);
}

class ApprovalView implements View {
  readonly body = make('div', 'lexsi-card');

  constructor(private readonly frame: Frame) {
    const { state } = frame;
    this.decided = new Decided(frame);
    const rows = list(state['rows']).map(row => {
      const [heading, words] = list(row).map(text);
      return make('tr', '', {}, make('th', '', { scope: 'row' }, heading ?? ''), make('td', '', {}, words ?? ''));
    });
    this.args.value = text(state['args']);
    this.args.rows = Math.min(12, this.args.value.split('\n').length + 1);
    const reason = make('label', 'lexsi-quiet', { for: this.reason.id }, 'Reason (optional)');
    this.reason.addEventListener('keydown', event => {
      if (event.key === 'Enter') {
        void this.decline();
      }
    });
    const form = make('div', '', {}, this.args, make('div', 'lexsi-tools', {}, this.change, this.wrong));
    const unfold = disclosure('Change arguments', 'Write other arguments; they are asked about again', form);
    this.answers.append(
      make('div', 'lexsi-tools', {}, this.yes, unfold),
      form,
      make('div', 'lexsi-tools', {}, this.no, reason, this.reason)
    );
    this.body.append(this.head, make('table', 'lexsi-asked', {}, make('tbody', '', {}, ...rows)), this.answers, this.decided.body);
    this.controls = [this.yes, this.no, this.change, this.reason, this.args, unfold];
    this.changed(state);
  }

  changed(state: Fields): void {
    const phase = this.decided.changed(state, this.controls);
    this.head.textContent = phase === 'open' ? 'Approval needed. Nothing has run.' : text(state['title']);
    this.answers.hidden = phase === 'done';
  }

  private async decline(): Promise<void> {
    if (!this.no.disabled) {
      await this.frame.ask('decline', { reason: this.reason.value });
    }
  }

  private async ask(): Promise<void> {
    const problem = problemOf(this.args.value);
    this.args.setAttribute('aria-invalid', String(problem !== ''));
    this.wrong.textContent = problem;
    if (problem === '') {
      await this.frame.ask('change', { args: this.args.value });
    } else {
      this.args.focus();
    }
  }

  private readonly decided: Decided;
  private readonly controls: readonly (HTMLInputElement | HTMLButtonElement | HTMLTextAreaElement)[];
  private readonly head = make('div', 'lexsi-title');
  private readonly answers = make('div', 'lexsi-answers');
  private readonly yes = button('Approve', 'Run it as it is shown', () => void this.frame.ask('approve'));
  private readonly no = button('Decline', 'Do not run it; the planner is told why', () => void this.decline());
  private readonly change = button('Ask again with these', 'They are shown once more before anything runs', () => {
    void this.ask();
  });
  private readonly wrong = make('span', 'lexsi-wrong', { id: unique('lexsi-wrong'), role: 'alert' });
  private readonly reason = make('input', 'lexsi-reason', { id: unique('lexsi-field'), type: 'text' });
  private readonly args = make('textarea', 'lexsi-args', {
    'aria-label': 'Arguments as JSON',
    'aria-describedby': this.wrong.id,
    spellcheck: 'false'
  });
}

/** Return what is wrong with arguments as they are written; "" where nothing is. */
export function problemOf(written: string): string {
  try {
    const read: unknown = JSON.parse(written);
    const isObject = typeof read === 'object' && read !== null && !Array.isArray(read);
    return isObject ? '' : 'The arguments are no JSON object. Write them as {"name": value}.';
  } catch (error) {
    return `The arguments are no JSON: ${error instanceof Error ? error.message : String(error)}`;
  }
}
