import { MappedText, MappedTextBuilder } from '../text/mapped-text';
import { plainNumber } from '../../kernel/json/number-text';
import { hiddenTexts } from './hidden-texts';
import { type JsonLeaves, type Leaf, type Place, jsonLeaves } from './json-leaves';

/**
 * Generates the texts of an input, one by one. Returns false at the end if texts were nested too deep, so
 * that the innermost texts were not read.
 */
export type InputViews = Generator<MappedText, boolean, void>;

/**
 * Generates the views of a call, which are the texts that rules search. Each decoded text, number and name is
 * a view. A text that is hidden in one of them, for example as base64, is a view too. Joined values are also
 * views, because a tool may join parts. Offsets map to the JSON of the call. A call of a megabyte has a
 * million views, so each view is made when it is read, and its map is made only if it is used.
 * @param places the places that are read. Default: everything.
 */
export function* callViews(text: string, places?: readonly Place[]): InputViews {
  const json = jsonLeaves(text, places);
  if (json === undefined) return yield* withHidden(MappedText.unchanged(text));
  let isComplete = true;
  for (const leaf of json.leaves)
    if (leaf.start < leaf.end) isComplete = (yield* withHidden(viewOf(json, leaf))) && isComplete;
  const groups = siblings(json.leaves);
  for (const texts of groups)
    for (const view of joined(json, texts, '')) isComplete = (yield* withHidden(view)) && isComplete;
  yield* inOrder(json);
  yield* pairs(json, groups);
  return isComplete;
}

/** Returns all names and values of a call, joined in order, and also its values joined without the names. */
function inOrder(json: JsonLeaves): MappedText[] {
  const { leaves } = json;
  const values = leaves.filter(({ kind }) => kind !== 'name');
  return [
    ...joined(json, leaves, ' '),
    ...(values.length === leaves.length ? [] : joined(json, values, ' ')),
  ];
}

/** Leaves out numbers and names, because joined numbers would look like one long number. */
function textsOf(leaves: readonly Leaf[]): Leaf[] {
  return leaves.filter(({ kind }) => kind === 'text');
}

/** Number of the outermost object of a call. The text directly in it is the call's name, not an argument. */
const CALL = 1;

/** Returns groups of texts: all texts of the arguments, and the texts of each array and object. */
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

/** Maximum number of texts in a group for which every text is paired with every other text. */
const FEW_TEXTS = 6;

/**
 * Pairs each text with the next one, and in a small group with every other text. So a pattern matches a text
 * that was split into two parts, whatever their order and the texts around them.
 */
function* pairs(json: JsonLeaves, groups: readonly Leaf[][]): Generator<MappedText, void> {
  const texts = textsOf(json.leaves);
  for (let at = 1; at < texts.length; at += 1) yield pairOf(json, texts[at - 1]!, texts[at]!);
  for (const group of groups) {
    if (group.length > FEW_TEXTS) continue;
    for (const [at, first] of group.entries())
      for (const [other, second] of group.entries())
        if (at > other || at + 1 < other) yield pairOf(json, first, second);
  }
}

/**
 * Joins two texts. The joined text maps to the whole range that contains both. This range is not copied,
 * because in nested arrays each range contains all inner ranges, so copying would take quadratic time.
 */
function pairOf({ decoded }: JsonLeaves, first: Leaf, second: Leaf): MappedText {
  const { text } = decoded;
  const put = text.slice(first.start, first.end) + text.slice(second.start, second.end);
  return MappedText.asOne(put, () =>
    decoded.sourceRange(Math.min(first.start, second.start), Math.max(first.end, second.end)),
  );
}

/** Generates each text of a call, for rules that read texts in another language. */
export function* callTexts(text: string, places?: readonly Place[]): Generator<MappedText, void> {
  const json = jsonLeaves(text, places);
  if (json === undefined) yield MappedText.unchanged(text);
  else for (const leaf of json.leaves) if (leaf.kind === 'text') yield viewOf(json, leaf);
}

function viewOf({ decoded }: JsonLeaves, { kind, start, end }: Leaf): MappedText {
  const view = decoded.slice(start, end);
  return kind === 'number' ? replaced(view, plainNumber(view.text)) : view;
}

/** Joins leaves, separated by the text `between`. The result is empty for fewer than two leaves. */
function joined({ decoded }: JsonLeaves, leaves: readonly Leaf[], between: string): MappedText[] {
  if (leaves.length < 2) return [];
  const text = leaves.map(({ start, end }) => decoded.text.slice(start, end)).join(between);
  return [
    MappedText.lazily(text, () => {
      const builder = new MappedTextBuilder(decoded.text);
      let last = 0;
      for (const [index, { start, end }] of leaves.entries()) {
        builder.replace(last, start, index === 0 ? '' : between);
        last = end;
      }
      builder.replace(last, decoded.text.length, '');
      return builder.build().from(decoded);
    }),
  ];
}

function* withHidden(view: MappedText): InputViews {
  yield view;
  const { texts, complete } = hiddenTexts(view.text);
  for (const text of texts) yield replaced(view, text);
  return complete;
}

/** Returns a view with this text, whose whole range maps to the whole range of the given view. */
function replaced(view: MappedText, text: string): MappedText {
  if (text === view.text) return view;
  return MappedText.lazily(text, () => {
    const builder = new MappedTextBuilder(view.text);
    builder.replace(0, view.text.length, text);
    return builder.build().from(view);
  });
}
