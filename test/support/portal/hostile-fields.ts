import { isName, normalizedName } from '../../../src/kernel/text/names';
import { HOSTILE_TEXTS } from './hostile-texts';

/** A field and its test strings. Each string ends with `~` and the `name` of the field (two letters). */
export interface HostileField {
  readonly name: string;
  readonly what: string;
  readonly texts: readonly string[];
}

interface FieldOptions {
  /** Whether the field is a name or a reason: no hidden characters, normalized (src/kernel/text/names.ts). */
  readonly isName?: boolean;
  /** Maximum UTF-8 bytes of one string, including its ending (`~` and the name). */
  readonly bytes?: number;
  /** Converts a string to the form in which the gateway stores texts of this field. */
  readonly as?: (text: string) => string;
}

/** All fields of one test, with their strings. */
export class HostileFields {
  readonly all: HostileField[] = [];

  /** Adds a field. Returns its strings, in the form that the gateway must show. */
  add(
    name: string,
    what: string,
    { isName: areNames = false, bytes = Infinity, as }: FieldOptions = {},
  ): readonly string[] {
    const form = as ?? (areNames ? normalizedName : (text: string) => text);
    const texts = HOSTILE_TEXTS.filter((text) => !areNames || isName(normalizedName(text)))
      .map((text) => form(`${text}~${name}`))
      .filter((text) => Buffer.byteLength(text) <= bytes);
    this.all.push({ name, what, texts });
    return texts;
  }
}

/** Returns the string in the form that it has within a JSON string. */
export function inJson(text: string): string {
  return JSON.stringify(text).slice(1, -1);
}

/** Returns the string in the form that it has within a JSON pointer (RFC 6901). */
export function inPointer(text: string): string {
  return text.replaceAll('~', '~0').replaceAll('/', '~1');
}

/** Joins strings into values of at most `limit` characters. A longer string stays a value by itself. */
export function valuesOf(texts: readonly string[], limit: number, between = ' '): string[] {
  const values: string[] = [];
  for (const text of texts) {
    const last = values.at(-1);
    if (last !== undefined && last.length + between.length + text.length <= limit)
      values[values.length - 1] = `${last}${between}${text}`;
    else values.push(text);
  }
  return values;
}

/** Does the work for each thing, at most six things in parallel. */
export async function forEach<T>(
  things: readonly T[],
  work: (thing: T, at: number) => Promise<unknown>,
): Promise<void> {
  const waiting = things.map((thing, at) => ({ thing, at }));
  const next = async (): Promise<void> => {
    for (let one = waiting.shift(); one !== undefined; one = waiting.shift()) await work(one.thing, one.at);
  };
  await Promise.all(Array.from({ length: 6 }, next));
}
