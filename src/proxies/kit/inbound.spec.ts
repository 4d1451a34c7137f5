import { PassThrough } from 'node:stream';
import { Inbound, type MessageHandler } from './inbound';
import type { MaybePromise } from '../../kernel/async/maybe-promise';

const turn = (): Promise<void> => new Promise((next) => setImmediate(next));

/** Handles each byte as a message: `.` at once; `w` succeeds and `!` fails only when the test settles it. */
class Bytes implements MessageHandler {
  readonly dealt: string[] = [];
  abandoned = 0;
  settle: () => void = () => undefined;
  private unread = '';

  push(chunk: Buffer): void {
    this.unread += chunk.toString();
  }

  next(): MaybePromise<boolean> {
    const message = this.unread.slice(0, 1);
    if (message === '') return false;
    this.unread = this.unread.slice(1);
    if (message === '.') return this.deal(message);
    return new Promise((resolve, reject) => {
      this.settle = () => (message === '!' ? reject(new Error('no')) : resolve(this.deal(message)));
    });
  }

  private deal(message: string): true {
    this.dealt.push(message);
    return true;
  }
}

describe('what one side sends', () => {
  let socket: PassThrough;
  let bytes: Bytes;
  let inbound: Inbound;
  let heard: string[];
  let flushes: MaybePromise<void>;

  beforeEach(() => {
    socket = new PassThrough();
    socket.pause();
    bytes = new Bytes();
    heard = [];
    flushes = undefined;
    inbound = new Inbound(socket, bytes, () => flushes, {
      ended: () => heard.push('ended'),
      failed: (error) => heard.push((error as Error).message),
      mustRest: () => false,
      abandoned: () => (bytes.abandoned += 1),
    });
  });

  it('is dealt with in order, and rests while a message takes longer', async () => {
    inbound.start(Buffer.from('.w'));
    socket.write('..');
    await turn();
    expect([bytes.dealt.join(''), socket.isPaused()]).toEqual(['.', true]);
    bytes.settle();
    await turn();
    await turn();
    expect([bytes.dealt.join(''), socket.isPaused()]).toEqual(['.w..', false]);
  });

  it('lets the event loop turn, and continues afterwards', async () => {
    const next = bytes.next.bind(bytes);
    bytes.next = () => {
      const until = performance.now() + 2;
      while (performance.now() < until);
      return next();
    };
    inbound.start(Buffer.alloc(0));
    // All chunks are available at once, and each needs a read of its own.
    for (let piece = 0; piece < 12; piece += 1) socket.write('.');
    await turn();
    expect(bytes.dealt.length).toBeLessThan(12);
    while (bytes.dealt.length < 12) await turn();
    expect(heard).toEqual([]);
  });

  it('that ends while a message takes longer has ended when that is dealt with, also by a close', async () => {
    inbound.start(Buffer.from('w'));
    socket.destroy();
    await turn();
    expect(heard).toEqual([]);
    bytes.settle();
    await turn();
    expect([bytes.dealt, heard]).toEqual([['w'], ['ended']]);
  });

  it.each([
    ['closed', () => socket.destroy()],
    ['ended', () => socket.end().resume()],
  ])('had %s before anybody listened: it is heard all the same, after what came', async (_, leave) => {
    leave();
    await turn();
    await turn();
    inbound.start(Buffer.from('..'));
    expect(bytes.dealt).toHaveLength(2);
    expect(heard).toContain('ended');
  });

  it('comes to rest once stopped: what is under way ends, is abandoned, and fails unheard', async () => {
    inbound.start(Buffer.from('!.'));
    let isAtRest = false;
    const stopped = inbound.stop().then(() => (isAtRest = true));
    await turn();
    expect([isAtRest, bytes.abandoned]).toEqual([false, 1]);
    bytes.settle();
    await stopped;
    expect([bytes.dealt, bytes.abandoned, heard]).toEqual([[], 2, []]);
  });

  it('waits for both when a message and the sending of those before take longer, and one fails', async () => {
    let sent!: () => void;
    flushes = new Promise((done) => (sent = done));
    inbound.start(Buffer.from('!'));
    bytes.settle();
    await turn();
    expect(heard).toEqual([]);
    sent();
    await turn();
    expect(heard).toEqual(['no']);
  });
});
