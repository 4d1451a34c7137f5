import { once } from 'node:events';
import { type IncomingMessage, type Server, createServer, get } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import type { Request, Response } from 'express';
import { eventually } from '../../../../test/support/eventually';
import { sendStream } from './send-stream';

const HEARTBEAT_MS = 5;
const COMMENT = ': nothing new\n\n';
/** A text that is larger than the buffers of both sockets. */
const MUCH = 'x'.repeat(64 * 1024 * 1024);

describe('a stream of events that is sent', () => {
  let server: Server;
  let answer: IncomingMessage;
  let sent: Promise<void>;
  let response: Response;
  let isClosed = false;

  afterEach(() => {
    answer.destroy();
    server.closeAllConnections();
    server.close();
  });

  /** Sends messages to a client that does not read yet. */
  const open = async (
    messages: (signal: AbortSignal) => AsyncGenerator<string>,
  ): Promise<AbortController> => {
    const controller = new AbortController();
    isClosed = false;
    const close = (): void => {
      isClosed = true;
      controller.abort();
    };
    const { signal } = controller;
    server = createServer((request, answering) => {
      response = answering as Response;
      const stream = { signal, close, messages: () => messages(signal) };
      sent = sendStream(request as Request, response, stream, HEARTBEAT_MS).catch(() => undefined);
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const asking = get({ host: '127.0.0.1', port: (server.address() as AddressInfo).port });
    [answer] = (await once(asking, 'response')) as [IncomingMessage];
    return controller;
  };
  const read = async (until: (text: string) => boolean): Promise<string> => {
    let text = '';
    for await (const bytes of answer) {
      text += String(bytes);
      if (until(text)) break;
    }
    return text;
  };
  const aborted = (signal: AbortSignal): Promise<unknown> =>
    signal.aborted ? Promise.resolve() : once(signal, 'abort');

  // promises: STREAM-1, REVIEW-22
  it('has comments as well, and is over when its reader leaves', async () => {
    await open(async function* (signal) {
      yield 'data: first\n\n';
      await aborted(signal);
    });
    expect(await read((text) => text.endsWith(COMMENT.repeat(3)))).toBe(
      `data: first\n\n${COMMENT.repeat(3)}`,
    );
    await sent;
    expect(isClosed).toBe(true);
  });

  it('holds back comments from a reader that takes nothing, and breaks no message', async () => {
    await open(async function* () {
      yield `data: ${MUCH}\n\n`;
      yield 'data: last\n\n';
    });
    // Waits until the buffers of the sockets are full.
    await eventually('nothing is added for 20 heartbeats', async () => {
      const held = response.writableLength;
      await delay(20 * HEARTBEAT_MS);
      return held > 0 && response.writableLength === held;
    });
    const text = await read(() => false);
    await sent;
    expect(text.replaceAll(COMMENT, '') === `data: ${MUCH}\n\ndata: last\n\n`).toBe(true);
  });
});
