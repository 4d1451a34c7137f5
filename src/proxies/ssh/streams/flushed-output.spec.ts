import { once } from 'node:events';
import { type AddressInfo, type Socket, connect, createServer } from 'node:net';
import { PassThrough, type Readable } from 'node:stream';
import { sessionUnder } from '../../../../test/support/gated-session';
import { words } from '../../../../test/support/rule-entries';
import { engineOf } from '../../../../test/support/screening';
import { Inbound } from '../../kit/inbound';
import { ProgramOutputReader } from './result-reader';

const engine = engineOf(words(['canary'], { action: 'mask' }));

/** Reads the output of a program, as a relay does. */
function reading(stream: Readable) {
  const client = { isSlow: false };
  const got: Buffer[] = [];
  let arrived = (): void => undefined;
  const take = (): void => {
    got.push(...reader.takePieces());
    arrived();
  };
  const failed = (error: unknown): never => {
    throw error;
  };
  const reader: ProgramOutputReader = new ProgramOutputReader(sessionUnder(() => engine).session, {
    type: 'o',
    isTerminal: true,
    mark: (piece) => piece,
    mayWait: () => true,
    isCaughtUp: () => inbound.isCaughtUp,
    flushed: take,
    failed,
  });
  const inbound: Inbound = new Inbound(stream, reader, take, {
    ended: () => undefined,
    failed,
    mustRest: () => client.isSlow,
    abandoned: () => reader.abandon(),
  });
  inbound.start(Buffer.alloc(0));
  const text = (): string => Buffer.concat(got).toString();
  /** Resolves when the client has got this many characters. */
  const gets = async (length: number): Promise<string> => {
    while (text().length < length) await new Promise<void>((resolve) => (arrived = resolve));
    return text();
  };
  return { client, inbound, gets };
}

/** Lets timers of this many milliseconds fire, and what they start come to rest. */
async function timersFire(ms: number): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve, ms));
  await new Promise((resolve) => setImmediate(resolve));
}

/** Works without a pause until timers of this many milliseconds are late. */
function workFor(ms: number): void {
  for (const end = performance.now() + ms; performance.now() < end;);
}

// promises: SSHCLIENT-6
describe('a word whose program has written both halves', () => {
  it('is masked if the client was slow between them', async () => {
    const program = new PassThrough();
    const { client, inbound, gets } = reading(program);
    client.isSlow = true;
    program.write('one\na can');
    await gets(4);
    expect(program.isPaused()).toBe(true);
    program.write('ary two\n');
    await timersFire(100);
    client.isSlow = false;
    inbound.breathe();
    expect(await gets(15)).toBe('one\na **** two\n');
    await inbound.stop();
  });

  it('is masked if the gateway was busy between them', async () => {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
    const [program] = (await once(server, 'connection')) as [Socket];
    const { inbound, gets } = reading(socket);
    program.write('one\na can');
    await gets(4);
    // Written after the poll phase, before the timers: it is read by the next poll phase, after the timers.
    await new Promise<void>((resolve) =>
      setImmediate(() => {
        program.write('ary two\n');
        workFor(100);
        resolve();
      }),
    );
    expect(await gets(15)).toBe('one\na **** two\n');
    await inbound.stop();
    socket.destroy();
    program.destroy();
    server.close();
  });

  it('is shown in halves if the program waits between them, also after the client was slow', async () => {
    const program = new PassThrough();
    const { client, inbound, gets } = reading(program);
    client.isSlow = true;
    program.write('name: ');
    await timersFire(100);
    client.isSlow = false;
    inbound.breathe();
    expect(await gets(6)).toBe('name: ');
    await inbound.stop();
  });
});
