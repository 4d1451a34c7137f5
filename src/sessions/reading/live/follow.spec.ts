import { setTimeout as delay } from 'node:timers/promises';
import { eventually } from '../../../../test/support/eventually';
import * as fc from '../../../../test/support/fast-check';
import { type EventPiece, encodePieces } from '../../format/event-codec';
import { type Followed, INTERVALS, type SessionState, follow } from './follow';
import { BEGINNING, positionAfter } from './position';

const OPEN: SessionState = { status: 'open', exitCode: null, endDate: null, chunkCount: 0 };
const DONE: SessionState = {
  status: 'done',
  exitCode: 3,
  endDate: new Date('2026-01-31T08:00:00Z'),
  chunkCount: 0,
};
const FAST = { ...INTERVALS, look: 1 };

/** A recording that is stored while it is read. */
class Recording implements Followed {
  readonly payloads: Buffer[] = [];
  taken = 0;
  looks = 0;
  private over = false;
  fault: Error | undefined;

  async add(pieces: readonly EventPiece[]): Promise<void> {
    this.payloads.push(await encodePieces(pieces));
  }

  end(): void {
    this.over = true;
  }

  async state(): Promise<SessionState> {
    this.looks += 1;
    if (this.fault !== undefined) throw this.fault;
    return { ...(this.over ? DONE : OPEN), chunkCount: this.payloads.length };
  }

  async *chunks(from: number) {
    for (const [at, payload] of this.payloads.entries()) {
      if (at + 1 < from) continue;
      this.taken += 1;
      yield { seq: at + 1, payload };
    }
  }

  confirm = async (): Promise<void> => undefined;
}

interface Message {
  id: string;
  event: string | undefined;
  data: unknown;
}

/**
 * Reads server-sent events by the rules of HTML ("Server-sent events"), but without comments and `retry`.
 */
function read(text: string): Message[] {
  return text.split('\n\n').flatMap((block) => {
    const fields = block.split('\n').map((line) => /^(\w+): (.*)$/.exec(line)?.slice(1) ?? []);
    const { id, event, data } = Object.fromEntries(fields) as Record<string, string | undefined>;
    return id === undefined || data === undefined ? [] : [{ id, event, data: JSON.parse(data) as unknown }];
  });
}

async function all(messages: AsyncGenerator<string>): Promise<Message[]> {
  let text = '';
  for await (const message of messages) text += message;
  return read(text);
}

const never = new AbortController().signal;
const piece = (text: string, ends = true): EventPiece => ({
  time: 1.5,
  type: 'o',
  content: Buffer.from(text),
  ends,
});

const pieces: fc.Arbitrary<EventPiece[]> = fc.array(
  fc.record({
    time: fc.double({ noNaN: true, noDefaultInfinity: true, min: 0 }),
    type: fc.constantFrom('i' as const, 'o' as const, 'e' as const),
    content: fc.uint8Array({ maxLength: 40 }).map((bytes) => Buffer.from(bytes)),
    ends: fc.boolean(),
  }),
  { maxLength: 5 },
);

describe('a recording that is followed', () => {
  it('is told whole and in order, and from any message on as if it had never been interrupted', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(pieces, { maxLength: 4 }), fc.nat(), async (chunks, cut) => {
        const recording = new Recording();
        for (const chunk of chunks) await recording.add(chunk);
        recording.end();
        const whole = await all(follow(recording, BEGINNING, never, FAST));
        const triples = chunks
          .flat()
          .map(({ time, type, content, ends }) => [
            time,
            type,
            content.toString('base64'),
            ...(ends ? [] : [true]),
          ]);
        expect(whole.map(({ data }) => data)).toEqual([
          ...(JSON.parse(JSON.stringify(triples)) as unknown[]),
          { status: 'done', exit_code: 3, end_date: '2026-01-31T08:00:00.000Z' },
        ]);
        expect(whole.at(-1)).toMatchObject({ id: 'end', event: 'end' });
        const at = cut % whole.length;
        const from = positionAfter(whole[at]?.id);
        const rest = from === null ? [] : await all(follow(recording, from, never, FAST));
        expect(rest).toEqual(whole.slice(at + 1));
      }),
    );
  });

  it('is told as it comes, until it ends', async () => {
    const recording = new Recording();
    await recording.add([piece('first')]);
    const messages = follow(recording, BEGINNING, never, FAST);
    const next = async (): Promise<string> => String((await messages.next()).value);
    expect(await next()).toBe(`retry: ${INTERVALS.retry}\n\n`);
    expect(await next()).toContain('id: 1.0\n');
    const second = next();
    await delay(5);
    await recording.add([piece('sec', false), piece('ond')]);
    expect(read(await second)).toEqual([
      { id: '2.0', event: undefined, data: [1.5, 'o', Buffer.from('sec').toString('base64'), true] },
    ]);
    expect(await next()).toContain('id: 2.1\n');
    recording.end();
    expect(await next()).toContain('event: end\n');
    expect((await messages.next()).done).toBe(true);
  });

  it('reads no further than its reader takes', async () => {
    const recording = new Recording();
    for (let n = 0; n < 20; n++) await recording.add([piece('x')]);
    const messages = follow(recording, BEGINNING, never, FAST);
    for (let n = 0; n < 4; n++) await messages.next();
    await delay(10);
    expect(recording.taken).toBe(3);
    await messages.return(undefined);
  });

  it('is over at once when it is aborted, without an end, and asks no more', async () => {
    const recording = new Recording();
    const controller = new AbortController();
    const messages = follow(recording, BEGINNING, controller.signal, { ...FAST, look: 60_000 });
    await messages.next();
    const last = messages.next();
    await delay(5);
    controller.abort();
    expect(await last).toEqual({ done: true, value: undefined });
    expect(recording.looks).toBe(1);
  });

  it('tells nothing to a reader who may not read any more', async () => {
    const recording = new Recording();
    const controller = new AbortController();
    await recording.add([piece('first')]);
    const messages = follow(recording, BEGINNING, controller.signal, FAST);
    await messages.next();
    await messages.next();
    await recording.add([piece('secret')]);
    recording.end();
    recording.confirm = async () => controller.abort();
    expect(await messages.next()).toEqual({ done: true, value: undefined });
  });

  it('waits for a database that is away, but for a limited time, and not for other faults', async () => {
    const recording = new Recording();
    const away = Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' });
    recording.fault = away;
    const messages = follow(recording, BEGINNING, never, FAST);
    await messages.next();
    const next = messages.next();
    await eventually('it is tried again', async () => recording.looks > 1);
    await recording.add([piece('back')]);
    recording.fault = undefined;
    expect((await next).value).toContain('id: 1.0\n');
    await messages.return(undefined);

    for (const [fault, patience] of [
      [away, 5],
      [new Error('torn'), 60_000],
    ] as const) {
      recording.fault = fault;
      await expect(all(follow(recording, BEGINNING, never, { ...FAST, patience }))).rejects.toBe(fault);
    }
  });
});

describe('the id of a message', () => {
  it('says where to go on', () => {
    expect([undefined, '', '1.0', '12.345', 'end'].map(positionAfter)).toEqual([
      BEGINNING,
      BEGINNING,
      { seq: 1, index: 1 },
      { seq: 12, index: 346 },
      null,
    ]);
  });

  it.each(['0.1', '1', '1.', '.1', '-1.0', '1.-1', '1.0.0', '1e3.0', '1234567890.0', ' 1.0', 'END', '1.0\n'])(
    'is not %j',
    (id) => expect(() => positionAfter(id)).toThrow('Last-Event-ID must be'),
  );
});
