import { type IncomingMessage, request as httpRequest } from 'node:http';
import { eventually } from '../support/eventually';
import { createRule, denyWords } from '../support/guardrails';
import { type McpPath, startMcpPath } from '../support/mcp/mcp-path';
import { MODERN_META, RawClient } from '../support/mcp/raw-client';
import { type McpTestServer, type OwnServerKind, startMcpServer } from '../support/mcp/start-mcp-server';
import { scoped } from '../support/scoped';
import { RefusedInserts } from '../support/refused-inserts';

/** The part of an answer that the client has received when the answer or its connection ends. */
interface Ended {
  readonly status: number;
  readonly text: string;
  /** Whether the answer is complete for HTTP; otherwise every client sees that it broke off. */
  readonly isComplete: boolean;
}

interface Opened {
  /** Returns the text received so far. */
  text(): string;
  readonly ended: Promise<Ended>;
}

/** Sends one request on its own connection. `ended` never rejects; its status is 0 if no answer came. */
function open(url: string, headers: Record<string, string>, body: object): Opened {
  let text = '';
  const ended = new Promise<Ended>((resolve) => {
    const broken = (status: number) => () => resolve({ status, text, isComplete: false });
    const asking = httpRequest(url, { method: 'POST', headers, agent: false }, (answer: IncomingMessage) => {
      const status = answer.statusCode ?? 0;
      answer.setEncoding('utf8').on('data', (piece: string) => (text += piece));
      answer.on('error', broken(status));
      answer.on('close', () => resolve({ status, text, isComplete: answer.complete }));
    });
    asking.on('error', broken(0));
    asking.end(JSON.stringify(body));
  });
  return { text: () => text, ended };
}

interface Message {
  readonly id?: number;
  readonly error?: object;
  readonly result?: { readonly isError?: boolean };
}

/** Returns the complete messages of an answer. Fails if a complete answer ends with half an event. */
function messagesOf({ text, isComplete }: Ended): readonly Message[] {
  if (text === '') return [];
  if (text.startsWith('{')) return isComplete ? [JSON.parse(text) as Message] : [];
  const events = text.split('\n\n');
  const rest = events.pop();
  if (isComplete) expect(rest).toBe('');
  return events
    .map((event) => /^data: (.+)$/m.exec(event)?.[1])
    .filter((data) => data !== undefined)
    .map((data) => JSON.parse(data) as Message);
}

/** A running call, and the things with which a test can end its answer. */
interface Ending {
  readonly path: McpPath;
  /** Makes the database of `path` refuse inserts of recording chunks. */
  readonly chunks: RefusedInserts;
  readonly server: McpTestServer;
  readonly kind: OwnServerKind;
  readonly connection: string;
}

const sessionAt = async ({ path, connection }: Ending): Promise<string> =>
  (await path.gateway.call('admin', 'GET', `/sessions?connection=${connection}`)).body.data[0].id as string;

const ENDINGS: Readonly<Record<string, (of: Ending) => Promise<unknown>>> = {
  'its session is killed': async (of) =>
    of.path.gateway.call('admin', 'POST', `/sessions/${await sessionAt(of)}/kill`),
  'the connection is removed': ({ path, connection }) =>
    path.gateway.call('admin', 'DELETE', `/connections/${connection}`),
  'the access is withdrawn': ({ path, connection }) =>
    path.gateway.call('admin', 'PATCH', `/connections/${connection}`, { access_groups: ['dba'] }),
  'the server is gone': ({ server, kind }) => server.become(kind),
  'a rule blocks the output': async ({ server }) => server.finishWaits(),
  'it cannot be recorded': async ({ chunks, server }) => {
    await chunks.begin();
    server.finishWaits();
  },
};

const UNKNOWN = 'Whether the request ran is not known.';
const RAN = 'The request ran, and its answer was not delivered.';
/**
 * Sentences about whether the call ran, for the causes in which the server has answered. Otherwise `UNKNOWN`.
 */
const OUTCOMES: Readonly<Record<string, string | undefined>> = {
  'a rule blocks the output': undefined,
  'it cannot be recorded': RAN,
};

/**
 * The transports of legacy servers: streamable HTTP, and HTTP+SSE, where one
 * stream has the answers to all calls.
 */
const SERVERS = ['legacy', 'sse'] as const;

/** States of a running call: its answer is a stream already, or has not begun. */
const STATES = ['nothing was said', 'the answer is a stream'] as const;

// promises: MCP-13, MCP-24
describe.each(['modern', 'legacy'] as const)('a call of a %s client', (era) =>
  describe(
    'ends with a whole answer that says why, when',
    scoped((begin) => {
      const servers = {
        legacy: begin(() => startMcpServer('legacy')),
        sse: begin(() => startMcpServer('sse')),
      };
      const path = begin(() => startMcpPath({ RECORDING_MODE: 'store' }));
      const doomed = begin(
        () => startMcpPath({ SHUTDOWN_GRACE_SECONDS: '0' }),
        () => undefined,
      );

      let chunks: RefusedInserts;

      beforeAll(async () => {
        await path.gateway.call('admin', 'PATCH', '/organization', { features: { access_control: true } });
        chunks = await RefusedInserts.on(path.gateway.database, 'session_chunks');
      });

      /** Calls the tool `wait`. Resolves when the call runs at the server. */
      async function calling(
        on: McpPath,
        server: McpTestServer,
        connection: string,
        isStream: boolean,
      ): Promise<Opened> {
        const client = new RawClient(on, connection);
        const own =
          era === 'legacy'
            ? await client.begin()
            : { 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'tools/call', 'mcp-name': 'wait' };
        const headers = {
          authorization: `Bearer ${await on.gateway.token('alice')}`,
          accept: 'application/json, text/event-stream',
          'content-type': 'application/json',
          ...own,
        };
        const meta = {
          ...(era === 'modern' ? MODERN_META : {}),
          ...(isStream ? { progressToken: 'p' } : {}),
        };
        const params = { name: 'wait', arguments: {}, _meta: meta };
        const runs = server.counts.runs.get('wait') ?? 0;
        const opened = open(client.url, headers, { jsonrpc: '2.0', id: 7, method: 'tools/call', params });
        await eventually('the call runs', async () =>
          isStream ? opened.text().includes('"waiting"') : (server.counts.runs.get('wait') ?? 0) > runs,
        );
        return opened;
      }

      /** @param outcome sentence about whether the call ran; undefined if the error has no such sentence */
      async function expectError(opened: Opened, outcome: string | undefined): Promise<void> {
        const ended = await opened.ended;
        const { id, error, result } = messagesOf(ended).at(-1) ?? {};
        expect({ ...ended, id, isError: error !== undefined || result?.isError === true }).toMatchObject({
          isComplete: true,
          id: 7,
          isError: true,
        });
        const words = JSON.stringify(error ?? result);
        expect([UNKNOWN, RAN].filter((sentence) => words.includes(sentence))).toEqual(
          outcome === undefined ? [] : [outcome],
        );
      }

      const cases = SERVERS.flatMap((kind) =>
        Object.keys(ENDINGS).flatMap((ending) => STATES.map((state) => [ending, state, kind] as const)),
      );
      it.each(cases)('%s while %s, of a server of %s', async (ending, state, kind) => {
        const server = servers[kind];
        const connection = await path.connection(server.url);
        if (ending === 'a rule blocks the output') {
          const { id } = (await path.gateway.call('admin', 'GET', `/connections/${connection}`)).body;
          const rule = { name: `rule-${connection}`, connection_ids: [id], output: denyWords(['waited']) };
          await createRule(path.gateway, rule);
        }
        const opened = await calling(path, server, connection, state === 'the answer is a stream');
        try {
          await ENDINGS[ending]?.({ path, chunks, server, kind, connection });
          await expectError(opened, ending in OUTCOMES ? OUTCOMES[ending] : UNKNOWN);
        } finally {
          server.finishWaits();
          await chunks.end();
        }
      });

      it('the gateway stops, in either state', async () => {
        const opened: Opened[] = [];
        for (const server of Object.values(servers)) {
          const connection = await doomed.connection(server.url);
          for (const isStream of [false, true])
            opened.push(await calling(doomed, server, connection, isStream));
        }
        await doomed.gateway.close();
        for (const one of opened) await expectError(one, UNKNOWN);
      });
    }),
  ),
);
