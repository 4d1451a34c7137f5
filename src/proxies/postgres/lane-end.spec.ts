import { PassThrough } from 'node:stream';
import type { Socket } from 'node:net';
import { Lane } from './lane';

/** A promise and how it ends. */
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
const load = (text: string): Buffer[] => [Buffer.from(text)];

describe('a lane that ends', () => {
  const sent: Buffer[] = [];
  const failures: unknown[] = [];
  let socket: PassThrough;
  let lane: Lane;

  beforeEach(() => {
    sent.length = 0;
    failures.length = 0;
    socket = new PassThrough();
    socket.on('data', (bytes: Buffer) => sent.push(bytes));
    lane = new Lane(
      socket as unknown as Socket,
      () => undefined,
      (error) => failures.push(error),
    );
  });

  const said = async (): Promise<string> => {
    await turn();
    return Buffer.concat(sent).toString();
  };

  it('sends nothing of what waits once it is dropped, though it becomes durable', async () => {
    const [first, second] = [recording(), recording()];
    lane.send(load('one '), first.durable);
    lane.send(load('two '), second.durable);
    first.resolve();
    expect(await said()).toBe('one ');
    lane.drop();
    second.resolve();
    lane.send(load('three '), undefined);
    lane.send(load('four '), Promise.resolve());
    expect(await said()).toBe('one ');
    expect([socket.writableEnded, lane.isFull, failures]).toEqual([false, false, []]);
  });

  it('leaves no rejection unheard, however late it comes', async () => {
    const [waiting, late] = [recording(), recording()];
    lane.send(load('one '), waiting.durable);
    lane.drop();
    lane.send(load('two '), late.durable);
    waiting.reject(new Error('full'));
    late.reject(new Error('full'));
    expect(await said()).toBe('');
  });

  it('says its last word after all that is durable, and at once where the rest never will be', async () => {
    const [first, second] = [recording(), recording()];
    lane.send(load('one '), first.durable);
    lane.send(load('two '), second.durable);
    void lane.end(Buffer.from('bye'));
    first.resolve();
    expect(await said()).toBe('one ');
    expect(socket.writableEnded).toBe(false);
    second.reject(new Error('full'));
    expect(await said()).toBe('one bye');
    expect([socket.writableEnded, failures.length]).toEqual([true, 1]);
  });

  it('says its last word at once when it is cut', async () => {
    const first = recording();
    lane.send(load('one '), first.durable);
    lane.cut(Buffer.from('bye'));
    first.resolve();
    expect(await said()).toBe('bye');
  });
});
