/** Shows `%%lexsi` cells as prose, so that an apostrophe is no unclosed string of Python. */

import { LanguageSupport, StreamLanguage } from '@codemirror/language';
import type { Cell, ICellModel } from '@jupyterlab/cells';
import type { IEditorLanguageRegistry } from '@jupyterlab/codemirror';
import type { NotebookPanel } from '@jupyterlab/notebook';
import { isQuestion, Reading, nextToken } from './question';

const PROSE = 'text/x-lexsi';

export function addLanguage(languages: IEditorLanguageRegistry): void {
  const parser = {
    name: 'lexsi',
    startState: (): Reading => ({ options: false }),
    copyState: (reading: Reading): Reading => ({ ...reading }),
    token: nextToken
  };
  const load = async (): Promise<LanguageSupport> => new LanguageSupport(StreamLanguage.define(parser));
  languages.addLanguage({ name: 'lexsi', displayName: 'lexsi question', mime: PROSE, load });
}

/** Keep the cells of a notebook in the language of what stands in them. */
export function watchQuestions(panel: NotebookPanel): void {
  const python = new WeakMap<ICellModel, string>();
  const settle = (cell: Cell): void => {
    const { model } = cell;
    const question = model.type === 'code' && isQuestion(model.sharedModel.getSource());
    if (question && model.mimeType !== PROSE) {
      python.set(model, model.mimeType);
      model.mimeType = PROSE;
      void cell.ready.then(() => cell.editor?.setOption('lineWrap', true));
    } else if (!question && model.mimeType === PROSE) {
      model.mimeType = python.get(model) ?? 'text/x-ipython';
      cell.editor?.setOption('lineWrap', false);
    }
  };
  const known = new WeakSet<ICellModel>();
  const follow = (): void => {
    for (const cell of panel.content.widgets) {
      if (!known.has(cell.model)) {
        known.add(cell.model);
        cell.model.contentChanged.connect(() => settle(cell));
        // Lab sets Python on all code cells once it knows the kernel.
        cell.model.mimeTypeChanged.connect(() => settle(cell));
        settle(cell);
      }
    }
  };
  const start = (): void => {
    panel.content.model?.cells.changed.connect(follow);
    follow();
  };
  panel.content.modelChanged.connect(start);
  start();
}
