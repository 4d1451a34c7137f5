import { randomInt } from 'node:crypto';

/**
 * RFC 8628, section 6.1: without vowels, so that no words come of it, and
 * without what is mistaken for something else.
 */
const LETTERS = 'BCDFGHJKLMNPQRSTVWXZ';
const LENGTH = 8;

/** A new code that a person types: 34 random bits. They last ten minutes, and a person has few attempts. */
export function newUserCode(): string {
  return Array.from({ length: LENGTH }, () => LETTERS[randomInt(LETTERS.length)]).join('');
}

/** A code in the form in which it is shown: `WDJB-MJHT`. */
export function shownUserCode(code: string): string {
  return `${code.slice(0, LENGTH / 2)}-${code.slice(LENGTH / 2)}`;
}

/** A typed code, whatever case and marks are in it; undefined when it cannot be one. */
export function typedUserCode(text: string): string | undefined {
  const code = text.toUpperCase().replaceAll(/[\s\p{P}]/gu, '');
  return code.length === LENGTH && [...code].every((letter) => LETTERS.includes(letter)) ? code : undefined;
}
