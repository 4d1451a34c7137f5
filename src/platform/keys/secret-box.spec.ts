import { randomBytes } from 'node:crypto';
import * as fc from '../../../test/support/fast-check';
import { SecretBox } from './secret-box';

const [old, fresh, stranger] = [randomBytes(32), randomBytes(32), randomBytes(32)];
const box = (...keys: Buffer[]): SecretBox => new SecretBox({ keys });

describe('the secret box', () => {
  it('opens what it sealed, and shows nothing of it', () => {
    const secret = fc.dictionary(fc.string(), fc.string({ unit: 'grapheme' }));
    fc.assert(
      fc.property(secret, fc.string(), (plain, context) => {
        expect(box(fresh).open(box(fresh).seal(plain, context), context)).toEqual(plain);
      }),
      {
        examples: [
          [{}, ''],
          [{ ['__proto__']: '__proto__' }, '\0'],
          [{ '': '\uFFFD', a: '\uFEFF' }, 'row'],
        ],
      },
    );
    expect(box(fresh).seal({ PASS: 'canary' }, 'row').includes('canary')).toBe(false);
  });

  it('seals the same secret differently each time', () => {
    const sealed = Array.from({ length: 50 }, () => box(fresh).seal({ PASS: 'x' }, 'row').toString('hex'));
    expect(new Set(sealed).size).toBe(50);
  });

  it('opens with any of its keys, and seals with the first', () => {
    const sealed = box(old).seal({ PASS: 'x' }, 'row');
    expect(box(fresh, old).open(sealed, 'row')).toEqual({ PASS: 'x' });
    expect(() => box(fresh).open(sealed, 'row')).toThrow('no key in SECRET_KEY opens this secret');
    const renewed = box(fresh, old).seal({ PASS: 'x' }, 'row');
    expect(box(fresh).open(renewed, 'row')).toEqual({ PASS: 'x' });
    expect(() => box(stranger).open(renewed, 'row')).toThrow('no key in SECRET_KEY opens this secret');
  });

  it('opens for the row it was sealed for only', () => {
    const sealed = box(fresh).seal({ PASS: 'x' }, 'connection:1');
    expect(() => box(fresh).open(sealed, 'connection:2')).toThrow('unable to authenticate');
  });

  it('opens nothing that was changed, in whatever bit, or cut', () => {
    const sealed = box(fresh).seal({ PASS: 'password' }, 'row');
    for (let bit = 0; bit < sealed.length * 8; bit++) {
      const changed = Buffer.from(sealed);
      changed[bit >> 3]! ^= 1 << (bit & 7);
      expect(() => box(fresh).open(changed, 'row')).toThrow(/no key|unable to authenticate/);
    }
    for (let length = 0; length < sealed.length; length++) {
      expect(() => box(fresh).open(sealed.subarray(0, length), 'row')).toThrow(
        /no key|unable to authenticate|Invalid/,
      );
    }
  });
});
