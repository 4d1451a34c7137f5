import { countedMethods } from '../../../../test/support/counted-methods';
import * as fc from '../../../../test/support/fast-check';
import { sessionUnder } from '../../../../test/support/gated-session';
import { engineOf } from '../../../../test/support/screening';
import { words } from '../../../../test/support/rule-entries';
import { bytesOf } from '../../../kernel/text/buffers';
import { ProgramOutputReader } from './result-reader';

const engine = engineOf(words(['canary'], { action: 'mask' }));
/** Bytes that may wait: those of `MAX_HELD_BYTES`, and one chunk. */
const MAX_WAITING_BYTES = 256 * 1024 + 32 * 1024;
const PACKET_BYTES = 32 * 1024;

/** Counts what is done with bytes and lists: parts that are cut out, what is copied, and what is moved. */
function countedWork(): { readonly count: () => number; readonly restore: () => void } {
  let count = 0;
  const restored = [
    countedMethods(Buffer, ['concat'], (_, [pieces]) => (count += bytesOf(pieces as Buffer[]))),
    countedMethods(Buffer.prototype, ['subarray'], () => (count += 1)),
    countedMethods(Array.prototype, ['shift', 'unshift', 'splice'], (list) => {
      count += 1 + (list as unknown[]).length;
    }),
  ];
  return { count: () => count, restore: () => restored.forEach((restore) => restore()) };
}

/** Screens an output in chunks, and returns the work, the most bytes that waited, and what a client got. */
async function screened(output: Buffer, chunkBytes: number, mayWait = true) {
  const { session, trail } = sessionUnder(() => engine);
  const failed = (error: unknown): never => {
    throw error;
  };
  const got: Buffer[] = [];
  const take = (): void => {
    for (const piece of reader.takePieces()) {
      got.push(piece);
      gotBytes += piece.length;
    }
  };
  const reader = new ProgramOutputReader(session, {
    type: 'o',
    isTerminal: true,
    mark: (piece) => piece,
    mayWait: () => mayWait,
    isCaughtUp: () => true,
    flushed: take,
    failed,
  });
  let gotBytes = 0;
  let masked = 0;
  let waiting = 0;
  const { count, restore } = countedWork();
  try {
    for (let at = 0; at < output.length; at += chunkBytes) {
      reader.push(output.subarray(at, at + chunkBytes));
      while (await reader.next());
      take();
      for (const { bytes, replacement } of trail.masks.splice(0)) masked += bytes - replacement.length;
      waiting = Math.max(waiting, Math.min(at + chunkBytes, output.length) - masked - gotBytes);
    }
    await reader.finish();
    take();
    return { work: count(), waiting, got: Buffer.concat(got) };
  } finally {
    restore();
  }
}

/** The most work that is allowed: so much for each byte, and so much for each chunk. */
function allowed(bytes: number, chunkBytes: number): number {
  return 8 * bytes + 4_096 * Math.ceil(bytes / chunkBytes);
}

const PARTS = [
  '\r',
  '\n',
  '\r\n',
  '\b',
  '\x07',
  '\x1b[m',
  '\x1b[38;2;255;100;255m',
  '\x1b(B',
  '\x1b]0;',
  '\x1b',
  '\x1b[1;',
  'x',
  'a word ',
  'canary',
  'ca\x1b[1mnary',
  '\u00e4',
  '\u{1f600}',
];

// promises: SSHCLIENT-6
describe('the output of a terminal, whatever its mix of texts and codes', () => {
  const runs = fc.array(
    fc.record({ part: fc.constantFrom(...PARTS), count: fc.constantFrom(1, 2, 300, 20_000) }),
    { minLength: 1, maxLength: 4 },
  );
  const chunks = fc.constantFrom(1, 7, 1_000, PACKET_BYTES);

  it('costs work for each byte and each chunk, and few bytes wait', async () => {
    await fc.assert(
      fc.asyncProperty(runs, chunks, fc.boolean(), async (shape, chunkBytes, mayWait) => {
        const once = shape.map(({ part, count }) => part.repeat(count)).join('');
        // Few chunks of one byte, because each is awaited; else more than may wait.
        const bytes = Math.min(2 * MAX_WAITING_BYTES, 20_000 * chunkBytes);
        const output = Buffer.from(once.repeat(Math.ceil(bytes / once.length))).subarray(0, bytes);
        const { work, waiting } = await screened(output, chunkBytes, mayWait);
        expect({ waiting, isBounded: waiting <= MAX_WAITING_BYTES }).toEqual({ waiting, isBounded: true });
        const isLinear = work <= allowed(bytes, chunkBytes);
        expect({ work, isLinear }).toEqual({ work, isLinear: true });
      }),
      { numRuns: fc.runs(20) },
    );
  }, 600_000);

  it.each([
    ['a million codes', '\x1b[m'.repeat(1_000_000)],
    ['a million codes after a letter', `c${'\x1b[m'.repeat(1_000_000)}`],
    ['a million codes within a masked text', `ca${'\r'.repeat(1_000_000)}nary`],
    ['a code after each letter', 'x\r'.repeat(500_000)],
    ['a code after each letter of many masked texts', 'c\ra\rn\ra\rr\ry\r \r'.repeat(50_000)],
    ['a code after each character of two code units', '\u{1f600}\r'.repeat(200_000)],
  ])(
    'that has %s costs no more',
    async (_, text) => {
      const output = Buffer.from(`${text}\nend\n`);
      const { work, waiting, got } = await screened(output, PACKET_BYTES);
      expect(waiting).toBeLessThanOrEqual(MAX_WAITING_BYTES);
      expect(work).toBeLessThanOrEqual(allowed(output.length, PACKET_BYTES));
      expect(got.subarray(-5).toString()).toBe('\nend\n');
      expect(got.includes('canary')).toBe(false);
    },
    600_000,
  );

  it('hides a word with thousands of codes between its letters, and the rest of one with too many', async () => {
    const codes = '\x1b[m'.repeat(50_000);
    const { got } = await screened(Buffer.from(`can${codes}ary\n`), PACKET_BYTES);
    expect(got.toString().replaceAll('\x1b[m', '')).toBe('****\n');
    const tooMany = await screened(Buffer.from(`can${codes}${codes}ary\n`), PACKET_BYTES);
    expect(tooMany.got.toString().replaceAll('\x1b[m', '')).toBe('can****\n');
  });

  it('passes codes that no text waits for on at once', async () => {
    const { session } = sessionUnder(() => engine);
    const reader = new ProgramOutputReader(session, {
      type: 'o',
      isTerminal: true,
      mark: (piece) => piece,
      mayWait: () => false,
      isCaughtUp: () => true,
      flushed: () => undefined,
      failed: () => undefined,
    });
    reader.push(Buffer.from('\x1b[2J\x1b[1m'));
    while (await reader.next());
    expect(Buffer.concat(reader.takePieces()).toString()).toBe('\x1b[2J\x1b[1m');
    reader.abandon();
  });
});
