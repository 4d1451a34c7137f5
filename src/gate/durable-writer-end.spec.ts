import { PassThrough } from 'node:stream';
import { SocketSink } from '../proxies/kit/socket-sink';
import { DurableWriter } from './durable-writer';
import { PendingEvents } from './pending-events';

/** A promise, and the functions that settle it. */
function recording() {
  let resolve!: () => void;
  let reject!: (error: Error) => void;
  const durable = new Promise<void>((done, failed) => {
    resolve = done;
    reject = failed;
  });
  return { durable, resolve, reject };
}

const turn = (): Promise<void> => new Promise((next) => setImmediate(next));

describe('a durable writer that ends', () => {
  const sent: Buffer[] = [];
  const failures: unknown[] = [];
  let socket: PassThrough;
  let writer: DurableWriter;
  let events: PendingEvents;
  let recorded: Promise<void>;
  let whenFailed = (): void => undefined;

  beforeEach(() => {
    whenFailed = () => undefined;
    sent.length = 0;
    failures.length = 0;
    socket = new PassThrough();
    socket.on('data', (bytes: Buffer) => sent.push(bytes));
    events = new PendingEvents({ append: () => recorded, appendAll: () => recorded });
    writer = new DurableWriter(events, new SocketSink(socket), {
      room: () => undefined,
      failed: (error) => {
        failures.push(error);
        whenFailed();
      },
    });
  });

  const send = (text: string, after?: Promise<void>): void => {
    if (after !== undefined) {
      recorded = after;
      events.append('o', text);
    }
    writer.write([Buffer.from(text)]);
  };

  const said = async (): Promise<string> => {
    await turn();
    return Buffer.concat(sent).toString();
  };

  it('sends nothing of what waits once it is dropped, though it becomes durable', async () => {
    const [first, second] = [recording(), recording()];
    send('one ', first.durable);
    send('two ', second.durable);
    first.resolve();
    expect(await said()).toBe('one ');
    writer.drop();
    second.resolve();
    send('three ');
    send('four ', Promise.resolve());
    expect(await said()).toBe('one ');
    expect([socket.writableEnded, writer.isFull, failures]).toEqual([false, false, []]);
  });

  it('leaves no rejection unheard, however late it comes', async () => {
    const [waiting, late] = [recording(), recording()];
    send('one ', waiting.durable);
    writer.drop();
    send('two ', late.durable);
    waiting.reject(new Error('full'));
    late.reject(new Error('full'));
    expect(await said()).toBe('');
  });

  it('says its last word after all that is durable, and at once where the rest never will be', async () => {
    const [first, second] = [recording(), recording()];
    send('one ', first.durable);
    send('two ', second.durable);
    void writer.end(Buffer.from('bye'));
    first.resolve();
    expect(await said()).toBe('one ');
    expect(socket.writableEnded).toBe(false);
    second.reject(new Error('full'));
    expect(await said()).toBe('one bye');
    expect([socket.writableEnded, failures.length]).toEqual([true, 1]);
  });

  it('lets its owner choose another last word where the rest never will be durable', async () => {
    const first = recording();
    whenFailed = () => writer.cut(Buffer.from('broken'));
    send('one ', first.durable);
    void writer.end(Buffer.from('bye'));
    first.reject(new Error('full'));
    expect(await said()).toBe('broken');
    expect([socket.writableEnded, failures.length]).toEqual([true, 1]);
  });

  it('says its last word at once when it is cut', async () => {
    const first = recording();
    send('one ', first.durable);
    writer.cut(Buffer.from('bye'));
    first.resolve();
    expect(await said()).toBe('bye');
  });
});
