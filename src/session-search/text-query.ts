import { isStorable } from '../http/fields';
import { AppError } from '../kernel/app-error';

export const MAX_QUERY = 200;
const MAX_TERMS = 20;
/** Too many words share a shorter beginning. */
const MIN_BEGINNING = 2;

/** A word or phrase that an input must have, or must not have. The database splits it as it split the input. */
export interface Term {
  readonly words: string;
  /** The last word is a beginning. */
  readonly goesOn: boolean;
  readonly isExcluded: boolean;
}

/** A search in inputs. One input must have all terms that are not excluded, of which there is at least one. */
export interface TextQuery {
  /** As it was given. */
  readonly text: string;
  readonly terms: readonly Term[];
}

/**
 * Reads `word`, `"words in a row"`, `begin*`, and `-` before what an input must not have. Other characters separate words:
 * `public.orders` is a phrase of two words.
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
