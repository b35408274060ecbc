/** A Vega-Lite spec for less room than it is meant for: the same marks in a narrower picture. */

import type { ReadonlyJSONObject, ReadonlyJSONValue } from '@lumino/coreutils';
import { isRecord } from './bundle';

/** The part of a picture that names at its side take at most, and pixels that a letter of a title takes. */
const NAMES = 0.4;
const LETTER = 7.5;
/** Channels that split a chart into many, whose widths nothing makes smaller together. */
const SPLIT = ['row', 'column', 'facet'];

/** Pixels of a plot below which a chart is scrolled instead, and that may stay empty beside it. */
const LEAST = 100;
const SPARE = 24;

/** Return the width of the plot to try in `room` pixels for a chart that takes `natural`; undefined where it fits. */
export function firstWidth(spec: ReadonlyJSONObject, natural: number, room: number): number | undefined {
  const { width, encoding } = spec;
  const whole = ('mark' in spec || 'layer' in spec) && !SPLIT.some(channel => isRecord(encoding) && channel in encoding);
  const tries = whole && typeof width === 'number' && natural > room;
  return tries ? Math.max(Math.min(LEAST, width), width + room - natural) : undefined;
}

/** Return the next width to try after a plot of `width` made a chart of `drawn` pixels; undefined where that will do. */
export function nextWidth(width: number, drawn: number, room: number): number | undefined {
  const next = Math.max(LEAST, width + room - drawn);
  const fits = drawn <= room && room - drawn < SPARE;
  return fits || next === width ? undefined : next;
}

/** Return the spec with a plot of `width` pixels and words for `room` pixels. */
export function fitted(spec: ReadonlyJSONObject, width: number, room: number): ReadonlyJSONObject {
  const config = record(spec['config']);
  const axis = { ...record(config['axis']), labelLimit: Math.floor(NAMES * room) };
  const axisX = { ...record(config['axisX']), titleAnchor: 'end' };
  const legend = { ...record(config['legend']), orient: 'bottom', direction: 'horizontal', titleLimit: room };
  const title = { ...record(config['title']), anchor: 'start', frame: 'bounds' };
  return {
    ...spec,
    width,
    ...('title' in spec ? { title: wrappedTitle(spec['title'] ?? '', Math.floor(room / LETTER)) } : {}),
    config: { ...config, axis, axisX, legend, title }
  };
}

function wrappedTitle(title: ReadonlyJSONValue, letters: number): ReadonlyJSONValue {
  if (typeof title === 'string') {
    return wrapped(title, letters);
  }
  const parts = record(title);
  const out: Record<string, ReadonlyJSONValue> = { ...parts };
  for (const part of ['text', 'subtitle']) {
    const words = parts[part];
    if (typeof words === 'string') {
      out[part] = wrapped(words, letters);
    }
  }
  return out;
}

/** Return words as lines of at most `letters` letters, a longer word as a line of its own. */
export function wrapped(words: string, letters: number): string[] {
  const lines: string[] = [];
  for (const word of words.split(' ')) {
    const last = lines.at(-1);
    if (last !== undefined && last.length + 1 + word.length <= letters) {
      lines[lines.length - 1] = `${last} ${word}`;
    } else {
      lines.push(word);
    }
  }
  return lines;
}

function record(value: ReadonlyJSONValue | undefined): ReadonlyJSONObject {
  return isRecord(value) ? (value as ReadonlyJSONObject) : {};
}
