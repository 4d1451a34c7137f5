import { isStorable } from '../http/fields';
import { AppError } from '../kernel/app-error';

export const MAX_QUERY = 200;
const MAX_TERMS = 20;
/** Shorter beginnings would be those of half of all words. */
const MIN_BEGINNING = 2;

/** A word, or words in a row, that a recorded input has, or has not. The database parts words as it did in the input. */
export interface Term {
  readonly words: string;
  /** The last word may go on. */
  readonly goesOn: boolean;
  readonly isExcluded: boolean;
}

/** What recorded inputs are searched for: all that is not excluded, at least one, in one input. */
export interface TextQuery {
  /** As it was given. */
  readonly text: string;
  readonly terms: readonly Term[];
}

/**
 * Reads `word`, `"words in a row"`, `begin*`, and `-` before what an input must not have. Signs part words, so
 * `public.orders` is two words in a row.
 * @throws AppError `unprocessable`
 */
export function readTextQuery(text: string, name: string): TextQuery {
  const refusal = (rule: string): AppError => new AppError('unprocessable', `${name} must ${rule}`);
  if (text.length > MAX_QUERY || !isStorable(text))
    throw refusal(`be a text of up to ${MAX_QUERY} characters`);
  const terms = [...text.matchAll(/(-?)(?:"([^"]*)"?|([^\s"]+))/g)]
    .map(([, sign, quoted, bare]) => termOf(sign === '-', quoted, bare))
    .filter(({ words }) => /[\p{L}\p{N}]/u.test(words));
  if (terms.length > MAX_TERMS) throw refusal(`have at most ${MAX_TERMS} words and phrases`);
  if (terms.every(({ isExcluded }) => isExcluded)) throw refusal('have a word to look for');
  if (terms.some((term) => term.goesOn && lastWord(term).length < MIN_BEGINNING))
    throw refusal(`have at least ${MIN_BEGINNING} characters of a word before *`);
  return { text, terms };
}

function termOf(isExcluded: boolean, quoted: string | undefined, bare = ''): Term {
  if (quoted !== undefined) return { words: quoted, goesOn: false, isExcluded };
  return { words: bare, goesOn: /[\p{L}\p{N}]\*+$/u.test(bare), isExcluded };
}

function lastWord({ words }: Term): string {
  return /([\p{L}\p{N}]+)\*+$/u.exec(words)?.[1] ?? '';
}
