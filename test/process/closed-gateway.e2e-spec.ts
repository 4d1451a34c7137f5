import { type Socket, connect } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { Client as PostgresClient } from 'pg';
import { ClosingGateway } from '../support/closing/closing-gateway';
import { describeProcesses } from '../support/describe';
import { freePort } from '../support/free-port';
import { until } from '../support/gateway-process';
import { MODERN_META } from '../support/mcp/raw-client';
import { startRawServer } from '../support/mcp/raw-server';
import { answer, startUp } from '../support/raw-client';
import { secretOf } from '../support/target';
import { someOf, volume } from '../support/volume';

/** Number of rows with which a result is larger than all buffers between target and client. */
const MANY = 400_000;
/** Kinds of requests that the gateway aborts only some seconds after the grace period. */
const HELD = new Set(['half of a body', 'a large download']);
/** Kinds of requests that open a session, each with a table. A lock on the table delays the opening. */
const OPENING = [
  ['a script', 'sessions'],
  ['a script', 'connections'],
  ['a call that an MCP server does not answer', 'sessions'],
  ['a call that an MCP server does not answer', 'connections'],
] as const;
/** Query for the gateway's statements that wait for a lock. */
const BLOCKED = `SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`;
/** Number of requests of each kind whose clients disconnect before they can be answered. */
const LEAVING = volume(2, 5);

/** A client that sends the given bytes and collects the answer. It may stop reading. */
class Client {
  text = '';
  isOver = false;
  readonly socket: Socket;

  constructor(port: number, what: string | Buffer = '') {
    this.socket = connect(port, '127.0.0.1');
    this.socket
      .on('error', () => undefined)
      .on('data', (data: Buffer) => (this.text += data.toString('latin1')));
    this.socket.on('close', () => (this.isOver = true));
    this.socket.write(what);
  }
}

interface Kind {
  /** Sends the request. */
  readonly send: () => Promise<Client> | Client;
  /** Whether the gateway is processing the request. */
  readonly isUnderWay: (client: Client) => boolean | Promise<boolean>;
}

describeProcesses('a gateway that is closed', ({ folder, database, target, production, begin }) => {
  const gateway = begin(
    () => Promise.resolve(ClosingGateway.fork()),
    (it) => it.end(),
  );
  /** An MCP server that never answers. */
  const silent = begin(() => startRawServer(() => undefined));
  let token: string;
  let scimToken: string;
  let downloaded: string;
  let followed: string;
  let variables: Record<string, string>;
  let port: number;
  let postgresPort: number;
  let metricsPort: number;
  let heard = 0;

  const head = (method: string, path: string, more: Record<string, string> = {}): string => {
    const headers = { host: `127.0.0.1:${port}`, authorization: `Bearer ${token}`, ...more };
    const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
    return `${method} ${path} HTTP/1.1\r\n${lines.join('')}\r\n`;
  };
  const posted = (path: string, body: object | string, more: Record<string, string> = {}): string => {
    const text = typeof body === 'string' ? body : JSON.stringify(body);
    return `${head('POST', path, {
      'content-type': 'application/json',
      'content-length': String(Buffer.byteLength(text)),
      ...more,
    })}${text}`;
  };
  const http = (text: string): Client => new Client(port, text);
  const answers = ({ text }: Client): boolean => text.startsWith('HTTP/1.1 ');
  const call = async (method: string, path: string, body?: object) => {
    const response = await fetch(`http://127.0.0.1:${port}/api${path}`, {
      method,
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    // oxlint-disable-next-line typescript/no-explicit-any
    return (await response.json()) as any;
  };
  const isAtWork = async (mark: string): Promise<boolean> => {
    const rows = await target.query(
      `SELECT FROM pg_stat_activity WHERE datname = current_database() AND state = 'active'
         AND query LIKE '%' || $1 || '%' AND pid <> pg_backend_pid()`,
      [mark],
    );
    return rows.length > 0;
  };
  const script = (mark: string, more = '') => `SELECT pg_sleep(60) AS ${mark}${more}`;
  const wire = async (sql?: string): Promise<Client> => {
    const client = new Client(postgresPort, startUp({ user: 'admin', database: 'orders' }));
    await until(() => client.text !== '' || client.isOver);
    client.socket.write(answer(`${token}\0`));
    await until(() => client.text.includes('Z\0\0\0\x05I') || client.isOver);
    if (client.isOver) throw new Error(`not let in: ${client.text}`);
    if (sql !== undefined) client.socket.write(query(sql));
    return client;
  };

  const MCP = { accept: 'application/json, text/event-stream' };
  const initialize = {
    jsonrpc: '2.0',
    id: 0,
    method: 'initialize',
    params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'raw', version: '1' } },
  };
  const beginMcp = async (): Promise<Record<string, string>> => {
    const client = http(posted('/api/mcp', initialize, MCP));
    await until(() => answers(client) || client.isOver);
    client.socket.destroy();
    const id = /mcp-session-id: (\S+)/i.exec(client.text)?.[1] ?? '';
    return { ...MCP, 'mcp-session-id': id, 'mcp-protocol-version': '2025-11-25' };
  };
  const runTool = (mark: string, meta: object) => ({
    jsonrpc: '2.0',
    id: 1,
    method: 'tools/call',
    params: { name: 'run_script', arguments: { connection: 'orders', script: script(mark) }, ...meta },
  });

  const kinds: Record<string, Kind> = {
    'nothing is asked': { send: () => http(''), isUnderWay: () => true },
    'half of the headers': {
      send: () => http('GET /api/sessions HTTP/1.1\r\nhost: a'),
      isUnderWay: () => true,
    },
    'half of a body': {
      send: () => http(posted('/api/connections', '{"name":', { 'content-length': '1000' })),
      isUnderWay: () => true,
    },
    'no HTTP': { send: () => http('\x16\x03\x01 no\r\n\r\n'), isUnderWay: answers },
    'an answer in JSON': { send: () => http(head('GET', '/api/sessions')), isUnderWay: answers },
    'a refusal': {
      send: () => http(head('GET', '/api/sessions', { authorization: 'x' })),
      isUnderWay: answers,
    },
    'a refused change': { send: () => http(posted('/api/connections', { name: 1 })), isUnderWay: answers },
    'a page of the portal': { send: () => http(head('GET', '/')), isUnderWay: answers },
    'the description of the API': { send: () => http(head('GET', '/api/docs-json')), isUnderWay: answers },
    'a probe': { send: () => http(head('GET', '/api/readyz')), isUnderWay: answers },
    'a sign-in': { send: () => http(head('GET', '/api/login')), isUnderWay: answers },
    'a sign-in that comes back': {
      send: () => http(head('GET', '/api/callback?code=a&state=b')),
      isUnderWay: answers,
    },
    'a large download': {
      send: () => {
        const client = http(head('GET', `/api/sessions/${downloaded}?event_stream=utf8`));
        client.socket.once('data', () => client.socket.pause());
        return client;
      },
      isUnderWay: answers,
    },
    'a stream of reviews': { send: () => http(head('GET', '/api/reviews/stream')), isUnderWay: answers },
    'a session that is followed': {
      send: () => http(head('GET', `/api/sessions/${followed}/stream`)),
      isUnderWay: answers,
    },
    'a script': {
      send: () => http(posted('/api/sessions', { connection: 'orders', script: script('in_rest') })),
      isUnderWay: () => isAtWork('in_rest'),
    },
    'a call of a modern MCP client': {
      send: () =>
        http(
          posted('/api/mcp', runTool('in_modern', { _meta: MODERN_META }), {
            ...MCP,
            'mcp-protocol-version': '2026-07-28',
            'mcp-method': 'tools/call',
            'mcp-name': 'run_script',
          }),
        ),
      isUnderWay: () => isAtWork('in_modern'),
    },
    'a call that an MCP server does not answer': {
      send: () => {
        const body = { jsonrpc: '2.0', id: 1, method: 'tools/list', params: { _meta: MODERN_META } };
        const headers = { ...MCP, 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'tools/list' };
        return http(posted('/api/mcp/silent', body, headers));
      },
      isUnderWay: () => silent.heard.length > heard,
    },
    'a call of a legacy MCP client': {
      send: async () => http(posted('/api/mcp', runTool('in_legacy', {}), await beginMcp())),
      isUnderWay: () => isAtWork('in_legacy'),
    },
    'a stream of a legacy MCP client': {
      send: async () => http(head('GET', '/api/mcp', await beginMcp())),
      isUnderWay: answers,
    },
    'users by SCIM': {
      send: () => http(head('GET', '/api/scim/v2/Users', { authorization: `Bearer ${scimToken}` })),
      isUnderWay: answers,
    },
    'a client that registers itself': {
      send: () =>
        http(
          posted('/api/oauth/register', { client_name: 'a', redirect_uris: ['http://127.0.0.1:1/callback'] }),
        ),
      isUnderWay: answers,
    },
    'a scrape': {
      send: () => new Client(metricsPort, head('GET', '/metrics')),
      isUnderWay: answers,
    },
    'a PostgreSQL client that signs in': {
      send: () => new Client(postgresPort, startUp({ user: 'admin', database: 'orders' })),
      isUnderWay: ({ text }) => text !== '',
    },
    'an idle PostgreSQL client': { send: () => wire(), isUnderWay: () => true },
    'a statement': { send: () => wire(script('in_wire')), isUnderWay: () => isAtWork('in_wire') },
    'a result that is not read': {
      send: async () => {
        const client = await wire(`SELECT repeat('x', 1000) AS in_result FROM generate_series(1, ${MANY})`);
        client.socket.pause();
        return client;
      },
      isUnderWay: () => isAtWork('in_result'),
    },
    'a COPY': {
      send: async () => {
        const client = await wire('COPY customers FROM STDIN');
        await until(() => client.text.includes('G\0\0\0') || client.isOver);
        client.socket.write(copied('10\tBarbara\t'));
        return client;
      },
      isUnderWay: () => isAtWork('COPY customers'),
    },
  };

  async function start(): Promise<void> {
    [port, postgresPort, metricsPort] = [await freePort(), await freePort(), await freePort()];
    variables = {
      ...production.variables,
      PORT: String(port),
      POSTGRES_PROXY_PORT: String(postgresPort),
      METRICS_PORT: String(metricsPort),
      JOURNAL_DIR: folder.path,
      SHUTDOWN_GRACE_SECONDS: '1',
      MCP_ALLOWED_HOSTS: '127.0.0.1',
    };
    heard = silent.heard.length;
    await gateway.start(variables);
  }

  beforeAll(async () => {
    token = await production.token();
    await start();
    await call('POST', '/connections', {
      name: 'orders',
      type: 'database',
      subtype: 'postgres',
      secret: secretOf(target),
    });
    await call('POST', '/connections', {
      name: 'silent',
      type: 'application',
      subtype: 'mcpproxy',
      access_groups: ['*'],
      secret: { REMOTE_URL: silent.url },
    });
    scimToken = (await call('POST', '/scim-tokens', { name: 'closing' })).token;
    const large = { connection: 'orders', script: "SELECT repeat('x', 100) FROM generate_series(1, 50000)" };
    downloaded = (await call('POST', '/sessions', large)).session_id;
    const [session] = await database.query<{ id: string }>(
      `INSERT INTO sessions (org_id, status, verb, type, connection_id, connection_name, connection_subtype,
         identity_type, user_subject, user_email, user_name)
       SELECT id, 'open', 'connect', 'database', gen_random_uuid(), 'orders', 'postgres', 'user', 'admin', '', 'admin'
       FROM organizations RETURNING id`,
    );
    followed = session?.id ?? '';
    await gateway.stop();
  });

  /** Sends requests of all kinds in parallel, except those in `HELD`. */
  async function sendAll(): Promise<Map<string, Client>> {
    const clients = new Map<string, Client>();
    await Promise.all(
      Object.entries(kinds)
        .filter(([name]) => !HELD.has(name))
        .map(async ([name, { send }]) => void clients.set(name, await send())),
    );
    return clients;
  }

  /**
   * Sends a request of each kind, one after another, because many sign-ins in parallel on a busy machine take
   * longer than the gateway allows.
   */
  async function beginAll(): Promise<Map<string, Client>> {
    const clients = new Map<string, Client>();
    for (const [name, { send, isUnderWay }] of Object.entries(kinds)) {
      const client = await send();
      clients.set(name, client);
      await until(async () => await isUnderWay(client)).catch((cause: unknown) => {
        throw new Error(`not under way: ${name}: ${client.text}`, { cause });
      });
    }
    return clients;
  }

  const cut = (clients: ReadonlyMap<string, Client>): void => {
    for (const { socket } of clients.values()) socket.resetAndDestroy();
  };

  async function expectNothing(): Promise<void> {
    expect(await gateway.stop()).toEqual({ left: [], begunLater: [], logged: [], errors: [] });
  }

  it('leaves nothing of what is under way', async () => {
    await start();
    const clients = await beginAll();
    await expectNothing();
    cut(clients);
  });

  it('leaves nothing of clients that are cut a moment before', async () => {
    await start();
    const clients = await beginAll();
    cut(clients);
    await expectNothing();
  });

  it('leaves nothing of clients that are cut while it closes', async () => {
    await start();
    const clients = await beginAll();
    const stopped = expectNothing();
    await delay(300);
    cut(clients);
    await stopped;
  });

  it.each(someOf([10, 0, 60], 3))(
    'leaves nothing of requests that came %d ms before',
    async (milliseconds) => {
      await start();
      const sent = sendAll().catch(() => new Map<string, Client>());
      await delay(milliseconds);
      await expectNothing();
      cut(await sent);
    },
  );

  it.each(OPENING)(
    'leaves nothing of %s whose session is opened while it closes, held at %s',
    async (name, table) => {
      await start();
      const lock = new PostgresClient({ connectionString: database.url });
      await lock.connect();
      try {
        await lock.query(`BEGIN; LOCK TABLE ${table} IN ACCESS EXCLUSIVE MODE`);
        const client = await kinds[name]?.send();
        await until(async () => (await database.query(BLOCKED)).length > 0);
        const stopped = expectNothing();
        await delay(300);
        client?.socket.resetAndDestroy();
        await lock.query('COMMIT');
        await stopped;
      } finally {
        await lock.end();
      }
    },
  );

  it.each(someOf([1, 10], 2))(
    'leaves nothing of requests whose clients left after %d ms',
    async (milliseconds) => {
      await start();
      const sent = Array.from({ length: LEAVING }, () =>
        Object.values(kinds).map(({ send }) => send()),
      ).flat();
      await delay(milliseconds);
      const left = Promise.allSettled(sent.map(async (one) => (await one).socket.resetAndDestroy()));
      await expectNothing();
      await left;
    },
  );

  it('throws nothing when requests end after the logger is gone', async () => {
    await start();
    const clients = await beginAll();
    await gateway.loseLogger();
    cut(clients);
    await expectNothing();
  });
});

function query(sql: string): Buffer {
  const text = Buffer.from(`${sql}\0`);
  const message = Buffer.alloc(5);
  message.write('Q');
  message.writeInt32BE(text.length + 4, 1);
  return Buffer.concat([message, text]);
}

function copied(text: string): Buffer {
  const message = Buffer.alloc(5);
  message.write('d');
  message.writeInt32BE(text.length + 4, 1);
  return Buffer.concat([message, Buffer.from(text)]);
}
