import { MappedText, MappedTextBuilder } from '../text/mapped-text';
import { hiddenTexts, plainNumber } from './hidden-texts';
import { type JsonLeaves, type Leaf, type Place, jsonLeaves } from './json-leaves';

export interface InputViews {
  readonly views: readonly MappedText[];
  /** False when texts were nested too deep, so that the innermost were not read. */
  readonly complete: boolean;
}

/**
 * How rules read a call: each text, number and name by itself, decoded, with what it holds in other spellings; and the values one after another,
 * because a tool may put together what was handed over in parts. Offsets lead to the call's JSON.
 * @param places only what is there. Default: everything.
 */
export function callViews(text: string, places?: readonly Place[]): InputViews {
  const json = jsonLeaves(text, places);
  if (json === undefined) return withHidden([MappedText.unchanged(text)]);
  const single = json.leaves.filter(({ start, end }) => start < end).map((leaf) => viewOf(json, leaf));
  const read = withHidden([...single, ...siblings(json.leaves).flatMap((texts) => joined(json, texts, ''))]);
  return { ...read, views: [...read.views, ...inOrder(json), ...pairs(json)] };
}

/** Everything one after another, and the values alone. */
function inOrder(json: JsonLeaves): MappedText[] {
  const { leaves } = json;
  const values = leaves.filter(({ kind }) => kind !== 'name');
  return [
    ...joined(json, leaves, ' '),
    ...(values.length === leaves.length ? [] : joined(json, values, ' ')),
  ];
}

/** Only texts: numbers side by side would look like one long number. */
function textsOf(leaves: readonly Leaf[]): Leaf[] {
  return leaves.filter(({ kind }) => kind === 'text');
}

/** The outermost object of a call holds its name, and the arguments hold the rest. */
const CALL = 1;

/** All texts of the arguments, and those of each array and object. */
function siblings(leaves: readonly Leaf[]): Leaf[][] {
  const all = textsOf(leaves).filter(({ parent }) => parent !== CALL);
  const groups = new Map<number, Leaf[]>();
  for (const leaf of all) {
    const group = groups.get(leaf.parent) ?? [];
    groups.set(leaf.parent, group);
    group.push(leaf);
  }
  return groups.size === 1 ? [all] : [all, ...groups.values()];
}

/** In an object or array of at most so many texts, each is paired with each. */
const FEW_TEXTS = 6;

/**
 * Each text with the next one, and among few siblings with each of them: text around a pair cannot hide it from a pattern, and the order of
 * the two parts does not matter.
 */
function pairs(json: JsonLeaves): MappedText[] {
  const texts = textsOf(json.leaves);
  const found = texts.slice(1).map((second, index) => pairOf(json, texts[index]!, second));
  for (const group of siblings(json.leaves)) {
    if (group.length > FEW_TEXTS) continue;
    for (const [at, first] of group.entries())
      for (const [other, second] of group.entries())
        if (at > other || at + 1 < other) found.push(pairOf(json, first, second));
  }
  return found;
}

/**
 * Offsets lead to the whole range in which both stand. The range is not taken as a slice: in nested arrays each holds all others, which takes
 * quadratic time.
 */
function pairOf({ decoded }: JsonLeaves, first: Leaf, second: Leaf): MappedText {
  const { text } = decoded;
  const around = decoded.sourceRange(Math.min(first.start, second.start), Math.max(first.end, second.end));
  const put = text.slice(first.start, first.end) + text.slice(second.start, second.end);
  return MappedText.asOne(put, around.start, around.end);
}

/** Each text of a call by itself, for rules that read texts in another language. */
export function callTexts(text: string, places?: readonly Place[]): readonly MappedText[] {
  const json = jsonLeaves(text, places);
  if (json === undefined) return [MappedText.unchanged(text)];
  return json.leaves.filter(({ kind }) => kind === 'text').map((leaf) => viewOf(json, leaf));
}

function viewOf({ decoded }: JsonLeaves, { kind, start, end }: Leaf): MappedText {
  const view = decoded.slice(start, end);
  return kind === 'number' ? replaced(view, plainNumber(view.text)) : view;
}

/** Some of the leaves, with a text between them. */
function joined({ decoded }: JsonLeaves, leaves: readonly Leaf[], between: string): MappedText[] {
  if (leaves.length < 2) return [];
  const builder = new MappedTextBuilder(decoded.text);
  let last = 0;
  for (const [index, { start, end }] of leaves.entries()) {
    builder.replace(last, start, index === 0 ? '' : between);
    last = end;
  }
  builder.replace(last, decoded.text.length, '');
  return [builder.build().from(decoded)];
}

function withHidden(views: readonly MappedText[]): InputViews {
  let isComplete = true;
  const all = [...views];
  for (const view of views) {
    const { texts, complete } = hiddenTexts(view.text);
    isComplete &&= complete;
    for (const text of texts) all.push(replaced(view, text));
  }
  return { views: all, complete: isComplete };
}

/** Another text that was made from the view as a whole. */
function replaced(view: MappedText, text: string): MappedText {
  if (text === view.text) return view;
  const builder = new MappedTextBuilder(view.text);
  builder.replace(0, view.text.length, text);
  return builder.build().from(view);
}
