import * as fc from '../../test/support/fast-check';
import { DurableWriter } from './durable-writer';
import { PendingEvents } from './pending-events';
import type { MessageTracker } from './whole-messages';

/** Length of the header of a message. The header is the message length in decimal digits. */
const HEAD = 6;

/** Finds the boundaries of messages that begin with their own length. */
class DecimalTracker implements MessageTracker {
  missing = 0;
  size = 0;
  private head = '';

  follow(piece: Buffer): number {
    let begins = -1;
    for (let at = 0; at < piece.length;) {
      if (this.missing === 0) begins = at;
      if (this.size === 0) {
        this.head += String.fromCharCode(piece[at] as number);
        at += 1;
        this.missing = Infinity;
        if (this.head.length < HEAD) continue;
        this.size = Number(this.head);
        this.missing = this.size - HEAD;
        this.head = '';
      } else {
        const taken = Math.min(this.missing, piece.length - at);
        at += taken;
        this.missing -= taken;
      }
      if (this.missing === 0) this.size = 0;
    }
    return this.missing === 0 ? piece.length : begins;
  }
}

const messageOf = (size: number): string => String(size).padStart(HEAD, '0').padEnd(size, 'x');
const SMALL = messageOf(20);
const LARGE = messageOf(70_000);
const BYE = '[bye]';
const turn = (): Promise<void> => new Promise((next) => setImmediate(next));

function recording() {
  let resolve!: () => void;
  let reject!: (error: Error) => void;
  const durable = new Promise<void>((done, failed) => {
    resolve = done;
    reject = failed;
  });
  return { durable, resolve, reject };
}

function writerOf() {
  const sink = {
    received: '',
    ended: false,
    isFull: false,
    waitingBytes: 0,
    write: (pieces: readonly Buffer[]) => {
      if (sink.ended) throw new Error('written after the end');
      sink.received += Buffer.concat(pieces).toString('latin1');
    },
    end: (lastWord: Buffer) => {
      if (!sink.ended) sink.received += lastWord.toString('latin1');
      sink.ended = true;
    },
  };
  let durable: Promise<void> = Promise.resolve();
  const events = new PendingEvents({ append: () => durable, appendAll: () => durable });
  const writer = new DurableWriter(
    events,
    sink,
    { room: () => undefined, failed: () => undefined },
    new DecimalTracker(),
  );
  const send = (bytes: string, after?: Promise<void>): void => {
    if (after !== undefined) {
      durable = after;
      events.append('o', bytes);
    }
    writer.write(bytes === '' ? [] : [Buffer.from(bytes, 'latin1')]);
  };
  return { writer, sink, send };
}

/**
 * Checks that the receiver got whole messages, and then either the last word (`BYE`) or at most a part of one
 * more message. Returns whether it got the last word.
 */
function expectWhole(received: string, sent: string): 'last word' | 'no last word' {
  let at = 0;
  for (;;) {
    if (received.slice(at) === BYE) return 'last word';
    const size = Number(received.slice(at, at + HEAD));
    if (received.length - at <= HEAD || !(at + size <= received.length)) break;
    expect(received.slice(at, at + size) === messageOf(size)).toBe(true);
    at += size;
  }
  expect(sent.startsWith(received)).toBe(true);
  return 'no last word';
}

describe('a durable writer that knows its messages', () => {
  it('gives whole small messages, wherever the bytes are cut, and all of them in the end', () => {
    const stream = SMALL.repeat(3);
    for (let cut = 0; cut <= stream.length; cut += 1) {
      const { send, sink, writer } = writerOf();
      send(stream.slice(0, cut));
      expect(sink.received).toBe(stream.slice(0, cut - (cut % 20)));
      expect(writer.written).toBe(sink.received.length);
      send(stream.slice(cut));
      expect(sink.received).toBe(stream);
      expect(writer.written).toBe(stream.length);
    }
  });

  it('holds a small message back that comes byte by byte', () => {
    const { send, sink, writer } = writerOf();
    const message = messageOf(500);
    for (const byte of message.slice(0, -1)) send(byte);
    expect([sink.received, writer.written]).toEqual(['', 0]);
    send('x');
    expect([sink.received, writer.written]).toEqual([message, 500]);
  });

  it('forwards a large message in parts', () => {
    const { send, sink } = writerOf();
    send(SMALL + LARGE.slice(0, 3));
    expect(sink.received).toBe(SMALL);
    send(LARGE.slice(3, 1_000));
    expect(sink.received).toBe(SMALL + LARGE.slice(0, 1_000));
    send(LARGE.slice(1_000) + SMALL.slice(0, 7));
    expect(sink.received).toBe(SMALL + LARGE);
  });

  it.each(['cut', 'end'] as const)('says its last word after whole small messages: %s', (how) => {
    const stream = SMALL.repeat(3);
    for (let at = 0; at <= stream.length; at += 1) {
      const { send, sink, writer } = writerOf();
      send(stream.slice(0, at));
      void writer[how](Buffer.from(BYE));
      expect(sink.received).toBe(stream.slice(0, at - (at % 20)) + BYE);
    }
  });

  it('says no last word within a large message', () => {
    const { send, sink, writer } = writerOf();
    send(LARGE.slice(0, 900));
    writer.cut(Buffer.from(BYE));
    expect([sink.received, sink.ended]).toEqual([LARGE.slice(0, 900), true]);
  });

  it('says its last word after the rest of a large message that was not written yet, and nothing else of it', () => {
    const { send, sink, writer } = writerOf();
    send(LARGE.slice(0, 900));
    writer.cut(Buffer.from(BYE), [
      Buffer.from(LARGE.slice(900, 1_000)),
      Buffer.from(LARGE.slice(1_000) + SMALL),
    ]);
    expect(sink.received).toBe(LARGE + BYE);
  });

  it('waits for the rest of a large message until it is durable, and drops what waits behind it', async () => {
    const { send, sink, writer } = writerOf();
    const [first, second] = [recording(), recording()];
    send(LARGE.slice(0, 900));
    send(LARGE.slice(900) + SMALL, first.durable);
    send(SMALL, second.durable);
    writer.cut(Buffer.from(BYE));
    send(SMALL);
    expect([sink.received, sink.ended]).toEqual([LARGE.slice(0, 900), false]);
    first.resolve();
    await turn();
    expect([sink.received, sink.ended]).toEqual([LARGE + BYE, true]);
    second.resolve();
    await turn();
    expect(sink.received).toBe(LARGE + BYE);
  });

  it('says no last word where the rest of a large message is never durable', async () => {
    const { send, sink, writer } = writerOf();
    const first = recording();
    send(LARGE.slice(0, 900));
    send(LARGE.slice(900), first.durable);
    writer.cut(Buffer.from(BYE));
    first.reject(new Error('full'));
    await turn();
    expect([sink.received, sink.ended]).toEqual([LARGE.slice(0, 900), true]);
  });

  it('gives whole messages and then the last word or the end, whatever waits and however it ends', async () => {
    const piece = fc.record({
      bytes: fc.oneof(fc.integer({ min: 1, max: 60 }), fc.integer({ min: 1, max: 90_000 })),
      waits: fc.boolean(),
    });
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.constantFrom(7, 20, 70_000), { maxLength: 6 }),
        fc.array(piece, { maxLength: 8 }),
        fc.nat(8),
        fc.constantFrom('cut', 'end'),
        fc.boolean(),
        async (sizes, pieces, durableCount, how, fails) => {
          const stream = sizes.map(messageOf).join('');
          const { send, sink, writer } = writerOf();
          const waiting: ReturnType<typeof recording>[] = [];
          let at = 0;
          for (const { bytes, waits } of pieces) {
            const after = waits ? recording() : undefined;
            send(stream.slice(at, at + bytes), after?.durable);
            at += bytes;
            if (after !== undefined) waiting.push(after);
          }
          const early = waiting.splice(0, durableCount);
          for (const each of early) each.resolve();
          await turn();
          if (how === 'cut') writer.cut(Buffer.from(BYE), [Buffer.from(stream.slice(at))]);
          else void writer.end(Buffer.from(BYE));
          for (const each of waiting)
            if (fails) each.reject(new Error('full'));
            else each.resolve();
          await turn();
          expect(sink.ended).toBe(true);
          const told = expectWhole(sink.received, stream);
          // Only a large message is ever cut. Without one, the receiver gets whole messages and the last
          // word.
          if (!sizes.includes(70_000)) expect(told).toBe('last word');
          if (how === 'cut' && !fails) expect(told).toBe('last word');
        },
      ),
    );
  });
});
