import { randomInt } from 'node:crypto';

/**
 * Letters of a user code (RFC 8628, section 6.1): no vowels, so that codes form no words, and no letters that
 * look like another character.
 */
const LETTERS = 'BCDFGHJKLMNPQRSTVWXZ';
const LENGTH = 8;

/**
 * Returns a new code for a person to type: 8 of 20 letters, which are 34 random bits. These are enough,
 * because a code is valid for ten minutes, and a person has few attempts.
 */
export function newUserCode(): string {
  return Array.from({ length: LENGTH }, () => LETTERS[randomInt(LETTERS.length)]).join('');
}

/** Formats a code for people: `WDJB-MJHT`. */
export function shownUserCode(code: string): string {
  return `${code.slice(0, LENGTH / 2)}-${code.slice(LENGTH / 2)}`;
}

/** Normalizes a typed code: ignores case, spaces and punctuation. Returns undefined if it is no code. */
export function typedUserCode(text: string): string | undefined {
  const code = text.toUpperCase().replaceAll(/[\s\p{P}]/gu, '');
  return code.length === LENGTH && [...code].every((letter) => LETTERS.includes(letter)) ? code : undefined;
}
