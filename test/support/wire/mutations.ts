import type { Draw } from './draw';
import { bind, cstring, frame, int16, int32, parse, query, startup, sync } from './messages';

/** Stages of a connection in which the client sends a broken message. */
export const STAGES = ['startup', 'sign-in', 'signed in'] as const;
export type Stage = (typeof STAGES)[number];

/** A broken message, or a valid one that is sent byte by byte. */
export interface Mutation {
  /** Name of the fault. */
  readonly name: string;
  readonly bytes: Buffer;
  /** Whether the bytes are sent one by one. */
  readonly isSplit: boolean;
}

const LENGTHS = [0, 1, 2, 3, -1, -2_147_483_648, 2_147_483_647, 1_073_741_824];
/** Types of client messages, then of two server messages, and invalid types. */
const TYPES = [...'QPBDECSHXFdcfp', 'R', 'Z', '!', '\0', '\xff'];

/** Draws a broken message for the stage: a valid message with one fault, or random bytes. */
export function drawMutation(draw: Draw, stage: Stage): Mutation {
  const original = stage === 'startup' ? drawStartup(draw) : drawMessage(draw, stage);
  const head = stage === 'startup' ? 0 : 1;
  const kind = draw.weighted([
    ['length', 6],
    ['giant', 2],
    ['truncated', 3],
    ['type', stage === 'startup' ? 0 : 3],
    ['flipped', 5],
    ['unterminated', 3],
    ['counts', stage === 'signed in' ? 4 : 0],
    ['noise', 2],
    ['split', 2],
  ]);
  return { name: kind, bytes: mutate[kind](draw, original, head), isSplit: kind === 'split' };
}

type Mutate = (draw: Draw, original: Buffer, head: number) => Buffer;

const mutate: Record<
  'length' | 'giant' | 'truncated' | 'type' | 'flipped' | 'unterminated' | 'counts' | 'noise' | 'split',
  Mutate
> = {
  length: (draw, original, head) => {
    const off = draw.once(2) ? draw.pick(LENGTHS) : original.length - head + draw.pick([-3, -1, 1, 4, 200]);
    return withLength(original, head, off);
  },
  /** Declares a length of a gigabyte, but sends at most ten bytes after it. */
  giant: (_, original, head) => withLength(original, head, 1_073_741_823).subarray(0, head + 4 + 10),
  truncated: (draw, original) => original.subarray(0, draw.below(original.length)),
  type: (draw, original) => Buffer.concat([Buffer.from(draw.pick(TYPES), 'latin1'), original.subarray(1)]),
  flipped: (draw, original) => {
    const bytes = Buffer.from(original);
    for (let flips = draw.between(1, 4); flips > 0; flips--)
      bytes[draw.below(bytes.length)] = draw.below(256);
    return bytes;
  },
  unterminated: (_, original) => Buffer.from(original.map((byte, at) => (at > 5 && byte === 0 ? 1 : byte))),
  counts: lyingCounts,
  noise: (draw) => Buffer.from(draw.times(draw.between(1, 300), () => draw.below(256))),
  split: (_, original) => original,
};

function withLength(original: Buffer, at: number, length: number): Buffer {
  const bytes = Buffer.from(original);
  bytes.writeInt32BE(Math.max(-2_147_483_648, Math.min(2_147_483_647, length)), at);
  return bytes;
}

/** Draws a Parse or Bind with a wrong count or length of values, or another message with a wrong field. */
function lyingCounts(draw: Draw): Buffer {
  const count = draw.pick([-1, -32_768, 1, 2, 3, 32_767]);
  const names = Buffer.concat([cstring(''), cstring('')]);
  return draw.pick([
    () => frame('B', names, int16(count), int16(0), int16(1), int32(1), Buffer.from('1'), int16(0)),
    () => frame('B', names, int16(0), int16(count), int32(1), Buffer.from('1'), int16(0)),
    () => frame('B', names, int16(0), int16(1), int32(draw.pick(LENGTHS)), Buffer.from('1'), int16(0)),
    () => frame('B', names, int16(0), int16(0), int16(count)),
    () => frame('P', cstring(''), cstring('SELECT $1'), int16(count), int32(23)),
    () => frame('d', Buffer.alloc(draw.below(100))),
    () => frame('D', Buffer.from(draw.pick(['X', '\0'])), cstring('')),
    () => frame('E', cstring(''), int32(draw.pick(LENGTHS))),
  ])();
}

function drawStartup(draw: Draw): Buffer {
  const code = (value: number): Buffer => Buffer.concat([int32(8), int32(value)]);
  return draw.pick([
    () => startup({ user: 'someone', database: 'nowhere' }),
    () => startup({ user: '', database: '' }),
    () => startup({ user: 'x'.repeat(draw.pick([1, 63, 9_000])), database: 'nowhere', options: '-c x=y' }),
    () => startup({ database: 'nowhere' }),
    () => startup({ user: 'someone', replication: 'database', '_pq_.unknown': 'yes' }),
    () => Buffer.concat([int32(14), int32(196_608), cstring('user'), Buffer.alloc(1)]),
    // SSLRequest, GSSENCRequest, a CancelRequest with an unknown key, and unknown protocol versions.
    () => code(80_877_103),
    () => code(80_877_104),
    () => Buffer.concat([int32(16), int32(80_877_102), int32(draw.below(65_536)), int32(draw.below(65_536))]),
    () => code(draw.pick([0, 65_536, 131_072, 262_144, 196_610, 262_143, -1])),
  ])();
}

function drawMessage(draw: Draw, stage: Stage): Buffer {
  if (stage === 'sign-in') {
    const proof = Buffer.from(
      draw.pick(['SCRAM-SHA-256\0\0\0\0\x08n,,n=,r=', 'secret\0', 'n,,n=,r=abc', '', '\0']),
    );
    return draw.once(5) ? query('SELECT 1') : frame('p', proof);
  }
  return draw.pick([
    () => query('SELECT 1'),
    () => query(''),
    () => parse('', 'SELECT $1::int', [23]),
    () =>
      bind({
        portal: '',
        statement: '',
        values: [{ format: 0, bytes: Buffer.from('1') }],
        resultFormats: [0],
      }),
    () => frame('D', Buffer.from('P'), cstring('')),
    () => frame('E', cstring(''), int32(0)),
    () => frame('C', Buffer.from('S'), cstring('')),
    () => sync(),
    () => frame('f', cstring('no')),
    () => frame('d', Buffer.from('1\tx\n')),
    // FunctionCall, which is obsolete.
    () => frame('F', int32(1), int16(0), int16(0), int16(0)),
  ])();
}
