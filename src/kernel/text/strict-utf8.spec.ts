import { isUtf8 } from 'node:buffer';
import * as fc from '../../../test/support/fast-check';
import { NotUtf8, strictText } from './strict-utf8';

const faultOf = (bytes: Buffer): NotUtf8 => {
  try {
    strictText(bytes, 'a.sql');
  } catch (error) {
    if (error instanceof NotUtf8) return error;
  }
  throw new Error('it was decoded');
};

describe('strictText', () => {
  it.each<[string, Buffer, number]>([
    ['Latin-1', Buffer.from("select 'Müller'", 'latin1'), 9],
    ['Latin-1 that looks like the beginning of a character', Buffer.from('é z', 'latin1'), 0],
    ['a character that is cut', Buffer.from('x€').subarray(0, 3), 1],
    ['a continuation alone', Buffer.from([0x61, 0x80]), 1],
    ['an overlong form', Buffer.from([0x61, 0xc0, 0xaf]), 1],
    ['half of a surrogate pair', Buffer.from([0x61, 0xed, 0xa0, 0x80]), 1],
    [
      'a fault behind real replacement characters',
      Buffer.concat([Buffer.from('\uFFFD'), Buffer.of(0xff)]),
      3,
    ],
  ])('refuses %s, and names the byte', (_, bytes, offset) => {
    const fault = faultOf(bytes);
    expect(fault.offset).toBe(offset);
    expect(fault.message).toContain(`a.sql is not UTF-8: byte ${offset} (0x${bytes[offset]?.toString(16)})`);
  });

  it('says that a file looks like UTF-16', () => {
    expect(faultOf(Buffer.from('\uFEFFselect 1', 'utf16le')).message).toContain('looks like UTF-16');
  });

  it('drops a byte order mark at the beginning alone, and keeps U+FFFD that is in the file', () => {
    expect(strictText(Buffer.from('\uFEFFa\uFEFF\uFFFD\r\n'), '')).toBe('a\uFEFF\uFFFD\r\n');
  });

  it('decodes what is UTF-8, and names the end of the longest beginning that is', () => {
    const bytes = fc.oneof(
      fc.uint8Array({ maxLength: 40 }),
      fc
        .tuple(fc.string({ unit: 'binary' }), fc.uint8Array({ maxLength: 4 }))
        .map(([text, tail]) => Buffer.concat([Buffer.from(text.toWellFormed()), tail])),
    );
    fc.assert(
      fc.property(bytes, (given) => {
        const all = Buffer.from(given);
        if (isUtf8(all)) {
          expect(`\uFEFF${strictText(all, '')}`).toBe(
            `\uFEFF${all.toString()}`.replace('\uFEFF\uFEFF', '\uFEFF'),
          );
          return;
        }
        const { offset } = faultOf(all);
        expect(isUtf8(all.subarray(0, offset))).toBe(true);
        for (let end = offset + 1; end <= all.length; end += 1)
          expect(isUtf8(all.subarray(0, end))).toBe(false);
      }),
    );
  });
});
