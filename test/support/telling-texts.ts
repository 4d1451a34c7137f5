import * as fc from './fast-check';
import { DETECTOR_NAMES } from '../../src/guardrails/matching/detectors';
import { detector, pattern, words } from './rule-entries';

/** Texts that guardrail detectors find, and texts that are only similar to these. */
const SAMPLES = [
  'grace@example.com',
  '4111 1111 1111 1111',
  '4111111111111111',
  '5105-1051-0510-5100',
  '6011000990139424',
  '078-05-1120',
  '078 05 1120',
  'DE89 3704 0044 0532 0130 00',
  'gb82west12345698765432',
  '+1 212 555 0123',
  '(212) 555-0123',
  '1-212-555-0123',
  '212.555.0123',
  'AKIAIOSFODNN7EXAMPLE',
  'secret_access_key = wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY',
  'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2ln',
  '-----BEGIN RSA PRIVATE KEY-----',
  '-----END RSA PRIVATE KEY-----',
];
export const WORDS = [
  'secret',
  'drop table',
  'SSN',
  'ÄRGER',
  'пароль',
  'a-b secret',
  'naïve',
  'ｔｏｋｅｎ',
  'kiosk',
];
const PATTERNS = [
  '(?i)union\\s+all',
  '\\d{3}-\\d{2}-\\d{4}',
  'tok(en|yo)',
  '\\bpass\\w*',
  '(?i)kiss',
  'x.y+z',
];

const entry = fc.oneof(
  fc.subarray(WORDS, { minLength: 1 }).map((list) => words(list)),
  fc.subarray(WORDS, { minLength: 1 }).map((list) => words(list, { whole_word: true, case_sensitive: true })),
  fc.constantFrom(...PATTERNS).map((source) => pattern(source)),
  fc.subarray([...DETECTOR_NAMES], { minLength: 1 }).map((names) => detector(names, { action: 'mask' })),
);
/** Lists of rule entries that match some of the texts in this file. */
export const entries = fc.array(entry, { minLength: 1, maxLength: 3 });

/** Draws a short text: a sample or a word (whole, changed or cut), or a text similar to one. */
const bit = fc.oneof(
  fc.constantFrom(...SAMPLES),
  fc.constantFrom(...WORDS),
  fc.constantFrom(
    'UNION\n ALL',
    'union all',
    '123-45-6789',
    'token',
    'password',
    'xayyz',
    'ſecret',
    'Kiſſ',
    'kisſ',
  ),
  fc
    .tuple(fc.constantFrom(...SAMPLES, ...WORDS), fc.nat(), fc.nat())
    .map(([text, from, to]) => text.slice(from % text.length, to % (text.length + 1))),
  fc
    .tuple(
      fc.constantFrom(...WORDS),
      fc.nat(),
      fc.constantFrom('\u200b', '\u0301', '\0', '\\b', '\u00ad', '\\n', '\t'),
    )
    .map(([text, at, more]) => text.slice(0, at % text.length) + more + text.slice(at % text.length)),
  fc.constantFrom(...WORDS).map((word) => word.toUpperCase()),
  fc.constantFrom(' ', '  ', '\t', '\n', '\r\n', '-', '.', '\\', '\\t', '\\\\', '\u00a0', '\u2028', '\u0085'),
  fc.constantFrom(
    'é',
    'ж',
    '日',
    '😀',
    '１',
    'plain text',
    'Springfield',
    '2024-01-10 12:34:56',
    '1099511627776',
  ),
  fc.string({ maxLength: 8 }),
  fc.string({ unit: 'grapheme', maxLength: 4 }),
);
/** Texts that contain matches of the rule entries, and parts that almost match. */
export const text = fc.array(bit, { maxLength: 10 }).map((bits) => bits.join(''));
