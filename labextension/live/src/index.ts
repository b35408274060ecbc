/** Draws a live widget: which view stands for which kind. */

import { approval } from './approval';
import { choice } from './choice';
import { controls } from './controls';
import { make } from './elements';
import { Frame, View } from './frame';
import { Model, text } from './model';
import { progress } from './progress';
import style from './style.css';
import { shap } from './shap';
import { table } from './table';
import { whatIf } from './what_if';

const VIEWS: Readonly<Record<string, (frame: Frame) => View>> = {
  table,
  'what-if': whatIf,
  shap,
  progress,
  controls,
  choice,
  approval
};

export function render({ model, el }: { model: Model; el: HTMLElement }): () => void {
  addStyle();
  const frame = new Frame(model, el);
  const build = VIEWS[text(model.get('kind'))];
  if (build === undefined) {
    frame.say('This widget was made by another version of lexsi-nb.');
  } else {
    frame.show(build(frame));
  }
  return () => frame.dispose();
}

function addStyle(): void {
  const id = 'lexsi-live-style';
  if (document.getElementById(id) === null) {
    document.head.append(make('style', '', { id }, style));
  }
}
