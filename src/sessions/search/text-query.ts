import { isStorable } from '../../platform/http/dto/fields';

export const MAX_QUERY = 200;
const MAX_TERMS = 20;
/** Minimum length of a prefix, because too many words share a shorter one. */
const MIN_BEGINNING = 2;

/**
 * A word or phrase that an input must contain, or must not contain. The database splits it into words in the
 * same way as it splits inputs.
 */
export interface Term {
  readonly words: string;
  /** Whether the last word is a prefix, as in `begin*`. */
  readonly goesOn: boolean;
  readonly isExcluded: boolean;
}

/**
 * A search in inputs. It finds an input that contains every included term and no excluded term. At least one
 * term is included.
 */
export interface TextQuery {
  /** The text as it was given. */
  readonly text: string;
  readonly terms: readonly Term[];
}

/**
 * Parses a search text: `word`, `"words in a row"`, `begin*`, and `-` before a term that an input must not
 * contain. Other characters separate words: `public.orders` is a phrase of two words. `textQueryRule` must
 * have accepted the text.
 */
export function readTextQuery(text: string): TextQuery {
  return { text, terms: termsOf(text) };
}

/** Returns the requirement that a search text does not meet; undefined if the text is valid. */
export function textQueryRule(text: unknown): string | undefined {
  if (typeof text !== 'string') return 'be given once';
  if (text.length > MAX_QUERY || !isStorable(text)) return `be a text of up to ${MAX_QUERY} characters`;
  const terms = termsOf(text);
  if (terms.length > MAX_TERMS) return `have at most ${MAX_TERMS} words and phrases`;
  if (terms.every(({ isExcluded }) => isExcluded)) return 'have a word to look for';
  if (terms.some((term) => term.goesOn && lastWord(term).length < MIN_BEGINNING))
    return `have at least ${MIN_BEGINNING} characters of a word before *`;
  return undefined;
}

function termsOf(text: string): Term[] {
  return [...text.matchAll(/(-?)(?:"([^"]*)"?|([^\s"]+))/g)]
    .map(([, sign, quoted, bare]) => termOf(sign === '-', quoted, bare))
    .filter(({ words }) => /[\p{L}\p{N}]/u.test(words));
}

function termOf(isExcluded: boolean, quoted: string | undefined, bare = ''): Term {
  if (quoted !== undefined) return { words: quoted, goesOn: false, isExcluded };
  return { words: bare, goesOn: /[\p{L}\p{N}]\*+$/u.test(bare), isExcluded };
}

function lastWord({ words }: Term): string {
  return /([\p{L}\p{N}]+)\*+$/u.exec(words)?.[1] ?? '';
}
