import { Writable } from 'node:stream';
import { countedMethods } from '../../test/support/counted-methods';
import * as fc from '../../test/support/fast-check';
import { SocketSink } from '../proxies/kit/socket-sink';
import { DurableWriter } from './durable-writer';
import { PendingEvents } from './pending-events';

/** Collects everything that is written, in `received`. */
class Receiver extends Writable {
  received = '';

  override _write(chunk: Buffer, _: string, done: () => void): void {
    this.received += chunk.toString();
    done();
  }
}

const settled = () => new Promise((turn) => setImmediate(turn));

/** A promise, with `keep` to fulfill it and `fail` to reject it. */
function promised() {
  let keep: () => void = () => undefined;
  let fail: (error: Error) => void = () => undefined;
  const promise = new Promise<void>((resolve, reject) => {
    keep = resolve;
    fail = reject;
  });
  return { promise, keep, fail };
}

function writerOf() {
  const receiver = new Receiver();
  const failures: unknown[] = [];
  const told = { room: 0 };
  let durable: Promise<void> = Promise.resolve();
  const events = new PendingEvents({ append: () => durable, appendAll: () => durable });
  const writer = new DurableWriter(events, new SocketSink(receiver), {
    room: () => (told.room += 1),
    failed: (error) => failures.push(error),
  });
  /** @param after resolves when the recording of the text is durable. */
  const send = (text: string, after?: Promise<void>) => {
    if (after !== undefined) {
      durable = after;
      events.append('o', text);
    }
    writer.write([Buffer.from(text)]);
  };
  return { writer, receiver, failures, told, send, events };
}

/** Counts the elements of lists that are gone through, or spread into others, during the work. */
function elementsDuring(work: () => void): number {
  let elements = 0;
  const restore = countedMethods(Array.prototype, [Symbol.iterator], (list) => {
    elements += (list as unknown[]).length;
  });
  try {
    work();
  } finally {
    restore();
  }
  return elements;
}

describe('a durable writer', () => {
  it('takes each piece that waits a few times, and no more with many of them', async () => {
    const { receiver, send } = writerOf();
    const recording = promised();
    send('first', recording.promise);
    const count = 5_000;
    const elements = elementsDuring(() => {
      for (let piece = 0; piece < count; piece += 1) send('.');
    });
    expect(elements).toBeLessThan(10 * count);
    recording.keep();
    await settled();
    expect(receiver.received).toBe(`first${'.'.repeat(count)}`);
  });

  it('sends in order, and nothing before what it waits for', async () => {
    const loads = fc.array(fc.boolean(), { minLength: 1, maxLength: 12 });
    await fc.assert(
      fc.asyncProperty(loads, async (waits) => {
        const { receiver, send } = writerOf();
        const letter = (index: number) => String.fromCharCode(97 + index);
        const all = waits.map((isWaiting, index) => {
          const after = isWaiting ? promised() : undefined;
          send(letter(index), after?.promise);
          return after;
        });
        // Makes the recorded pieces durable in the order in which they were sent.
        for (const [index, after] of all.entries()) {
          const open = all.findIndex((one, place) => one !== undefined && place >= index);
          const sent = open === -1 ? waits.length : open;
          expect(receiver.received).toBe(
            waits
              .map((_, place) => letter(place))
              .slice(0, sent)
              .join(''),
          );
          after?.keep();
          await settled();
        }
        expect(receiver.received).toHaveLength(waits.length);
      }),
    );
  });

  it('sends with a later one what an earlier one still waits for: it is durable before it', async () => {
    const { receiver, send } = writerOf();
    const [first, second] = [promised(), promised()];
    send('a', first.promise);
    send('b', second.promise);
    second.keep();
    await settled();
    expect(receiver.received).toBe('ab');
    first.keep();
    await settled();
    expect(receiver.received).toBe('ab');
  });

  it('sends nothing more once something could not be recorded', async () => {
    const { receiver, failures, send } = writerOf();
    const [first, second] = [promised(), promised()];
    send('a');
    send('b', first.promise);
    send('c', second.promise);
    const fault = new Error('full');
    first.fail(fault);
    second.keep();
    await settled();
    send('d');
    expect(receiver.received).toBe('a');
    expect(failures).toEqual([fault]);
  });

  it('ends after all that waits, with a last word', async () => {
    const { writer, receiver, send } = writerOf();
    const after = promised();
    send('a', after.promise);
    const over = writer.end(Buffer.from('!'));
    await settled();
    expect(receiver.received).toBe('');
    after.keep();
    await over;
    await settled();
    expect([receiver.received, receiver.writableFinished]).toEqual(['a!', true]);
    send('b');
    expect(receiver.received).toBe('a!');
  });

  it('is cut with a last word and without what waits', async () => {
    const { writer, receiver, send } = writerOf();
    const after = promised();
    send('a', after.promise);
    writer.cut(Buffer.from('!'));
    after.keep();
    await settled();
    expect([receiver.received, receiver.writableFinished]).toEqual(['!', true]);
  });

  it('is full while much waits, and tells when there is room again', async () => {
    const { writer, told, receiver, send } = writerOf();
    const after = promised();
    send('x'.repeat(1024 * 1024 + 1), after.promise);
    expect([writer.isFull, told.room]).toEqual([true, 0]);
    after.keep();
    await settled();
    expect(receiver.received).toHaveLength(1024 * 1024 + 1);
    expect([writer.isFull, told.room > 0]).toEqual([false, true]);
  });

  it.each([
    ['one text', ['x'.repeat(1024 * 1024 + 1)]],
    ['many texts', Array.from({ length: 1_025 }, () => 'x'.repeat(1024))],
    ['bytes in pieces', [[Buffer.alloc(1024 * 1024), Buffer.alloc(1)]]],
  ])('is full while much that it does not send waits to be recorded: %s', async (_, contents) => {
    const { writer, told, receiver, send, events } = writerOf();
    const after = promised();
    send('a', after.promise);
    for (const content of contents) events.append('i', content);
    expect(writer.isFull).toBe(false);
    writer.write([Buffer.from('b')]);
    expect([writer.isFull, told.room]).toEqual([true, 0]);
    after.keep();
    await settled();
    expect(receiver.received).toBe('ab');
    expect([writer.isFull, told.room]).toEqual([false, 1]);
  });
});
