import { once } from 'node:events';
import { type Server, createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { setImmediate as turn } from 'node:timers/promises';
import type { Request, Response } from 'express';
import { sendFile } from '../../src/sessions/reading/session/send-file';
import { sendStream } from '../../src/platform/http/streams/send-stream';
import { resetBrokenAnswers } from '../../src/platform/http/edge/broken-answers';
import { RawReading } from '../support/raw-reading';

const BODY = Buffer.from('id,name\r\n1,"one"\r\n2,"two"\r\n');

/** A client's view of an answer. */
interface Read {
  readonly body: string;
  /** Whether the client considers the answer complete. */
  readonly isWhole: boolean;
}

/** Yields the bytes before `place` one by one, then throws. Does not throw if `place` is the end. */
async function* brokenAt(place: number): AsyncGenerator<Buffer> {
  for (const byte of BODY.subarray(0, place)) yield Buffer.of(byte);
  // Waits until the bytes have been sent, and then throws.
  await turn();
  if (place < BODY.length) throw new Error('the recording was removed');
}

type Sending = (request: Request, response: Response, place: number) => Promise<unknown>;

/** Functions that send an answer, one for each way in which the gateway sends answers. */
const SENDINGS: Readonly<Record<string, Sending>> = {
  'a file': (_, response, place) =>
    sendFile(response, { contentType: 'text/csv', fileName: 'x.csv', content: brokenAt(place) }),
  'a stream of events': (request, response, place) =>
    sendStream(request, response, {
      signal: new AbortController().signal,
      close: () => undefined,
      messages: async function* () {
        for await (const byte of brokenAt(place)) yield byte.toString();
      },
    }),
  'an answer in pieces': (_, response, place) => pipeline(Readable.from(brokenAt(place)), response),
};

describe.each(Object.entries(SENDINGS))('%s that breaks off', (_, sending) => {
  let server: Server;
  let place = 0;

  beforeAll(async () => {
    server = createServer((request, response) => {
      sending(request as Request, response as Response, place).catch(() => response.destroy());
    });
    resetBrokenAnswers(server);
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
  });
  afterAll(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });

  async function read(version: '1.0' | '1.1'): Promise<Read> {
    const { port } = server.address() as AddressInfo;
    const { body, isWhole } = await RawReading.open(`http://127.0.0.1:${port}/`, { version }).ended;
    return { body, isWhole };
  }

  // promises: HTTP-27
  it.each(['1.0', '1.1'] as const)(
    'looks whole to no client of HTTP/%s, at whichever byte',
    async (version) => {
      for (place = 0; place < BODY.length; place += 1) {
        const { body, isWhole } = await read(version);
        expect([place, isWhole]).toEqual([place, false]);
        expect(BODY.toString('latin1').startsWith(body)).toBe(true);
      }
      // A complete answer is recognized as complete.
      expect(await read(version)).toEqual({ body: BODY.toString('latin1'), isWhole: true });
    },
  );
});
