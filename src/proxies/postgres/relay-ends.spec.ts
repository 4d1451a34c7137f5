import { Logger } from '@nestjs/common';
import * as fc from '../../../test/support/fast-check';
import { MemoryTrail, expectNever } from '../../../test/support/gated-session';
import { MessageSplitter } from '../../../test/support/wire/message-splitter';
import { type PlayedRelay, startPlayedRelay, turn } from '../../../test/support/played-relay';
import { IS_LONG, volume } from '../../../test/support/volume';
import { fieldsOf } from '../../../test/support/wire-client';
import { words } from '../../../test/support/rule-entries';
import { engineOf } from '../../../test/support/screening';
import * as wire from '../../../test/support/wire-messages';
import type { GuardrailSet } from '../../gate/ports/guardrails';
import { RecordingFailed } from '../../gate/ports/session-end';
import { int32, message, text } from './wire/message';
import { parameterStatus, readyForQuery } from './wire/start-up-answers';

const int16 = (value: number): Buffer => Buffer.of(value >> 8, value & 255);
const column = (name: string): Buffer =>
  Buffer.concat([text(name), int32(0), int16(0), int32(25), int16(-1), int32(-1), int16(0)]);
const DESCRIPTION = message('T', int16(1), column('a'));
const row = (length: number): Buffer => message('D', int16(1), int32(length), Buffer.alloc(length, 'D'));
const copyOut = (format: number): Buffer => message('H', Buffer.of(format), int16(1), int16(format));
const data = (length: number): Buffer => message('d', Buffer.alloc(length, 'd'));
const complete = (tag: string): Buffer => message('C', text(tag));
const READY = readyForQuery('I');

const SELECT = wire.query('SELECT a FROM b');
const COPY = wire.query('COPY b TO STDOUT');
const EXTENDED = Buffer.concat([wire.parse('SELECT a FROM b'), wire.bind(), wire.execute('', 3), wire.SYNC]);
const BOUND = [message('1'), message('2')];

/** Functions that return a client's request, and the server's answer with rows of the given lengths. */
const results = {
  'a SELECT': (rows: number[]) => [SELECT, [DESCRIPTION, ...rows.map(row), complete('SELECT 9'), READY]],
  'a FETCH': (rows: number[]) => [
    wire.query('FETCH 9 FROM c'),
    [DESCRIPTION, ...rows.map(row), complete('FETCH 9'), READY],
  ],
  'a COPY': (rows: number[]) => [
    COPY,
    [copyOut(0), ...rows.map(data), message('c'), complete('COPY 9'), READY],
  ],
  'a binary COPY': (rows: number[]) => [
    wire.query('COPY b TO STDOUT (FORMAT binary)'),
    [copyOut(1), ...rows.map(data), message('c'), complete('COPY 9'), READY],
  ],
  'an Execute': (rows: number[]) => [EXTENDED, [...BOUND, ...rows.map(row), complete('SELECT 9'), READY]],
  'a portal that is suspended': (rows: number[]) => [
    EXTENDED,
    [...BOUND, ...rows.map(row), message('s'), READY],
  ],
} satisfies Record<string, (rows: number[]) => [Buffer, Buffer[]]>;

interface World extends PlayedRelay {
  readonly trail: MemoryTrail;
}

/** Causes that end a session, each with the code of the last error that the client gets, or undefined. */
const ends: Record<string, [end: (world: World) => void, code: string | undefined]> = {
  'a kill, a revocation or the end of the access': [
    ({ trail }) => trail.killed.abort(new Error('killed')),
    '57P01',
  ],
  'a recording that failed': [({ trail }) => trail.killed.abort(new RecordingFailed()), '58000'],
  'a shutdown': [({ relay }) => relay.abort(), '57P01'],
  'the loss of the target': [({ server }) => void server.destroy(), '08006'],
  'the end of the target': [({ server }) => void server.push(null), '08006'],
  'a client that breaks the protocol': [({ client }) => void client.push(message('?')), '08P01'],
  'a client that leaves': [({ client }) => void client.destroy(), undefined],
};

const noRules: GuardrailSet = {
  judgesInput: false,
  screensOutput: false,
  mayTouch: () => false,
  judge: () => ({ kind: 'pass' }),
  openScreen: () => ({
    before: '',
    push: async (given) => ({ kind: 'pass', text: given, upTo: given.length, masks: [] }),
    pushLines: expectNever,
    flush: expectNever,
    finish: async () => ({ kind: 'pass', text: '', upTo: 0, masks: [] }),
  }),
};

interface Settings {
  readonly isRecorded?: boolean;
  readonly trail?: MemoryTrail;
  readonly rules?: GuardrailSet;
  readonly idleMs?: number;
}

/** Starts a relay, and waits until the command of its client has reached the server. */
async function begin(
  command: Buffer,
  { isRecorded = false, trail = new MemoryTrail(), rules = noRules, idleMs = 0 }: Settings = {},
): Promise<World> {
  const played = await startPlayedRelay({ trail, rules, command, isRecorded, idleMs });
  while (played.server.received.length < command.length) await turn();
  return { ...played, trail };
}

/**
 * Checks that the client has whole messages of the answer and then the last error, or only bytes of the
 * answer. Returns the code of the error, otherwise `whole` or `cut`.
 */
function expectWhole({ client }: World, answer: readonly Buffer[], code: string | undefined): string {
  const { received } = client;
  const splitter = new MessageSplitter();
  const messages = splitter.push(received);
  const last = messages.at(-1);
  const said = last?.type === 'E' ? fieldsOf(last)['C'] : undefined;
  const delivered = said === undefined ? messages : messages.slice(0, -1);
  const bytes = delivered.reduce((sum, { body }) => sum + 5 + body.length, 0);
  const all = Buffer.concat(answer);
  if (said !== undefined) expect([said, splitter.rest]).toEqual([code, 0]);
  expect(received.subarray(0, bytes + splitter.rest).equals(all.subarray(0, bytes + splitter.rest))).toBe(
    true,
  );
  return said ?? (splitter.rest === 0 ? 'whole' : 'cut');
}

async function over(world: World): Promise<void> {
  await world.relay.ended;
  await turn();
}

// Silences the log, because a failed recording is logged.
beforeAll(() => jest.spyOn(Logger.prototype, 'error').mockImplementation());
afterAll(() => jest.restoreAllMocks());

// promises: PROXY-7
describe.each(Object.entries(results))('a session that ends within %s', (_, resultOf) => {
  it.each(Object.entries(ends))('by %s: whole messages, then the reason', async (name, [end, code]) => {
    const [command, answer] = resultOf([11, 7]);
    const all = Buffer.concat(answer);
    const turnOf = Object.keys(ends).indexOf(name);
    for (const isRecorded of [false, true])
      for (let cut = 0; cut < all.length; cut += 1) {
        // The short form tries the first cause at every byte, and each other cause at every third byte.
        if (!IS_LONG && turnOf > 0 && cut % 3 !== turnOf % 3) continue;
        const world = await begin(command, { isRecorded });
        world.server.push(all.subarray(0, cut));
        await turn();
        end(world);
        await over(world);
        expect(expectWhole(world, answer, code)).toBe(code ?? 'whole');
      }
  });

  it('at any byte of any rows, whatever their size and the pieces in which they come', async () => {
    const sizes = fc.array(fc.constantFrom(3, 5_000, 65_000, 70_000, 300_000), { maxLength: 4 });
    await fc.assert(
      fc.asyncProperty(
        sizes,
        fc.array(fc.nat(), { minLength: 1, maxLength: 5 }),
        fc.constantFrom(...Object.values(ends)),
        fc.boolean(),
        fc.boolean(),
        async (rows, places, [end, code], isRecorded, isSlow) => {
          const [command, answer] = resultOf(rows);
          const all = Buffer.concat(answer);
          const durable = isSlow ? new Promise<void>((done) => setTimeout(done, 3)) : undefined;
          const world = await begin(command, { isRecorded, trail: new MemoryTrail(Infinity, durable) });
          let at = 0;
          for (const place of places.map((each) => each % all.length).toSorted((a, b) => a - b)) {
            world.server.push(all.subarray(at, place));
            at = place;
            await turn();
          }
          end(world);
          await over(world);
          const seen = expectWhole(world, answer, code);
          // Only a row that is forwarded in parts is ever cut.
          if (rows.every((size) => size < 65_500) || isRecorded) expect(seen).toBe(code ?? 'whole');
        },
      ),
      { numRuns: volume(20, 60) },
    );
  });

  it('by an output rule that blocks, and then a kill', async () => {
    const [command, answer] = resultOf([11, 7]);
    const all = Buffer.concat(answer);
    for (let cut = 0; cut <= all.length; cut += 1) {
      const world = await begin(command, { rules: engineOf(words(['DDDDDDD', 'ddddddd'])) });
      world.server.push(all.subarray(0, cut));
      await turn();
      world.server.push(all.subarray(cut));
      await turn();
      world.trail.killed.abort(new Error('killed'));
      await over(world);
      const splitter = new MessageSplitter();
      const errors = splitter.push(world.client.received).filter(({ type }) => type === 'E');
      expect([errors.map((error) => fieldsOf(error)['C']), splitter.rest]).toEqual([['42501', '57P01'], 0]);
    }
  });

  it('by a shutdown that waits for the result, or the limit of idle time after it: all of it, then the reason', async () => {
    const [command, answer] = resultOf([11, 70_000]);
    const all = Buffer.concat(answer);
    const idle = await begin(command, { idleMs: 5 });
    const stopping = await begin(command);
    for (const world of [idle, stopping]) world.server.push(all.subarray(0, all.length - 40_000));
    await turn();
    stopping.relay.finish();
    await new Promise((later) => setTimeout(later, 15));
    for (const world of [idle, stopping]) world.server.push(all.subarray(-40_000));
    await Promise.all([over(idle), over(stopping)]);
    expect(expectWhole(idle, answer, '57P05')).toBe('57P05');
    expect(expectWhole(stopping, answer, '57P01')).toBe('57P01');
    for (const { client } of [idle, stopping])
      expect(client.received.subarray(0, all.length).equals(all)).toBe(true);
  });

  it('by what comes in the same read as the rest of a large row', async () => {
    const [command, answer] = resultOf([70_000]);
    const upToRow = answer.slice(0, answer.findIndex(({ length }) => length > 70_000) + 1);
    const all = Buffer.concat(upToRow);
    const faults = [
      [message('?'), '08P01'],
      [parameterStatus('client_encoding', 'LATIN1'), '0A000'],
    ] as const;
    for (const [fault, code] of faults) {
      const world = await begin(command);
      world.server.push(all.subarray(0, 1_000));
      await turn();
      world.server.push(Buffer.concat([all.subarray(1_000), fault]));
      await over(world);
      expect(expectWhole(world, upToRow, code)).toBe(code);
      expect(world.client.received.subarray(0, all.length).equals(all)).toBe(true);
    }
  });
});
