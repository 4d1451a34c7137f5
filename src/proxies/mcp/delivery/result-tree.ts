import { LRUCache } from 'lru-cache';
import { isObject, type Json, JsonFault, JsonNumber, readJson, writeJson } from '../../../kernel/json/json';
import { plainNumber } from '../../../kernel/json/number-text';
import type { MaybePromise } from '../../../kernel/async/maybe-promise';
import { TimeSlice } from '../../../kernel/async/time-slice';
import {
  type HiddenTexts,
  hiddenSteps,
  hiddenTexts,
  wholeBase64,
} from '../../../languages/tool-call/hidden-texts';

/** A part of a message as rules read it. */
export type Part =
  | { readonly kind: 'plain'; readonly value: Json }
  | { readonly kind: 'number'; readonly value: Json; readonly texts: readonly string[] }
  | { readonly kind: 'array'; readonly items: readonly Part[] }
  | { readonly kind: 'object'; readonly fields: readonly Field[] }
  | TextPart;

export interface Field {
  readonly name: string;
  readonly nameTexts: readonly string[];
  readonly value: Part;
}

/** A text. Content in another encoding is decoded for the rules, and written back in the same encoding. */
export interface TextPart {
  readonly kind: 'text';
  readonly text: string;
  /**
   * Member names and indexes that lead from the message to this text; undefined for a text inside another
   * text.
   */
  readonly path: readonly string[] | undefined;
  /**
   * Whether programs need the exact value, such as a URI. The message is refused if a rule masks the value.
   */
  readonly isHandle: boolean;
  readonly form: TextForm;
}

export type TextForm =
  | { readonly kind: 'words'; readonly hidden: readonly string[] }
  | { readonly kind: 'json'; readonly inner: Part; readonly indent: string }
  | { readonly kind: 'base64'; readonly inner: TextPart; readonly encoding: 'base64' | 'base64url' };

/** Error: texts are nested too deeply, or contain too many other texts, to be read. */
export class TooDeep extends Error {}

/**
 * Maximum nesting of encoded texts (JSON documents, base64) that can be masked. A match nested more deeply
 * blocks the message.
 */
const MAX_LAYERS = 4;

/** Names of protocol members whose exact values programs need. */
const HANDLES = new Set([
  'type',
  'role',
  'name',
  'uri',
  'uriTemplate',
  'mimeType',
  'method',
  'level',
  'nextCursor',
  'resultType',
  'requestState',
]);
/** Members with free content: below them, names have no meaning in the protocol. */
const FREE = new Set(['structuredContent', '_meta', 'arguments', 'inputSchema', 'outputSchema', 'data']);

/** Number of array items that are read in one step. */
const ITEMS = 256;

type Steps<T> = Generator<Promise<Json | undefined> | undefined, T, Json | undefined>;

/** Splits a message into its parts, in time slices. @throws TooDeep */
export async function partOf(value: Json): Promise<Part> {
  const steps = partsIn(value, [], false, 0);
  const slice = new TimeSlice();
  let answer: Json | undefined;
  for (;;) {
    const step = steps.next(answer);
    if (step.done === true) return step.value;
    answer = step.value === undefined ? undefined : await step.value;
    if (slice.isOver) await slice.next();
  }
}

function* partsIn(
  value: Json,
  path: readonly string[] | undefined,
  isFree: boolean,
  layer: number,
): Steps<Part> {
  if (typeof value === 'string') return yield* textIn(value, path, isFree, layer);
  if (typeof value === 'number' || value instanceof JsonNumber) return numberPart(value);
  if (Array.isArray(value)) {
    const items: Part[] = [];
    for (const [index, item] of value.entries()) {
      items.push(yield* partsIn(item, path && [...path, String(index)], isFree, layer));
      if (index % ITEMS === 0) yield undefined;
    }
    return { kind: 'array', items };
  }
  if (!isObject(value)) return { kind: 'plain', value };
  const fields: Field[] = [];
  for (const [name, inner] of Object.entries(value))
    fields.push({
      name,
      nameTexts: textsOfName(name),
      value: yield* partsIn(inner, path && [...path, name], isFree || FREE.has(name), layer),
    });
  return { kind: 'object', fields };
}

function* textIn(
  text: string,
  path: readonly string[] | undefined,
  isFree: boolean,
  layer: number,
): Steps<TextPart> {
  const isHandle = !isFree && HANDLES.has(path?.at(-1) ?? '');
  const part = (form: TextForm): TextPart => ({ kind: 'text', text, path, isHandle, form });
  if (layer < MAX_LAYERS) {
    const document = /^\s*[[{]/.test(text) ? yield documentIn(text) : undefined;
    if (document !== undefined) {
      const inner = yield* partsIn(document, undefined, true, layer + 1);
      return part({ kind: 'json', inner, indent: /^\s*[[{]\r?\n([ \t]+)/.exec(text)?.[1] ?? '' });
    }
    const decoded = wholeBase64(text);
    if (decoded !== undefined) {
      const inner = yield* textIn(decoded.text, undefined, true, layer + 1);
      return part({ kind: 'base64', inner, encoding: decoded.encoding });
    }
  }
  yield undefined;
  return part({ kind: 'words', hidden: allOf(yield* hiddenIn(text)) });
}

/** Finds encoded texts inside a text. Works in steps, because the text may be long. */
function* hiddenIn(text: string): Steps<HiddenTexts> {
  const steps = hiddenSteps(text);
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
    yield undefined;
  }
}

/** Texts to screen for each field name. Cached, because most messages have the same field names. */
const names = new LRUCache<string, readonly string[]>({ max: 1_000 });
const SHORT_NAME = 64;

/** @throws TooDeep */
function textsOfName(name: string): readonly string[] {
  const known = names.get(name);
  if (known !== undefined) return known;
  const texts = [name, ...allOf(hiddenTexts(name))];
  if (name.length <= SHORT_NAME) names.set(name, texts);
  return texts;
}

/** @throws TooDeep */
function allOf({ texts, complete }: HiddenTexts): readonly string[] {
  if (!complete) throw new TooDeep();
  return texts;
}

function numberPart(value: number | JsonNumber): Part {
  const written = writeJson(value);
  const plain = plainNumber(written);
  return { kind: 'number', value, texts: plain === written ? [written] : [written, plain] };
}

/** Parses a text as JSON. Returns undefined if it is not JSON, or cannot be written back without loss. */
async function documentIn(text: string): Promise<Json | undefined> {
  try {
    const read: MaybePromise<Json> = readJson(Buffer.from(text));
    return await read;
  } catch (error) {
    if (error instanceof JsonFault) return undefined;
    throw error;
  }
}

/** Yields all texts that must be screened. */
export function* screenedTextsOf(part: Part): Generator<string> {
  switch (part.kind) {
    case 'plain':
      return;
    case 'number':
      yield* part.texts;
      return;
    case 'array':
      for (const item of part.items) yield* screenedTextsOf(item);
      return;
    case 'object':
      for (const { nameTexts, value } of part.fields) {
        yield* nameTexts;
        yield* screenedTextsOf(value);
      }
      return;
    case 'text':
      yield part.text;
      if (part.form.kind === 'words') yield* part.form.hidden;
      else yield* screenedTextsOf(part.form.inner);
  }
}
