import { domainToASCII, domainToUnicode } from 'node:url';
import * as fc from '../../../../test/support/fast-check';
import { personAddress } from './person-address';

const UNSEEN = [
  ' ',
  '\t',
  '\n',
  '\u00a0',
  '\u2003',
  '\u3000',
  '\u200b',
  '\u200d',
  '\u2060',
  '\ufeff',
  '\u00ad',
  '\u202e',
  '\0',
];
const fullWidth = (text: string): string =>
  text.replaceAll(/[!-~]/g, (letter) => String.fromCodePoint((letter.codePointAt(0) ?? 0) + 0xfee0));
const atDomain = (text: string, change: (domain: string) => string): string => {
  const at = text.lastIndexOf('@');
  return at === -1 ? text : `${text.slice(0, at + 1)}${change(text.slice(at + 1))}`;
};

/** Functions that write an e-mail address in another spelling, by the name of the spelling. */
const SPELLINGS: Readonly<Record<string, (address: string) => string>> = {
  'upper case': (it) => it.toUpperCase(),
  'full width': fullWidth,
  decomposed: (it) => it.normalize('NFD'),
  composed: (it) => it.normalize('NFC'),
  'the root of the domain': (it) => `${it}.`,
  'a quoted local part': (it) => it.replace(/^(.*)@/, '"$1"@'),
  'quoted pairs': (it) => it.replace(/^(.)(.*)@/, String.raw`"$1\$2"@`),
  punycode: (it) => atDomain(it, domainToASCII),
  unicode: (it) => atDomain(it, domainToUnicode),
  'full stops of other scripts': (it) => atDomain(it, (domain) => domain.replaceAll('.', '\u3002')),
  'a displayed name': (it) => `"Doe, Zed @ work" <${it}>`,
  brackets: (it) => `<${it}>`,
  mailto: (it) => `mailto:${it}`,
  'comments in comments': (it) => it.replace('@', `${'('.repeat(20)}me${')'.repeat(20)}@`),
  'a comment': (it) => it.replace('@', '(me)@'),
  'long s': (it) => it.replaceAll('s', '\u017f'),
  'the Kelvin sign': (it) => it.replaceAll('k', '\u212a'),
};
/** Spellings that can be combined, because they change letters and add nothing around the e-mail address. */
const LETTERS = ['upper case', 'full width', 'decomposed', 'composed', 'long s', 'the Kelvin sign'];

const local = fc.stringMatching(/^[a-z0-9]{1,8}(?:[.+_-][a-z0-9é]{1,8})?$/);
const host = fc.constantFrom(
  'x.com',
  'bücher.example',
  'mail.straße-7.de',
  'ελλάδα.gr',
  'sks.co.uk',
  '例え.jp',
);
const address = fc.tuple(local, host).map(([name, at]) => `${name}@${at}`);

const sprinkled = (text: string, places: readonly (readonly [number, string])[]): string => {
  const letters = [...text];
  for (const [place, unseen] of places) letters.splice(place % (letters.length + 1), 0, unseen);
  return letters.join('');
};
const places = fc.array(fc.tuple(fc.nat(60), fc.constantFrom(...UNSEEN)), { maxLength: 4 });

describe('the canonical identity of a person', () => {
  it.each(Object.entries(SPELLINGS))('is the same with %s', (_name, spell) => {
    fc.assert(
      fc.property(address, places, (plain, where) => {
        expect(personAddress(sprinkled(spell(plain), where))).toBe(personAddress(plain));
      }),
    );
  });

  it('is the same with several changes of letters, and any other way to write it around them', () => {
    fc.assert(
      fc.property(
        address,
        fc.array(fc.constantFrom(...LETTERS), { maxLength: 4 }),
        fc.constantFrom(...Object.keys(SPELLINGS)),
        places,
        (plain, changes, around, where) => {
          const inner = SPELLINGS[around]?.(plain) ?? plain;
          const spelled = changes.reduce((text, name) => SPELLINGS[name]?.(text) ?? text, inner);
          expect(personAddress(sprinkled(spelled, where))).toBe(personAddress(plain));
        },
      ),
    );
  });

  it('stays as it is, whatever the text', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string({ unit: 'binary' }), fc.string({ unit: 'grapheme' })), (text) => {
        const canonical = personAddress(text);
        expect(personAddress(canonical)).toBe(canonical);
      }),
      { numRuns: 1_000 },
    );
  });

  it('is another one for another address', () => {
    fc.assert(
      fc.property(address, address, (one, other) => {
        fc.pre(one !== other);
        expect(personAddress(one)).not.toBe(personAddress(other));
      }),
    );
    expect(personAddress('zed+1@x.com')).not.toBe(personAddress('zed@x.com'));
    // U+0435 is a Cyrillic letter that looks like `e`.
    expect(personAddress('z\u0435d@x.com')).not.toBe(personAddress('zed@x.com'));
  });

  it('is nobody’s where there is no address', () => {
    for (const none of ['', ' ', '\u00a0\u200b', '<>']) expect(personAddress(none)).toBe('');
  });

  it('is found in a text that is no address', () => {
    expect(personAddress(' ZED\u200b ')).toBe('zed');
    expect(personAddress('zed@[IPv6:::1]')).toBe(personAddress('ZED@[ipv6:::1]'));
  });
});
