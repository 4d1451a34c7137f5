import * as fc from '../../../test/support/fast-check';
import { DETECTORS, DETECTOR_NAMES, type DetectorName, LOOK_BEHIND } from './detectors';
import { volume } from '../../../test/support/volume';

const PLANTS: Record<DetectorName, readonly string[]> = {
  email: ['jane.doe@example.com', "o'hara+x@sub.example.org"],
  payment_card: ['4111111111111111', '5555-5555-5555-4444', '3782 822463 10005'],
  us_ssn: ['123-45-6789', '078 05 1120'],
  iban: ['DE89370400440532013000', 'GB29 NWBK 6016 1331 9268 19'],
  phone: ['+1 415 555 2671', '+49 30 901820', '(415) 555-2671', '415.555.2671'],
  aws_key: ['AKIAIOSFODNN7EXAMPLE', 'secret_access_key="wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY'],
  jwt: ['eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2lnbmF0dXJl'],
  private_key: ['-----BEGIN EC PRIVATE KEY-----\nbm90IGEga2V5\n-----END EC PRIVATE KEY-----'],
};
const noise = fc.string({
  unit: fc.constantFrom(...'abz059 .,;:|"\'()[]{}<>=/\\\n\t#é漢😀\ud83d', 'AKI', 'ey', '--', ' x '),
  maxLength: 60,
});
const borders = fc.constantFrom(' | ', '\n', '\t', '"', ' «', ';', '<', '>', '', ' = ');
const MEBI = 1_048_576;

describe.each(DETECTOR_NAMES)('the detector %s', (name) => {
  const detector = DETECTORS[name];

  it('finds what is planted in any text, at its exact place', () => {
    fc.assert(
      fc.property(
        noise,
        borders,
        fc.constantFrom(...PLANTS[name]),
        borders,
        noise,
        (before, left, plant, right, after) => {
          const prefix = before + (left === '' && before !== '' ? '|' : left);
          const text = prefix + plant + (right === '' && after !== '' ? '|' : right) + after;
          const span = { start: prefix.length, end: prefix.length + plant.length };
          expect([...detector.occurrences(text, 0)]).toContainEqual(span);
          expect(plant.length).toBeLessThanOrEqual(detector.longest);
        },
      ),
      { numRuns: 1_000 },
    );
  });

  it('tells from a place on what it tells in the whole text, and needs few units before it', () => {
    const plants = fc.array(fc.tuple(fc.constantFrom(...PLANTS[name]), noise), {
      minLength: 1,
      maxLength: 4,
    });
    fc.assert(
      fc.property(plants, fc.nat(300), (list, at) => {
        const text = list.map(([plant, after]) => `${plant}|${after}|`).join('');
        const from = Math.min(at, text.length);
        const all = [...detector.occurrences(text, 0)];
        // Skips cases where `from` cuts a match, because the cut may reveal another match that overlaps it.
        fc.pre(all.every(({ start, end }) => start >= from || end <= from));
        expect([...detector.occurrences(text, from)]).toEqual(all.filter(({ start }) => start >= from));
        const cut = Math.max(0, from - LOOK_BEHIND);
        const inCut = [...detector.occurrences(text.slice(cut), from - cut)];
        expect(inCut.map(({ start, end }) => ({ start: start + cut, end: end + cut }))).toEqual(
          all.filter(({ start }) => start >= from),
        );
      }),
      { numRuns: 1_000 },
    );
  });

  it('lets two searches run side by side', () => {
    const [plant = ''] = PLANTS[name];
    const text = `${plant}|${plant}`;
    const [first, second] = [detector.occurrences(text, 0), detector.occurrences(text, 0)];
    const starts = [first, second, first, second].map((search) => search.next().value?.start as number);
    expect(starts).toEqual([0, 0, plant.length + 1, plant.length + 1]);
  });

  // Quadratic code would take hours for each of these texts.
  it.each([
    'a',
    '1',
    '4',
    '1 1 1 ',
    '4-',
    '@',
    'a@',
    'a@b.',
    'a.',
    'eyJ',
    'eyJ.',
    'eyJhbGci.a.b ',
    '-----BEGIN ',
    '-',
    '-----BEGIN PRIVATE KEY-----',
    '+1 1 1 1 1 1 1 1 ',
    '(212) ',
    'DE89 ',
    'AKIA',
    'secret_key ',
    ' ',
    '123-45-',
    'é',
    '\\n',
  ])('is linear in a text of %j', (piece) => {
    const text = piece.repeat(Math.floor(volume(MEBI / 4, MEBI) / piece.length));
    for (const { start, end } of detector.occurrences(text, 0)) {
      expect(end - start).toBeLessThanOrEqual(detector.longest);
      expect(end).toBeGreaterThan(start);
    }
  });
});
