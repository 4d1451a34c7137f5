import type { ServerResponse } from 'node:http';
import { createRule } from '../support/guardrails';
import { forAll } from '../support/for-all';
import { figure } from '../support/mcp/figures';
import { beginMcpPath } from '../support/mcp/mcp-path';
import { type RawAnswer, RawClient } from '../support/mcp/raw-client';
import { rawLegacy, rawModern } from '../support/mcp/raw-server';
import type { HeardRequest } from '../support/mcp/start-mcp-server';
import { pattern, words } from '../support/rule-entries';
import { scoped } from '../support/scoped';
import { IS_LONG, volume } from '../support/volume';

const CARD = '4111-2222-3333-4444';
const WORDS = 'geheim ä';

type Message = Record<string, unknown>;

/**
 * Functions that return a server's messages with a secret, by the place of the secret. `id` is the request's
 * ID.
 */
const PLACES: Record<string, (secret: string, id: unknown, token: unknown) => Message[]> = {
  text: (secret, id) => [result(id, { content: [{ type: 'text', text: `it is ${secret}.` }] })],
  texts: (secret, id) => [
    result(id, { content: ['one', `a ${secret} b`, 'three'].map((text) => ({ type: 'text', text })) }),
  ],
  'structured content': (secret, id) => [
    result(id, { content: [{ type: 'text', text: `{"a":"${secret}"}` }], structuredContent: { a: secret } }),
  ],
  'an error of the tool': (secret, id) => [
    result(id, { isError: true, content: [{ type: 'text', text: `no: ${secret}` }] }),
  ],
  'an error': (secret, id) => [
    { jsonrpc: '2.0', id, error: { code: -32000, message: `no: ${secret}`, data: { also: [secret] } } },
  ],
  'a blob': (secret, id) => [
    result(id, {
      content: [
        { type: 'resource', resource: { uri: 'a://b', blob: Buffer.from(` ${secret} `).toString('base64') } },
      ],
    }),
  ],
  metadata: (secret, id) => [result(id, { content: [], _meta: { 'com.example/a': { b: secret } } })],
  progress: (secret, id, token) => [
    notification('notifications/progress', { progressToken: token, progress: 1, message: `now ${secret}` }),
    result(id, { content: [{ type: 'text', text: 'done' }] }),
  ],
  'a log': (secret, id) => [
    notification('notifications/message', { level: 'error', data: { words: [`log ${secret}`] } }),
    result(id, { content: [{ type: 'text', text: 'done' }] }),
  ],
};

/** Encodings of messages: streams with different line ends, or JSON with the last message only. */
const WRITINGS: Record<string, (messages: readonly Message[]) => string> = {
  'lines of LF': (messages) => events(messages, '\n'),
  'lines of CR LF': (messages) => events(messages, '\r\n'),
  'lines of CR': (messages) => events(messages, '\r'),
  'data in several lines': (messages) =>
    messages
      .map(
        (message) =>
          `event: message\n${JSON.stringify(message, null, 1)
            .split('\n')
            .map((line) => `data: ${line}\n`)
            .join('')}\n`,
      )
      .join(': between\n\n'),
  escapes: (messages) => events(messages, '\n', escapes),
  JSON: (messages) => JSON.stringify(messages.at(-1)),
  'JSON of escapes': (messages) => escapes(JSON.stringify(messages.at(-1))),
};

interface Stream {
  readonly name: string;
  readonly place: string;
  readonly writing: string;
  readonly secret: string;
}

const STREAMS: readonly Stream[] = Object.keys(PLACES).flatMap((place, row) =>
  Object.keys(WRITINGS)
    // Leaves out notifications in JSON, because an answer as JSON cannot contain a notification.
    .filter((writing) => !/progress|log/.test(place) || !writing.startsWith('JSON'))
    .map((writing, column) => {
      const secret = (row + column) % 2 === 0 ? CARD : WORDS;
      return { name: `${secret} in ${place}, ${writing}`, place, writing, secret };
    }),
);

function result(id: unknown, value: Message): Message {
  return { jsonrpc: '2.0', id, result: { resultType: 'complete', ...value } };
}

function notification(method: string, params: Message): Message {
  return { jsonrpc: '2.0', method, params };
}

function events(messages: readonly Message[], end: string, write = (json: string) => json): string {
  return messages.map((message) => `data: ${write(JSON.stringify(message))}${end}${end}`).join('');
}

/** Writes letters and digits in JSON strings as \u escapes, except in member names and some fixed values. */
function escapes(json: string): string {
  return json.replaceAll(/:"((?:[^"\\]|\\.)*)"/g, (_, text: string) =>
    /^(2\.0|complete|text|resource|notifications\/.*|error)$/.test(text)
      ? `:"${text}"`
      : `:"${text.replaceAll(/[0-9A-Za-zä]/g, (it) => `\\u${it.charCodeAt(0).toString(16).padStart(4, '0')}`)}"`,
  );
}

/** Stream that the server writes, and offset at which it is cut. With `ends`, the connection breaks there. */
interface Cut {
  readonly stream: number;
  readonly at: number;
  readonly ends: boolean;
}

function bytesOf({ place, writing, secret }: Stream, request: HeardRequest): Buffer {
  const token = (request.body.params._meta as Message | undefined)?.['progressToken'];
  const messages = PLACES[place]?.(secret, request.body.id, token) ?? [];
  return Buffer.from(WRITINGS[writing]?.(messages) ?? '');
}

function answering(request: HeardRequest, response: ServerResponse): void {
  const { body } = request;
  if (body?.method !== 'tools/call') {
    const tools = [{ name: 'say', inputSchema: { type: 'object' } }];
    const listed = result(body?.id, { tools });
    response
      .writeHead(body?.id === undefined ? 202 : 200, { 'content-type': 'application/json' })
      .end(body?.id === undefined ? '' : JSON.stringify(listed));
    return;
  }
  const { stream, at, ends } = body.params.arguments as Cut;
  const chosen = STREAMS[stream];
  if (chosen === undefined) throw new Error('there is no such stream');
  const bytes = bytesOf(chosen, request);
  const type = chosen.writing.startsWith('JSON') ? 'application/json' : 'text/event-stream';
  response.writeHead(200, { 'content-type': type });
  response.flushHeaders();
  response.write(bytes.subarray(0, at));
  // Sends the rest in a later turn of the event loop, so that the gateway reads the first part alone.
  setImmediate(() => (ends ? response.destroy() : response.end(bytes.subarray(at))));
}

// The long form requests many answers.
if (IS_LONG) jest.setTimeout(3_600_000);

describe.each(['modern', 'legacy'] as const)('answers of a %s server that come in pieces', (era) =>
  describe(
    'cut at every byte',
    scoped((begin) => {
      const path = beginMcpPath(begin);
      const server = begin(() => (era === 'modern' ? rawModern(answering) : rawLegacy(answering)));

      it.each(['masked', 'blocked'] as const)('are %s like whole ones', async (action) => {
        const name = await path.connection(server.url);
        const { id } = (await path.gateway.call('admin', 'GET', `/connections/${name}`)).body;
        const more = action === 'masked' ? { action: 'mask' as const } : {};
        const rules = [pattern('\\d{4}-\\d{4}-\\d{4}-\\d{4}', more), words([WORDS], more)];
        await createRule(path.gateway, { name: `r-${name}`, connection_ids: [id], output: { rules } });
        const client = new RawClient(path, name);
        const said = ({ status, messages }: RawAnswer): string => JSON.stringify([status, messages]);
        const send = (cut: Cut): Promise<RawAnswer> =>
          client.modern(
            'tools/call',
            { name: 'say', arguments: { ...cut } },
            {},
            { progressToken: 'p', 'io.modelcontextprotocol/logLevel': 'debug' },
          );
        const tells = (text: string): boolean =>
          [CARD, WORDS].some(
            (secret) => text.includes(secret) || text.includes(Buffer.from(` ${secret} `).toString('base64')),
          );

        const missed: string[] = [];
        const counts = { cuts: 0, broken_off: 0, masked: 0 };
        for (const [stream, { name: what }] of STREAMS.entries()) {
          const whole = await send({ stream, at: 0, ends: false });
          const expected = said(whole);
          if (tells(expected) || whole.status >= 500) missed.push(`${what}, whole: ${expected}`);
          const heard = server.heard.findLast(({ body }) => body?.method === 'tools/call');
          if (heard === undefined) throw new Error('the server was not asked');
          const { length } = bytesOf(STREAMS[stream] as Stream, heard);
          if (expected.includes('****')) counts.masked += 1;
          const all = Array.from({ length: length - 1 }, (_, at) => at + 1);
          // The long form cuts masked answers of modern servers at every byte, other answers at every ninth.
          // The short form cuts at fewer bytes, and at different ones in each stream.
          const some = (oneIn: number) => all.filter((_, index) => index % oneIn === (stream * 37) % oneIn);
          const oneIn = era === 'modern' && action === 'masked' ? volume(120, 1) : volume(180, 9);
          await forAll(some(oneIn), 8, async (at) => {
            counts.cuts += 1;
            const pieces = said(await send({ stream, at, ends: false }));
            if (pieces !== expected) missed.push(`${what}, cut at ${at}: ${pieces} and not ${expected}`);
          });
          // Breaks the connection at some bytes. The client gets no secret, but a result or an error.
          await forAll(some(volume(300, 70)), 8, async (at) => {
            counts.broken_off += 1;
            const { status, text, messages } = await send({ stream, at, ends: true });
            const isTold =
              status < 500 && (messages.at(-1)?.error !== undefined || messages.at(-1)?.result !== undefined);
            if (tells(JSON.stringify(messages)) || tells(text) || !isTold)
              missed.push(`${what}, ended at ${at}: ${text}`);
          });
        }
        const recorded = JSON.stringify(await path.recorded(name));
        if (tells(recorded)) missed.push('the recording');
        const streams = era === 'modern' && action === 'masked' ? STREAMS.length : 0;
        figure('results in pieces', { streams, ...counts, missed: missed.length });
        expect(missed.slice(0, 5)).toEqual([]);
        // Ensures that rules masked secrets. Where a mask does not fit, the answer is blocked instead.
        expect(counts.masked).toBeGreaterThan(action === 'masked' ? 25 : -1);
        expect(counts.cuts).toBeGreaterThan(IS_LONG ? 1_000 : 50);
      });
    }),
  ),
);
