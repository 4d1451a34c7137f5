import * as fc from '../../../test/support/fast-check';
import { nameKey } from './name-key';

/** All letters that have an upper-case and a lower-case form. */
const cased: string[] = [];
for (let point = 0; point <= 0x10_ff_ff; point += 1) {
  if (point >= 0xd8_00 && point <= 0xdf_ff) continue;
  const letter = String.fromCodePoint(point);
  if (/\p{Changes_When_Casemapped}|\p{Changes_When_Casefolded}/u.test(letter)) cased.push(letter);
}

describe('the key of names of members', () => {
  // promises: MCP-2
  it('is equal for all letters that simple case folding makes equal, as in encoding/json', () => {
    const all = cased.join('');
    const missed: string[] = [];
    let found = 0;
    for (const letter of cased) {
      // With the flags `i` and `u`, regular expressions compare by simple case folding.
      for (const [other] of all.matchAll(new RegExp(`\\u{${letter.codePointAt(0)!.toString(16)}}`, 'giu'))) {
        if (other === letter) continue;
        found += 1;
        if (nameKey(other) !== nameKey(letter)) missed.push(`${letter} ${other}`);
      }
    }
    expect(missed).toEqual([]);
    expect(found).toBeGreaterThan(2_500);
  });

  it.each([
    ['name', 'Name'],
    ['arguments', 'argument\u017F'],
    ['token', 'to\u212Aen'],
    ['strasse', 'Stra\u00DFe'],
    ['strasse', 'STRA\u1E9EE'],
    ['sql', '\uFF33\uFF31\uFF2C'],
    ['id', '\u0131d'],
    ['caf\u00E9', 'CAFE\u0301'],
  ])('is equal for %s and %s', (one, other) => expect(nameKey(other)).toBe(nameKey(one)));

  it.each([
    ['name', 'names'],
    ['a_b', 'ab'],
    ['', ' '],
    ['a', '\u0430'],
  ])('is different for %j and %j', (one, other) => expect(nameKey(other)).not.toBe(nameKey(one)));

  it('does not depend on how often it is made, nor on the case of the name', () => {
    const text = fc.string({ unit: 'binary' }).map((some) => some.toWellFormed());
    fc.assert(
      fc.property(
        text,
        (name) =>
          nameKey(nameKey(name)) === nameKey(name) &&
          nameKey(name.toUpperCase()) === nameKey(name) &&
          nameKey(name.toLowerCase()) === nameKey(name),
      ),
    );
  });
});
