import { IncomingMessage } from 'node:http';
import { connect } from 'node:net';
import { once } from 'node:events';
import { Logger } from '@nestjs/common';
import { HttpAnswer } from '../../src/proxies/mcp/http/answer';
import { eventually } from '../support/eventually';
import { beginMcpPath } from '../support/mcp/mcp-path';
import { MODERN_META, RawClient } from '../support/mcp/raw-client';
import { startMcpServer } from '../support/mcp/start-mcp-server';
import { scoped } from '../support/scoped';

const META = JSON.stringify(MODERN_META);
const deep = (depth: number): string => '['.repeat(depth) + ']'.repeat(depth);

// promises: MCP-2, MCP-3, MCP-4
describe(
  'what no MCP client should send',
  scoped((begin) => {
    const path = beginMcpPath(begin);
    const server = begin(() => startMcpServer('modern'));
    const created = begin(
      async () => ({ name: await path.connection(server.url) }),
      () => undefined,
    );
    const client = () => new RawClient(path, created.name);
    const headers = (method: string, name?: string): Record<string, string> => ({
      'mcp-protocol-version': '2026-07-28',
      'mcp-method': method,
      ...(name === undefined ? {} : { 'mcp-name': name }),
    });
    const call = (params: string): string =>
      `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{${params},"_meta":${META}}}`;

    /**
     * Each input must be refused as a fault of the client, with a message, and must change nothing at the
     * server.
     */
    it.each<[string, string | Uint8Array, Record<string, string>, number, number]>([
      ['nothing', '', {}, 400, -32700],
      ['no JSON', '{', {}, 400, -32700],
      ['two values', '{} {}', {}, 400, -32700],
      [
        'a key twice',
        call('"name":"echo","name":"contents"'),
        headers('tools/call', 'contents'),
        400,
        -32700,
      ],
      [
        'a key twice, escaped',
        call('"name":"echo","\\u006eame":"contents"'),
        headers('tools/call', 'contents'),
        400,
        -32700,
      ],
      [
        'NUL',
        call('"name":"echo","arguments":{"text":"a\\u0000b"}'),
        headers('tools/call', 'echo'),
        400,
        -32700,
      ],
      [
        'nesting without end',
        call(`"name":"echo","arguments":{"text":${deep(5_000)}}`),
        headers('tools/call', 'echo'),
        400,
        -32700,
      ],
      [
        'half of a surrogate pair',
        call('"name":"echo","arguments":{"text":"\\ud800"}'),
        headers('tools/call', 'echo'),
        400,
        -32700,
      ],
      ['bytes that are no UTF-8', Buffer.from('7b2261223a22ff227d', 'hex'), {}, 400, -32700],
      ['a byte order mark', '\uFEFF{}', {}, 400, -32700],
      ['a batch', '[]', {}, 400, -32600],
      [
        'a batch of a modern request',
        `[${call('"name":"echo"')}]`,
        headers('tools/call', 'echo'),
        400,
        -32600,
      ],
      ['no version of JSON-RPC', '{"id":1,"method":"ping"}', {}, 400, -32600],
      ['id null', '{"jsonrpc":"2.0","id":null,"method":"ping"}', {}, 400, -32600],
      ['a fraction as id', '{"jsonrpc":"2.0","id":1.5,"method":"ping"}', {}, 400, -32600],
      ['an object as id', '{"jsonrpc":"2.0","id":{},"method":"ping"}', {}, 400, -32600],
      ['params that are no object', '{"jsonrpc":"2.0","id":1,"method":"ping","params":[]}', {}, 400, -32600],
      ['an answer without a session', '{"jsonrpc":"2.0","id":1,"result":{}}', {}, 400, 400],
      ['a legacy request without a session', '{"jsonrpc":"2.0","id":1,"method":"tools/list"}', {}, 400, 400],
      ['no headers of a modern request', call('"name":"echo"'), {}, 400, -32020],
      ['no Mcp-Method', call('"name":"echo"'), { 'mcp-protocol-version': '2026-07-28' }, 400, -32020],
      ['no Mcp-Name', call('"name":"echo"'), headers('tools/call'), 400, -32020],
      ['the name of another tool', call('"name":"echo"'), headers('tools/call', 'contents'), 400, -32020],
      ['another method', call('"name":"echo"'), headers('tools/list', 'echo'), 400, -32020],
      [
        'broken base64 in Mcp-Name',
        call('"name":"echo"'),
        headers('tools/call', '=?base64?ZWNob?='),
        400,
        -32020,
      ],
      [
        'base64 of two lines',
        call('"name":"echo"'),
        headers('tools/call', '=?base64?ZWNobw0K?='),
        400,
        -32020,
      ],
      [
        'no capabilities',
        '{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28"}}}',
        headers('tools/list'),
        400,
        -32602,
      ],
      [
        'a modern header without `_meta`',
        '{"jsonrpc":"2.0","id":1,"method":"tools/list"}',
        headers('tools/list'),
        400,
        -32602,
      ],
      [
        'an unknown method',
        `{"jsonrpc":"2.0","id":1,"method":"tools/everything","params":{"_meta":${META}}}`,
        headers('tools/everything'),
        404,
        -32601,
      ],
      [
        'a method of the other era',
        `{"jsonrpc":"2.0","id":1,"method":"logging/setLevel","params":{"level":"info","_meta":${META}}}`,
        headers('logging/setLevel'),
        404,
        -32601,
      ],
      [
        'tasks',
        `{"jsonrpc":"2.0","id":1,"method":"tasks/get","params":{"taskId":"1","_meta":${META}}}`,
        headers('tasks/get'),
        404,
        -32601,
      ],
      [
        'a requestState that is not sealed by the gateway',
        call('"name":"echo","requestState":"x","inputResponses":{}'),
        headers('tools/call', 'echo'),
        400,
        -32602,
      ],
      [
        'inputResponses that are no object',
        call('"name":"echo","inputResponses":[]'),
        headers('tools/call', 'echo'),
        400,
        -32602,
      ],
      [
        'a cursor that is not sealed by the gateway',
        `{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"cursor":"x","_meta":${META}}}`,
        headers('tools/list'),
        400,
        -32602,
      ],
    ])('%s', async (_, body, given, status, code) => {
      const before = server.heard.length;
      const answer = await client().send(body, given);
      expect([answer.status, answer.message?.error?.code]).toEqual([status, code]);
      expect(answer.message.error.message).toMatch(/^[\w"].{8,}/);
      expect(server.methods().slice(before)).not.toContain('tools/call');
    });

    it.each([
      ['a version of the future', '2099-01-01'],
      ['a version of the other era', '2025-11-25'],
    ])('%s, which is answered with those that are spoken', async (_, version) => {
      const meta = { 'io.modelcontextprotocol/protocolVersion': version };
      const answer = await client().modern('tools/list', {}, { 'mcp-protocol-version': version }, meta);
      expect([answer.status, answer.message.error.code]).toEqual([400, -32022]);
      expect(answer.message.error.data).toMatchObject({
        requested: version,
        supported: expect.arrayContaining(['2026-07-28']),
      });
    });

    it.each([
      ['text/plain', { 'content-type': 'text/plain' }, 415],
      ['no JSON wanted', { accept: 'text/html' }, 406],
      ['no stream wanted', { accept: 'application/json' }, 406],
      ['a body that is packed', { 'content-encoding': 'gzip' }, 415],
      ['a page of another origin', { origin: 'https://evil.example' }, 403],
      ['a page of no origin', { origin: 'null' }, 403],
    ])('over HTTP: %s', async (_, given, status) => {
      const answer = await client().modern('tools/list', {}, given);
      expect([answer.status, typeof answer.message.error.message]).toEqual([status, 'string']);
    });

    it.each(['GET', 'DELETE'])('%s without a session', async (method) => {
      const answer = await client().send(undefined, {}, method);
      expect([answer.status, answer.headers.get('allow')]).toEqual([405, 'POST']);
    });

    it.each(['PUT', 'PATCH', 'OPTIONS'])('%s', async (method) => {
      expect((await client().send(undefined, {}, method)).status).toBe(405);
    });

    it('a body that is larger than allowed, before it is read', async () => {
      const { port } = new URL(path.gateway.api);
      const socket = connect(Number(port), '127.0.0.1');
      const token = await path.gateway.token('alice');
      socket.write(
        `POST /api/mcp/${created.name} HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer ${token}\r\nContent-Type: application/json\r\nContent-Length: 99999999\r\n\r\n{`,
      );
      const [first] = (await once(socket, 'data')) as [Buffer];
      socket.destroy();
      expect(first.toString()).toMatch(/^HTTP\/1.1 413 /);
    });

    // A client that disconnects is no fault of the gateway, so no error is logged.
    it('a body that breaks off, which nobody is woken for', async () => {
      const errors = jest.spyOn(Logger.prototype, 'error');
      const ends = jest.spyOn(HttpAnswer.prototype, 'end');
      try {
        const { port } = new URL(path.gateway.api);
        const token = await path.gateway.token('alice');
        const head = `POST /api/mcp/${created.name} HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer ${token}\r\nContent-Type: application/json\r\n`;
        const begun = ['Content-Length: 500\r\n\r\n{', 'Transfer-Encoding: chunked\r\n\r\n5\r\n{"a":'];
        for (const [at, body] of begun.entries()) {
          const socket = connect(Number(port), '127.0.0.1');
          const read = jest.spyOn(IncomingMessage.prototype, 'on');
          socket.write(head + body);
          await eventually('the body is read', async () =>
            read.mock.calls.some(([event]) => event === 'data'),
          );
          read.mockRestore();
          socket.destroy();
          await eventually('the message is given up', async () => ends.mock.calls.length > at);
        }
        expect(ends.mock.calls.map(([, status]) => status)).toEqual([400, 400]);
        expect(errors).not.toHaveBeenCalled();
      } finally {
        errors.mockRestore();
        ends.mockRestore();
      }
    });

    it.each([
      ['a slash', 'a/b'],
      ['look-alike letters', 'еcho'],
      ['10 kB', 'x'.repeat(10_000)],
      ['line breaks', 'echo\r\nx: y'],
      ['an invisible letter', 'echo\u200B'],
    ])('the name of a tool with %s', async (_, name) => {
      const before = server.heard.length;
      const answer = await client().call(name);
      expect([answer.status, answer.message.error?.code]).toEqual([200, -32602]);
      expect(server.methods().slice(before)).not.toContain('tools/call');
    });

    it('an id that no double holds comes back as it was', async () => {
      const body = `{"jsonrpc":"2.0","id":9007199254740993,"method":"tools/list","params":{"_meta":${META}}}`;
      const answer = await client().send(body, headers('tools/list'));
      expect(answer.status).toBe(200);
      expect(answer.text).toContain('"id":9007199254740993,');
    });

    // promises: MCP-2
    it('numbers and members of arguments reach the server as they were, and unknown params do not', async () => {
      const before = server.heard.length;
      const params =
        '"name":"echo","arguments":{"text":"n","big":9007199254740993,"exp":1e400,"z":-0,"x-unknown":{"kept":1.10}},"x-dropped":1';
      await client().send(call(params), headers('tools/call', 'echo'));
      const heard = server.heard.slice(before).find(({ body }) => body?.method === 'tools/call')?.text ?? '';
      for (const part of ['"big":9007199254740993', '"exp":1e400', '"z":-0', '"x-unknown":{"kept":1.1'])
        expect(heard).toContain(part);
      expect(heard).not.toContain('x-dropped');
    });

    describe('in a legacy session', () => {
      it.each([
        ['a batch since 2025-06-18', '2025-06-18', '[{"jsonrpc":"2.0","id":1,"method":"ping"}]', 400, -32600],
        [
          'a batch with an id twice',
          '2025-03-26',
          '[{"jsonrpc":"2.0","id":1,"method":"ping"},{"jsonrpc":"2.0","id":1,"method":"ping"}]',
          400,
          -32600,
        ],
        ['an empty batch', '2025-03-26', '[]', 400, -32600],
        [
          'initialize in a batch',
          '2025-03-26',
          '[{"jsonrpc":"2.0","id":1,"method":"initialize"}]',
          400,
          -32600,
        ],
        ['an answer without a request', '2025-11-25', '{"jsonrpc":"2.0","id":7,"result":{}}', 400, -32600],
        [
          'an unknown method',
          '2025-11-25',
          '{"jsonrpc":"2.0","id":1,"method":"tools/everything"}',
          200,
          -32601,
        ],
        [
          'a log level that is none',
          '2025-11-25',
          '{"jsonrpc":"2.0","id":1,"method":"logging/setLevel","params":{"level":"loud"}}',
          200,
          -32602,
        ],
      ])('%s', async (_, revision, body, status, code) => {
        const session = await client().begin(revision);
        const answer = await client().send(body, session);
        expect([answer.status, answer.message.error.code]).toEqual([status, code]);
      });

      it('a batch of 2025-03-26 is answered, each request once', async () => {
        const session = await client().begin('2025-03-26');
        const answer = await client().send(
          '[{"jsonrpc":"2.0","id":1,"method":"ping"},{"jsonrpc":"2.0","method":"notifications/initialized"},{"jsonrpc":"2.0","id":"1","method":"tools/list"}]',
          session,
        );
        expect(answer.message.map(({ id }: { id: unknown }) => id)).toEqual([1, '1']);
      });

      it('another version in the header', async () => {
        const session = await client().begin('2025-06-18');
        const answer = await client().send('{"jsonrpc":"2.0","id":1,"method":"ping"}', {
          ...session,
          'mcp-protocol-version': '2025-11-25',
        });
        expect(answer.status).toBe(400);
      });
    });
  }),
);
