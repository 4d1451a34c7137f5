import { isUtf8 } from 'node:buffer';
import { atOnce } from '../../kernel/async/time-slice';
import { plainNumber } from '../../kernel/json/number-text';
import { base64Texts, escapedText, isMostlyText, percentText } from './spellings';
import { jsonLeafSteps } from './json-leaves';

/** Maximum depth to which texts inside texts are read. */
const MAX_LAYERS = 6;
/** Limits for the number and the length of all texts hidden in one text, so that many layers stay cheap. */
const MAX_TEXTS = 20_000;
const GROWTH = 8;
const FREE_UNITS = 64 * 1024;

export interface HiddenTexts {
  readonly texts: readonly string[];
  /** False if some texts were not read, because of too many layers or too much text. */
  readonly complete: boolean;
}

/** Maximum length, in UTF-16 code units, of a text that is tested with `TRACES` in one step. */
const SHORT = 64 * 1024;

const NOTHING: HiddenTexts = { texts: [], complete: true };
/** Matches signs of a hidden text: escapes, base64 or JSON. A short text without a match hides no text. */
const TRACES = /[\\%]|(?:[\w+/-]\s*){6}|^\s*["[{]/;

/**
 * Finds the texts inside a text that its receiver may decode: the texts, names and numbers of JSON, base64 of
 * either alphabet (also inside a text, as in `data:` URLs), backslash escapes, and percent escapes. Each
 * decoded text is searched again.
 */
export function hiddenTexts(text: string): HiddenTexts {
  return atOnce(hiddenSteps(text));
}

/** Does the work of `hiddenTexts` in steps, because a text may be long. */
export function* hiddenSteps(text: string): Generator<undefined, HiddenTexts> {
  // Only short texts are tested, because the search in a long text would block the event loop.
  if (text.length <= SHORT && !TRACES.test(text)) return NOTHING;
  const found = new Set<string>();
  let units = 0;
  let layer = [text];
  for (let depth = 0; layer.length > 0; depth += 1) {
    const next: string[] = [];
    for (const outer of layer)
      for (const inner of innerTexts(outer)) {
        yield;
        if (inner === TOO_LARGE) return { texts: [...found], complete: false };
        if (inner === undefined || inner === text || found.has(inner)) continue;
        units += inner.length;
        if (depth === MAX_LAYERS || found.size >= MAX_TEXTS || units > GROWTH * text.length + FREE_UNITS)
          return { texts: [...found], complete: false };
        found.add(inner);
        next.push(inner);
      }
    layer = next;
  }
  return { texts: [...found], complete: true };
}

/** Value that `innerTexts` yields for a JSON document that is too large to read, instead of its texts. */
const TOO_LARGE = Symbol('too large');

/** Yields the texts that are hidden directly in a text. Yields undefined after a step that found none. */
function* innerTexts(text: string): Generator<string | undefined | typeof TOO_LARGE> {
  yield* jsonTexts(text);
  for (const spelled of [escapedText, percentText]) {
    const other = yield* spelled(text);
    if (other !== text) yield other;
  }
  const url = /^\s*data:[^,]*,/i.exec(text);
  if (url !== null) yield text.slice(url[0].length);
  yield* base64Texts(text);
}

function* jsonTexts(text: string): Generator<string | undefined | typeof TOO_LARGE> {
  if (!/^\s*["[{]/.test(text)) return;
  const json = yield* jsonLeafSteps(text);
  if (json === undefined) return;
  if (json === 'too large') {
    yield TOO_LARGE;
    return;
  }
  for (const { kind, start, end } of json.leaves) {
    const leaf = json.decoded.text.slice(start, end);
    if (leaf !== '') yield kind === 'number' ? plainNumber(leaf) : leaf;
  }
}

/** Minimum length of a text that is decoded as base64. A shorter text counts as an ordinary word. */
const SHORTEST_WHOLE = 8;

/**
 * Decodes a text that consists of base64 only. Returns undefined if the decoded bytes are not text, or if
 * encoding them again gives a different base64 text.
 */
export function wholeBase64(
  text: string,
): { readonly text: string; readonly encoding: 'base64' | 'base64url' } | undefined {
  if (text.length < SHORTEST_WHOLE || !/^[\w+/-]+={0,2}$/.test(text)) return undefined;
  const bytes = Buffer.from(text, 'base64');
  const encoding = (['base64', 'base64url'] as const).find((each) => bytes.toString(each) === text);
  if (encoding === undefined || !isUtf8(bytes)) return undefined;
  const decoded = bytes.toString();
  return isMostlyText(decoded) ? { text: decoded, encoding } : undefined;
}
