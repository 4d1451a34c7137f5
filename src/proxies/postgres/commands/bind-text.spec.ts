import * as fc from '../../../../test/support/fast-check';
import { clockOfLooks, turnsDuring } from '../../../../test/support/turns';
import { bind } from '../../../../test/support/wire-messages';
import { readBind } from './bind-text';
import { bindOf } from '../wire/client-messages';

const KIB = 1024;

interface Given {
  readonly bytes: Buffer | null;
  readonly isBinary: boolean;
}

/** Reads a Bind message, and returns its recorded bytes in one buffer. */
async function recordedOf(given: readonly Given[], name = ''): Promise<Buffer> {
  const bytes = bind(
    given.map((value) => value.bytes),
    { statement: name, formats: given.map(({ isBinary }) => Number(isBinary)) },
  );
  const message = { bytes, start: 0, end: bytes.length };
  const { recorded } = await readBind(message, bindOf(message), name);
  return typeof recorded === 'string' || Buffer.isBuffer(recorded)
    ? Buffer.from(recorded as string)
    : Buffer.concat(recorded);
}

/** The expected text of a Bind, made in one step. */
function expectedOf(given: readonly Given[], name = ''): string {
  const quoted = (text: string): string => `'${text.replaceAll("'", "''")}'`;
  const head = name === '' ? '\\bind' : `\\bind_named ${quoted(name)}`;
  const forms = given.map(({ bytes, isBinary }) => {
    if (bytes === null) return 'NULL';
    const text = bytes.toString();
    const isText = bytes.equals(Buffer.from(text)) && text !== '' && !/[^\t\n\u0020-\u{10ffff}]/u.test(text);
    return isBinary && !isText ? `'\\x${bytes.toString('hex')}'` : quoted(text);
  });
  return [head, ...forms].join(' ');
}

const bytes = fc.oneof(
  { weight: 8, arbitrary: fc.string({ unit: 'binary', maxLength: 20 }).map((text) => Buffer.from(text)) },
  { weight: 2, arbitrary: fc.uint8Array({ maxLength: 20 }).map((list) => Buffer.from(list)) },
  { weight: 1, arbitrary: fc.constant(null) },
  // These texts contain U+FFFD as a character, which must not be taken for a sign of invalid UTF-8.
  {
    weight: 1,
    arbitrary: fc.constantFrom('\uFFFD', '\uFEFFa', "'\uFFFD'", '').map((text) => Buffer.from(text)),
  },
);
const given = fc.record({ bytes, isBinary: fc.boolean() });

describe('how a Bind is recorded', () => {
  it('is the same whether its values are few or many', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(given, { maxLength: 5 }),
        fc.constantFrom(0, 1, 60),
        fc.constantFrom('', "it's"),
        async (some, times, name) => {
          const all = [...some, ...Array.from({ length: times }, () => some).flat()];
          expect((await recordedOf(all, name)).toString()).toBe(expectedOf(all, name));
        },
      ),
    );
  });

  it.each([
    ['quotes and characters that a slice may cut', `${"'".repeat(7)}ü🐘`, false],
    ['quotes in binary form', `${"'".repeat(7)}ü🐘`, true],
    ['no text in binary form', '\u0001x', true],
    ['no text', '\u0001x', false],
  ])('is the same for a large value: %s', async (_, text, isBinary) => {
    for (const size of [63 * KIB, 64 * KIB + 1, 1300 * KIB]) {
      const value = Buffer.from(text.repeat(Math.ceil(size / Buffer.byteLength(text))));
      for (const shift of [0, 1, 2, 3]) {
        const all = [{ bytes: Buffer.concat([Buffer.alloc(shift, 'a'), value]), isBinary }];
        const [recorded, expected] = [await recordedOf(all), Buffer.from(expectedOf(all))];
        expect(recorded.length).toBe(expected.length);
        expect(recorded.equals(expected)).toBe(true);
      }
    }
  });

  it('is told of what is no UTF-8 in binary form', async () => {
    const all = [{ bytes: Buffer.concat([Buffer.alloc(80 * KIB, 'a'), Buffer.of(0xff)]), isBinary: true }];
    expect((await recordedOf(all)).equals(Buffer.from(expectedOf(all)))).toBe(true);
  });

  it('lets the event loop turn for many or large values', async () => {
    const many = Array.from({ length: 10_000 }, () => ({ bytes: Buffer.from('ü'), isBinary: false }));
    const large = [{ bytes: Buffer.alloc(8 * KIB * KIB, 'x'), isBinary: true }];
    const clock = clockOfLooks();
    try {
      // The gateway yields to the event loop after every few values, and after every few slices of 64 KiB.
      expect((await turnsDuring(() => recordedOf(many))).turns).toBeGreaterThan(1_000);
      expect((await turnsDuring(() => recordedOf(large))).turns).toBeGreaterThan(50);
    } finally {
      clock.mockRestore();
    }
  });
});
