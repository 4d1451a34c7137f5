import * as fc from '../../../../test/support/fast-check';
import { cancelRequest, packet, startUp } from '../../../../test/support/raw-client';
import { type StartUpPacket, parseStartUpPacket, startUpLength } from './start-up-packet';

const V3_0 = 3 << 16;

/** Parses a packet in the order of reading: first the length word, then that many bytes. */
function parse(bytes: Buffer): StartUpPacket | 'no such length' {
  const length = startUpLength(bytes.subarray(0, 4));
  return length === undefined ? 'no such length' : parseStartUpPacket(bytes.subarray(4, 4 + length));
}

function body(...texts: string[]): Buffer {
  return packet(V3_0, Buffer.from(texts.join('\0')));
}

describe('startUpLength', () => {
  it.each([
    [8, 4],
    [10_004, 10_000],
    [7, undefined],
    [10_005, undefined],
    [0, undefined],
    [3, undefined],
    [-1, undefined],
    [0x7f_ff_ff_ff, undefined],
    [-0x80_00_00_00, undefined],
  ])('of a length word %d leaves %p', (word, length) => {
    const head = Buffer.alloc(4);
    head.writeInt32BE(word);
    expect(startUpLength(head)).toBe(length);
  });
});

describe('parseStartUpPacket', () => {
  it('knows the requests by their codes, which no version has', () => {
    expect(parse(packet(80_877_103))).toEqual({ kind: 'ssl-request' });
    expect(parse(packet(80_877_104))).toEqual({ kind: 'gssenc-request' });
    // A packet with a body is not an SSLRequest, so its code is read as version 1234.5679.
    expect(parse(packet(80_877_103, Buffer.from('x')))).toEqual({ kind: 'unspoken', version: '1234.5679' });
  });

  it.each([1, 4, 32, 256])('reads a cancel request with a key of %d bytes', (length) => {
    const key = Buffer.alloc(length, 0xab);
    expect(parse(cancelRequest(-5, key))).toEqual({ kind: 'cancel-request', processId: -5, key });
  });

  it.each([0, 257])('refuses a cancel request with a key of %d bytes', (length) => {
    expect(parse(cancelRequest(5, Buffer.alloc(length)))).toMatchObject({ kind: 'malformed' });
  });

  it('refuses a cancel request that ends before its process id', () => {
    expect(parse(packet(80_877_102, Buffer.alloc(3)))).toMatchObject({ kind: 'malformed' });
  });

  it('reads parameters; of one name given twice the last value counts', () => {
    const read = parse(body('user', 'a', 'TimeZone', '', 'user', 'b', '_pq_.x', '1', 'p', 'ü', '', ''));
    expect(read).toEqual({
      kind: 'start-up',
      start: {
        minor: 0,
        protocolOptions: ['_pq_.x'],
        parameters: new Map([
          ['user', 'b'],
          ['TimeZone', ''],
          ['p', 'ü'],
        ]),
      },
    });
  });

  it('of bytes that are no UTF-8 is malformed: it would be judged otherwise than the target reads it', () => {
    const read = parse(packet(V3_0, Buffer.from('role\0b\xe4ss\0\0', 'latin1')));
    expect(read).toEqual({ kind: 'malformed', why: 'The start-up packet is not valid UTF8.' });
  });

  it('reads a packet without any parameter', () => {
    expect(parse(startUp({}))).toMatchObject({ kind: 'start-up' });
  });

  it.each([
    ['user without a value', body('user')],
    ['user without a value, but ended', body('user', '')],
    ['no NUL at all', packet(V3_0, Buffer.from('user'))],
    ['a value without its NUL', body('user', 'alice')],
    ['no NUL at the end of all', body('user', 'alice', '')],
    ['bytes behind the end', body('user', 'alice', '', '', 'x')],
    ['one NUL too many', body('user', 'alice', '', '', '')],
    ['nothing but the version', packet(V3_0)],
  ])('refuses %s', (_, bytes) => {
    expect(parse(bytes)).toMatchObject({ kind: 'malformed' });
  });

  it.each([
    [2 << 16, '2.0'],
    [4 << 16, '4.0'],
    [(3 << 16) | 9_999, undefined],
    [0, '0.0'],
    [-1, '65535.65535'],
  ])('version word %d', (word, unspoken) => {
    const read = parse(startUp({ user: 'a' }, word));
    if (unspoken === undefined) expect(read).toMatchObject({ kind: 'start-up' });
    else expect(read).toEqual({ kind: 'unspoken', version: unspoken });
  });

  it('has a word for any bytes, and reads back what was written', () => {
    const codes = fc.constantFrom(V3_0, V3_0 | 2, 80_877_102, 80_877_103, 80_877_104, 0);
    fc.assert(
      fc.property(fc.oneof(codes, fc.integer()), fc.uint8Array({ maxLength: 300 }), (code, bytes) => {
        const read = parse(packet(code & -1, Buffer.from(bytes)));
        expect(read).toHaveProperty('kind');
      }),
      { numRuns: 2_000 },
    );
    const text = fc.string({ unit: 'grapheme', maxLength: 20 }).filter((value) => !value.includes('\0'));
    const name = text.filter((value) => value !== '' && !value.startsWith('_pq_.'));
    fc.assert(
      fc.property(fc.dictionary(name, text), (parameters) => {
        const read = parse(startUp(parameters));
        expect(read).toMatchObject({
          kind: 'start-up',
          start: { parameters: new Map(Object.entries(parameters)) },
        });
      }),
      {
        examples: [
          [{}],
          [{ '\uFEFFa': '\uFEFFb' }],
          [{ a: '\uFFFD', '\uFFFD': '' }],
          [{ ['__proto__']: 'a' }],
        ],
      },
    );
  });
});
