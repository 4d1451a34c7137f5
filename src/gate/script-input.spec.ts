import { createHash } from 'node:crypto';
import * as fc from '../../test/support/fast-check';
import { type ScriptInput, inputBytes, inputHash } from './script-input';

/** Texts that are ambiguous when joined: different lists of them can give the same joined text. */
const text = fc.oneof(
  fc.constantFrom('', '0', '1', 'a', 'ab', 'b', '\n', '\0', '\u{1f600}', '\uFFFD', '\uFEFF', '__proto__'),
  fc.string({ unit: 'binary' }),
);
const input: fc.Arbitrary<ScriptInput> = fc.record({
  script: text,
  arguments: fc.array(text, { maxLength: 4 }),
  environment: fc.dictionary(text, text, { maxKeys: 3 }),
});

/** Independent inverse of the encoding. It shows that different inputs have different encodings. */
function readBack(bytes: Buffer): ScriptInput {
  const texts: string[] = [];
  for (let at = 0; at < bytes.length;) {
    const length = Number(bytes.readBigUInt64BE(at));
    texts.push(bytes.toString('utf8', at + 8, at + 8 + length));
    at += 8 + length;
  }
  const [script = '', count = ''] = texts;
  const variables = texts.slice(2 + Number(count));
  const environment: [string, string][] = [];
  for (let at = 0; at < variables.length; at += 2)
    environment.push([variables[at] ?? '', variables[at + 1] ?? '']);
  return {
    script,
    arguments: texts.slice(2, 2 + Number(count)),
    environment: Object.fromEntries(environment),
  };
}

async function bytesOf(one: ScriptInput): Promise<Buffer> {
  const pieces: Buffer[] = [];
  for await (const piece of inputBytes(one)) pieces.push(piece);
  return Buffer.concat(pieces);
}

describe('the bytes of an input', () => {
  it('say all of it, so that no two inputs have the same', async () => {
    await fc.assert(
      fc.asyncProperty(input, async (one) =>
        expect(readBack(await bytesOf(one))).toEqual({ ...one, environment: { ...one.environment } }),
      ),
    );
  });

  it('do not hang on the order in which variables are given', async () => {
    const said = async (environment: Record<string, string>) =>
      (await inputHash({ script: 'x', arguments: [], environment })).toString('hex');
    expect(await said({ a: '1', b: '2' })).toBe(await said({ b: '2', a: '1' }));
    expect(await said({ a: '1', b: '2' })).not.toBe(await said({ a: '2', b: '1' }));
  });

  it('are hashed with SHA-256', async () => {
    const bytes = Buffer.from(
      '0000000000000008' + Buffer.from('SELECT 1').toString('hex') + '000000000000000130',
      'hex',
    );
    const one = { script: 'SELECT 1', arguments: [], environment: {} };
    expect(await bytesOf(one)).toEqual(bytes);
    expect(await inputHash(one)).toEqual(createHash('sha256').update(bytes).digest());
  });

  it('are those of the whole text, in any number of pieces', async () => {
    // Pieces of this script end inside surrogate pairs, and it contains lone surrogates.
    const script = `x${'\u{1f600}'.repeat(800_000)}\ud83d${'ж'.repeat(500_000)}\ude00`;
    const own = Buffer.from(script);
    const length = Buffer.alloc(8);
    length.writeBigUInt64BE(BigInt(own.length));
    const rest = Buffer.from('000000000000000130', 'hex');
    const whole = Buffer.concat([length, own, rest]);
    expect((await bytesOf({ script, arguments: [], environment: {} })).equals(whole)).toBe(true);
  });
});
