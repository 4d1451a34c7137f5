import { once } from 'node:events';
import { type Server, createServer } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { setImmediate as turn } from 'node:timers/promises';
import type { Request, Response } from 'express';
import { sendFile } from '../../src/session-reading/session/send-file';
import { sendStream } from '../../src/http/streams/send-stream';
import { resetBrokenAnswers } from '../../src/http/edge/broken-answers';

const BODY = Buffer.from('id,name\r\n1,"one"\r\n2,"two"\r\n');

/** What a client makes of an answer. */
interface Read {
  readonly body: string;
  /** Whether the client takes it for a whole one. */
  readonly isWhole: boolean;
}

/** The bytes up to a place, each by itself, and then a fault; all of them without one. */
async function* brokenAt(place: number): AsyncGenerator<Buffer> {
  for (const byte of BODY.subarray(0, place)) yield Buffer.of(byte);
  // What came until now is on its way.
  await turn();
  if (place < BODY.length) throw new Error('the recording was removed');
}

type Sending = (request: Request, response: Response, place: number) => Promise<unknown>;

/** The ways in which answers are sent. */
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

  /** Reads as clients do: chunks have a last one, and without chunks the end of the connection is the end. */
  async function read(version: string): Promise<Read> {
    const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
    const chunks: Buffer[] = [];
    let isReset = false;
    socket.on('data', (chunk: Buffer) => chunks.push(chunk)).on('error', () => (isReset = true));
    socket.write(`GET / HTTP/${version}\r\nHost: x\r\nConnection: close\r\n\r\n`);
    await new Promise((resolve) => socket.once('close', resolve));
    const text = Buffer.concat(chunks).toString('latin1');
    const at = text.indexOf('\r\n\r\n');
    const raw = at < 0 ? '' : text.slice(at + 4);
    if (!/transfer-encoding: chunked/i.test(text.slice(0, Math.max(at, 0))))
      return { body: raw, isWhole: at >= 0 && !isReset };
    let body = '';
    let rest = raw;
    for (;;) {
      const [, size] = /^([\da-f]+)\r\n/.exec(rest) ?? [];
      if (size === undefined) return { body, isWhole: false };
      const begin = size.length + 2;
      const length = Number.parseInt(size, 16);
      if (length === 0) return { body, isWhole: rest.slice(begin) === '\r\n' && !isReset };
      body += rest.slice(begin, begin + length);
      rest = rest.slice(begin + length + 2);
    }
  }

  // promises: HTTP-27
  it.each(['1.0', '1.1'])('looks whole to no client of HTTP/%s, at whichever byte', async (version) => {
    for (place = 0; place < BODY.length; place += 1) {
      const { body, isWhole } = await read(version);
      expect([place, isWhole]).toEqual([place, false]);
      expect(BODY.toString('latin1').startsWith(body)).toBe(true);
    }
    // What is whole looks so.
    expect(await read(version)).toEqual({ body: BODY.toString('latin1'), isWhole: true });
  });
});
